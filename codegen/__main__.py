"""The command line of the pipeline: `python -m codegen generate|check|show|pin`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from codegen.output import drift, write
from codegen.pin import SCHEMAS, pinned
from codegen.pipeline import STAGES, Pipeline
from codegen.problems import Problem

ROOT = Path(__file__).resolve().parent.parent


def generate(arguments: argparse.Namespace) -> int:
    pipeline = Pipeline()
    changed = write(ROOT, pipeline.files())
    print(f"{len(changed)} files changed" if changed else "nothing changed")
    for path in changed:
        print(f"  {path}")
    for line in pipeline.undecided:
        print(f"to decide: {line}")
    return 0


def check(arguments: argparse.Namespace) -> int:
    pipeline = Pipeline()
    found = drift(ROOT, pipeline.files())
    for line in found:
        print(line)
    for line in pipeline.undecided:
        print(f"to decide: {line}")
    print(f"drift in {len(found)} files -> nox -s generate" if found else "no drift")
    return 1 if found or pipeline.undecided else 0


def show(arguments: argparse.Namespace) -> int:
    print(Pipeline().show(arguments.stage, arguments.revision))
    return 0


def pin(arguments: argparse.Namespace) -> int:
    try:
        upstream = arguments.path.read_bytes()
    except OSError as error:
        raise Problem(str(arguments.path), "", error.strerror or "unreadable") from None
    for path in write(SCHEMAS, pinned(arguments.revision, upstream, arguments.commit)):
        print(f"pinned {path}")
    return 0


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    commands = result.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("generate", help="write the packages").set_defaults(run=generate)
    commands.add_parser("check", help="fail if what is committed is not what the pins give").set_defaults(run=check)
    command = commands.add_parser("show", help="print the document after a stage")
    command.add_argument("stage", metavar="STAGE", help=", ".join(STAGES))
    command.add_argument("revision", metavar="REVISION", help="a revision, or from merge on a package")
    command.set_defaults(run=show)
    command = commands.add_parser("pin", help="pin an upstream schema.json")
    command.add_argument("revision", metavar="REVISION")
    command.add_argument("path", metavar="PATH", type=Path)
    command.add_argument("--commit", help="the upstream commit")
    command.set_defaults(run=pin)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 where all is well, 1 after the one line that says what is not."""
    parsed = parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except Problem as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
