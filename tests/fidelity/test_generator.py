"""The generator, the mutator and the judge themselves: an instrument that errs proves nothing."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fidelity.compare import Plan, cases
from tests.fidelity.hypotheses import drawn
from tests.fidelity.instances import Generator, official
from tests.fidelity.judge import Judge, JudgesDisagreeError, pinned_schema
from tests.fidelity.mutations import Mutator, python_spellings
from tests.fidelity.shapes import Json, Shape, Shapes, UnknownKeywordError, dumps

pytestmark = pytest.mark.untraced

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
SMALL: Shape = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "Thing": {
            "type": "object",
            "properties": {
                "kind": {"const": "thing", "type": "string"},
                "mimeType": {"type": "string"},
                "size": {"type": "integer", "minimum": 0},
                "tags": {"type": "array", "items": {"enum": ["a", "b"], "type": "string"}, "maxItems": 2},
                "map": {"type": "object", "additionalProperties": {"type": "number"}},
            },
            "required": ["kind"],
        }
    },
}


def members(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        yield from value.items()
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from members(inner)


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_called_valid_is_valid_by_both_validators(revision: str) -> None:
    schema = pinned_schema(revision)
    judge, generator = Judge(schema), Generator(schema)
    for name in schema["$defs"]:
        values = generator.valid(name, 12)
        assert values, name
        assert all(judge.accepts(name, value) for value in values), name
        assert judge.confirmed(name, values[-1])


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_member_is_seen_present_and_absent_and_every_enum_value_is_seen(revision: str) -> None:
    schema = pinned_schema(revision)
    shapes, generator = Shapes(schema), Generator(schema)
    for name in schema["$defs"]:
        everything = generator.valid(name, 60)
        values = [value for value in everything if isinstance(value, dict)]
        flat = shapes.flat(shapes.of(name))
        for member in flat.get("properties", {}):
            assert any(member in value for value in values), (name, member)
            assert member in flat.get("required", ()) or any(member not in value for value in values), (name, member)
        seen = {dumps(value) for value in everything}
        assert {dumps(value) for value in flat.get("enum", ())} <= seen, name


def test_every_arm_of_every_union_is_seen() -> None:
    schema = pinned_schema("2026-07-28")
    generator = Generator(schema)
    for name, node in schema["$defs"].items():
        values = generator.valid(name, 60)
        for arm in node.get("anyOf", ()):
            alone = Judge({**schema, "$defs": {**schema["$defs"], name: arm}})
            assert any(alone.accepts(name, value) for value in values), (name, arm)


def test_the_awkward_values_are_among_them() -> None:
    found = [
        pair
        for name in ("CallToolResult", "Error")
        for v in Generator(pinned_schema("2025-11-25")).valid(name, 300)
        for pair in members(v)
    ]
    values = {dumps(value) for _, value in found}
    assert {"null", "true", '""', "[]", "{}", "0.5", "5.0", str(2**70)} <= values
    assert any(name.startswith("x-unknown") for name, _ in found)
    assert any(isinstance(value, str) and "𝄞" in value for _, value in found)


SCRIPT = """
import hashlib
from tests.fidelity.compare import Plan, cases
from tests.fidelity.judge import pinned_schema
schema, digest = pinned_schema("2026-07-28"), hashlib.sha256()
for name in ("ClientRequest", "Tool", "JSONValue", "InputRequiredResult"):
    for kind, _, text in cases(schema, "2026-07-28", name, Plan(20, 100, 10, 0, 3)):
        digest.update(f"{kind} {text}".encode())
print(digest.hexdigest())
"""


def test_the_same_seed_gives_the_same_cases_under_any_hash_seed() -> None:
    def digest(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert digest("1") == digest("2")


def test_another_seed_gives_other_cases() -> None:
    one, two = (Generator(pinned_schema("2025-11-25"), seed).valid("Tool", 60) for seed in (0, 1))
    assert [dumps(value) for value in one] != [dumps(value) for value in two]


def test_a_keyword_that_is_not_understood_stops_everything() -> None:
    schema: Shape = {"$schema": SMALL["$schema"], "$defs": {"Odd": {"type": "string", "pattern": "^a"}}}
    with pytest.raises(UnknownKeywordError, match="pattern"):
        Generator(schema).valid("Odd", 1)


def test_cases_are_distinct_and_of_every_kind() -> None:
    found = list(cases(SMALL, "none", "Thing", Plan(instances=30, mutations=2000, share=2000, drawn=5)))
    assert len({text for _, _, text in found}) == len(found)
    assert {kind for kind, _, _ in found} >= {
        "valid", "drawn", "null", "to boolean", "to number", "to string", "to array", "to object", "const", "enum",
        "number", "range", "length", "element", "map value", "drop required", "drop optional", "unknown member",
        "wrong optional", "snake too", "snake instead", "string", "empty",
    }  # fmt: skip
    assert all(json.loads(text) == value for _, value, text in found)


def test_a_mutation_changes_one_place_of_a_copy() -> None:
    base: dict[str, Json] = {"kind": "thing", "mimeType": "a", "map": {"x": 1}, "tags": ["a"]}
    before = copy.deepcopy(base)
    for edit in Mutator(SMALL).edits("Thing", base):
        changed = edit.apply(base)
        assert isinstance(changed, dict) or not edit.path
        if isinstance(changed, dict) and edit.path:
            named = {edit.path[0], edit.rename}
            assert {k: v for k, v in changed.items() if k not in named} == {
                k: v for k, v in before.items() if k not in named
            }
    assert base == before


def test_a_wrong_tag_is_one_that_another_definition_has() -> None:
    edits = Mutator(pinned_schema("2025-11-25")).edits("TextContent", {"type": "text", "text": "x"})
    assert {str(edit.value) for edit in edits if edit.kind == "tag"} >= {"image", "resource_link", "x/unknown"}


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("mimeType", "mime_type"),
        ("_meta", "meta"),
        ("io.modelcontextprotocol/clientInfo", "client_info"),
        ("io.modelcontextprotocol/clientInfo", "io_modelcontextprotocol_client_info"),
        ("$schema", "schema_"),
        ("ref", "ref_"),
    ],
)
def test_python_spellings(wire: str, python: str) -> None:
    assert python in python_spellings(wire)
    assert wire not in python_spellings(wire)


@pytest.mark.parametrize(
    ("value", "verdict"), [(5, True), (5.0, True), (2**70, True), (5.5, False), (True, False), ("5", False)]
)
def test_the_judge_has_json_schemas_idea_of_an_integer(value: Json, verdict: bool) -> None:
    for revision in ("2024-11-05", "2026-07-28"):
        assert Judge(pinned_schema(revision)).confirmed("RequestId", value) is (verdict or isinstance(value, str))
    assert Judge(SMALL).confirmed("Thing", {"kind": "thing", "size": value}) is verdict


def test_format_is_an_annotation() -> None:
    assert Judge(pinned_schema("2025-11-25")).confirmed("Root", {"uri": "not a uri\n"})


def test_a_split_verdict_is_an_error() -> None:
    class Contrary(Judge):
        def second_opinion(self, name: str, value: Json) -> bool:
            return not super().second_opinion(name, value)

    with pytest.raises(JudgesDisagreeError, match="Thing"):
        Contrary(SMALL).confirmed("Thing", {})


def test_hypothesis_draws_where_it_copes() -> None:
    schema = pinned_schema("2025-11-25")
    values = drawn(schema, "Annotations", 10, 0)
    assert len(values) > 4
    assert all(Judge(schema).accepts("Annotations", value) for value in values)
    assert drawn(pinned_schema("2026-07-28"), "JSONValue", 10, 0) == []


def test_official_examples_are_used_where_they_are_at_hand() -> None:
    examples: list[Any] = official("2026-07-28", "AudioContent")
    if not examples:
        pytest.skip("the official examples are not at hand")
    assert all(Judge(pinned_schema("2026-07-28")).confirmed("AudioContent", value) for value in examples)
    assert official("2024-11-05", "AudioContent") == []
