"""The command line of the pipeline. The nox session of its name runs each command but `show` and `report`.

Those need the environment of such a session: `.nox/first/bin/python -m codegen report OLD NEW`, after `nox -s first`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from codegen import reference
from codegen.bump import bump
from codegen.canonical import Schema, parse
from codegen.history import replay, table
from codegen.output import changes, drift, write
from codegen.pin import load, pinned, pins
from codegen.pipeline import STAGES, Pipeline
from codegen.problems import Problem
from codegen.report import Format, report

ROOT = Path(__file__).resolve().parent.parent


def generate(arguments: argparse.Namespace) -> int:
    """Write every generated file."""
    changed = write(arguments.root, Pipeline(arguments.root / "schemas").files())
    print(f"{len(changed)} files changed" if changed else "nothing changed")
    for path in changed:
        print(f"  {path.as_posix()}")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Fail if a generated file is not what the pins and the policy give."""
    found = drift(arguments.root, Pipeline(arguments.root / "schemas").files())
    for line in found:
        print(line)
    print(f"drift in {len(found)} files -> nox -s generate" if found else "no drift")
    return 1 if found else 0


def show(arguments: argparse.Namespace) -> int:
    """Print the document after a stage."""
    print(Pipeline(arguments.root / "schemas").show(arguments.stage, arguments.revision))
    return 0


def pin(arguments: argparse.Namespace) -> int:
    """Pin an upstream schema and nothing more; `bump` does the rest as well."""
    folder = arguments.root / "schemas"
    for path in write(folder, pinned(arguments.revision, read(arguments.path), arguments.commit, folder)):
        print(f"pinned {path.as_posix()}")
    return 0


def bumped(arguments: argparse.Namespace) -> int:
    """Pin a schema, complete the policy, regenerate and report; write all of it, or nothing."""
    upstream = read(arguments.path)
    outcome = bump(arguments.root, arguments.revision, upstream, arguments.commit, progress)
    print(outcome.report(arguments.format), end="")
    changed = changes(arguments.root, outcome.files) if arguments.dry_run else write(arguments.root, outcome.files)
    verb = "would change" if arguments.dry_run else "changed"
    print(f"{len(changed)} files {verb}", file=sys.stderr)
    for path in changed:
        print(f"  {path.as_posix()}", file=sys.stderr)
    return 0


def replayed(arguments: argparse.Namespace) -> int:
    """Replay the states of a schema as bumps of the newest revision, and measure the diffs."""
    print(table(replay(arguments.root, arguments.folder, progress)), end="")
    return 0


def progress(step: str) -> None:
    """Say what a long run is at."""
    print(f"… {step}", file=sys.stderr, flush=True)


def compare(arguments: argparse.Namespace) -> int:
    """Print what changed from one schema to another, in plain words."""
    old, new = (schema(name, arguments.root / "schemas") for name in (arguments.old, arguments.new))
    title = f"{Path(arguments.old).stem} → {Path(arguments.new).stem}"
    print(report(old, new, title=title, format=arguments.format), end="")
    return 0


def docs(arguments: argparse.Namespace) -> int:
    """Write the generated pages alone."""
    for path in write(arguments.root, Pipeline(arguments.root / "schemas").pages()):
        print(f"written {path.as_posix()}")
    print(f"see {(arguments.root / reference.PAGE).as_posix()}")
    return 0


def schema(name: str, folder: Path) -> Schema:
    """The schema of a pinned revision, or in a file."""
    known = pins(folder)
    return load(known[name], folder) if name in known else parse(read(Path(name)), name)


def read(path: Path) -> bytes:
    """The content of a file the user names. Raises Problem when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Problem(str(path), "", error.strerror or "unreadable") from None


def parser() -> argparse.ArgumentParser:
    """The commands and their arguments."""
    result = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    result.add_argument("--root", type=Path, default=ROOT, help="the repository to work on, this one by default")
    result.add_argument("--traceback", action="store_true", help="on a fault of the pipeline itself, show where")
    commands = result.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("generate", help="write what the pins give").set_defaults(run=generate)
    commands.add_parser("check", help="fail if what is committed is not what the pins give").set_defaults(run=check)
    commands.add_parser("docs", help="write the generated pages").set_defaults(run=docs)
    command = commands.add_parser("show", help="print the document after a stage")
    command.add_argument("stage", metavar="STAGE", help=", ".join(STAGES))
    command.add_argument(
        "revision",
        metavar="REVISION",
        help="a revision; from merge on a package: types, or for annotate and emit a surface too",
    )
    command.set_defaults(run=show)
    command = commands.add_parser("pin", help="pin an upstream schema.json, without generating anything")
    command.add_argument("revision", metavar="REVISION")
    command.add_argument("path", metavar="PATH", type=Path)
    command.add_argument("--commit", help="the upstream commit, its full hash")
    command.set_defaults(run=pin)
    command = commands.add_parser("bump", help="take up an upstream schema.json: pin, generate, check, report")
    command.add_argument("revision", metavar="REVISION", help="one that is pinned, or a new one")
    command.add_argument("path", metavar="PATH", type=Path)
    command.add_argument("--commit", help="the upstream commit, its full hash")
    command.add_argument("--dry-run", action="store_true", help="write nothing")
    command.add_argument("--format", choices=get_args(Format), default="text", help="of the report")
    command.set_defaults(run=bumped)
    command = commands.add_parser("history", help="replay the states of a schema, and measure the diffs")
    command.add_argument("folder", metavar="FOLDER", type=Path, help="JSON files, in order of their names")
    command.set_defaults(run=replayed)
    command = commands.add_parser("report", help="say in plain words what changed from one schema to another")
    command.add_argument("old", metavar="OLD", help="a revision, or a file")
    command.add_argument("new", metavar="NEW", help="a revision, or a file")
    command.add_argument("--format", choices=get_args(Format), default="text")
    command.set_defaults(run=compare)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 where all is well, 1 after the one line that says what is not."""
    parsed = parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except Problem as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has had enough, as `head` has; what is left in the buffer must go somewhere when Python ends.
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return 1
    except Exception as fault:
        if parsed.traceback:
            raise
        what = " ".join(f"{type(fault).__name__}: {fault}".split())
        print(f"error: {what} (a fault of the pipeline: --traceback shows where)", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
