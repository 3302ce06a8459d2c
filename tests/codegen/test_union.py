from __future__ import annotations

from typing import Any

import pytest

from codegen.union import absorb, admits_null, arms_of, enums_in, kinds_of, one_of, opened, references
from tests.codegen.schemas import INTEGER, STRING, const, ref
from tests.codegen.schemas import one_of as any_of

NUMBER = {"type": "number"}
FREE = {"type": "object"}
OPEN = {"type": "object", "additionalProperties": True}


def enum(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def items(node: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": node}


@pytest.mark.parametrize(
    ("arms", "joined"),
    [
        ([STRING, {}], [{}]),
        ([ref("A"), ref("A"), ref("B")], [ref("A"), ref("B")]),
        ([INTEGER, STRING, INTEGER], [{"type": ["integer", "string"]}]),
        ([INTEGER, NUMBER], [NUMBER]),
        ([{"type": ["string", "null"]}, INTEGER], [{"type": ["string", "null", "integer"]}]),
        ([const("a"), const("a")], [const("a")]),
        ([const("a"), const("b")], [enum("a", "b")]),
        ([const("a"), enum("a")], [enum("a")]),
        ([enum("a", "b"), enum("b", "c")], [enum("a", "b", "c")]),
        ([enum("a"), STRING], [STRING]),
        ([enum("a"), INTEGER], [enum("a"), INTEGER]),
        ([{"const": 1}, {"const": 2}], [{"type": "integer", "enum": [1, 2]}]),
        ([items(STRING), items(INTEGER)], [items({"type": ["string", "integer"]})]),
        ([items(any_of(ref("A"), STRING)), items(ref("B"))], [items(any_of(ref("A"), ref("B"), STRING))]),
        ([{"type": "array"}, items(STRING)], [items({})]),
        (
            [FREE, {"type": "object", "additionalProperties": STRING}],
            [{"type": "object", "additionalProperties": True}],
        ),
        ([{"type": "object", "additionalProperties": False}], [{"type": "object", "additionalProperties": True}]),
        (
            [{"type": "object", "additionalProperties": STRING}, {"type": "object", "additionalProperties": INTEGER}],
            [{"type": "object", "additionalProperties": {"type": ["string", "integer"]}}],
        ),
        ([ref("A"), FREE], [ref("A")]),
    ],
)
def test_arms_are_joined(arms: list[Any], joined: list[Any]) -> None:
    assert absorb(arms) == joined


def test_one_arm_is_no_union() -> None:
    assert one_of([STRING]) == STRING
    assert one_of([STRING, INTEGER]) == {"anyOf": [STRING, INTEGER]}
    assert arms_of({"oneOf": [STRING]}) == [STRING]
    assert arms_of(STRING) == [STRING]


def test_types_are_named_or_those_of_the_values() -> None:
    assert kinds_of({"type": "string"}) == ["string"]
    assert kinds_of({"enum": ["a", 1, 1.5, True, None]}) == ["boolean", "integer", "null", "number", "string"]
    assert kinds_of({"const": "a"}) == ["string"]
    assert kinds_of({}) == []


def test_opening_an_enum() -> None:
    assert opened(enum("a")) == {"anyOf": [enum("a"), STRING]}
    assert opened(items(enum("a"))) == items({"anyOf": [enum("a"), STRING]})
    assert enums_in(items(enum("a")))
    assert not enums_in(const("a"))


def test_references_and_null() -> None:
    assert set(references({"properties": {"a": ref("A"), "b": {"items": ref("B")}}})) == {"A", "B"}
    defs = {"N": {"type": "null"}, "R": ref("N"), "U": any_of(STRING, ref("R")), "S": STRING}
    assert admits_null({}, defs)
    assert admits_null({"description": "…"}, defs)
    assert admits_null(ref("U"), defs)
    assert admits_null({"type": ["string", "null"]}, defs)
    assert not admits_null(ref("S"), defs)
    assert not admits_null(ref("Elsewhere"), defs)
