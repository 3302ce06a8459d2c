"""`python -m benchmarks`: measure, and print the table. The exit status is 0 whatever the clock says."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.clock import FULL, QUICK, Effort
from benchmarks.report import DOCUMENT, Row, as_json, table, write


def measured(effort: Effort, only: str) -> Iterator[Row]:
    """Every row whose `group: name` contains `only`."""
    from benchmarks.calls import rows
    from benchmarks.processes import cold, lists

    def wanted(row: str) -> bool:
        return only.casefold() in row.casefold()

    yield from cold(effort, wanted)
    yield from rows(effort, wanted)
    yield from lists(effort, wanted)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print everything that was measured, for tools")
    parser.add_argument("--quick", action="store_true", help="call everything once, for a look at the results only")
    parser.add_argument("--only", metavar="ROW", default="", help="measure the rows whose `group: name` contains this")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{DOCUMENT.name}")
    parser.add_argument("--document", type=Path, default=DOCUMENT, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for row in measured(QUICK if options.quick else FULL, options.only):
        rows.append(row)
        print(f"{len(rows):3} {row.id}", file=sys.stderr)
    print(json.dumps(as_json(rows), indent=2) if options.json else table(rows))
    if options.write:
        write(rows, options.document)


if __name__ == "__main__":
    main()
