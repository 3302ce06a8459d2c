"""Both surfaces say exactly what their amended schemas say, over a seeded sample. `nox -s fidelity` runs far more."""

from __future__ import annotations

import json
import sys
import types
from typing import Any

import pytest
from pydantic import BaseModel, StrictBool

from tests.fidelity import run
from tests.fidelity.adapter import Package
from tests.fidelity.compare import Plan, tallied
from tests.fidelity.judge import Judge, amended_schema
from tests.fidelity.sample import sampled

pytestmark = pytest.mark.untraced

REVISIONS = {"v2025_11_25": "2025-11-25", "v2026_07_28": "2026-07-28"}


@pytest.mark.parametrize("surface", sorted(REVISIONS))
def test_surface_and_judge_agree(surface: str) -> None:
    package, judge = Package.named(f"mcp_surfaces.{surface}"), Judge(amended_schema(REVISIONS[surface]))
    tallies = [
        tallied(judge, name, package.model(name), ((case.kind, case.value, case.text) for case in cases))
        for name, cases in sampled(REVISIONS[surface]).items()
    ]
    assert [tally.definition for tally in tallies if tally.missing] == []
    assert run.smallest(tallies, 8) == []
    assert sum(tally.cases.total() for tally in tallies) > 20_000
    assert sum(tally.confirmed for tally in tallies) > 300
    assert all(0 < tally.valid <= tally.cases.total() for tally in tallies)


class Broken(BaseModel):
    """Knows one member, and takes null for it."""

    default: StrictBool | None = None


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> str:
    module: Any = types.ModuleType("a_broken_package")
    module.BooleanSchema = Broken
    monkeypatch.setitem(sys.modules, "a_broken_package", module)
    return "a_broken_package"


ARGUMENTS = [
    "--surface",
    "v2025_11_25",
    "--workers",
    "1",
    "--instances",
    "3",
    "--mutations",
    "30",
    "--share",
    "2",
    "--drawn",
    "0",
]


def test_the_run_shows_what_is_wrong_and_fails(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([*ARGUMENTS, "--package", package]) == 1
    output = capsys.readouterr().out
    assert "wrongly accepted (json+python) BooleanSchema, " in output
    assert "kind of instance" in output
    assert "missing: ['Annotations', 'AudioContent'" in output


def test_the_run_can_speak_json(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([*ARGUMENTS, "--package", package, "--json", "--show", "2", "--pinned"]) == 1
    total = json.loads(capsys.readouterr().out)[0]
    assert total["definitions"] == 145
    assert total["wrongly_accepted"] > 10
    assert total["wrongly_refused"] == 0
    assert total["instances"] == total["valid"] + total["invalid"]
    assert len(total["disagreements"]) == 2


def test_a_package_needs_to_say_which_surface_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["--package", "json"])
    assert "--surface" in capsys.readouterr().err


def test_two_processes_come_to_the_same_result() -> None:
    plan = Plan(instances=2, mutations=4, share=2, drawn=0)
    one, two = (run.run_surface("v2025_11_25", "json", plan, workers=workers) for workers in (1, 2))
    assert one == two
