"""The wire contract, rule by rule: serializing, parsing, and the questions that are settled. Both forms each time."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import Any, Literal, get_args

import pytest
from pydantic import BaseModel, ValidationError

from mcp_surfaces import types, wire
from mcp_surfaces.base import MCPModel
from tests.corpus.generate import Fixture, read

from .support import (
    BATCHES,
    CAPABILITIES_KEY,
    META,
    NEWEST,
    OLDER,
    PROTOCOL_VERSION_KEY,
    SUBSCRIPTION_KEY,
    TASKS,
    VERSIONS,
    each,
    emit,
    made,
    parse,
    refusal,
    returns,
    same,
    unsupported,
)

UNKNOWN = ("2024-10-07", "2099-01-01", "", "2026-07-28 ", "DRAFT-2026-v1")


class AcmeParams(MCPModel):
    level: int | None = None
    meta: dict[str, Any] | None = None


class AcmeRequest(types.Request[dict[str, Any], Literal["acme/do"]]):
    method: Literal["acme/do"] = "acme/do"


class AcmeNotification(types.Notification[dict[str, Any], Literal["notifications/acme/done"]]):
    method: Literal["notifications/acme/done"] = "notifications/acme/done"


class AcmeResult(types.Result):
    skills: list[str] | None = None


class AcmeToolResult(types.CallToolResult):
    cost: float | None = None


class Unrelated(BaseModel):
    method: str = "ping"


PLAIN = {
    "request": types.PingRequest(),
    "notification": types.ToolListChangedNotification(),
    "result": types.EmptyResult(),
    "request frame": types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"),
    "notification frame": types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"),
    "response frame": types.JSONRPCResponse(jsonrpc="2.0", id=1, result={}),
    "error frame": types.JSONRPCError(jsonrpc="2.0", id=1, error=types.ErrorData(code=1, message="")),
    "custom request": AcmeRequest(params={}),
    "custom notification": AcmeNotification(params={}),
    "custom result": AcmeResult(),
}

# Serializing 1: what it takes.


@pytest.mark.parametrize("name", PLAIN)
def test_takes_bodies_and_envelope_models(name: str) -> None:
    for version in OLDER:
        assert isinstance(emit(PLAIN[name], version), dict)


@pytest.mark.parametrize("version", [*VERSIONS, *UNKNOWN])
@pytest.mark.parametrize(
    "thing",
    [
        types.TextContent(text="a"),
        types.Tool(name="t", input_schema={}),
        types.CallToolRequestParams(name="t"),
        types.ErrorData(code=1, message="m"),
        types.ClientCapabilities(),
        types.Task(task_id="t", status="working", created_at="", last_updated_at="", ttl=None),
        Unrelated(),
        {"method": "ping"},
        None,
        "ping",
        1,
        b"{}",
        (),
        (types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"),),
        types.PingRequest,
        object(),
        [types.PingRequest()],
        [{"jsonrpc": "2.0", "id": 1, "method": "ping"}],
        [types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"), None],
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_anything_else_is_a_type_error_before_the_version_is_looked_at(thing: Any, version: str) -> None:
    for strict in (None, True, False):
        with pytest.raises(TypeError):
            wire.serialize_for(thing, version, strict=strict)
        with pytest.raises(TypeError):
            wire.dump_json(thing, version, strict=strict)


def test_a_batch_goes_out_at_2025_03_26_only() -> None:
    frames: list[BaseModel] = [PLAIN["request frame"], PLAIN["notification frame"]]
    assert emit(frames, "2025-03-26") == [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for version in VERSIONS:
        if version != "2025-03-26":
            assert isinstance(unsupported(frames, version), TypeError)


def test_a_custom_result_gets_a_result_type_and_a_custom_request_nothing() -> None:
    assert emit(AcmeResult(), NEWEST) == {"resultType": "complete"}
    assert emit(AcmeResult(skills=["s"]), NEWEST) == {"skills": ["s"], "resultType": "complete"}
    assert emit(AcmeResult(result_type="task"), NEWEST) == {"resultType": "task"}
    assert emit(AcmeToolResult(content=[], cost=1.0), NEWEST) == {"content": [], "cost": 1.0, "resultType": "complete"}
    assert emit(AcmeRequest(params={"a": 1}), NEWEST) == {"method": "acme/do", "params": {"a": 1}}
    assert emit(AcmeNotification(params={}), NEWEST) == {"method": "notifications/acme/done", "params": {}}
    for version in OLDER:
        assert emit(AcmeResult(), version) == {}


def test_base_classes_are_bodies() -> None:
    assert emit(made(types.Request, method="x"), NEWEST) == {"method": "x"}
    assert emit(types.Notification(method="x", params={"a": None}), NEWEST) == {"method": "x", "params": {"a": None}}
    assert emit(types.Result(), NEWEST) == {"resultType": "complete"}
    assert emit(types.Request[dict[str, Any], str](method="x", params={}), "2024-11-05") == {
        "method": "x",
        "params": {},
    }


# Serializing 2: unknown versions.


@pytest.mark.parametrize("version", UNKNOWN)
@pytest.mark.parametrize("name", PLAIN)
def test_an_unknown_version_is_refused(name: str, version: str) -> None:
    for call in (wire.serialize_for, wire.dump_json):
        for strict in (None, True, False):
            with pytest.raises(wire.UnknownProtocolVersionError) as raised:
                call(PLAIN[name], version, strict=strict)
            error = raised.value
            assert isinstance(error, ValueError)
            assert (error.version, error.known) == (version, VERSIONS)


def test_an_unknown_version_is_refused_for_batches_too() -> None:
    with pytest.raises(wire.UnknownProtocolVersionError):
        wire.dump_json([PLAIN["request frame"]], "2099-01-01")


# Serializing 3 and 4: additive, and the plain dump below the newest revision.


def test_nothing_is_removed_at_any_version() -> None:
    newer = made(
        types.CallToolResult,
        content=[types.ResourceLink(uri="x", name="n", title="t"), types.AudioContent(data="", mime_type="a/b")],
        structured_content=[1],
        result_type="complete",
        _meta={"k": None},
        vendor={"a": None},
    )
    for version in VERSIONS:
        out = emit(newer, version)
        assert [block["type"] for block in out["content"]] == ["resource_link", "audio"]
        assert out["structuredContent"] == [1]
        assert out["resultType"] == "complete"
        assert out["vendor"] == {"a": None}
    older = types.CallToolRequest(
        params=types.CallToolRequestParams(name="t", task=types.TaskMetadata(ttl=1), _meta=META)
    )
    assert emit(older, NEWEST)["params"]["task"] == {"ttl": 1}


@pytest.mark.parametrize("version", OLDER)
def test_below_the_newest_revision_the_text_is_the_plain_dump(version: str) -> None:
    for fixture in read(version):
        if fixture.kind in ("request", "notification", "result"):
            model = wire.parse_json(getattr(types, fixture.type), fixture.text, version)
            assert wire.dump_json(model, version) == model.model_dump_json(by_alias=True).encode()
    assert wire.dump_json(types.EmptyResult(), version) == b"{}"
    assert wire.dump_json(types.ListToolsResult(tools=[]), version) == b'{"tools":[]}'


# Serializing 5: what is injected.

CACHEABLE: list[types.Result] = [
    types.ListToolsResult(tools=[]),
    types.ListPromptsResult(prompts=[]),
    types.ListResourcesResult(resources=[]),
    types.ListResourceTemplatesResult(resource_templates=[]),
    types.ReadResourceResult(contents=[]),
    types.DiscoverResult(supported_versions=[], capabilities=types.ServerCapabilities()),
]
COMPLETE: list[types.Result] = [
    types.CallToolResult(content=[]),
    types.GetPromptResult(messages=[]),
    types.CompleteResult(completion=types.Completion(values=[])),
    types.EmptyResult(),
    types.Result(),
    types.PaginatedResult(),
]
EMBEDDED: list[types.Result] = [
    types.CreateMessageResult(role="assistant", model="m", content=types.TextContent(text="")),
    types.CreateMessageResultWithTools(role="assistant", model="m", content=[types.TextContent(text="")]),
    types.ElicitResult(action="cancel"),
    types.ListRootsResult(roots=[]),
]


@pytest.mark.parametrize("result", CACHEABLE, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("strict", [None, True, False])
def test_cacheable_results_get_safe_cache_hints(result: types.Result, strict: bool | None) -> None:
    bare = emit(result, "2025-11-25")
    assert emit(result, NEWEST, strict=strict) == {
        **bare,
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }


@pytest.mark.parametrize("result", COMPLETE, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("strict", [None, True, False])
def test_other_results_get_a_result_type_only(result: types.Result, strict: bool | None) -> None:
    assert emit(result, NEWEST, strict=strict) == {**emit(result, "2025-11-25"), "resultType": "complete"}


@pytest.mark.parametrize("result", EMBEDDED, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("strict", [None, True, False])
def test_results_that_are_embedded_only_get_nothing(result: types.Result, strict: bool | None) -> None:
    assert emit(result, NEWEST, strict=strict) == emit(result, "2025-11-25")


def test_an_input_required_result_says_so() -> None:
    asked = types.InputRequiredResult(request_state="s")
    assert emit(asked, NEWEST) == {"requestState": "s", "resultType": "input_required"}
    read_ = parse(types.InputRequiredResult, {"requestState": ""}, NEWEST)
    assert emit(read_, NEWEST)["resultType"] == "input_required"


def test_what_the_caller_set_is_never_overwritten() -> None:
    result = types.ListToolsResult(tools=[], result_type="complete", ttl_ms=5, cache_scope="public")
    assert emit(result, NEWEST) == {"tools": [], "resultType": "complete", "ttlMs": 5, "cacheScope": "public"}
    some = types.ListToolsResult(tools=[], ttl_ms=0)
    assert emit(some, NEWEST) == {"tools": [], "ttlMs": 0, "resultType": "complete", "cacheScope": "private"}
    word = types.CallToolResult(content=[], result_type="acme")
    assert emit(word, NEWEST)["resultType"] == "acme"
    request = made(types.ListToolsRequest, params={"_meta": {**META, PROTOCOL_VERSION_KEY: "2025-11-25"}})
    assert emit(request, NEWEST)["params"]["_meta"][PROTOCOL_VERSION_KEY] == "2025-11-25"


def test_what_the_caller_set_by_its_wire_name_is_never_overwritten_nor_written_twice() -> None:
    for name, value in (("resultType", "task"), ("ttlMs", 5), ("cacheScope", "public")):
        result: Any = types.ListToolsResult(tools=[])
        setattr(result, name, value)
        assert emit(result, NEWEST)[name] == value
        assert wire.dump_json(result, NEWEST).count(f'"{name}"'.encode()) == 1
    both = made(types.CallToolResult, content=[], is_error=True, isError=True)
    assert wire.dump_json(both, "2025-11-25").count(b'"isError"') == 1


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({CAPABILITIES_KEY: {}}, {CAPABILITIES_KEY: {}, PROTOCOL_VERSION_KEY: NEWEST}),
        ({"x": None, CAPABILITIES_KEY: {"roots": {}}}, None),
        ({"progressToken": 0, CAPABILITIES_KEY: {}}, None),
    ],
)
def test_the_version_key_is_set_in_a_requests_meta(meta: dict[str, Any], expected: dict[str, Any] | None) -> None:
    for params in each({"_meta": meta}, {"name": "t", "_meta": meta, "x": 1}):
        type_ = types.CallToolRequest if "name" in params else types.ListToolsRequest
        model = type_(params=params)
        out = emit(model, NEWEST)
        assert out["params"]["_meta"] == expected or {**meta, PROTOCOL_VERSION_KEY: NEWEST}
        assert {name: value for name, value in out["params"].items() if name != "_meta"} == {
            name: value for name, value in params.items() if name != "_meta"
        }


def test_params_and_meta_are_materialised_for_a_registered_request() -> None:
    registry = wire.Registry().with_request(AcmeRequest, AcmeResult, sender="client", meta=[PROTOCOL_VERSION_KEY])
    for params in each({}, {"_meta": {}}, {"_meta": {"a": 1}}, {"a": 1}):
        out = emit(AcmeRequest(params=params), NEWEST, registry=registry)
        assert out["params"]["_meta"][PROTOCOL_VERSION_KEY] == NEWEST
        assert {**params.get("_meta", {}), PROTOCOL_VERSION_KEY: NEWEST} == out["params"]["_meta"]


def test_only_the_top_level_body_is_touched() -> None:
    sampled = types.CreateMessageResult(role="assistant", model="m", content=types.TextContent(text=""))
    request = types.CallToolRequest(
        params=types.CallToolRequestParams(name="t", input_responses={"a": sampled}, _meta=META)
    )
    assert emit(request, NEWEST)["params"]["inputResponses"] == {"a": emit(sampled, "2025-11-25")}
    asks = types.InputRequiredResult(input_requests={"r": types.ListRootsRequest()})
    assert emit(asks, NEWEST)["inputRequests"] == {"r": {"method": "roots/list"}}
    holds = types.CallToolResult(content=[], structured_content=types.ListToolsResult(tools=[]))
    assert emit(holds, NEWEST)["structuredContent"] == {"tools": []}


def test_the_three_embedded_only_requests_get_nothing_and_are_not_refused() -> None:
    requests: list[types.Request[Any, Any]] = [
        types.ListRootsRequest(),
        types.ElicitRequest(params=types.ElicitRequestURLParams(message="m", url="u")),
        types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[], max_tokens=1)),
    ]
    for request in requests:
        assert emit(request, NEWEST) == emit(request, "2025-11-25")
        assert emit(request, NEWEST, strict=False) == emit(request, "2025-11-25")


# Serializing 6: what is refused.

GONE: list[BaseModel] = [
    types.InitializeRequest(
        params=types.InitializeRequestParams(
            protocol_version="x",
            capabilities=types.ClientCapabilities(),
            client_info=types.Implementation(name="n", version="v"),
        )
    ),
    types.InitializeResult(
        protocol_version="x",
        capabilities=types.ServerCapabilities(),
        server_info=types.Implementation(name="n", version="v"),
    ),
    types.InitializedNotification(),
    types.PingRequest(),
    types.SetLevelRequest(params=types.SetLevelRequestParams(level="info")),
    types.SubscribeRequest(params=types.SubscribeRequestParams(uri="u")),
    types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri="u")),
    types.RootsListChangedNotification(),
    types.ElicitCompleteNotification(params=types.ElicitCompleteNotificationParams(elicitation_id="e")),
    types.GetTaskRequest(params=types.GetTaskRequestParams(task_id="t")),
    types.GetTaskPayloadRequest(params=types.GetTaskPayloadRequestParams(task_id="t")),
    types.CancelTaskRequest(params=types.CancelTaskRequestParams(task_id="t")),
    types.ListTasksRequest(),
    types.ListTasksResult(tasks=[]),
    types.GetTaskPayloadResult(),
    types.GetTaskResult(task_id="t", status="working", created_at="", last_updated_at="", ttl=None),
    types.CancelTaskResult(task_id="t", status="working", created_at="", last_updated_at="", ttl=None),
    types.CreateTaskResult(task=types.Task(task_id="t", status="working", created_at="", last_updated_at="", ttl=None)),
    types.TaskStatusNotification(
        params=types.TaskStatusNotificationParams(
            task_id="t", status="working", created_at="", last_updated_at="", ttl=None
        )
    ),
]


@pytest.mark.parametrize("body", GONE, ids=lambda body: type(body).__name__)
def test_what_the_newest_revision_does_not_define_is_refused_there(body: BaseModel) -> None:
    for strict in (None, True, False):
        error = unsupported(body, NEWEST, strict=strict)
        assert error.version == NEWEST
        assert error.pointers == ("",)
        assert isinstance(error, ValueError)
    assert isinstance(emit(body, "2025-11-25"), dict)


@pytest.mark.parametrize(
    "body",
    [
        types.InputRequiredResult(request_state="s"),
        types.DiscoverResult(supported_versions=[], capabilities=types.ServerCapabilities()),
        types.SubscriptionsListenResult(_meta={SUBSCRIPTION_KEY: 1}),
    ],
    ids=lambda body: type(body).__name__,
)
def test_below_the_newest_revision_newer_bodies_flow_unless_strict(body: BaseModel) -> None:
    for version in OLDER:
        assert isinstance(emit(body, version), dict)
        assert unsupported(body, version, strict=True).pointers == ("",)


def test_an_input_required_result_needs_requests_or_a_state() -> None:
    for strict in (None, True, False):
        unsupported(types.InputRequiredResult(), NEWEST, strict=strict)
    assert emit(types.InputRequiredResult(input_requests={}), NEWEST)["inputRequests"] == {}
    assert emit(types.InputRequiredResult(request_state=""), NEWEST)["requestState"] == ""


CLIENT_REQUESTS: list[Fixture] = [
    fixture
    for fixture in read(NEWEST)
    if fixture.kind == "request" and fixture.id.endswith(" least") and fixture.sender == "client"
]


@pytest.mark.parametrize("fixture", CLIENT_REQUESTS, ids=lambda fixture: fixture.id)
def test_a_request_without_client_capabilities_is_refused_both_ways(fixture: Fixture) -> None:
    type_: Any = getattr(types, fixture.type)
    body = json.loads(fixture.text)
    for meta in ({}, {PROTOCOL_VERSION_KEY: NEWEST}, None):
        params = {**body["params"], "_meta": meta}
        model = parse(type_, {**body, "params": params}, "2025-11-25")
        for strict in (None, True, False):
            error = unsupported(model, NEWEST, strict=strict)
            assert error.method == fixture.method
            assert error.pointers == ("/params/_meta/io.modelcontextprotocol~1clientCapabilities",)
        absent = [key for key in META if key not in (meta or {})]
        for strict in (False, True):
            found = refusal(type_, {**body, "params": params}, NEWEST, strict=strict)
            wanted = [("missing_required_meta", ("params", "_meta", key)) for key in absent]
            assert strict or [entry[:2] for entry in found] == wanted
    # The client's name is a courtesy, and the version alone is set by the wire.
    known = {**body, "params": {**body["params"], "_meta": {CAPABILITIES_KEY: {}}}}
    assert emit(parse(type_, known, "2025-11-25"), NEWEST)["params"]["_meta"] == {
        CAPABILITIES_KEY: {},
        PROTOCOL_VERSION_KEY: NEWEST,
    }


def test_the_result_of_a_subscription_needs_its_id() -> None:
    for meta in (None, {}, {"x": 1}):
        for strict in (None, True, False):
            error = unsupported(types.SubscriptionsListenResult(_meta=meta), NEWEST, strict=strict)
            assert error.pointers == ("/_meta/io.modelcontextprotocol~1subscriptionId",)
    listened = types.SubscriptionsListenResult(_meta={SUBSCRIPTION_KEY: 0})
    assert emit(listened, NEWEST) == {"_meta": {SUBSCRIPTION_KEY: 0}, "resultType": "complete"}


def test_strict_validation_finds_the_rest() -> None:
    odd = types.CallToolResult(
        content=[types.TextContent(text="", annotations=types.Annotations(audience=["system"], priority=7))]
    )
    error = unsupported(odd, NEWEST)
    assert error.pointers == ("/content/0/annotations/audience/0", "/content/0/annotations/priority")
    assert emit(odd, NEWEST, strict=False)["content"][0]["annotations"] == {"audience": ["system"], "priority": 7}
    for version in OLDER:
        assert emit(odd, version)
        assert unsupported(odd, version, strict=True).pointers == error.pointers


# Serializing 7: envelopes.


@pytest.mark.parametrize("version", VERSIONS)
def test_envelope_models_are_dumped_as_they_are(version: str) -> None:
    frames: list[tuple[BaseModel, Any]] = [
        (types.JSONRPCResponse(jsonrpc="2.0", id="", result={}), {"jsonrpc": "2.0", "id": "", "result": {}}),
        (
            types.JSONRPCResponse(jsonrpc="2.0", id=0, result={"tools": [], "a": None, "n": 1.0}),
            {"jsonrpc": "2.0", "id": 0, "result": {"tools": [], "a": None, "n": 1.0}},
        ),
        (
            types.JSONRPCRequest(jsonrpc="2.0", id=2**70, method="initialize", params={"x": None}),
            {"jsonrpc": "2.0", "id": 2**70, "method": "initialize", "params": {"x": None}},
        ),
        (PLAIN["error frame"], {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}),
    ]
    for frame, expected in frames:
        for strict in (None, True, False):
            assert same(emit(frame, version, strict=strict), expected)


# Serializing 8: what is emitted is JSON.

NOT_JSON: dict[str, Any] = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "surrogate": "a\ud800b"}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", NOT_JSON)
def test_what_json_has_no_form_for_is_refused_with_its_path(name: str, version: str) -> None:
    value = NOT_JSON[name]
    models: list[tuple[Any, str]] = [
        (types.CallToolResult(content=[], structured_content={"m": [value]}), "/structuredContent/m/0"),
        (made(types.CallToolResult, content=[], vendor={"a/b": {"~": value}}), "/vendor/a~1b/~0"),
        (types.EmptyResult(_meta={"k": value}), "/_meta/k"),
        (types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": value}), "/result/a"),
        (types.JSONRPCError(jsonrpc="2.0", error=types.ErrorData(code=1, message="", data=value)), "/error/data"),
    ]
    if isinstance(value, float):
        progress = types.ProgressNotificationParams(progress_token=1, progress=value)
        models.append((types.ProgressNotification(params=progress), "/params/progress"))
    else:
        models.append((types.CallToolResult(content=[types.TextContent(text=value)]), "/content/0/text"))
    for model, pointer in models:
        for strict in (None, False):
            error = unsupported(model, version, strict=strict)
            assert error.pointers == (pointer,)
            assert pointer in str(error)


def test_the_words_nan_and_infinity_in_strings_are_json() -> None:
    words = {"content": [{"type": "text", "text": "NaN Infinity"}], "NaN": "-Infinity", "resultType": "complete"}
    for version in VERSIONS:
        assert returns(types.CallToolResult, words, version)


# Serializing 9: strictness is about the message, not about extras.


def test_older_and_unknown_members_pass_strict_emission() -> None:
    tool: Any = {"name": "t", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}, "x": 1}
    capabilities: Any = {"tasks": {"list": {}}, "elicitation": {}, "later": {}}
    answers: Any = {"a": {"action": "accept", "content": {"n": None, "f": 0.5}}}
    bodies: list[tuple[Any, Any]] = [
        (types.ListToolsResult, {"tools": [tool], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}),
        (
            types.ListToolsRequest,
            {"method": "tools/list", "params": {"_meta": {**META, CAPABILITIES_KEY: capabilities}}},
        ),
        (
            types.CallToolRequest,
            {
                "method": "tools/call",
                "params": {"name": "t", "task": {"ttl": 1}, "inputResponses": answers, "_meta": META},
            },
        ),
        (types.ElicitResult, {"action": "accept", "content": {"null": None, "halb": 0.5}}),
    ]
    for type_, body in bodies:
        assert same(emit(parse(type_, body, NEWEST), NEWEST, strict=True), body)


def test_what_the_schema_forbids_in_a_member_it_defines_is_refused_or_relayed() -> None:
    result = types.DiscoverResult(
        supported_versions=[], capabilities=types.ServerCapabilities(experimental={"x": 1}, extensions={"y": True})
    )
    assert unsupported(result, NEWEST).pointers == ("/capabilities/experimental/x", "/capabilities/extensions/y")
    assert emit(result, NEWEST, strict=False)["capabilities"] == {"experimental": {"x": 1}, "extensions": {"y": True}}


# Parsing 1: one lenient parse.


@pytest.mark.parametrize("version", [*VERSIONS, *UNKNOWN])
def test_parsing_is_lenient_at_every_version(version: str) -> None:
    blocks: Any = [
        {"type": "audio", "data": "", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "u", "name": "n", "x": {"y": None}},
    ]
    for structured in (None, 1, 1.5, "s", True, [1], {"a": 1}):
        body = {"content": blocks, "structuredContent": structured, "resultType": "complete", "neu": [None]}
        model = parse(types.CallToolResult, body, version)
        assert same(json.loads(model.model_dump_json(by_alias=True)), body)
        union = parse(types.ServerResult, body, version)
        assert union == model


@pytest.mark.parametrize("version", UNKNOWN)
def test_an_unknown_version_parses_without_mandates(version: str) -> None:
    assert parse(types.ListToolsRequest, {"method": "tools/list"}, version)
    assert parse(types.CallToolResult, {"content": [], "resultType": "acme"}, version).result_type == "acme"
    assert parse(types.InputRequiredResult, {"inputRequests": {"a": {}}}, version)
    with pytest.raises(wire.UnknownProtocolVersionError):
        wire.parse_as(types.EmptyResult, {}, version, strict=True)
    with pytest.raises(wire.UnknownProtocolVersionError):
        wire.parse_json(types.EmptyResult, "{}", version, strict=True)


# Parsing 2: the mandates.


@pytest.mark.parametrize("word", ["toolResult", "", "COMPLETE", "task", "complete "])
def test_an_unknown_result_type_is_refused_at_the_newest_revision(word: str) -> None:
    wanted = [("result_type_invalid", ("resultType",))]
    for type_, rest in (
        (types.CallToolResult, {"content": []}),
        (types.ServerResult, {"content": []}),
        (types.EmptyResult, {}),
        (types.ServerResult, {}),
        (types.InputRequiredResult, {"requestState": "s"}),
        (types.ListToolsResult, {"tools": []}),
        (AcmeResult, {}),
    ):
        body = {**rest, "resultType": word}
        assert [entry[:2] for entry in refusal(type_, body, NEWEST)] == wanted
        for version in OLDER:
            assert parse(type_, body, version).result_type == word


@pytest.mark.parametrize("word", [5, True, ["complete"], {}, 1.5])
def test_a_result_type_that_is_no_string_is_named_as_an_unknown_one(word: Any) -> None:
    body = {"content": [], "resultType": word}
    for type_, value, loc in (
        (types.CallToolResult, body, ()),
        (types.ServerResult, body, ()),
        (list[types.CallToolResult], [{"content": []}, body], (1,)),
    ):
        for strict in (False, True) if type_ is types.CallToolResult else (False,):
            found = refusal(type_, value, NEWEST, strict=strict)
            assert ("result_type_invalid", (*loc, "resultType")) in [entry[:2] for entry in found]
        for version in (*OLDER, "2031-01-01"):
            found = refusal(type_, value, version)
            assert [entry[:2] for entry in found] == [("literal_error", (*loc, "resultType"))]
    missing = refusal(types.CallToolResult, {"content": []}, NEWEST, strict=True)
    assert [entry[:2] for entry in missing] == [("missing", ("resultType",))]
    found = refusal(types.CallToolResult, {"content": 1, "resultType": word}, NEWEST)
    assert sorted(entry[:2] for entry in found) == [
        ("list_type", ("content",)),
        ("result_type_invalid", ("resultType",)),
    ]


@pytest.mark.parametrize("type_", [types.InputRequiredResult, types.ServerResult])
def test_a_null_for_the_type_of_a_question_is_as_good_as_none(type_: Any) -> None:
    body = {"requestState": "s", "resultType": None}
    for version in (*OLDER, NEWEST):
        model = parse(type_, body, version)
        assert emit(model, version) == {"requestState": "s", "resultType": "input_required"}
        assert parse(type_, emit(model, version), version) == model


def test_many_faults_in_a_list_of_content_are_told_as_such() -> None:
    content = [{"type": "text"}, {"type": "image", "data": ""}]
    body = {"model": "m", "role": "assistant", "content": content}
    wanted = [("missing", ("content", 0, "text")), ("missing", ("content", 1, "mimeType"))]
    for type_ in (types.CreateMessageResult, types.ClientResult):
        assert [entry[:2] for entry in refusal(type_, body, OLDER[-1])] == wanted
        bare = {key: value for key, value in body.items() if key != "model"}
        assert [entry[:2] for entry in refusal(type_, bare, OLDER[-1])] == [*wanted, ("missing", ("model",))]
        single = [entry[:2] for entry in refusal(type_, {**bare, "content": {"type": "text"}}, OLDER[-1])]
        assert single == [("missing", ("content", "text")), ("missing", ("model",))]


def test_an_absent_result_type_means_complete_and_stays_absent() -> None:
    for version in VERSIONS:
        model = parse(types.CallToolResult, {"content": []}, version)
        assert model.result_type is None
        assert parse(types.CallToolResult, {"content": [], "resultType": "complete"}, version).result_type == "complete"


def test_notifications_have_no_mandate() -> None:
    for fixture in read(NEWEST):
        if fixture.kind == "notification" and fixture.id.endswith("least"):
            assert parse(getattr(types, fixture.type), json.loads(fixture.text), NEWEST)


def test_an_embedded_request_without_method_is_missing_it_at_its_place() -> None:
    body: Any = {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}, "b": {"params": {}}}}
    for type_ in (types.InputRequiredResult, types.ServerResult, types.InputRequiredResult | types.CallToolResult):
        found = refusal(type_, body, NEWEST)
        assert [entry[:2] for entry in found] == [("missing", ("inputRequests", "b", "method"))]


SAMPLE: Any = {"params": {"messages": [], "maxTokens": 1}}


@pytest.mark.parametrize("version", [*OLDER, *UNKNOWN])
def test_below_it_is_the_first_arm_that_validates(version: str) -> None:
    arms = get_args(types.InputRequest)
    for request, method in ((SAMPLE, "sampling/createMessage"), ({}, "roots/list"), ({"x": 1}, "roots/list")):
        first = next(arm for arm in arms if _validates(arm, request))
        assert first.model_fields["method"].default == method
        model = parse(types.InputRequiredResult, {"inputRequests": {"a": request}}, version)
        assert type(model.input_requests["a"]) is first
        assert json.loads(model.model_dump_json(by_alias=True))["inputRequests"]["a"] == {**request, "method": method}


def _validates(arm: Any, request: Any) -> bool:
    try:
        arm.model_validate(request)
    except ValidationError:
        return False
    return True


# Parsing 3: unions.

TEXT = {"type": "text", "text": ""}


@pytest.mark.parametrize(
    ("union", "body", "name"),
    [
        (types.ServerResult, {"resultType": "input_required", "content": []}, "InputRequiredResult"),
        (types.ServerResult, {"resultType": "input_required"}, "InputRequiredResult"),
        (types.ServerResult, {"tools": [], "nextCursor": "c"}, "ListToolsResult"),
        (types.ServerResult, {"tools": []}, "ListToolsResult"),
        (types.ServerResult, {"content": [], "x": 1}, "CallToolResult"),
        (types.ServerResult, {"x": 1, "y": None}, "EmptyResult"),
        (types.ServerResult, {}, "EmptyResult"),
        (types.ServerResult, {"_meta": {"a": 1}, "resultType": "complete"}, "EmptyResult"),
        (types.ServerResult, {"messages": []}, "GetPromptResult"),
        (types.ServerResult, {"completion": {"values": []}}, "CompleteResult"),
        (types.ServerResult, {"contents": []}, "ReadResourceResult"),
        (types.ServerResult, {"supportedVersions": [], "capabilities": {}}, "DiscoverResult"),
        (types.ClientResult, {"roots": []}, "ListRootsResult"),
        (types.ClientResult, {"action": "cancel"}, "ElicitResult"),
        (types.ClientResult, {"role": "user", "model": "m", "content": TEXT}, "CreateMessageResult"),
        (
            types.ClientResult,
            {"role": "user", "model": "m", "content": [TEXT]},
            "CreateMessageResultWithTools",
        ),
        (types.ClientResult, {"x": 1}, "EmptyResult"),
        (types.ClientRequest, {"method": "tools/list", "params": {"_meta": META}}, "ListToolsRequest"),
        (
            types.ServerNotification,
            {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
            "ProgressNotification",
        ),
        (types.ContentBlock, {"type": "image", "data": "", "mimeType": ""}, "ImageContent"),
        (types.SamplingMessageContentBlock, {"type": "tool_use", "id": "", "name": "", "input": {}}, "ToolUseContent"),
    ],
)
def test_a_union_is_resolved(union: Any, body: Any, name: str) -> None:
    assert type(parse(union, body, NEWEST)).__name__ == name


def test_below_the_newest_revision_a_result_type_does_not_choose() -> None:
    body: Any = {"resultType": "input_required", "content": []}
    assert type(parse(types.ServerResult, body, "2025-11-25")) is types.CallToolResult
    assert type(parse(types.ServerResult, body, NEWEST)) is types.InputRequiredResult


def test_no_result_falls_back_to_an_arm_whose_members_are_all_optional() -> None:
    for body in each(
        {"tools": 5},
        {"tools": [{"name": "t"}]},
        {"content": [{"type": "text"}]},
        {"content": 5, "isError": True},
        {"resources": [{}], "nextCursor": "c"},
        {"completion": {}},
    ):
        (member, *_) = body
        for version in VERSIONS:
            found = refusal(types.ServerResult, body, version)
            assert found[0][1][0] == member, found
            assert len(found) <= 2


def test_the_next_arm_is_tried_where_the_best_rejects() -> None:
    task = {"taskId": "t", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}
    union = types.CreateTaskResult | types.CallToolResult
    assert type(parse(union, {"task": task}, "2025-11-25")) is types.CreateTaskResult
    assert type(parse(union, {"task": 5, "content": []}, "2025-11-25")) is types.CallToolResult


# Parsing 4: strict.


def test_strict_parsing_sees_every_violation() -> None:
    body = {
        "content": [{"type": "text", "text": "", "annotations": {"audience": ["x"], "priority": 2}}],
        "isError": False,
    }
    for version in VERSIONS:
        assert parse(types.CallToolResult, body, version)
        found = refusal(types.CallToolResult, body, version, strict=True)
        places = [entry[1] for entry in found]
        assert ("content", 0, "annotations", "audience", 0) in places
        assert ("content", 0, "annotations", "priority") in places
        assert (("resultType",) in places) == (version == NEWEST)


@pytest.mark.parametrize(
    ("type_", "body", "version"),
    [
        (
            types.ServerNotification,
            {"method": "notifications/message", "params": {"level": "x", "data": 1}},
            "2025-11-25",
        ),
        (types.ServerResult, {"content": [], "structuredContent": 1}, "2025-11-25"),
        (types.ContentBlock, {"type": "text", "text": "", "annotations": {"audience": ["x"]}}, "2025-11-25"),
        (types.CallToolResult, {"structuredContent": {}, "content": [], "resultType": 5}, "2025-11-25"),
        (types.ListToolsRequest, {"method": "tools/list", "params": {"_meta": {}}}, NEWEST),
        (types.PingRequest, {"method": "ping"}, NEWEST),
        (types.GetTaskRequest, {"method": "tasks/get", "params": {"taskId": ""}}, "2026-07-28"),
        (types.CallToolResult, {"content": []}, NEWEST),
        (types.Tool, {"name": "t", "inputSchema": {}}, NEWEST),
        (
            types.JSONRPCMessage,
            {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}, "result": None},
            NEWEST,
        ),
    ],
)
def test_strict_parsing_refuses(type_: Any, body: Any, version: str) -> None:
    if (type_, version) != (types.JSONRPCMessage, NEWEST):
        refusal(type_, body, version, strict=True)
        return
    parse(type_, body, version, strict=True)


def test_a_null_for_a_result_type_is_named_alike_however_the_target_is_spelt() -> None:
    body = {"tools": [], "ttlMs": 0, "cacheScope": "private", "resultType": None}
    for type_, value, loc in (
        (types.ListToolsResult, body, ()),
        (types.ListToolsResult | None, body, ()),
        (types.ServerResult, body, ()),
        (list[types.ListToolsResult], [body], (0,)),
        (dict[str, types.ListToolsResult], {"a": body}, ("a",)),
    ):
        found = refusal(type_, value, NEWEST, strict=True)
        assert [entry[:2] for entry in found] == [("result_type_invalid", (*loc, "resultType"))]


def test_the_mandates_hold_in_strict_parsing_too() -> None:
    # The surface takes any word, the mandate does not.
    found = refusal(types.CallToolResult, {"content": [], "resultType": "acme"}, NEWEST, strict=True)
    assert [entry[:2] for entry in found] == [("result_type_invalid", ("resultType",))]


# Parsing 5: see test_robustness.

# Settled questions.


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "frame",
    [
        {"id": 1, "method": "m", "result": {}},
        {"id": 1, "method": "m", "error": {"code": 1, "message": ""}},
        {"method": "m", "result": {}},
        {"id": 1, "result": {}, "error": {"code": 1, "message": ""}},
        {"id": 1},
        {},
        {"id": None, "method": "m"},
        {"id": True, "method": "m"},
        {"id": 1.5, "method": "m"},
        {"id": {}, "method": "m"},
        {"id": [1], "method": "m"},
        {"id": None, "result": {}},
        {"id": False, "result": {}},
        {"id": 0.5, "result": {}},
        {"result": {}},
        {"id": True, "error": {"code": 1, "message": ""}},
        {"id": {}, "error": {"code": 1, "message": ""}},
        {"id": 1, "method": 5},
        {"id": 1, "method": "m", "params": []},
        {"id": 1, "method": "m", "params": "p"},
        {"id": 1, "result": []},
        {"id": 1, "result": "r"},
        {"id": 1, "result": None},
        {"id": 1, "error": None},
        {"id": 1, "error": {"code": 1}},
        {"id": 1, "error": {"code": None, "message": ""}},
        {"id": 1, "error": []},
    ],
)
def test_ambiguous_and_malformed_frames_are_refused(frame: dict[str, Any], version: str) -> None:
    found = refusal(types.JSONRPCMessage, {"jsonrpc": "2.0", **frame}, version)
    assert 1 <= len(found) <= 2
    for bad in each("1.0", 2.0, None, "2", ""):
        refusal(types.JSONRPCMessage, {"jsonrpc": bad, "id": 1, "method": "m"}, version)
    refusal(types.JSONRPCMessage, {"id": 1, "method": "m"}, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_null_error_beside_a_result_is_a_result(version: str) -> None:
    frame = {"jsonrpc": "2.0", "id": 1, "result": {"a": 1}, "error": None}
    assert type(parse(types.JSONRPCMessage, frame, version)) is types.JSONRPCResponse
    assert returns(types.JSONRPCMessage, frame, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_error_frames_id_may_be_absent_or_null_and_which_is_kept(version: str) -> None:
    for ids in ({}, {"id": None}, {"id": 1}, {"id": "1"}, {"id": ""}, {"id": 0}, {"id": 1.0}):
        assert returns(types.JSONRPCMessage, {"jsonrpc": "2.0", **ids, "error": {"code": 1, "message": ""}}, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_hint_enums_are_open_and_meaningful_ones_closed(version: str) -> None:
    done = {"resultType": "complete"}
    annotated = {"type": "text", "text": "", "annotations": {"audience": ["system", "user"]}}
    kept = {"content": [annotated], **done}
    assert same(emit(parse(types.CallToolResult, kept, version), version, strict=False), kept)
    assert parse(types.CallToolResult, {"content": [annotated]}, version).content[0].annotations.audience[0] == "system"
    assert parse(types.Icon, {"src": "", "theme": "sepia"}, version).theme == "sepia"
    log = {"method": "notifications/message", "params": {"level": "trace", "data": None}}
    assert parse(types.LoggingMessageNotification, log, version).params.level == "trace"
    for type_, body in each(
        (types.ElicitResult, {"action": "reject"}),
        (types.CallToolResult, {"content": [{"type": "widget"}]}),
        (types.SetLevelRequest, {"method": "logging/setLevel", "params": {"level": "trace"}}),
        (types.PromptMessage, {"role": "system", "content": {"type": "text", "text": ""}}),
    ):
        assert len(refusal(type_, body, version)) == 1


def test_an_open_enum_takes_only_strings() -> None:
    for type_, body in each(
        (types.Icon, {"src": "", "theme": 1}),
        (types.Annotations, {"audience": [1]}),
        (types.LoggingMessageNotificationParams, {"level": None, "data": 1}),
    ):
        assert 1 <= len(refusal(type_, body, "2025-11-25")) <= 2


@pytest.mark.parametrize("version", VERSIONS)
def test_vendor_data_is_any_json_and_the_superset_has_no_limits(version: str) -> None:
    for value in each(None, 1, 1.0, "s", [1, None], {"a": {}}):
        capabilities = {"experimental": {"x": value}, "extensions": {"y": value}}
        for type_ in (types.ClientCapabilities, types.ServerCapabilities):
            assert returns(type_, capabilities, version)
    for type_, body in each(
        (types.Annotations, {"priority": 7}),
        (types.Annotations, {"priority": -0.5}),
        (types.Completion, {"values": ["v"] * 101, "total": -1}),
        (types.Resource, {"uri": "not a uri", "name": "", "size": -1}),
        (types.ModelPreferences, {"costPriority": 2}),
    ):
        assert returns(type_, body, version)


NULL_IS_DATA: list[tuple[Any, dict[str, Any], str]] = [
    (types.CallToolResult, {"content": []}, "structuredContent"),
    (types.ToolResultContent, {"type": "tool_result", "toolUseId": "t", "content": []}, "structuredContent"),
    (types.ErrorData, {"code": 1, "message": ""}, "data"),
    (types.Task, {"taskId": "", "status": "working", "createdAt": "", "lastUpdatedAt": ""}, "ttl"),
    (types.LoggingMessageNotificationParams, {"level": "info"}, "data"),
]


@pytest.mark.parametrize(("type_", "rest", "name"), NULL_IS_DATA)
def test_null_is_data_where_the_schema_admits_it(type_: Any, rest: dict[str, Any], name: str) -> None:
    body = {**rest, name: None}
    for version in VERSIONS:
        model = parse(type_, body, version)
        assert same(json.loads(model.model_dump_json(by_alias=True)), body)
        for twin in (copy.copy(model), copy.deepcopy(model), model.model_copy(), pickle.loads(pickle.dumps(model))):
            assert same(json.loads(twin.model_dump_json(by_alias=True)), body)
            assert twin == model


def test_elsewhere_null_means_absent() -> None:
    body = {
        "content": [{"type": "text", "text": "", "_meta": None, "annotations": None}],
        "isError": None,
        "_meta": None,
    }
    for version in OLDER:
        assert emit(parse(types.CallToolResult, body, version), version) == {"content": [{"type": "text", "text": ""}]}
    frame = {"jsonrpc": "2.0", "method": "m", "params": None}
    assert emit(parse(types.JSONRPCMessage, frame, "2025-11-25"), "2025-11-25") == {"jsonrpc": "2.0", "method": "m"}


def test_null_in_free_form_values_and_unknown_members_stays() -> None:
    nulls: Any = {"a": None, "b": [None, {"c": None}]}
    body = {
        "content": [{"type": "text", "text": "", "x": None, "_meta": nulls}],
        "structuredContent": nulls,
        "y": nulls,
    }
    for version in VERSIONS:
        assert returns(types.CallToolResult, {**body, "resultType": "complete", "_meta": nulls}, version)
    answers = {"action": "accept", "content": {"a": None}}
    assert returns(types.ElicitResult, answers, NEWEST)


@pytest.mark.parametrize("version", OLDER)
def test_a_field_that_is_absent_stays_absent(version: str) -> None:
    for fixture in read(version):
        if fixture.kind in ("request", "notification", "result") and " least" in fixture.id:
            assert same(json.loads(fixture.out), json.loads(fixture.text)), fixture.id


def test_models_that_differ_in_an_unknown_field_are_not_equal() -> None:
    for a, b in (({"y": 1}, {"y": 2}), ({"y": None}, {}), ({"y": {"z": [1]}}, {"y": {"z": [2]}})):
        left, right = (parse(types.CallToolResult, {"content": [], **more}, NEWEST) for more in (a, b))
        assert left != right
        frames = [{"jsonrpc": "2.0", "id": 1, "method": "m", **more} for more in (a, b)]
        assert parse(types.JSONRPCMessage, frames[0], NEWEST) != parse(types.JSONRPCMessage, frames[1], NEWEST)


@pytest.mark.parametrize("version", VERSIONS)
def test_numbers_ids_and_strings_keep_their_kind(version: str) -> None:
    done = {"resultType": "complete"}
    numbers = {
        "n": [1, 1.0, 0, 0.0, -0.0, False, 2**63, 2**64, 2**70, -(2**70), 1e22, 0.1, 1e-7],
        "s": ["1", "1.0", ""],
    }
    assert returns(types.CallToolResult, {"content": [], "structuredContent": numbers, **done}, version)
    for token in (1, "1", 0, "", 2**70, 1.0, -5):
        for progress, total in ((1, 1.0), (0.0, 0), (2**60, 1e300)):
            params = {"progressToken": token, "progress": progress, "total": total}
            assert returns(types.ProgressNotification, {"method": "notifications/progress", "params": params}, version)
        assert returns(types.JSONRPCMessage, {"jsonrpc": "2.0", "id": token, "method": "m"}, version)
        cancelled = {"method": "notifications/cancelled", "params": {"requestId": token}}
        assert returns(types.CancelledNotification, cancelled, version)
    for odd in ("file:///é x", "HTTP://A:80/../%7e", "", "2025-13-45", "QUI", "-_8=", "AA==\n"):
        contents = [{"uri": odd, "blob": odd, "mimeType": odd}, {"uri": odd, "text": odd}]
        kept = {"contents": contents, "ttlMs": 0, "cacheScope": "private", **done}
        assert returns(types.ReadResourceResult, kept, version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("bad", [True, False, 1.5, None, {}, [], 1e-9, 5e-324, 0.9999999999, 1.0000000001, 2**51 + 0.5])
def test_tokens_and_ids_of_the_wrong_kind_are_refused(bad: Any, version: str) -> None:
    params = {"progressToken": bad, "progress": 1}
    assert refusal(types.ProgressNotification, {"method": "notifications/progress", "params": params}, version)
    if bad is not None:
        cancelled = {"method": "notifications/cancelled", "params": {"requestId": bad}}
        assert refusal(types.CancelledNotification, cancelled, version)
        meta = {**META, "progressToken": bad}
        assert refusal(types.CallToolRequest, {"method": "tools/call", "params": {"name": "", "_meta": meta}}, version)


def test_python_names_on_the_wire_are_unknown_members_and_stay() -> None:
    body = {
        "is_error": True,
        "content": [],
        "structured_content": 1,
        "meta": 2,
        "result_type": 3,
        "resultType": "complete",
    }
    for version in VERSIONS:
        model = parse(types.CallToolResult, body, version)
        assert (model.is_error, model.structured_content, model.meta) == (None, None, None)
        assert same(emit(model, version), body)
    tool = {"name": "t", "input_schema": {"type": "object"}}
    assert [entry[:2] for entry in refusal(types.Tool, tool, NEWEST)] == [("missing", ("inputSchema",))]


@pytest.mark.parametrize("method", ["tools/call", "prompts/get", "resources/read"])
def test_a_result_that_no_arm_recognises_is_not_taken_for_an_input_required_one(method: str) -> None:
    union = wire.result_type(method, NEWEST, "server")
    for body in ({}, {"resultType": "complete"}, {"x": 1}):
        assert [entry[0] for entry in refusal(union, body, NEWEST)] == ["missing"], body
    for body in ({"requestState": "x"}, {"resultType": "input_required", "requestState": "x"}):
        assert type(parse(union, body, NEWEST)) is types.InputRequiredResult


def test_ties_of_a_union_go_by_its_order() -> None:
    task = {"taskId": "1", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}
    for first, second in ((types.GetTaskResult, types.CancelTaskResult), (types.CancelTaskResult, types.GetTaskResult)):
        assert type(parse(first | second, task, TASKS)) is first


def test_of_equally_good_arms_the_one_that_saw_more_is_heard() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": 5}]
    body = {"role": "user", "model": "m", "content": blocks}
    for type_ in (types.ClientResult, types.CreateMessageResult, types.InputResponse):
        assert [entry[:2] for entry in refusal(type_, body, TASKS)] == [("string_type", ("content", 1, "text"))]


def test_single_content_and_lists_are_told_apart() -> None:
    block = {"type": "text", "text": ""}
    single = {"role": "user", "model": "m", "content": block}
    listed = {**single, "content": [block]}
    for version in VERSIONS:
        assert returns(types.CreateMessageResult, single, version)
        assert returns(types.CreateMessageResultWithTools, single, version)
        assert returns(types.CreateMessageResultWithTools, listed, version)
        for content in (block, [block], [], [block, block]):
            assert returns(types.SamplingMessage, {"role": "user", "content": content}, version)


def test_a_frame_of_a_given_kind_is_told_by_its_structure_too() -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "m"}
    for version in VERSIONS:
        assert returns(types.JSONRPCRequest, request, version)
        for type_, frame in (
            (types.JSONRPCNotification, {**request, "id": True}),
            (types.JSONRPCNotification, request),
            (types.JSONRPCRequest, {**request, "result": {}}),
            (types.JSONRPCResponse, {**request, "result": {}}),
            (types.JSONRPCError, request),
        ):
            assert [entry[:2] for entry in refusal(type_, frame, version)] == [("frame_invalid", ())]


@pytest.mark.parametrize("size", [1, 900])
def test_a_text_of_any_length_is_read_strictly(size: int) -> None:
    tool = {"name": "a", "inputSchema": {"type": "object"}}
    call = {"method": "tools/call", "params": {"name": "a", "arguments": {"a": ["b" * 20] * size}}}
    assert returns(types.CallToolRequest, call, TASKS, strict=True)
    assert [entry[:2] for entry in refusal(types.CallToolRequest, [call] * size, TASKS, strict=True)] == [
        ("model_type", ())
    ]
    assert returns(types.ListToolsResult, {"tools": [tool] * size}, TASKS, strict=True)
    wrong = {"tools": [tool] * size + [{**tool, "inputSchema": {"type": "array"}}]}
    assert [entry[:2] for entry in refusal(types.ListToolsResult, wrong, TASKS, strict=True)] == [
        ("literal_error", ("tools", size, "inputSchema", "type"))
    ]
    assert returns(types.ListToolsResult, wrong, TASKS)


def test_strict_parsing_reaches_every_part() -> None:
    done = {"jsonrpc": "2.0", "id": 1, "result": {}}
    wrong = {"jsonrpc": "2.0", "error": {"code": 1.5, "message": "x"}}
    for batch in (types.JSONRPCMessage, types.JSONRPCBatchResponse):
        assert returns(batch, [done, done], BATCHES, strict=True)
        found = refusal(batch, [done, wrong, wrong], BATCHES, strict=True)
        assert {entry[1] for entry in found} == {(1, "error", "code"), (2, "error", "code")}
    unknown = {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}}
    for version in VERSIONS:
        assert returns(types.JSONRPCError, unknown, version)
        assert {entry[1] for entry in refusal(types.JSONRPCError, unknown, version, strict=True)} == {("id",)}
        assert returns(types.JSONRPCError, {**unknown, "id": 1}, version, strict=True)
    tool = {"name": "x", "inputSchema": {"type": "object"}}
    shown = {**tool, "icons": [{"src": "a:b", "theme": "odd"}]}
    assert [entry[:2] for entry in refusal(list[types.Tool], [tool, shown], NEWEST, strict=True)] == [
        ("literal_error", (1, "icons", 0, "theme"))
    ]
    asked = {"method": "elicitation/create", "params": {"message": "m", "mode": "form", "requestedSchema": {}}}
    places = [entry[1] for entry in refusal(types.InputRequests, {"a": asked}, NEWEST, strict=True)]
    assert places == [("a", "params", "requestedSchema", name) for name in ("properties", "type")]
    assert wire.parse_as(list[str], ["a"], NEWEST, strict=True) == ["a"]
    assert returns(types.TaskMetadata, {"ttl": 1}, TASKS, strict=True)
    assert [entry[:2] for entry in refusal(types.TaskMetadata, {"ttl": 1}, NEWEST, strict=True)] == [
        ("undefined_type", ())
    ]

    assert parse(Unrelated, {"method": "x"}, NEWEST, strict=True).method == "x"

    class MyTool(types.Tool):
        cost: int | None = None

    assert [entry[1] for entry in refusal(MyTool, {**tool, "inputSchema": {}}, NEWEST, strict=True)] == [
        ("inputSchema", "type")
    ]
    assert returns(MyTool, {**tool, "cost": 1}, NEWEST, strict=True)
    assert {entry[1] for entry in refusal(types.RequestMetaObject, {}, NEWEST, strict=True)} == {
        (CAPABILITIES_KEY,),
        (PROTOCOL_VERSION_KEY,),
    }


def test_a_frame_of_some_kinds_is_told_by_its_structure_too() -> None:
    asked = types.JSONRPCRequest | types.JSONRPCNotification
    for version in VERSIONS:
        assert returns(asked, {"jsonrpc": "2.0", "method": "m"}, version)
        bad = {"jsonrpc": "2.0", "id": True, "method": "m"}
        assert {entry[1] for entry in refusal(asked, bad, version)} == {("id",)}
        for frame in ({"jsonrpc": "2.0", "id": 1, "result": {}}, {**bad, "id": 1, "result": {}}):
            assert [entry[:2] for entry in refusal(asked, frame, version)] == [("frame_invalid", ())]


def test_a_kind_of_batch_is_read_where_there_may_be_batches() -> None:
    batches: list[tuple[Any, Any]] = [
        (types.JSONRPCBatchRequest, [{"jsonrpc": "2.0", "id": 1, "method": "m"}]),
        (types.JSONRPCBatchResponse, [{"jsonrpc": "2.0", "id": 1, "result": {}}]),
    ]
    for type_, batch in batches:
        assert returns(type_, batch, BATCHES)
        assert wire.parse_as(type_, batch, "2030-01-01") == wire.parse_as(type_, batch, BATCHES)
        for version in {*VERSIONS} - {BATCHES}:
            assert [entry[:2] for entry in refusal(type_, batch, version)] == [("frame_invalid", ())]


def test_an_element_that_is_no_frame_does_not_decide_what_a_batch_holds() -> None:
    done = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert [entry[:2] for entry in refusal(types.JSONRPCMessage, [{}, 5, done, done], BATCHES)] == [
        ("frame_invalid", (0,)),
        ("frame_invalid", (1,)),
    ]


def test_a_batch_that_is_refused_says_which_element_it_is_for() -> None:
    fine = types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")
    bad = types.JSONRPCNotification(jsonrpc="2.0", method="x", params={"a": math.nan})
    error = unsupported([fine, bad], BATCHES)
    assert (error.pointers, error.method) == (("/1/params/a",), "x")


@pytest.mark.parametrize("data", [memoryview(b"{}"), None, 5, [b"{}"]])
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_no_text_is_a_validation_error(data: Any, strict: bool) -> None:
    for version in VERSIONS:
        with pytest.raises(ValidationError):
            wire.parse_json(types.CallToolResult, data, version, strict=strict)


def test_batches_are_read_at_2025_03_26_only() -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    done = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert returns(types.JSONRPCMessage, [ping, {"jsonrpc": "2.0", "method": "n"}], "2025-03-26")
    assert returns(types.JSONRPCMessage, [done, done], "2025-03-26")
    for mixed in ([ping, done], [done, ping], [ping, 5], [[ping]], [ping, [ping]]):
        refusal(types.JSONRPCMessage, mixed, "2025-03-26")
    for version in (*VERSIONS, *UNKNOWN):
        if version != "2025-03-26":
            for batch in ([ping], [done], []):
                assert len(refusal(types.JSONRPCMessage, batch, version)) == 1


def test_calls_never_change_their_arguments() -> None:
    for version in VERSIONS:
        for fixture in read(version)[::7]:
            if fixture.kind in ("request", "notification", "result"):
                value = json.loads(fixture.text)
                model = wire.parse_as(getattr(types, fixture.type), value, version)
                assert json.dumps(value) == json.dumps(json.loads(fixture.text))
                twin = copy.deepcopy(model)
                fields = set(model.model_fields_set)
                out: Any = wire.serialize_for(model, version)
                out.clear()
                assert model == twin
                assert model.model_fields_set == fields


def test_a_result_of_serialize_for_shares_nothing_with_the_model() -> None:
    inner: Any = {"a": [1]}
    model = made(types.CallToolResult, content=[], structured_content=inner, x=inner)
    for version in VERSIONS:
        out: Any = wire.serialize_for(model, version)
        out["structuredContent"]["a"].append(2)
        out["x"]["a"].append(3)
        assert inner == {"a": [1]}


def test_a_method_less_request_that_fits_no_arm_lacks_its_method() -> None:
    for request in ({"params": 5}, {"params": {"_meta": 5}}):
        for version in (*OLDER, *UNKNOWN):
            for type_, body, place in (
                (types.InputRequiredResult, {"inputRequests": {"a": request}}, ("inputRequests", "a")),
                (types.InputRequest, request, ()),
                (types.InputRequests, {"a": request}, ("a",)),
            ):
                found = refusal(type_, body, version)
                assert len(found) <= 2
                assert all(entry[1][: len(place)] == place for entry in found), found


@pytest.mark.parametrize("version", [*OLDER, *UNKNOWN])
def test_method_less_requests_are_read_alone_and_in_maps(version: str) -> None:
    assert type(parse(types.InputRequest, SAMPLE, version)) is types.CreateMessageRequest
    read_ = parse(types.InputRequests, {"a": SAMPLE, "b": {"method": "roots/list"}}, version)
    assert [type(request).__name__ for request in read_.values()] == ["CreateMessageRequest", "ListRootsRequest"]


def test_method_less_requests_are_refused_at_the_newest_revision() -> None:
    assert [entry[:2] for entry in refusal(types.InputRequest, SAMPLE, NEWEST)] == [("missing", ("method",))]
    assert [entry[:2] for entry in refusal(types.InputRequests, {"a": SAMPLE}, NEWEST)] == [
        ("missing", ("a", "method"))
    ]


def test_strict_parsing_of_a_batch_looks_at_each_frame() -> None:
    good = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert len(parse(types.JSONRPCMessage, [good, good], "2025-03-26", strict=True)) == 2
    bad = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None}
    assert parse(types.JSONRPCMessage, [good, bad], "2025-03-26")
    refusal(types.JSONRPCMessage, [good, bad], "2025-03-26", strict=True)


def test_elicitation_params_without_a_mode_are_a_form() -> None:
    form = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}
    for more in ({}, {"url": "u"}, {"url": "u", "elicitationId": "e"}):
        body = {"method": "elicitation/create", "params": {**form, **more}}
        for version in VERSIONS:
            model = parse(types.ElicitRequest, body, version)
            assert type(model.params) is types.ElicitRequestFormParams
            assert same(emit(model, version), body)
    link = {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "u", "elicitationId": "e"}}
    for version in VERSIONS:
        assert returns(types.ElicitRequest, link, version)


@pytest.mark.parametrize("version", [None, 5, b"2026-07-28", ["2025-11-25"], {}])
def test_a_version_that_is_no_string_is_unknown(version: Any) -> None:
    frame = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    for call in (
        lambda: wire.dump_json(types.EmptyResult(), version),
        lambda: wire.serialize_for(types.EmptyResult(), version),
        lambda: wire.dump_json([types.JSONRPCRequest.model_validate(frame)], version),
        lambda: wire.parse_as(types.EmptyResult, {}, version, strict=True),
        lambda: wire.parse_json(types.JSONRPCMessage, json.dumps(frame), version, strict=True),
        lambda: wire.audit(types.EmptyResult(), version),
        lambda: wire.request_type("ping", version, "client"),
        lambda: wire.result_type("ping", version, "client"),
        lambda: wire.surface_for(version),
    ):
        with pytest.raises(wire.UnknownProtocolVersionError) as raised:
            call()
        assert len(str(raised.value)) < 300
    assert returns_at_no_version(types.ServerResult, {"resultType": "odd"}, version)
    assert returns_at_no_version(types.JSONRPCMessage, frame, version)


def returns_at_no_version(type_: Any, value: Any, version: Any) -> bool:
    """Whether `value` parses where the version is unknown, without mandates."""
    return bool(parse(type_, value, version) == parse(type_, value, NEWEST[:-1]))


def test_unknown_members_named_like_the_envelopes_pass() -> None:
    for more in each({"jsonrpc": "x"}, {"id": None}, {"jsonrpc": "2.0", "id": 1}, {"jsonrpc": [], "id": {}}):
        body = {"method": "notifications/cancelled", "params": {"requestId": 1}, **more}
        for version in VERSIONS:
            model = parse(types.CancelledNotification, body, version, strict=True)
            for strict in (None, True, False):
                assert same(emit(model, version, strict=strict), body)


@pytest.mark.parametrize("size", [10, 10_000])
def test_strict_emission_judges_texts_of_any_length(size: int) -> None:
    block = {
        "type": "text",
        "text": "x" * size,
        "annotations": {"priority": 1, "audience": ["user"]},
        "more": [None, 1.0],
    }
    for version in (TASKS, NEWEST):
        result = parse(types.CallToolResult, {"content": [block], "structuredContent": {"a": None}}, version)
        body = emit(result, version, strict=True)
        assert body["content"] == [block]
        assert body.get("resultType") == ("complete" if version == NEWEST else None)
        odd: Any = [types.TextContent(text="x" * size, annotations=types.Annotations(priority=2)), result.content[0]]
        refused = unsupported(result.model_copy(update={"content": odd}), version, strict=True)
        assert [finding.pointer for finding in refused.findings] == ["/content/0/annotations/priority"]
        pages = types.ListToolsResult(tools=[types.Tool(name="x" * size, input_schema={})])
        refused = unsupported(pages, version, strict=True)
        assert [finding.pointer for finding in refused.findings] == ["/tools/0/inputSchema/type"]
        counted = types.CompleteResult(completion=types.Completion(values=["x" * size], total=1))
        assert emit(counted, version, strict=True)["completion"]["total"] == 1
        counted.completion.total = True
        assert emit(counted, version, strict=False)["completion"]["total"] is True
        refused = unsupported(counted, version, strict=True)
        assert [finding.pointer for finding in refused.findings] == ["/completion/total"]


@pytest.mark.parametrize("size", [1, 10_000])
def test_what_stands_among_the_unknown_members_is_not_written_again(size: int) -> None:
    for name, kept in each(("resultType", "complete"), ("resultType", "task"), ("ttlMs", 7)):
        result = types.ListToolsResult(tools=[types.Tool(name="x" * size, input_schema={"type": "object"})])
        assert result.model_extra is not None
        result.model_extra[name] = kept
        assert emit(result, NEWEST, strict=False)[name] == kept
        result.model_extra[name] = None
        assert emit(result, NEWEST)[name] is not None
        assert wire.dump_json(result, NEWEST).count(b'"%b"' % name.encode()) == 1
