"""What a bump does to the public names of the generated packages, read off the code before and after."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic.alias_generators import to_camel

from codegen.output import HEADER
from codegen.phrases import enumerated

SRC = Path("src/mcp_surfaces")
CONSTANTS = SRC / "types" / "constants.py"
SHOWN = 20
"""How many undocumented members are named."""


@dataclass(frozen=True)
class Names:
    """The public names of one package that a bump takes away, adds, or gives another value."""

    package: str
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    values: tuple[tuple[str, str, str], ...] = ()
    """Constants with another value: the name, the value before, the value now."""
    fresh: bool = False

    def __str__(self) -> str:
        if self.fresh:
            return f"`{self.package}` is new, with {len(self.new)} names"
        told = (("loses", self.gone), ("gains", self.new))
        said = [f"{verb} {enumerated(f'`{name}`' for name in names)}" for verb, names in told if names]
        said += [f"`{name}` changes from `{was}` to `{now}`" for name, was, now in self.values]
        return f"`{self.package}`: {'; '.join(said)}"


def names(root: Path, files: Mapping[Path, bytes]) -> list[Names]:
    """The packages whose public names differ between the repository at `root` and `files`, in order."""
    old = {path.relative_to(root): path.read_bytes() for path in (root / SRC).glob("*/__init__.py")}
    old = {path: text for path, text in old.items() if text.startswith(HEADER)}
    found: list[Names] = []
    for path in sorted({*old, *(path for path in files if path.name == "__init__.py")}):
        before, after = _public(old.get(path, b"")), _public(files.get(path, b""))
        values = _values(root, files) if path.parent == CONSTANTS.parent else ()
        gone = tuple(name for name in before if name not in after)
        new = tuple(name for name in after if name not in before)
        if gone or new or values:
            found.append(Names(f"mcp_surfaces.{path.parent.name}", gone, new, values, path not in old))
    return found


def _values(root: Path, files: Mapping[Path, bytes]) -> tuple[tuple[str, str, str], ...]:
    there = root / CONSTANTS
    before = _assigned(there.read_bytes() if there.is_file() else b"")
    after = _assigned(files.get(CONSTANTS, b""))
    return tuple(
        (name, was, after[name])
        for name, was in before.items()
        if not name.startswith("__") and after.get(name, was) != was
    )


def undocumented(root: Path, files: Mapping[Path, bytes], words: Mapping[str, Mapping[str, str]]) -> list[str]:
    """One line that lists the members of `types` that `files` add and that have no `words`, or none.

    Not methods, params and constants, which speak for themselves.
    """
    before = _members(path.read_bytes() for path in (root / CONSTANTS.parent).glob("*.py"))
    after = _members(data for path, data in files.items() if path.parent == CONSTANTS.parent)
    found = [
        f"`{name}.{member}`"
        for name, member in sorted(after - before)
        if not words.get(name, {}).get(member) and not words.get("*", {}).get(member)
    ]
    more = [f"{len(found) - SHOWN} more"] if len(found) > SHOWN else []
    return [enumerated([*found[:SHOWN], *more])] if found else []


def _members(texts: Iterable[bytes]) -> set[tuple[str, str]]:
    """The members of the classes in `texts`: name of the class, and of the member on the wire."""
    found: set[tuple[str, str]] = set()
    classes = [node for text in texts for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    for owner in classes:
        for member in owner.body:
            if isinstance(member, ast.AnnAssign):
                said = ast.unparse(member)
                alias = re.search(r"\balias='(.+?)'", said)
                name = alias[1] if alias else to_camel(ast.unparse(member.target))
                if name not in ("method", "params") and not re.search(r": Literal\[[^,]*\]( =|$)", said):
                    found.add((owner.name, name))
    return found


def _public(text: bytes) -> list[str]:
    """What `__all__` lists."""
    names: list[str] = ast.literal_eval(_assigned(text).get("__all__", "[]"))
    return names


def _assigned(text: bytes) -> dict[str, str]:
    """The names a module assigns, each with the source of its value."""
    return {
        ast.unparse(target): ast.unparse(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
