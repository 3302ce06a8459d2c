"""Types around the public ones, an alias, a list, `| None`: what stands beneath is read as if it stood alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Annotated, Any, Optional

import pytest
from pydantic import AfterValidator, BaseModel, TypeAdapter, ValidationError
from typing_extensions import Doc, TypeAliasType, TypedDict

from mcp_surfaces import types, wire
from mcp_surfaces.types import JSONRPCMessage

from .support import BATCHES, NEWEST, OLDER, TASKS, VERSIONS, attempt, each, entries, parse, refusal, returns

alias: Any = TypeAliasType
optional: Any = Optional

WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "alias": lambda type_: alias("Alias", type_),
    "alias of an alias": lambda type_: alias("Alias", alias("Inner", type_)),
    "note": lambda type_: Annotated[type_, "a note"],
    "doc": lambda type_: Annotated[type_, Doc("a note")],
    "optional": lambda type_: optional[type_],
    "optional alias": lambda type_: alias("Alias", type_) | None,
}
CASES: list[tuple[Any, Any, str]] = [
    (JSONRPCMessage, {"jsonrpc": "2.0", "id": True, "method": "x"}, NEWEST),
    (JSONRPCMessage, {"jsonrpc": "2.0", "id": None, "method": "x"}, TASKS),
    (
        JSONRPCMessage,
        {"jsonrpc": "2.0", "id": 1, "method": "x", "result": {}, "error": {"code": 1, "message": ""}},
        NEWEST,
    ),
    (JSONRPCMessage, [{"jsonrpc": "2.0", "id": 1, "method": "x"}], NEWEST),
    (JSONRPCMessage, [{"jsonrpc": "2.0", "id": 1, "method": "x"}], BATCHES),
    (list[JSONRPCMessage], [{"jsonrpc": "2.0", "id": 1, "method": "x"}], NEWEST),
    (list[JSONRPCMessage], [{"jsonrpc": "2.0", "id": 1, "method": "x"}], BATCHES),
    (types.ServerResult, {"tools": "x"}, TASKS),
    (types.ServerResult, {}, TASKS),
    (
        types.CallToolResult | types.InputRequiredResult,
        {"resultType": "input_required", "requestState": "s", "content": []},
        NEWEST,
    ),
    (types.CallToolResult, {"content": [], "resultType": "odd"}, NEWEST),
    (types.CallToolResult, {"content": [], "resultType": "odd"}, TASKS),
    (types.InputRequests, {"a": {"params": {"message": "m", "mode": "form", "requestedSchema": {}}}}, TASKS),
    (types.ContentBlock, {"type": "text", "text": 1}, TASKS),
    (types.ContentBlock, {"type": "text", "text": "a"}, TASKS),
    (dict[str, types.Tool], {"a": {"name": "x", "inputSchema": {}}}, TASKS),
    (dict[str, types.Tool], [], TASKS),
]


def told(type_: Any, value: Any, version: str, **options: Any) -> Any:
    """What comes of a parse: the model and its class, or the entries of the error."""
    found = attempt(lambda: parse(type_, value, version, **options))
    return entries(found) if isinstance(found, ValidationError) else (type(found), repr(found))


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize(("type_", "value", "version"), CASES)
def test_beneath_is_read_as_if_alone(type_: Any, value: Any, version: str, wrapper: str) -> None:
    assert told(WRAPPERS[wrapper](type_), value, version) == told(type_, value, version)
    strictly, wrapped = (told(one, value, version, strict=True) for one in (type_, WRAPPERS[wrapper](type_)))
    assert wrapped == strictly or (isinstance(wrapped, list) and isinstance(strictly, list))


@pytest.mark.parametrize(("type_", "value", "version"), [case for case in CASES if case[0] != JSONRPCMessage])
def test_elements_are_read_as_if_alone(type_: Any, value: Any, version: str) -> None:
    alone = attempt(lambda: parse(type_, value, version))
    for container, whole, key in ((list[type_], [value], 0), (dict[str, type_], {"k": value}, "k")):
        found = attempt(partial(parse, container, whole, version))
        if isinstance(alone, ValidationError):
            assert entries(found) == [(kind, (key, *loc), text) for kind, loc, text in entries(alone)]
        else:
            assert found[key] == alone
            assert type(found[key]) is type(alone)


def test_none_is_taken_where_it_is_admitted() -> None:
    for wrapper in ("optional", "optional alias"):
        assert parse(WRAPPERS[wrapper](types.ServerResult), None, TASKS) is None
        assert parse(WRAPPERS[wrapper](JSONRPCMessage), None, NEWEST, strict=True) is None
    assert refusal(WRAPPERS["alias"](types.CallToolResult), None, TASKS)
    assert refusal(list[types.CallToolResult], {"content": []}, TASKS)[0][:2] == ("list_type", ())
    assert refusal(dict[str, types.CallToolResult], [], TASKS)[0][:2] == ("dict_type", ())
    with pytest.raises(ValidationError):
        wire.parse_as(dict[str, types.CallToolResult], {1: {"content": []}}, TASKS)


def test_what_holds_no_models_is_left_to_pydantic() -> None:
    for type_, value in (
        (list[int], [1]),
        (dict[str, Any], {"a": [None]}),
        (int | None, None),
        (types.JSONValue, [{}]),
    ):
        assert parse(type_, value, NEWEST) == value


@pytest.mark.skipif(sys.version_info < (3, 12), reason="an alias can only hold itself where it is evaluated lazily")
def test_an_alias_may_hold_itself() -> None:
    names: dict[str, Any] = {}
    exec("type Tree = dict[str, Tree]", names)
    assert parse(names["Tree"], {"a": {"b": {}}}, NEWEST) == {"a": {"b": {}}}


def test_a_frame_is_of_one_kind_wherever_it_stands() -> None:
    class Log(BaseModel):
        frame: JSONRPCMessage

    class Mine(types.JSONRPCNotification):
        pass

    bad: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": True, "method": "x"},
        {"jsonrpc": "2.0", "id": None, "method": "x"},
        {"jsonrpc": "2.0", "id": 1, "method": "x", "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}, "result": {}},
    ]
    adapter: TypeAdapter[Any] = TypeAdapter(JSONRPCMessage)
    for frame in bad:
        for version in VERSIONS:
            assert refusal(Mine, frame, version)
            assert refusal(Log, {"frame": frame}, version)
        with pytest.raises(ValidationError):
            adapter.validate_python(frame)
    assert adapter.validate_python({"jsonrpc": "2.0", "id": 1, "method": "x", "result": None}).method == "x"
    assert returns(Mine, {"jsonrpc": "2.0", "method": "x", "more": 1}, NEWEST)
    with pytest.raises(ValidationError, match="frame_invalid"):
        types.JSONRPCNotification.model_validate({"jsonrpc": "2.0", "method": "x", "id": 1})
    with pytest.raises(ValidationError, match="id\n  Field required"):
        types.JSONRPCRequest.model_validate({"jsonrpc": "2.0", "method": "x"})


def test_a_list_of_frames_is_a_batch() -> None:
    asked, told_, done = (
        {"jsonrpc": "2.0", "id": 1, "method": "x"},
        {"jsonrpc": "2.0", "method": "x"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    )
    for type_ in (list[JSONRPCMessage], types.JSONRPCBatchRequest, list[types.JSONRPCRequest]):
        assert returns(type_, [asked, asked], BATCHES)
        assert [entry[:2] for entry in refusal(type_, [asked, done], BATCHES)] == [("frame_invalid", (1,))]
        for version in {*VERSIONS} - {BATCHES}:
            assert [entry[:2] for entry in refusal(type_, [asked], version)] == [("frame_invalid", ())]
    assert returns(list[JSONRPCMessage], [done], BATCHES)
    assert [entry[:2] for entry in refusal(list[types.JSONRPCRequest], [asked, told_], BATCHES)] == [
        ("frame_invalid", (1,))
    ]
    assert refusal(types.JSONRPCBatchResponse, [asked], BATCHES)
    assert refusal(types.JSONRPCBatchResponse, {}, BATCHES)[0][:2] == ("list_type", ())


def test_many_bad_elements_end_the_reading() -> None:
    class Counted(BaseModel):
        x: int

    for type_, value in (
        (JSONRPCMessage, [{"jsonrpc": "2.0", "method": "x"}, *[{}] * 5_000]),
        (list[Counted], [{}] * 5_000),
    ):
        for strict in (False, True):
            found = refusal(type_, value, BATCHES, strict=strict)
            assert len(found) == 100
            assert found[-1] == ("too_many_errors", (), "and more")
            assert found[0][1][0] == (1 if type_ == JSONRPCMessage else 0)
    assert len(refusal(list[Counted], [{}] * 99, BATCHES)) == 99


def test_the_order_of_a_union_counts_whatever_was_read_before() -> None:
    class P(BaseModel):
        x: int

    class Q(BaseModel):
        x: int

    pair: Any = tuple
    many: Any = list
    for type_, cls in ((P | Q, P), (Q | P, Q), (P | Q, P)):
        assert type(parse(type_, {"x": 1}, TASKS)) is cls
        assert type(parse(many[type_], [{"x": 1}], TASKS)[0]) is cls
        assert type(parse(pair[type_, int], [{"x": 1}, 1], TASKS)[0]) is cls


def test_a_class_of_ones_own_reads_strings_its_way_in_any_wrapper() -> None:
    class Dated(types.Result):
        when: date

    body = {"when": "2026-01-01"}
    day = date(2026, 1, 1)
    assert parse(Dated, body, TASKS).when == day
    assert refusal(Dated, "2026-01-01", TASKS)
    for type_ in (Dated | None, Annotated[Dated, "note"], alias("Alias", Dated), Dated | types.EmptyResult):
        assert parse(type_, body, TASKS).when == day
    assert parse(list[Dated], [body], TASKS)[0].when == day
    assert parse(dict[str, Dated], {"a": body}, TASKS)["a"].when == day
    assert parse(tuple[Dated, ...], [body], TASKS)[0].when == day


@pytest.mark.parametrize("size", [10, 40_000])
def test_what_is_no_text_is_refused_at_any_length(size: int) -> None:
    things: list[Any] = [[0] * size, memoryview(b" " * size), dict.fromkeys(range(size)), (0,) * size]
    for thing in things:
        for type_ in (types.CallToolResult, types.ListToolsResult, JSONRPCMessage):
            with pytest.raises(ValidationError) as raised:
                wire.parse_json(type_, thing, TASKS)
            assert [entry["type"] for entry in raised.value.errors()] == ["json_type"]


def test_texts_and_values_agree_about_elements() -> None:
    body = {"content": [{"type": "text", "text": "x" * 40_000}], "resultType": "odd"}
    for version in OLDER:
        assert wire.parse_json(list[types.CallToolResult], json.dumps([body]), version)
    assert refusal(list[types.CallToolResult], [body], NEWEST)[0][:2] == ("result_type_invalid", (0, "resultType"))


def test_a_frame_or_a_batch_is_told_by_its_structure() -> None:
    asked, done = {"jsonrpc": "2.0", "id": 1, "method": "x"}, {"jsonrpc": "2.0", "id": 1, "result": {}}
    either: list[Any] = [
        JSONRPCMessage | list[JSONRPCMessage],
        JSONRPCMessage | types.JSONRPCBatchRequest | types.JSONRPCBatchResponse,
    ]
    for type_ in either:
        for version in VERSIONS:
            assert returns(type_, asked, version, strict=True)
            assert refusal(type_, {**asked, "id": True}, version)
            assert refusal(type_, 5, version)
            if version != BATCHES:
                assert [entry[:2] for entry in refusal(type_, [asked], version)] == [("frame_invalid", ())]
        assert returns(type_, [asked, asked], BATCHES, strict=True)
        assert returns(type_, [done], BATCHES)
        assert [entry[:2] for entry in refusal(type_, [asked, done], BATCHES)] == [("frame_invalid", (1,))]
        assert {entry[1] for entry in refusal(type_, [asked, {**asked, "id": True}], BATCHES)} == {(1, "id")}
    assert refusal(types.JSONRPCBatchRequest | types.JSONRPCBatchResponse, [asked], NEWEST)


def test_validators_of_ones_own_on_a_frame_run() -> None:
    def never(frame: types.JSONRPCRequest) -> types.JSONRPCRequest:
        raise ValueError

    asked = {"jsonrpc": "2.0", "id": 1, "method": "x"}
    guarded: Any = Annotated[types.JSONRPCRequest, AfterValidator(never)]
    for version in VERSIONS:
        assert refusal(guarded, asked, version)
        assert refusal(list[guarded], [asked], version)


def test_a_result_that_echoes_a_member_is_not_taken_for_a_question() -> None:
    body = {"content": [], "requestState": "x"}
    for method in ("tools/call", "prompts/get", "resources/read"):
        known = {"tools/call": "content", "prompts/get": "messages", "resources/read": "contents"}[method]
        answer = wire.result_type(method, NEWEST, "server")
        for more in ({}, {"resultType": "complete"}):
            sent = {known: [], "requestState": "x", **more}
            assert type(parse(answer, sent, NEWEST)) is not types.InputRequiredResult
        assert type(parse(answer, {"requestState": "x"}, NEWEST)) is types.InputRequiredResult
    for version in VERSIONS:
        assert returns(types.ServerResult, {**body, "inputRequests": {}, "resultType": "complete"}, version)
        assert type(parse(types.ServerResult, body, version)) is types.CallToolResult
        assert type(parse(types.ServerResult, {**body, "inputRequests": {}}, version)) is types.InputRequiredResult


def test_a_question_is_no_way_out_for_a_bad_result() -> None:
    block: dict[str, Any] = {"content": [{"type": "widget"}], "requestState": "s"}
    answer: Any = wire.result_type("tools/call", NEWEST, "server")
    for type_ in each(answer, types.ServerResult):
        for version in VERSIONS:
            for more in ({}, {"resultType": "complete"}):
                ((kind, loc, _),) = refusal(type_, {**block, **more}, version)
                assert (kind, loc) == ("union_tag_invalid", ("content", 0))
    asked = {"requestState": "s", "inputRequests": {}, "content": []}
    assert type(parse(answer, asked, NEWEST)) is types.InputRequiredResult


def test_expected_tags_are_told_in_the_order_of_the_union() -> None:
    one, other = types.TextContent | types.ImageContent, types.ImageContent | types.TextContent
    texts = [refusal(union, {"type": "odd"}, NEWEST)[0][2] for union in each(one, other, one)]
    assert texts[0] == texts[2] != texts[1]


def test_free_form_values_are_not_walked() -> None:
    class Sized(TypedDict):
        x: int

    def nested(depth: int) -> Any:
        value: Any = 0
        for _ in range(depth):
            value = {"a": [value]} if depth % 2 else {"a": value}
        return value

    def beneath(frames: int, call: Callable[[], Any]) -> Any:
        return call() if frames == 0 else beneath(frames - 1, call)

    for type_ in (types.JSONObject, types.JSONValue, dict[str, Any]):
        value = nested(150)
        assert beneath(400, partial(wire.parse_as, type_, value, TASKS)) == value
    assert parse(Sized, {"x": 1, "y": 2}, TASKS) == {"x": 1}
    first: Any = Annotated[list[types.ModelHint], AfterValidator(lambda hints: hints[:1])]
    assert len(parse(first, [{"name": "a"}, {"name": "b"}], TASKS)) == 1
    assert [*wire.parse_as(dict[int, types.ModelHint], {"1": {"name": "a"}}, TASKS)] == [1]


def test_a_batch_type_is_one_in_any_wrapper() -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "x"}
    for type_ in (types.JSONRPCBatchRequest, JSONRPCMessage | types.JSONRPCBatchRequest):
        for wrapper in WRAPPERS.values():
            assert parse(wrapper(type_), [asked], BATCHES, strict=True) == parse(type_, [asked], BATCHES)
            for version in {*VERSIONS} - {BATCHES}:
                assert refusal(wrapper(type_), [asked], version) == refusal(type_, [asked], version)


def test_a_list_of_what_has_notes_needs_no_frames() -> None:
    program = (
        "import sys; from typing import Annotated; from mcp_surfaces import types, wire;"
        "noted = list[Annotated[types.TextContent, 'note']];"
        "made = wire.parse_as(noted, [{'type': 'text', 'text': 'x'}], '2025-11-25');"
        "print('mcp_surfaces.jsonrpc' in sys.modules, made[0].text)"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "x"]


def test_what_is_no_list_of_elements_is_refused_and_a_tuple_is_one() -> None:
    block = {"type": "text", "text": "a"}
    for type_ in each(list[types.TextContent], list[types.ContentBlock], list[types.ServerResult]):
        element = {"content": [block]} if type_ == list[types.ServerResult] else block
        assert wire.parse_as(type_, (element,), TASKS) == wire.parse_as(type_, [element], TASKS)
        for odd in each(block, "text", 1, None, {1, 2}, iter([element]), block.values()):
            with pytest.raises(ValidationError) as caught:
                wire.parse_as(type_, odd, TASKS)
            assert caught.value.error_count() == 1
            assert caught.value.errors()[0]["loc"] == ()


def test_errors_of_elements_tell_what_they_tell_alone() -> None:
    many: Any = list
    for type_, value in each(
        (types.ContentBlock, {"type": "odd"}),
        (types.ElicitResult, {"action": "odd"}),
        (types.Role, "odd"),
        (types.CallToolResult, {"content": [], "resultType": "odd"}),
    ):
        alone = attempt(partial(wire.parse_as, type_, value, NEWEST)).errors()[0]
        listed = attempt(partial(wire.parse_as, many[type_], [value], NEWEST)).errors()[0]
        assert listed == {**alone, "loc": (0, *alone["loc"])}


def test_errors_of_elements_have_bounded_places() -> None:
    for count in (1, 20, 200):
        odd = {f"{number}-" + "k" * 100_000: {"action": "odd"} for number in range(count)}
        with pytest.raises(ValidationError) as caught:
            wire.parse_as(types.InputResponses, odd, NEWEST)
        assert len(str(caught.value)) < 60_000
        assert len(caught.value.json()) < 60_000


@pytest.mark.parametrize("version", VERSIONS)
def test_a_model_is_taken_by_every_target_that_has_its_class(version: str) -> None:
    class Own(types.ListToolsResult):
        pass

    for model in (types.ListToolsResult(tools=[]), Own(tools=[]), types.EmptyResult()):
        for target in (types.ServerResult, types.ServerResult | None, types.ListToolsResult | types.EmptyResult):
            assert wire.parse_as(target, model, version) == model
    with pytest.raises(ValidationError):
        wire.parse_as(types.ListPromptsResult | types.EmptyResult, types.ListToolsResult(tools=[]), version)
