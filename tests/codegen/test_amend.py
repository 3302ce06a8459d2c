from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codegen.amend import Amendment, amend, amended, amendments, listed, places
from codegen.amendments_page import PAGE, amendments_page
from codegen.canonical import Schema
from codegen.pipeline import Pipeline
from codegen.problems import Problem
from tests.codegen.schemas import schema
from tests.codegen.small import folder

CHANGE = Amendment("wider", "erratum", "/$defs/A/anyOf/0/type", "integer", "number", "Because | so.", "There.")
AGAIN = replace(CHANGE, name="widest", kind="leniency", expected="number", new=["number", "null"])


def one(kind: object) -> Schema:
    return {"$defs": {"A": {"anyOf": [{"type": kind}]}}}


def test_amendments_are_laid_on_in_order_where_they_apply() -> None:
    before = {"old": one("integer"), "new": one("number"), "none": {"$defs": {}}}
    after, applied = amend(before, [CHANGE, AGAIN])
    assert after == {"old": one(["number", "null"]), "new": one(["number", "null"]), "none": {"$defs": {}}}
    assert applied == {"wider": ["old"], "widest": ["old", "new"]}
    assert before["old"] == one("integer")


def test_a_stale_amendment_says_what_it_found() -> None:
    with pytest.raises(
        Problem, match=r'r#/\$defs/A/anyOf/0/type: amendment `wider` is stale: found "string" -> in amen'
    ):
        amend({"r": one("string")}, [CHANGE])


def test_what_the_amendment_already_says_is_not_stale() -> None:
    assert amend({"r": one("number")}, [CHANGE])[1] == {"wider": []}


def test_the_order_of_arms_and_of_listed_types_says_nothing() -> None:
    change = replace(CHANGE, expected=["integer", "string"], new=["number", "string"])
    for kind in (["integer", "string"], ["string", "integer"]):
        reordered = {"$defs": {"A": {"anyOf": [{"$ref": "#"}, {"type": "array"}, {"type": kind}]}}}
        after, applied = amend({"r": reordered}, [change])
        assert after["r"]["$defs"]["A"]["anyOf"][2] == {"type": ["number", "string"]}
        assert applied == {"wider": ["r"]}
        mended = {"r": one([*reversed(["number", "string"])])}
        assert amend(mended, [change]) == (mended, {"wider": []})


def test_a_revision_may_be_spared(tmp_path: Path) -> None:
    lines = '[spare]\n"2025-01-01#wider" = "As it should be."\n'
    for number, (kind, idle) in enumerate((("string", 0), ("integer", 1))):
        schemas = {"2025-01-01": schema(A={"type": kind}), "2025-06-01": schema(A={"type": "integer"})}
        folder(tmp_path / str(number), schemas, amendments=FILE + lines)
        run = Pipeline(tmp_path / str(number))
        assert run.amended["2025-01-01"]["$defs"] == {"A": {"type": "string" if kind == "string" else "number"}}
        assert len([line for line in run.policy.idle if line.path[0] in ("spare", "amendment")]) == idle


@pytest.mark.parametrize(
    "pointer", ["/$defs/B", "/$defs/A/anyOf/1/type", "/$defs/A/anyOf/x", "/$defs/A/anyOf/0/type/deep", "/x/y", "/0"]
)
def test_a_pointer_that_leads_nowhere(pointer: str) -> None:
    assert list(places(one("integer"), pointer)) == []


def test_a_pointer_to_an_item() -> None:
    node = one("integer")
    assert list(places(node, "/$defs/A/anyOf/0")) == [(node["$defs"]["A"]["anyOf"], 0)]


FILE = """\
[[amendment]]
name = "wider"
kind = "erratum"
pointer = "/$defs/A/type"
expected = "integer"
new = "number"
reason = "…"
evidence = "…"
"""


def test_amendments_of_a_folder(tmp_path: Path) -> None:
    folder(tmp_path, {"2025-01-01": schema(A={"type": "integer"})}, amendments=FILE)
    assert [change.name for change in amendments(tmp_path)] == ["wider"]
    assert amended("2025-01-01", tmp_path)["$defs"] == {"A": {"type": "number"}}


LIFTS: list[tuple[str, Any, Any]] = [
    ("/$defs/A/not", {"type": "string", "not": {}}, {"type": "string"}),
    ("/$defs/A/oneOf", {"oneOf": [{}]}, {"anyOf": [{}]}),
    ("/$defs/A/patternProperties", {"patternProperties": {}, "additionalProperties": False}, {}),
    ("/$defs/A/items", {"items": False}, {}),
    ("/$defs/A/unevaluatedProperties", {"unevaluatedProperties": False}, {}),
    ("/$defs/A/properties/x", {"properties": {"x": {"not": {}}}}, {"properties": {"x": {}}}),
    ("/$defs/A/anyOf/1", {"anyOf": [{}, False]}, {"anyOf": [{}, {}]}),
    ("/$defs/A", False, {}),
]


@pytest.mark.parametrize(("pointer", "node", "outcome"), LIFTS)
def test_a_constraint_is_lifted_at_one_revision(pointer: str, node: Any, outcome: Any) -> None:
    changes = listed({"lift": {f"new#{pointer}": "Because."}})
    schemas = {"old": {"$defs": {"A": node}}, "new": {"$defs": {"A": node}}}
    after, applied = amend(schemas, changes)
    assert after == {"old": schemas["old"], "new": {"$defs": {"A": outcome}}}
    assert applied == {f"new#{pointer}": ["new"]}
    assert amend({"new": {"$defs": {}}}, changes)[1] == {f"new#{pointer}": []}


def test_the_page_lists_every_amendment() -> None:
    lifted = listed({"lift": {"r#/$defs/A/not": "Because."}})
    page = amendments_page([CHANGE, AGAIN, *lifted], {"wider": ["2025-01-01"], "widest": [], "r#/$defs/A/not": ["r"]})
    text = page[PAGE].decode()
    head = "| [wider](#wider) | erratum | `/$defs/A/anyOf/0/type` | "
    assert head + '`"integer"` | `"number"` | 2025-01-01 |\n' in text
    assert '| <a id="wider"></a>wider | Because \\| so. | There. |\n' in text
    assert text.count("\n| ") == 2 * 3 + 4
    assert '| leniency | `/$defs/A/not` | `"not"` | lifted | r |' in text
