"""Verdicts: each surface's definitions as validators that only say yes or no, for emission to ask of a text.

The tables are JSON that `mcp_surfaces.verdict` completes and hands to pydantic-core: strict typed dicts that pass over
unknown members, which is faster than building models, and needs no model class to be made. A test holds the verdicts
against the models.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from codegen.canonical import Schema, is_object, walk
from codegen.name import REF
from codegen.problems import Problem

__all__ = ["table"]

_BOUNDS: Final = {"minimum": "ge", "maximum": "le"}
_LENGTHS: Final = {"minItems": "min_length", "maxItems": "max_length"}
_SILENT: Final = {"$comment", "default", "description", "examples", "format", "title"}
_TEXT: Final = {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"}
_KNOWN: Final = {
    *_SILENT,
    *_BOUNDS,
    *_LENGTHS,
    *_TEXT,
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "items",
    "properties",
    "required",
    "type",
}
_TAGS: Final = ("type", "method")


def table(schema: Schema) -> bytes:
    """The table of an amended schema: a core schema by definition, and which definitions contain themselves.

    Numbers stand as `integer` and `number`, with bounds. Raises Problem for a keyword that is not translated.
    """
    definitions: dict[str, Schema] = schema["$defs"]
    translate = _Translator(definitions)
    lines = [f"{json.dumps(name)}: {json.dumps(translate(definitions[name]))}" for name in sorted(definitions)]
    recursive = json.dumps(sorted(name for name in definitions if name in _reached(definitions, name)))
    return "\n".join(['{"recursive":', recursive, ', "definitions": {', ",\n".join(lines), "}}", ""]).encode()


def _reached(definitions: dict[str, Schema], name: str) -> set[str]:
    """The definitions that a definition refers to, directly or not."""
    found: set[str] = set()
    ahead = [name]
    while ahead:
        refs = {_target(node) for _, node in walk(definitions[ahead.pop()]) if isinstance(node.get("$ref"), str)}
        ahead += refs - found
        found |= refs
    return found


class _Translator:
    """Core schemas of the nodes of one schema."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self.definitions = definitions

    def __call__(self, node: Any) -> Schema:
        if node is True or (is_object(node) and not node.keys() - _SILENT):
            return {"type": "any"}
        unknown = sorted(node.keys() - _KNOWN) if is_object(node) else [repr(node)]
        if unknown:
            raise Problem("codegen/verdicts.py", "", f"{', '.join(unknown)} is not translated to a verdict")
        if "$ref" in node:
            return {"type": "definition-ref", "schema_ref": _target(node)}
        if "anyOf" in node:
            return self.union(node["anyOf"])
        if "allOf" in node:
            return self.object([self.resolved(arm) for arm in node["allOf"]])
        if "const" in node or "enum" in node:
            literal: Schema = {"type": "literal", "expected": node.get("enum", [node.get("const")])}
            return literal
        if isinstance(node.get("type"), list):
            return _union([self({**node, "type": kind}) for kind in node["type"]])
        return self.typed(node)

    def typed(self, node: Schema) -> Schema:
        """The core schema of a node of one type."""
        match node.get("type"):
            case "object":
                return self.object([node])
            case "array":
                lengths = {ours: node[theirs] for theirs, ours in _LENGTHS.items() if theirs in node}
                return {"type": "list", "items_schema": self(node.get("items", True)), **lengths}
            case "integer" | "number" as kind:
                return {"type": kind, **{ours: node[theirs] for theirs, ours in _BOUNDS.items() if theirs in node}}
            case "string":
                return {"type": "str", **{ours: node[theirs] for theirs, ours in _TEXT.items() if theirs in node}}
            case "boolean":
                return {"type": "bool"}
            case "null":
                return {"type": "none"}
            case kind:
                raise Problem("codegen/verdicts.py", "", f"the type {kind!r} is not translated to a verdict")

    def resolved(self, node: Schema) -> Schema:
        """The node itself, or what it refers to."""
        return self.resolved(self.definitions[_target(node)]) if "$ref" in node else node

    def object(self, nodes: Sequence[Schema]) -> Schema:
        """An object that satisfies all `nodes`."""
        required = {name for node in nodes for name in node.get("required", ())}
        members: dict[str, list[Schema]] = {name: [] for name in sorted(required)}
        for node in nodes:
            for name, member in node.get("properties", {}).items():
                members.setdefault(name, []).append(self(member))
        extras = [self(node["additionalProperties"]) for node in nodes if "additionalProperties" in node]
        extras = [extra for extra in extras if extra != {"type": "any"}]
        if not members:
            values = _all(extras)
            return {"type": "dict", "keys_schema": {"type": "str"}, "values_schema": values}
        fields = {
            name: {"type": "typed-dict-field", "schema": _all(schemas), "required": name in required}
            for name, schemas in sorted(members.items())
        }
        others: Schema = {"extra_behavior": "ignore"}
        if extras:
            others = {"extra_behavior": "allow", "extras_schema": _all(extras)}
        return {"type": "typed-dict", "fields": fields, "config": {"strict": True}, **others}

    def union(self, arms: Sequence[Schema]) -> Schema:
        """A union, tagged where constants of required members tell its arms apart."""
        shapes = [self.resolved(arm) for arm in arms]
        for tag in _TAGS:
            values = [_constant(shape, tag) for shape in shapes]
            if None not in values and len(set(values)) == len(arms):
                choices = {str(value): self(arm) for value, arm in zip(values, arms, strict=True)}
                return {"type": "tagged-union", "discriminator": tag, "choices": choices}
        return _union([self(arm) for arm in arms])


def _target(node: Schema) -> str:
    """The definition that a reference names."""
    name: str = node["$ref"]
    return name.removeprefix(REF)


def _constant(shape: Schema, member: str) -> str | None:
    value = shape.get("properties", {}).get(member, {}).get("const") if member in shape.get("required", ()) else None
    return value if isinstance(value, str) else None


def _all(schemas: Sequence[Schema]) -> Schema:
    """A value that satisfies all `schemas`."""
    if not schemas:
        return {"type": "any"}
    return schemas[0] if len(schemas) == 1 else {"type": "chain", "steps": list(schemas)}


def _union(choices: Iterable[Schema]) -> Schema:
    return {"type": "union", "mode": "left_to_right", "choices": list(choices)}
