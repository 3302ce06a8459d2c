"""Unions of shapes: one schema that accepts what any of several accept, without arms that another covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codegen.canonical import Schema, is_object, walk
from codegen.name import target


def one_of(arms: Sequence[Schema]) -> Schema:
    """A schema that accepts what any of `arms` accepts."""
    return arms[0] if len(arms) == 1 else {"anyOf": list(arms)}


def arms_of(node: Schema) -> list[Schema]:
    """The arms of a union; anything else is its own only arm."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            arms: list[Schema] = node[keyword]
            return arms
    return [node]


def kinds_of(node: Schema) -> list[str]:
    """The JSON types that `node` names, or that the values it lists have."""
    kinds: str | list[str] | None = node.get("type")
    if kinds is None:
        values = node.get("enum", [node["const"]] if "const" in node else [])
        return sorted({kind_of(value) for value in values})
    return [kinds] if isinstance(kinds, str) else kinds


def kind_of(value: Any) -> str:
    """The JSON type of a scalar."""
    for python, kind in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")):
        if isinstance(value, python):
            return kind
    return "null"


def opened(node: Schema) -> Schema:
    """`node` with its closed enum, wherever it stands, open to any string."""
    if node.get("type") == "array":
        return {**node, "items": opened(node["items"])}
    return {"anyOf": [node, {"type": "string"}]}


def absorb(arms: Sequence[Schema]) -> list[Schema]:
    """`arms` without those that another one covers, scalars, enums, lists and maps of one type joined."""
    if any(not arm for arm in arms):
        return [{}]
    constants = all("const" in arm for arm in arms)
    refs: list[Schema] = []
    scalars: list[str] = []
    enums: dict[str, list[Any]] = {}
    maps: list[Schema] = []
    lists: list[Schema] = []
    for arm in arms:
        kinds = kinds_of(arm)
        if target(arm) is not None:
            refs.extend([arm] if arm not in refs else [])
        elif "enum" in arm or "const" in arm:
            enums.setdefault(kinds[0], []).extend(arm.get("enum", [arm.get("const")]))
        elif kinds == ["object"]:
            inner = arm.get("additionalProperties", {})
            maps.extend(arms_of(inner) if is_object(inner) else [{}])
        elif kinds == ["array"]:
            lists.extend(arms_of(arm.get("items", {})))
        else:
            scalars.extend(kinds)
    result = list(refs)
    if lists:
        result.append({"type": "array", "items": one_of(absorb(lists))})
    if maps and not refs:
        result.append({"type": "object", "additionalProperties": one_of(absorb(maps)) or True})
    result.extend(listed(kind, values, constants) for kind, values in enums.items() if kind not in scalars)
    scalars = [kind for kind in dict.fromkeys(scalars) if not (kind == "integer" and "number" in scalars)]
    if scalars:
        result.append({"type": scalars[0] if len(scalars) == 1 else scalars})
    return result


def listed(kind: str, values: Sequence[Any], constant: bool) -> Schema:
    """The listed `values` of one type: a constant where each arm was one and all agree."""
    distinct = list(dict.fromkeys(values))
    if constant and len(distinct) == 1:
        return {"type": kind, "const": distinct[0]}
    return {"type": kind, "enum": distinct}


def enums_in(node: Schema) -> bool:
    """Whether `node` lists its values, or is a list of such."""
    if node.get("type") == "array":
        return enums_in(node["items"])
    return "enum" in node


def references(node: Any) -> Iterator[str]:
    """The names of the definitions that `node` refers to."""
    for _, part in walk(node):
        name = target(part)
        if name is not None:
            yield name


def admits_null(node: Schema, defs: Mapping[str, Schema]) -> bool:
    """Whether null is a value of `node`."""
    name = target(node)
    if name is not None:
        return name in defs and admits_null(defs[name], defs)
    unconstrained = not set(node) - {"description"}
    return unconstrained or "null" in kinds_of(node) or any(admits_null(arm, defs) for arm in node.get("anyOf", []))
