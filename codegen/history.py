"""Small diffs, measured: the states of a schema replayed as bumps of one revision, and what each changes.

A line counts as changed where a diff shows it, in the generated Python against the canonical schema. It counts as moved
where a file has it before and after, in the same class or table, and a diff shows it all the same, because it, or the
class, stands in another order. A bump should move none.
"""

from __future__ import annotations

import ast
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from codegen.bump import Progress, bump
from codegen.canonical import dump
from codegen.output import write
from codegen.pin import pins
from codegen.problems import Problem

Files = Mapping[Path, bytes]


@dataclass(frozen=True)
class Step:
    """One state: the lines its bump changed, or why it stopped."""

    name: str
    schema: int = 0
    generated: int = 0
    moved: int = 0
    stopped: str = ""


def replay(root: Path, folder: Path, progress: Progress) -> list[Step]:
    """The states in `folder`, by name of the file, as bumps of the newest revision, on a copy of the repository."""
    if not folder.is_dir():
        raise Problem(str(folder), "", "no such folder")
    files = sorted(folder.glob("*.json"))
    if not files:
        raise Problem(str(folder), "", "holds no JSON file")
    steps: list[Step] = []
    with tempfile.TemporaryDirectory(prefix="mcp-surfaces-") as scratch:
        copy = Path(scratch)
        for part in ("schemas", "src", "docs"):
            shutil.copytree(root / part, copy / part)
        for number, file in enumerate(files, 1):
            progress(f"{number} of {len(files)}: {state(file)}")
            steps.append(step(copy, file))
    return steps


def state(file: Path) -> str:
    """What a state is called: its file, without what says that it holds the facts alone."""
    return file.stem.removesuffix(".facts")


def step(root: Path, file: Path) -> Step:
    """The bump to one state, made in the repository at `root`."""
    revision = list(pins(root / "schemas"))[-1]
    before = generated(root)
    try:
        outcome = bump(root, revision, file.read_bytes(), None, lambda _: None)
    except Problem as problem:
        return Step(state(file), stopped=str(problem))
    write(root, outcome.files)
    after = generated(root)
    return Step(
        state(file),
        schema=changed(dump(outcome.old), dump(outcome.new)),
        generated=sum(changed(before.get(path, b""), after.get(path, b"")) for path in {*before, *after}),
        moved=sum(moved(before[path], after[path]) for path in before if path in after),
    )


def generated(root: Path) -> dict[Path, bytes]:
    """The Python files of the packages."""
    return {path.relative_to(root): path.read_bytes() for path in sorted((root / "src").rglob("*.py"))}


def changed(old: bytes, new: bytes) -> int:
    """The lines that a diff of two texts takes away or adds."""
    before, after = old.decode().splitlines(), new.decode().splitlines()
    return len(before) + len(after) - 2 * len(in_order(before, after))


def moved(old: bytes, new: bytes) -> int:
    """The lines of definitions that both texts have, in another order."""
    before, after = definitions(old), definitions(new)
    kept = [name for name in before if name in after]
    steady = in_order(kept, [name for name in after if name in before])
    return sum(shuffled(before[name], after[name]) if name in steady else len(before[name]) for name in kept)


def definitions(text: bytes) -> dict[str, list[str]]:
    """The lines of each module-level class, assignment, or entry of a table, by its name."""
    lines = text.decode().splitlines()
    found: dict[str, list[str]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            entries = zip(node.value.keys, node.value.values, strict=True)
            keys = {ast.unparse(key): lines[key.lineno - 1 : value.end_lineno] for key, value in entries if key}
            found.update({f"{ast.unparse(node.target)}[{key}]": entry for key, entry in keys.items()})
        elif not isinstance(node, ast.Expr):
            name = node.name if isinstance(node, ast.ClassDef) else ast.unparse(node).partition(" = ")[0]
            found[name] = lines[node.lineno - 1 : node.end_lineno]
    return found


def shuffled(old: Sequence[str], new: Sequence[str]) -> int:
    """The lines that each side has once, and that stand in another order."""
    before, after = Counter(old), Counter(new)
    once = {line for line in before if before[line] == after[line] == 1}
    kept, order = [line for line in old if line in once], [line for line in new if line in once]
    return len(kept) - len(in_order(kept, order))


def in_order(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """What a diff shows as the same in both."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return [one for block in blocks for one in old[block.a : block.a + block.size]]


def table(steps: Sequence[Step]) -> str:
    """The figures as a Markdown table, with their sum."""
    lines = ["| state | schema lines | generated lines | ratio | moved |", "| --- | ---: | ---: | ---: | ---: |"]
    whole = Step(
        "all",
        schema=sum(one.schema for one in steps),
        generated=sum(one.generated for one in steps),
        moved=sum(one.moved for one in steps),
    )
    for one in [*steps, whole]:
        if one.stopped:
            lines.append(f"| {one.name} | stopped: {one.stopped} | | | |")
        else:
            ratio = f"{one.generated / one.schema:.2f}" if one.schema else "-"
            lines.append(f"| {one.name} | {one.schema} | {one.generated} | {ratio} | {one.moved} |")
    return "\n".join(lines) + "\n"
