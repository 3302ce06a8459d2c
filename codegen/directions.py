"""Who sends what: the sides whose messages a definition can be part of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from codegen.changes import Side
from codegen.shapes import ANSWERS, ROLES, Shapes, references

UNIONS = (*ROLES, *ANSWERS)


def senders(shapes: Shapes) -> Mapping[str, frozenset[Side]]:
    """The sides that send each definition; those that no message of a role refers to are not in it.

    A union of messages with a single arm may have it inlined, so messages count by their method as well.
    """
    methods = shapes.methods()
    tags = {name: shapes.tag(shapes.definition(name), "method") for name in shapes.definitions}
    found: dict[str, frozenset[Side]] = {}
    for side in get_args(Side):
        unions = [role for role in UNIONS if role.startswith(side.capitalize())]
        sent = {method for role in unions for method in methods.get(role, ())}
        waiting = [name for name, tag in tags.items() if (name in unions if name in UNIONS else tag in sent)]
        reached: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += references(shapes.definitions[name])
        found.update({name: found.get(name, frozenset()) | {side} for name in reached})
    return found
