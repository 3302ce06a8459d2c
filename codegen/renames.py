"""Recognises which removed definitions live on under another name: by shape, and by name or by what refers to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from codegen.canonical import escape, walk
from codegen.shapes import Node, Shapes, node, text

ALIKE = 0.7
"""The least share of facts in common that makes one definition a renaming of another."""
NEAR = 0.85
"""The least kinship of the two names, unless the bodies are equal and no third is equal to them."""
KIN = 0.4
"""The least kinship of the two names in that case, unless the same places refer to them."""

Facts = frozenset[tuple[str, str]]


def renames(old: Shapes, new: Shapes) -> dict[str, str]:
    """Old name to new name, each name once, the most alike first."""
    found: dict[str, str] = {}
    while (best := _best(old, new, found)) is not None:
        found[best[0]] = best[1]
    return found


def _best(old: Shapes, new: Shapes, found: dict[str, str]) -> tuple[str, str] | None:
    """The likeliest renaming besides those found."""
    both = {name: name for name in old.definitions.keys() & new.definitions.keys()}
    theirs, ours = {**both, **found}, {name: name for name in (*both, *found.values())}
    before = {name: _facts(old, name, theirs) for name in old.definitions.keys() - theirs.keys()}
    after = {name: _facts(new, name, ours) for name in new.definitions.keys() - ours.keys()}
    bodies, others = Counter(before.values()), Counter(after.values())
    users, successors = _users(old, theirs), _users(new, ours)
    scores: list[tuple[float, float, str, str]] = []
    for name, body in before.items():
        for other, shape in after.items():
            if (alike := _alike(body, shape)) < ALIKE:
                continue
            least = NEAR
            if alike == 1 and bodies[body] == others[shape] == 1:
                least = 0 if users.get(name) and users.get(name) == successors.get(other) else KIN
            if (kin := _kin(name, other)) >= least:
                scores.append((alike, kin, name, other))
    return max(scores)[2:] if scores else None


def _users(shapes: Shapes, names: dict[str, str]) -> dict[str, frozenset[tuple[str, str]]]:
    """Definition to the places that refer to it, each in a definition that `names` calls the same on both sides.

    A definition that any other place refers to as well has none.
    """
    found: dict[str, set[tuple[str, str]]] = {}
    elsewhere: set[str] = set()
    for name, body in shapes.definitions.items():
        for pointer, part in walk(body):
            if (used := Node(part, pointer).ref) is None or used == name:
                continue
            way = re.sub(r"/(anyOf|oneOf)/\d+", "/|", pointer.removeprefix(f"/$defs/{escape(name)}"))
            found.setdefault(used, set()).add((names.get(name, ""), way))
            if name not in names:
                elsewhere.add(used)
    return {name: frozenset(places) for name, places in found.items() if name not in elsewhere}


def _kin(one: str, other: str) -> float:
    """How near two names are: 1 where the words of one are those of the other with some left out."""
    shorter, longer = sorted((_words(one), _words(other)), key=len)
    rest = iter(longer)
    return 1 if all(word in rest for word in shorter) else SequenceMatcher(None, one, other).ratio()


def _words(name: str) -> list[str]:
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+", name)


def _alike(one: Facts, other: Facts) -> float:
    """The share of facts in common; nothing where a constant at one place differs, for then the wire differs."""
    if len(one & other) < ALIKE * len(one | other):
        return 0
    constants = {path: value for path, value in one if path.endswith("/const")}
    if any(constants.get(path, value) != value for path, value in other if path.endswith("/const")):
        return 0
    return len(one & other) / max(len(one | other), 1)


def _facts(shapes: Shapes, name: str, names: dict[str, str]) -> Facts:
    """What a definition says, one fact a line: references to known names as such, others written out."""
    return frozenset(_lines(shapes, shapes.definition(name), names, "", (name,)))


def _lines(
    shapes: Shapes, at: Node, names: dict[str, str], path: str, inside: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    if at.ref is not None:
        if at.ref in names or at.ref in inside:
            yield path, "$ref self" if at.ref in inside else f"$ref {names[at.ref]}"
        else:
            yield from _lines(shapes, shapes.definition(at.ref), names, path, (*inside, at.ref))
        return
    for key, value in shapes.resolve(at).schema.items():
        if key == "properties":
            for name, member in value.items():
                yield from _lines(shapes, node(member, at.pointer), names, f"{path}/{name}", inside)
        elif key == "required":
            yield from ((f"{path}/{name}", "required") for name in value)
        elif key in ("items", "additionalProperties"):
            yield from _lines(shapes, node(value, at.pointer), names, f"{path}/{key}", inside)
        elif key in ("anyOf", "oneOf", "allOf"):
            for arm in value:
                yield from _lines(shapes, node(arm, at.pointer), names, f"{path}/|", inside)
        else:
            yield f"{path}/{key}", text(value)
