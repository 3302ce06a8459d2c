"""One-place mutations of an instance, each with a label that says what kind of thing was done.

A mutation says nothing of validity: that is the judge's. The schema only tells where to cut and what to put there.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.fidelity.shapes import TAGS, Json, Shape, Shapes, type_of

Path = tuple[str | int, ...]
Place = tuple[Shape, Json, Path]


class Gone:
    """What a member is set to that is to be dropped."""


GONE = Gone()
OF_TYPE: dict[str, tuple[Json, ...]] = {
    "boolean": (True, False),
    "number": (1, 0, 1.5, 1.0),
    "string": ("x", "1", "true", ""),
    "array": ([], ["x"]),
    "object": ({}, {"x": 1}),
}
EACH = ("const", "enum", "length", "map value", "number", "range", "to number")
"""The kinds whose every value matters: a place is not done with one of them."""
ELEMENTS: tuple[Json, ...] = (None, True, 0, 0.5, "x", [], {})
STRANGERS: tuple[tuple[str, Json], ...] = (
    ("x-unknown", None), ("zz", {"deep": [None, 1.0]}), ("type_", 5), ("extra", "x"), ("", 0),
)  # fmt: skip


class Edit(NamedTuple):
    """One change at `path`, of kind `kind`; `rename` moves the member there to another name instead."""

    kind: str
    path: Path
    value: Json | Gone
    rename: str | None = None

    @property
    def mark(self) -> tuple[Path, str, str]:
        """What makes another edit much the same as this one: place and kind, and for a choice of values the value."""
        return self.path, self.kind, repr(self.value) if self.kind in EACH else ""

    def apply(self, instance: Json) -> Json:
        """`instance` with this change; what is not on the way to it is shared, and nothing is altered."""
        return _edited(instance, self.path, self)


def _edited(node: Json, path: Path, edit: Edit) -> Json:
    if not path:
        assert not isinstance(edit.value, Gone)
        return edit.value
    step, rest = path[0], path[1:]
    if isinstance(node, list):
        assert isinstance(step, int)
        inner = edit.value if not rest else _edited(node[step], rest, edit)
        return [*node[:step], *([] if isinstance(inner, Gone) else [inner]), *node[step + 1 :]]
    assert isinstance(node, dict)
    assert isinstance(step, str)
    copy = dict(node)
    if rest:
        copy[step] = _edited(node[step], rest, edit)
    elif edit.rename is not None:
        copy[edit.rename] = copy.pop(step)
    elif isinstance(edit.value, Gone):
        del copy[step]
    else:
        copy[step] = edit.value
    return copy


def python_spellings(wire: str) -> list[str]:
    """The names a Python model may have given to member `wire`, other than `wire`."""
    last = wire.rsplit("/", 1)[-1]
    names = [_snake(wire), _snake(last), _snake(last) + "_"]
    return [name for name in dict.fromkeys(names) if name != wire]


def _snake(name: str) -> str:
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"\W+", "_", spaced).strip("_").lower()


class Mutator:
    """Finds every one-place mutation of an instance of a definition of one schema."""

    def __init__(self, schema: Shape) -> None:
        self.shapes = Shapes(schema)
        self.tags = self._tags()

    def _tags(self) -> dict[str, list[str]]:
        found: dict[str, set[str]] = {name: {"x/unknown"} for name in TAGS}
        for definition in self.shapes.definitions:
            for name, member in self.shapes.flat(self.shapes.of(definition)).get("properties", {}).items():
                if name in found and isinstance(member.get("const"), str):
                    found[name].add(member["const"])
        return {name: sorted(values) for name, values in found.items()}

    def edits(self, name: str, instance: Json) -> list[Edit]:
        """Every edit of `instance`, an instance of definition `name`."""
        own, foreign = self._places(name, instance)
        return [edit for place in [*own, *foreign] for edit in self._at(*place)]

    def sample(
        self, name: str, instance: Json, limit: int, chance: random.Random, done: set[tuple[Path, str, str]]
    ) -> Iterator[tuple[str, Json]]:
        """Mutations of `instance` with their kinds: each whose like is not `done` yet, and up to `limit` in all.

        What lies behind a reference, and Python spellings, have no such right: they fill up what is left of the limit.
        """
        own, foreign = self._places(name, instance)
        edits = [edit for place in own for edit in self._at(*place)]
        chance.shuffle(edits)
        due: list[Edit] = []
        others: list[Edit] = []
        for edit in edits:
            if edit.mark in done or edit.kind.startswith("snake"):
                others.append(edit)
            else:
                done.add(edit.mark)
                due.append(edit)
        picked = foreign if len(foreign) <= limit else chance.sample(foreign, limit)
        others += [edit for place in picked for edit in self._at(*place)]
        left = max(limit - len(due), 0)
        for edit in [*due, *(others if len(others) <= left else chance.sample(others, left))]:
            yield edit.kind, edit.apply(instance)

    def _places(self, name: str, instance: Json) -> tuple[list[Place], list[Place]]:
        """The places of `instance`: those of `name` itself, and those behind a reference or where anything goes."""
        own: list[Place] = []
        foreign: list[Place] = []
        waiting: list[tuple[Shape | bool, Json, Path, bool]] = [(self.shapes.of(name), instance, (), False)]
        while waiting:
            node, value, path, away = waiting.pop()
            leaf = self.shapes.arm(node, value)
            (foreign if away else own).append((leaf, value, path))
            inner = away or (path != () and _is_foreign(node))
            waiting += [(*entry, inner) for entry in _inside(leaf, value, path)]
        return own, foreign

    def _at(self, leaf: Shape, value: Json, path: Path) -> Iterator[Edit]:
        """The edits of `value` itself, which is at `path` and belongs to `leaf`."""
        yield from self._retyped(value, path)
        yield from self._scalar(leaf, value, path)
        if isinstance(value, list):
            yield from self._array(leaf, value, path)
        elif isinstance(value, dict):
            required = leaf.get("required", ())
            for key in value:
                yield Edit("drop required" if key in required else "drop optional", (*path, key), GONE)
            yield from self._object(leaf, value, path)

    def _retyped(self, value: Json, path: Path) -> Iterator[Edit]:
        mine = type_of(value)
        if mine != "null":
            yield Edit("null", path, None)
        for kind, others in OF_TYPE.items():
            if kind != mine:
                yield from (Edit(f"to {kind}", path, other) for other in others)
        yield Edit("to array", path, [value])
        if mine in ("number", "boolean"):
            yield Edit("to string", path, str(value))
        if isinstance(value, list) and value:
            yield Edit("array to element", path, value[0])

    def _scalar(self, leaf: Shape, value: Json, path: Path) -> Iterator[Edit]:
        if isinstance(value, str):
            choices: Sequence[Json] = leaf.get("enum", ())
            kind = "const" if "const" in leaf else "enum" if choices else "string"
            wrong = (value + "x", value.upper(), value.title(), " " + value, "", "x" * 5000, *choices)
            yield from (Edit(kind, path, other) for other in wrong if other != value)
            if path and path[-1] in self.tags:
                yield from (Edit("tag", path, tag) for tag in self.tags[str(path[-1])] if tag != value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            forms = (
                float(value),
                value + 1,
                value + 0.5,
                value + 1e-9,
                -value - 1,
                -0.0,
                2**70,
                -(2**70),
                1e20,
                5e-324,
            )
            kind = "const" if "const" in leaf else "number"
            yield from (Edit(kind, path, other) for other in forms)
            for bound in (leaf[key] for key in ("minimum", "maximum") if key in leaf):
                yield from (Edit("range", path, bound + by) for by in (0, -1, 1, -1e-9, 1e-9, 0.0))

    def _array(self, leaf: Shape, value: list[Json], path: Path) -> Iterator[Edit]:
        yield from (Edit("element", path, [*value, other]) for other in ELEMENTS)
        filler: Json = value[0] if value else "x"
        sizes = {leaf[key] + by for key in ("minItems", "maxItems") if key in leaf for by in (-1, 0, 1)}
        yield from (Edit("length", path, [filler] * size) for size in sorted(sizes) if size >= 0)
        if value:
            yield Edit("drop element", path, value[1:])
            yield Edit("empty", path, [])

    def _object(self, leaf: Shape, value: dict[str, Json], path: Path) -> Iterator[Edit]:
        properties: dict[str, Shape] = leaf.get("properties", {})
        yield Edit("empty", path, {})
        for name, other in STRANGERS:
            if name not in value:
                yield Edit("unknown member", (*path, name), other)
        if leaf.get("additionalProperties", True) not in (True, {}):
            for others in ((None,), *OF_TYPE.values()):
                yield from (Edit("map value", (*path, "entry"), other) for other in others)
        for name in properties:
            if name not in value:
                yield Edit("null", (*path, name), None)
                yield Edit("wrong optional", (*path, name), {"x": [None]})
                yield Edit("wrong optional", (*path, name), 0.5)
            for spelling in python_spellings(name):
                if spelling in value or spelling in properties:
                    continue
                for other in (None, 0.5):
                    yield Edit("snake too", (*path, spelling), other)
                if name in value:
                    yield Edit("snake too", (*path, spelling), value[name])
                    yield Edit("snake instead", (*path, name), GONE, rename=spelling)


def _is_foreign(node: Shape | bool) -> bool:
    """Whether `node` says nothing itself: a reference, a union of references, or anything at all."""
    if isinstance(node, bool) or not node:
        return True
    return "$ref" in node or any("$ref" in arm for arm in node.get("anyOf", ()))


def _inside(leaf: Shape, value: Json, path: Path) -> Iterator[tuple[Shape | bool, Json, Path]]:
    """The members or elements of `value`, each with its node and path."""
    if isinstance(value, list):
        items = leaf.get("items", {})
        for index, element in enumerate(value):
            yield items, element, (*path, index)
    elif isinstance(value, dict):
        properties, extra = leaf.get("properties", {}), leaf.get("additionalProperties", {})
        for key, member in value.items():
            yield properties.get(key, extra), member, (*path, key)
