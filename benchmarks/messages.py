"""The messages that are measured, as JSON values. Of the standard library alone, so that children load nothing else."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

OLDER: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
NEWEST: Final = "2026-07-28"

Kind: TypeAlias = Literal["request", "notification", "result"]

_PARAMETERS: Final[dict[str, Any]] = {
    "path": {"type": "string", "description": "Where to look, relative to the root of the repository."},
    "query": {"type": "string", "minLength": 1, "description": "Words to look for."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
    "order": {"type": "string", "enum": ["best", "newest", "oldest"]},
    "labels": {"type": "array", "items": {"type": "string"}},
}
_PROSE: Final = (
    "The quick brown fox jumps over the lazy dog; pack my box with five dozen jugs.",
    'A server answers "tools/call" with content, and a client shows it to its user.',
    "def double(values): return [2 * value for value in values if value is not None]",
)
_BASE64: Final = base64.b64encode(bytes(range(90))).decode()


class Message(NamedTuple):
    """A message: what it is called in the table, its class, and its JSON value at the revisions before 2026-07-28."""

    name: str
    model: str
    """The name of its class, in the superset and by hand."""
    kind: Kind
    method: str
    """Its method, or of a result that of the request it answers."""
    sender: Literal["client", "server"]
    value: dict[str, Any]
    added: dict[str, Any] | None
    """What 2026-07-28 demands in addition; None where it has no such message."""
    small: bool = False

    @property
    def revisions(self) -> tuple[str, ...]:
        """The revisions that have it."""
        return OLDER if self.added is None else (*OLDER, NEWEST)

    def at(self, revision: str) -> dict[str, Any]:
        """Its JSON value at `revision`."""
        return {**self.value, **(self.added or {})} if revision == NEWEST else self.value


def tool(number: int) -> dict[str, Any]:
    """A tool as real servers have them, of some 850 bytes."""
    return {
        "name": f"search_{number}",
        "title": f"Search number {number}",
        "description": "Searches the files of a repository for words, and returns the best matches with lines around.",
        "inputSchema": {
            "type": "object",
            "properties": _PARAMETERS,
            "required": ["path", "query"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"matches": {"type": "array", "items": {"type": "string"}}},
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def tools(count: int) -> dict[str, Any]:
    """What answers `tools/list`."""
    return {"tools": [tool(number) for number in range(count)]}


def text(size: int) -> str:
    """At least `size` characters of prose and code, in lines."""
    lines = [f"{number}: {line}" for number, line in zip(range(size // 80 + 1), itertools.cycle(_PROSE), strict=False)]
    return "\n".join(lines)


def blocks(count: int) -> Iterator[dict[str, Any]]:
    """Content blocks of every kind in turn, a third of them annotated."""
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "text", "text": _PROSE[0]},
        {"type": "image", "data": _BASE64, "mimeType": "image/png"},
        {"type": "resource_link", "uri": "file:///notes.txt", "name": "notes", "mimeType": "text/plain", "size": 4096},
        {"type": "audio", "data": _BASE64, "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.py", "mimeType": "text/x-python", "text": _PROSE[2]}},
    )
    for number, block in zip(range(count), itertools.cycle(kinds), strict=False):
        yield {**block, "annotations": {"audience": ["user"], "priority": 0.5}} if number % 3 == 0 else block


def messages(most: int = 1000) -> Mapping[str, Message]:
    """The messages that are measured, by name; no list is longer than `most`."""
    complete = {"resultType": "complete"}
    cacheable = {**complete, "ttlMs": 0, "cacheScope": "private"}
    initialize = {
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}},
            "clientInfo": {"name": "example-client", "title": "Example", "version": "1.0.0"},
        },
    }
    progress = {
        "method": "notifications/progress",
        "params": {"progressToken": "call-7", "progress": 0.5, "total": 1.0, "message": "Half of it"},
    }
    short = {"content": [{"type": "text", "text": _PROSE[0][:60]}]}
    long = {"content": [{"type": "text", "text": text(1_000_000)}]}
    mixed = {"content": list(blocks(100))}
    found = (
        Message("tools/list, 1 tool", "ListToolsResult", "result", "tools/list", "server", tools(1), cacheable, True),
        Message("tools/list, 50 tools", "ListToolsResult", "result", "tools/list", "server", tools(50), cacheable),
        Message(
            "tools/list, 1000 tools",
            "ListToolsResult",
            "result",
            "tools/list",
            "server",
            tools(min(1000, most)),
            cacheable,
        ),
        Message("tools/call, 100 B", "CallToolResult", "result", "tools/call", "server", short, complete, True),
        Message("tools/call, 1 MB", "CallToolResult", "result", "tools/call", "server", long, complete),
        Message("tools/call, 100 blocks", "CallToolResult", "result", "tools/call", "server", mixed, complete),
        Message("initialize", "InitializeRequest", "request", "initialize", "client", initialize, None, True),
        Message(
            "progress", "ProgressNotification", "notification", "notifications/progress", "server", progress, {}, True
        ),
    )
    return {message.name: message for message in found}
