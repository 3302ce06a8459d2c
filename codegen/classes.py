"""Class names: a definition whose own name no class can have gets another, by `names.toml` or by default."""

from __future__ import annotations

import keyword
import re
from collections.abc import Container
from typing import Any

from codegen.canonical import Schema, escape, rewrite
from codegen.name import REF, pascal, target
from codegen.package import SOURCES
from codegen.policy import Line, Policy, Undecided

HAND_WRITTEN = frozenset({"Notification", "Request"})
"""Hand-written classes that definitions of the same name mean as well."""
TAKEN = frozenset({*SOURCES, "BaseModel", "ConfigDict", "RootModel", "SURFACE"}) - HAND_WRITTEN


def called(revision: str, schema: Schema, policy: Policy, surface: bool) -> Schema:
    """`schema` with every definition called as its class will be.

    One that the superset renames need not have such a name, unless it becomes a class of a `surface` as well.
    """
    definitions: dict[str, Any] = schema["$defs"]
    names: dict[str, str] = {}
    for name in definitions:
        decided: str | None = policy["classes"].get(name)
        if decided is not None:
            policy.use("classes", name)
        elif fits(name) or (name in policy["rename"] and not surface):
            continue
        others = {*definitions, *names.values()}
        if decided is None or decided in others or not fits(decided):
            decided = inferred(decided or name, others)
            line = Line("names", ("classes", name))
            what = f"no class can be called {policy['classes'].get(name, name)} here"
            policy.ask(Undecided(revision, f"/$defs/{escape(name)}", what, line, decided))
        names[name] = decided
    if not names:
        return schema

    def renamed(node: Schema) -> Schema:
        name = target(node)
        return node if name is None else {**node, "$ref": REF + names.get(name, name)}

    return {**schema, "$defs": {names.get(name, name): rewrite(node, renamed) for name, node in definitions.items()}}


def fits(name: str) -> bool:
    """Whether a class can be called `name` in a generated module."""
    return re.fullmatch(r"[A-Z][^\W_]*", name) is not None and not keyword.iskeyword(name) and name not in TAKEN


def inferred(name: str, others: Container[str]) -> str:
    """A class name as near to `name` as can be."""
    found = pascal(name)
    found = found if fits(found) else f"Object{found}" if found[:1].isdigit() else f"{found}Object"
    while found in others:
        found += "Object"
    return found
