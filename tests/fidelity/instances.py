"""Valid instances of a definition: minimal, maximal, one variation at a time, and random; the same ones for a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tests.fidelity.shapes import Json, Shape, Shapes, dumps

EXAMPLES = Path(__file__).resolve().parents[3] / "shared" / "examples"

STRINGS = (
    "", "a", "1", "true", "null", " padded ", "é☃𝄞", "tab\tline\n\x00", "2026-01-01T00:00:00Z", "AAEC",
    "https://e.test/x?y=1#z", "not a uri", "x" * 300,
)  # fmt: skip
INTEGERS = (0, 1, -1, 5.0, 2**31, 2**53 + 1, 2**70, -(2**70), 1e20)
NUMBERS = (0, 1, 0.5, -1.5, 5.0, -0.0, 1e-9, 1e20, 2**70, -(2**70))
FREE: tuple[Json, ...] = (
    None, True, 0, 1.0, 2**70, "", "é", [], {}, [None, [1, 1.0, True, "1"]], {"a": {"b": [None, {"c": 0.5}]}, "": {}},
)  # fmt: skip
STRANGE_NAMES = ("x-unknown", "", "é", "a.b/c", "self", "model_config", "model_dump", "__class__", "__dict__", "x_y")
WIDTHS = (40, 14, 6, 3, 2)
"""How many variations of a member are kept, by depth."""


class Generator:
    """Draws valid instances of the definitions of one schema. Deterministic for a schema, a definition and a seed."""

    def __init__(self, schema: Shape, seed: int = 0, unknown: bool = True) -> None:
        self.shapes = Shapes(schema)
        self.seed = seed
        self.unknown = unknown
        self.random = random.Random()

    def valid(self, name: str, count: int) -> list[Json]:
        """Up to `count` distinct instances of `name`; minimal and maximal ones first."""
        self.random = random.Random(f"{self.seed}:{name}")
        node = self.shapes.of(name)
        found: dict[str, Json] = {}
        arms = self.shapes.leaves(node)
        first = [*(self.minimal(arm) for arm in arms), *(self.maximal(arm) for arm in arms)]
        for value in self._thin([*first, *self.variations(node)], max(len(first), count * 3 // 4), len(first)):
            found.setdefault(dumps(value), value)
        for _ in range(count * 2):
            if len(found) >= count:
                break
            value = self.arbitrary(node)
            found.setdefault(dumps(value), value)
        return list(found.values())

    def minimal(self, node: Shape | bool) -> Json:
        """The smallest instance of `node`."""
        leaf = min(self.shapes.leaves(node), key=lambda leaf: self._cost(leaf, 6))
        if leaf.get("type") == "object" or "properties" in leaf:
            properties = leaf.get("properties", {})
            return {name: self.minimal(properties.get(name, {})) for name in leaf.get("required", ())}
        if leaf.get("type") == "array":
            return [self.minimal(leaf["items"]) for _ in range(leaf.get("minItems", 0))]
        return self._scalars(leaf)[0]

    def _cost(self, leaf: Shape, left: int) -> int:
        if not left:
            return 1000
        if leaf.get("type") != "object":
            return 1
        properties = leaf.get("properties", {})
        members = (self.shapes.leaves(properties.get(name, {})) for name in leaf.get("required", ()))
        return 1 + sum(min(self._cost(arm, left - 1) for arm in arms) for arms in members)

    def maximal(self, node: Shape | bool, depth: int = 0) -> Json:
        """An instance of `node` with every member present, and one element for each arm of an array's items."""
        leaves = self.shapes.leaves(node)
        leaf = max(leaves, key=lambda leaf: len(leaf.get("properties", ())) + len(leaf.get("required", ())))
        if depth > 7:
            return self.minimal(leaf)
        if leaf.get("type") == "object":
            value = {name: self.maximal(member, depth + 1) for name, member in leaf.get("properties", {}).items()}
            return value | self._extras(leaf, lambda inner: self.maximal(inner, depth + 1), 2)
        if leaf.get("type") == "array":
            arms = self.shapes.leaves(leaf.get("items", {}))[: leaf.get("maxItems", 9)]
            return [self.maximal(arm, depth + 1) for arm in arms] or [None]
        return self._scalars(leaf)[:2][-1]

    def variations(self, node: Shape | bool, depth: int = 0) -> list[Json]:
        """Instances of `node`, each of which varies one place of a minimal or maximal one."""
        values: list[Json] = []
        for leaf in self.shapes.leaves(node):
            kind = leaf.get("type")
            if kind == "object":
                values.extend(self._object_variations(leaf, depth))
            elif kind == "array":
                values.extend(self._array_variations(leaf, depth))
            else:
                values.extend(self._scalars(leaf))
        return values

    def _object_variations(self, leaf: Shape, depth: int) -> Iterator[Json]:
        base = self.minimal(leaf)
        assert isinstance(base, dict)
        yield base
        yield self.maximal(leaf, depth)
        if depth >= len(WIDTHS):
            return
        for name, member in leaf.get("properties", {}).items():
            for value in self._thin(self.variations(member, depth + 1), WIDTHS[depth]):
                yield {**base, name: value}
        extra = leaf.get("additionalProperties", {})
        if "additionalProperties" in leaf or self.unknown:
            for value in self._thin(self.variations(extra, depth + 1), WIDTHS[depth]):
                yield {**base, self._strange(leaf): value}
        for name in STRANGE_NAMES if self.unknown and not depth and extra not in (False,) else ():
            yield {**base, name: self.minimal(extra)}

    def _array_variations(self, leaf: Shape, depth: int) -> Iterator[Json]:
        least, most = leaf.get("minItems", 0), leaf.get("maxItems", 1000)
        if not least:
            yield []
        if depth >= len(WIDTHS):
            return
        elements = self._thin(self.variations(leaf.get("items", {}), depth + 1), WIDTHS[depth])
        for element in elements:
            yield [element] * max(least, 1)
        if least <= len(elements) <= most:
            yield elements
        if most < 1000:
            yield [elements[0]] * most

    def arbitrary(self, node: Shape | bool, depth: int = 0) -> Json:
        """A random instance of `node`."""
        leaves = self.shapes.leaves(node)
        if depth > 6:
            return self.minimal(node)
        leaf = self.random.choice(leaves)
        if leaf.get("type") == "object":
            required = leaf.get("required", ())
            value = {
                name: self.arbitrary(member, depth + 1)
                for name, member in leaf.get("properties", {}).items()
                if name in required or self.random.random() < 0.6 - depth / 12
            }
            value |= {name: self.arbitrary({}, depth + 1) for name in required if name not in value}
            return value | self._extras(
                leaf, lambda inner: self.arbitrary(inner, depth + 1), self.random.choice((0, 0, 1, 3))
            )
        if leaf.get("type") == "array":
            least, most = leaf.get("minItems", 0), leaf.get("maxItems", 1000)
            size = min(most, max(least, self.random.choice((0, 1, 1, 2, 3))))
            return [self.arbitrary(leaf.get("items", {}), depth + 1) for _ in range(size)]
        return self.random.choice(self._scalars(leaf))

    def _extras(self, leaf: Shape, draw: Callable[[Shape | bool], Json], count: int) -> dict[str, Json]:
        extra = leaf.get("additionalProperties")
        if extra is False or (extra is None and not self.unknown):
            return {}
        return {self._strange(leaf): draw({} if extra is None else extra) for _ in range(count)}

    def _strange(self, leaf: Shape) -> str:
        return self.random.choice([name for name in STRANGE_NAMES if name not in leaf.get("properties", ())])

    def _scalars(self, leaf: Shape) -> list[Json]:
        """Every value worth trying for a node that is neither object nor array; the plainest first."""
        if "const" in leaf:
            return [leaf["const"]]
        if "enum" in leaf:
            return list(leaf["enum"])
        kind = leaf.get("type")
        if kind is None:
            return list(FREE)
        if kind == "string":
            return [text for text in STRINGS if leaf.get("minLength", 0) <= len(text) <= leaf.get("maxLength", 1000)]
        if kind in ("integer", "number"):
            low, high = leaf.get("minimum", -(2**80)), leaf.get("maximum", 2**80)
            pool = INTEGERS if kind == "integer" else NUMBERS
            bounds = [bound for bound in (leaf.get("minimum"), leaf.get("maximum")) if bound is not None]
            return [number for number in (*pool, *bounds) if low <= number <= high]
        return [None] if kind == "null" else [False, True]

    def _thin(self, values: Iterable[Json], width: int, keep: int = 1) -> list[Json]:
        """At most `width` of `values`: the first `keep`, and a random choice of the rest in their order."""
        pool = list(values)
        if len(pool) <= width:
            return pool
        rest = sorted(self.random.sample(range(keep, len(pool)), width - keep))
        return pool[:keep] + [pool[index] for index in rest]


def official(revision: str, name: str) -> list[Json]:
    """The specification's own examples of definition `name`; none where they are not at hand."""
    file = EXAMPLES / f"official-{revision}.jsonl"
    if not file.exists():
        return []
    entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [entry["value"] for entry in entries if entry["definition"] == name]
