"""What fuzzing found once is tried for ever, and a short run of it finds nothing."""

from __future__ import annotations

import pytest

from tests.fuzz import run
from tests.fuzz.check import TARGETS, Fault, fault

pytestmark = pytest.mark.untraced

KEPT = run.kept()


@pytest.mark.parametrize("old", KEPT, ids=lambda old: f"{old.type}-{old.version}")
def test_what_was_found_holds_now(old: Fault) -> None:
    assert fault(old.type, old.version, old.text) is None


def test_a_short_run_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Fault] = []
    monkeypatch.setattr(run, "report", found.append)
    tried, _ = run.at_random(2.0, seed=1)
    assert found == []
    assert tried > 20


def test_the_fuzzers_see_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(TARGETS) > 200
    assert fault("CallToolResult", "2025-11-25", b'{"content":[]}') is None

    def raising(*_: object) -> object:
        raise KeyError("unexpected")

    monkeypatch.setattr("mcp_surfaces.wire.parse_json", raising)
    wrong = fault("CallToolResult", "2025-11-25", b'{"content":[]}')
    assert wrong is not None
    assert "KeyError" in wrong.what
