"""Message classes of a user's own: whatever they stand on, and however they spell their members."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections import OrderedDict, deque
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    VERSION,
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    FieldSerializationInfo,
    GetCoreSchemaHandler,
    RootModel,
    SerializerFunctionWrapHandler,
    ValidationError,
    computed_field,
    create_model,
    field_serializer,
    model_serializer,
)
from pydantic_core import core_schema
from typing_extensions import TypeAliasType

from mcp_surfaces import types, v2025_11_25, wire
from mcp_surfaces.base import MISSING, OLDER_PYDANTIC
from mcp_surfaces.mandates import Demands, enforce

from .support import (
    CAPABILITIES_KEY,
    META,
    NEWEST,
    OLDER,
    PROTOCOL_VERSION_KEY,
    SUBSCRIPTION_KEY,
    TASKS,
    VERSIONS,
    attempt,
    each,
    emit,
    made,
    parse,
    refusal,
    unsupported,
)

TASK: dict[str, Any] = {"taskId": "t", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}


class Page(types.PaginatedResult, types.CacheableResult):
    items: list[int]


class TaskAnswer(types.Task, types.Result):
    pass


class NamedRequest(types.BaseMetadata, types.Request[Any, Literal["acme/named"]]):
    method: Literal["acme/named"] = "acme/named"


class NamedNotification(types.Icons, types.Notification[Any, Literal["acme/named"]]):
    method: Literal["acme/named"] = "acme/named"


CALL: Any = Literal["acme/call"]
OtherCall: Any = create_model("OtherCall", __base__=types.CallToolRequest, method=(CALL, "acme/call"))


def test_a_message_is_what_any_of_its_bases_is() -> None:
    cached = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    assert emit(Page(items=[1]), NEWEST) == {"items": [1], **cached}
    assert emit(Page(items=[1], ttl_ms=5), NEWEST) == {"items": [1], **cached, "ttlMs": 5}
    assert emit(TaskAnswer.model_validate(TASK), NEWEST) == {**TASK, "resultType": "complete"}
    assert emit(NamedRequest(name="a", params=None), NEWEST) == {"method": "acme/named", "name": "a"}
    assert emit(NamedNotification(params=None), NEWEST) == {"method": "acme/named"}


def test_another_method_makes_another_request() -> None:
    call = OtherCall(params=types.CallToolRequestParams(name="a"))
    for version in VERSIONS:
        assert emit(call, version) == {"method": "acme/call", "params": {"name": "a"}}
        assert type(parse(OtherCall, {"method": "acme/call", "params": {"name": "a"}}, version)) is OtherCall


TypedMeta: Any = create_model(
    "TypedMeta",
    __base__=types.RequestParamsMeta,
    version=(str | None, Field(default=None, alias=PROTOCOL_VERSION_KEY)),
    capabilities=(Any, Field(default=None, alias=CAPABILITIES_KEY)),
)
OptionalMeta: Any = TypedMeta | None
TypedParams: Any = create_model(
    "TypedParams", __base__=types.CallToolRequestParams, meta=(OptionalMeta, Field(default=None, alias="_meta"))
)
TypedCall: Any = create_model("TypedCall", __base__=types.CallToolRequest, params=(TypedParams, ...))


class PlainParams(BaseModel):
    what: dict[str, Any] | None = Field(default=None, alias="_meta")


class PlainRequest(types.Request[PlainParams, Literal["acme/plain"]]):
    method: Literal["acme/plain"] = "acme/plain"


WHOLE_SUBCLASSES = pytest.mark.skipif(VERSION.startswith("2.12."), reason="a subclass is written as its base")


@WHOLE_SUBCLASSES
def test_reserved_keys_count_however_they_are_typed() -> None:
    meta = {PROTOCOL_VERSION_KEY: "1999-12-31", CAPABILITIES_KEY: {}}
    body = {"method": "tools/call", "params": {"name": "a", "_meta": meta}}
    assert emit(parse(TypedCall, body, NEWEST), NEWEST) == body
    call = types.CallToolRequest(params=types.CallToolRequestParams(name="a", _meta=TypedMeta.model_validate(meta)))
    assert wire.dump_json(call, NEWEST).count(PROTOCOL_VERSION_KEY.encode()) == 1
    assert emit(call, NEWEST) == body
    lacking = {"method": "tools/call", "params": {"name": "a", "_meta": {PROTOCOL_VERSION_KEY: "x"}}}
    assert [entry[:2] for entry in refusal(TypedCall, lacking, NEWEST)] == [
        ("missing_required_meta", ("params", "_meta", CAPABILITIES_KEY))
    ]


def test_a_plain_model_may_hold_the_meta_under_any_name() -> None:
    registry = wire.Registry().with_request(PlainRequest, types.EmptyResult, sender="client", meta=META)
    body = {"method": "acme/plain", "params": {"_meta": META}}
    request = parse(PlainRequest, body, NEWEST, registry=registry)
    assert emit(request, NEWEST, registry=registry) == body
    bare = PlainRequest(params=PlainParams.model_validate({"_meta": {CAPABILITIES_KEY: {}}}))
    assert emit(bare, NEWEST, registry=registry)["params"]["_meta"] == META


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int


class RichParams(types.RequestParams):
    when: datetime
    colour: Colour
    points: tuple[Point, ...] = ()
    by_number: dict[int, str] = Field(default_factory=dict[int, str])
    raw: bytes = b""


class RichRequest(types.Request[RichParams, Literal["acme/rich"]]):
    method: Literal["acme/rich"] = "acme/rich"


class Either(types.Result):
    value: datetime


@pytest.mark.parametrize("padding", [0, 40_000])
def test_both_forms_read_members_that_json_has_no_type_for(padding: int) -> None:
    params = {
        "when": "2026-11-30T00:00:00Z",
        "colour": "red",
        "points": [{"x": 1}],
        "by_number": {"1": "a"},
        "raw": "b",
        "pad": "x" * padding,
    }
    aliased = {name.replace("by_number", "byNumber"): value for name, value in params.items()}
    for version in VERSIONS:
        request = parse(RichRequest, {"method": "acme/rich", "params": aliased}, version)
        assert (request.params.colour, request.params.points) == (Colour.RED, (Point(1),))
        assert request.params.by_number == {1: "a"}
        assert type(parse(Either | types.EmptyResult, {"value": params["when"]}, version)) is Either
        wrong = {"method": "acme/rich", "params": {**aliased, "colour": "blue"}}
        assert [entry[:2] for entry in refusal(RichRequest, wrong, version)] == [("enum", ("params", "colour"))]
        assert refusal(RichRequest, [], version)[0][1] == ()


class Computed(types.CallToolResult):
    """A result with a member that is worked out when it is written."""

    @property
    def _share(self) -> float:
        return math.nan

    share = computed_field(_share)


class Shouted(types.Result):
    model_config = ConfigDict(alias_generator=str.upper)


class AnyType(types.Result):
    result_type: Any = None


@pytest.mark.parametrize("text", ["", "x" * 10_000])
@pytest.mark.parametrize("version", VERSIONS)
def test_nan_that_only_the_dump_shows_is_refused_too(text: str, version: str) -> None:
    content: Any = [types.TextContent(text=text)]
    assert unsupported(Computed(content=content), version).pointers == ("/share",)
    once = types.CallToolResult(content=content, structured_content=(number for number in [math.nan]))
    with pytest.raises(wire.UnsupportedAtVersionError) as caught:
        wire.dump_json(once, version)
    assert caught.value.pointers == ("/structuredContent/0",)


def test_nan_that_a_foreign_model_computes_is_refused_too() -> None:
    class Foreign(BaseModel):
        @property
        def _share(self) -> float:
            return math.nan

        share = computed_field(_share)

    for version in VERSIONS:
        result = types.CallToolResult(content=[], structured_content=Foreign())
        assert [finding.type for finding in unsupported(result, version).findings] == ["not_json"]


def test_members_may_be_spelt_and_typed_otherwise() -> None:
    assert emit(Shouted(), NEWEST) == {"resultType": "complete"}
    assert [entry[:2] for entry in refusal(AnyType, {"resultType": []}, NEWEST)] == [
        ("result_type_invalid", ("resultType",))
    ]
    assert parse(AnyType, {"resultType": []}, TASKS).result_type == []


def test_a_class_without_the_member_is_judged_by_what_was_sent() -> None:
    demands = Demands(result_type=True, readable=False, meta=())
    enforce(demands, types.BaseMetadata(name="a"), {"name": "a", "resultType": "complete"}, NEWEST, None)
    with pytest.raises(ValidationError, match="resultType"):
        enforce(demands, types.BaseMetadata(name="a"), {"name": "a", "resultType": "odd"}, NEWEST, None)


def test_a_copy_takes_wire_names_as_well() -> None:
    failed = types.CallToolResult(content=[], is_error=True)
    for name in ("isError", "is_error"):
        assert json.loads(wire.dump_json(failed.model_copy(update={name: False}), TASKS)) == {
            "content": [],
            "isError": False,
        }
    asked = types.CallToolResult(content=[]).model_copy(update={"resultType": "input_required", "x": 1})
    assert wire.dump_json(asked, NEWEST).count(b"resultType") == 1
    assert emit(asked, NEWEST, strict=False) == {"content": [], "resultType": "input_required", "x": 1}
    assert failed.model_copy() == failed


class JsonOnly(BaseModel):
    """A model that writes itself as JSON alone."""

    nothing: None = None
    number: float = 1.0

    @field_serializer("number", when_used="unless-none")
    def write(self, value: float, info: FieldSerializationInfo) -> float:
        if info.mode != "json":
            raise ValueError("as JSON alone")
        return value


def test_what_writes_itself_as_json_alone_is_written() -> None:
    for version in VERSIONS:
        result = types.CallToolResult(content=[], structured_content=JsonOnly(), result_type="complete")
        assert emit(result, version)["structuredContent"] == {"nothing": None, "number": 1.0}


class Bytes(types.Result):
    """A result that is written otherwise as Python values than as JSON."""

    model_config = ConfigDict(ser_json_bytes="base64")
    raw: bytes


class Spelt(BaseModel):
    """A model that has a word for NaN in JSON."""

    number: float = math.nan
    nothing: None = None

    @field_serializer("number", when_used="json")
    def write(self, value: float) -> str:
        return "n/a"


class Worded(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="strings")
    number: float = math.inf
    nothing: None = None


class Spot(BaseModel):
    model_config = ConfigDict(frozen=True)
    x: float


class Side(enum.Enum):
    LEFT = "left"


@pytest.mark.parametrize(
    ("container", "sent", "where"),
    [
        (set[Spot], '[{"x":1e400}]', "/items/0/x"),
        (frozenset[Spot], '[{"x":1e400}]', "/items/0/x"),
        (deque[Spot], '[{"x":1.0},{"x":1e400}]', "/items/1/x"),
        (dict[Side, Spot], '{"left":{"x":1e400}}', "/items/left/x"),
        (dict[bool, Spot], '{"true":{"x":1e400}}', "/items/true/x"),
        (dict[int, Spot], '{"1":{"x":1e400}}', "/items/1/x"),
    ],
)
def test_no_container_of_ones_own_makes_null_of_an_infinity(container: Any, sent: str, where: str) -> None:
    cls: Any = create_model("Own", __base__=types.Result, items=(container, ...))
    for version in VERSIONS:
        assert unsupported(wire.parse_json(cls, f'{{"items":{sent}}}', version), version).pointers == (where,)
        fine = sent.replace("1e400", "2.5")
        assert emit(wire.parse_json(cls, f'{{"items":{fine}}}', version), version)["items"] == json.loads(fine)


@pytest.mark.skipif(OLDER_PYDANTIC, reason="a model in a free-form value has no say in how it is written")
def test_null_elsewhere_makes_no_difference() -> None:
    for version in VERSIONS:
        raw = Bytes.model_validate({"raw": b"\xff", "x": None, "resultType": "complete"})
        assert emit(raw, version) == {"raw": "_w==", "x": None, "resultType": "complete"}
        result = types.CallToolResult(content=[], structured_content=[Spelt(), Worded()], result_type="complete")
        assert emit(result, version)["structuredContent"] == [
            {"number": "n/a", "nothing": None},
            {"number": "Infinity", "nothing": None},
        ]


class Serialized(types.Result):
    @model_serializer(mode="wrap")
    def write(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {**handler(self), "resultType": "task"}


class NoObject(types.Result):
    @model_serializer
    def write(self) -> list[str]:
        return ["a"]


class Counted(types.ListToolsResult):
    """A result that computes a member which the wire would supply."""

    @property
    def _age(self) -> int:
        return 7

    age = computed_field(alias="ttlMs")(_age)


Kind: Any = create_model("Kind", __base__=types.Result, result_type=(Any, Field(default="task", alias="kind")))


class Asking(types.InputRequiredResult):
    @model_serializer(mode="wrap")
    def write(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = handler(self)
        return written


def test_what_a_class_writes_itself_is_never_overwritten() -> None:
    assert wire.dump_json(Serialized(), NEWEST) == b'{"resultType":"task"}'
    cached = {"tools": [], "ttlMs": 7, "cacheScope": "private", "resultType": "complete"}
    assert wire.dump_json(Counted(tools=[]), NEWEST).count(b"ttlMs") == 1
    assert emit(Counted(tools=[]), NEWEST) == cached
    kind = wire.parse_as(Kind, {"resultType": "complete"}, NEWEST)
    assert emit(kind, NEWEST) == {"kind": "task", "resultType": "complete"}
    for strict in (True, False):
        assert unsupported(NoObject(), NEWEST, strict=strict).findings[0].type == "dict_type"
    assert emit(NoObject(), TASKS) == ["a"]
    assert unsupported(Asking(), NEWEST).findings[0].type == "missing"
    assert emit(Asking(request_state="s"), NEWEST) == {"requestState": "s", "resultType": "input_required"}


class Root(RootModel[dict[str, Any]]):
    pass


class RootRequest(types.Request[Root, Literal["acme/root"]]):
    method: Literal["acme/root"] = "acme/root"


class OwnMeta(RootModel[dict[str, Any]]):
    pass


OptionalOwnMeta: Any = OwnMeta | None
OwnMetaParams: Any = create_model(
    "OwnMetaParams", __base__=types.CallToolRequestParams, meta=(OptionalOwnMeta, Field(default=None, alias="_meta"))
)
Listened: Any = create_model(
    "Listened", __base__=types.SubscriptionsListenResult, meta=(OptionalOwnMeta, Field(default=None, alias="_meta"))
)


@WHOLE_SUBCLASSES
def test_reserved_keys_are_found_in_any_model() -> None:
    registry = wire.Registry().with_request(
        RootRequest, types.EmptyResult, sender="client", meta=[PROTOCOL_VERSION_KEY]
    )
    for params in each({"_meta": {PROTOCOL_VERSION_KEY: "mine"}}, {"a": 1, "_meta": {PROTOCOL_VERSION_KEY: "mine"}}):
        body = {"method": "acme/root", "params": params}
        assert emit(parse(RootRequest, body, NEWEST, registry=registry), NEWEST, registry=registry) == body
    for params in each({}, {"_meta": {}}, {"_meta": None}):
        body = {"method": "acme/root", "params": params}
        assert [entry[0] for entry in refusal(RootRequest, body, NEWEST, registry=registry)] == [
            "missing_required_meta"
        ]
    supplied = emit(RootRequest(params=Root({"a": 1})), NEWEST, registry=registry)
    assert supplied["params"] == {"a": 1, "_meta": {PROTOCOL_VERSION_KEY: NEWEST}}
    call = types.CallToolRequest(params=OwnMetaParams(name="a", meta=OwnMeta(META)))
    assert emit(call, NEWEST) == {"method": "tools/call", "params": {"name": "a", "_meta": META}}
    assert emit(Listened(meta=OwnMeta({SUBSCRIPTION_KEY: 1})), NEWEST)["_meta"] == {SUBSCRIPTION_KEY: 1}
    assert unsupported(Listened(meta=OwnMeta({})), NEWEST).findings[0].type == "missing_required_meta"


class Bare(types.Request[None, Literal["acme/bare"]]):
    method: Literal["acme/bare"] = "acme/bare"


MaybeNumber = TypeAliasType("MaybeNumber", int | None)
Nested: Any = Annotated[int | None, Field(ge=0)] | str
Lenient: Any = create_model(
    "Lenient",
    __base__=types.Result,
    aliased=(MaybeNumber, None),
    nested=(Nested, None),
    listed=(list[None], Field(default_factory=list[None])),
)


def test_whatever_admits_none_is_absent_while_it_is_none() -> None:
    for version in VERSIONS:
        assert emit(parse(Bare, {"method": "acme/bare"}, version), version) == {"method": "acme/bare"}
    assert emit(Lenient(), TASKS) == {"listed": []}


class Asks(types.Result):
    """A result of a user's own with a member that is called as one of the protocol's."""

    input_requests: dict[str, dict[str, Any]]


def test_a_member_is_not_taken_for_one_of_the_protocol() -> None:
    body = {"inputRequests": {"a": {"x": 1}}, "resultType": "complete"}
    for version in VERSIONS:
        assert emit(parse(Asks, body, version), version) == body


class OwnSampling(types.CreateMessageRequest):
    pass


class OwnAnswers(types.ElicitResult):
    pass


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_errors_of_own_classes_have_the_places_of_the_input(version: str) -> None:
    content = {"type": "text", "text": "", "annotations": ""}
    body = {
        "method": "sampling/createMessage",
        "params": {"maxTokens": 1, "messages": [{"role": "user", "content": content}]},
    }
    for request in (types.CreateMessageRequest, OwnSampling):
        places = [entry[:2] for entry in refusal(request, body, version)]
        assert places == [("model_type", ("params", "messages", 0, "content", "annotations"))]
    answers = {"action": "accept", "content": {"a": {"str": 1, "bool": 2, "int": 3, "float": 4, "list[str]": 5}}}
    assert refusal(OwnAnswers, answers, version) == refusal(types.ElicitResult, answers, version)
    rich = {"method": "acme/rich", "params": {"when": "2026-11-30T00:00:00Z", "colour": "red", "points": [{"x": "1"}]}}
    assert [entry[1] for entry in refusal(RichRequest, rich, version)] == [("params", "points", 0, "x")]


class Aliased(types.Result):
    many: int | None = Field(default=None, validation_alias=AliasChoices("a", AliasPath("b", 0)))


def test_arms_are_recognised_by_every_name_they_read() -> None:
    union = Aliased | types.EmptyResult
    for body, cls in (({"a": 1}, Aliased), ({"b": [1]}, Aliased), ({"c": 1}, types.EmptyResult)):
        assert type(parse(union, body, TASKS)) is cls


class Both(types.CacheableResult, types.SubscriptionsListenResult):
    pass


class Gone(types.CacheableResult, types.EmptyResult, types.CancelTaskResult):
    pass


def test_all_bases_demand() -> None:
    assert unsupported(Both(), NEWEST).findings[0].type == "missing_required_meta"
    assert unsupported(Gone.model_validate(TASK), NEWEST).findings[0].type == "undefined_type"
    assert emit(Gone.model_validate(TASK), TASKS) == TASK


def test_a_member_that_is_null_by_its_own_rule_is_not_written_twice() -> None:
    nullable: Any = (str | None, ...)
    required: Any = create_model("Required", __base__=types.CallToolResult, result_type=nullable)

    class Excluded(types.CallToolResult):
        result_type: str | None = Field(default=None, exclude_if=lambda value: value == "nothing")

    cached: Any = create_model("Cached", __base__=types.ListToolsResult, ttl_ms=(int | None, ...))
    unset: Any = (str | MISSING | None, MISSING)
    missing: Any = create_model("Missing", __base__=types.CallToolResult, result_type=unset)
    for message in (
        required(content=[], result_type=None),
        Excluded(content=[], result_type=None),
        cached(tools=[], ttl_ms=None),
        missing(content=[], result_type=None),
        missing(content=[]),
        types.InputRequiredResult(request_state="s").model_copy(update={"result_type": None}),
    ):
        for strict in (True, False):
            text = wire.dump_json(message, NEWEST, strict=strict)
            pairs: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
            names = [name for name, _ in pairs]
            assert len(names) == len({*names})
            assert dict(pairs)["resultType"] in ("complete", "input_required")
            assert emit(message, NEWEST, strict=strict)


class Odd(types.ProgressNotification):
    """Writes itself as whatever `odd` holds."""

    @model_serializer
    def write(self) -> Any:
        return ODD[0]


ODD: list[Any] = [None]


def test_what_is_no_object_or_lacks_its_method_is_refused_by_name() -> None:
    notification = Odd(params=types.ProgressNotificationParams(progress_token=1, progress=1))
    for odd in ({}, [], [1], "abc", 5, {"method": 5}):
        ODD[0] = odd
        for version in VERSIONS:
            assert unsupported(notification, version, strict=True).findings

    class Listed(types.CallToolResult):
        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
            schema: Any = handler(source)
            return {**schema, "serialization": core_schema.plain_serializer_function_ser_schema(lambda _: [1])}

    for strict in (True, False):
        assert unsupported(Listed(content=[]), NEWEST, strict=strict).findings[0].type == "dict_type"
    request = types.ListToolsRequest(params=types.PaginatedRequestParams.model_validate({"_meta": META}))
    del request.method
    told = types.ToolListChangedNotification()
    del told.method
    for message in (request, told):
        assert {finding.pointer for finding in unsupported(message, NEWEST, strict=True).findings} == {"/method"}
    bare = types.ListToolsRequest(params=types.PaginatedRequestParams.model_validate({"_meta": {CAPABILITIES_KEY: {}}}))
    del bare.method
    assert "method" not in emit(bare, NEWEST, strict=False)
    assert unsupported(bare, NEWEST).findings


def test_an_object_that_only_looks_like_a_model_is_refused_by_name() -> None:
    result = types.InitializeResult(
        protocol_version=TASKS,
        capabilities=types.ServerCapabilities(),
        server_info=types.Implementation(name="a", version="1"),
    )
    vars(result)["capabilities"] = OrderedDict[str, Any]()
    for version in VERSIONS[:-1]:
        assert unsupported(result, version).findings
    listed = types.ListToolsResult(tools=[]).model_copy(update={"meta": wire.Finding("a", "b", "c")})
    for strict in (True, False):
        found = attempt(partial(wire.dump_json, listed, NEWEST, strict=strict), wire.UnsupportedAtVersionError)
        assert strict == isinstance(found, wire.UnsupportedAtVersionError)


def test_classes_of_an_exact_surface_are_none_of_the_wire() -> None:
    for cls in (v2025_11_25.Result, v2025_11_25.EmptyResult, v2025_11_25.CallToolResult):
        for version in VERSIONS:
            message = cls.model_validate({"content": []})
            with pytest.raises(TypeError):
                wire.dump_json(message, version)
            assert type(parse(cls, {"content": []}, version)) is cls


class Found(types.Result):
    """Has nothing that must be there."""

    hits: list[str] | None = None


class Nothing(types.EmptyResult):
    """A user's own."""


class OwnError(types.JSONRPCError):
    """A user's own."""


class Question(types.InputRequiredResult):
    """A user's own, with a member of its own."""

    why: str | None = None


def test_an_own_question_is_told_as_the_protocols_is() -> None:
    answer: Any = types.CallToolResult | Question
    asked = {"content": [], "resultType": "input_required", "requestState": "s", "why": "x"}
    assert type(parse(answer, asked, NEWEST)) is Question
    assert type(parse(answer, {**asked, "resultType": "complete"}, NEWEST)) is types.CallToolResult
    assert emit(parse(answer, asked, NEWEST), NEWEST) == asked
    assert type(parse(Question | Found, {}, NEWEST)) is Found
    assert type(parse(Found | Nothing, {}, NEWEST)) is Nothing


def test_strictly_a_frame_of_ones_own_is_what_it_stands_on() -> None:
    value = {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": ""}}
    for version in VERSIONS:
        assert type(parse(OwnError, value, version)) is OwnError
        assert refusal(OwnError, value, version, strict=True) == refusal(
            types.JSONRPCError, value, version, strict=True
        )


def test_a_paginated_request_itself_is_what_its_definition_says() -> None:
    asked = {"method": "x", "params": {"cursor": None}}
    for version in OLDER:
        assert type(parse(types.PaginatedRequest, asked, version)) is types.PaginatedRequest
        assert [loc for _, loc, _ in refusal(types.PaginatedRequest, asked, version, strict=True)] == [
            ("params", "cursor")
        ]
    meta: dict[str, Any] = {CAPABILITIES_KEY: {}}
    bare = types.PaginatedRequest(method="x")
    assert unsupported(bare, NEWEST).pointers == ("/params/_meta/io.modelcontextprotocol~1clientCapabilities",)
    paged = made(types.PaginatedRequest, method="x", params={"_meta": meta})
    assert len(emit(paged, NEWEST)["params"]["_meta"]) == 2
