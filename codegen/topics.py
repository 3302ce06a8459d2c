"""Topics: which module of a package each definition goes to, such that modules import one way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from codegen.pin import SCHEMAS
from codegen.policy import read_toml
from codegen.problems import Problem

FILE = "schemas/topics.toml"


@dataclass(frozen=True)
class Topic:
    """One module: its name, its docstring, and the patterns of the definitions it holds."""

    name: str
    doc: str
    definitions: Sequence[str]


def topics(folder: Path = SCHEMAS) -> list[Topic]:
    """The topics in import order. Raises Problem for an entry that is not whole."""
    result: list[Topic] = []
    for index, entry in enumerate(read_toml(folder / "topics.toml").get("topic", [])):
        try:
            result.append(Topic(**entry))
        except TypeError:
            raise Problem(FILE, f"/topic/{index}", "needs exactly the members name, doc and definitions") from None
    return result


def listed(name: str, order: Sequence[Topic]) -> int | None:
    """The place in `order` of the topic that names `name`: an exact line wins over a pattern."""
    for match in (lambda pattern: pattern == name, lambda pattern: fnmatchcase(name, pattern)):
        for index, topic in enumerate(order):
            if any(match(pattern) for pattern in topic.definitions):
                return index
    return None


def assign(uses: Mapping[str, set[str]], order: Sequence[Topic]) -> tuple[dict[str, int], list[str]]:
    """The place in `order` of every definition in `uses` (definition to what it refers to), and what was inferred.

    A definition never stands before what it refers to. `uses` must be in dependency order. A definition without a line
    goes to the first topic of what refers to it, or where its own references allow.
    """
    place: dict[str, int] = {}
    inferred: list[str] = []
    users: dict[str, set[str]] = {name: set() for name in uses}
    for name, used in uses.items():
        for other in used & uses.keys():
            users[other].add(name)
    for name, used in uses.items():
        earliest = max((place[other] for other in used if other in place), default=0)
        wanted = listed(name, order)
        if wanted is None:
            wanted = min(
                (index for user in users[name] if (index := listed(user, order)) is not None), default=earliest
            )
            inferred.append(f'topics.toml: add "{name}" to the topic {order[max(wanted, earliest)].name}')
        place[name] = max(wanted, earliest)
    return place, inferred


def refuse_unused(order: Sequence[Topic], names: set[str]) -> None:
    """Raise Problem for a pattern that names no definition of any package."""
    for topic in order:
        for pattern in topic.definitions:
            if not any(fnmatchcase(name, pattern) for name in names):
                raise Problem(FILE, "", f"topic {topic.name}: {pattern} names no definition", f"remove {pattern}")
