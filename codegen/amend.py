"""Amendments: reviewed changes laid over the pins before generation, as data in `schemas/amendments.toml`.

An amendment applies in every revision whose schema holds the expected value at its pointer. One that applies nowhere
is unused; one that finds a third value, neither the expected nor the new one, is stale. Both stop generation, but for a
revision that the policy spares.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from codegen.canonical import NAME_MAPS, Schema, is_list, is_object, unescape
from codegen.pin import SCHEMAS, load_all
from codegen.policy import Line, Undecided, read_toml

Kind = Literal["erratum", "leniency"]
WITHOUT = {
    "additionalProperties": ("unevaluatedProperties",),
    "if": ("then", "else"),
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
    "properties": ("additionalProperties", "required"),
}
"""Keywords that would refuse more, or nothing, without the one before them."""
UNIONS = ("anyOf", "oneOf")
UNORDERED = ("enum", "required", "type")
"""Keywords whose lists say the same in any order."""


@dataclass(frozen=True)
class Amendment:
    """One reviewed change: at `pointer`, `expected` becomes `new`, for `reason`, shown by `evidence`."""

    name: str
    kind: Kind
    pointer: str
    expected: Any
    new: Any
    reason: str
    evidence: str
    only: str = ""
    """The one revision where a constraint is lifted; empty for what replaces a value."""
    spared: frozenset[str] = frozenset()
    """The revisions that may say something else than `expected`, and are left as they are."""


def amendments(folder: Path = SCHEMAS) -> list[Amendment]:
    """The amendments of a folder in the order they are laid on."""
    return listed(read_toml(folder / "amendments.toml"))


def listed(document: Mapping[str, Any]) -> list[Amendment]:
    """The amendments in a policy file; constraints are lifted last."""
    spared = [place.split("#", 1) for place in document.get("spare", {})]
    found = [
        Amendment(**entry, spared=frozenset(revision for revision, name in spared if name == entry["name"]))
        for entry in document.get("amendment", [])
    ]
    for place, reason in document.get("lift", {}).items():
        revision, _, pointer = place.partition("#")
        what = "Lifted: the surface accepts what it refuses."
        found.append(Amendment(place, "leniency", pointer, pointer.rpartition("/")[2], None, reason, what, revision))
    return found


def places(node: Any, pointer: str, unions: Sequence[str] = (), arms: bool = False) -> Iterator[tuple[Any, str | int]]:
    """The container and key that `pointer` leads to below `node`; nothing where it leads nowhere.

    Where one of `unions` is on the way, its other arms follow, for their order says nothing. `arms` tells that `node`
    is such.
    """
    token, *rest = pointer.split("/", 2)[1:]
    found: list[tuple[str | int, Any]] = []
    if is_list(node):
        found = [(index, item) for index, item in enumerate(node) if arms or token == str(index)]
        found.sort(key=lambda place: token != str(place[0]))
    elif is_object(node) and unescape(token) in node:
        found = [(unescape(token), node[unescape(token)])]
    for key, inner in found:
        if rest:
            yield from places(inner, f"/{rest[0]}", unions, token in unions)
        else:
            yield node, key


def amend(
    schemas: Mapping[str, Schema], changes: Sequence[Amendment]
) -> tuple[dict[str, Schema], dict[str, list[str]]]:
    """The schemas with `changes` laid on, and for each change by name the revisions in which it applied.

    A revision that was spared a change is listed under both. The input is not changed. Raises Problem for a stale one.
    """
    result = {revision: copy.deepcopy(schema) for revision, schema in schemas.items()}
    applied: dict[str, list[str]] = {change.name: [] for change in changes}
    for change in changes:
        for revision, schema in result.items():
            if change.only not in ("", revision):
                continue
            if (lifted if change.only else replaced)(change, schema):
                applied[change.name].append(revision)
            elif not change.only and (values := unexpected(change, changes, schema)):
                if revision not in change.spared:
                    what = f"amendment `{change.name}` is stale: found {json.dumps(values[0])}"
                    line = Line("amendments", ("spare", f"{revision}#{change.name}"))
                    raise Undecided(revision, change.pointer, what, line, "It says otherwise here.").problem
                applied[f"{revision}#{change.name}"] = [revision]
    return result, applied


def lifted(change: Amendment, schema: Schema) -> bool:
    """Lift a constraint of `schema`, if it is there."""
    for container, key in places(schema, change.pointer):
        lift(container, key, change.pointer)
        return True
    return False


def replaced(change: Amendment, schema: Schema) -> bool:
    """Put the new value for the expected one in `schema`, if it is there."""
    for container, key in places(schema, change.pointer, UNIONS):
        if alike(key, container[key], change.expected):
            container[key] = copy.deepcopy(change.new)
            return True
        if alike(key, container[key], change.new):
            return False
    return False


def unexpected(change: Amendment, changes: Sequence[Amendment], schema: Schema) -> list[Any]:
    """The values where `change` points, if neither it nor another one there accounts for any of them."""
    values = [container[key] for container, key in places(schema, change.pointer, UNIONS)]
    known = [value for other in changes if other.pointer == change.pointer for value in (other.expected, other.new)]
    keyword = change.pointer.rpartition("/")[2]
    return [] if any(alike(keyword, value, one) for value in values for one in known) else values


def alike(keyword: str | int, one: Any, other: Any) -> bool:
    """Whether two values of a keyword say the same: in some of them order says nothing."""
    if keyword in UNORDERED and is_list(one) and is_list(other):
        return sorted(map(json.dumps, one)) == sorted(map(json.dumps, other))
    return bool(one == other)


def lift(container: Any, key: Any, pointer: str) -> None:
    """Take the constraint at `pointer` away: a keyword with those that make no sense without it, or a whole schema."""
    if is_list(container) or pointer.split("/")[-2] in NAME_MAPS:
        container[key] = {}
    elif key == "oneOf":
        container["anyOf"] = container.pop(key)
    else:
        for keyword in (key, *WITHOUT.get(key, ())):
            container.pop(keyword, None)


def amended(revision: str, folder: Path = SCHEMAS) -> Schema:
    """The pinned schema of `revision` with the listed amendments laid on."""
    return amend(load_all(folder), amendments(folder))[0][revision]
