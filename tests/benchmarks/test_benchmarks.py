"""The benchmarks work: every row is measured, what it compares is equal, and the page has the table. Never the time."""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import benchmarks.calls as calls
import benchmarks.clock as clock
import benchmarks.processes as processes
import benchmarks.report as report
from benchmarks.__main__ import main
from benchmarks.clock import QUICK
from benchmarks.messages import NEWEST, OLDER, messages, text, tool
from benchmarks.report import Row

pytestmark = pytest.mark.untraced

MESSAGES = tuple(messages())
RESULTS = tuple(name for name, message in messages().items() if message.kind == "result")
AT_NEWEST = tuple(name for name, message in messages().items() if NEWEST in message.revisions)
EXPECTED = {
    calls.PARSE: MESSAGES,
    calls.STRICT: MESSAGES,
    calls.DUMP: MESSAGES,
    calls.STRICT_DUMP: AT_NEWEST,
    calls.LENIENT_DUMP: AT_NEWEST,
}


@pytest.fixture(autouse=True)
def nothing_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """No garbage is collected before a measurement: in a process of this size that takes longer than all else."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


def everything(row: str) -> bool:
    return True


def quick(measure: Callable[..., Iterator[Row]], wanted: Callable[[str], bool] = everything) -> list[Row]:
    rows = list(measure(QUICK, wanted))
    for row in rows:
        assert row.ours, row.id
        assert all(math.isfinite(value) and value > 0 for value in (*row.ours.values(), *row.peer.values())), row.id
    return rows


@pytest.mark.parametrize("message", MESSAGES)
def test_every_message_is_measured_in_every_group_that_has_it(message: str) -> None:
    rows = quick(calls.rows, lambda row: row.endswith(f": {message}"))
    assert {row.group for row in rows} == {group for group, names in EXPECTED.items() if message in names}
    for row in rows:
        assert row.name == message
        assert set(row.ours) == {"gc off", "gc on"}
        assert bool(row.peer) == (
            row.group in (calls.PARSE, calls.STRICT) or (message in RESULTS and row.group != calls.LENIENT_DUMP)
        )


@pytest.mark.parametrize("group", [calls.PARSE, calls.STRICT])
def test_ours_is_measured_at_every_revision(group: str) -> None:
    (row,) = quick(calls.rows, f"{group}: progress".__eq__)
    for times in row.details.values():
        assert {key for key in times if key.startswith("ours ")} == {
            f"ours {revision}" for revision in (*OLDER, NEWEST)
        }


def test_imports_are_measured_in_fresh_processes() -> None:
    rows = quick(processes.cold)
    assert [row.name for row in rows] == [
        "one pydantic model, used",
        "the types",
        "the wire",
        "the wire, first tools/call parsed and answered, 2025-11-25",
        "the wire, first tools/call parsed and answered, 2026-07-28",
    ]


def test_growth_and_memory_are_measured_in_fresh_processes() -> None:
    rows = quick(processes.lists, lambda row: "gc off" not in row)
    assert [row.group for row in rows] == [processes.GROWTH, processes.MEMORY]


def test_a_measured_process_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_FLOOR", "raise SystemExit('no such thing')")
    with pytest.raises(RuntimeError, match="no such thing"):
        quick(processes.cold, lambda row: row.endswith("the types"))


def test_what_differs_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(value: object) -> str:
        return '{"method": "notifications/progress", "params": {"progressToken": "call-7", "progress": 0.25}}'

    monkeypatch.setattr("benchmarks.calls.json.dumps", wrong)
    with pytest.raises(calls.DifferenceError, match=r"progress, ours, parse"):
        quick(calls.rows, "parse: progress".__eq__)


def test_messages_have_the_sizes_they_are_named_by() -> None:
    sizes = {name: len(json.dumps(message.value)) for name, message in messages().items()}
    assert 80 <= sizes["tools/call, 100 B"] <= 120
    assert 1_000_000 <= sizes["tools/call, 1 MB"] <= 1_150_000
    assert 800 <= len(json.dumps(tool(1))) <= 900
    assert len(text(10_000)) >= 10_000


def test_a_clock_takes_the_functions_in_turn_and_then_backwards() -> None:
    called: list[str] = []
    functions = {name: (lambda name=name: called.append(name)) for name in "abc"}
    effort = clock.Effort(seconds=0.0, sample=0.0, least=2, most=5, children=1, large=10)
    assert set(clock.measure(functions, effort)) == {"a", "b", "c"}
    assert "".join(called) == "abccba"


def row(value: float, target: float | None = 1.1, group: str = "parse", name: str = "a message") -> Row:
    return Row(group, name, target, "2.0 µs", {"gc off": 1.0, "gc on": value}, {"gc off": 3.0})


@pytest.mark.parametrize(
    ("value", "target", "ok"), [(1.1, 1.1, True), (1.104, 1.1, True), (1.106, 1.1, False), (9.0, None, None)]
)
def test_a_verdict_is_on_the_numbers_as_shown(value: float, target: float | None, ok: bool | None) -> None:
    assert row(value, target).ok is ok


def test_the_table_shows_targets_and_verdicts() -> None:
    table = report.table([row(1.05), row(1.2, name="another"), row(1.0, group="dump")])
    assert "### Bytes to typed, " in table
    assert "| row       |  floor | target | ours, gc off | ours, gc on | peer, gc off |      |" in table
    assert "| a message | 2.0 µs |   1.10 |         1.00 |        1.05 |         3.00 |   ok |" in table
    assert "| another   | 2.0 µs |   1.10 |         1.00 |        1.20 |         3.00 | MISS |" in table
    assert table.index("### Bytes to typed, ") < table.index("### Typed to bytes")
    assert table.endswith("Missed: 1 of 3 rows.")
    assert report.table([row(1.0)]).endswith("Every row meets its target.")


def test_the_command_prints_tables_or_json_and_writes_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n\n{report.START}\nold\n{report.END}\n\nAfter.\n", "utf-8")
    main(["--quick", "--only", "dump: progress", "--write", "--document", str(page)])
    printed = capsys.readouterr()
    assert printed.out.startswith("### Typed to bytes before 2026-07-28, ")
    assert "dump: progress" in printed.err
    written = page.read_text("utf-8")
    assert printed.out.rstrip() in written
    assert written.startswith(f"Before.\n\n{report.START}\n\nMeasured with python CPython ")
    assert written.endswith(f"\n\n{report.END}\n\nAfter.\n")
    assert "old" not in written

    main(["--quick", "--only", "PARSE: progress", "--json"])
    value = json.loads(capsys.readouterr().out)
    assert [found["id"] for found in value["rows"]] == ["parse: progress", "strict parse: progress"]
    assert set(value["environment"]) >= {"python", "pydantic", "mcp-types"}


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("No marks.\n", "utf-8")
    with pytest.raises(ValueError, match="marks"):
        report.write([row(1.0)], page)


def test_the_page_of_the_project_has_the_table() -> None:
    page = report.DOCUMENT.read_text("utf-8")
    table = page[page.index(report.START) : page.index(report.END)]
    for title in report.TITLES.values():
        assert f"### {title}\n" in table
    for names in EXPECTED.values():
        for name in names:
            assert f"| {name} " in table
