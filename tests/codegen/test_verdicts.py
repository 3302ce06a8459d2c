"""Verdict tables: what is translated, and to what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError
from pydantic_core import CoreSchema, SchemaValidator

from codegen.exact import LIMITS, settled
from codegen.name import named
from codegen.verdicts import LIMITS as TRANSLATED
from codegen.verdicts import table
from tests.codegen.schemas import STRING, record, ref, schema
from tests.codegen.small import policy


def translated(node: Any) -> Any:
    return json.loads(table({"X": node}))["definitions"]["X"]


def test_every_limit_that_models_have_is_translated() -> None:
    assert TRANSLATED.keys() == LIMITS


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


@pytest.mark.parametrize("text", ['{"a":"x","b":1,"c":"z","m":{"x":"y"}}', '{"a":"x","b":1,"c":"z","own":1}'])
def test_an_object_in_parts_is_judged_as_one(tmp_path: Path, text: str) -> None:
    whole = schema(
        A=record("a", a=STRING, m=record(x=STRING, y=STRING)),
        B={"allOf": [ref("A"), {"type": "object", "required": ["b"]}], "properties": {"c": STRING}, "required": ["c"]},
        X={"allOf": [ref("B"), record(m=record("x", x=STRING, y=STRING))]},
    )
    definitions = json.loads(table(named({"r": settled("r", whole)}, policy(tmp_path))["r"]))["definitions"]
    parts = [{**part, "ref": name} for name, part in definitions.items()]
    start = {"type": "definition-ref", "schema_ref": "X"}
    validator = SchemaValidator(cast("CoreSchema", {"type": "definitions", "schema": start, "definitions": parts}))
    body = json.loads(text)
    assert validator.validate_python(body)
    for name in "abc":
        with pytest.raises(ValidationError):
            validator.validate_python({key: value for key, value in body.items() if key != name})
    for member in ({}, {"x": 1}, {"x": "y", "y": 1}):
        with pytest.raises(ValidationError):
            validator.validate_python({**body, "m": member})
