"""Amendments: reviewed changes laid over the pins before generation, as data in `schemas/amendments.toml`.

An amendment applies in every revision whose schema holds the expected value at its pointer. One that applies nowhere
is unused; one that finds a third value, neither the expected nor the new one, is stale. Both stop generation.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from codegen.canonical import NAME_MAPS, Schema, is_list, is_object, unescape
from codegen.pin import SCHEMAS, load_all
from codegen.policy import read_toml
from codegen.problems import Problem

Kind = Literal["erratum", "leniency"]
WITHOUT = {
    "additionalProperties": ("unevaluatedProperties",),
    "if": ("then", "else"),
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
    "properties": ("additionalProperties", "required"),
}
"""Keywords that would refuse more, or nothing, without the one before them."""


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


def amendments(folder: Path = SCHEMAS) -> list[Amendment]:
    """The amendments of a folder in the order they are laid on."""
    return listed(read_toml(folder / "amendments.toml"))


def listed(document: Mapping[str, Any]) -> list[Amendment]:
    """The amendments in a policy file; constraints are lifted last."""
    found = [Amendment(**entry) for entry in document.get("amendment", [])]
    for place, reason in document.get("lift", {}).items():
        revision, _, pointer = place.partition("#")
        what = "Lifted: the surface accepts what it refuses."
        found.append(Amendment(place, "leniency", pointer, pointer.rpartition("/")[2], None, reason, what, revision))
    return found


def resolve(schema: Schema, pointer: str) -> tuple[Any, str | int] | None:
    """The container and key that `pointer` leads to in `schema`, or None where it leads nowhere."""
    node: Any = schema
    *parents, last = [unescape(token) for token in pointer.split("/")[1:]]
    for token in parents:
        node = node.get(token) if is_object(node) else _item(node, token)
    if is_list(node):
        return (node, int(last)) if _item(node, last) is not None else None
    return (node, last) if is_object(node) and last in node else None


def _item(node: Any, token: str) -> Any:
    if is_list(node) and token.isdigit() and int(token) < len(node):
        return node[int(token)]
    return None


def applies(amendment: Amendment, schema: Schema) -> bool:
    """Whether `schema` holds the expected value where `amendment` points."""
    found = resolve(schema, amendment.pointer)
    return found is not None and found[0][found[1]] == amendment.expected


def amend(
    schemas: Mapping[str, Schema], changes: Sequence[Amendment]
) -> tuple[dict[str, Schema], dict[str, list[str]]]:
    """The schemas with `changes` laid on, and for each change by name the revisions in which it applied.

    The input is not changed. Raises Problem for a stale amendment.
    """
    result = {revision: copy.deepcopy(schema) for revision, schema in schemas.items()}
    applied: dict[str, list[str]] = {change.name: [] for change in changes}
    for change in changes:
        for revision, schema in result.items():
            found = resolve(schema, change.pointer)
            if found is None or change.only not in ("", revision):
                continue
            container, key = found
            if change.only:
                lift(container, key, change.pointer)
                applied[change.name].append(revision)
            elif container[key] == change.expected:
                container[key] = copy.deepcopy(change.new)
                applied[change.name].append(revision)
            elif container[key] != change.new and not _explained(change, changes, container[key]):
                raise Problem(
                    revision,
                    change.pointer,
                    f"amendment `{change.name}` is stale: found {json.dumps(container[key])}",
                    f'in amendments.toml, `name = "{change.name}"`: expected = {json.dumps(container[key])}',
                )
    return result, applied


def lift(container: Any, key: Any, pointer: str) -> None:
    """Take the constraint at `pointer` away: a keyword with those that make no sense without it, or a whole schema."""
    if is_list(container) or pointer.split("/")[-2] in NAME_MAPS or container[key] is False:
        container[key] = {}
    elif key == "oneOf":
        container["anyOf"] = container.pop(key)
    else:
        for keyword in (key, *WITHOUT.get(key, ())):
            container.pop(keyword, None)


def _explained(change: Amendment, changes: Sequence[Amendment], value: Any) -> bool:
    """Whether another amendment at the same place accounts for `value`."""
    return any(other.pointer == change.pointer and value in (other.expected, other.new) for other in changes)


def amended(revision: str, folder: Path = SCHEMAS) -> Schema:
    """The pinned schema of `revision` with the listed amendments laid on."""
    return amend(load_all(folder), amendments(folder))[0][revision]
