"""The differential run: `python -m tests.fidelity.run`. Exits 1 when a model and JSON Schema disagree anywhere."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tests.fidelity.adapter import Package
from tests.fidelity.compare import Disagreement, Plan, Tally, compare
from tests.fidelity.judge import amended_schema, pinned_schema

SURFACES = ("v2025_11_25", "v2026_07_28")


@dataclass(frozen=True)
class Task:
    """One definition of one package to be judged."""

    surface: str
    package: str
    definition: str
    pinned: bool
    plan: Plan

    @property
    def revision(self) -> str:
        """The revision whose schema is the measure."""
        return self.surface.removeprefix("v").replace("_", "-")

    def run(self) -> Tally:
        """Judge it."""
        schema = pinned_schema(self.revision) if self.pinned else amended_schema(self.revision)
        return compare(
            schema, self.revision, self.definition, Package.named(self.package).model(self.definition), self.plan
        )


def run_surface(surface: str, package: str, plan: Plan, pinned: bool = False, workers: int = 2) -> list[Tally]:
    """Every definition of `surface`, judged in `workers` processes; tallies by name."""
    schema = (pinned_schema if pinned else amended_schema)(surface.removeprefix("v").replace("_", "-"))
    tasks = [Task(surface, package, name, pinned, plan) for name in sorted(schema["$defs"])]
    if workers < 2:
        return [task.run() for task in tasks]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        return pool.map(Task.run, tasks, chunksize=1)


def table(tallies: Sequence[Tally]) -> str:
    """The counts by definition and by kind of mutation, as text."""
    by_kind, accepted, refused = Counter[str](), Counter[str](), Counter[str]()
    rows: list[tuple[str, int, int, int]] = []
    for tally in tallies:
        rows.append((tally.definition, tally.cases.total(), tally.accepted.total(), tally.refused.total()))
        by_kind.update(tally.cases)
        accepted.update(tally.accepted)
        refused.update(tally.refused)
    kinds = [(kind, count, accepted[kind], refused[kind]) for kind, count in sorted(by_kind.items())]
    total = ("total", by_kind.total(), accepted.total(), refused.total())
    return f"{_lines('definition', [*rows, total])}\n\n{_lines('kind of instance', [*kinds, total])}"


def _lines(title: str, rows: Sequence[tuple[str, int, int, int]]) -> str:
    head = f"{title:<46}{'instances':>12}{'wrongly accepted':>18}{'wrongly refused':>17}"
    return "\n".join(
        [head, *(f"{name:<46}{cases:>12,}{taken:>18,}{turned:>17,}" for name, cases, taken, turned in rows)]
    )


def summary(surface: str, package: str, tallies: Sequence[Tally], seconds: float) -> dict[str, Any]:
    """The totals of one surface."""
    kinds = sum((tally.cases for tally in tallies), Counter[str]())
    return {
        "surface": surface,
        "package": package,
        "definitions": len(tallies),
        "missing": [tally.definition for tally in tallies if tally.missing],
        "instances": kinds.total(),
        "valid": sum(tally.valid for tally in tallies),
        "invalid": kinds.total() - sum(tally.valid for tally in tallies),
        "confirmed": sum(tally.confirmed for tally in tallies),
        "wrongly_accepted": sum(tally.accepted.total() for tally in tallies),
        "wrongly_refused": sum(tally.refused.total() for tally in tallies),
        "modes": dict(sorted(sum((tally.modes for tally in tallies), Counter[str]()).items())),
        "kinds": {
            kind: [count, sum(tally.accepted[kind] for tally in tallies), sum(tally.refused[kind] for tally in tallies)]
            for kind, count in sorted(kinds.items())
        },
        "seconds": round(seconds, 1),
    }


def smallest(tallies: Sequence[Tally], limit: int) -> list[Disagreement]:
    """The smallest disagreements, one for each definition before a second for any."""
    ranked = [sorted(tally.worst.values(), key=lambda item: (len(item.text), item.kind)) for tally in tallies]
    numbered = [(place, len(item.text), item) for items in ranked for place, item in enumerate(items)]
    return [item for _, _, item in sorted(numbered, key=lambda entry: entry[:2])[:limit]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and say whether there was any disagreement."""
    options = _options(arguments)
    surfaces = [options.surface] if options.surface else list(SURFACES)
    plan = Plan(options.instances, options.mutations, options.share, options.drawn, options.seed)
    totals: list[dict[str, Any]] = []
    for surface in surfaces:
        package = options.package or f"mcp_surfaces.{surface}"
        start = time.monotonic()
        tallies = run_surface(surface, package, plan, options.pinned, options.workers)
        total = summary(surface, package, tallies, time.monotonic() - start)
        found = smallest(tallies, options.show)
        totals.append({**total, "disagreements": [asdict(item) for item in found]})
        if not options.json:
            print(f"{package} against the schema of {surface}\n\n{table(tallies)}\n")
            for item in found:
                print(f"wrongly {item.wrongly} ({item.modes}) {item.definition}, {item.kind}: {item.text[:400]}")
            print(
                "\n" + "\n".join(f"{key}: {value}" for key, value in total.items() if key != "kinds") + "\n", flush=True
            )
    if options.json:
        print(json.dumps(totals, indent=1))
    return int(any(total["wrongly_accepted"] or total["wrongly_refused"] or total["missing"] for total in totals))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fidelity.run", description=__doc__)
    parser.add_argument("--surface", choices=SURFACES, help="one surface (default: both)")
    parser.add_argument("--package", help="import path of another package to judge, e.g. mcp_types._v2025_11_25")
    parser.add_argument("--pinned", action="store_true", help="judge by the canonical schema without amendments")
    parser.add_argument("--instances", type=int, default=60, help="valid instances for each definition")
    parser.add_argument("--mutations", type=int, default=800, help="mutations of each of the first instances")
    parser.add_argument("--share", type=int, default=50, help="mutations of each further instance")
    parser.add_argument("--drawn", type=int, default=6, help="instances from hypothesis-jsonschema, where it copes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", type=int, default=12, help="how many disagreeing instances to show")
    parser.add_argument("--json", action="store_true", help="print the totals as JSON")
    options = parser.parse_args(arguments)
    named = re.search(r"v\d{4}_\d{2}_\d{2}$", options.package or "")
    if options.package and not options.surface:
        if named is None:
            parser.error("--package needs --surface, where its name does not end in one")
        options.surface = named[0]
    return options


if __name__ == "__main__":
    sys.exit(main())
