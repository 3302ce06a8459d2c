"""Naming: every inline object becomes a definition of its own, called by its place or as `names.toml` says.

A place is written `Definition.member`, `Definition.member[]` for the items of an array and `Definition.member{}` for
the values of a map. By default the name is the path in capitals; the policy names the rest, and may let several places
of one shape share a name. `allOf` is flattened on the way, so that no inheritance is left to guess.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from codegen.canonical import Schema, escape, is_object
from codegen.exact import unsaid
from codegen.policy import Line, Policy, Undecided

REF = "#/$defs/"


def target(node: Mapping[str, Any]) -> str | None:
    """The definition a bare `$ref` names, or None."""
    ref = node.get("$ref")
    return ref[len(REF) :] if isinstance(ref, str) else None


def is_record(node: Schema) -> bool:
    """Whether `node` is an object with members of its own, as opposed to a map or a free-form object."""
    return bool(node.get("properties") or node.get("required"))


def pascal(member: str) -> str:
    """`member` as the tail of a class name: `_meta` gives `Meta`, `taskSupport` gives `TaskSupport`."""
    parts = "".join(c if c.isalnum() else " " for c in member).split()
    return "".join(part[:1].upper() + part[1:] for part in parts)


class Namer:
    """Hoists the inline objects of one revision."""

    def __init__(self, revision: str, schema: Schema, policy: Policy) -> None:
        self.revision, self.policy = revision, policy
        self.source: dict[str, Schema] = schema["$defs"]
        self.defs: dict[str, Schema] = {}
        self.origin: dict[str, str] = {}

    def run(self) -> dict[str, Schema]:
        """Every definition, with nothing but scalars, arrays, maps, unions and references inside."""
        for name in sorted(self.source):
            self.defs[name] = self.definition(name, self.source[name], f"/$defs/{escape(name)}")
        return {name: self.defs[name] for name in sorted(self.defs)}

    def definition(self, name: str, node: Schema, pointer: str) -> Schema:
        """The definition `name` with every record inside it hoisted."""
        node = self.flatten(node, pointer)
        if not is_record(node):
            return self.visit(node, name, pointer)
        result = {key: value for key, value in node.items() if key != "properties"}
        result["properties"] = {
            member: self.visit(value, f"{name}.{member}", f"{pointer}/properties/{escape(member)}")
            for member, value in sorted(node.get("properties", {}).items())
        }
        return result

    def visit(self, node: Schema, place: str, pointer: str, arm: str = "") -> Schema:
        """`node` with every record inside it replaced by a reference to a definition of its own.

        `arm` is the place of one arm of a union, for several may have no other to be named by.
        """
        node = self.flatten(node, pointer)
        if is_record(node):
            return {"$ref": REF + self.hoist(node, place, pointer, arm)}
        result = dict(node)
        if not result.get("properties", True):
            del result["properties"]
            result.setdefault("additionalProperties", True)
        if is_object(result.get("items")):
            result["items"] = self.visit(result["items"], place + "[]", pointer + "/items")
        if is_object(result.get("additionalProperties")):
            result["additionalProperties"] = (
                self.visit(result["additionalProperties"], place + "{}", pointer + "/additionalProperties") or True
            )
        for union in ("anyOf", "oneOf"):
            if union in result:
                result[union] = [
                    self.visit(arm, place, f"{pointer}/{union}/{index}", f"{place}|{index}")
                    for index, arm in enumerate(result[union])
                ]
        return result

    def hoist(self, node: Schema, place: str, pointer: str, arm: str) -> str:
        """Make a definition of an inline object, and return its name."""
        decided: str | None = self.policy.decide("inline", arm) if arm in self.policy["inline"] else None
        name = decided or self.name_of(place, pointer)
        whole = self.definition(name, node, pointer)
        if self.taken(name, whole):
            rival = self.origin.get(name, f"/$defs/{name}")
            other = name + "Object"
            what = f"inline object would be named {name}, which {rival} is already"
            self.undecided(arm or place, pointer, what, other)
            name, whole = other, self.definition(other, node, pointer)
        self.origin.setdefault(name, pointer)
        self.defs[name] = whole
        return name

    def taken(self, name: str, whole: Schema) -> bool:
        """Whether `name` stands for something else than `whole`."""
        known = self.defs.get(name)
        return name in self.source or (known is not None and not same_shape(known, whole))

    def name_of(self, place: str, pointer: str) -> str:
        """The name of the inline object at `place`."""
        decided: str | None = self.policy.decide("inline", place)
        if decided is not None:
            return decided
        head, _, member = place.rpartition(".")
        if not head:
            name = place.rstrip("[]{}") + "Object"
            self.undecided(place, pointer, "inline object has no member to be named by", name)
            return name
        bare = member.rstrip("[]{}")
        return head + pascal(bare) + "Item" * member.count("[]") + "Value" * member.count("{}")

    def undecided(self, place: str, pointer: str, what: str, name: str) -> None:
        """Ask for the name of the inline object at `place`."""
        self.policy.ask(Undecided(self.revision, pointer, what, Line("names", ("inline", place)), name))

    def flatten(self, node: Schema, pointer: str) -> Schema:
        """`node` with its `allOf` merged into one object."""
        if "allOf" not in node:
            return node
        merged: Schema = {"type": "object", "properties": {}, "required": []}
        beside = {key: value for key, value in node.items() if key != "allOf"}
        parts = [self.flatten(self.resolve(part), pointer) for part in [*node["allOf"], beside]]
        plain = all(part.get("type", "object") == "object" for part in parts) and any("type" in part for part in parts)
        for part in parts:
            for member, value in part.get("properties", {}).items():
                merged["properties"][member] = self.narrower(merged["properties"].get(member, {}), value, pointer)
            merged["required"] = sorted({*merged["required"], *part.get("required", [])})
            if (
                not plain
                or not set(part) <= {"type", "properties", "required", "additionalProperties"}
                or part.get("additionalProperties", True) not in (True, {})
            ):
                raise unsaid(self.revision, pointer + "/allOf", "no model has an allOf of more than plain objects")
        return copy.deepcopy(merged)

    def resolve(self, node: Schema) -> Schema:
        """What `node` finally refers to."""
        name = target(node)
        return self.resolve(self.source[name]) if name is not None else node

    def narrower(self, one: Schema, other: Schema, pointer: str) -> Schema:
        """The one of two schemas for a member that implies the other."""
        for narrow, wide in ((one, other), (other, one)):
            if all(narrow.get(key) == value for key, value in wide.items()):
                return narrow
        raise unsaid(self.revision, pointer + "/allOf", "no model has an allOf that disagrees about a member")


def same_shape(one: Schema, other: Schema) -> bool:
    """Whether two named objects accept the same, an open `additionalProperties` being the default."""
    return _closed(one) == _closed(other)


def _closed(node: Schema) -> Schema:
    return {
        key: value
        for key, value in node.items()
        if (key, value) not in (("additionalProperties", True), ("additionalProperties", {}))
    }


def named(schemas: Mapping[str, Schema], policy: Policy) -> dict[str, dict[str, Schema]]:
    """The definitions of each revision, hoisted."""
    return {revision: Namer(revision, schema, policy).run() for revision, schema in schemas.items()}
