"""The sample is sharp enough: alter any one fact of a definition, and some instance in the sample is judged otherwise.

So a fault of any stage that comes out as a different fact (a dropped constraint, a lax scalar, a nullable optional)
makes the ordinary suite fail. Models play no part in this; `test_faults.py` shows the same with models.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fidelity.instances import FREE
from tests.fidelity.judge import Judge, amended_schema
from tests.fidelity.sample import sampled
from tests.fidelity.shapes import Shape, Shapes

pytestmark = pytest.mark.untraced

LAX = {
    "string": ["string", "number"],
    "integer": ["number"],
    "number": ["number", "string"],
    "boolean": ["boolean", "number"],
}
Altered = Iterator[tuple[str, Shape]]


class Alterations:
    """Every way to get one fact of a node wrong. What another part of an `allOf` says as well is left alone."""

    def __init__(self, schema: Shape) -> None:
        self.shapes = Shapes(schema)

    def of(self, node: Shape, at: str = "", implied: Shape | None = None) -> Altered:
        """`node` with one fact altered, each with what was done."""
        yield from self._own(node, at, implied or {})
        yield from self._members(node, at, implied or {})
        for key in ("items", "additionalProperties"):
            inner: Shape | bool = node.get(key, True)
            if not isinstance(inner, bool) and not self.admits_all(inner):
                yield f"{at}/{key}: anything goes", {**node, key: {}}
                for done, altered in self.of(inner, f"{at}/{key}"):
                    yield done, {**node, key: altered}
        parts: list[Shape] = node.get("allOf", [])
        for index, part in enumerate(parts):
            others = self.shapes.flat({"allOf": parts[:index] + parts[index + 1 :]})
            for done, altered in self.of(part, f"{at}/allOf/{index}", others):
                yield done, {**node, "allOf": [*parts[:index], altered, *parts[index + 1 :]]}

    def _own(self, node: Shape, at: str, implied: Shape) -> Altered:
        for name in node.get("required", ()):
            if name not in implied.get("required", ()):
                yield (
                    f"{at}: `{name}` no longer required",
                    {**node, "required": [x for x in node["required"] if x != name]},
                )
        for key in ("minimum", "maximum", "maxItems"):
            if key in node:
                yield f"{at}: `{key}` dropped", {name: value for name, value in node.items() if name != key}
        if node.keys() & {"const", "enum"}:
            yield f"{at}: any {node['type']}", {"type": node["type"]}
        for value in node.get("enum", ()):
            yield f"{at}: {value!r} left out", {**node, "enum": [x for x in node["enum"] if x != value]}
        kind = node.get("type")
        if isinstance(kind, str) and kind in LAX and not node.keys() & {"const", "enum"}:
            yield f"{at}: lax {kind}", {**node, "type": LAX[kind]}
        if isinstance(kind, list):
            for index, name in enumerate(node["type"]):
                rest = [*node["type"][:index], *node["type"][index + 1 :]]
                yield f"{at}: {name} left out", {**node, "type": rest}
                if name in LAX:
                    yield f"{at}: lax {name}", {**node, "type": sorted({*rest, *LAX[name]})}

    def _members(self, node: Shape, at: str, implied: Shape) -> Altered:
        properties: dict[str, Shape] = node.get("properties", {})
        for name, member in properties.items():
            found: list[tuple[str, Shape]] = list(self.of(member, f"{at}/{name}"))
            if not self.admits_all(member):
                found.append((f"{at}/{name}: anything goes", {}))
            if not self.admits_null(member) and name not in implied.get("properties", ()):
                found.append((f"{at}/{name}: null too", {"anyOf": [member, {"type": "null"}]}))
            for done, altered in found:
                yield done, {**node, "properties": {**properties, name: altered}}
            if name not in node.get("required", ()):
                yield f"{at}/{name}: required", {**node, "required": [*node.get("required", ()), name]}

    def admits_null(self, node: Shape) -> bool:
        """Whether null is an instance of `node`."""
        return any(leaf.get("type") == "null" or not leaf for leaf in self.shapes.leaves(node))

    def admits_all(self, node: Shape) -> bool:
        """Whether everything is an instance of `node`."""
        judge = Judge({**self.shapes.schema, "$defs": {**self.shapes.definitions, "It": node}})
        return all(judge.accepts("It", value) for value in FREE)


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_every_altered_fact_changes_a_verdict_in_the_sample(revision: str) -> None:
    schema = amended_schema(revision)
    alterations = Alterations(schema)
    unnoticed: list[str] = []
    tried = 0
    for name, node in schema["$defs"].items():
        sample = sampled(revision)[name]
        for done, altered in alterations.of(node):
            tried += 1
            other = Judge({**schema, "$defs": {**schema["$defs"], name: altered}})
            if all(other.accepts(name, case.value) == case.valid for case in sample):
                unnoticed.append(name + done)
    assert tried > 1000
    assert unnoticed == []
