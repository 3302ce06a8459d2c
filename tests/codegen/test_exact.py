from __future__ import annotations

from typing import Any

import pytest

from codegen.canonical import Schema
from codegen.exact import settled
from codegen.problems import Problem
from tests.codegen.schemas import INTEGER, STRING, one_of, pins, record, ref, schema


def member(value: Any) -> Any:
    """What becomes of the schema of one member."""
    return settled("r", schema(A=record(x=value), B=record(y=STRING)))["$defs"]["A"]["properties"]["x"]


@pytest.mark.parametrize("revision", pins())
def test_todays_schemas_change_in_annotations_alone(revision: str) -> None:
    whole = pins()[revision]
    assert settled(revision, whole)["$defs"].keys() == whole["$defs"].keys()
    assert settled(revision, settled(revision, whole)) == settled(revision, whole)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        (True, {}),
        ({"type": "array", "items": True}, {"type": "array", "items": {}}),
        (one_of(True, STRING), one_of({}, STRING)),
        ({"allOf": [True, record()]}, {"allOf": [{}, record()]}),
        ({"allOf": [ref("B")], "default": None}, ref("B")),
        ({**ref("B"), "default": None, "title": "B"}, ref("B")),
        ({"type": "string", "format": "date-time", "x-own": 1, "deprecated": True}, STRING),
        ({"type": "object", "required": ["a"]}, {"type": "object", "required": ["a"], "properties": {"a": {}}}),
        (record("a", b=True), record("a", b={}, a={})),
        ({"type": "object", "additionalProperties": True}, {"type": "object", "additionalProperties": True}),
        ({"enum": ["a", None, -1, 2]}, {"enum": ["a", None, -1, 2]}),
        ({"type": "string", "pattern": "^[a-z]{1,9}$"}, {"type": "string", "pattern": "^[a-z]{1,9}$"}),
    ],
)
def test_what_means_the_same_in_the_form_that_models_have(value: Any, outcome: Schema) -> None:
    assert member(value) == outcome


@pytest.mark.parametrize(
    ("value", "way"),
    [
        ({"oneOf": [STRING, INTEGER]}, "oneOf"),
        ({"type": "object", "patternProperties": {}}, "patternProperties"),
        ({"type": "array", "items": [STRING]}, "items"),
        ({"type": "array", "items": False}, "items"),
        ({"type": "object", "additionalProperties": False}, "additionalProperties"),
        (one_of(STRING, False), "anyOf/1"),
        ({**record(), "properties": {"a/b": False}}, "properties/a~1b"),
        ({**ref("B"), "required": ["z"]}, "required"),
        ({"type": "object", "anyOf": [{"type": "object"}]}, "anyOf"),
        ({"type": "string", "enum": ["a", "bb"], "maxLength": 1}, "maxLength"),
        ({"const": "a", "enum": ["a", "b"]}, "enum"),
        ({"properties": {}}, "properties"),
        ({"minLength": 1}, "minLength"),
        ({"type": ["object", "string"], "properties": {}}, "properties"),
        ({"const": True}, "const"),
        ({"const": {"a": 1}}, "const"),
        ({"const": 1.5, "type": "number"}, "const"),
        ({"enum": [0, 2]}, "enum"),
        ({"type": "string", "pattern": "^(?!x)"}, "pattern"),
        ({"type": "string", "pattern": "\\d"}, "pattern"),
    ],
)
def test_what_no_model_has_stops_with_the_line_that_lifts_it(value: Any, way: str) -> None:
    place = f"r#/$defs/A/properties/x/{way}"
    with pytest.raises(Problem) as caught:
        member(value)
    assert str(caught.value).startswith(f"{place}: ")
    assert str(caught.value).endswith(f'-> in amendments.toml: [lift] "{place}" = "No model can say it."')


def test_whole_definitions() -> None:
    assert settled("r", schema(A=True))["$defs"] == {"A": {}}
    with pytest.raises(Problem, match=r'^r#/\$defs/A: .*\[lift\] "r#/\$defs/A" = '):
        settled("r", schema(A=False))
