"""The whole kind of each reported fault, not the one input: other members, revisions, directions and depths."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mcp_surfaces import types, wire

from .support import (
    CAPABILITIES_KEY,
    META,
    NEWEST,
    OLDER,
    PROTOCOL_VERSION_KEY,
    SUBSCRIPTION_KEY,
    VERSIONS,
    attempt,
    each,
    emit,
    parse,
    refusal,
    returns,
    same,
    unsupported,
)

pytestmark = pytest.mark.untraced

DONE: Any = {"resultType": "complete"}
CACHED: Any = {**DONE, "ttlMs": 0, "cacheScope": "private"}
NULLS: Any = {"k": None, "l": [None, {"m": None}]}
TEXT: Any = {"type": "text", "text": ""}
TOOL: Any = {"name": "t", "inputSchema": {"type": "object"}}
RESOURCE: Any = {"uri": "u", "name": "n"}
CLIENT: Any = {"name": "c", "version": "1"}
TASK: Any = {"taskId": "t", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}


def request(method: str, **params: Any) -> Any:
    return {"method": method, "params": {"_meta": META, **params}}


def exact(name: str, version: str, value: Any) -> bool:
    """Whether the exact surface of a version takes a value."""
    adapter: TypeAdapter[Any] = TypeAdapter(getattr(import_module(wire.surface_for(version).package), name))
    return not isinstance(attempt(lambda: adapter.validate_python(value)), ValidationError)


# Comes back equal at every revision given.

RETURNS: list[tuple[str, str, Any, tuple[str, ...]]] = [
    # B01 B34 B84 structured content: any JSON, with content beside it.
    *(
        ("B34", "CallToolResult", {"content": [], "structuredContent": value, **DONE}, VERSIONS)
        for value in each(None, 0, 0.0, "", False, [], {}, [[None]], {"": {"": None}}, 2**70, "1.0")
    ),
    (
        "B34",
        "ToolResultContent",
        {"type": "tool_result", "toolUseId": "", "content": [], "structuredContent": [1.0]},
        VERSIONS,
    ),
    (
        "B84",
        "GetPromptResult",
        {"messages": [{"role": "user", "content": {**TEXT, "v": NULLS}, "w": NULLS}], **DONE},
        VERSIONS,
    ),
    (
        "B84",
        "ReadResourceResult",
        {"contents": [{"uri": "", "text": "", "lang": "e", "blob": "x"}], **CACHED},
        VERSIONS,
    ),
    # B02 B04 content of every revision at every revision.
    (
        "B04",
        "CallToolResult",
        {"content": [{"type": "resource_link", **RESOURCE, "size": 0, "x": {}}], **DONE},
        VERSIONS,
    ),
    (
        "B04",
        "PromptMessage",
        {"role": "user", "content": {"type": "resource_link", **RESOURCE, "_meta": NULLS}},
        VERSIONS,
    ),
    (
        "B04",
        "PromptMessage",
        {"role": "user", "content": {"type": "audio", "data": "", "mimeType": "", "a": None}},
        VERSIONS,
    ),
    (
        "B04",
        "EmbeddedResource",
        {"type": "resource", "resource": {"uri": "", "blob": "", "text": ""}, "pin": None},
        VERSIONS,
    ),
    # B05 B06 hints and icons.
    (
        "B05",
        "Resource",
        {**RESOURCE, "annotations": {"audience": [], "priority": 5, "lastModified": "never", "x": 1}},
        VERSIONS,
    ),
    ("B05", "ResourceTemplate", {"uriTemplate": "", "name": "", "annotations": {"audience": ["tool"]}}, VERSIONS),
    ("B06", "Tool", {**TOOL, "icons": [{"src": "", "theme": "neon", "sizes": [], "x": None}]}, VERSIONS),
    ("B06", "Prompt", {"name": "", "icons": [], "arguments": []}, VERSIONS),
    ("B06", "Implementation", {**CLIENT, "icons": [{"src": "data:,"}], "websiteUrl": "", "description": ""}, VERSIONS),
    # B08 B13 B40 B46 unknown members anywhere.
    ("B08", "GetPromptRequest", request("prompts/get", name="", x=NULLS), VERSIONS),
    (
        "B08",
        "CompleteRequest",
        request(
            "completion/complete",
            ref={"type": "ref/prompt", "name": "", "x": 1},
            argument={"name": "", "value": "", "type": "n"},
            context={"arguments": {}, "y": None},
        ),
        VERSIONS,
    ),
    (
        "B08",
        "ListToolsResult",
        {"tools": [{**TOOL, "annotations": {"x": 1, "title": ""}, "version": 1.0}], **CACHED},
        VERSIONS,
    ),
    ("B08", "ListRootsResult", {"roots": [{"uri": "", "x": NULLS}], "y": 1}, VERSIONS),
    (
        "B08",
        "ResourceUpdatedNotification",
        {"method": "notifications/resources/updated", "params": {"uri": "", "title": ""}},
        VERSIONS,
    ),
    (
        "B13",
        "InitializeRequest",
        {
            "method": "initialize",
            "params": {
                "protocolVersion": "",
                "clientInfo": {**CLIENT, "x": 1},
                "capabilities": {"sampling": {"x": None}, "roots": {"y": 1.0}, "later": [1]},
                "z": {},
            },
        },
        OLDER,
    ),
    (
        "B13",
        "InitializeResult",
        {
            "protocolVersion": "",
            "serverInfo": {**CLIENT, "title": ""},
            "capabilities": {"tools": {"x": []}, "later": {"a": None}},
            "y": None,
        },
        OLDER,
    ),
    (
        "B46",
        "DiscoverResult",
        {"supportedVersions": [], "capabilities": {"completions": {"x": 1}, "tasks": {"list": {}}, "z": 0}, **CACHED},
        VERSIONS,
    ),
    (
        "B46",
        "ClientCapabilities",
        {"elicitation": {"form": {"x": 1}, "z": {}}, "tasks": {"requests": {"x": {}}}, "u": True},
        VERSIONS,
    ),
    # B09 B40 _meta whole.
    (
        "B09",
        "CallToolRequest",
        request("tools/call", name="", _meta={**META, "progressToken": "", "traceparent": "", **NULLS}),
        VERSIONS,
    ),
    (
        "B09",
        "CancelledNotification",
        {"method": "notifications/cancelled", "params": {"requestId": 1, "_meta": NULLS}},
        VERSIONS,
    ),
    ("B09", "Resource", {**RESOURCE, "_meta": {"a": 1.0, "progressToken": None}}, VERSIONS),
    ("B09", "Root", {"uri": "", "_meta": NULLS}, VERSIONS),
    ("B09", "CallToolResult", {"content": [{**TEXT, "_meta": {}}], "_meta": {}, **DONE}, VERSIONS),
    ("B40", "EmptyResult", {"_meta": {"io.modelcontextprotocol/serverInfo": {**CLIENT, "x": None}}, **DONE}, VERSIONS),
    # B14 B17 absent, false and empty are three.
    *(
        ("B17", "CallToolResult", {"content": [], **more, **DONE}, VERSIONS)
        for more in each({}, {"isError": False}, {"isError": True})
    ),
    *(
        ("B17", "Tool", {**TOOL, "annotations": value}, VERSIONS)
        for value in each({}, {"readOnlyHint": False}, {"title": ""})
    ),
    *(
        ("B17", "PromptArgument", {"name": "", **more}, VERSIONS)
        for more in each({}, {"required": False}, {"description": ""})
    ),
    *(
        ("B17", "ServerCapabilities", {"resources": value}, VERSIONS)
        for value in each({}, {"subscribe": False}, {"listChanged": True})
    ),
    *(
        ("B17", "Completion", {"values": [], **more}, VERSIONS)
        for more in each({}, {"hasMore": False}, {"total": 0}, {"total": 0.0})
    ),
    # B18 B21 B64 B65 ids, tokens, progress.
    *(
        (
            "B18",
            "CancelledNotification",
            {"method": "notifications/cancelled", "params": {"requestId": id_, "reason": ""}},
            VERSIONS,
        )
        for id_ in each(0, "", "0", -1, 2**63, 7.0)
    ),
    *(
        ("B21", "ListToolsRequest", request("tools/list", _meta={**META, "progressToken": token}), VERSIONS)
        for token in each(0, "", "1", 1, 2**64, 1.0)
    ),
    *(
        (
            "B65",
            "ProgressNotification",
            {
                "method": "notifications/progress",
                "params": {"progressToken": 1, "progress": n, "total": n, "message": ""},
            },
            VERSIONS,
        )
        for n in each(0, 0.0, -1, 1e300, 2**60)
    ),
    *(
        (
            "B65",
            "LoggingMessageNotification",
            {"method": "notifications/message", "params": {"level": "info", "data": data}},
            VERSIONS,
        )
        for data in each(None, 0, "", [], {}, NULLS, False)
    ),
    # B22 B24 numbers.
    (
        "B22",
        "ModelPreferences",
        {"costPriority": 1, "speedPriority": 1.0, "intelligencePriority": 0, "hints": [{}]},
        VERSIONS,
    ),
    ("B22", "Annotations", {"priority": 0}, VERSIONS),
    ("B22", "NumberSchema", {"type": "number", "minimum": 0, "maximum": 1.0, "default": 0.5}, VERSIONS),
    ("B22", "Resource", {**RESOURCE, "size": 5.0}, VERSIONS),
    (
        "B24",
        "CallToolRequest",
        request("tools/call", name="", arguments={"a": 1.0, "b": 1, "c": True, "d": 2**70, "e": 1e22}),
        VERSIONS,
    ),
    ("B24", "EmptyResult", {"_meta": {"n": 9007199254740993}, "x": [0, 0.0, False, None], **DONE}, VERSIONS),
    (
        "B24",
        "ElicitResult",
        {"action": "accept", "content": {"n": 9007199254740993, "f": 1.0, "b": False, "s": "1"}},
        VERSIONS,
    ),
    # B25 B27 strings are strings.
    *(
        ("B25", "Resource", {**RESOURCE, "uri": uri}, VERSIONS)
        for uri in each("", "a b", "é", "HTTP://A:80/../x", "x:y", "file:c:\\a", "\u0000")
    ),
    ("B25", "Root", {"uri": "not file"}, VERSIONS),
    ("B25", "Implementation", {**CLIENT, "websiteUrl": "//x"}, VERSIONS),
    (
        "B25",
        "ElicitRequest",
        {"method": "elicitation/create", "params": {"mode": "url", "message": "", "url": "x y", "elicitationId": ""}},
        VERSIONS,
    ),
    *(
        ("B27", type_, {"type": kind, "data": data, "mimeType": "x"}, VERSIONS)
        for type_, kind in (("ImageContent", "image"), ("AudioContent", "audio"))
        for data in each("", "=", "-_", "a\nb", "é", "QQ")
    ),
    # B29 B30 unions.
    ("B29", "InputRequiredResult", {"resultType": "input_required", "inputRequests": {}}, (NEWEST,)),
    ("B29", "InputRequiredResult", {"resultType": "input_required", "requestState": "", "content": [TEXT]}, (NEWEST,)),
    ("B30", "EmptyResult", {"error": {"code": 1}, "result": None, "content": 5, **DONE}, VERSIONS),
    ("B30", "GetTaskPayloadResult", {"content": [5], "x": None}, OLDER),
    ("B30", "Result", {"tools": 5, **DONE}, VERSIONS),
    # B31 B32 tasks.
    *(
        ("B32", "GetTaskResult", {**TASK, "ttl": ttl, **more}, OLDER)
        for ttl in each(None, 0, 1.0)
        for more in each({}, {"pollInterval": 0})
    ),
    ("B32", "ListTasksResult", {"tasks": [TASK, {**TASK, "statusMessage": "", "x": None}]}, OLDER),
    (
        "B32",
        "TaskStatusNotification",
        {"method": "notifications/tasks/status", "params": {**TASK, "_meta": NULLS}},
        OLDER,
    ),
    ("B31", "CreateTaskResult", {"task": {**TASK, "x": NULLS}, "_meta": NULLS, "y": 1}, OLDER),
    # B38 B67 caching, cursors.
    *(
        ("B38", "ListPromptsResult", {"prompts": [], "ttlMs": ttl, "cacheScope": scope, **DONE}, VERSIONS)
        for ttl in each(0, 1, 5.0)
        for scope in each("public", "private")
    ),
    *(
        ("B67", type_, {member: [], "nextCursor": "", **CACHED}, VERSIONS)
        for type_, member in (
            ("ListPromptsResult", "prompts"),
            ("ListResourcesResult", "resources"),
            ("ListResourceTemplatesResult", "resourceTemplates"),
        )
    ),
    *(
        ("B67", type_, request(method, cursor=""), VERSIONS)
        for type_, method in (
            ("ListPromptsRequest", "prompts/list"),
            ("ListResourcesRequest", "resources/list"),
            ("ListResourceTemplatesRequest", "resources/templates/list"),
        )
    ),
    # B50 B53 schemas are opaque.
    *(
        ("B50", "Tool", {**TOOL, "inputSchema": schema, "outputSchema": schema}, VERSIONS)
        for schema in each(
            {"type": "object", "properties": None, "$ref": "#", "x": 1.0},
            {"type": "object", "required": [], "enum": [None, 1, 1.0]},
        )
    ),
    (
        "B50",
        "Tool",
        {"name": "", "inputSchema": {"type": "object"}, "outputSchema": {}, "execution": {"taskSupport": "forbidden"}},
        VERSIONS,
    ),
    (
        "B53",
        "ElicitRequest",
        {
            "method": "elicitation/create",
            "params": {
                "message": "",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"a": {"type": ["string", "null"]}, "b": {}},
                    "$schema": "",
                    "additionalProperties": False,
                },
            },
        },
        OLDER,
    ),
    *(
        ("B53", "ElicitResult", {"action": action, **more}, VERSIONS)
        for action in each("accept", "decline", "cancel")
        for more in each({}, {"content": {}}, {"content": {"a": [""], "b": None}, "x": None})
    ),
    # B55 sampling.
    *(
        (
            "B55",
            "CreateMessageResultWithTools",
            {"role": "assistant", "model": "", "content": content, "stopReason": ""},
            VERSIONS,
        )
        for content in each([], [TEXT], TEXT, {"type": "tool_use", "id": "", "name": "", "input": NULLS})
    ),
    (
        "B55",
        "CreateMessageRequest",
        {
            "method": "sampling/createMessage",
            "params": {
                "messages": [{"role": "user", "content": []}],
                "maxTokens": 0,
                "toolChoice": {"mode": "none", "x": 1},
                "tools": [],
                "metadata": NULLS,
                "includeContext": "none",
            },
        },
        VERSIONS,
    ),
    # B63 B68 params.
    *(
        ("B63", type_, {"method": method, **more}, VERSIONS)
        for type_, method in (
            ("ToolListChangedNotification", "notifications/tools/list_changed"),
            ("PromptListChangedNotification", "notifications/prompts/list_changed"),
            ("ResourceListChangedNotification", "notifications/resources/list_changed"),
        )
        for more in each({}, {"params": {}}, {"params": {"x": None}})
    ),
    ("B63", "PingRequest", {"method": "ping"}, OLDER),
    ("B63", "ListRootsRequest", {"method": "roots/list", "params": {}}, VERSIONS),
    *(
        ("B68", "CallToolRequest", request("tools/call", name="", **more), VERSIONS)
        for more in each({}, {"arguments": {}}, {"arguments": NULLS})
    ),
    # B69 any version string.
    *(("B69", "DiscoverResult", {"supportedVersions": ["", "x"], "capabilities": {}, **CACHED}, VERSIONS) for _ in "1"),
    # Subscriptions.
    ("B40", "SubscriptionsListenResult", {"_meta": {SUBSCRIPTION_KEY: "", **NULLS}, **DONE, "x": None}, VERSIONS),
    (
        "B40",
        "SubscriptionsListenRequest",
        request("subscriptions/listen", notifications={"toolsListChanged": False, "x": None}),
        VERSIONS,
    ),
]


@pytest.mark.parametrize(("bug", "name", "value", "versions"), RETURNS)
def test_comes_back_equal(bug: str, name: str, value: Any, versions: tuple[str, ...]) -> None:
    del bug
    type_: Any = getattr(types, name)
    for version in versions:
        if version == NEWEST and name in ("Annotations", "CallToolResult", "Resource"):
            model = parse(type_, value, version)
            assert same(emit(model, version, strict=False) if name == "CallToolResult" else json_of(model), value)
        elif version == NEWEST and not exact_or_unknown(name, version, value):
            model = parse(type_, value, version)
            assert same(emit(model, version, strict=False) if hasattr(model, "result_type") else value, value)
        else:
            assert returns(type_, value, version), (version, value)


def json_of(model: Any) -> Any:
    return TypeAdapter(Any).dump_python(model, by_alias=True, mode="json")


def exact_or_unknown(name: str, version: str, value: Any) -> bool:
    """Whether strict emission at a version can be asked of a value."""
    package = import_module(wire.surface_for(version).package)
    frame = {"jsonrpc": "2.0", "id": 1, **value} if "method" in value else value
    return name in package.__all__ and exact(name, version, frame)


# Refused at every revision, with one or two errors at the place.

REFUSED: list[tuple[str, str, Any, tuple[Any, ...]]] = [
    *(
        (
            "B21",
            "ProgressNotification",
            {"method": "notifications/progress", "params": {"progressToken": bad, "progress": 1}},
            ("params", "progressToken"),
        )
        for bad in each(1.5, True, None, {}, [], 1e-9)
    ),
    *(
        (
            "B21",
            "CallToolRequest",
            request("tools/call", name="", _meta={**META, "progressToken": bad}),
            ("params", "_meta", "progressToken"),
        )
        for bad in each(1.5, True, {}, [])
    ),
    *(
        (
            "B64",
            "CancelledNotification",
            {"method": "notifications/cancelled", "params": {"requestId": bad}},
            ("params", "requestId"),
        )
        for bad in each(1.5, False, {}, [])
    ),
    *(("B22", "ListToolsResult", {"tools": [], "ttlMs": bad}, ("ttlMs",)) for bad in each(0.5, "0", True)),
    *(
        (
            "B22",
            "ProgressNotification",
            {"method": "notifications/progress", "params": {"progressToken": 1, "progress": bad}},
            ("params", "progress"),
        )
        for bad in each("1", True, None)
    ),
    *(("B53", "ElicitResult", {"action": bad}, ("action",)) for bad in each("reject", "", None, 1, "Accept")),
    *(("B17", "CallToolResult", {"content": [], "isError": bad}, ("isError",)) for bad in each(0, "false", 1, [])),
    *(
        ("B02", "CallToolResult", {"content": [bad]}, ("content", 0))
        for bad in each({"type": "widget"}, {}, {"type": None}, "text", None)
    ),
    *(
        (
            "B04",
            "CallToolResult",
            {"content": [{"type": "resource_link", "uri": "u", "name": bad}]},
            ("content", 0, "name"),
        )
        for bad in each(None, 5)
    ),
    *(
        ("B25", "ReadResourceRequest", request("resources/read", uri=bad), ("params", "uri"))
        for bad in each(None, 5, {})
    ),
    *(
        ("B27", "ImageContent", {"type": "image", "mimeType": "", "data": bad}, ("data",))
        for bad in each(None, 5, ["a"])
    ),
    *(("B50", "Tool", {"name": "", "inputSchema": bad}, ("inputSchema",)) for bad in each(None, True, [], "{}")),
    *(
        ("B60", "ErrorData", {"code": bad, "message": ""}, ("code",))
        for bad in each(True, "1", 1.5, None, 0.9999999999)
    ),
    *(("B60", "ErrorData", {"code": 1, "message": bad}, ("message",)) for bad in each(None, 5, {})),
    *(
        ("B68", "GetPromptRequest", request("prompts/get", name="", arguments=bad), ("params", "arguments"))
        for bad in each([], "x", 5)
    ),
    *(("B46", "ServerCapabilities", {"tools": bad}, ("tools",)) for bad in each(True, [], "x")),
    *(("B32", "Task", {**TASK, "ttl": bad}, ("ttl",)) for bad in each("5", True, 1.5)),
    ("B32", "Task", {name: value for name, value in TASK.items() if name != "ttl"}, ("ttl",)),
    ("B55", "SamplingMessage", {"role": "tool", "content": TEXT}, ("role",)),
    ("B67", "ListToolsResult", {"tools": [], "nextCursor": 5}, ("nextCursor",)),
    ("B69", "InitializeResult", {"protocolVersion": 1, "capabilities": {}, "serverInfo": CLIENT}, ("protocolVersion",)),
]


@pytest.mark.parametrize(("bug", "name", "value", "place"), REFUSED)
def test_is_refused_at_its_place(bug: str, name: str, value: Any, place: tuple[Any, ...]) -> None:
    del bug
    for version in (*VERSIONS, "2099-01-01"):
        found = refusal(getattr(types, name), value, version)
        assert 1 <= len(found) <= 2, found
        assert all(entry[1][: len(place)] == place for entry in found), found


# The exact surfaces.

EXACT: list[tuple[str, str, Any, str, bool]] = [
    ("B01", "CallToolResult", {"structuredContent": {}}, "2025-06-18", False),
    ("B01", "CallToolResult", {"structuredContent": {}, **DONE}, NEWEST, False),
    ("B02", "PromptMessage", {"role": "user", "content": {"type": "widget"}}, NEWEST, False),
    ("B05", "Annotations", {"audience": ["system"]}, NEWEST, False),
    ("B05", "Annotations", {"priority": 1.1}, "2025-11-25", False),
    ("B06", "Icon", {"src": "", "theme": "neon"}, NEWEST, False),
    ("B06", "Icon", {"src": "", "sizes": []}, NEWEST, True),
    ("B21", "ProgressToken", 2.0, NEWEST, True),
    ("B21", "ProgressToken", 1e-9, NEWEST, False),
    ("B21", "ProgressToken", 0.9999999999, "2025-11-25", False),
    ("B21", "RequestId", True, NEWEST, False),
    ("B25", "Resource", {"uri": "", "name": ""}, NEWEST, True),
    ("B27", "ImageContent", {"type": "image", "data": "é", "mimeType": ""}, NEWEST, True),
    ("B32", "Task", {**TASK, "ttl": 0.5}, "2025-11-25", False),
    ("B34", "CallToolResult", {"content": [], "structuredContent": None}, "2025-11-25", False),
    ("B34", "CallToolResult", {"content": [], "structuredContent": None, **DONE}, NEWEST, True),
    ("B38", "ListToolsResult", {"tools": [], **DONE}, NEWEST, False),
    ("B38", "ListToolsResult", {"tools": [], **CACHED, "ttlMs": -1}, NEWEST, False),
    ("B38", "ListToolsResult", {"tools": [], **CACHED, "cacheScope": "shared"}, NEWEST, False),
    ("B41", "CallToolResult", {"content": [], "resultType": "x"}, NEWEST, True),
    ("B45", "InputRequiredResult", {"resultType": "input_required"}, NEWEST, True),
    (
        "B48",
        "InitializeResult",
        {"protocolVersion": "", "capabilities": {"logging": []}, "serverInfo": CLIENT},
        "2025-11-25",
        False,
    ),
    ("B50", "Tool", {"name": "", "inputSchema": {}}, NEWEST, False),
    ("B50", "Tool", {"name": "", "inputSchema": {"type": "array"}}, "2025-11-25", False),
    ("B51", "NumberSchema", {"type": "integer", "default": 0.5}, "2025-11-25", True),
    ("B53", "ElicitResult", {"action": "accept", "content": {"a": 0.5, "b": None}}, NEWEST, True),
    ("B65", "LoggingLevel", "trace", NEWEST, False),
    ("B67", "ListToolsResult", {"tools": [], **CACHED, "nextCursor": None}, NEWEST, False),
]


@pytest.mark.parametrize(("bug", "name", "value", "version", "accepted"), EXACT)
def test_the_exact_surface_says(bug: str, name: str, value: Any, version: str, accepted: bool) -> None:
    del bug
    assert exact(name, version, value) == accepted


# B36 B38 B42: what a revision has and another has not.


@pytest.mark.parametrize("version", OLDER)
def test_no_member_of_the_newest_revision_appears_below_it(version: str) -> None:
    bodies: list[types.Result | types.Request[Any, Any]] = [
        types.ListToolsResult(tools=[]),
        types.ReadResourceResult(contents=[]),
        types.GetPromptResult(messages=[]),
        types.EmptyResult(),
        types.InputRequiredResult(request_state="s"),
        types.ListToolsRequest(),
        types.CallToolRequest(params=types.CallToolRequestParams(name="t")),
        types.ElicitResult(action="cancel"),
    ]
    for body in bodies:
        text = wire.dump_json(body, version)
        for word in (b"ttlMs", b"cacheScope", b"protocolVersion", b"null", b"isError", b'"mode"'):
            assert word not in text
        assert b"resultType" not in text or isinstance(body, types.InputRequiredResult)


@pytest.mark.parametrize("key", [PROTOCOL_VERSION_KEY, CAPABILITIES_KEY])
def test_a_mandatory_key_is_there_and_strictly_of_its_type(key: str) -> None:
    rest = {name: item for name, item in META.items() if name != key}
    for type_, method in ((types.ListToolsRequest, "tools/list"), (types.DiscoverRequest, "server/discover")):
        found = refusal(type_, {"method": method, "params": {"_meta": rest}}, NEWEST)
        assert [entry[:2] for entry in found] == [("missing_required_meta", ("params", "_meta", key))]
        for bad in each(None, [], 5):
            body = {"method": method, "params": {"_meta": {**rest, key: bad}}}
            found = refusal(type_, body, NEWEST, strict=True)
            assert [entry[1] for entry in found] == [("params", "_meta", key)]
            model = attempt(partial(parse, type_, body, "2025-11-25"))
            assert isinstance(model, ValidationError) or unsupported(model, NEWEST).findings


def test_an_input_required_result_is_parsed_bare_and_not_emitted() -> None:
    for body in ({"resultType": "input_required"}, {"resultType": "input_required", "inputRequests": None}):
        unsupported(parse(types.InputRequiredResult, body, NEWEST), NEWEST)


# B78 B80 B82: see test_concurrency, test_errors_at_the_wire; B57 B59 B61: test_contract and the corpus.
