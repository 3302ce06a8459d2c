"""What came of the measurements: rows, and the table they make."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "benchmarks.md"
START: Final = "<!-- The table: written by `python -m benchmarks --write`. -->"
END: Final = "<!-- End of the table. -->"

TITLES: Final = {
    "cold import": "Cold import, in units of `from pydantic import BaseModel, TypeAdapter`",
    "parse": "Bytes to typed, in units of `model_validate_json` of one hand-written class",
    "strict parse": "Bytes to typed with `strict=True`, in units of the same",
    "dump": "Typed to bytes before 2026-07-28, in units of `model_dump_json` of one hand-written class",
    "strict dump": "Typed to bytes at 2026-07-28, strict (the default), in units of the same",
    "lenient dump": "Typed to bytes at 2026-07-28 with `strict=False`, in units of the same",
    "growth": "Parsing many tools, time a tool in units of that of a tenth as many by hand",
    "memory": "Peak resident memory, in units of one hand-written class",
}
"""The groups of rows, in order, and what their numbers are."""


@dataclass(frozen=True)
class Row:
    """One line of the table. What its numbers are, `TITLES` says of its group."""

    group: str
    name: str
    target: float | None
    """What ours must not exceed; None where nothing is asked."""
    floor: str
    """What the floor took, in words."""
    ours: Mapping[str, float]
    """By column: with garbage collection off and on, or one alone."""
    peer: Mapping[str, float] = field(default_factory=dict[str, float])
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Everything that was measured, for tools."""

    @property
    def id(self) -> str:
        """Its name for `--only`."""
        return f"{self.group}: {self.name}"

    @property
    def ok(self) -> bool | None:
        """Whether ours meets the target, to the two decimals shown; None without a target or a measurement."""
        if self.target is None or not self.ours:
            return None
        return all(round(value, 2) <= round(self.target, 2) for value in self.ours.values())


def as_json(rows: Iterable[Row]) -> dict[str, Any]:
    """Everything, for tools."""
    return {"environment": environment(), "rows": [{"id": row.id, **asdict(row), "ok": row.ok} for row in rows]}


def environment() -> dict[str, str]:
    """What was measured with what."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
        **{name: version(name) for name in ("pydantic", "pydantic-core", "mcp-surfaces", "mcp-types")},
    }


def table(rows: Sequence[Row]) -> str:
    """The rows as tables in Markdown, one a group, aligned for reading as text too."""
    parts: list[str] = []
    for group, title in TITLES.items():
        if members := [row for row in rows if row.group == group]:
            parts.append(f"### {title}\n\n{_aligned(list(_lines(members)))}")
    missed = [row.id for row in rows if row.ok is False]
    verdict = "Every row meets its target." if not missed else f"Missed: {len(missed)} of {len(rows)} rows."
    return "\n\n".join([*parts, verdict])


def _lines(rows: Sequence[Row]) -> Iterable[tuple[str, ...]]:
    columns = list(dict.fromkeys(column for row in rows for column in row.ours))
    peers = list(dict.fromkeys(column for row in rows for column in row.peer))
    yield (
        "row",
        "floor",
        "target",
        *(f"ours{_suffix(column)}" for column in columns),
        *(f"peer{_suffix(column)}" for column in peers),
        "",
    )
    for row in rows:
        yield (
            row.name,
            row.floor,
            "" if row.target is None else f"{row.target:.2f}",
            *(_number(row.ours, column) for column in columns),
            *(_number(row.peer, column) for column in peers),
            {True: "ok", False: "MISS", None: ""}[row.ok],
        )


def _suffix(column: str) -> str:
    return f", {column}" if column else ""


def _number(values: Mapping[str, float], column: str) -> str:
    return f"{values[column]:.2f}" if column in values else ""


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(3, *(len(cell) for cell in column)) for column in zip(*lines, strict=True)]
    head, *body = (
        "| "
        + " | ".join(
            _justified(cell, width, number) for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in lines
    )
    rule = (
        "| "
        + " | ".join("-" * width if not number else "-" * (width - 1) + ":" for number, width in enumerate(widths))
        + " |"
    )
    return "\n".join([head, rule, *body])


def _justified(cell: str, width: int, number: int) -> str:
    return cell.rjust(width) if number else cell.ljust(width)


def write(rows: Sequence[Row], document: Path) -> None:
    """Put the table into `document`, between its marks."""
    before, _, rest = document.read_text("utf-8").partition(START)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"{document.name} lacks the marks around its table")
    measured = ", ".join(f"{name} {value}" for name, value in environment().items())
    text = f"{before}{START}\n\nMeasured with {measured}.\n\n{table(rows)}\n\n{END}{after}"
    document.write_text(text, "utf-8", newline="\n")
