"""Availability: what each revision defines of the superset, for the audit, derived from the named schemas alone.

A place is `Class.member` by wire name, with `[]` for the items of a list there and `{}` for the values of a map. The
members of a document that the superset keeps opaque follow after a dot (`Tool.inputSchema.type`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.canonical import Schema, is_object
from codegen.merge import Superset
from codegen.name import REF, target
from codegen.shapes import TYPES
from codegen.union import arms_of, kinds_of

Revisions = tuple[str, ...]
Table = dict[str, dict[str, Revisions]]
Found = defaultdict[str, defaultdict[str, set[str]]]
Leaf = tuple[str | None, Schema, tuple[str, ...]]

ANY = "*"
"""Among the values of a place: any other string."""


@dataclass
class Availability:
    """The tables of the generated module; values are the revisions, oldest first."""

    classes: dict[str, Revisions]
    members: Table
    required: Table
    arms: Table
    values: Table
    types: Table
    meta: Table


def availability(superset: Superset, revisions: Sequence[str], arms: Mapping[str, str]) -> Availability:
    """What each of `revisions` defines of `superset`; `arms` is the policy's table of that name."""
    shapes = folded(superset, revisions, arms)
    survey = Survey(superset.defs, shapes)
    for name in sorted(superset.defs):
        for revision in shapes.get(name, {}):
            survey.definition(name, revision)

    def settled(found: Found) -> Table:
        return {
            place: {key: tuple(r for r in revisions if r in found[place][key]) for key in sorted(found[place])}
            for place in sorted(found)
        }

    values, types = settled(survey.values), settled(survey.types)
    return Availability(
        {name: tuple(shapes.get(name, superset.availability[name])) for name in sorted(superset.defs)},
        settled(survey.members),
        settled(survey.required),
        {
            place: classes
            for place, classes in settled(survey.arms).items()
            if len(classes) > 1 or survey.is_open(place)
        },
        {
            place: listed
            for place, listed in values.items()
            if len(listed) > 1 or (survey.is_open(place) and ANY not in listed)
        },
        {
            place: kinds
            for place, kinds in types.items()
            if any(len(having) < len(survey.where[place]) for having in kinds.values())
            or (survey.is_open(place) and len(kinds) < len(TYPES))
        },
        {place: keys for place, keys in settled(survey.documents).items() if place.endswith("._meta")},
    )


def folded(superset: Superset, revisions: Sequence[str], arms: Mapping[str, str]) -> dict[str, dict[str, Schema]]:
    """Every definition's shapes, variants included; an object that later became a union is one of its arms."""
    shapes = {name: dict(known) for name, known in superset.shapes.items()}
    for name, union in superset.defs.items():
        for revision, node in superset.shapes.get(name, {}).items():
            if "anyOf" in union:
                shapes[name][revision] = renamed(node, arms)
            arm = likeliest(node, union, superset.defs) if "properties" in node else None
            if arm is not None:
                narrower = [other for other in covered(node, union, superset.defs) if other != arm]
                shapes[name][revision] = {"anyOf": [{"$ref": REF + one} for one in (arm, *narrower)]}
                shapes[arm].setdefault(revision, node)
                for other in narrower:
                    shapes[other].setdefault(revision, narrowed(node, superset.defs[other]))
    for name, source in superset.sources.items():
        shapes[name] = shapes[source]
    return {name: {r: known[r] for r in revisions if r in known} for name, known in shapes.items()}


def renamed(node: Schema, arms: Mapping[str, str]) -> Schema:
    """`node`, an arm or a union of them, by the narrower classes that the policy gives them."""
    if "anyOf" in node:
        return {"anyOf": [renamed(arm, arms) for arm in node["anyOf"]]}
    name = arms.get(target(node) or "")
    return node if name is None else {"$ref": REF + name}


def likeliest(node: Schema, union: Schema, defs: Mapping[str, Schema]) -> str | None:
    """The arm of `union` that has every member of the object `node`, and the fewest besides."""
    names = [name for arm in union.get("anyOf", []) if (name := target(arm)) is not None]
    fitting = [name for name in names if fits(node["properties"], defs[name].get("properties", {}))]
    return min(fitting, key=lambda name: (len(defs[name]["properties"]), name), default=None)


def covered(node: Schema, union: Schema, defs: Mapping[str, Schema]) -> list[str]:
    """The arms of `union` all of whose values the object `node` has, as far as required members and constants tell."""
    names = [name for arm in union["anyOf"] if (name := target(arm)) is not None and is_class(name, defs)]
    return [
        name
        for name in names
        if {*node.get("required", [])} <= {*defs[name]["required"]} <= node["properties"].keys()
        and fits(narrowed(node, defs[name])["properties"], defs[name]["properties"])
    ]


def narrowed(node: Schema, other: Schema) -> Schema:
    """The object `node` with the members of `other` alone."""
    return {
        **node,
        "properties": {name: node["properties"][name] for name in node["properties"] if name in other["properties"]},
    }


def fits(members: Mapping[str, Schema], others: Mapping[str, Schema]) -> bool:
    """Whether `others` has all of `members`, with equal constants."""
    return all(
        name in others and value.get("const") in (None, others[name].get("const")) for name, value in members.items()
    )


class Survey:
    """Walks the shapes that each class of the superset has at each revision, and notes what is found where."""

    def __init__(self, defs: Mapping[str, Schema], shapes: Mapping[str, Mapping[str, Schema]]) -> None:
        self.defs, self.shapes = defs, shapes
        self.members, self.required, self.arms, self.values, self.types, self.documents = (noted() for _ in range(6))
        self.where: defaultdict[str, set[str]] = defaultdict(set)

    def definition(self, name: str, revision: str) -> None:
        """Note all of one class, or named union, at one revision."""
        if not is_class(name, self.defs):
            self.visit(self.shapes[name][revision], name, revision, (name,))
            return
        node = self.shapes[name][revision]
        while (referred := target(node)) is not None:
            node = self.shapes[referred][revision]
        for member, value in node.get("properties", {}).items():
            self.members[name][member].add(revision)
            self.visit(value, f"{name}.{member}", revision, ())
        for member in node.get("required", []):
            if member not in self.defs[name]["required"]:
                self.required[name][member].add(revision)

    def visit(self, node: Schema, place: str, revision: str, inside: tuple[str, ...]) -> None:
        """Note what `node` admits at `place`; `inside` are the references followed on the way."""
        self.where[place].add(revision)
        for name, arm, passed in self.leaves(node, revision, inside):
            if name is not None:
                self.types[place]["object"].add(revision)
                self.arms[place][name].add(revision)
            elif "properties" in arm:
                self.types[place]["object"].add(revision)
                for member, value in arm["properties"].items():
                    self.documents[place][member].add(revision)
                    self.visit(value, f"{place}.{member}", revision, passed)
            elif "const" in arm or "enum" in arm:
                for kind in kinds_of(arm):
                    self.types[place][kind].add(revision)
                for value in arm.get("enum", [arm.get("const")]):
                    if isinstance(value, str):
                        self.values[place][value].add(revision)
            else:
                self.scalar(arm, place, revision, passed)

    def scalar(self, arm: Schema, place: str, revision: str, inside: tuple[str, ...]) -> None:
        """Note an arm that lists no values, and enter lists and maps."""
        for kind in kinds_of(arm) or TYPES:
            self.types[place][kind].add(revision)
            if kind == "number":
                self.types[place]["integer"].add(revision)
            if kind == "string":
                self.values[place][ANY].add(revision)
        for key, mark in (("items", "[]"), ("additionalProperties", "{}")):
            if is_object(arm.get(key)):
                self.visit(arm[key], place + mark, revision, inside)

    def is_open(self, place: str) -> bool:
        """Whether the superset types nothing at `place`: a key of `_meta`, in an opaque document, in a map of any."""
        owner, _, path = place.partition(".")
        typed = self.defs.get(owner, {}).get("properties", {})
        name = next((name for name in typed if path == name or path.startswith((name + "[", name + "{"))), None)
        if name is None:
            return path != ""
        return path.startswith(name + "{}") and typed[name].get("additionalProperties") in ({}, True)

    def leaves(self, node: Schema, revision: str, inside: tuple[str, ...]) -> Iterator[Leaf]:
        """The arms of `node`, unions entered and references followed: the class, or the shape of what has none."""
        name = target(node)
        if name is None:
            arms = arms_of(node)
            if arms == [node]:
                yield None, node, inside
            else:
                for arm in arms:
                    yield from self.leaves(arm, revision, inside)
        elif is_class(name, self.defs):
            yield name, {}, inside
        elif name not in self.shapes:
            yield None, {}, inside  # modelled by hand: the superset admits any value
        elif name not in inside:
            yield from self.leaves(self.shapes[name][revision], revision, (*inside, name))
        else:
            yield None, {"type": sorted(kinds_of(self.shapes[name][revision]) or TYPES)}, inside


def is_class(name: str, defs: Mapping[str, Schema]) -> bool:
    """Whether the superset has a class of that name, rather than a union, a scalar or an opaque document."""
    return "properties" in defs.get(name, {})


def noted() -> Found:
    """Place to key to revisions, with nothing in it yet."""
    return defaultdict(lambda: defaultdict(set))


def span(revisions: Sequence[str], known: Sequence[str]) -> str:
    """The name of the module constant that stands for `revisions`, which are some of `known`."""
    spelt = [revision.replace("-", "_") for revision in revisions]
    if list(revisions) == list(known):
        return "_ALWAYS"
    first = known.index(revisions[0])
    whole = list(revisions) == list(known[first : first + len(revisions)])
    if whole and revisions[-1] == known[-1]:
        return f"_SINCE_{spelt[0]}"
    if len(revisions) == 1:
        return f"_ONLY_{spelt[0]}"
    if whole and first == 0:
        return f"_UNTIL_{spelt[-1]}"
    return f"_FROM_{spelt[0]}_UNTIL_{spelt[-1]}" if whole else f"_IN_{'_AND_'.join(spelt)}"


TABLES = {
    "MEMBERS": "Class to wire name of a member to the revisions that define it, inherited members included.",
    "REQUIRED": "Class to members that the superset may leave unset to the revisions that require them.",
    "ARMS": "Place to the classes that may stand there, where there are several, or the superset has any value.",
    "VALUES": "Place to the strings that may stand there, where some are listed; `*` is any other string.",
    "TYPES": "Place to its JSON types, where revisions differ or the superset has any value; integers are numbers.",
    "META": "Place of a `_meta` that the superset leaves open to the keys that are reserved there.",
}


def values(found: Availability, known: Sequence[str]) -> dict[str, Any]:
    """What the template of the generated module needs."""
    spans: dict[Revisions, str] = {}

    def spelt(table: Mapping[str, Revisions]) -> list[tuple[str, str]]:
        return [(key, spans.setdefault(having, span(having, known))) for key, having in table.items()]

    classes = spelt(found.classes)
    tables = [
        (name, doc, [(place, spelt(keys)) for place, keys in getattr(found, name.lower()).items()])
        for name, doc in TABLES.items()
    ]
    return {"classes": classes, "tables": tables, "spans": [(name, having) for having, name in sorted(spans.items())]}
