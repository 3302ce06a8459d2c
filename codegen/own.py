"""What only the superset has: names for empty objects and enums, variants, definitions and narrower arms, by policy."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codegen.canonical import Schema
from codegen.name import REF, target
from codegen.policy import Line, Policy, Undecided
from codegen.problems import Problem
from codegen.union import references

if TYPE_CHECKING:
    from codegen.merge import Superset

FILE = "schemas/superset.toml"


def add_own(superset: Superset, revisions: Sequence[str], policy: Policy) -> None:
    """Add the definitions that the policy gives the superset beyond those of the revisions."""
    add_names(superset, revisions, policy)
    add_variants(superset, policy)
    add_definitions(superset, revisions, policy)
    narrow_arms(superset, policy)
    for union in policy["discriminate"]:
        if union in superset.defs:
            policy.use("discriminate", union)
    check_references(superset, policy)


def add_names(superset: Superset, revisions: Sequence[str], policy: Policy) -> None:
    """Give the empty object, or enum, at a place a name of its own."""
    for place, name in policy["names"].items():
        owner, member = place.split(".")
        node = superset.defs.get(owner, {}).get("properties", {}).get(member)
        if node is None:
            continue
        policy.use("names", place)
        superset.defs[name] = node if node.get("enum") else {"type": "object", "properties": {}, "required": []}
        superset.defs[owner]["properties"][member] = {"$ref": REF + name}
        known = {*superset.availability.get(name, ()), *superset.availability[place]}
        superset.availability[name] = tuple(revision for revision in revisions if revision in known)


def add_variants(superset: Superset, policy: Policy) -> None:
    """Add the same construct with some members typed otherwise, and put it beside its source in every union."""
    for name, variant in policy["variants"].items():
        source = variant["of"]
        if source not in superset.defs:
            continue
        policy.use("variants", name)
        superset.sources[name] = source
        shape = superset.defs[source]
        superset.defs[name] = {**shape, "properties": {**shape.get("properties", {}), **variant["properties"]}}
        superset.availability[name] = superset.availability[source]
        for member in superset.defs[name]["properties"]:
            superset.availability[f"{name}.{member}"] = superset.availability.get(f"{source}.{member}", ())
        for node in superset.defs.values():
            arms = node.get("anyOf", [])
            if {"$ref": REF + source} in arms:
                arms.insert(arms.index({"$ref": REF + source}) + 1, {"$ref": REF + name})


def add_definitions(superset: Superset, revisions: Sequence[str], policy: Policy) -> None:
    """Add the definitions no schema has; they are as old as what refers to them."""
    for name, node in policy["define"].items():
        if name in superset.shapes:
            continue
        policy.use("define", name)
        superset.defs[name] = copy.deepcopy(node)
        users = [place for place, member in placed(superset.defs) if name in set(references(member))]
        known = {revision for place in users for revision in superset.availability.get(place, ())}
        superset.availability[name] = tuple(r for r in revisions if r in known or not users)


def narrow_arms(superset: Superset, policy: Policy) -> None:
    """Put the narrower class for an arm of a union."""
    for replaced, arm in policy["arms"].items():
        for node in superset.defs.values():
            if {"$ref": REF + replaced} in node.get("anyOf", []):
                policy.use("arms", replaced)
                node["anyOf"] = [{"$ref": REF + arm} if target(a) == replaced else a for a in node["anyOf"]]


def check_references(superset: Superset, policy: Policy) -> None:
    """Raise Problem where the policy makes the superset refer to what is no definition."""
    for name in sorted(superset.defs):
        for ref in sorted(set(references(superset.defs[name]))):
            if ref in policy["external"]:
                members = superset.defs[name].get("properties", {})
                place = next((f"{name}.{key}" for key, value in members.items() if ref in references(value)), name)
                what = f"refers to {ref}, which is modelled by hand: any value instead?"
                raise Undecided("superset", f"/{place}", what, Line("superset", ("types", place)), {}).problem
            if ref not in superset.defs:
                raise Problem(FILE, "", f"{name} is made to refer to {ref}, which no revision defines", f"remove {ref}")


def placed(defs: Mapping[str, Schema]) -> Iterator[tuple[str, Schema]]:
    """Every member of `defs` by its place."""
    for name, node in defs.items():
        for member, value in node.get("properties", {}).items():
            yield f"{name}.{member}", value


def prune(defs: dict[str, Schema], spec: set[str], policy: Policy) -> None:
    """Drop the names of ours that nothing refers to; `spec` are the specification's."""
    kept = {*spec, *policy["define"], *policy["variants"], *policy["names"].values()}
    kept.update(name for name in defs if policy.lists("public", name))
    while True:
        referred = {ref for node in defs.values() for ref in references(node)}
        idle = [name for name in defs if name not in referred | kept]
        if not idle:
            return
        for name in idle:
            del defs[name]
