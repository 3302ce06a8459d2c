"""The exact surfaces: which revisions each serves, the proof that it may, and the files of its package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codegen import package, tables
from codegen.additive import additive
from codegen.bases import Bases
from codegen.canonical import Schema
from codegen.merge import Revisions, Superset
from codegen.pin import Pin
from codegen.policy import Policy
from codegen.problems import Problem
from codegen.refine import Unit
from codegen.render import render
from codegen.topics import Topic

FILE = "schemas/surfaces.toml"
SHOWN = 3
"""How many objections a Problem names."""


@dataclass(frozen=True)
class Grouping:
    """One exact surface: the revisions it serves, oldest first, and whether emission is strict by default."""

    name: str
    revisions: tuple[str, ...]
    strict: bool

    @property
    def newest(self) -> str:
        """The revision whose definitions it has."""
        return self.revisions[-1]


def groupings(known: Sequence[str], policy: Policy) -> list[Grouping]:
    """The surfaces of the policy. Raises Problem for a revision that none serves, or two do, or that has no pin."""
    result: list[Grouping] = []
    taken: set[str] = set()
    for index, entry in enumerate(policy["surface"]):
        for revision in entry["revisions"]:
            pointer = f"/surface/{index}/revisions"
            if revision not in known:
                raise Problem(FILE, pointer, f"{revision} is not pinned", f'remove "{revision}"')
            if revision in taken:
                raise Problem(FILE, pointer, f"{revision} is served already", f'remove "{revision}"')
            taken.add(revision)
        served = tuple(sorted(entry["revisions"], key=known.index))
        result.append(Grouping(entry["name"], served, entry["strict"]))
    for revision in known:
        if revision not in taken:
            raise Problem(revision, "", "no surface serves it", f'in surfaces.toml: add "{revision}" to revisions')
    return result


def prove(groups: Sequence[Grouping], schemas: Mapping[str, Schema]) -> None:
    """Raise Problem for a revision that the newest one of its surface cannot serve, with the first objections."""
    for group in groups:
        for revision in group.revisions[:-1]:
            objections = additive(schemas[revision], schemas[group.newest])
            if objections:
                first = "; ".join(f"{one.text} at {one.pointer}" for one in objections[:SHOWN])
                more = f" and {len(objections) - SHOWN} more" if len(objections) > SHOWN else ""
                raise Problem(
                    group.newest,
                    objections[0].pointer,
                    f"{group.name} cannot serve {revision}, it is not additive over it: {first}{more}",
                    f'in surfaces.toml: give "{revision}" a surface of its own',
                )


def files(
    group: Grouping,
    units: Mapping[str, Unit],
    order: Sequence[Topic],
    facts: str,
    policy: Policy,
    pins: Mapping[str, Pin],
) -> dict[str, str]:
    """The modules of one surface by name: topics, facts and the lazy `__init__`."""
    texts, exported = package.modules(f"mcp_surfaces.{group.name}", units, order)
    exported["SURFACE"] = f"mcp_surfaces.{group.name}.facts"
    doc = policy["docs"]["surface"].format(newest=group.newest, revisions=", ".join(group.revisions))
    return {
        **texts,
        "facts": facts,
        "__init__": package.init(doc, exported, [pins[revision] for revision in group.revisions]),
    }


def facts(group: Grouping, named: Revisions, superset: Superset, bases: Bases, policy: Policy) -> str:
    """The text of the module that tells the wire about one surface."""
    newest = named[group.newest]
    tables.unsupplied(group.newest, newest, superset, bases, policy)
    methods = {
        revision: {sender: tables.methods(named[revision], sender, superset, policy) for sender in tables.SENDERS}
        for revision in group.revisions
    }
    return render(
        "facts.py.j2",
        surface=group,
        methods=methods,
        batches=tuple(revision for revision in group.revisions if tables.has_batches(named[revision])),
        bodies=tables.bodies(group.newest, newest, superset, bases, policy),
    )
