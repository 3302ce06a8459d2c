"""Annotating: what the generator reads from a schema beside its shape.

Base classes become `allOf` (or `customBasePath`), unions with a tag get a `discriminator`, and every definition and
member its docstring, ending with the revisions that define it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

from codegen.bases import Bases
from codegen.canonical import Schema, escape, rewrite, walk
from codegen.docstrings import Docs, availability
from codegen.merge import Superset
from codegen.name import REF, target
from codegen.policy import Line, Policy, Undecided
from codegen.union import one_of
from codegen.universal import universal_definitions

BASE_MODULE = "mcp_surfaces.base"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
OPEN_MAP: Schema = {"type": "object", "additionalProperties": True}
TAGS = ("type", "method")


def tag_of(arms: Sequence[Schema], defs: Mapping[str, Schema]) -> str | None:
    """The member by which the records in a union tell themselves apart, or None.

    It is a required constant in each of them, and no two share its value.
    """
    records = [defs.get(target(arm) or "", {}) for arm in arms]
    for member in TAGS:
        tags = [constant(arm, member, defs) for arm in arms]
        required = all(member in record.get("required", []) for record in records)
        if required and len(tags) > 1 and None not in tags and len(set(tags)) == len(tags):
            return member
    return None


def check_tags(documents: Mapping[str, Mapping[str, Schema]], policy: Policy) -> None:
    """Raise Problem where two arms share the tag by which another of `documents` tells the same union apart.

    Not where the policy says that the union has no tag: it is tried arm by arm then.
    """
    tagged: dict[str, str] = {}
    for defs in documents.values():
        for pointer, arms in unions(defs):
            tag = tag_of(arms, defs)
            if tag is not None:
                tagged.setdefault(pointer, tag)
    for where, defs in documents.items():
        for pointer, arms in unions(defs):
            tag = tagged.get(pointer, "")
            values = [constant(arm, tag, defs) for arm in arms]
            shared = next((value for value in values if values.count(value) > 1), None)
            if None not in values and shared is not None and policy.decide("tagged", pointer) is None:
                what = f"two arms share the {tag} {shared!r}, which tells them apart elsewhere: no tag then?"
                raise Undecided(where, pointer, what, Line("superset", ("tagged", pointer)), False).problem


def unions(defs: Mapping[str, Schema]) -> Iterator[tuple[str, list[Schema]]]:
    """Every union in `defs`: its JSON Pointer and its arms."""
    for name, node in sorted(defs.items()):
        for pointer, part in walk(node, f"/$defs/{escape(name)}"):
            if "anyOf" in part:
                yield pointer, part["anyOf"]


def constant(arm: Schema, member: str, defs: Mapping[str, Schema]) -> str | None:
    """The constant that `arm`, a reference to a record, has as `member`."""
    value: str | None = defs.get(target(arm) or "", {}).get("properties", {}).get(member, {}).get("const")
    return value


def discriminated(node: Schema, defs: Mapping[str, Schema]) -> Schema:
    """`node` with a `discriminator` on every union whose arms have a tag; their order says nothing, so it is A to Z."""

    def annotated(part: Schema) -> Schema:
        tag = tag_of(part.get("anyOf", []), defs)
        if tag is None:
            return part
        arms = sorted(part["anyOf"], key=lambda arm: target(arm) or "")
        return {**part, "anyOf": arms, "discriminator": {"propertyName": tag}}

    result: Schema = rewrite(node, annotated)
    return result


def document(defs: Mapping[str, Schema]) -> Schema:
    """A whole schema around `defs`, definitions in alphabetical order."""
    return {"$schema": DIALECT, "$defs": {name: _as_map(defs[name]) for name in sorted(defs)}}


def _as_map(node: Schema) -> Schema:
    """A free-form object spelt so that the generator makes a `dict` of it, not an empty class."""
    return {**node, "additionalProperties": {}} if bare(node) in (OPEN_MAP, {"type": "object"}) else node


def bare(node: Schema) -> Schema:
    """`node` without its docstring."""
    return {key: value for key, value in node.items() if key != "description"}


def superset_document(superset: Superset, policy: Policy, docs: Docs, bases: Bases) -> Schema:
    """The annotated schema of the superset."""
    defs = {name: inline_maps(node, superset.defs) for name, node in superset.defs.items()}
    return document({name: _annotated(name, defs, superset, policy, docs, bases) for name in defs})


def _annotated(
    name: str, defs: Mapping[str, Schema], superset: Superset, policy: Policy, docs: Docs, bases: Bases
) -> Schema:
    """One definition of the superset, with its bases and docstrings, without what it inherits."""
    revisions = superset.availability.get(name, ())
    node = discriminated(copy.deepcopy(defs[name]), defs)
    for member, value in node.get("properties", {}).items():
        text = docs.of_member(name, member, superset.availability.get(f"{name}.{member}", ()), revisions)
        node["properties"][member] = {**value, "description": text} if text else value
    on = bases.of(name) if "properties" in node else ()
    local = [base for base in on if base in defs]
    inherited = {member: value for base in on for member, value in bases.members(base).items()}
    for member, value in inherited.items():
        own = node["properties"].get(member)
        if own is None or policy.decide("tags", f"{name}.{member}") is not None:
            continue
        required = any(member in defs[base]["required"] for base in local)
        if bare(own) == inline_maps(value, superset.defs) and (member in node["required"]) == required:
            del node["properties"][member]
            node["required"] = [other for other in node["required"] if other != member]
    if local:
        node = {"allOf": [*({"$ref": REF + base} for base in local), node]}
    elif on:
        node["customBasePath"] = f"{BASE_MODULE}.{on[0]}"
    return {**node, "description": docs.of_class(name, revisions)}


def surface_document(
    defs: Mapping[str, Schema], docs: Docs, superset: Superset, named: Mapping[str, Mapping[str, Schema]]
) -> Schema:
    """The annotated schema of an exact surface: `defs` as they are; `named` holds the definitions of every revision."""
    universal = universal_definitions(defs)
    result: dict[str, Schema] = {}
    for name, node in defs.items():
        if name in universal:
            node = {}
        node = discriminated(copy.deepcopy(node), defs)
        revisions = [revision for revision, known in named.items() if name in known]
        public = superset.aliases.get(name, name)
        for member, value in node.get("properties", {}).items():
            own = [revision for revision in revisions if member in named[revision][name].get("properties", {})]
            text = docs.of_member(public, member, own, revisions)
            node["properties"][member] = {**value, "description": text} if text else value
        node["description"] = (
            docs.of_class(public, revisions) if docs.has(public) else availability(revisions, docs.known)
        )
        result[name] = node
    return document(result)


def inline_maps(node: Schema, defs: Mapping[str, Schema]) -> Schema:
    """`node` with references to free-form objects replaced by the object itself, and unions without equal arms.

    So what two revisions give two names, both of free-form objects, is one object, as where it is inherited.
    """

    def inlined(part: Schema) -> Schema:
        if defs.get(target(part) or "") == OPEN_MAP:
            return dict(OPEN_MAP)
        arms = part.get("anyOf", [])
        distinct = [arm for index, arm in enumerate(arms) if arm not in arms[:index]]
        if len(distinct) == len(arms):
            return part
        rest = {key: value for key, value in part.items() if key != "anyOf"}
        return {**rest, **one_of(distinct)}

    result: Schema = rewrite(node, inlined)
    return result
