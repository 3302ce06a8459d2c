from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from codegen.annotate import check_tags, constant, discriminated, inline_maps, surface_document, tag_of
from codegen.canonical import dump
from codegen.docstrings import Docs
from codegen.pin import pinned
from codegen.pipeline import Pipeline
from codegen.problems import Problem
from tests.codegen.schemas import STRING, const, one_of, record, ref
from tests.codegen.small import LEAST, SUPERSET, edit, policy, small

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


def test_a_tag_that_is_distinct_elsewhere_must_be_distinct(tmp_path: Path) -> None:
    rules = policy(tmp_path)
    union = record(x=one_of(ref("A"), ref("B")))
    good, bad = {"A": A, "B": B, "U": union}, {"A": A, "B": A, "U": union}
    check_tags({"old": bad}, rules)
    check_tags({"old": good, "new": {**good, "U": record(x=one_of(ref("A"), STRING))}}, rules)
    place = "/$defs/U/properties/x"
    with pytest.raises(Problem) as caught:
        check_tags({"old": good, "new": bad}, rules)
    assert str(caught.value) == (
        f"new#{place}: two arms share the type 'a', which tells them apart elsewhere: no tag then? "
        f'-> in superset.toml: [tagged] "{place}" = false'
    )
    rules = policy(tmp_path, superset=SUPERSET + f'[tagged]\n"{place}" = false\n')
    check_tags({"old": good, "new": bad}, rules)
    assert rules.line("tagged", place) in rules.used
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


def test_equal_arms_are_one() -> None:
    free = {"type": "object", "additionalProperties": True}
    defs = {"Map": free, "Other": free}
    node = record(a=one_of(ref("Map"), ref("Other")), b=one_of(ref("Map"), STRING, ref("Other")), c=one_of(STRING, A))
    found = inline_maps(node, defs)["properties"]
    assert found == {"a": free, "b": one_of(free, STRING), "c": one_of(STRING, A)}


def test_a_map_that_another_name_takes_over_loses_no_base(tmp_path: Path) -> None:
    free = {"type": "object", "additionalProperties": True}
    old = {
        "Map": free,
        "ResultMap": free,
        "Result": record(m=ref("ResultMap")),
        "Task": record("t", t=STRING),
        "Cancelled": record("t", m=free, t=STRING),
    }
    new = {"Map": free, "Result": record(m=ref("Map"))}
    pipeline = small(
        tmp_path,
        {"2025-01-01": old, "2025-06-01": new},
        bases='[bases]\nCancelled = [\n    "Result",\n    "Task",\n]\n',
        docs="".join(f'[{name}]\n"" = "A {name}."\n\n' for name in old),
        surfaces=BOTH,
    )
    assert pipeline.superset.defs["Result"]["properties"]["m"] == one_of(ref("ResultMap"), ref("Map"))
    assert pipeline.annotated["types"]["$defs"]["Result"]["properties"]["m"] == free
    assert lost_bases(pipeline) == {}
    [cancelled, *_] = pipeline.refined["types"]["Cancelled"].statements
    assert isinstance(cancelled, ast.ClassDef)
    assert ast.unparse(cancelled).splitlines()[0] == "class Cancelled(Result, Task):"
    assert not any(isinstance(part, ast.AnnAssign) for part in cancelled.body)


@pytest.mark.untraced
def test_no_base_is_lost(pipeline: Pipeline) -> None:
    assert lost_bases(pipeline) == {}


@pytest.mark.untraced
def test_no_base_is_lost_where_all_results_have_the_metadata_of_everything(schemas: Path) -> None:
    text = (schemas / "2026-07-28.json").read_text(encoding="utf-8")
    data = json.loads(text.replace('"#/$defs/ResultMetaObject"', '"#/$defs/MetaObject"'))
    del data["$defs"]["ResultMetaObject"]
    for path, content in pinned("2026-12-01", dump(data), None, schemas).items():
        path.write_bytes(content)
    edit(schemas / "surfaces.toml", '["2026-07-28"]', '["2026-07-28", "2026-12-01"]')
    assert lost_bases(Pipeline(schemas, lenient=True)) == {}


def lost_bases(pipeline: Pipeline) -> dict[str, set[str]]:
    """The bases that the policy gives a definition and its class has not, nor what it stands on."""
    classes = {
        statement.name: {ast.unparse(base).partition("[")[0].removeprefix("Spec") for base in statement.bases}
        for unit in pipeline.refined["types"].values()
        for statement in unit.statements
        if isinstance(statement, ast.ClassDef)
    }
    wanted = {name: set(pipeline.bases.of(name)) for name in classes if name in pipeline.superset.defs}
    lost = {name: bases - classes[name] for name, bases in wanted.items()}
    return {name: bases for name, bases in lost.items() if bases}


BOTH = LEAST["surfaces"].replace('"2025-01-01"]', '"2025-01-01", "2025-06-01"]')


def test_an_exact_surface_says_what_its_revision_says(tmp_path: Path) -> None:
    old = {"A": record(x=STRING)}
    new = {"A": record(x=STRING, y=STRING), "Anything": {}, "Ours": STRING}
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
        "Anything": {"description": "Since 2025-06-01."},
        "Ours": {**STRING, "description": "Since 2025-06-01."},
    }
