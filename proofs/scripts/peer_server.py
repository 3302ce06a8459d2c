"""A server on somebody else's SDK, offering what our example server offers: `peer_server.py mcp2|mcp1|fastmcp`.

It runs in a virtual environment that has the peer and not our package. What is sent is written as wire data and turned
into the peer's models by the peer, because their attribute names differ between releases.
"""

# ruff: noqa: D101, D103

import asyncio
import sys
from typing import Any

from typing_extensions import TypedDict

KIND = sys.argv[1]
if KIND == "mcp2":
    import mcp_types as types
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver import MCPServer as Server
elif KIND == "mcp1":
    from mcp import types
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as Server
else:
    import mcp_types as types
    from fastmcp import Context
    from fastmcp import FastMCP as Server

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
NOTE, BLOB = "example://note", "example://pixel"
CONTENT = [
    {"type": "text", "text": "one of each", "annotations": {"audience": ["user"], "priority": 0.5}},
    {"type": "image", "data": PIXEL, "mimeType": "image/png"},
    {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"},
    {"type": "resource_link", "uri": NOTE, "name": "note", "mimeType": "text/plain"},
    {"type": "resource", "resource": {"uri": NOTE, "text": "a note", "mimeType": "text/plain"}},
    {"type": "resource", "resource": {"uri": BLOB, "blob": PIXEL, "mimeType": "image/png"}},
]
FORM = {
    "message": "Who are you?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}
MODEL = {"messages": [{"role": "user", "content": {"type": "text", "text": "Say hello"}}], "maxTokens": 20}

server: Any = Server("peer", instructions="Look around.")
plain = {} if KIND == "fastmcp" else {"structured_output": False}


class Sum(TypedDict):
    sum: float


def result(content: list[dict[str, Any]]) -> Any:
    if KIND == "fastmcp":
        from fastmcp.tools.base import ToolResult

        return ToolResult(content=types.CallToolResult.model_validate({"content": content}).content)
    return types.CallToolResult.model_validate({"content": content})


def low_level() -> Any:
    return getattr(server, "_lowlevel_server", None) or getattr(server, "_mcp_server", None)


@server.tool()
async def add(a: float, b: float) -> Sum:
    return {"sum": a + b}


@server.tool(**plain)
async def media() -> Any:
    return result(CONTENT)


@server.tool(**plain)
async def fail() -> str:
    raise ValueError("It failed, as it always does.")


@server.tool(**plain)
async def count(ctx: Context, steps: int = 3, pause: float = 0.01) -> str:
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
        await ctx.info(f"step {step + 1}")
        await asyncio.sleep(pause)
    return f"counted to {steps}"


@server.tool(**plain)
async def ask(ctx: Context, what: str = "roots") -> Any:
    if KIND != "mcp1" and modern(ctx):
        return ask_in_result(ctx, what)
    session = ctx.session
    if what == "roots":
        return str((await session.list_roots()).roots)
    if what == "model":
        params = types.CreateMessageRequestParams.model_validate(MODEL)
        extra = {"related_request_id": ctx.request_id} if KIND == "mcp1" else {}
        return (await session.create_message(params.messages, max_tokens=20, **extra)).model
    form = types.ElicitRequestFormParams.model_validate(FORM)
    schema = getattr(form, "requestedSchema", None) or getattr(form, "requested_schema", None)
    return (await session.elicit(form.message, schema)).action


def modern(ctx: Any) -> bool:
    return getattr(ctx.request_context.session, "protocol_version", None) == "2026-07-28"


def ask_in_result(ctx: Any, what: str) -> Any:
    if ctx.input_responses:
        return f"{what}: {type(ctx.input_responses[what]).__name__}, state {ctx.request_state}"
    questions = {
        "roots": {"method": "roots/list"},
        "model": {"method": "sampling/createMessage", "params": MODEL},
        "form": {"method": "elicitation/create", "params": FORM},
    }
    asked = {"resultType": "input_required", "inputRequests": {what: questions[what]}, "requestState": f"asked {what}"}
    return types.InputRequiredResult.model_validate(asked)


@server.tool(**plain)
async def touch(ctx: Context) -> str:
    if hasattr(ctx, "notify_resource_updated"):
        await ctx.notify_resource_updated(NOTE)
        await ctx.notify_tools_changed()
    if KIND == "mcp1" or not modern(ctx):
        await ctx.session.send_resource_updated(NOTE)
        await ctx.session.send_tool_list_changed()
    return "touched"


@server.resource(NOTE, name="note", mime_type="text/plain")
def note() -> str:
    return "a note"


@server.resource(BLOB, name="pixel", mime_type="image/png")
def pixel() -> bytes:
    return PIXEL.encode()


@server.resource("example://greeting/{name}", name="greeting")
def greeting(name: str) -> str:
    return f"Hello, {name}!"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}."


def complete(ref: Any, argument: Any, context: Any = None) -> Any:
    return types.Completion(values=[name for name in ("Ada", "Alan", "Grace") if name.startswith(argument.value)])


async def complete_async(ref: Any, argument: Any, context: Any = None) -> Any:
    return complete(ref, argument, context)


async def subscribed(*_: Any) -> Any:
    return types.EmptyResult()


server.completion()(complete_async)
if KIND == "mcp1":
    low_level().subscribe_resource()(subscribed)
    low_level().unsubscribe_resource()(subscribed)
else:
    low_level().add_request_handler("resources/subscribe", types.SubscribeRequestParams, subscribed)
    low_level().add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, subscribed)

if KIND == "fastmcp":
    server.run(transport="stdio", show_banner=False)
else:
    server.run(transport="stdio")
