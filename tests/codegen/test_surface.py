from __future__ import annotations

from pathlib import Path

import pytest

from codegen.pipeline import Pipeline
from codegen.policy import Policy
from codegen.problems import Problem
from codegen.surface import Grouping, groupings, prove
from tests.codegen.schemas import INTEGER, STRING, request, schema
from tests.codegen.small import policy

KNOWN = ["2025-01-01", "2025-03-01", "2025-06-01"]


def surfaces(place: Path, *entries: tuple[str, list[str]]) -> Policy:
    text = "".join(
        f'[[surface]]\nname = "{name}"\nrevisions = {revisions}\nstrict = true\n' for name, revisions in entries
    )
    return policy(place, surfaces=text)


def test_surfaces_and_the_revisions_each_serves(tmp_path: Path) -> None:
    rules = surfaces(tmp_path, ("v2025_03_01", ["2025-03-01", "2025-01-01"]), ("v2025_06_01", ["2025-06-01"]))
    first, second = groupings(KNOWN, rules)
    assert first == Grouping("v2025_03_01", ("2025-01-01", "2025-03-01"), True)
    assert (first.newest, second.newest) == ("2025-03-01", "2025-06-01")


@pytest.mark.parametrize(
    ("revisions", "fault"),
    [
        (["2025-01-01", "2025-03-01"], r'2025-06-01: no surface serves it -> in surfaces\.toml: add "2025-06-01"'),
        ([*KNOWN, "2026-01-01"], r"schemas/surfaces\.toml#/surface/0/revisions: 2026-01-01 is not pinned -> remove"),
        ([*KNOWN, "2025-01-01"], r"#/surface/0/revisions: 2025-01-01 is served already -> remove"),
    ],
)
def test_a_grouping_that_does_not_fit_the_pins(tmp_path: Path, revisions: list[str], fault: str) -> None:
    with pytest.raises(Problem, match=fault):
        groupings(KNOWN, surfaces(tmp_path, ("v2025_06_01", revisions)))


def test_a_surface_serves_an_older_revision_only_by_proof() -> None:
    group = Grouping("v2025_06_01", ("2025-01-01", "2025-06-01"), True)
    old = schema(ARequest=request("a", x=STRING, y=STRING, z=STRING, w=STRING))
    more = schema(ARequest=request("a", x=STRING, y=STRING, z=STRING, w=STRING, v=STRING))
    prove([group], {"2025-01-01": old, "2025-06-01": more})
    other = schema(ARequest=request("a", x=INTEGER, y=INTEGER, z=INTEGER, w=INTEGER))
    with pytest.raises(Problem) as caught:
        prove([group], {"2025-01-01": old, "2025-06-01": other})
    line = str(caught.value)
    assert line.startswith("2025-06-01#/$defs/ARequest/properties/w: v2025_06_01 cannot serve 2025-01-01")
    assert "`ARequest.x`" in line
    assert " and 1 more " in line
    assert line.endswith('in surfaces.toml: give "2025-01-01" a surface of its own')
    stricter = schema(ARequest=request("a", "x", x=STRING, y=STRING, z=STRING, w=STRING))
    with pytest.raises(Problem) as caught:
        prove([group], {"2025-01-01": old, "2025-06-01": stricter})
    assert " more " not in str(caught.value)


@pytest.mark.untraced
def test_the_groupings_of_the_repository_are_proven(pipeline: Pipeline) -> None:
    assert [len(group.revisions) for group in pipeline.surfaces.values()] == [4, 1]
