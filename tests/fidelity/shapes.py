"""Reading a canonical schema: references followed, `allOf` folded, union arms told apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias, cast

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Shape: TypeAlias = dict[str, Any]

KNOWN = {
    "$ref", "additionalProperties", "allOf", "anyOf", "const", "default", "enum", "format", "items", "maximum",
    "maxItems", "maxLength", "minimum", "minItems", "minLength", "properties", "required", "type",
}  # fmt: skip
TAGS = ("method", "type", "mode", "jsonrpc", "resultType")


class UnknownKeywordError(Exception):
    """The schema uses a keyword this generator does not know, so what it generates would prove nothing."""


def dumps(value: Json) -> str:
    """`value` as JSON text that tells 1, 1.0 and true apart and does not depend on member order."""
    return json.dumps(value, sort_keys=True, allow_nan=False)


def type_of(value: Json) -> str:
    """The JSON type of `value`; an integer is a number."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


class Shapes:
    """A schema, and its nodes in a form that is easy to walk."""

    def __init__(self, schema: Shape) -> None:
        self.schema = schema
        self.definitions: dict[str, Shape] = schema["$defs"]
        self._leaves: dict[int, tuple[Shape | bool, list[Shape]]] = {}

    def of(self, name: str) -> Shape:
        """The node of definition `name`."""
        return {"$ref": f"#/$defs/{name}"}

    def flat(self, node: Shape | bool) -> Shape:
        """`node` with its reference followed and its `allOf` folded in: a plain node or a union."""
        if isinstance(node, bool):
            return {} if node else {"enum": []}
        unknown = set(node) - KNOWN
        if unknown:
            raise UnknownKeywordError(f"{sorted(unknown)}: teach tests/fidelity/shapes.py and instances.py")
        if "$ref" in node:
            return self.flat(self.definitions[node["$ref"].removeprefix("#/$defs/")])
        if "allOf" not in node:
            return node
        folded: Shape = {key: value for key, value in node.items() if key != "allOf"}
        for part in node["allOf"]:
            folded = _both(folded, self.flat(part))
        return folded

    def leaves(self, node: Shape | bool) -> list[Shape]:
        """The arms of `node`, unions and lists of types taken apart to the end; a plain node is its own only arm."""
        known = self._leaves.get(id(node))
        if known is None:
            known = self._leaves[id(node)] = (node, list(self._taken_apart(node)))
        return known[1]

    def _taken_apart(self, node: Shape | bool) -> list[Shape]:
        flat = self.flat(node)
        if "anyOf" in flat:
            rest = {key: value for key, value in flat.items() if key != "anyOf"}
            return [leaf for arm in flat["anyOf"] for leaf in self.leaves(_both(rest, self.flat(arm)))]
        if isinstance(flat.get("type"), list):
            return [{**flat, "type": name} for name in flat["type"]]
        return [flat]

    def arm(self, node: Shape | bool, value: Json) -> Shape:
        """The arm of `node` that `value` most plausibly belongs to: a hint for labels, never a verdict."""
        return max(self.leaves(node), key=lambda leaf: self._likeness(leaf, value))

    def _likeness(self, leaf: Shape, value: Json) -> int:
        wanted = leaf.get("type")
        if wanted is not None and type_of(value) != ("number" if wanted == "integer" else wanted):
            return -1000
        if not isinstance(value, dict):
            return 0
        score = 0
        for name, member in leaf.get("properties", {}).items():
            if name in value:
                facts = self.flat(member)
                score += 1 if "const" not in facts else 20 if facts["const"] == value[name] else -100
            elif name in leaf.get("required", ()):
                score -= 5
        return score

    def nodes(self, name: str) -> Iterator[Shape]:
        """Every node reachable from definition `name`, each definition entered once."""
        seen: set[str] = set()
        waiting: list[Any] = [self.of(name)]
        while waiting:
            node = waiting.pop()
            if isinstance(node, bool):
                continue
            yield node
            if "$ref" in node:
                target: str = node["$ref"].removeprefix("#/$defs/")
                if target not in seen:
                    seen.add(target)
                    waiting.append(self.definitions[target])
            waiting.extend(node.get("properties", {}).values())
            waiting.extend(part for key in ("anyOf", "allOf") for part in node.get(key, ()))
            waiting.extend(node[key] for key in ("items", "additionalProperties") if key in node)

    def reaches(self, name: str) -> set[str]:
        """The definitions that `name` refers to, directly or not."""
        return {node["$ref"].removeprefix("#/$defs/") for node in self.nodes(name) if "$ref" in node} - {name}

    def recursive(self, name: str) -> bool:
        """Whether a definition reachable from `name` contains itself."""

        def inside(target: str) -> bool:
            children = self.nodes_of(self.definitions[target])
            return any(target in self.reaches(child) | {child} for child in children)

        return any(inside(target) for target in self.reaches(name) | {name})

    def nodes_of(self, node: Any) -> set[str]:
        """The definitions that `node` itself refers to."""
        if isinstance(node, list):
            return set[str]().union(*(self.nodes_of(part) for part in cast("list[object]", node)))
        if not isinstance(node, dict):
            return set()
        entries = cast("Shape", node)
        found = {entries["$ref"].removeprefix("#/$defs/")} if isinstance(entries.get("$ref"), str) else set[str]()
        return found.union(*(self.nodes_of(value) for value in entries.values()))


def _both(left: Shape, right: Shape) -> Shape:
    """A node that demands what `left` and `right` demand."""
    merged = {**left, **right}
    if "required" in left and "required" in right:
        merged["required"] = sorted({*left["required"], *right["required"]})
    if "properties" in left and "properties" in right:
        shared = {
            name: {"allOf": [left["properties"][name], right["properties"][name]]}
            for name in left["properties"].keys() & right["properties"].keys()
        }
        merged["properties"] = {**left["properties"], **right["properties"], **shared}
    if "items" in left and "items" in right:
        merged["items"] = {"allOf": [left["items"], right["items"]]}
    if "additionalProperties" in left and "additionalProperties" in right:
        merged["additionalProperties"] = {"allOf": [left["additionalProperties"], right["additionalProperties"]]}
    return merged
