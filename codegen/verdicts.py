"""Verdicts: each surface's definitions as validators that only say yes or no, for emission to ask of a text.

The tables are JSON that `mcp_surfaces.verdict` completes and hands to pydantic-core: strict typed dicts that pass over
unknown members, which is faster than building models, and needs no model class to be made. A test holds the verdicts
against the models.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from codegen.canonical import Schema
from codegen.name import target
from codegen.union import references

ANY: Schema = {"type": "any"}
SCALARS = {"boolean": "bool", "integer": "integer", "null": "none", "number": "number", "string": "str"}
LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
}
TAGS = ("type", "method")


def table(definitions: Mapping[str, Schema]) -> bytes:
    """The table of one revision's named definitions: a core schema of each, and which of them contain themselves.

    Numbers stand as `integer` and `number`, with bounds.
    """
    translate = Translator(definitions)
    lines = [f"{json.dumps(name)}: {json.dumps(translate(definitions[name]))}" for name in sorted(definitions)]
    recursive = json.dumps(sorted(name for name in definitions if name in reached(definitions, name)))
    return "\n".join(['{"recursive":', recursive, ', "definitions": {', ",\n".join(lines), "}}", ""]).encode()


def reached(definitions: Mapping[str, Schema], name: str) -> set[str]:
    """The definitions that a definition refers to, directly or not."""
    found: set[str] = set()
    ahead = [name]
    while ahead:
        fresh = {*references(definitions[ahead.pop()])} - found
        ahead += fresh
        found |= fresh
    return found


class Translator:
    """Core schemas of the nodes of one revision."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self.definitions = definitions

    def __call__(self, node: Any) -> Schema:
        """The core schema of one node."""
        if node in (True, {}):
            return ANY
        name = target(node)
        if name is not None:
            return {"type": "definition-ref", "schema_ref": name}
        if "anyOf" in node:
            return self.union(node["anyOf"])
        if "const" in node or "enum" in node:
            return {"type": "literal", "expected": node.get("enum", [node.get("const")])}
        kind: str | list[str] = node["type"]
        if isinstance(kind, list):
            return either([self({**node, "type": one}) for one in kind])
        if kind == "object":
            return self.object(node)
        limits = {ours: node[theirs] for theirs, ours in LIMITS.items() if theirs in node}
        if kind == "array":
            return {"type": "list", "items_schema": self(node.get("items", True)), **limits}
        return {"type": SCALARS[kind], **limits}

    def object(self, node: Schema) -> Schema:
        """An object: a map where it names no members."""
        members, required = node.get("properties", {}), node.get("required", [])
        others = self(node.get("additionalProperties", True))
        if not members:
            return {"type": "dict", "keys_schema": {"type": "str"}, "values_schema": others}
        fields = {
            name: {"type": "typed-dict-field", "schema": self(member), "required": name in required}
            for name, member in sorted(members.items())
        }
        extra: Schema = {"extra_behavior": "ignore"}
        if others != ANY:
            extra = {"extra_behavior": "allow", "extras_schema": others}
        return {"type": "typed-dict", "fields": fields, "config": {"strict": True}, **extra}

    def union(self, arms: Sequence[Schema]) -> Schema:
        """A union, tagged where constants of required members tell its arms apart."""
        choices = [self(arm) for arm in arms]
        for tag in TAGS:
            values = [self.constant(arm, tag) for arm in arms]
            if None not in values and len(set(values)) == len(arms):
                tagged = {str(value): choice for value, choice in zip(values, choices, strict=True)}
                return {"type": "tagged-union", "discriminator": tag, "choices": tagged}
        return either(choices)

    def constant(self, node: Schema, member: str) -> str | None:
        """The string that the required member of that name must be, if it must be one."""
        name = target(node)
        if name is not None:
            return self.constant(self.definitions[name], member)
        value = node.get("properties", {}).get(member, {}).get("const") if member in node.get("required", ()) else None
        return value if isinstance(value, str) else None


def either(choices: Sequence[Schema]) -> Schema:
    """A value that satisfies any of `choices`."""
    return {"type": "union", "mode": "left_to_right", "choices": list(choices)}
