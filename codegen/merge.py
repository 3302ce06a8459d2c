"""Merging: the superset of all revisions. One definition per construct, with every revision's members.

A member is required only where every revision that has the definition requires it, and nobody else supplies it; its
type is the union of the types it had. What a union cannot settle is decided in `schemas/superset.toml`, or asked for.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from codegen.canonical import Schema, escape, rewrite
from codegen.name import REF, is_record, same_shape, target
from codegen.own import add_own, prune
from codegen.policy import Line, Policy, Undecided
from codegen.union import absorb, arms_of, enums_in, one_of, opened, references

ENVELOPE = ("id", "jsonrpc")
LIMITS = ("format", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "pattern", "uniqueItems")
"""Keywords that only constrain a value further; the superset carries none of them."""

Revisions = Mapping[str, Mapping[str, Schema]]


@dataclass
class Superset:
    """The merged definitions, and for each place (`Definition` or `Definition.member`) the revisions that define it."""

    defs: dict[str, Schema] = field(default_factory=dict[str, Schema])
    availability: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    aliases: dict[str, str] = field(default_factory=dict[str, str])
    """Other name of a construct, as some revision or the policy calls it, to its definition here."""
    shapes: dict[str, dict[str, Schema]] = field(default_factory=dict[str, dict[str, Schema]])
    """Definition to its shape at each revision that has it, under the names of the superset."""
    frames: dict[str, str] = field(default_factory=dict[str, str])
    """Definition of a whole JSON-RPC frame to the envelope model that stands for it."""
    sources: dict[str, str] = field(default_factory=dict[str, str])
    """Variant of a definition to that definition."""
    answers: set[str] = field(default_factory=set[str])
    """What some frame holds as its result."""


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


def supplied(place: str, policy: Policy) -> bool:
    """Whether the wire or the session supplies the member at `place`, so that the superset may leave it unset."""
    return place.endswith("._meta") or policy.decide("inject", place) is not None or place in policy["caller"]


def named_unions(revisions: Revisions) -> dict[str, list[str]]:
    """The arms of each union of nothing but definitions; what became an object since is none."""
    found: dict[str, list[str]] = {}
    for defs in revisions.values():
        for name, node in defs.items():
            arms = [arm for arm in map(target, node.get("anyOf", [])) if arm is not None]
            if is_record(node):
                found.pop(name, None)
            elif arms and len(arms) == len(node["anyOf"]):
                found[name] = arms
    return found


def merge(revisions: Revisions, spec: Mapping[str, set[str]], policy: Policy) -> Superset:
    """The superset of the named definitions of `revisions`; `spec` holds the names each revision itself defines."""
    return Merger(revisions, spec, policy).run()


class Merger:
    """Merges the named definitions of all revisions by one policy."""

    def __init__(self, revisions: Revisions, spec: Mapping[str, set[str]], policy: Policy) -> None:
        self.revisions, self.policy = revisions, policy
        self.spec = {name for names in spec.values() for name in names}
        self.rename: dict[str, str] = dict(policy["rename"])
        self.arms = named_unions(revisions)
        self.shapes: dict[str, dict[str, Schema]] = {}

    def run(self) -> Superset:
        """The merged definitions, those of the policy among them."""
        result = Superset()
        self.unify_invented_names()
        result.shapes = self.shapes = self.collect(result.aliases, result.frames)
        for name in sorted(result.shapes):
            variants = result.shapes[name]
            result.defs[name] = self.definition(name, variants)
            result.availability[name] = tuple(variants)
            for revision, node in variants.items():
                for member in node.get("properties", {}):
                    place = f"{name}.{member}"
                    result.availability[place] = (*result.availability.get(place, ()), revision)
        add_own(result, list(self.revisions), self.policy)
        result.answers = {
            self.final(name)
            for defs in self.revisions.values()
            for node in defs.values()
            if is_envelope(node)
            for name in references(node["properties"].get("result", {}))
        }
        prune(result.defs, {self.final(name) for name in self.spec} | result.answers, self.policy)
        return result

    def final(self, name: str) -> str:
        """What the superset calls the definition `name`."""
        while name in self.rename:
            if name in self.policy["rename"]:
                self.policy.use("rename", name)
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

    def collect(self, aliases: dict[str, str], frames: dict[str, str]) -> dict[str, dict[str, Schema]]:
        """The shapes of each definition by revision; `aliases` takes the names that were changed.

        `frames` takes the definitions that are whole frames, with the envelope model that stands for each.
        """
        shapes: dict[str, dict[str, Schema]] = {}
        for revision, defs in self.revisions.items():
            for name, node in defs.items():
                final = self.final(name)
                if final != name:
                    aliases[name] = final
                if final in self.policy["external"]:
                    self.policy.use("external", final)
                elif is_envelope(node):
                    frames[name] = "JSONRPCResponse" if "result" in node["properties"] else "JSONRPCError"
                else:
                    known = shapes.setdefault(final, {})
                    node = self.relink(body(node))
                    known[revision] = node if revision not in known else self.record(final, [known[revision], node])
        return shapes

    def relink(self, node: Schema) -> Schema:
        """`node` with its references renamed and its limits dropped."""

        def relinked(part: Schema) -> Schema:
            name = target(part)
            kept = {key: value for key, value in part.items() if key not in LIMITS}
            return kept if name is None else {**kept, "$ref": REF + self.final(name)}

        result: Schema = rewrite(node, relinked)
        return result

    def definition(self, name: str, variants: Mapping[str, Schema]) -> Schema:
        """What the superset has for a definition that had the shapes `variants`."""
        decided: Schema | None = self.policy.decide("types", name)
        if decided is not None:
            return completed(decided, list(variants.values()))
        nodes = list(variants.values())
        if self.policy.lists("unions", name):
            nodes = [self.as_arm(name, node) for node in nodes]
        if any(map(is_record, nodes)) and not all(map(is_object, nodes)):
            nodes = self.of_one_kind(name, variants)
        return self.record(name, nodes) if any(map(is_record, nodes)) else self.union(name, nodes)

    def of_one_kind(self, name: str, variants: Mapping[str, Schema]) -> list[Schema]:
        """The shapes of a definition that is an object in some revisions only, as the policy has it.

        Raises Problem where it does not say, unless a reference stands for an object, or each object is an arm by
        itself: so nothing that a revision accepts is lost.
        """
        nodes = list(variants.values())
        if self.policy.lists("newest", name):
            return [node for node in nodes if is_record(node) == is_record(nodes[-1])]
        whole = [self.shapes.get(target(node) or "", {}).get(revision, node) for revision, node in variants.items()]
        if all(map(is_record, whole)):
            return whole
        arms = [self.as_arm(name, node) for node in nodes]
        lost = any(map(is_record, arms))
        what = "an object in some revisions and something else in others"
        line = Line("superset", ("newest" if lost else "unions", name))
        undecided = Undecided(list(variants)[-1], f"/$defs/{escape(name)}", what, line, None)
        if lost:
            raise undecided.problem
        self.policy.ask(undecided)
        return arms

    def as_arm(self, name: str, node: Schema) -> Schema:
        """An inlined copy of another definition as the only arm of a union."""
        if not is_record(node):
            return node
        for defs in reversed(list(self.revisions.values())):
            for other, shape in defs.items():
                if self.final(other) != name and same_shape(self.relink(body(shape)), node):
                    return {"$ref": REF + self.final(other)}
        return node

    def record(self, name: str, nodes: Sequence[Schema]) -> Schema:
        """The object with every member of `nodes`."""
        members: dict[str, list[Schema]] = {}
        for node in nodes:
            for member, value in node.get("properties", {}).items():
                members.setdefault(member, []).append(value)
        required = [
            member
            for member in sorted(members)
            if all(member in node.get("required", []) for node in nodes)
            and not supplied(f"{name}.{member}", self.policy)
            and not (member == "params" and self.materialised(nodes))
        ]
        properties = {member: self.union(f"{name}.{member}", members[member]) for member in sorted(members)}
        return {"type": "object", "properties": properties, "required": required}

    def materialised(self, nodes: Sequence[Schema]) -> bool:
        """Whether the params of a request need nothing but `_meta`, so that the wire can supply them whole."""
        names = {target(node["properties"]["params"]) for node in nodes}
        shapes = [node for defs in self.revisions.values() for name, node in defs.items() if self.final(name) in names]
        return all(is_record(node) and set(node.get("required", [])) <= {"_meta"} for node in shapes)

    def union(self, place: str, values: Sequence[Schema]) -> Schema:
        """One schema that accepts what any of `values` accepts; arms of older revisions first, as those stay."""
        decided: Schema | None = self.policy.decide("types", place)
        if decided is not None:
            return completed(decided, values)
        merged = self.folded(absorb([arm for value in values for arm in arms_of(value)]), place)
        state = self.policy.decide("enums", place)
        if state is None and enums_in(merged):
            what = "an enum that a peer may extend (open), or whose every value has a meaning (closed)"
            self.policy.ask(Undecided("superset", f"/{place}", what, Line("superset", ("enums", place)), "closed"))
        return opened(merged) if state == "open" else merged

    def folded(self, arms: Sequence[Schema], place: str) -> Schema:
        """`arms` as one schema, arms that are a named union, or belong to one beside them, given by its name."""
        arms = [{**arm, "items": self.folded(arms_of(arm["items"]), "")} if "items" in arm else arm for arm in arms]
        names = [name for name in map(target, arms) if name is not None]
        for union, members in sorted(self.arms.items()):
            union = self.final(union)
            members = [self.final(member) for member in members]
            if union != place and len(names) > 1 and (union in names or set(members) == set(names)):
                names = [union, *(name for name in names if name != union and name not in members)]
        return one_of([*({"$ref": REF + name} for name in names), *(arm for arm in arms if target(arm) is None)])


def completed(decided: Schema, nodes: Sequence[Schema]) -> Schema:
    """A decided type; where it lists values, those that a revision has besides follow."""
    result = copy.deepcopy(decided)
    if "enum" in result:
        result["enum"] = list(dict.fromkeys([*result["enum"], *(v for node in nodes for v in node.get("enum", []))]))
    return result


def is_object(node: Schema) -> bool:
    """Whether `node` is an object, with members or free-form."""
    return is_record(node) or node.get("type") == "object"
