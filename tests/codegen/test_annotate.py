from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.annotate import check_tags, constant, discriminated, surface_document, tag_of
from codegen.docs import Docs
from codegen.problems import Problem
from tests.codegen.schemas import STRING, const, one_of, record, ref
from tests.codegen.small import LEAST, SUPERSET, small

A = record("type", "x", type=const("a"), x=STRING)
B = record("type", type=const("b"))
METHOD = record("method", method=const("m"))
OTHER = record("method", method=const("n"))


@pytest.mark.parametrize(
    ("arms", "tag"),
    [
        ({"A": A, "B": B}, "type"),
        ({"A": METHOD, "B": OTHER}, "method"),
        ({"A": A}, None),
        ({"A": A, "B": A}, None),
        ({"A": A, "B": METHOD}, None),
        ({"A": A, "B": record(type=const("b"))}, None),
        ({"A": A, "B": record("type", type=STRING)}, None),
    ],
)
def test_a_tag_is_a_required_constant_that_no_two_share(arms: dict[str, Any], tag: str | None) -> None:
    assert tag_of([ref(name) for name in arms], arms) == tag


def test_unions_with_a_tag_are_discriminated_wherever_they_stand() -> None:
    union = one_of(ref("B"), ref("A"))
    marked = {**one_of(ref("A"), ref("B")), "discriminator": {"propertyName": "type"}}
    node = record(one=union, some={"type": "array", "items": union}, plain=one_of(ref("A"), STRING))
    found = discriminated(node, {"A": A, "B": B})["properties"]
    assert found == {"one": marked, "some": {"type": "array", "items": marked}, "plain": one_of(ref("A"), STRING)}


def test_a_tag_that_is_distinct_elsewhere_must_be_distinct() -> None:
    union = record(x=one_of(ref("A"), ref("B")))
    good, bad = {"A": A, "B": B, "U": union}, {"A": A, "B": A, "U": union}
    check_tags({"old": bad})
    check_tags({"old": good, "new": {**good, "U": record(x=one_of(ref("A"), STRING))}})
    fault = r"new#/\$defs/U/properties/x: two arms share the type 'a', which tells them apart elsewhere"
    with pytest.raises(Problem, match=fault):
        check_tags({"old": good, "new": bad})
    assert constant(STRING, "type", good) is None


WORDS = """\
[Base]
"" = "A base."
x = "An x."

[Child]
"" = "A child."

["*"]
y = "A y."

[Fixed]
"" = "Fixed."
"""
RULES = '[bases]\nChild = ["Base"]\nFixed = ["Base"]\nGen = ["Request"]\n[tags]\n"Fixed.x" = "f"\n'


def test_what_a_base_says_is_not_said_again(tmp_path: Path) -> None:
    base = record("x", x=STRING, m=ref("Map"))
    defs = {
        "Base": base,
        "Map": {"type": "object", "additionalProperties": True},
        "Child": record("x", x=STRING, y=STRING, m=ref("Map")),
        "Fixed": record("x", x=STRING),
        "Gen": record("method", method=const("g")),
    }
    docs = WORDS + '\n[Map]\n"" = "Any."\n\n[Gen]\n"" = "Gen."\n'
    superset = SUPERSET + '[external]\nRequest = "base"\n'
    found = small(
        tmp_path, {"2025-01-01": defs, "2025-06-01": defs}, bases=RULES, docs=docs, superset=superset, surfaces=BOTH
    ).annotated["types"]["$defs"]
    free = {"type": "object", "additionalProperties": True}
    y = {**STRING, "description": "A y."}
    assert found["Child"] == {
        "allOf": [ref("Base"), {"type": "object", "properties": {"y": y}, "required": []}],
        "description": "A child.\n\nEvery revision.",
    }
    assert found["Base"]["properties"] == {"m": free, "x": {**STRING, "description": "An x."}}
    assert found["Fixed"]["allOf"][1]["properties"] == {"x": STRING}
    assert found["Gen"]["customBasePath"] == "mcp_surfaces.base.Request"
    assert found["Map"] == {"type": "object", "additionalProperties": {}, "description": "Any.\n\nEvery revision."}


BOTH = LEAST["surfaces"].replace('"2025-01-01"]', '"2025-01-01", "2025-06-01"]')


def test_an_exact_surface_says_what_its_revision_says(tmp_path: Path) -> None:
    old = {"A": record(x=STRING)}
    new = {"A": record(x=STRING, y=STRING), "Any": {}, "Ours": STRING}
    docs = '[A]\n"" = "An A."\ny = "Its y."\n'
    pipeline = small(tmp_path, {"2025-01-01": old, "2025-06-01": new}, docs=docs)
    document = surface_document(
        pipeline.named["2025-06-01"], Docs(pipeline.policy, list(pipeline.pins)), pipeline.superset, pipeline.named
    )
    assert document["$defs"] == {
        "A": {
            "type": "object",
            "properties": {"x": STRING, "y": {**STRING, "description": "Its y. Since 2025-06-01."}},
            "description": "An A.\n\nEvery revision.",
        },
        "Any": {"description": "Since 2025-06-01."},
        "Ours": {**STRING, "description": "Since 2025-06-01."},
    }
