"""Code as users write it. `check.py` runs the type checkers over it: a line ends in `# expect-error`, or has none."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import assert_type

from mcp_surfaces import jsonrpc, types, v2025_11_25, v2026_07_28, wire


def answer(name: str, reads_only: bool) -> types.CallToolResult:
    """Build models by Python name, by wire name, and with a tag that has a default."""
    tool = types.Tool(name=name, input_schema={"type": "object"}, title=None)
    types.Tool(name=name, inputSchema={"type": "object"})  # expect-error
    types.Tool(name=name, input_schema={}, tittle="Weather")  # expect-error
    types.Tool(name=name)  # expect-error
    types.Tool(name=1, input_schema={})  # expect-error
    tool.annotations = types.ToolAnnotations(read_only_hint=reads_only)
    tool.annotatons = None  # expect-error
    assert_type(tool.title, str | None)
    text = types.TextContent(text=name)
    assert_type(text.type, Literal["text"])
    types.TextContent(type="image", text=name)  # expect-error
    return types.CallToolResult(content=[text], structured_content={"name": name}, is_error=False)


def metadata() -> types.CallToolRequest:
    """Metadata goes in by its wire name, and reads like the object it is."""
    params = types.CallToolRequestParams(name="add", _meta=types.RequestParamsMeta(progress_token=1))
    if params.meta is not None:
        params.meta.get("traceparent")
        print(params.meta["progress_token"])
    if isinstance(params.meta, types.RequestParamsMeta):
        assert_type(params.meta.progress_token, str | int | None)
    types.PingRequest(params=types.RequestParams(_meta={"progress_token": 1, "traceparent": "00"}))
    result = types.EmptyResult(_meta={"trace": "1"})
    assert_type(result.meta, dict[str, Any] | None)
    return types.CallToolRequest(params=params)


def narrow(block: types.ContentBlock) -> str:
    """Unions narrow by class and by tag, and a match over the classes is exhaustive."""
    if block.type == "text":
        assert_type(block, types.TextContent)
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return block.data
        case types.ResourceLink():
            return block.uri
        case types.EmbeddedResource():
            return block.resource.uri


class PagesParams(types.RequestParams):
    """Params of a method of one's own."""

    first: int
    last: int | None = None


class PagesRequest(types.Request[PagesParams, Literal["acme/pages"]]):
    """A method of one's own."""

    method: Literal["acme/pages"] = "acme/pages"
    params: PagesParams


class PagesResult(types.PaginatedResult):
    """What it is answered with."""

    pages: list[str]


def custom() -> None:
    """Own requests and results are typed as the protocol's are."""
    request = PagesRequest(params=PagesParams(first=1))
    assert_type(request.params, PagesParams)
    assert_type(request.method, Literal["acme/pages"])
    PagesRequest(params=PagesParams())  # expect-error
    PagesResult(pages=["a"], next_cursor="b")
    other: types.Request[Any, Any] = request
    wire.serialize_for(other, "2025-11-25")
    wire.serialize_for("a string", "2025-11-25")  # expect-error


def through(data: bytes, version: str) -> bytes:
    """What is parsed has the type asked for; what is written is a dict or bytes."""
    request = wire.parse_json(types.CallToolRequest, data, version)
    assert_type(request, types.CallToolRequest)
    result = wire.parse_as(types.CallToolResult, {"content": []}, version, strict=True)
    assert_type(result.content, list[types.ContentBlock])
    assert_type(wire.serialize_for(result, version), dict[str, Any])
    wire.parse_as(types.CallToolResult, {"content": []})  # expect-error
    frame: jsonrpc.JSONRPCMessage = wire.parse_json(types.JSONRPCMessage, data, version)
    if isinstance(frame, types.JSONRPCRequest):
        assert_type(frame.id, str | int)
    return wire.dump_json(answer("x", True), version)


def surfaces() -> None:
    """The exact models, by the specification's names."""
    v2025_11_25.Tool(name="x", input_schema=v2025_11_25.ToolInputSchema(type="object"))
    v2026_07_28.Tool(name="x")  # expect-error
    print(v2026_07_28.Tol)  # expect-error
