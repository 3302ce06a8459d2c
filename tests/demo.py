"""One real message of each revision, read and written again: `python -m tests.demo`."""

from __future__ import annotations

import json
import sys
from typing import Any

from mcp_surfaces import types, wire

INITIALIZE = """{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2024-11-05",
  "capabilities": {"roots": {"listChanged": true}}, "clientInfo": {"name": "desk", "version": "0.9"}}}"""
PROGRESS = """{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 0.5,
  "total": 1, "message": "halfway", "x-unknown": null}}"""
COMPLETE = """{"jsonrpc": "2.0", "id": "c-1", "method": "completion/complete", "params": {"argument": {"name": "city",
  "value": "Be"}, "ref": {"type": "ref/prompt", "name": "weather"}, "context": {"arguments": {"country": "DE"}}}}"""
TASK_CALL = """{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "report",
  "arguments": {"pages": 3}, "task": {"ttl": 60000}}}"""
STATELESS_CALL = """{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1,
  "b": 1.0}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}}}}"""

MESSAGES = {
    "2024-11-05": INITIALIZE,
    "2025-03-26": PROGRESS,
    "2025-06-18": COMPLETE,
    "2025-11-25": TASK_CALL,
    "2026-07-28": STATELESS_CALL,
}


def through(text: str, version: str) -> tuple[str, dict[str, Any]]:
    """Read a frame and the body in it; returns the body's class name and the frame as it is written again."""
    kind: type[Any]
    frame: types.JSONRPCMessage = wire.parse_json(types.JSONRPCMessage, text, version)
    if isinstance(frame, types.JSONRPCRequest):
        kind = wire.request_type(frame.method, version, "client")
    else:
        assert isinstance(frame, types.JSONRPCNotification)
        kind = wire.notification_type(frame.method, version, "client")
    body = wire.parse_as(kind, {"method": frame.method, "params": frame.params}, version)
    written: dict[str, Any] = {**wire.serialize_for(frame, version), **wire.serialize_for(body, version)}
    return type(body).__name__, written


def main() -> int:
    """Show every message; 0 if each comes out as it went in."""
    status = 0
    for version, text in MESSAGES.items():
        name, written = through(text, version)
        equal = json.dumps(json.loads(text), sort_keys=True) == json.dumps(written, sort_keys=True)
        status |= not equal
        print(f"{version}  {name:<22} {'in = out' if equal else 'CHANGED'}  {json.dumps(written)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
