"""Annotating: what the generator reads from a schema beside its shape.

Base classes become `allOf` (or `customBasePath`), unions with a tag get a `discriminator`, and every definition and
member its docstring, ending with the revisions that define it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from codegen.canonical import Schema, rewrite
from codegen.merge import Superset
from codegen.name import REF, target
from codegen.universal import universal_definitions

BASE_MODULE = "mcp_surfaces.base"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
OPEN_MAP: Schema = {"type": "object", "additionalProperties": True}


def availability(revisions: Sequence[str], known: Sequence[str]) -> str:
    """The sentence that says which of the `known` revisions are `revisions`."""
    if list(revisions) == list(known):
        return "Every revision."
    if len(revisions) == 1:
        return f"{revisions[0]} only." if revisions[0] != known[-1] else f"Since {revisions[0]}."
    first = known.index(revisions[0])
    if list(revisions) == list(known[first:]):
        return f"Since {revisions[0]}."
    if list(revisions) == list(known[first : first + len(revisions)]):
        return f"{revisions[0]} to {revisions[-1]}."
    return f"In {', '.join(revisions[:-1])} and {revisions[-1]}."


def bases_of(name: str, bases: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The base classes that the policy gives to `name`."""
    for pattern, names in bases.items():
        if fnmatchcase(name, pattern) and name not in names:
            return names
    return ()


def tag_of(arms: Sequence[Schema], defs: Mapping[str, Schema]) -> str | None:
    """The member by which the records in a union tell themselves apart, or None.

    It is a required constant in each of them, and no two share its value.
    """
    records = [defs.get(target(arm) or "", {}) for arm in arms]
    for member in ("type", "method"):
        tags = [record.get("properties", {}).get(member, {}).get("const") for record in records]
        required = all(member in record.get("required", []) for record in records)
        if required and len(tags) > 1 and None not in tags and len(set(tags)) == len(tags):
            return member
    return None


def discriminated(node: Schema, defs: Mapping[str, Schema]) -> Schema:
    """`node` with a `discriminator` on every union whose arms have a tag."""

    def annotated(part: Schema) -> Schema:
        tag = tag_of(part.get("anyOf", []), defs)
        return part if tag is None else {**part, "discriminator": {"propertyName": tag}}

    result: Schema = rewrite(node, annotated)
    return result


class Docs:
    """Docstrings from `docs.toml`: by class and wire name of the member, the table `*` standing for every class."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]], known: Sequence[str]) -> None:
        self.tables, self.known = tables, known
        self.undecided: list[str] = []

    def of_class(self, name: str, revisions: Sequence[str]) -> str:
        text = self.tables.get(name, {}).get("", "")
        if not text:
            self.undecided.append(f'docs.toml: [{name}] "" = "…"')
            text = f"{name}."
        return f"{text}\n\n{availability(revisions, self.known)}"

    def of_member(self, name: str, member: str, revisions: Sequence[str], of_class: Sequence[str]) -> str:
        text = self.tables.get(name, {}).get(member) or self.tables.get("*", {}).get(member, "")
        since = availability(revisions, self.known) if revisions and list(revisions) != list(of_class) else ""
        return " ".join(part for part in (text, since) if part)


def document(defs: Mapping[str, Schema]) -> Schema:
    """A whole schema around `defs`, definitions in alphabetical order."""
    return {"$schema": DIALECT, "$defs": {name: _as_map(defs[name]) for name in sorted(defs)}}


def _as_map(node: Schema) -> Schema:
    """A free-form object spelt so that the generator makes a `dict` of it, not an empty class."""
    return {**node, "additionalProperties": {}} if _shape(node) in (OPEN_MAP, {"type": "object"}) else node


def _shape(node: Schema) -> Schema:
    return {key: value for key, value in node.items() if key != "description"}


def superset_document(superset: Superset, policy: Mapping[str, Any], docs: Docs) -> Schema:
    """The annotated schema of the superset."""
    defs = {name: inline_maps(node, superset.defs) for name, node in superset.defs.items()}
    effective: dict[str, Schema] = {}

    def members(name: str) -> Schema:
        if name not in effective:
            own = dict(defs.get(name, {}).get("properties", {}))
            for base in bases_of(name, policy["bases"]):
                own = {**members(base), **own}
            effective[name] = own
        return effective[name]

    result: dict[str, Schema] = {}
    for name, node in defs.items():
        revisions = superset.availability.get(name, ())
        node = discriminated(copy.deepcopy(node), defs)
        bases = bases_of(name, policy["bases"]) if node.get("type") == "object" and "properties" in node else ()
        for member, value in node.get("properties", {}).items():
            text = docs.of_member(name, member, superset.availability.get(f"{name}.{member}", ()), revisions)
            node["properties"][member] = {**value, "description": text} if text else value
        inherited = {member: value for base in bases for member, value in members(base).items()}
        for member, value in inherited.items():
            if f"{name}.{member}" in policy["tags"] or defs[name]["properties"].get(member) != value:
                continue
            if (member in node["required"]) == any(member in defs[base]["required"] for base in bases if base in defs):
                del node["properties"][member]
                node["required"] = [other for other in node["required"] if other != member]
        local = [base for base in bases if base in defs]
        if local:
            node = {"allOf": [*({"$ref": REF + base} for base in local), node]}
        elif bases:
            node["customBasePath"] = f"{BASE_MODULE}.{bases[0]}"
        node["description"] = docs.of_class(name, revisions)
        result[name] = node
    return document(result)


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
            docs.of_class(public, revisions) if public in docs.tables else availability(revisions, docs.known)
        )
        result[name] = node
    return document(result)


def inline_maps(node: Schema, defs: Mapping[str, Schema]) -> Schema:
    """`node` with references to free-form objects replaced by the object itself."""

    def inlined(part: Schema) -> Schema:
        return dict(OPEN_MAP) if defs.get(target(part) or "") == OPEN_MAP else part

    result: Schema = rewrite(node, inlined)
    return result
