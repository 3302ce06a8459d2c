"""The example server with what the conformance suite asks for: `python -m proofs.conformance_server PORT`.

The suite calls tools, prompts and resources by names of its own (its `test_…`), each with a prescribed behaviour. All
of it is the application's part; handshake, routing, versions and transport are the examples', unchanged.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

from examples.http_server import app
from examples.server import PIXEL, SILENCE, Listener, Server, text
from examples.session import AnyNotification, AnyRequest, Context, RpcError
from mcp_surfaces import types

Tool = Callable[["ConformanceServer", Context, dict[str, Any]], Awaitable[types.CallToolResult]]
TOOLS: dict[str, Tool] = {}
SCHEMAS: dict[str, dict[str, Any]] = {}
KEY = b"a fixed key will do for a fixture"


def tool(**properties: Any) -> Callable[[Tool], Tool]:
    """Offer a function as a tool of its own name, with these parameters."""

    def register(function: Tool) -> Tool:
        TOOLS[function.__name__] = function
        SCHEMAS[function.__name__] = {"type": "object", "properties": properties, "required": list(properties)}
        return function

    return register


def done(*lines: str) -> types.CallToolResult:
    """A result of text."""
    return types.CallToolResult(content=text(*lines))


def form(message: str, **properties: Any) -> types.ElicitRequest:
    """A question to the user."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def prompt_model(prompt: str) -> types.CreateMessageRequest:
    """A question to the client's model."""
    message = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))


def signed(state: Any) -> str:
    """State for the client to carry, which it cannot change unnoticed."""
    data = json.dumps(state)
    return f"{hmac.new(KEY, data.encode(), hashlib.sha256).hexdigest()}.{data}"


def verified(state: str) -> Any:
    """What we signed; an error to the client where it is something else."""
    data = state.partition(".")[2]
    if not hmac.compare_digest(signed(json.loads(data)) if is_json(data) else "", state):
        raise RpcError(types.INVALID_PARAMS, "requestState is not what this server sent")
    return json.loads(data)


def is_json(data: str) -> bool:
    """Whether text is JSON."""
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


@tool()
async def test_simple_text(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Text."""
    return done("This is a simple text response for testing.")


@tool()
async def test_image_content(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """An image."""
    return types.CallToolResult(content=[types.ImageContent(data=PIXEL, mime_type="image/png")])


@tool()
async def test_audio_content(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Audio."""
    return types.CallToolResult(content=[types.AudioContent(data=SILENCE, mime_type="audio/wav")])


def embedded(uri: str, content: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    """An embedded text resource."""
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, text=content, mime_type=mime_type))


@tool()
async def test_embedded_resource(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """An embedded resource."""
    return types.CallToolResult(content=[embedded("test://embedded-resource", "This is an embedded resource content.")])


@tool()
async def test_multiple_content_types(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Text, an image and a resource."""
    image = types.ImageContent(data=PIXEL, mime_type="image/png")
    resource = embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return types.CallToolResult(content=[*text("Multiple content types test:"), image, resource])


@tool()
async def test_tool_with_logging(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Three log messages."""
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.log("info", line)
        await asyncio.sleep(0.05)
    return done("logged")


@tool()
async def test_logging_tool(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A log message, where the request asks for them."""
    await context.log("info", "test_logging_tool ran")
    return done("logged where asked to")


@tool()
async def test_error_handling(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A tool's own error."""
    return types.CallToolResult(content=text("This tool intentionally returns an error for testing"), is_error=True)


@tool()
async def test_tool_with_progress(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Progress from 0 to 100."""
    for step in (0, 50, 100):
        await context.progress(step, 100)
        await asyncio.sleep(0.05)
    return done("progressed")


@tool(prompt={"type": "string"})
async def test_sampling(server: ConformanceServer, context: Context, arguments: dict[str, Any]) -> types.CallToolResult:
    """A question to the model, while the call is open."""
    answers = await context.ask({"answer": prompt_model(arguments["prompt"])})
    return done(f"LLM response: {answers['answer']!r}")


async def elicited(context: Context, message: str, **properties: Any) -> types.CallToolResult:
    """A question to the user, while the call is open."""
    answer = (await context.ask({"answer": form(message, **properties)}))["answer"]
    assert isinstance(answer, types.ElicitResult)
    return done(f"Elicitation completed: action={answer.action}, content={json.dumps(answer.content)}")


@tool(message={"type": "string"})
async def test_elicitation(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A form of text fields."""
    return await elicited(context, arguments["message"], username={"type": "string"}, email={"type": "string"})


@tool()
async def test_elicitation_sep1034_defaults(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A form whose every field has a default."""
    return await elicited(
        context,
        "Please provide user information",
        name={"type": "string", "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True},
    )


@tool()
async def test_elicitation_sep1330_enums(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A form with every kind of choice."""
    options = ["option1", "option2", "option3"]
    titled = [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]
    legacy = {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]}
    return await elicited(
        context,
        "Please choose",
        untitledSingle={"type": "string", "enum": options},
        titledSingle={"type": "string", "oneOf": titled},
        legacyEnum=legacy,
        untitledMulti={"type": "array", "items": {"type": "string", "enum": options}},
        titledMulti={"type": "array", "items": {"anyOf": titled}},
    )


@tool()
async def test_missing_capability(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Refused to a client that cannot sample."""
    if context.capabilities.sampling is None:
        data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise RpcError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "this tool needs the sampling capability", data)
    return done("the client can sample")


@tool()
async def test_streaming_elicitation(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A question that must not become a request on the stream."""
    return await elicited(context, "One word, please", word={"type": "string"})


@tool()
async def test_trigger_tool_change(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Tell listeners that the tools changed."""
    await server.tell(types.ToolListChangedNotification, lambda wanted: wanted.tools_list_changed)
    return done("told")


@tool()
async def test_trigger_prompt_change(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Tell listeners that the prompts changed."""
    await server.tell(types.PromptListChangedNotification, lambda wanted: wanted.prompts_list_changed)
    return done("told")


NAME = {"type": "string"}
CONFIRM = {"type": "boolean"}


@tool()
async def test_input_required_result_elicitation(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A name, asked for in the result."""
    answer = (await context.ask({"user_name": form("What is your name?", name=NAME)}))["user_name"]
    content = answer.content or {} if isinstance(answer, types.ElicitResult) else {}
    return done(f"Hello, {content.get('name')}!")


@tool()
async def test_input_required_result_sampling(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A model's answer, asked for in the result."""
    answers = await context.ask({"capital_question": prompt_model("What is the capital of France?")})
    return done(f"The model said {answers['capital_question']!r}")


@tool()
async def test_input_required_result_list_roots(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """The client's roots, asked for in the result."""
    answers = await context.ask({"client_roots": types.ListRootsRequest()})
    return done(f"The roots are {answers['client_roots']!r}")


@tool()
async def test_input_required_result_request_state(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """State that comes back with the answer."""
    await context.ask({"confirm": form("Please confirm", ok=CONFIRM)}, state=signed("waiting for confirmation"))
    if context.state is None:
        raise RpcError(types.INVALID_PARAMS, "requestState is missing")
    return done(f"state-ok: {verified(context.state)}")


@tool()
async def test_input_required_result_tampered_state(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """State that must come back as it was."""
    if context.state is not None:
        return done(f"state-ok: {verified(context.state)}")
    await context.ask({"confirm": form("Please confirm", ok=CONFIRM)}, state=signed("round 1"))
    raise RpcError(types.INVALID_PARAMS, "requestState is missing")


@tool()
async def test_input_required_result_multiple_inputs(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Three questions at once."""
    questions: dict[str, AnyRequest] = {
        "user_name": form("What is your name?", name=NAME),
        "greeting": prompt_model("Generate a greeting"),
        "client_roots": types.ListRootsRequest(),
    }
    answers = await context.ask(questions, state=signed("three questions"))
    return done(f"{len(answers)} answers")


@tool()
async def test_input_required_result_multi_round(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Two questions, one after the other; the state remembers the first answer."""
    state: dict[str, Any] = verified(context.state) if context.state is not None else {}
    if "name" not in state:
        first = {"step1": form("Step 1: What is your name?", name=NAME)}
        answer = (await context.ask(first, state=signed({"round": 1})))["step1"]
        state = {"round": 2, "name": answer.content if isinstance(answer, types.ElicitResult) else None}
    second = {"step2": form("Step 2: What is your favourite colour?", color=NAME)}
    answer = (await context.ask(second, state=signed(state)))["step2"]
    return done(f"{state['name']} and {answer!r}")


@tool()
async def test_input_required_result_capabilities(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Only what this client can be asked."""
    questions = server.questions(context.version, context.capabilities)
    answers = await context.ask(questions, state=signed("capabilities"))
    return done(f"{len(answers)} answers")


@tool()
async def json_schema_2020_12_tool(
    server: ConformanceServer, context: Context, arguments: dict[str, Any]
) -> types.CallToolResult:
    """A tool whose schema uses everything."""
    return done("called")


SCHEMAS["json_schema_2020_12_tool"] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class ConformanceServer(Server):
    """The example server, with the suite's tools, prompts and resources instead of its own."""

    def tools(self, version: str) -> list[types.Tool]:
        """What the suite calls."""
        return [
            types.Tool(name=name, description=function.__doc__, input_schema=SCHEMAS[name])
            for name, function in TOOLS.items()
        ]

    async def list_tools(self, context: Context, body: types.ListToolsRequest) -> types.Result:
        """All on one page."""
        return types.ListToolsResult(tools=self.tools(context.version))

    async def call_tool(self, context: Context, body: types.CallToolRequest) -> types.Result:
        """Run one of them."""
        function = TOOLS.get(body.params.name)
        if function is None:
            raise RpcError(types.INVALID_PARAMS, f"Unknown tool: {body.params.name}")
        return await function(self, context, body.params.arguments or {})

    async def tell(self, kind: type[AnyNotification], wants: Callable[[types.SubscriptionFilter], bool | None]) -> None:
        """Send a notification to every listen request whose filter wants it."""
        for listener in list[Listener](self.listeners.values()):
            if listener.filter is not None and wants(listener.filter):
                await listener.tell(kind.model_validate({"params": {"_meta": listener.meta}}))

    async def list_resources(self, context: Context, body: types.ListResourcesRequest) -> types.Result:
        """Text, binary and one that is watched."""
        uris = ("test://static-text", "test://static-binary", "test://watched-resource")
        return types.ListResourcesResult(
            resources=[types.Resource(uri=uri, name=uri.partition("//")[2]) for uri in uris]
        )

    async def list_templates(self, context: Context, body: types.ListResourceTemplatesRequest) -> types.Result:
        """One template."""
        template = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template")
        return types.ListResourceTemplatesResult(resource_templates=[template])

    def resource(self, uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
        """The contents of a resource."""
        if uri == "test://static-binary":
            return types.BlobResourceContents(uri=uri, blob=PIXEL, mime_type="image/png")
        if uri in ("test://static-text", "test://watched-resource"):
            return types.TextResourceContents(uri=uri, text="This is a text resource.", mime_type="text/plain")
        start, _, rest = uri.partition("template/")
        if start == "test://" and rest.endswith("/data"):
            name = rest.removesuffix("/data")
            data = json.dumps({"id": name, "templateTest": True, "data": f"Data for ID: {name}"})
            return types.TextResourceContents(uri=uri, text=data, mime_type="application/json")
        return None

    async def list_prompts(self, context: Context, body: types.ListPromptsRequest) -> types.Result:
        """What the suite gets."""
        prompts = {
            "test_simple_prompt": [],
            "test_prompt_with_arguments": ["arg1", "arg2"],
            "test_prompt_with_embedded_resource": ["resourceUri"],
            "test_prompt_with_image": [],
            "test_input_required_result_prompt": [],
        }
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    description=f"What {name} says",
                    arguments=[types.PromptArgument(name=one, description=one, required=True) for one in arguments],
                )
                for name, arguments in prompts.items()
            ]
        )

    async def get_prompt(self, context: Context, body: types.GetPromptRequest) -> types.Result:
        """One of them."""
        given = body.params.arguments or {}
        blocks: list[types.ContentBlock]
        match body.params.name:
            case "test_simple_prompt":
                blocks = text("This is a simple prompt for testing.")
            case "test_prompt_with_arguments":
                blocks = text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")
            case "test_prompt_with_embedded_resource":
                resource = embedded(given["resourceUri"], "Embedded resource content for testing.")
                blocks = [resource, *text("Please process the embedded resource above.")]
            case "test_prompt_with_image":
                image = types.ImageContent(data=PIXEL, mime_type="image/png")
                blocks = [image, *text("Please analyze the image above.")]
            case "test_input_required_result_prompt":
                question = form("What context should the prompt use?", context=NAME)
                blocks = text(f"Use this context: {(await context.ask({'user_context': question}))['user_context']!r}")
            case name:
                raise RpcError(types.INVALID_PARAMS, f"Unknown prompt: {name}")
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in blocks])


if __name__ == "__main__":
    uvicorn.run(app(ConformanceServer()), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
