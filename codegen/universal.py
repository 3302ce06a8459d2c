"""Finding the definitions that admit every JSON value, such as an amended `JSONValue`, by greatest fixed point."""

from __future__ import annotations

from collections.abc import Mapping

from codegen.canonical import Schema
from codegen.name import target

KINDS = frozenset({"array", "boolean", "null", "number", "object", "string"})


def universal_definitions(defs: Mapping[str, Schema]) -> set[str]:
    """The names in `defs` that admit every JSON value, through references to themselves and each other."""
    assumed = set(defs)
    while True:
        refuted = {name for name in assumed if not covers(defs[name], defs, assumed) >= KINDS}
        if not refuted:
            return assumed
        assumed -= refuted


def covers(node: Schema, defs: Mapping[str, Schema], assumed: set[str]) -> frozenset[str]:
    """The kinds of JSON value of which `node` admits every one, if all of `assumed` admit everything."""
    name = target(node)
    if not node or name in assumed:
        return KINDS
    if name is not None:
        return covers(defs[name], defs, assumed - {name})
    if set(node) == {"anyOf"}:
        return frozenset[str]().union(*(covers(arm, defs, assumed) for arm in node["anyOf"]))
    kinds = node.get("type", [])
    kinds = frozenset([kinds] if isinstance(kinds, str) else kinds)
    if set(node) == {"type"}:
        return kinds
    inner = {"object": "additionalProperties", "array": "items"}.get(next(iter(kinds), ""))
    if len(kinds) == 1 and inner is not None and set(node) == {"type", inner}:
        value = node[inner]
        return kinds if value is True or covers(value, defs, assumed) >= KINDS else frozenset()
    return frozenset()
