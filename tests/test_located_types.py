"""Every single defect of real bodies is one or two errors, at its place, in the superset and on the surfaces."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mcp_surfaces import types, v2025_11_25, v2026_07_28
from mcp_surfaces.located import findings, located

SECRET = "hunter2"
DELETED: Any = object()

META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}
CALL_RESULT: dict[str, Any] = {
    "content": [
        {"type": "text", "text": "t", "annotations": {"audience": ["user"], "priority": 0.5}, "_meta": {"a": 1}},
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "a:b", "text": "t", "_meta": {"a": 1}}, "_meta": {"a": 1}},
        {"type": "resource", "resource": {"uri": "a:b", "blob": "AA==", "mimeType": "x/y"}},
        {"type": "resource_link", "uri": "a:b", "name": "n", "size": 5, "icons": [{"src": "a:b", "sizes": ["any"]}]},
    ],
    "structuredContent": {"a": 1},
    "isError": False,
}
INPUT_REQUIRED: dict[str, Any] = {
    "resultType": "input_required",
    "requestState": "s",
    "inputRequests": {
        "roots": {"method": "roots/list"},
        "form": {
            "method": "elicitation/create",
            "params": {"message": "m", "requestedSchema": {"type": "object", "properties": {}}},
        },
        "model": {
            "method": "sampling/createMessage",
            "params": {"maxTokens": 5, "messages": [{"role": "user", "content": {"type": "text", "text": "t"}}]},
        },
    },
}  # fmt: skip
CALL: dict[str, Any] = {
    "method": "tools/call",
    "params": {
        "name": "n",
        "arguments": {"a": 1},
        "_meta": META,
        "inputResponses": {
            "form": {"action": "accept", "content": {"a": "b"}},
            "roots": {"roots": [{"uri": "file:///a", "name": "n"}]},
            "model": {"role": "assistant", "model": "m", "content": {"type": "text", "text": "t"}},
        },
    },
}
TOOLS: dict[str, Any] = {
    "tools": [
        {
            "name": "n",
            "title": "t",
            "description": "d",
            "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
            "annotations": {"title": "t", "readOnlyHint": True},
            "icons": [{"src": "a:b", "mimeType": "x/y"}],
        }
    ],
    "nextCursor": "c",
}
SAMPLED: dict[str, Any] = {
    "role": "assistant",
    "model": "m",
    "content": [{"type": "tool_use", "id": "i", "name": "n", "input": {}}, {"type": "text", "text": "t"}],
}

TELLING = ("blob", "action")
"""Members without which a body may as well be an object of another kind."""

BODIES: list[tuple[Any, dict[str, Any]]] = [
    (types.CallToolResult, CALL_RESULT),
    (v2025_11_25.CallToolResult, CALL_RESULT),
    (v2026_07_28.CallToolResult, {"resultType": "complete", **CALL_RESULT}),
    (types.InputRequiredResult, INPUT_REQUIRED),
    (v2026_07_28.InputRequiredResult, INPUT_REQUIRED),
    (types.CallToolRequest, CALL),
    (v2026_07_28.CallToolRequest, {"jsonrpc": "2.0", "id": 1, **CALL}),
    (types.ListToolsResult, TOOLS),
    (v2025_11_25.ListToolsResult, TOOLS),
    (types.CreateMessageResultWithTools, SAMPLED),
    (v2025_11_25.CreateMessageResult, SAMPLED),
]


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    held: Any = value
    keys: Any = [*held] if isinstance(value, dict) else range(len(held)) if isinstance(value, list) else ()
    for key in keys:
        yield from places(held[key], (*path, key))


def defects(body: Any, path: tuple[str | int, ...]) -> Iterator[Any]:
    """The body with the member at `path` deleted, or of another type."""
    for new in (DELETED, SECRET, True, None, {SECRET: 1}, [SECRET]):
        changed = copy.deepcopy(body)
        parent = changed
        for part in path[:-1]:
            parent = parent[part]
        if type(new) is type(parent[path[-1]]):
            continue
        if new is not DELETED:
            parent[path[-1]] = copy.deepcopy(new)
        elif isinstance(parent, dict):
            del parent[path[-1]]
        yield changed


@pytest.mark.parametrize(("type_", "body"), BODIES, ids=[f"{t.__module__}.{t.__name__}" for t, _ in BODIES])
def test_one_defect(type_: Any, body: dict[str, Any]) -> None:
    validate = TypeAdapter[Any](type_).validate_python
    validate(body)
    refused = 0
    for path in places(body):
        for changed in defects(body, path):
            try:
                validate(changed)
            except ValidationError as error:
                safe = located(error, changed)
            else:
                continue
            refused += 1
            assert 1 <= safe.error_count() <= 2, (path, safe)
            locs = {entry["loc"] for entry in safe.errors()}
            tagged = path[-1] in ("type", "method") and safe.errors()[0]["type"].startswith("union_tag_")
            place = path[:-1] if tagged or path[-1] in TELLING else path
            assert {loc[: len(place)] for loc in locs} == {place}, (path, safe)
            if path[-1] != "type":
                assert SECRET not in str(safe) + safe.json() + repr(safe.errors())
    assert refused > 10


def test_many_bad_blocks() -> None:
    data = {"content": [{"type": "resource", "resource": {"text": SECRET, "uri": 5}} for _ in range(10_000)]}
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(types.CallToolResult).validate_python(data)
    safe = located(caught.value, data)
    assert findings(safe)[0] == ("/content/0/resource/uri", "string_type", "Input should be a valid string")
    assert safe.error_count() == 100
    assert len(str(safe)) < 30_000
