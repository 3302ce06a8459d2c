"""Names: every inline object becomes a definition of its own, called by its place or by `schemas/names.toml`.

A place is written `Definition.member`, `Definition.member[]` for the items of an array and `Definition.member{}` for the
values of a map. By default the name is the path in capitals; the policy names the rest, and may let several places of
one shape share a name. `allOf` is flattened on the way, so that no inheritance is left to guess.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from codegen.canonical import Schema, escape
from codegen.pin import SCHEMAS
from codegen.policy import read_toml
from codegen.problems import Problem

FILE = "schemas/names.toml"
REF = "#/$defs/"


def inline_names(folder: Path = SCHEMAS) -> dict[str, str]:
    """Place pattern to class name, from the `[inline]` table of `names.toml`."""
    return dict(read_toml(folder / "names.toml").get("inline", {}))


def target(node: Mapping[str, Any]) -> str | None:
    """The definition a bare `$ref` names, or None."""
    ref = node.get("$ref")
    return ref[len(REF) :] if isinstance(ref, str) else None


def is_record(node: Any) -> bool:
    """Whether `node` is an object with members of its own, as opposed to a map or a free-form object."""
    return isinstance(node, dict) and bool(node.get("properties") or node.get("required"))


def pascal(member: str) -> str:
    """`member` as the tail of a class name: `_meta` gives `Meta`, `taskSupport` gives `TaskSupport`."""
    parts = [part for part in "".join(c if c.isalnum() else " " for c in member).split()]
    return "".join(part[:1].upper() + part[1:] for part in parts)


class Namer:
    """Hoists the inline objects of one revision; `used` collects the policy patterns that named something."""

    def __init__(self, revision: str, schema: Schema, policy: Mapping[str, str], used: set[str]) -> None:
        self.revision, self.policy, self.used = revision, policy, used
        self.source: dict[str, Schema] = schema["$defs"]
        self.defs: dict[str, Schema] = {}
        self.origin: dict[str, str] = {}

    def run(self) -> dict[str, Schema]:
        """Every definition, with nothing but scalars, arrays, maps, unions and references inside."""
        for name in sorted(self.source):
            self.defs[name] = self.definition(name, self.source[name], f"/$defs/{escape(name)}")
        return {name: self.defs[name] for name in sorted(self.defs)}

    def definition(self, name: str, node: Schema, pointer: str) -> Schema:
        node = self.flatten(node, pointer)
        if not is_record(node):
            return self.visit(node, name, pointer)
        result = {key: value for key, value in node.items() if key != "properties"}
        result["properties"] = {
            member: self.visit(value, f"{name}.{member}", f"{pointer}/properties/{escape(member)}")
            for member, value in sorted(node.get("properties", {}).items())
        }
        return result

    def visit(self, node: Schema, place: str, pointer: str) -> Schema:
        """`node` with every record inside it replaced by a reference to a definition of its own."""
        node = self.flatten(node, pointer)
        if is_record(node):
            return {"$ref": REF + self.hoist(node, place, pointer)}
        result = dict(node)
        if not result.get("properties", True):
            del result["properties"]
            result.setdefault("additionalProperties", True)
        if isinstance(result.get("items"), dict):
            result["items"] = self.visit(result["items"], place + "[]", pointer + "/items")
        if isinstance(result.get("additionalProperties"), dict):
            result["additionalProperties"] = (
                self.visit(result["additionalProperties"], place + "{}", pointer + "/additionalProperties") or True
            )
        for union in ("anyOf", "oneOf"):
            if union in result:
                result[union] = [
                    self.visit(arm, place, f"{pointer}/{union}/{index}") for index, arm in enumerate(result[union])
                ]
        return result

    def hoist(self, node: Schema, place: str, pointer: str) -> str:
        name = self.name_of(place, pointer)
        whole = self.definition(name, node, pointer)
        known = self.defs.get(name)
        if name in self.source or (known is not None and not same_shape(known, whole)):
            rival = self.origin.get(name, f"/$defs/{name}")
            raise Problem(
                self.revision,
                pointer,
                f"inline object would be named {name}, which {rival} is already",
                f'in {FILE} under [inline]: "{place}" = "…"',
            )
        self.origin.setdefault(name, pointer)
        self.defs[name] = whole
        return name

    def name_of(self, place: str, pointer: str) -> str:
        for pattern, name in self.policy.items():
            if fnmatchcase(place, pattern.replace("[", "[[]")):
                self.used.add(pattern)
                return name
        head, _, member = place.rpartition(".")
        if not head:
            raise Problem(
                self.revision,
                pointer,
                "inline object has no member to be named by",
                f'in {FILE} under [inline]: "{place}" = "…"',
            )
        bare = member.rstrip("[]{}")
        return head + pascal(bare) + "Item" * member.count("[]") + "Value" * member.count("{}")

    def flatten(self, node: Schema, pointer: str) -> Schema:
        """`node` with its `allOf` merged into one object."""
        if "allOf" not in node:
            return node
        merged: Schema = {"type": "object", "properties": {}, "required": []}
        for part in [*node["allOf"], {key: value for key, value in node.items() if key != "allOf"}]:
            part = self.flatten(self.resolve(part), pointer)
            for member, value in part.get("properties", {}).items():
                merged["properties"][member] = self.narrower(merged["properties"].get(member, {}), value, pointer)
            merged["required"] = sorted({*merged["required"], *part.get("required", [])})
            if not set(part) <= {"type", "properties", "required", "additionalProperties"} or part.get(
                "additionalProperties", True
            ) not in (True, {}):
                raise Problem(self.revision, pointer + "/allOf", "allOf of more than plain objects is undecided")
        return copy.deepcopy(merged)

    def resolve(self, node: Schema) -> Schema:
        name = target(node)
        return self.resolve(self.source[name]) if name is not None else node

    def narrower(self, one: Schema, other: Schema, pointer: str) -> Schema:
        """The one of two schemas for a member that implies the other."""
        for narrow, wide in ((one, other), (other, one)):
            if all(narrow.get(key) == value for key, value in wide.items()):
                return narrow
        raise Problem(self.revision, pointer + "/allOf", "two parts of allOf disagree about a member")


def same_shape(one: Schema, other: Schema) -> bool:
    """Whether two named objects accept the same, an open `additionalProperties` being the default."""
    return _closed(one) == _closed(other)


def _closed(node: Schema) -> Schema:
    return {
        key: value
        for key, value in node.items()
        if (key, value) not in (("additionalProperties", True), ("additionalProperties", {}))
    }


def named(schemas: Mapping[str, Schema], policy: Mapping[str, str]) -> dict[str, dict[str, Schema]]:
    """The definitions of each revision, hoisted. Raises Problem for a clash, or a policy line that names nothing."""
    used: set[str] = set()
    result = {revision: Namer(revision, schema, policy, used).run() for revision, schema in schemas.items()}
    for pattern in policy:
        if pattern not in used:
            raise Problem(FILE, "", f"[inline] {pattern!r} names no inline object", f"remove the line of {pattern!r}")
    return result
