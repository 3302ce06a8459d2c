"""Whatever comes in, a value or a `ValidationError` comes out; whatever is to go out, JSON or a named error."""

from __future__ import annotations

import gc
import json
import math
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ValidationError, dataclasses

from mcp_surfaces import types, wire

from .support import META, NEWEST, VERSIONS, attempt, each, emit, made, parse, refusal, same, unsupported

TARGETS: dict[str, Any] = {
    name: getattr(types, name)
    for name in (
        "JSONRPCMessage",
        "ClientRequest",
        "ServerRequest",
        "ClientNotification",
        "ServerNotification",
        "ClientResult",
        "ServerResult",
        "ContentBlock",
        "InputRequest",
        "InputResponse",
        "CallToolRequest",
        "CallToolResult",
        "InputRequiredResult",
        "EmptyResult",
        "Tool",
    )
}

MALFORMED: dict[str, bytes | str] = {
    "nothing": b"",
    "white space": b" \n",
    "half an object": b'{"content":[',
    "half a string": b'{"content":["a',
    "half an escape": b'{"content":"\\u12',
    "half a number": b'{"a":1.',
    "half a word": b'{"a":tru',
    "leading zero": b'{"a":01}',
    "plus": b'{"a":+1}',
    "bare dot": b'{"a":.5}',
    "hexadecimal": b'{"a":0x1}',
    "single quotes": b"{'a':1}",
    "no quotes": b"{a:1}",
    "trailing comma": b'{"a":1,}',
    "comma in list": b"[1,]",
    "comment": b'{"a":1}//',
    "two values": b"{}{}",
    "trailing bracket": b"{}]",
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":[Infinity]}',
    "-Infinity": b'{"content":[],"structuredContent":-Infinity}',
    "typed NaN": b'{"method":"notifications/progress","params":{"progressToken":1,"progress":NaN}}',
    "nan": b'{"a":nan}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "utf-16": '{"a":1}'.encode("utf-16"),
    "latin-1": b'{"a":"\xe4"}',
    "overlong": b'{"a":"\xc0\xaf"}',
    "encoded surrogate": b'{"a":"\xed\xa0\x80"}',
    "escaped surrogate": b'{"a":"\\ud800"}',
    "escaped surrogate in a name": b'{"\\udfff":1}',
    "escaped pair the wrong way": b'{"a":"\\udc00\\ud800"}',
    "surrogate in a str": '{"a":"\ud800"}',
    "surrogate alone": "\udfff",
    "control character": b'{"a":"\n"}',
    "nul": b'{"a":1}\x00',
    "deep": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep and open": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "long integer": b'{"a":' + b"9" * 5_000 + b"}",
    "long integer as id": b'{"jsonrpc":"2.0","method":"m","id":' + b"9" * 5_000 + b"}",
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_not_json_is_a_validation_error(name: str, target: str) -> None:
    text = MALFORMED[name]
    for version in ("2025-03-26", NEWEST):
        for form in (text, bytearray(text)) if isinstance(text, bytes) else (text,):
            start = time.perf_counter()
            with pytest.raises(ValidationError) as raised:
                wire.parse_json(TARGETS[target], form, version)
            assert time.perf_counter() - start < 1
            (entry,) = raised.value.errors()
            assert entry["type"] in ("json_invalid", "json_type", "string_unicode"), entry
            assert entry["loc"] == ()
            assert len(str(raised.value)) < 300


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "data", [None, 5, 1.5, True, [], {}, (), object(), memoryview(b"{}")], ids=lambda d: type(d).__name__
)
def test_what_is_no_text_is_a_validation_error(data: Any, target: str) -> None:
    for version in ("2025-03-26", NEWEST, "2099-01-01"):
        with pytest.raises(ValidationError):
            wire.parse_json(TARGETS[target], data, version)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "value", [None, 0, 1.5, True, "", "{}", [], [[]], [None], [{}], 10**400], ids=lambda v: repr(v)[:9]
)
def test_a_wrong_top_level_type_is_a_validation_error(value: Any, target: str) -> None:
    for version in ("2025-11-25", NEWEST, "2099-01-01"):
        assert 1 <= len(refusal(TARGETS[target], value, version)) <= 2


class Odd:
    def __init__(self) -> None:
        self.name = "geheim"


def circle() -> Any:
    loop: list[Any] = []
    loop.append({"a": loop})
    return loop


def nested(depth: int) -> Any:
    value: Any = None
    for _ in range(depth):
        value = [value]
    return value


NOT_JSON: dict[str, Callable[[], Any]] = {
    "nan": lambda: math.nan,
    "surrogate": lambda: "\ud800",
    "object": Odd,
    "class": lambda: Odd,
    "circle": circle,
    "deep": lambda: nested(100_000),
    "rather deep": lambda: nested(300),
    "undecodable": lambda: b"\xff",
    "function": lambda: circle,
    "surrogate name": lambda: {"\ud800": 1},
    "object name": lambda: {Odd(): 1},
}


@pytest.mark.untraced
@pytest.mark.parametrize("name", NOT_JSON)
def test_a_python_value_that_is_not_json_is_a_validation_error(name: str) -> None:
    for version in (*VERSIONS, "2099-01-01"):
        value = NOT_JSON[name]()
        for type_, data in (
            (types.CallToolResult, {"content": [], "structuredContent": value}),
            (types.ServerResult, {"content": [], "x": {"y": value}}),
            (types.JSONRPCMessage, {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": value}}),
            (types.EmptyResult, value),
            (types.ServerRequest, value),
            (types.EmptyResult, {"_meta": value}),
        ):
            with pytest.raises(ValidationError) as raised:
                wire.parse_as(type_, data, version)
            assert "geheim" not in str(raised.value)
            assert len(str(raised.value)) < 50_000


@pytest.mark.untraced
@pytest.mark.parametrize("name", NOT_JSON)
def test_a_model_that_holds_what_is_not_json_is_refused(name: str) -> None:
    for version in VERSIONS:
        value = NOT_JSON[name]()
        models: list[Any] = [
            types.CallToolResult(content=[], structured_content=value),
            made(types.CallToolResult, content=[], x=value),
            types.EmptyResult.model_construct(y=[value]),
            types.JSONRPCResponse.model_construct(jsonrpc="2.0", id=1, result={"a": value}),
            types.JSONRPCRequest.model_construct(jsonrpc="2.0", id=value, method="m"),
        ]
        for model in models:
            for strict in (None, False):
                for call in (wire.dump_json, wire.serialize_for):
                    with pytest.raises(wire.UnsupportedAtVersionError) as raised:
                        call(model, version, strict=strict)
                    assert len(str(raised.value)) < 10_000


@pytest.mark.parametrize("version", VERSIONS)
def test_a_hundred_levels_always_work(version: str) -> None:
    for open_, close in (("[", "]"), ('{"a":', "}")):
        deep = json.loads(open_ * 99 + ("0" if open_ == "[" else "{}") + close * 99)
        done = {"resultType": "complete"}
        for type_, body in (
            (types.CallToolResult, {"content": [], "structuredContent": deep, **done}),
            (types.CallToolResult, {"content": [{"type": "text", "text": "", "x": deep}], "y": deep, **done}),
            (types.EmptyResult, {"_meta": {"k": deep}, **done}),
            (
                types.CallToolRequest,
                {"method": "tools/call", "params": {"name": "", "arguments": {"a": deep}, "_meta": META}},
            ),
            (types.JSONRPCMessage, {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "", "data": deep}}),
            (types.ServerResult, {"content": [], "structuredContent": deep, **done}),
            (types.InputRequiredResult, {"inputRequests": {}, "x": deep, "resultType": "input_required"}),
        ):
            if type_ is not types.InputRequiredResult or version == NEWEST:
                assert same(emit(parse(type_, body, version), version), body)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("depth", range(180, 270, 3))
def test_at_the_limit_of_depth_only_named_errors_are_raised(depth: int, version: str) -> None:
    body: Any = {"method": "tools/call", "params": {"name": "t", "arguments": {"a": nested(depth)}, "_meta": META}}
    frame = {"jsonrpc": "2.0", "id": 1, **body}
    for call, whole in (
        (lambda: wire.parse_as(types.CallToolRequest, body, version), body),
        (lambda: wire.parse_as(types.ClientRequest, body, version, strict=True), body),
        (lambda: wire.parse_json(types.CallToolRequest, json.dumps(body), version), body),
        (lambda: wire.parse_json(types.JSONRPCMessage, json.dumps(frame), version), frame),
    ):
        model = attempt(call)
        if isinstance(model, ValidationError):
            continue
        for strict in (None, True, False):
            sent = attempt(partial(emit, model, version, strict=strict), wire.UnsupportedAtVersionError)
            if isinstance(sent, wire.UnsupportedAtVersionError):
                assert "deep" in str(sent)
                assert unsupported(model, version, strict=strict).pointers == sent.pointers != ("",)
            else:
                assert same(sent, whole)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "null", "x"])
@pytest.mark.parametrize("size", [1, 10_000])
def test_words_in_strings_do_not_matter_however_deep_they_stand(word: str, size: int) -> None:
    for depth in range(150, 251, 10):
        value: Any = word * size
        for _ in range(depth):
            value = [value]
        result = types.CallToolResult(content=[], structured_content={"a": value})
        for version in VERSIONS:
            assert same(emit(result, version)["structuredContent"], result.structured_content)


def test_findings_are_bounded() -> None:
    for name, count in (("k" * 1_000_000, 300), ("k", 100_000)):
        result = types.CallToolResult(content=[], structured_content={name: [math.inf] * count})
        for version in VERSIONS:
            error = unsupported(result, version)
            assert len(error.findings) <= 100
            assert sum(map(len, error.pointers)) < 200_000
            assert len(str(error)) < 10_000


def test_a_fragment_is_a_type_error_at_any_version() -> None:
    tool = types.Tool(name="x", input_schema={})
    for version in each(NEWEST, "no version", [], None):
        for call in (wire.dump_json, wire.serialize_for):
            with pytest.raises(TypeError, match="Tool is neither"):
                call(tool, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_1e400_is_json_and_parses_but_is_refused_when_emitted(version: str) -> None:
    for text, sign in (("1e400", 1), ("-1e400", -1)):
        body = f'{{"content":[],"structuredContent":{{"a":{text}}},"x":[{text}]}}'
        model: Any = wire.parse_json(types.CallToolResult, body, version)
        assert model.structured_content == {"a": sign * math.inf}
        assert wire.parse_as(types.CallToolResult, json.loads(body), version) == model
        assert unsupported(model, version).pointers == ("/structuredContent/a", "/x/0")
        progress = f'{{"method":"notifications/progress","params":{{"progressToken":1,"progress":{text}}}}}'
        typed: Any = wire.parse_json(types.ProgressNotification, progress, version)
        assert unsupported(typed, version).pointers == ("/params/progress",)
        with pytest.raises(ValidationError):
            wire.parse_json(types.JSONRPCMessage, f'{{"jsonrpc":"2.0","id":{text},"method":"m"}}', version)


@pytest.mark.untraced
def test_long_strings_and_large_messages_pass() -> None:
    for version, length in (("2025-11-25", 1_000_000), (NEWEST, 8_000_000)):
        long = "ä" * length
        text = json.dumps({"content": [{"type": "text", "text": long}], "resultType": "complete"}, ensure_ascii=False)
        model: Any = wire.parse_json(types.CallToolResult, text.encode(), version)
        assert len(model.content[0].text) == length
        assert len(wire.dump_json(model, version)) > 2 * length
        del model, text
        wide: Any = {"content": [], "structuredContent": {str(i): i for i in range(50_000)}, "resultType": "complete"}
        assert same(emit(parse(types.CallToolResult, wide, version), version), wide)


@pytest.mark.parametrize("version", VERSIONS)
def test_big_integers_are_exact(version: str) -> None:
    for number in (2**53 + 1, 2**63, 2**64, 2**70, -(2**70), 10**4_000):
        body = {"content": [], "structuredContent": [number], "x": number, "resultType": "complete"}
        assert same(emit(parse(types.CallToolResult, body, version), version), body)
        frame = {"jsonrpc": "2.0", "id": number, "method": "m"}
        assert same(emit(parse(types.JSONRPCMessage, frame, version), version), frame)


def test_integers_too_long_for_a_text_are_refused_in_both_forms() -> None:
    # Python itself converts no more than 4,300 digits.
    number = 10**5_000
    for type_, body in (
        (types.EmptyResult, {"a": number}),
        (types.JSONRPCMessage, {"jsonrpc": "2.0", "id": number, "method": "m"}),
    ):
        with pytest.raises(ValidationError):
            wire.parse_as(type_, body, NEWEST)
    for model in (made(types.EmptyResult, a=number), types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": number})):
        for call in (wire.dump_json, wire.serialize_for):
            with pytest.raises(wire.UnsupportedAtVersionError):
                call(model, NEWEST)


@pytest.mark.parametrize("version", [*VERSIONS, "2099-01-01"])
@pytest.mark.parametrize(
    ("type_", "text", "last"),
    [
        (types.EmptyResult, '{"x":1,"x":[2]}', {"x": [2]}),
        (types.CallToolResult, '{"content":5,"content":[]}', {"content": []}),
        (types.CallToolResult, '{"content":[],"isError":true,"isError":false}', {"content": [], "isError": False}),
        (types.CallToolResult, '{"content":[],"isError":true,"isError":null}', {"content": []}),
        (types.CallToolResult, '{"content":[],"_meta":{"a":1,"a":2},"_meta":{"b":1,"b":1.0}}',
         {"content": [], "_meta": {"b": 1.0}}),
        (types.ServerResult, '{"tools":[],"content":[],"tools":[]}', {"tools": [], "content": []}),
        (types.ContentBlock, '{"type":"image","text":"","type":"text"}', {"type": "text", "text": ""}),
        (types.ClientRequest, '{"method":"x","method":"ping"}', {"method": "ping"}),
        (types.JSONRPCMessage, '{"jsonrpc":"1.0","id":1,"method":"a","jsonrpc":"2.0","method":"b","id":2}',
         {"jsonrpc": "2.0", "id": 2, "method": "b"}),
        (types.JSONRPCMessage, '{"jsonrpc":"2.0","id":1,"method":"a","method":null,"result":{}}',
         {"jsonrpc": "2.0", "id": 1, "result": {}}),
    ],
)  # fmt: skip
def test_of_members_with_one_name_the_last_wins(type_: Any, text: str, last: Any, version: str) -> None:
    assert wire.parse_json(type_, text, version) == wire.parse_as(type_, json.loads(text), version)
    model = wire.parse_json(type_, text, version)
    out = json.loads(model.model_dump_json(by_alias=True, exclude_none=True))
    assert same(out, last)


def test_the_last_bad_member_counts() -> None:
    for type_, text in (
        (types.CallToolResult, '{"content":[],"content":5}'),
        (types.ClientRequest, '{"method":"ping","method":5}'),
        (types.JSONRPCMessage, '{"jsonrpc":"2.0","id":1,"method":"a","id":null}'),
        (types.ContentBlock, '{"type":"text","text":"","type":"image"}'),
    ):
        with pytest.raises(ValidationError):
            wire.parse_json(type_, text, "2025-11-25")


# Models made illegal behind the back of their validation.


def broken() -> list[Any]:
    text: Any = types.TextContent(text="a")
    text.text = 5
    listed: Any = types.ListToolsResult(tools=[])
    listed.tools = "no list"
    without: Any = types.CallToolRequest.model_construct()
    meta: Any = types.CallToolRequest.model_construct(params={"name": "t", "_meta": 5})
    plain: Any = types.CallToolRequest.model_construct(params={"name": 5, "_meta": META})
    number: Any = types.CallToolRequest.model_construct(params=5)
    gone: Any = types.ToolListChangedNotification()
    gone.method = None
    empty: Any = types.Request.model_construct()
    deleted: Any = types.CallToolResult(content=[])
    del deleted.content
    listen: Any = types.SubscriptionsListenResult.model_construct(meta=5)
    stream: Any = types.SubscriptionsListenResult.model_construct(meta="io.modelcontextprotocol/subscriptionId")
    asks: Any = types.InputRequiredResult.model_construct(input_requests=5)
    mixed: Any = types.CallToolResult.model_construct(
        content=[types.Tool(name="t", input_schema={}), 5, None, {"a": 1}]
    )
    frame: Any = types.JSONRPCRequest.model_construct()
    error: Any = types.JSONRPCError.model_construct(error=5)
    kind: Any = types.EmptyResult.model_construct(result_type=5)
    ttl: Any = types.ListToolsResult.model_construct(tools=[], ttl_ms="x", cache_scope=[])
    return [
        types.CallToolResult(content=[text]), listed, without, meta, plain, number, gone, empty, deleted, listen,
        stream, asks, mixed, frame, error, kind, ttl,
    ]  # fmt: skip


@pytest.mark.parametrize("index", range(17))
@pytest.mark.parametrize("version", VERSIONS)
def test_a_model_made_illegal_is_emitted_as_json_or_refused_by_name(index: int, version: str) -> None:
    assert len(broken()) == 17
    for strict in (None, True, False):
        outcomes: list[Any] = []
        for call in (wire.dump_json, wire.serialize_for):
            try:
                out: Any = call(broken()[index], version, strict=strict)
            except wire.UnsupportedAtVersionError as error:
                outcomes.append(error.findings)
            else:
                outcomes.append(json.loads(out) if isinstance(out, bytes) else out)
        assert same(json.loads(json.dumps(outcomes[0])), json.loads(json.dumps(outcomes[1])))


def test_at_the_newest_revision_illegal_models_are_refused() -> None:
    for index, model in enumerate(broken()):
        if index not in (7, 13, 14):  # a bare Request without a method, and frames, which are dumped as they are
            unsupported(model, NEWEST)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_process_lives_on_after_hostile_input(version: str) -> None:
    for text in MALFORMED.values():
        with pytest.raises(ValidationError):
            wire.parse_json(types.ServerResult, text, version)
    body = {"content": [{"type": "text", "text": "a"}], "resultType": "complete"}
    assert same(emit(parse(types.ServerResult, body, version), version), body)


def test_subclasses_of_json_types_are_read_as_what_they_are() -> None:
    class Text(str):
        __slots__ = ()

    class Number(int):
        pass

    class Map(dict[str, Any]):
        pass

    body = Map(
        {"content": [Map(type="text", text=Text("a"))], "structuredContent": {"n": Number(5), Text("k"): Text("v")}}
    )
    for version in VERSIONS:
        model = wire.parse_as(types.CallToolResult, body, version)
        assert json.loads(wire.dump_json(model, version))["structuredContent"] == {"n": 5, "k": "v"}


class Foreign(BaseModel):
    """A user's own model, which by itself writes NaN as null."""

    number: float = 0.0
    nothing: None = None


class ForeignRequest(types.Request[Foreign, Literal["acme/x"]]):
    method: Literal["acme/x"] = "acme/x"


class ForeignResult(types.Result):
    inner: list[Foreign]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_nan_in_a_users_own_model_in_a_messages_type_is_refused_too(number: float, version: str) -> None:
    bad = Foreign(number=number)
    assert unsupported(ForeignRequest(params=bad), version).pointers == ("/params/number",)
    assert unsupported(ForeignResult(inner=[Foreign(), bad]), version).pointers == ("/inner/1/number",)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("beside", [{}, {"x": None}, {"x": "\ufffd"}, {"x": "x" * 10_000}])
def test_a_lone_surrogate_in_a_member_name_is_refused_wherever_it_stands(beside: dict[str, Any], version: str) -> None:
    name = {**dict.fromkeys(["\ud800", "\ud801"], 1), **beside}
    content: Any = [types.TextContent(text="", _meta=name)]
    call = types.CallToolRequestParams(name="a", arguments={"a": [name]}, _meta=types.RequestParamsMeta(**META))
    tool = types.Tool(name="a", input_schema={"properties": name})
    for model, pointer in (
        (types.CallToolResult(content=[], _meta=name), "/_meta"),
        (types.CallToolResult(content=content), "/content/0/_meta"),
        (types.CallToolRequest(params=call), "/params/arguments/a/0"),
        (types.ListToolsResult(tools=[tool]), "/tools/0/inputSchema/properties"),
        (types.JSONRPCResponse(jsonrpc="2.0", id=1, result=name), "/result"),
    ):
        assert set(unsupported(model, version).pointers) == {pointer}
    fine = {"\ufffd": "\uff21", **beside}
    assert emit(types.CallToolResult(content=[], _meta=fine, result_type="complete"), version)["_meta"] == fine


@dataclasses.dataclass
class ForeignDataclass:
    """As `Foreign`, a class that writes itself."""

    number: float


@pytest.mark.untraced
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("bad", [Foreign(number=math.nan), ForeignDataclass(number=math.inf)])
@pytest.mark.parametrize("beside", ["", "short", "x" * 10_000, ["many", "values", None] * 700])
def test_nan_in_a_users_own_model_in_a_free_form_value_is_refused_too(
    bad: object, version: str, beside: object
) -> None:
    models: list[tuple[Any, str]] = [
        (types.CallToolResult(content=[], structured_content={"a": [beside, bad]}), "/structuredContent/a/1/number"),
        (types.CallToolResult.model_validate({"content": [], "x": bad, "y": beside}), "/x/number"),
        (types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": bad, "b": beside}), "/result/a/number"),
    ]
    for model, pointer in models:
        assert unsupported(model, version).pointers == (pointer,), model


@pytest.mark.parametrize("version", VERSIONS)
def test_a_users_own_model_is_written_as_it_writes_itself(version: str) -> None:
    fine = Foreign(number=1.0)
    result = types.CallToolResult(content=[], structured_content=[fine], result_type="complete")
    assert emit(result, version)["structuredContent"] == [{"number": 1.0, "nothing": None}]
    assert emit(ForeignRequest(params=fine), version)["params"] == {"number": 1.0, "nothing": None}
    assert emit(ForeignResult(inner=[fine]), version)["inner"] == [{"number": 1.0, "nothing": None}]


@pytest.mark.untraced
def test_no_cache_keeps_what_peers_send() -> None:
    def use(number: int) -> None:
        long = "x" * 1_000_000 + str(number)
        wire.parse_json(types.ServerResult, '{"tools":[]}', long)
        wire.parse_as(types.EmptyResult, {long: long}, long)
        wire.audit(wire.parse_json(types.EmptyResult, json.dumps({long: 1}), "2025-11-25"), "2025-11-25")
        log = {"method": "notifications/message", "params": {"level": long, "data": long}}
        wire.dump_json(wire.parse_as(types.ServerNotification, log, "2025-11-25"), "2025-11-25")
        for call in (
            lambda: wire.request_type(long, "2025-11-25", "client"),
            lambda: wire.result_type(long, NEWEST, "server"),
            lambda: wire.notification_type("x", long, "client"),
            lambda: wire.dump_json(types.EmptyResult(), long),
        ):
            with pytest.raises(wire.WireError):
                call()
        for type_, value in ((types.ClientRequest, {"method": long}), (types.JSONRPCMessage, {long: 1})):
            with pytest.raises(ValidationError):
                wire.parse_as(type_, value, long)

    use(0)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(1, 21):
        use(number)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 5_000_000
