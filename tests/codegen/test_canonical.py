from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.canonical import canonicalise, check_refs, dump, escape, parse, rewrite, unescape, walk
from codegen.pin import SCHEMAS
from codegen.problems import Problem

DIALECT = "http://json-schema.org/draft-07/schema#"


def text(**members: Any) -> bytes:
    return json.dumps({"$schema": DIALECT, **members}).encode()


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"$schema": "http://json-schema.org/draft-07/sch', "not a JSON document, or cut short"),
        (b"\xff", "not a JSON document"),
        (b"[" * 100_000, "not a JSON document"),
        (b"[]", "not an object with a `$schema` member"),
        (b'{"$schema": 7}', "not an object with a `$schema` member"),
        (b'{"$schema": "https://example.org/mine"}', "#/$schema: unknown meta-schema https://example.org/mine"),
        (text(definitions={"A": {"type": "thing"}}), "#/definitions/A/type: not valid against its meta-schema"),
        (text(), "defines nothing"),
        (text(definitions={}), "defines nothing"),
        (text(definitions={"A": {"$ref": "#/definitions/B"}}), "#/$defs/A/$ref: unresolved reference #/$defs/B"),
        (
            text(definitions={"A": {"items": {"$ref": "other.json"}}}),
            "#/$defs/A/items/$ref: unresolved",
        ),
        (
            text(definitions={"A": {"$ref": "#/definitions/B"}, "B": {"$ref": "#/definitions/A"}}),
            "#/$defs/A/$ref: #/$defs/B is nothing but a reference to itself",
        ),
    ],
)
def test_what_is_no_schema_is_refused_in_one_line(data: bytes, fault: str) -> None:
    with pytest.raises(Problem) as caught:
        parse(data, "here")
    assert fault in str(caught.value)
    assert str(caught.value).startswith("here")
    assert "\n" not in str(caught.value)


def test_a_reference_is_by_the_plain_name() -> None:
    document = {
        "$schema": DIALECT,
        "definitions": {"Box<a/b>": {}, "A": {"$ref": "#/definitions/Box%3Ca~1b%3E"}, "B": {"$ref": "#/$defs/A"}},
    }
    definitions = parse(json.dumps(document).encode(), "here")["$defs"]
    assert [definitions[name]["$ref"] for name in "AB"] == ["#/$defs/Box<a/b>", "#/$defs/A"]


def test_prose_goes_and_a_property_called_description_stays() -> None:
    document = {
        "$schema": DIALECT,
        "definitions": {
            "B": {"$ref": "#/definitions/A"},
            "A": {
                "description": "Prose.",
                "$comment": "Prose.",
                "type": "object",
                "properties": {
                    "description": {"description": "Prose.", "type": "string", "enum": ["b", "a"]},
                    "definitions": {"const": {"description": "data"}},
                },
                "required": ["description"],
                "anyOf": [{"description": "Prose.", "type": "object"}],
            },
        },
    }
    canonical = parse(json.dumps(document).encode(), "here")
    assert canonical["$defs"] == {
        "A": {
            "type": "object",
            "properties": {
                "description": {"type": "string", "enum": ["b", "a"]},
                "definitions": {"const": {"description": "data"}},
            },
            "required": ["description"],
            "anyOf": [{"type": "object"}],
        },
        "B": {"$ref": "#/$defs/A"},
    }
    assert "definitions" not in canonical
    assert list(canonical["$defs"]) == ["A", "B"]


def test_both_names_of_definitions_are_joined() -> None:
    assert canonicalise({"definitions": {"A": {}}, "$defs": {"B": {}}})["$defs"] == {"A": {}, "B": {}}


@pytest.mark.parametrize("file", sorted(SCHEMAS.glob("*-*-*.json")), ids=lambda file: file.stem)
def test_canonicalising_is_idempotent_and_the_pins_are_canonical(file: Path) -> None:
    data = file.read_bytes()
    assert dump(parse(data, file.stem)) == data


def test_pointers() -> None:
    assert escape("a/b~c") == "a~1b~0c"
    assert unescape(escape("a/b~c~1")) == "a/b~c~1"


def test_walk_enters_schemas_and_not_data() -> None:
    node: dict[str, Any] = {
        "properties": {"a/b": {"items": {"type": "string"}}, "const": {}},
        "const": {"type": "data"},
        "anyOf": [{"enum": [{"no": 1}]}],
    }
    assert [pointer for pointer, _ in walk(node)] == [
        "",
        "/anyOf/0",
        "/properties/a~1b",
        "/properties/a~1b/items",
        "/properties/const",
    ]


def test_rewrite_changes_every_subschema_and_no_data() -> None:
    node = {"properties": {"enum": {"type": "a"}}, "enum": [{"type": "a"}], "anyOf": [{"type": "a"}], "minimum": 1}

    def marked(part: dict[str, Any]) -> dict[str, Any]:
        return {**part, "type": "b"} if "type" in part else part

    assert rewrite(node, marked) == {
        "properties": {"enum": {"type": "b"}},
        "enum": [{"type": "a"}],
        "anyOf": [{"type": "b"}],
        "minimum": 1,
    }


def test_check_refs_accepts_what_resolves() -> None:
    check_refs({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"items": {"$ref": "#/$defs/B"}}}}, "here")
