"""A client on the official Python SDK, trying our example server: `peer_client.py mcp2|mcp1 REVISION COMMAND...`.

It runs in a virtual environment that has the peer and not our package, and prints a JSON object for each step. The two
releases have different attribute names, so results are looked at through their wire form.
"""

# ruff: noqa: D103

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

KIND, REVISION, COMMAND = sys.argv[1], sys.argv[2], sys.argv[3:]
NOTE = "example://note"
heard: list[str] = []
logged: list[Any] = []

if KIND == "mcp2":
    import mcp_types as types
else:
    from mcp import types


def wire(model: Any) -> Any:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


async def sampling(context: Any, params: Any) -> Any:
    answer = {"role": "assistant", "content": {"type": "text", "text": "Hello"}, "model": "peer-model"}
    return types.CreateMessageResult.model_validate(answer)


async def elicitation(context: Any, params: Any) -> Any:
    return types.ElicitResult.model_validate({"action": "accept", "content": {"name": "Ada"}})


async def roots(context: Any) -> Any:
    return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///srv/project", "name": "project"}]})


async def logging(params: Any) -> None:
    logged.append(wire(params))


async def message(body: Any) -> None:
    body = getattr(body, "root", body)
    if hasattr(body, "method"):
        heard.append(body.method)


CALLBACKS: dict[str, Any] = {
    "sampling_callback": sampling,
    "elicitation_callback": elicitation,
    "list_roots_callback": roots,
    "logging_callback": logging,
    "message_handler": message,
}


@asynccontextmanager
async def connected() -> AsyncIterator[Any]:
    if KIND == "mcp2":
        from mcp import Client, StdioServerParameters

        modern = REVISION == "2026-07-28"
        options: dict[str, Any] = {
            "mode": "auto" if modern else "legacy",
            "cache": None,
            "log_level": "info" if modern else None,
        }
        async with Client(
            StdioServerParameters(command=COMMAND[0], args=COMMAND[1:]), **options, **CALLBACKS
        ) as client:
            yield client, client.protocol_version
    else:
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])
        async with stdio_client(server) as (read, write), ClientSession(read, write, **CALLBACKS) as session:
            yield session, (await session.initialize()).protocolVersion


async def cancel(client: Any) -> Any:
    call = asyncio.ensure_future(client.call_tool("count", {"steps": 1000, "pause": 0.05}))
    await asyncio.sleep(0.3)
    if KIND == "mcp1":
        number = client._request_id - 1
        note = {"method": "notifications/cancelled", "params": {"requestId": number}}
        await client.send_notification(types.ClientNotification.model_validate(note))
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    return wire(await client.call_tool("add", {"a": 1, "b": 1}))


async def refused(client: Any) -> Any:
    try:
        answer = await client.call_tool("no such tool", {})
    except Exception as error:
        return str(error)
    raise AssertionError(f"no error: {answer}")


async def progress(client: Any) -> Any:
    steps: list[float] = []

    async def on_progress(done: float, total: float | None, text: str | None) -> None:
        steps.append(done)

    await client.call_tool("count", {"steps": 3}, progress_callback=on_progress)
    assert steps == [1, 2, 3], steps
    return steps


async def ask(client: Any, what: str) -> Any:
    answer = wire(await client.call_tool("ask", {"what": what}))
    assert not answer.get("isError"), answer
    return answer


async def watch(client: Any, revision: str) -> Any:
    if revision == "2026-07-28":
        async with client.listen(tools_list_changed=True, resource_subscriptions=[NOTE]) as subscription:
            await client.call_tool("touch", {})
            return type(await asyncio.wait_for(anext(aiter(subscription)), 5)).__name__
    await client.subscribe_resource(NOTE)
    await client.call_tool("touch", {})
    await asyncio.sleep(0.1)
    await client.unsubscribe_resource(NOTE)
    assert "notifications/resources/updated" in heard, heard
    return heard


async def logs(client: Any, revision: str) -> Any:
    if revision != "2026-07-28":
        await client.set_logging_level("info")
    logged.clear()
    await client.call_tool("count", {"steps": 2})
    assert len(logged) == 2, logged
    return logged


async def complete(client: Any) -> Any:
    ref = types.PromptReference.model_validate({"type": "ref/prompt", "name": "greet"})
    return wire(await client.complete(ref, {"name": "name", "value": "A"}))


async def main() -> None:
    async with connected() as (client, revision):
        print(json.dumps({"step": "connect", "ok": revision == REVISION, "detail": revision}), flush=True)
        kinds: list[tuple[str, Callable[[], Awaitable[Any]]]] = [
            ("list tools", lambda: client.list_tools()),
            ("structured", lambda: client.call_tool("add", {"a": 1, "b": 2.5})),
            ("media", lambda: client.call_tool("media", {})),
            ("tool error", lambda: client.call_tool("fail", {})),
            ("protocol error", lambda: refused(client)),
            ("progress", lambda: progress(client)),
            ("log", lambda: logs(client, revision)),
            ("roots", lambda: ask(client, "roots")),
            ("sampling", lambda: ask(client, "model")),
            ("cancel", lambda: cancel(client)),
            ("list resources", lambda: client.list_resources()),
            ("list templates", lambda: client.list_resource_templates()),
            ("read text", lambda: client.read_resource(NOTE)),
            ("read blob", lambda: client.read_resource("example://pixel")),
            ("watch", lambda: watch(client, revision)),
            ("list prompts", lambda: client.list_prompts()),
            ("prompt", lambda: client.get_prompt("greet", {"name": "Ada"})),
            ("complete", lambda: complete(client)),
        ]
        if revision >= "2025-06-18":
            kinds.append(("elicitation", lambda: ask(client, "form")))
        for name, step in kinds:
            try:
                answer = await asyncio.wait_for(step(), 10)
            except Exception as error:
                print(json.dumps({"step": name, "ok": False, "detail": repr(error)}), flush=True)
            else:
                detail = wire(answer) if hasattr(answer, "model_dump") else answer
                print(json.dumps({"step": name, "ok": True, "detail": detail}), flush=True)


asyncio.run(main())
