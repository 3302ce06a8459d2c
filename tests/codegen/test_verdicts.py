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
