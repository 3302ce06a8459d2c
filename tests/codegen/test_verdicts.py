"""Verdict tables: what is translated, and what stops generation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core import SchemaValidator

from codegen.problems import Problem
from codegen.verdicts import table


def translated(node: Any) -> Any:
    return json.loads(table({"$defs": {"X": node}}))["definitions"]["X"]


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (False, "False"),
        ({"type": "string", "contentEncoding": "base64"}, "contentEncoding"),
        ({"type": "unheard-of"}, "the type 'unheard-of'"),
        ({"required": ["a"]}, "the type None"),
        ({"type": "object", "properties": {"a": {"not": {}}}}, "not"),
    ],
)
def test_what_is_not_translated_stops_with_one_line(node: Any, words: str) -> None:
    with pytest.raises(Problem) as caught:
        translated(node)
    assert str(caught.value).startswith(f"codegen/verdicts.py: {words}")
    assert str(caught.value).endswith("is not translated to a verdict")


def test_limits_of_text_are_kept() -> None:
    validator = SchemaValidator(translated({"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^a"}))
    assert validator.validate_json('"ab"') == "ab"
    for refused in ('"a"', '"abcd"', '"ba"'):
        with pytest.raises(ValidationError):
            validator.validate_json(refused)


def test_typed_extras_are_judged() -> None:
    node = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "boolean"}}
    validator = SchemaValidator(translated(node))
    assert validator.validate_json('{"a": "x", "b": true}')
    with pytest.raises(ValidationError):
        validator.validate_json('{"a": "x", "b": 1}')


def test_an_object_in_parts_is_judged_as_one() -> None:
    part = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    whole = {"allOf": [{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"b": {"type": "boolean"}}}]}
    validator = SchemaValidator(json.loads(table({"$defs": {"A": part, "X": whole}}))["definitions"]["X"])
    assert validator.validate_json('{"a": "x", "b": true, "c": 1}')
    for refused in ('{"b": true}', '{"a": "x", "b": 1}', '{"a": 1}'):
        with pytest.raises(ValidationError):
            validator.validate_json(refused)
