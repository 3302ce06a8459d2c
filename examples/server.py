"""An MCP server over stdio that speaks all five revisions: `python -m examples.server`.

What it offers is one of each kind of thing, so that a client can be tried against it. Nothing newer than the revision
of a request is sent in its answer. A revision as its argument is the newest it will speak.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from examples.session import (
    HANDSHAKE_VERSIONS,
    MODERN_VERSIONS,
    AnyNotification,
    AnyRequest,
    Context,
    Frame,
    Handler,
    RpcError,
    Session,
    read_frame,
    since,
    unreadable,
    write_frame,
)
from mcp_surfaces import types, wire

INFO = types.Implementation(name="mcp-surfaces-example-server", version="0.1.0")
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
NOTE, BLOB, TEMPLATE = "example://note", "example://pixel", "example://greeting/{name}"
OBJECT = {"type": "object"}


def text(*lines: str) -> list[types.ContentBlock]:
    return [types.TextContent(text=line) for line in lines]


@dataclass
class Listener:
    """Who wants to hear of changes: a session that subscribed, or a listen request still open (2026-07-28)."""

    context: Context
    uris: set[str] = field(default_factory=set[str])
    filter: types.SubscriptionFilter | None = None

    async def tell(self, body: AnyNotification) -> None:
        if self.filter is None:
            await self.context.session.notify(body)
        else:
            await self.context.notify(body)

    @property
    def meta(self) -> dict[str, Any] | None:
        return None if self.filter is None else {"io.modelcontextprotocol/subscriptionId": self.context.frame.id}


class Server:
    """The application: handlers by request class. It serves any number of sessions."""

    def __init__(self) -> None:
        self.listeners: dict[Any, Listener] = {}
        self.handlers: dict[type[AnyRequest], Handler] = {
            types.InitializeRequest: self.initialize,
            types.DiscoverRequest: self.discover,
            types.PingRequest: self.empty,
            types.SetLevelRequest: self.empty,
            types.SubscribeRequest: self.subscribe,
            types.UnsubscribeRequest: self.unsubscribe,
            types.SubscriptionsListenRequest: self.listen,
            types.ListToolsRequest: self.list_tools,
            types.CallToolRequest: self.call_tool,
            types.ListResourcesRequest: self.list_resources,
            types.ListResourceTemplatesRequest: self.list_templates,
            types.ReadResourceRequest: self.read_resource,
            types.ListPromptsRequest: self.list_prompts,
            types.GetPromptRequest: self.get_prompt,
            types.CompleteRequest: self.complete,
        }

    # Lifecycle.

    def capabilities(self, version: str) -> types.ServerCapabilities:
        return types.ServerCapabilities(
            tools=types.ToolsCapability(list_changed=True),
            resources=types.ResourcesCapability(subscribe=True, list_changed=True),
            prompts=types.PromptsCapability(list_changed=True),
            logging=types.LoggingCapability(),
            completions=types.CompletionsCapability() if since(version, "2025-03-26") else None,
        )

    async def initialize(self, context: Context, body: types.InitializeRequest) -> types.Result:
        asked = body.params.protocol_version
        if asked in HANDSHAKE_VERSIONS and asked in context.session.versions:
            context.session.version = asked
        version = context.session.version
        context.session.peer_capabilities = body.params.capabilities
        return types.InitializeResult(
            protocol_version=version,
            capabilities=self.capabilities(version),
            server_info=INFO,
            instructions="Look around.",
        )

    async def discover(self, context: Context, body: types.DiscoverRequest) -> types.Result:
        return types.DiscoverResult(
            supported_versions=MODERN_VERSIONS,
            capabilities=self.capabilities(context.version),
            instructions="Look around.",
        )

    async def empty(self, context: Context, body: AnyRequest) -> types.Result:
        return types.EmptyResult()

    # Tools.

    def tools(self, version: str) -> list[types.Tool]:
        add = types.Tool(
            name="add",
            description="Add two numbers",
            input_schema={
                "type": "object",
                "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
                "required": ["a", "b"],
            },
        )
        if since(version, "2025-03-26"):
            add.annotations = types.ToolAnnotations(title="Add", read_only_hint=True)
        if since(version, "2025-06-18"):
            add.title = "Add"
            add.output_schema = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}
        rest = {
            "media": "Answer with every kind of content",
            "fail": "Always fail",
            "count": "Count slowly, with progress and log messages; can be cancelled",
            "ask": "Ask the client for a form, a model's answer or its roots, as `what` says",
            "touch": "Change the note and tell who listens",
        }
        return [add, *(types.Tool(name=name, description=what, input_schema=OBJECT) for name, what in rest.items())]

    async def list_tools(self, context: Context, body: types.ListToolsRequest) -> types.Result:
        """Two pages, so that clients page."""
        tools = self.tools(context.version)
        if body.params is not None and body.params.cursor is not None:
            if body.params.cursor != "2":
                raise RpcError(types.INVALID_PARAMS, "Unknown cursor")
            return types.ListToolsResult(tools=tools[3:])
        return types.ListToolsResult(tools=tools[:3], next_cursor="2")

    async def call_tool(self, context: Context, body: types.CallToolRequest) -> types.Result:
        arguments = body.params.arguments or {}
        match body.params.name:
            case "add":
                return self.add(context.version, arguments)
            case "media":
                return types.CallToolResult(content=self.media(context.version))
            case "fail":
                return types.CallToolResult(content=text("It failed, as it always does."), is_error=True)
            case "count":
                return await self.count(context, arguments)
            case "ask":
                return await self.ask(context, str(arguments.get("what", "roots")))
            case "touch":
                await self.touch()
                return types.CallToolResult(content=text("touched"))
            case name:
                raise RpcError(types.INVALID_PARAMS, f"Unknown tool: {name}")

    def add(self, version: str, arguments: dict[str, Any]) -> types.CallToolResult:
        a, b = arguments.get("a"), arguments.get("b")
        if not isinstance(a, int | float) or not isinstance(b, int | float):
            return types.CallToolResult(content=text("a and b must be numbers"), is_error=True)
        result = types.CallToolResult(content=text(str(a + b)))
        if since(version, "2025-06-18"):
            result = result.model_copy(update={"structured_content": {"sum": a + b}})
        return result

    def media(self, version: str) -> list[types.ContentBlock]:
        blocks: list[types.ContentBlock] = [
            types.TextContent(text="one of each", annotations=types.Annotations(audience=["user"], priority=0.5)),
            types.ImageContent(data=PIXEL, mime_type="image/png"),
            types.EmbeddedResource(
                resource=types.TextResourceContents(uri=NOTE, text="a note", mime_type="text/plain")
            ),
            types.EmbeddedResource(resource=types.BlobResourceContents(uri=BLOB, blob=PIXEL, mime_type="image/png")),
        ]
        if since(version, "2025-03-26"):
            blocks.append(types.AudioContent(data=SILENCE, mime_type="audio/wav"))
        if since(version, "2025-06-18"):
            blocks.append(types.ResourceLink(uri=NOTE, name="note", mime_type="text/plain"))
        return blocks

    async def count(self, context: Context, arguments: dict[str, Any]) -> types.CallToolResult:
        steps, pause = int(arguments.get("steps", 3)), float(arguments.get("pause", 0.01))
        for step in range(steps):
            await context.progress(step + 1, steps, f"step {step + 1}")
            await context.log("info", {"step": step + 1})
            await asyncio.sleep(pause)
        return types.CallToolResult(content=text(f"counted to {steps}"))

    def questions(self, version: str, capabilities: types.ClientCapabilities) -> dict[str, AnyRequest]:
        """Everything this client can be asked at this revision."""
        questions: dict[str, AnyRequest] = {}
        if capabilities.roots is not None:
            questions["roots"] = types.ListRootsRequest()
        if capabilities.sampling is not None:
            message = types.SamplingMessage(role="user", content=types.TextContent(text="Say hello"))
            params = types.CreateMessageRequestParams(messages=[message], max_tokens=20)
            questions["model"] = types.CreateMessageRequest(params=params)
        if capabilities.elicitation is not None and since(version, "2025-06-18"):
            schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
            form = types.ElicitRequestFormParams(message="Who are you?", requested_schema=schema)
            questions["form"] = types.ElicitRequest(params=form)
        return questions

    async def ask(self, context: Context, what: str) -> types.CallToolResult:
        questions = self.questions(context.version, context.capabilities)
        if what != "all":
            questions = {key: question for key, question in questions.items() if key == what}
        if not questions:
            return types.CallToolResult(content=text(f"this client cannot be asked for {what}"), is_error=True)
        answers = await context.ask(questions, state=f"asked {what}")
        return types.CallToolResult(content=text(*(describe(answer) for answer in answers.values())))

    # Resources and subscriptions.

    async def list_resources(self, context: Context, body: types.ListResourcesRequest) -> types.Result:
        note = types.Resource(uri=NOTE, name="note", mime_type="text/plain")
        return types.ListResourcesResult(
            resources=[note, types.Resource(uri=BLOB, name="pixel", mime_type="image/png")]
        )

    async def list_templates(self, context: Context, body: types.ListResourceTemplatesRequest) -> types.Result:
        template = types.ResourceTemplate(uri_template=TEMPLATE, name="greeting", mime_type="text/plain")
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, context: Context, body: types.ReadResourceRequest) -> types.Result:
        contents = self.resource(body.params.uri)
        if contents is None:
            code = types.INVALID_PARAMS if context.version in MODERN_VERSIONS else -32002
            raise RpcError(code, "Resource not found", {"uri": body.params.uri})
        return types.ReadResourceResult(contents=[contents])

    def resource(self, uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
        prefix = TEMPLATE.partition("{")[0]
        if uri == NOTE:
            return types.TextResourceContents(uri=uri, text="a note", mime_type="text/plain")
        if uri == BLOB:
            return types.BlobResourceContents(uri=uri, blob=PIXEL, mime_type="image/png")
        if uri.startswith(prefix) and len(uri) > len(prefix):
            return types.TextResourceContents(uri=uri, text=f"Hello, {uri[len(prefix) :]}!", mime_type="text/plain")
        return None

    async def subscribe(self, context: Context, body: types.SubscribeRequest) -> types.Result:
        self.listeners.setdefault(id(context.session), Listener(context)).uris.add(body.params.uri)
        return types.EmptyResult()

    async def unsubscribe(self, context: Context, body: types.UnsubscribeRequest) -> types.Result:
        if (listener := self.listeners.get(id(context.session))) is not None:
            listener.uris.discard(body.params.uri)
        return types.EmptyResult()

    async def listen(self, context: Context, body: types.SubscriptionsListenRequest) -> types.Result:
        """Keep the request open and send what its filter asks for, until it is cancelled."""
        wanted = body.params.notifications
        listener = Listener(context, set(wanted.resource_subscriptions or ()), wanted)
        params = types.SubscriptionsAcknowledgedNotificationParams.model_validate(
            {"notifications": wanted, "_meta": listener.meta}
        )
        await context.notify(types.SubscriptionsAcknowledgedNotification(params=params))
        key = object()
        self.listeners[key] = listener
        try:
            await asyncio.Event().wait()
        finally:
            del self.listeners[key]
        raise AssertionError("a listen request ends by cancellation")

    async def touch(self) -> None:
        """The note has changed: tell whoever subscribed to it; the tools 'change' with it."""
        for listener in list(self.listeners.values()):
            meta = {} if listener.meta is None else {"_meta": listener.meta}
            if NOTE in listener.uris:
                params = types.ResourceUpdatedNotificationParams.model_validate({"uri": NOTE, **meta})
                await listener.tell(types.ResourceUpdatedNotification(params=params))
            if listener.filter is None or listener.filter.tools_list_changed:
                tagged = types.NotificationParams.model_validate(meta) if meta else None
                await listener.tell(types.ToolListChangedNotification(params=tagged))

    # Prompts and completion.

    async def list_prompts(self, context: Context, body: types.ListPromptsRequest) -> types.Result:
        argument = types.PromptArgument(name="name", description="Who to greet", required=True)
        return types.ListPromptsResult(
            prompts=[types.Prompt(name="greet", description="A greeting", arguments=[argument])]
        )

    async def get_prompt(self, context: Context, body: types.GetPromptRequest) -> types.Result:
        name = (body.params.arguments or {}).get("name")
        if body.params.name != "greet" or name is None:
            raise RpcError(types.INVALID_PARAMS, "Unknown prompt, or no name to greet")
        greet = types.PromptMessage(role="user", content=types.TextContent(text=f"Greet {name}."))
        picture = types.PromptMessage(role="user", content=types.ImageContent(data=PIXEL, mime_type="image/png"))
        return types.GetPromptResult(description="A greeting", messages=[greet, picture])

    async def complete(self, context: Context, body: types.CompleteRequest) -> types.Result:
        names = [name for name in ("Ada", "Alan", "Grace") if name.startswith(body.params.argument.value)]
        return types.CompleteResult(completion=types.Completion(values=names, total=len(names), has_more=False))


def describe(answer: types.Result) -> str:
    """What the client answered, in a line."""
    match answer:
        case types.ElicitResult():
            return f"form: {answer.action} {answer.content}"
        case types.ListRootsResult():
            return f"roots: {[str(root.uri) for root in answer.roots]}"
        case types.CreateMessageResult() | types.CreateMessageResultWithTools():
            return f"model: {answer.model}"
        case _:
            return type(answer).__name__


async def serve(newest: str = wire.KNOWN_PROTOCOL_VERSIONS[-1]) -> None:
    """Serve stdin and stdout, a frame a line, until stdin ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    async def send(frame: Frame) -> None:
        sys.stdout.buffer.write(write_frame(frame, session.version) + b"\n")
        sys.stdout.buffer.flush()

    versions = [version for version in wire.KNOWN_PROTOCOL_VERSIONS if since(newest, version)]
    session = Session("server", INFO, Server().handlers, send, versions=versions)
    while line := await reader.readline():
        try:
            frame = read_frame(line, session.version)
        except ValidationError as error:
            await send(unreadable(error))
        else:
            await session.receive(frame)
    session.close()


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
