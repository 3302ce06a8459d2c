"""The revision reference: one static page with every construct and field against the revisions, and any two compared.

Rendered from the same comparison as the report. No network, no dates, no paths: the same schemas give the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from codegen.canonical import Schema
from codegen.changes import Change
from codegen.compare import compare
from codegen.drawing import TONES, Panel, panels
from codegen.renames import renames
from codegen.render import render
from codegen.report import headline
from codegen.shapes import ANSWERS, PREFIX, ROLES, Node, Shapes, node, place, references, tokens

Words = Mapping[str, Mapping[str, str]]
"""Explanations by class and member, as in `schemas/docs.toml`."""
PAGE = Path("docs/reference/index.html")
KINDS_OF_ROLES = {
    **{role: "request" if role.endswith("Request") else "notification" for role in ROLES},
    **dict.fromkeys(ANSWERS, "result"),
}
CATEGORIES = {
    "request": "Requests",
    "notification": "Notifications",
    "result": "Results",
    "params": "Params",
    "object": "Objects",
    "union": "Unions",
    "value": "Values",
    "frame": "JSON-RPC",
}


@dataclass(frozen=True)
class Spell:
    """A type and the revisions that spell it so; `span` is empty where all that have the member agree."""

    type: str
    span: str


@dataclass(frozen=True)
class Field:
    """One member, however deep: its path, its types, and `required`, `optional` or `absent` by revision."""

    path: str
    types: tuple[Spell, ...]
    states: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class Construct:
    """One definition over all revisions."""

    name: str
    category: str
    method: str
    present: tuple[bool, ...]
    shape: tuple[Spell, ...]
    fields: tuple[Field, ...]
    used_by: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class MethodRow:
    """One method of a role, and the revisions that have it."""

    name: str
    definition: str
    present: tuple[bool, ...]


def page(schemas: Mapping[str, Schema], words: Words) -> dict[Path, bytes]:
    """The page by its path from the repository root; `schemas` are the canonical ones, oldest first."""
    constructs = survey(schemas, words)
    text = render(
        "reference.html.j2",
        revisions=list(schemas),
        tones=TONES,
        constructs=constructs,
        names=frozenset(construct.name for construct in constructs),
        categories=CATEGORIES,
        methods=methods(schemas),
        panels=drawn(schemas),
        pairs=_embedded(pairs(schemas)),
        field_count=sum(len(construct.fields) for construct in constructs),
        prose=_prose,
        breakable=_breakable,
        linked=_linked,
    )
    return {PAGE: text.encode()}


def survey(schemas: Mapping[str, Schema], words: Words) -> list[Construct]:
    """Every definition of any revision, A to Z."""
    shapes = {revision: Shapes(schema) for revision, schema in schemas.items()}
    roles = {
        arm.ref: kind
        for each in shapes.values()
        for role, kind in KINDS_OF_ROLES.items()
        if role in each.definitions
        for arm in each.arms(Node({"$ref": PREFIX + role}, ""))
        if arm.ref is not None
    }
    users: dict[str, set[str]] = {}
    for each in shapes.values():
        for name, body in each.definitions.items():
            for used in references(body):
                users.setdefault(used, set()).add(name)
    names = sorted({name for each in shapes.values() for name in each.definitions}, key=str.lower)
    return [_construct(name, shapes, roles, users.get(name, set()) - {name}, words) for name in names]


def _construct(
    name: str, shapes: Mapping[str, Shapes], roles: Mapping[str, str], users: set[str], words: Words
) -> Construct:
    having = {revision: each for revision, each in shapes.items() if name in each.definitions}
    newest = list(having.values())[-1]
    top = newest.definition(name)
    cells = {revision: _cells(each, each.definition(name), "") for revision, each in having.items()}
    paths = sorted({path for found in cells.values() for path in found}, key=_order)
    fields: list[Field] = []
    for path in paths:
        found = {revision: cells.get(revision, {}).get(path) for revision in shapes}
        states = tuple("absent" if cell is None else cell[1] for cell in found.values())
        doc = words.get(name, {}).get(path) or words.get("*", {}).get(path.rpartition(".")[2], "")
        fields.append(
            Field(path, _spells({revision: cell[0] for revision, cell in found.items() if cell}), states, doc)
        )
    whole = {
        revision: each.short(each.definition(name))
        for revision, each in having.items()
        if not each.members(each.definition(name))
    }
    category = roles.get(name) or _category(newest, top, users)
    return Construct(
        name,
        category,
        (newest.tag(top, "method") or "") if category in ("request", "notification") else "",
        tuple(revision in having for revision in shapes),
        _spells(whole),
        tuple(fields),
        tuple(sorted(users)),
        words.get(name, {}).get("", ""),
    )


def _category(shapes: Shapes, top: Node, users: set[str]) -> str:
    members = shapes.members(top)
    if "jsonrpc" in members or shapes.is_batch(top) or "method" in members:
        return "frame"
    if len(shapes.arms(top)) > 1:
        return "union" if any(arm.ref for arm in shapes.arms(top)) else "value"
    if shapes.is_message(top):
        return "result"
    parents = [shapes.members(shapes.definition(user)).get("params") for user in users if user in shapes.definitions]
    if any(member and member.node.ref == tokens(top.pointer)[-1] for member in parents):
        return "params"
    return "object" if members or shapes.resolve(top).schema.get("type") == "object" else "value"


def _cells(shapes: Shapes, at: Node, path: str) -> dict[str, tuple[str, str]]:
    """Member path to type and state, inline objects entered."""
    found: dict[str, tuple[str, str]] = {}
    for name, member in shapes.members(at).items():
        here = f"{path}.{name}" if path else name
        found[here] = (shapes.short(member.node), "required" if member.required else "optional")
        found |= _inside(shapes, member.node, here)
    return found


def _inside(shapes: Shapes, at: Node, path: str) -> dict[str, tuple[str, str]]:
    if at.ref is not None:
        return {}
    found = _cells(shapes, at, path)
    for key, mark in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(at.schema.get(key), dict):
            found |= _inside(shapes, node(at.schema[key], f"{at.pointer}/{key}"), path + mark)
    return found


def _order(path: str) -> tuple[str, ...]:
    return tuple(path.lower().split("."))


def _spells(types: Mapping[str, str]) -> tuple[Spell, ...]:
    """Types with the revisions they hold in, runs of one type joined."""
    runs = [(spelt, [revision for revision, _ in run]) for spelt, run in groupby(types.items(), itemgetter(1))]
    if len(runs) == 1:
        return (Spell(runs[0][0], ""),)
    last = len(runs) - 1
    return tuple(Spell(spelt, _span(had, index == 0, index == last)) for index, (spelt, had) in enumerate(runs))


def _span(had: Sequence[str], first: bool, last: bool) -> str:
    if first or last:
        return f"until {had[-1]}" if first else f"since {had[0]}"
    return had[0] if len(had) == 1 else f"{had[0]} to {had[-1]}"


def methods(schemas: Mapping[str, Schema]) -> dict[str, list[MethodRow]]:
    """Role to its methods, in order of their names."""
    found = {revision: Shapes(schema).methods() for revision, schema in schemas.items()}
    rows: dict[str, list[MethodRow]] = {}
    for role in ROLES:
        names = sorted({name for roles in found.values() for name in roles[role]})
        rows[role] = [
            MethodRow(
                name,
                next(roles[role][name].definition for roles in found.values() if name in roles[role]),
                tuple(name in roles[role] for roles in found.values()),
            )
            for name in names
        ]
    return rows


def pairs(schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """Every two revisions compared: `older..newer` to the headline and one row for each change."""
    found: dict[str, Any] = {}
    for (old, before), (new, after) in combinations(schemas.items(), 2):
        changes = compare(before, after)
        found[f"{old}..{new}"] = {
            "headline": headline(before, after, changes),
            "rows": [_row(change) for change in changes],
        }
    return found


def _row(change: Change) -> list[Any]:
    definition, member = place(change.pointer)
    left, right = _sides(change)
    return [change.kind, definition, member, left, right, list(change.breaks)]


def _sides(change: Change) -> tuple[str, str]:
    """What stands in the older and in the newer revision."""
    kind, old, new = change.kind, change.old, change.new
    if kind.endswith("longer required"):
        return "required", "optional"
    if kind.endswith("became required"):
        return "optional", "required"
    if kind.startswith("required"):
        return old and f"{old}, required", new and f"{new}, required"
    if kind in ("field added", "meta key added"):
        return "", f"{new}, optional"
    return old, new


def drawn(schemas: Mapping[str, Schema]) -> list[Panel]:
    """What each revision added, kept and removed: definitions, fields and methods."""
    shapes = {revision: Shapes(schema) for revision, schema in schemas.items()}
    renamed: dict[str, str] = {}
    for old, new in reversed(list(pairwise(shapes.values()))):
        for before, after in renames(old, new).items():
            renamed[before] = renamed.get(after, after)
    counted = {
        "Definitions": {r: {renamed.get(name, name) for name in each.definitions} for r, each in shapes.items()},
        "Fields": {r: _fields(each, renamed) for r, each in shapes.items()},
        "Methods": {
            r: {f"{role} {name}" for role, found in each.methods().items() for name in found}
            for r, each in shapes.items()
        },
    }
    return panels(counted)


def _fields(shapes: Shapes, renamed: Mapping[str, str]) -> set[str]:
    """Definition and member, without the JSON-RPC envelope of requests and notifications."""
    found: set[str] = set()
    for name in shapes.definitions:
        at = shapes.definition(name)
        envelope = {"id", "jsonrpc"} if shapes.tag(at, "method") else set[str]()
        found |= {f"{renamed.get(name, name)}.{member}" for member in shapes.members(at) if member not in envelope}
    return found


def _prose(text: str) -> Markup:
    """Text with `code` in it."""
    parts = (
        f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(text.split("`"))
    )
    return Markup("".join(parts))


def _linked(said: str, names: frozenset[str]) -> Markup:
    """A type with the definitions in it as links; what stands in quotes is a value."""
    parts = re.split(r'("[^"]*"|\w+)', said)
    return Markup("").join(Markup('<a href="#{0}">{0}</a>').format(part) if part in names else part for part in parts)


def _breakable(path: str, joint: str = ".") -> Markup:
    """A path that may be broken after its joints."""
    return Markup(f"{joint}<wbr>").join(path.split(joint))


def _embedded(data: Any) -> Markup:
    """`data` as JSON that can stand inside a script element."""
    said = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Markup(said.replace("<", "\\u003c"))
