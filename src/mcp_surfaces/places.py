"""Where validation errors are in the input, and which of a union's errors to keep.

pydantic's locations mix the input's members with names of its own: union arms, tags, function wrappers. Which is which
can only be told by walking the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from pydantic_core import ErrorDetails

from mcp_surfaces import types

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

__all__ = ["Loc", "Place", "placed", "prune"]

Loc: TypeAlias = tuple[str | int, ...]

_NOWHERE = object()
_TAGS = ("type", "method", "mode")
_CONTAINERS = ("dict_type", "list_type", "model_attributes_type", "model_type")
_SCALARS = ("bool", "float", "int", "none", "str")
_TRIES = 64


class Place(NamedTuple):
    """Where one error is: pydantic's location, and for each part of it whether it is a member of the input."""

    loc: Loc
    own: tuple[bool, ...]

    @property
    def path(self) -> Loc:
        """The members only."""
        return tuple(part for part, own in zip(self.loc, self.own, strict=True) if own)


def placed(detail: ErrorDetails, data: object) -> Place:
    """The place of an error in `data`, the value that was validated."""
    loc = detail["loc"]
    absent = detail["type"] == "missing" and bool(loc)
    steps = loc[:-1] if absent else loc
    own = _search(steps, data, detail["input"])
    if own is None:
        own = _walk(steps, len(loc), data)
    return Place(loc, (*own, True) if absent else own)


def _step(node: object, part: str | int) -> object:
    if isinstance(node, dict):
        return cast("dict[object, object]", node).get(part, _NOWHERE)
    if isinstance(node, list | tuple) and isinstance(part, int):
        items = cast("Sequence[object]", node)
        return items[part] if 0 <= part < len(items) else _NOWHERE
    return _NOWHERE


def _is_tag(node: object, part: str | int) -> bool:
    if not isinstance(node, dict):
        return False
    members = cast("dict[object, object]", node)
    return any(isinstance(value := members.get(tag), str) and value == part for tag in _TAGS)


def _walk(steps: Loc, length: int, node: object) -> tuple[bool, ...]:
    """Follow every step that is a member, except the first that is the object's tag: that is a tagged union's arm."""
    own: list[bool] = []
    tagged = False
    for index, part in enumerate(steps, 1):
        child = _step(node, part)
        if child is _NOWHERE or (index < length and not tagged and _is_tag(node, part)):
            own.append(False)
            tagged = True
        else:
            own.append(True)
            tagged = False
            node = child
    return tuple(own)


def _search(steps: Loc, data: object, wanted: object) -> tuple[bool, ...] | None:
    """The likeliest way along `steps`, each taken or not, that leads to the very object `wanted`.

    Two values may be one object, as all nulls are. So a part that reads like a union's arm counts as one where it may,
    and any other is passed over only where nothing else leads there.
    """
    reached: list[tuple[int, object, bool, tuple[bool, ...]]] = [(0, data, False, ())]
    for part in steps:
        ways: dict[tuple[int, bool], tuple[int, object, bool, tuple[bool, ...]]] = {}
        for cost, node, tagged, own in reached:
            tag = not tagged and _is_tag(node, part)  # an object has its tag but once
            arm = tag or _is_arm(part)
            taken = cost + arm, _step(node, part), False, (*own, True)
            passed = cost + 2 * (not arm), node, tagged or tag, (*own, False)
            for way in (taken, passed):
                key = id(way[1]), way[2]
                if way[1] is not _NOWHERE and (key not in ways or way[0] < ways[key][0]):
                    ways[key] = way
        reached = list(ways.values())[:_TRIES]
    return min((way for way in reached if way[1] is wanted), key=lambda way: way[0], default=(0, None, False, None))[3]


def _is_arm(part: str | int) -> bool:
    """Whether a part of a location reads like what pydantic calls an arm: `str`, `TextContent`, `list[...]`."""
    return isinstance(part, str) and (part in _SCALARS or part[:1].isupper() or "[" in part)


class _Node:
    """One part of pydantic's locations, with the errors under it; `depth` counts the members on the way."""

    __slots__ = ("arms", "depth", "here", "kept", "members")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.here: list[int] = []
        self.members: dict[str | int, _Node] = {}
        self.arms: dict[str | int, _Node] = {}
        self.kept: list[int] = []


def prune(details: Sequence[ErrorDetails], places: Sequence[Place]) -> list[int]:
    """The indexes of the errors to keep, in order: for every union those of the arm that fits the input best."""
    nodes = _tree(places)
    for node in reversed(nodes):
        node.kept += node.here
        for child in node.members.values():
            node.kept += child.kept
        node.kept += _best(node, details, places)
    return sorted(nodes[0].kept)


def _tree(places: Iterable[Place]) -> list[_Node]:
    """The tree of all locations, root first, parents before children."""
    nodes = [_Node(0)]
    for index, (loc, own) in enumerate(places):
        node = nodes[0]
        for part, member in zip(loc, own, strict=True):
            children = node.members if member else node.arms
            if part not in children:
                children[part] = _Node(node.depth + member)
                nodes.append(children[part])
            node = children[part]
        node.here.append(index)
    return nodes


def _best(node: _Node, details: Sequence[ErrorDetails], places: Sequence[Place]) -> list[int]:
    if len(node.arms) < 2:
        return [index for arm in node.arms.values() for index in arm.kept]

    def misfit(item: tuple[str | int, _Node]) -> tuple[int, ...]:
        name, arm = item
        depths = [sum(places[index].own) for index in arm.kept]
        kinds = [details[index]["type"] for index in arm.kept]
        if max(depths) == node.depth:
            return (2 if all(map(_is_mismatch, kinds)) else 1,)
        direct = [index for index, depth in zip(arm.kept, depths, strict=True) if depth == node.depth + 1]
        wrong_tags = sum(details[i]["type"] == "literal_error" and places[i].path[-1] in _TAGS for i in direct)
        wanting = [details[i]["input"] for i in direct if details[i]["type"] == "missing"]
        unknown = _unknown(name, wanting[0]) if wanting else 0
        wrong_containers = sum(details[i]["type"] in _CONTAINERS for i in direct)
        return 0, wrong_tags, len(wanting), unknown, wrong_containers, len(kinds), -max(depths)

    best = min(node.arms.items(), key=misfit)
    if misfit(best)[0] < 2:
        return best[1].kept
    first = {details[index]["type"]: index for arm in reversed(node.arms.values()) for index in reversed(arm.kept)}
    if {"int_type", "float_type"} <= first.keys():
        del first["int_type" if "float" in node.arms else "float_type"]
    return sorted(first.values())[:2]


def _unknown(arm: str | int, members: object) -> int:
    """How many of an object's members a superset class does not have; any other arm is taken to have none of them."""
    fields: dict[str, FieldInfo] = getattr(getattr(types, str(arm), None), "__pydantic_fields__", {})
    known = {field.alias or name for name, field in fields.items()}
    return len(cast("dict[str, object]", members).keys() - known) if isinstance(members, dict) else 0


def _is_mismatch(kind: str) -> bool:
    return kind.endswith("_type") or kind == "none_required"
