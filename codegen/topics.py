"""Topics: which module of a package each definition goes to, such that modules import one way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from codegen.canonical import Schema, escape
from codegen.merge import is_envelope
from codegen.policy import Line, Policy, Undecided
from codegen.union import references


@dataclass(frozen=True)
class Topic:
    """One module: its name, its docstring, and the patterns of the definitions it holds."""

    name: str
    doc: str
    definitions: Sequence[str]


def topics(policy: Policy) -> list[Topic]:
    """The topics in import order."""
    return [Topic(**entry) for entry in policy["topic"]]


def listed(name: str, order: Sequence[Topic]) -> tuple[int, str] | None:
    """The place in `order` of the topic that names `name`, and the line: an exact one wins over a pattern."""
    lines = [(index, pattern) for index, topic in enumerate(order) for pattern in topic.definitions]
    exact = next((line for line in lines if line[1] == name), None)
    return exact or next((line for line in lines if fnmatchcase(name, line[1])), None)


def ask(
    defs: Mapping[str, Schema], where: str, order: Sequence[Topic], policy: Policy, aliases: Mapping[str, str]
) -> None:
    """Note the lines that name what is in `defs`, and ask for the topic of what none names.

    Inferred is the topic of the construct that it is another name of, by `aliases`; failing that, the earliest topic of
    what refers to it; failing that, the last topic of what it refers to.
    A whole frame needs none: it goes with what it holds.
    """
    users: dict[str, set[str]] = {}
    for name, node in defs.items():
        for used in references(node):
            users.setdefault(used, set()).add(name)
    asked = {undecided.line.path[-1] for undecided in policy.undecided if undecided.line.file == "topics"}
    for name in sorted(defs.keys() - asked):
        found = listed(name, order)
        if found is not None:
            policy.use("topic", found[0], "definitions", found[1])
            continue
        if is_envelope(defs[name]):
            continue
        called = [aliases[name]] if name in aliases else []
        near = _places(called, order) or _places(users.get(name, ()), order)
        topic = min(near, default=max(_places(references(defs[name]), order), default=0))
        line = Line("topics", ("topic", topic, "definitions", name))
        table = f"the definitions of topic {order[topic].name}"
        policy.ask(Undecided(where, f"/$defs/{escape(name)}", "has no topic", line, None, table))


def _places(names: Iterable[str], order: Sequence[Topic]) -> list[int]:
    return [found[0] for name in names if (found := listed(name, order)) is not None]


def assign(uses: Mapping[str, set[str]], order: Sequence[Topic]) -> dict[str, int]:
    """The place in `order` of every definition in `uses`: definition to what it refers to.

    A definition never stands before what it refers to, whatever the policy says; so those that refer to each other
    stand together.
    """
    place = {name: found[0] if (found := listed(name, order)) is not None else 0 for name in uses}
    while True:
        later = {name: max([place[name], *(place[other] for other in uses[name] & uses.keys())]) for name in uses}
        if later == place:
            return place
        place = later
