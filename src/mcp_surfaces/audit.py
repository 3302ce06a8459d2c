"""Auditing: what in a model the negotiated revision does not define, and whether a peer may take offence.

Only what some revision defines counts as a member: an unknown member of a vendor's own is legal everywhere. A value
that no revision lists in a place where the revision lists values is reported, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from pydantic import BaseModel

from mcp_surfaces.base import MISSING, Notification, Request
from mcp_surfaces.bodies import spec_name
from mcp_surfaces.errors import pointer
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from mcp_surfaces.routing import SURFACE_BY_REVISION, surface_for
from mcp_surfaces.types.availability import ARMS, CLASSES, MEMBERS, TYPES, VALUES

__all__ = ["Undefined", "audit"]

Kind: TypeAlias = Literal["field", "union member", "enum value", "type", "method"]
Loc: TypeAlias = tuple[str | int, ...]


_METHODS: Final[Mapping[type[Any], str]] = {Request: "requests", Notification: "notifications"}


class Undefined(NamedTuple):
    """Something the revision does not define."""

    pointer: str
    """JSON Pointer into the model's wire form; empty for the model itself."""
    kind: Kind
    """`type` is a whole construct, or the JSON type of a value."""
    revisions: tuple[str, ...]
    """The revisions that do define it, oldest first; empty if none does."""
    may_reject: bool
    """Whether a peer may reject the message for it; an unknown field is ignored."""


def audit(model: BaseModel, version: str) -> list[Undefined]:
    """What in `model` the revision `version` does not define, in the order of the model; of a legal message nothing.

    `model` is a body or any other model of `mcp_surfaces.types`. What stands inside of something undefined is not
    listed besides.

    Raises TypeError for anything else, and `UnknownProtocolVersionError`.
    """
    if not isinstance(cast("object", model), BaseModel):
        raise TypeError(f"{type(model).__name__} is not a model")
    surface_for(version)
    return list(_Audit(version).whole(model))


class _Audit:
    """One audit at one version."""

    def __init__(self, version: str) -> None:
        self.version = version

    def whole(self, model: BaseModel) -> Iterator[Undefined]:
        for base, kind in _METHODS.items():
            if isinstance(model, base):
                known = _method_revisions(kind).get(model.__dict__["method"], ())
                if self.version not in known:
                    yield self.found(("method",), "method", known)
                    return
        names = _spec_names(type(model))
        known = next((CLASSES[name] for name in names if name in CLASSES), KNOWN_PROTOCOL_VERSIONS)
        if self.version not in known:
            yield self.found((), "type", known)
            return
        yield from self.members(model, ())

    def found(self, loc: Loc, kind: Kind, revisions: tuple[str, ...]) -> Undefined:
        return Undefined(pointer(loc), kind, revisions, kind != "field")

    def members(self, model: BaseModel, loc: Loc) -> Iterator[Undefined]:
        """What is undefined among the members of `model`, which the revision defines."""
        names = _spec_names(type(model))
        for wire, value in _present(model):
            place = f"{names[0]}.{wire}" if names else ""
            known = _member_revisions(names, wire)
            if known and self.version not in known:
                yield self.found((*loc, wire), "field", known)
            else:
                yield from self.value(value, place, (*loc, wire))

    def value(self, value: Any, place: str, loc: Loc) -> Iterator[Undefined]:
        """What is undefined about a value at a place."""
        types = TYPES.get(place)
        if types is not None and self.version not in (known := types.get(_json_type(value), ())):
            yield self.found(loc, "type", known)
        elif isinstance(value, BaseModel):
            arms = ARMS.get(place, {})
            name = next((name for name in _spec_names(type(value)) if name in arms), None)
            if name is not None and self.version not in arms[name]:
                yield self.found(loc, "union member", arms[name])
            else:
                yield from self.members(value, loc)
        elif isinstance(value, str):
            values = VALUES.get(place)
            if values is not None and self.version not in (*values.get(value, ()), *values.get("*", ())):
                yield self.found(loc, "enum value", values.get(value, values.get("*", ())))
        elif isinstance(value, list):
            for index, item in enumerate(cast("list[object]", value)):
                yield from self.value(item, f"{place}[]", (*loc, index))
        elif isinstance(value, dict):
            for key, item in cast("dict[str, Any]", value).items():
                inner = f"{place}.{key}" if f"{place}.{key}" in _OPAQUE else f"{place}{{}}"
                yield from self.value(item, inner, (*loc, key))


_OPAQUE: Final = frozenset(place for place in VALUES if place.count(".") > 1)


def _present(model: BaseModel) -> Iterator[tuple[str, Any]]:
    """Wire name and value of the members of `model` that its dump has."""
    for name, field in type(model).__pydantic_fields__.items():
        value = model.__dict__.get(name, MISSING)
        if value is not MISSING and (value is not None or field.default is MISSING or field.is_required()):
            yield field.alias or name, value
    yield from (model.__pydantic_extra__ or {}).items()


@lru_cache(maxsize=1024)
def _spec_names(cls: Any) -> tuple[str, ...]:
    """The constructs that `cls` is, the narrowest first."""
    return tuple(name for base in cls.__mro__ if (name := spec_name(base)) is not None)


def _member_revisions(names: tuple[str, ...], wire: str) -> tuple[str, ...]:
    """The revisions that define a member of a construct, or of one that it is as well; empty for a vendor's own."""
    found = {revision for name in names for revision in MEMBERS.get(name, {}).get(wire, ())}
    return tuple(revision for revision in KNOWN_PROTOCOL_VERSIONS if revision in found)


@lru_cache(maxsize=2)
def _method_revisions(kind: str) -> Mapping[str, tuple[str, ...]]:
    """Method to the revisions in which either side may send it."""
    found: dict[str, tuple[str, ...]] = {}
    for revision, surface in SURFACE_BY_REVISION.items():
        methods = {method for table in surface.methods[revision].values() for method in getattr(table, kind)}
        for method in sorted(methods):
            found[method] = (*found.get(method, ()), revision)
    return found


def _json_type(value: object) -> str:
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "object"
