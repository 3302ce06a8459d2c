"""A schema bump: from a new upstream schema to regenerated, checked packages and a report, all of it or nothing.

It works on a copy of `schemas/`. What the new schema leaves undecided is inferred where a good default exists, and
written into the policy as the line that decides it; lines that decide nothing any more are set aside; what would be
guessing on the wire stops with its one line. Then the strict pipeline runs over the result.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codegen.additive import additive
from codegen.amend import amend, amendments
from codegen.canonical import Schema, escape
from codegen.edits import added, restored, set_aside, spans
from codegen.exported import Names, names, undocumented
from codegen.merge import is_envelope
from codegen.pin import load_all, pinned, pins
from codegen.pipeline import Pipeline
from codegen.policy import FILES, Line, Path_, Policy, Undecided, loads, read_toml, toml
from codegen.renames import renames
from codegen.report import HEADINGS, Format, Notes, report
from codegen.shapes import Shapes

Progress = Callable[[str], None]


@dataclass
class Bump:
    """The outcome: every file to write, by its path from the repository root, and what the reader should know."""

    revision: str
    old: Schema
    new: Schema
    title: str
    files: dict[Path, bytes] = field(default_factory=dict[Path, bytes])
    notes: Notes = field(default_factory=lambda: {heading: [] for heading in HEADINGS})
    """What was done to the policy: under "added" what was inferred, each with the line that stands for review."""
    names: list[Names] = field(default_factory=list[Names])
    """What becomes of the public names."""

    def report(self, format: Format) -> str:
        """What changed from the schema before, and what was done to the policy."""
        return report(self.old, self.new, title=self.title, notes=self.notes, format=format, names=self.names)


def bump(root: Path, revision: str, upstream: bytes, commit: str | None, progress: Progress) -> Bump:
    """The bump of the repository at `root` to `upstream` as `revision`. Writes nothing.

    Raises Problem for what only a person can decide.
    """
    schemas = root / "schemas"
    with workspace(schemas) as work:
        known = list(pins(work))
        progress("pin")
        for path, data in pinned(revision, upstream, commit, work).items():
            path.write_bytes(data)
        after = load_all(work)
        result = start(revision, after, load_all(schemas), known)
        progress("decide")
        policy = Editor(work, result.notes)
        policy.restore()
        policy.drop_unpinned(list(after))
        keep_renamed(result, after, policy)
        if revision not in served(work):
            group(revision, after, policy)
        settle(policy)
        progress("generate")
        run = Pipeline(work)
        result.files = run.files()
        result.names = names(root, result.files)
        result.notes["undocumented"].extend(undocumented(root, result.files, run.policy.words))
        for file in sorted(work.iterdir()):
            result.files[Path("schemas") / file.name] = file.read_bytes()
    return result


@contextmanager
def workspace(schemas: Path) -> Generator[Path]:
    """A copy of the folder `schemas` to work on."""
    with tempfile.TemporaryDirectory(prefix="mcp-surfaces-") as folder:
        work = Path(folder) / "schemas"
        shutil.copytree(schemas, work)
        yield work


def start(revision: str, after: dict[str, Schema], before: dict[str, Schema], known: Sequence[str]) -> Bump:
    """The bump with what it is compared to: the same revision, or for a new one the revision before it."""
    order = list(after)
    if revision in known:
        return Bump(revision, before[revision], after[revision], f"Bump of {revision}")
    place = order.index(revision)
    base = order[place - 1] if place else order[place + 1]
    return Bump(revision, after[base], after[revision], f"New revision {revision}, compared to {base}")


class Editor:
    """Edits the policy files in `folder`, and notes what a reader should know of it."""

    def __init__(self, folder: Path, notes: Notes) -> None:
        self.folder, self.notes = folder, notes
        for name in FILES:
            read_toml(folder / f"{name}.toml")
        self.before = {name: self.read(name) for name in FILES}

    def read(self, name: str) -> str:
        """The text of a policy file."""
        return (self.folder / f"{name}.toml").read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        """Replace the text of a policy file."""
        (self.folder / f"{name}.toml").write_text(text, encoding="utf-8", newline="\n")

    def restore(self) -> None:
        """Take up what earlier bumps set aside; what still decides nothing is set aside again."""
        for name in FILES:
            self.write(name, restored(self.read(name)))

    def set_aside(self, lines: Sequence[Line]) -> None:
        """Comment out lines that decide nothing."""
        for name in FILES:
            paths = [line.path for line in lines if line.file == name]
            if paths:
                self.write(name, set_aside(self.read(name), paths))

    def add(self, policy: Policy) -> None:
        """Write down what was inferred."""
        for undecided in policy.undecided:
            if undecided.line.path in spans(self.read(undecided.line.file)):
                raise undecided.problem
            self.put(undecided)

    def put(self, undecided: Undecided) -> None:
        """Write down one line, and that it was."""
        name = undecided.line.file
        self.write(name, added(self.read(name), undecided.line.path, undecided.value))
        line = undecided.fix.removeprefix("add ")
        self.notes["added"].append(
            f"{undecided.where}#{undecided.pointer}: {undecided.what} → added: in {name}.toml, {line}"
        )

    def drop_unpinned(self, known: Sequence[str]) -> None:
        """Take out of `surfaces.toml` the revisions that have no pin."""
        text = self.read("surfaces")
        entries: list[dict[str, Any]] = loads(text)["surface"]
        for index in reversed(range(len(entries))):
            name: str = entries[index]["name"]
            named: list[str] = entries[index]["revisions"]
            kept = [revision for revision in named if revision in known]
            if not kept:
                lines = text.splitlines(keepends=True)
                span = spans(text)[("surface", index)]
                text = "".join([*lines[: span.first], *lines[span.last :]])
                self.notes["surfaces"].append(
                    f"{name} is gone with its revisions → removed: its [[surface]] in surfaces.toml"
                )
            elif kept != named:
                text = with_revisions(text, index, kept)
        self.write("surfaces", text)

    def moved(self) -> None:
        """List the lines that were set aside, or taken up again, since the beginning."""
        for name in FILES:
            was, now = decided(self.before[name]), decided(self.read(name))
            again = now & decided(restored(self.before[name])) - was
            for heading, paths in (("set aside", was - now), ("taken up again", again)):
                inner = {path for path in paths if any(path[:end] in paths for end in range(len(path)))}
                tops = sorted(paths - inner, key=str)
                if tops:
                    lines = ", ".join(".".join(str(key) for key in path if key != "") for path in tops)
                    self.notes[heading].append(f"{name}.toml: {lines}")


def decided(text: str) -> set[Path_]:
    """The lines of a policy file, a block by its name instead of its place."""
    document = loads(text)
    found: set[Path_] = set()
    for path in spans(text):
        if len(path) > 1 and isinstance(path[1], int):
            path = (path[0], document[str(path[0])][path[1]]["name"], *path[2:])
        found.add(path)
    return found


def served(folder: Path) -> set[str]:
    """The revisions that some surface serves."""
    return {revision for entry in read_toml(folder / "surfaces.toml")["surface"] for revision in entry["revisions"]}


def keep_renamed(result: Bump, schemas: dict[str, Schema], policy: Editor) -> None:
    """Let a definition that the new schema renames stay one class, whose new name is an alias of the old one.

    Not where the policy, or another revision, knows the new name already, and not for frames, which are no classes.
    """
    superset = read_toml(policy.folder / "superset.toml")
    known: dict[str, str] = superset.get("rename", {})
    taken = {*known, *known.values(), *superset.get("external", ()), *read_toml(policy.folder / "docs.toml")}
    for revision, schema in schemas.items():
        taken.update(schema["$defs"] if revision != result.revision else ())
    for old, new in sorted(renames(Shapes(result.old), Shapes(result.new)).items()):
        if new in taken or old in superset.get("external", ()) or is_envelope(result.new["$defs"][new]):
            continue
        what = f"seems to be {old} under another name, and stays one class with it"
        line = Line("superset", ("rename", new))
        policy.put(Undecided(result.revision, f"/$defs/{escape(new)}", what, line, old))


def group(revision: str, schemas: dict[str, Schema], policy: Editor) -> None:
    """Give a new revision to the surface before it, if it provably can serve all of that, or to one of its own."""
    schemas = amend(schemas, amendments(policy.folder))[0]
    text = policy.read("surfaces")
    order = list(schemas)
    earlier = [
        (index, entry)
        for index, entry in enumerate(loads(text)["surface"])
        if max(map(order.index, entry["revisions"])) < order.index(revision)
    ]
    if earlier:
        index, entry = max(earlier, key=lambda one: max(map(order.index, one[1]["revisions"])))
        against = [
            (old, objection) for old in entry["revisions"] for objection in additive(schemas[old], schemas[revision])
        ]
        if not against:
            policy.write("surfaces", with_revisions(text, index, [*entry["revisions"], revision]))
            why = "proven additive over all it serves"
            policy.notes["surfaces"].append(
                f"{entry['name']} serves {revision}: {why} → added: to its revisions in surfaces.toml"
            )
            return
        old, objection = against[0]
        first = f"objections: {len(against)}; the first, for {old}: {objection.text}"
        why = f"{entry['name']} cannot serve {revision} ({first})"
    else:
        why = "no surface is older"
    name = "v" + revision.replace("-", "_")
    blocks = [span.last for path, span in spans(text).items() if path[0] == "surface" and len(path) == 2]
    lines = text.splitlines()
    place = max(blocks, default=len(lines))
    block = ["", "[[surface]]", f'name = "{name}"', f"revisions = {toml([revision])}", "strict = true"]
    policy.write("surfaces", "".join(f"{line}\n" for line in [*lines[:place], *block, *lines[place:]]))
    policy.notes["surfaces"].append(f"{name} is new and strict: {why} → added: its [[surface]] in surfaces.toml")


def with_revisions(text: str, index: int, revisions: Sequence[str]) -> str:
    """`text` of `surfaces.toml` with the revisions that surface number `index` serves."""
    span = spans(text)[("surface", index, "revisions")]
    lines = text.splitlines()
    lines[span.first : span.last] = [f"revisions = {toml(sorted(revisions))}"]
    return "".join(f"{line}\n" for line in lines)


def settle(policy: Editor) -> None:
    """Complete the policy, and set aside what decides nothing, until a run has nothing to say of either."""
    while True:
        run = Pipeline(policy.folder, lenient=True)
        run.settle()
        if run.policy.undecided:
            policy.add(run.policy)
        elif run.policy.idle:
            policy.set_aside(run.policy.idle)
        else:
            policy.moved()
            return
