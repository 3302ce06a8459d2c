"""Merging: the superset of all revisions. One definition per construct, with every revision's members.

A member is required only where every revision that has the definition requires it; its type is the union of the types
it had. What a union cannot settle is decided in `schemas/superset.toml`, or stops generation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from codegen.canonical import Schema, escape, rewrite, walk
from codegen.name import REF, is_record, same_shape, target
from codegen.problems import Problem

FILE = "schemas/superset.toml"
ENVELOPE = ("id", "jsonrpc")
LIMITS = ("format", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "pattern", "uniqueItems")
"""Keywords that only constrain a value further; the superset carries none of them."""


@dataclass
class Superset:
    """The merged definitions, and for each place (`Definition` or `Definition.member`) the revisions that define it."""

    defs: dict[str, Schema] = field(default_factory=dict)
    availability: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    """Other name of a construct, as some revision or the policy calls it, to its definition here."""
    shapes: dict[str, dict[str, Schema]] = field(default_factory=dict[str, dict[str, Schema]])
    """Definition to its shape at each revision that has it, under the names of the superset."""
    sources: dict[str, str] = field(default_factory=dict[str, str])
    """Variant of a definition to that definition."""


def is_envelope(node: Schema) -> bool:
    """Whether `node` is a whole JSON-RPC frame around a result or an error."""
    members = node.get("properties", {})
    return "jsonrpc" in members and "method" not in members


def body(node: Schema) -> Schema:
    """`node` without its envelope members, where it has a `jsonrpc` member."""
    if "jsonrpc" not in node.get("properties", {}):
        return node
    return {
        **node,
        "properties": {name: value for name, value in node["properties"].items() if name not in ENVELOPE},
        "required": [name for name in node.get("required", []) if name not in ENVELOPE],
    }


class Merger:
    """Merges the named definitions of all revisions by one policy (`superset.toml`)."""

    def __init__(
        self, revisions: Mapping[str, Mapping[str, Schema]], spec: Mapping[str, set[str]], policy: Mapping[str, Any]
    ) -> None:
        self.revisions, self.policy = revisions, policy
        self.spec = {name for names in spec.values() for name in names}
        self.rename: dict[str, str] = dict(policy.get("rename", {}))
        self.external: dict[str, str] = dict(policy.get("external", {}))
        self.used: set[tuple[str, str]] = set()
        self.arms = {
            name: [arm for arm in map(target, node["anyOf"]) if arm is not None]
            for defs in revisions.values()
            for name, node in defs.items()
            if "anyOf" in node and all(map(target, node["anyOf"]))
        }

    def run(self) -> Superset:
        result = Superset()
        self.unify_invented_names()
        variants: dict[str, dict[str, Schema]] = {}
        for revision, defs in self.revisions.items():
            for name, node in defs.items():
                final = self.final(name)
                if final != name:
                    result.aliases[name] = final
                if final in self.external or is_envelope(node):
                    continue
                known = variants.setdefault(final, {})
                node = self.relink(body(node))
                known[revision] = node if revision not in known else self.joined(final, known[revision], node)
        result.shapes = variants
        for name in sorted(variants):
            result.defs[name] = self.definition(name, variants[name])
            result.availability[name] = tuple(variants[name])
            for revision, node in variants[name].items():
                for member in node.get("properties", {}):
                    place = f"{name}.{member}"
                    result.availability[place] = (*result.availability.get(place, ()), revision)
        self.add_own(result)
        self.prune(result)
        self.refuse_unused()
        return result

    def decided(self, table: str, place: str) -> Any:
        """What the policy's `table` says of `place` (its lines may hold patterns), or None."""
        for pattern, value in self.policy.get(table, {}).items():
            if fnmatchcase(place, pattern):
                self.used.add((table, pattern))
                return value
        return None

    def listed(self, table: str, name: str) -> bool:
        if name in self.policy.get(table, []):
            self.used.add((table, name))
            return True
        return False

    def final(self, name: str) -> str:
        while name in self.rename:
            name = self.rename[name]
        return name

    def unify_invented_names(self) -> None:
        """A name of ours gives way to the specification's own at the same place in another revision."""
        places: dict[str, set[str]] = {}
        for defs in self.revisions.values():
            for name, node in defs.items():
                for member, value in node.get("properties", {}).items():
                    ref = target(value)
                    if ref is not None:
                        places.setdefault(f"{self.final(name)}.{member}", set()).add(ref)
        kept = {*self.spec, *self.rename, *self.rename.values()}
        for place in sorted(places):
            official = sorted(ref for ref in places[place] if ref in kept)
            for name in sorted(places[place] - kept):
                if len(official) == 1:
                    self.rename.setdefault(name, official[0])

    def relink(self, node: Schema) -> Schema:
        """`node` with its references renamed and its limits dropped."""

        def relinked(part: Schema) -> Schema:
            name = target(part)
            kept = {key: value for key, value in part.items() if key not in LIMITS}
            return kept if name is None else {**kept, "$ref": REF + self.final(name)}

        result: Schema = rewrite(node, relinked)
        return result

    def joined(self, name: str, one: Schema, other: Schema) -> Schema:
        """Two definitions of one revision that the superset calls by one name."""
        return self.record(name, [one, other])

    def definition(self, name: str, variants: Mapping[str, Schema]) -> Schema:
        decided = self.decided("types", name)
        if decided is not None:
            return dict(decided)
        nodes = [self.as_arm(name, node) for node in variants.values()]
        if self.listed("newest", name):
            nodes = [node for node in nodes if is_record(node) == is_record(nodes[-1])]
        if all(is_record(node) or node.get("type") == "object" for node in nodes) and any(map(is_record, nodes)):
            return self.record(name, nodes)
        if any(map(is_record, nodes)):
            raise Problem(
                list(variants)[-1],
                f"/$defs/{escape(name)}",
                "an object in some revisions and something else in others",
                f'in {FILE}: add "{name}" to newest',
            )
        return self.union(name, nodes)

    def as_arm(self, name: str, node: Schema) -> Schema:
        """Where the policy says that `name` is a union, an inlined copy of another definition is its only arm."""
        if not is_record(node) or not self.listed("unions", name):
            return node
        for defs in reversed(self.revisions.values()):
            for other, shape in defs.items():
                if other != name and same_shape(self.relink(body(shape)), node):
                    return {"$ref": REF + self.final(other)}
        return node

    def record(self, name: str, nodes: Sequence[Schema]) -> Schema:
        members: dict[str, list[Schema]] = {}
        for node in nodes:
            for member, value in node.get("properties", {}).items():
                members.setdefault(member, []).append(value)
        required = [
            member
            for member in sorted(members)
            if all(member in node.get("required", []) for node in nodes)
            and self.decided("optional", f"{name}.{member}") is None
        ]
        properties = {member: self.union(f"{name}.{member}", members[member]) for member in sorted(members)}
        return {"type": "object", "properties": properties, "required": required}

    def union(self, place: str, values: Sequence[Schema]) -> Schema:
        """One schema that accepts what any of `values` accepts, newest first."""
        decided = self.decided("types", place)
        if decided is not None:
            return dict(decided)
        arms = absorb([arm for value in reversed(values) for arm in value.get("anyOf", value.get("oneOf", [value]))])
        opened = self.decided("open", place)
        merged = self.folded(arms, place)
        return widened(merged) if opened else merged

    def folded(self, arms: Sequence[Schema], place: str) -> Schema:
        """`arms` as one schema, arms that are a named union, or belong to one beside them, given by its name."""
        arms = [
            {**arm, "items": self.folded(arm["items"].get("anyOf", [arm["items"]]), "")} if "items" in arm else arm
            for arm in arms
        ]
        names = [name for name in map(target, arms) if name is not None]
        for union, members in sorted(self.arms.items()):
            members = [self.final(member) for member in members]
            if union != place and len(names) > 1 and (union in names or set(members) == set(names)):
                names = [union, *(name for name in names if name != union and name not in members)]
        arms = [*({"$ref": REF + name} for name in names), *(arm for arm in arms if target(arm) is None)]
        return arms[0] if len(arms) == 1 else {"anyOf": list(arms)}

    def add_own(self, result: Superset) -> None:
        """The definitions that only the superset has: markers, named enums, aliases and variants from the policy."""
        for place, name in self.policy.get("names", {}).items():
            owner, member = place.split(".")
            node = result.defs.get(owner, {}).get("properties", {}).get(member)
            if node is None:
                raise Problem(FILE, "", f"names: there is no {place}", f"remove the line of {place}")
            own = {"type": "object", "properties": {}, "required": []} if not node.get("enum") else node
            result.defs[name] = own
            result.defs[owner]["properties"][member] = {"$ref": REF + name}
            known = result.availability.get(name, ())
            result.availability[name] = tuple(
                revision for revision in self.revisions if revision in known or revision in result.availability[place]
            )
        for name, variant in self.policy.get("variants", {}).items():
            source = result.sources[name] = variant["of"]
            result.defs[name] = {
                **result.defs[source],
                "properties": {**result.defs[source]["properties"], **variant["properties"]},
            }
            result.availability[name] = result.availability[source]
            for member in result.defs[name]["properties"]:
                result.availability[f"{name}.{member}"] = result.availability.get(f"{source}.{member}", ())
            for node in result.defs.values():
                arms = node.get("anyOf", [])
                if {"$ref": REF + source} in arms:
                    arms.insert(arms.index({"$ref": REF + source}) + 1, {"$ref": REF + name})
        for name, node in self.policy.get("define", {}).items():
            result.defs[name] = dict(node)
            users = [place for place, member in placed(result.defs) if name in set(references(member))]
            known = {revision for place in users for revision in result.availability.get(place, ())}
            result.availability[name] = tuple(r for r in self.revisions if r in known or not users)
        for replaced, arm in self.policy.get("arms", {}).items():
            for node in result.defs.values():
                node["anyOf"] = [{"$ref": REF + arm} if target(a) == replaced else a for a in node.get("anyOf", [])]
                if not node["anyOf"]:
                    del node["anyOf"]

    def prune(self, result: Superset) -> None:
        """Drop the names of ours that nothing refers to."""
        spec = {self.final(name) for name in self.spec}
        while True:
            referred = {ref for node in result.defs.values() for ref in references(node)}
            own = {
                *self.policy.get("define", {}),
                *self.policy.get("variants", {}),
                *self.policy.get("names", {}).values(),
            }
            idle = [name for name in result.defs if name not in referred | spec | own]
            if not idle:
                return
            for name in idle:
                del result.defs[name]

    def refuse_unused(self) -> None:
        for table in ("types", "newest", "unions", "open", "optional"):
            for line in self.policy.get(table, []):
                if (table, line) not in self.used:
                    raise Problem(FILE, "", f"{table}: {line} decides nothing", f"remove the line of {line}")
        known = {self.final(name) for defs in self.revisions.values() for name in defs} | set(self.rename)
        for table in ("rename", "external"):
            for name in self.policy.get(table, {}):
                if name not in known:
                    raise Problem(FILE, "", f"{table}: no revision defines {name}", f"remove the line of {name}")


def placed(defs: Mapping[str, Schema]) -> Iterator[tuple[str, Schema]]:
    """Every member of `defs` by its place."""
    for name, node in defs.items():
        for member, value in node.get("properties", {}).items():
            yield f"{name}.{member}", value


def references(node: Any) -> Iterator[str]:
    """The names of the definitions that `node` refers to."""
    for _, part in walk(node):
        name = target(part)
        if name is not None:
            yield name


def widened(node: Schema) -> Schema:
    """`node` with its closed enum, wherever it stands, open to any string."""
    if node.get("type") == "array":
        return {**node, "items": widened(node["items"])}
    return {"anyOf": [node, {"type": "string"}]}


def absorb(arms: Sequence[Schema]) -> list[Schema]:
    """`arms` without those that another one covers, scalars and enums of one type joined."""
    if any(not arm for arm in arms):
        return [{}]
    refs: list[Schema] = []
    scalars: list[str] = []
    enums: dict[str, list[Any]] = {}
    maps: list[Schema] = []
    lists: list[Schema] = []
    for arm in arms:
        types = arm.get("type", [])
        types = types if isinstance(types, list) else [types]
        if target(arm) is not None:
            refs.extend([arm] if arm not in refs else [])
        elif "const" in arm and all("const" in other for other in arms):
            enums.setdefault(types[0], []).append(arm["const"])
        elif "enum" in arm or "const" in arm:
            enums.setdefault(types[0], []).extend(arm.get("enum", [arm.get("const")]))
        elif types == ["object"]:
            inner = arm.get("additionalProperties", {})
            maps.extend(inner.get("anyOf", [inner]) if isinstance(inner, dict) else [{}])
        elif types == ["array"]:
            lists.extend(arm.get("items", {}).get("anyOf", [arm.get("items", {})]))
        else:
            scalars.extend(types)
    result = list(refs)
    if lists:
        result.append({"type": "array", "items": one_of(absorb(lists))})
    if maps and not refs:
        result.append({"type": "object", "additionalProperties": one_of(absorb(maps)) or True})
    scalars = [kind for kind in dict.fromkeys(scalars) if not (kind == "integer" and "number" in scalars)]
    for kind, values in enums.items():
        values = list(dict.fromkeys(values))
        if kind not in scalars:
            single = len(values) == 1 and all("const" in arm for arm in arms)
            result.append({"type": kind, "const": values[0]} if single else {"type": kind, "enum": values})
    if scalars:
        result.append({"type": scalars[0] if len(scalars) == 1 else scalars})
    return result


def one_of(arms: Sequence[Schema]) -> Schema:
    """A schema that accepts what any of `arms` accepts."""
    return arms[0] if len(arms) == 1 else {"anyOf": list(arms)}


def merge(
    revisions: Mapping[str, Mapping[str, Schema]], spec: Mapping[str, set[str]], policy: Mapping[str, Any]
) -> Superset:
    """The superset of the named definitions of `revisions`; `spec` holds the names each revision itself defines."""
    return Merger(revisions, spec, policy).run()


def admits_null(node: Schema, defs: Mapping[str, Schema]) -> bool:
    """Whether null is a value of `node`."""
    name = target(node)
    if name is not None:
        return name in defs and admits_null(defs[name], defs)
    types = node.get("type", [])
    unconstrained = not set(node) - {"description"}
    return unconstrained or "null" in types or any(admits_null(arm, defs) for arm in node.get("anyOf", []))
