from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.name import named, pascal, same_shape
from codegen.policy import Policy
from codegen.problems import Problem
from tests.codegen.schemas import INTEGER, STRING, const, one_of, record, ref, schema
from tests.codegen.small import policy


def names(rules: Policy, **definitions: Any) -> dict[str, Any]:
    return named({"r": schema(**definitions)}, rules)["r"]


@pytest.fixture
def rules(tmp_path: Path) -> Policy:
    return policy(tmp_path)


def test_inline_objects_are_named_by_their_path(rules: Policy) -> None:
    inline = record(x=STRING)
    found = names(
        rules,
        A=record(
            _meta=inline,
            list={"type": "array", "items": inline},
            map={"type": "object", "additionalProperties": inline},
            deep=record(down=inline),
            choice=one_of(inline, STRING),
        ),
    )
    assert set(found) == {"A", "AMeta", "AListItem", "AMapValue", "ADeep", "ADeepDown", "AChoice"}
    assert found["A"]["properties"]["list"] == {"type": "array", "items": ref("AListItem")}
    assert found["A"]["properties"]["map"] == {"type": "object", "additionalProperties": ref("AMapValue")}
    assert found["A"]["properties"]["choice"] == one_of(ref("AChoice"), STRING)
    assert found["ADeep"]["properties"]["down"] == ref("ADeepDown")
    assert found["ADeepDown"] == inline


def test_the_policy_names_the_rest_and_may_share_a_name(tmp_path: Path) -> None:
    rules = policy(tmp_path, names='[inline]\n"*.a" = "Shared"\n')
    open_ = {**record(x=STRING), "additionalProperties": {}}
    found = names(rules, A=record(a=record(x=STRING)), B=record(a=open_))
    assert set(found) == {"A", "B", "Shared"}
    assert rules.idle == [line for line in rules.lines() if line.file == "topics"]


def test_a_name_that_is_taken_is_asked_for(tmp_path: Path, rules: Policy) -> None:
    definitions = {"AB": STRING, "A": record(b=record(x=STRING))}
    fault = r"r#/\$defs/A/properties/b: .* named AB, which /\$defs/AB is already -> in names\.toml: \[inline\] \"A.b\""
    with pytest.raises(Problem, match=fault):
        names(rules, **definitions)
    lenient = policy(tmp_path, lenient=True)
    assert set(names(lenient, **definitions)) == {"A", "AB", "ABObject"}
    assert lenient.undecided[0].value == "ABObject"


def test_two_inline_objects_never_share_a_name_by_accident(rules: Policy) -> None:
    two = record(b=one_of(record(x=STRING), record(y=STRING)))
    with pytest.raises(Problem, match=r'/anyOf/0 is already -> in names\.toml: \[inline\] "A\.b\|1" = "ABObject"$'):
        names(rules, A=two)


def test_an_arm_of_a_union_may_have_a_name_of_its_own(tmp_path: Path) -> None:
    rules = policy(tmp_path, names='[inline]\n"A.b|1" = "Second"\n')
    found = names(rules, A=record(b=one_of(record(x=STRING), record(y=STRING))))
    assert found["A"]["properties"]["b"] == one_of(ref("AB"), ref("Second"))


def test_an_object_without_a_member_is_asked_for(tmp_path: Path) -> None:
    lenient = policy(tmp_path, lenient=True)
    found = names(lenient, A={"type": "array", "items": record(x=STRING)})
    assert found["A"] == {"type": "array", "items": ref("AObject")}
    assert str(lenient.undecided[0].problem).endswith('in names.toml: [inline] "A[]" = "AObject"')


def test_free_form_objects_stay_where_they_are(rules: Policy) -> None:
    free = {"type": "object", "properties": {}}
    found = names(rules, A=record(a=free, b={"type": "object", "additionalProperties": {}}, c={"type": "object"}))
    assert found["A"]["properties"] == {
        "a": {"type": "object", "additionalProperties": True},
        "b": {"type": "object", "additionalProperties": True},
        "c": {"type": "object"},
    }


def test_all_of_becomes_one_object(rules: Policy) -> None:
    base = record("x", x=STRING, kind=STRING)
    found = names(rules, B=base, A={"allOf": [ref("B"), record("y", y=INTEGER, kind=const("a"))]}, C=ref("A"))
    assert found["A"] == record("x", "y", x=STRING, y=INTEGER, kind=const("a"))
    assert found["C"] == ref("A")
    narrow = names(rules, A={"allOf": [record(kind=const("a")), record(kind=STRING)]})
    assert narrow["A"]["properties"]["kind"] == const("a")


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        (
            [record(x=STRING), record(x=INTEGER)],
            "#/\\$defs/A/allOf: .* an allOf that disagrees about a member -> in amend",
        ),
        (
            [record(x=STRING), {"anyOf": [STRING]}],
            "#/\\$defs/A/allOf: no model has an allOf of more than plain",
        ),
        ([STRING, {}], "an allOf of more than plain objects"),
        ([{}, {}], "an allOf of more than plain objects"),
        ([{"type": "object", "additionalProperties": False}], "an allOf of more than plain objects"),
    ],
)
def test_all_of_that_is_undecided(rules: Policy, parts: list[Any], fault: str) -> None:
    with pytest.raises(Problem, match=fault):
        names(rules, A={"allOf": parts})


def test_words() -> None:
    assert [pascal(member) for member in ("_meta", "taskSupport", "a/b-c", "$schema")] == [
        "Meta",
        "TaskSupport",
        "ABC",
        "Schema",
    ]
    assert same_shape({"type": "object", "additionalProperties": {}}, {"type": "object"})
    assert not same_shape({"type": "object", "additionalProperties": False}, {"type": "object"})
