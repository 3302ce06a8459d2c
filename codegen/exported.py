"""What a bump does to the public names of the generated packages, read off the code before and after."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen.output import HEADER
from codegen.phrases import enumerated

SRC = Path("src/mcp_surfaces")
CONSTANTS = SRC / "types" / "constants.py"


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
