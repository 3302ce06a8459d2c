"""An MCP client over stdio at any of the five revisions: `python -m examples.client 2025-06-18 COMMAND...`.

It starts the server, looks at everything the server offers, and prints what it saw.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from pydantic import ValidationError

from examples.session import (
    MODERN_VERSIONS,
    AnyNotification,
    AnyRequest,
    Context,
    Frame,
    Handler,
    Progress,
    RpcError,
    Session,
    Sink,
    read_frame,
    since,
    write_frame,
)
from mcp_surfaces import types, wire

INFO = types.Implementation(name="mcp-surfaces-example-client", version="0.1.0")


async def pong(context: Context, body: types.PingRequest) -> types.Result:
    return types.EmptyResult()


async def roots(context: Context, body: types.ListRootsRequest) -> types.Result:
    return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///srv/project", "name": "project"}]})


async def sample(context: Context, body: types.CreateMessageRequest) -> types.Result:
    answer = types.TextContent(text="Hello from the model")
    return types.CreateMessageResult(role="assistant", content=answer, model="example-model", stop_reason="endTurn")


async def elicit(context: Context, body: types.ElicitRequest) -> types.Result:
    """Accept a form with its defaults, or something of the right type; accept a URL. Lists came with 2025-11-25."""
    params = body.params
    if not isinstance(params, types.ElicitRequestFormParams):
        return types.ElicitResult(action="accept")
    properties: dict[str, dict[str, Any]] = params.requested_schema.get("properties", {})
    lists = since(context.version, "2025-11-25")
    answers = {name: fill(schema) for name, schema in properties.items() if lists or schema.get("type") != "array"}
    return types.ElicitResult(action="accept", content=answers)


def fill(schema: dict[str, Any]) -> Any:
    """A value for one field of a form."""
    if "default" in schema:
        return schema["default"]
    choices = schema.get("enum") or [option["const"] for option in schema.get("oneOf", [])]
    if choices:
        return choices[0]
    match schema.get("type"):
        case "boolean":
            return True
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "array":
            return [fill(schema["items"])]
        case _ if "anyOf" in schema:
            return schema["anyOf"][0]["const"]
        case _:
            return "Ada"


HANDLERS: Mapping[type[AnyRequest], Handler] = {
    types.PingRequest: pong,
    types.ListRootsRequest: roots,
    types.CreateMessageRequest: sample,
    types.ElicitRequest: elicit,
}


class Client:
    """A session with a server, and the notifications it sent."""

    def __init__(self, version: str, send: Sink) -> None:
        capabilities = types.ClientCapabilities(sampling=types.SamplingCapability(), roots=types.RootsCapability())
        if since(version, "2025-06-18"):
            capabilities.elicitation = types.ElicitationCapability()
        self.wanted = version
        self.heard: list[AnyNotification] = []
        self._listening: list[asyncio.Task[types.SubscriptionsListenResult]] = []
        self.session = Session(
            "client", INFO, HANDLERS, send, capabilities=capabilities, on_notification=self.heard.append
        )

    async def connect(self) -> types.InitializeResult | types.DiscoverResult:
        """Shake hands (through 2025-11-25) or discover (later): afterwards the session has its version."""
        session = self.session
        if self.wanted in MODERN_VERSIONS:
            session.version = self.wanted
            try:
                return await session.request(types.DiscoverRequest(params=types.RequestParams()), types.DiscoverResult)
            except RpcError as error:
                common = error.error.code == types.UNSUPPORTED_PROTOCOL_VERSION and self.common_version(error)
                if not common:
                    raise
                session.version = common
                return await session.request(types.DiscoverRequest(params=types.RequestParams()), types.DiscoverResult)
        params = types.InitializeRequestParams(
            protocol_version=self.wanted, capabilities=session.capabilities, client_info=INFO
        )
        result = await session.request(types.InitializeRequest(params=params), types.InitializeResult)
        session.version = result.protocol_version
        await session.notify(types.InitializedNotification())
        return result

    def common_version(self, error: RpcError) -> str | None:
        """The newest revision that we and a server that refused ours both speak."""
        data = types.UnsupportedProtocolVersionErrorData.model_validate(error.error.data)
        return next((version for version in reversed(MODERN_VERSIONS) if version in data.supported), None)

    async def tools(self) -> list[types.Tool]:
        """All pages of tools."""
        tools: list[types.Tool] = []
        params: types.PaginatedRequestParams | None = None
        while True:
            page = await self.session.request(types.ListToolsRequest(params=params), types.ListToolsResult)
            tools += page.tools
            if page.next_cursor is None:
                return tools
            params = types.PaginatedRequestParams(cursor=page.next_cursor)

    async def call(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        on_progress: Progress | None = None,
        log_level: types.LoggingLevel | None = None,
    ) -> types.CallToolResult:
        body = types.CallToolRequest(params=types.CallToolRequestParams(name=name, arguments=arguments or {}))
        return await self.session.request(body, types.CallToolResult, on_progress=on_progress, log_level=log_level)

    async def read(self, uri: str) -> types.ReadResourceResult:
        params = types.ReadResourceRequestParams(uri=uri)
        return await self.session.request(types.ReadResourceRequest(params=params), types.ReadResourceResult)

    async def prompt(self, name: str, arguments: dict[str, str] | None = None) -> types.GetPromptResult:
        params = types.GetPromptRequestParams(name=name, arguments=arguments)
        return await self.session.request(types.GetPromptRequest(params=params), types.GetPromptResult)

    async def complete(
        self, ref: types.PromptReference | types.ResourceTemplateReference, name: str, value: str
    ) -> types.CompleteResult:
        argument = types.CompletionArgument(name=name, value=value)
        params = types.CompleteRequestParams(ref=ref, argument=argument)
        return await self.session.request(types.CompleteRequest(params=params), types.CompleteResult)

    async def watch(self, uri: str) -> None:
        """Hear of changes of a resource: by a listen request held open, or by a subscription (through 2025-11-25)."""
        session = self.session
        if session.version not in MODERN_VERSIONS:
            params = types.SubscribeRequestParams(uri=uri)
            await session.request(types.SubscribeRequest(params=params), types.EmptyResult)
            return
        wanted = types.SubscriptionFilter(tools_list_changed=True, resource_subscriptions=[uri])
        body = types.SubscriptionsListenRequest(params=types.SubscriptionsListenRequestParams(notifications=wanted))
        listening = asyncio.ensure_future(session.request(body, types.SubscriptionsListenResult))
        agreed = asyncio.ensure_future(self.hear(types.SubscriptionsAcknowledgedNotification))
        await asyncio.wait((listening, agreed), return_when=asyncio.FIRST_COMPLETED)
        if listening.done():
            agreed.cancel()
            listening.result()
        self._listening.append(listening)

    async def unwatch(self, uri: str) -> None:
        if self.session.version not in MODERN_VERSIONS:
            params = types.UnsubscribeRequestParams(uri=uri)
            await self.session.request(types.UnsubscribeRequest(params=params), types.EmptyResult)
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        self._listening.clear()

    async def hear(self, kind: type[AnyNotification], timeout: float = 5.0) -> AnyNotification:
        """Wait for the first notification of a class."""
        return await asyncio.wait_for(self._first(kind), timeout)

    async def _first(self, kind: type[AnyNotification]) -> AnyNotification:
        while True:
            for body in self.heard:
                if isinstance(body, kind):
                    return body
            await asyncio.sleep(0.01)


@asynccontextmanager
async def start(command: Sequence[str], version: str, *, quiet: bool = False) -> AsyncGenerator[Client, None]:
    """Run a server as a child process, a frame a line on its stdin and stdout."""
    pipe, errors = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL if quiet else None
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=errors, limit=2**26)
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    async def send(frame: Frame) -> None:
        stdin.write(write_frame(frame, client.session.version) + b"\n")
        await stdin.drain()

    async def listen() -> None:
        while line := await stdout.readline():
            try:
                frame = read_frame(line, client.session.version)
            except ValidationError as error:
                print(f"not a frame: {error.error_count()} errors", file=sys.stderr)
            else:
                await client.session.receive(frame)
        client.session.close()

    client = Client(version, send)
    listening = asyncio.ensure_future(listen())
    try:
        yield client
        await client.session.drain()
    finally:
        stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 3)
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()
        listening.cancel()


async def tour(client: Client) -> AsyncIterator[str]:
    """Everything the example server offers, a line for each."""
    hello = await client.connect()
    version = client.session.version
    yield f"connected at {version}: {type(hello).__name__}"
    yield f"tools: {[tool.name for tool in await client.tools()]}"
    total = await client.call("add", {"a": 1, "b": 2.5})
    yield f"add: {total.structured_content if since(version, '2025-06-18') else total.content[0]}"
    yield f"media: {[block.type for block in (await client.call('media')).content]}"
    yield f"fail: is_error={(await client.call('fail')).is_error}"

    steps: list[float] = []
    counted = await client.call("count", {"steps": 3}, on_progress=lambda p: steps.append(p.progress), log_level="info")
    yield f"count: {counted.content[0]}, progress {steps}"
    logged = sum(isinstance(body, types.LoggingMessageNotification) for body in client.heard)
    yield f"log messages: {logged}"

    for what in ("roots", "model", "form", "all"):
        answer = await client.call("ask", {"what": what})
        yield f"ask {what}: {[getattr(block, 'text', None) for block in answer.content]}"

    slow = asyncio.ensure_future(client.call("count", {"steps": 1000, "pause": 0.05}))
    await asyncio.sleep(0.1)
    slow.cancel()
    yield f"cancelled: {(await asyncio.gather(slow, return_exceptions=True))[0]!r}"

    uri = "example://note"
    yield f"read: {(await client.read(uri)).contents[0]}"
    await client.watch(uri)
    await client.call("touch")
    yield f"updated: {type(await client.hear(types.ResourceUpdatedNotification)).__name__}"
    await client.unwatch(uri)
    yield f"prompt: {[message.content.type for message in (await client.prompt('greet', {'name': 'Ada'})).messages]}"
    names = await client.complete(types.PromptReference(name="greet"), "name", "A")
    yield f"complete: {names.completion.values}"

    try:
        await client.call("no such tool")
    except RpcError as error:
        yield f"error: {error}"
    if version == "2025-03-26":
        results = await client.session.batch([types.PingRequest(), types.ListToolsRequest()])
        yield f"batch: {[type(result).__name__ for result in results]}"


async def main(version: str, command: Sequence[str]) -> None:
    async with start(command, version) as client:
        async for line in tour(client):
            print(line, flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in wire.KNOWN_PROTOCOL_VERSIONS:
        sys.exit(
            f"usage: python -m examples.client VERSION COMMAND...; versions: {', '.join(wire.KNOWN_PROTOCOL_VERSIONS)}"
        )
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
