"""The base classes: absence and null, unknown members, messages of a user's own, and `_meta` that reads like a dict."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from typing import Any, Literal, cast

import pytest
from pydantic import ValidationError

from mcp_surfaces import base, types
from mcp_surfaces.base import MISSING, MCPModel, MetaMapping


class Note(MCPModel):
    title: str | None = None
    own_data: Any | MISSING = MISSING
    tag_name: Literal["note"] = "note"


UNCHECKED_NOTE: Any = Note
"""The class with the arguments that type checkers refuse, rightly."""


class Params(MCPModel):
    level: int


class Needs(types.Request[Params, Literal["acme/needs"]]):
    method: Literal["acme/needs"] = "acme/needs"


class MayHave(types.Request[Params | None, Literal["acme/may"]]):
    method: Literal["acme/may"] = "acme/may"


class Told(types.Notification[Params, Literal["notifications/acme/told"]]):
    method: Literal["notifications/acme/told"] = "notifications/acme/told"


def dumped(model: Any) -> Any:
    return json.loads(model.model_dump_json(by_alias=True))


def test_none_means_absent_and_missing_admits_null() -> None:
    assert dumped(Note()) == {"tagName": "note"}
    assert dumped(Note(title=None)) == {"tagName": "note"}
    assert dumped(Note(own_data=None)) == {"ownData": None, "tagName": "note"}
    assert Note().own_data is None
    assert Note(own_data=None).own_data is None
    assert Note() != Note(own_data=None)
    assert Note.model_validate({"ownData": None}).model_fields_set == {"own_data"}


def test_a_member_that_admits_null_can_be_set_later() -> None:
    note = Note()
    note.own_data = 5
    assert note.own_data == 5
    assert dumped(note) == {"ownData": 5, "tagName": "note"}
    note.own_data = None
    assert dumped(note) == {"ownData": None, "tagName": "note"}
    note.own_data = MISSING
    assert note.own_data is None
    assert dumped(note) == {"tagName": "note"}
    note.title = "t"
    note.title = None
    assert dumped(note) == {"tagName": "note"}


def test_a_member_that_admits_null_is_not_an_attribute_of_the_class_or_of_an_instance_without_it() -> None:
    assert not hasattr(Note, "own_data")
    bare: Any = Note()
    bare.__dict__.pop("own_data")
    assert not hasattr(bare, "own_data")


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda m: m.model_copy(), lambda m: pickle.loads(pickle.dumps(m))]
)
def test_absence_survives_copies(again: Any) -> None:
    for note in (Note(), Note(own_data=None), Note(own_data={"a": [None]}), UNCHECKED_NOTE(x=None)):
        twin = again(note)
        assert twin == note
        assert dumped(twin) == dumped(note)
        assert twin.own_data == note.own_data


def test_names_of_both_kinds_in_constructors_and_unknown_members_kept() -> None:
    assert UNCHECKED_NOTE(ownData=1) == Note(own_data=1)
    odd = UNCHECKED_NOTE(titel="t")
    assert odd.titel == "t"
    assert dumped(odd)["titel"] == "t"


def test_own_messages_need_their_params_unless_none_is_admitted() -> None:
    needy: tuple[Any, ...] = (Needs, Told)
    for cls in needy:
        with pytest.raises(ValidationError) as raised:
            cls()
        assert [entry["loc"] for entry in raised.value.errors()] == [("params",)]
    may_have, plain = cast("Any", MayHave), cast("Any", types.Request)
    assert dumped(may_have()) == {"method": "acme/may"}
    assert dumped(Needs(params=Params(level=1))) == {"method": "acme/needs", "params": {"level": 1}}
    assert isinstance(Needs(params=Params(level=1)), types.Request)
    assert isinstance(Told(params=Params(level=1)), types.Notification)
    assert dumped(plain(method="x")) == {"method": "x"}
    assert dumped(types.Request[Any, str](method="x", params=[1])) == {"method": "x", "params": [1]}


def test_spec_classes_stand_on_the_plain_base() -> None:
    assert issubclass(types.CallToolRequest, types.Request)
    assert base.Unparametrised(types.Request)["anything"] is types.Request


@pytest.mark.parametrize("value", [0, 1, -5, 2**70, 1.0, -0.0, 1e22])
def test_integers_keep_their_spelling(value: Any) -> None:
    error = types.ErrorData(code=value, message="")
    assert repr(error.code) == repr(value)
    assert repr(dumped(error)["code"]) == repr(value)


@pytest.mark.parametrize(
    "value", [True, 1.5, "1", None, float("inf"), float("nan"), [1], 1e-9, 5e-324, 0.9999999999, 2**51 + 0.5]
)
def test_what_is_no_integer_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError):
        types.ErrorData(code=value, message="")


@pytest.mark.parametrize("value", [True, "1", [1], {}])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError):
        types.ProgressNotificationParams(progress_token=1, progress=value)


def meta(**more: Any) -> Any:
    return types.RequestParamsMeta(progress_token=5, **more)


def test_meta_reads_like_the_object_it_is() -> None:
    given = meta(traceparent="00", nothing=None)
    assert given["progressToken"] == given["progress_token"] == given.progress_token == 5
    assert given["traceparent"] == given.get("traceparent") == "00"
    assert given.get("no") is None
    assert given.get("no", 1) == 1
    assert {**given} == {"progressToken": 5, "traceparent": "00", "nothing": None}
    assert list(given) == list(given.keys()) == ["progressToken", "traceparent", "nothing"]
    assert list(given.values()) == [5, "00", None]
    assert dict(given.items()) == {**given}
    assert len(given) == 3
    assert "progressToken" in given
    assert "nothing" in given
    assert "no" not in given
    assert 5 not in given
    assert isinstance(given, Mapping)
    with pytest.raises(KeyError):
        given["no"]


def test_a_member_taken_out_of_a_meta_is_absent() -> None:
    given = meta(a=1)
    del given.progress_token
    assert {**given} == {"a": 1}
    assert "a" in given
    assert "progressToken" not in given


def test_meta_compares_as_the_object_it_is() -> None:
    assert meta() == meta()
    assert meta() == {"progressToken": 5}
    assert meta(a=1) != meta(a=2)
    assert meta(a=None) != meta()
    assert meta() != 5
    assert types.RequestParamsMeta() == {}
    assert len(types.RequestParamsMeta()) == 0
    with pytest.raises(TypeError):
        hash(meta())
    assert isinstance(meta(), MetaMapping)


def test_content_reads_as_a_list() -> None:
    block = types.TextContent(text="a")
    cases: list[tuple[Any, Any]] = [(block, [block]), ([block], [block]), ([], [])]
    for content, expected in cases:
        message = types.SamplingMessage(role="user", content=content)
        if hasattr(message, "content_as_list"):
            assert message.content_as_list == expected


def test_a_member_that_may_be_null_can_be_made_absent_again() -> None:
    result = types.CallToolResult(content=[], structured_content=None)
    assert result.model_dump(by_alias=True) == {"content": [], "structuredContent": None}
    del result.structured_content
    assert result.structured_content is None
    assert result.model_dump(by_alias=True) == {"content": []}
    assert result == types.CallToolResult(content=[])
