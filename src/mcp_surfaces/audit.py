"""Auditing: what in a model the negotiated revision does not define, and whether a peer may take offence.

Only what some revision defines counts as a member: an unknown member of a vendor's own is legal everywhere. A value
that no revision lists in a place where the revision lists values is reported, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from mcp_surfaces.base import MISSING, Notification, Request, is_none
from mcp_surfaces.bodies import body_of, is_model, kind_of, spec_name
from mcp_surfaces.built import serializer, validator
from mcp_surfaces.errors import pointer, shortened
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from mcp_surfaces.routing import SURFACE_BY_REVISION, surface_for
from mcp_surfaces.types.availability import ARMS, CLASSES, MEMBERS, META, TYPES, VALUES

if TYPE_CHECKING:
    from mcp_surfaces.registry import Registry

__all__ = ["Undefined", "audit"]

Kind: TypeAlias = Literal["field", "union member", "enum value", "type", "method"]
Loc: TypeAlias = tuple[str | int, ...]


_DEEP: Final = 10_000
"""How long the place of a finding may be: as the input, the audit knows no limit of depth."""

_METHODS: Final[Mapping[type[Any], str]] = {Request: "requests", Notification: "notifications"}


class Undefined(NamedTuple):
    """Something the revision does not define."""

    pointer: str
    """JSON Pointer into the model's wire form; empty for the model itself, and with `…` for what is cut."""
    kind: Kind
    """`type` is a whole construct, or the JSON type of a value."""
    revisions: tuple[str, ...]
    """The revisions that do define it, oldest first; empty if none does."""
    may_reject: bool
    """Whether a peer may reject the message for it; an unknown field is ignored."""


def audit(model: BaseModel, version: str, registry: Registry | None = None) -> list[Undefined]:
    """What in `model` the revision `version` does not define, in the order of the model; of a legal message nothing.

    `model` is a body or any other model of `mcp_surfaces.types`. What stands inside of something undefined is not
    listed besides. What `registry` has at the version counts as defined.

    Raises TypeError for anything else, and `UnknownProtocolVersionError`.
    """
    if not isinstance(cast("object", model), BaseModel):
        raise TypeError(f"{type(model).__name__} is not a model")
    surface_for(version)
    audited, model = _Audit(version), _as_written(model)
    own = registry is not None and registry.knows(model, version)
    return list(_walked(audited.registered(model) if own else audited.whole(model)))


_Walk: TypeAlias = Iterator["Undefined | tuple[object, _Walk]"]
"""Findings, and containers to look into."""


def _walked(walk: _Walk) -> Iterator[Undefined]:
    """The findings of a walk, without recursion; a container inside of itself is passed over."""
    stack: list[tuple[object, _Walk]] = [(None, walk)]
    while stack:
        for step in stack[-1][1]:
            if isinstance(step, Undefined):
                yield step
            elif all(step[0] is not container for container, _ in stack):
                stack.append(step)
                break
        else:
            stack.pop()


class _Audit:
    """One audit at one version."""

    def __init__(self, version: str) -> None:
        self.version = version

    def whole(self, model: BaseModel) -> _Walk:
        for base, kind in _METHODS.items():
            method = model.__dict__.get("method")
            if isinstance(model, base) and isinstance(method, str):
                known = _method_revisions(kind).get(method, ())
                if self.version not in known and not self.embedded(type(model)):
                    yield self.found(("method",), "method", known)
                    return
        names = _spec_names(type(model))
        known = _class_revisions(names)
        if self.version not in known:
            yield self.found((), "type", known)
            return
        yield from self.members(model, ())

    def embedded(self, cls: type[BaseModel]) -> bool:
        """Whether the revision defines a request that no side sends by itself."""
        place = body_of(cls, self.version)
        return place is not None and place.body is not None and not place.custom

    def found(self, loc: Loc, kind: Kind, revisions: tuple[str, ...]) -> Undefined:
        return Undefined(pointer(shortened(loc, _DEEP)), kind, revisions, kind != "field")

    def registered(self, model: BaseModel) -> _Walk:
        """What is undefined in a message of a user's own; where the revision lacks its class, in the metadata alone."""
        if self.version in _class_revisions(_spec_names(type(model))):
            yield from self.members(model, ())
            return
        kind = kind_of(type(model)) or ""
        for wire, value in _present(model):
            if wire == "_meta":
                yield from self.value(value, f"{kind.capitalize()}._meta", ("_meta",))

    def members(self, model: BaseModel, loc: Loc) -> _Walk:
        """What is undefined among the members of `model`, which the revision defines."""
        names = _spec_names(type(model))
        for wire, value in _present(model):
            known = _member_revisions(names, wire)
            yield from self.member(value, known, f"{names[0]}.{wire}" if names else "", (*loc, wire))

    def member(self, value: Any, known: tuple[str, ...], place: str, loc: Loc) -> _Walk:
        """What is undefined about a member that the revisions `known` define; where none does it is a vendor's own."""
        if known and self.version not in known:
            yield self.found(loc, "field", known)
        else:
            yield from self.value(value, place, loc)

    def value(self, value: Any, place: str, loc: Loc) -> _Walk:
        """What is undefined about a value at a place."""
        types, arms = TYPES.get(place, {}), ARMS.get(place, {})
        if self.excludes(types, known := types.get(_json_type(value), ())):
            yield self.found(loc, "type", known)
        elif isinstance(value, BaseModel):
            name = next((name for name in _spec_names(type(value)) if name in arms), None)
            if name is not None and self.version not in arms[name]:
                yield self.found(loc, "union member", arms[name])
            else:
                yield value, self.members(value, loc)
        elif isinstance(value, str):
            values = VALUES.get(place, {})
            if self.excludes(values, known := (*values.get(value, ()), *values.get("*", ()))):
                yield self.found(loc, "enum value", known)
        elif isinstance(value, list):
            yield value, self.items(cast("list[object]", value), place, loc)
        elif isinstance(value, dict):
            entries = cast("dict[str, Any]", value)
            model = self.as_model(entries, place)
            if model is not None:
                yield from self.value(model, place, loc)
                yield from self.of_other_arms(model, arms, loc)
            elif self.excludes(arms, ()):
                yield self.found(loc, "union member" if len(arms) > 1 else "type", ())
            else:
                yield entries, self.entries(entries, place, loc)

    def excludes(self, described: Mapping[str, tuple[str, ...]], known: tuple[str, ...]) -> bool:
        """Whether the revision describes a place, and not with what the revisions `known` have there."""
        return self.version not in known and any(self.version in revisions for revisions in described.values())

    def items(self, value: list[object], place: str, loc: Loc) -> _Walk:
        """What is undefined in an array."""
        for index, item in enumerate(value):
            yield from self.value(item, f"{place}[]", (*loc, index))

    def entries(self, value: dict[str, Any], place: str, loc: Loc) -> _Walk:
        """What is undefined in an object that the superset leaves open, and has no model for."""
        reserved = META.get(place, {})
        for key, item in value.items():
            path = f"{place}.{key}"
            inner = path if path in _OPAQUE or key in reserved else f"{place}{{}}"
            yield from self.member(item, reserved.get(key, ()), inner, (*loc, key))

    def as_model(self, value: dict[str, Any], place: str) -> BaseModel | None:
        """An object that the superset leaves open as the model that stands there, if any: one the revision defines,
        where that takes it, and of several the one that knows most of its members."""
        models: list[tuple[bool, int, BaseModel]] = []
        arms = ARMS.get(place, {})
        for name, revisions in arms.items():
            cls: type[BaseModel] = getattr(import_module("mcp_surfaces.types"), name)
            model = self.read(cls, value, defined=self.version in revisions, complete=len(arms) > 1)
            if model is not None:
                models.append((self.version not in revisions, len(model.__pydantic_extra__ or ()), model))
        return min(models, key=lambda found: found[:2])[2] if models else None

    def of_other_arms(self, model: BaseModel, arms: Mapping[str, tuple[str, ...]], loc: Loc) -> _Walk:
        """The members that only classes which the revision lacks have at a place; to what it has they are unknown."""
        names = _spec_names(type(model))
        for wire in model.__pydantic_extra__ or {} if self.version in arms[names[0]] else ():
            having = {revision for name in arms for revision in MEMBERS.get(name, {}).get(wire, ())}
            if having and self.version not in having and not _member_revisions(names, wire):
                yield self.found((*loc, wire), "field", tuple(r for r in KNOWN_PROTOCOL_VERSIONS if r in having))

    def read(self, cls: type[BaseModel], value: dict[str, Any], *, defined: bool, complete: bool) -> BaseModel | None:
        """An object as a model, if it can be one; where it must be `complete`, only if it lacks nothing.

        In what the revision defines, members that it does not define may be anything.
        """
        exact, model, names = validator(cls), cls.model_construct(), _spec_names(cls)
        fields = {field.alias or name: (name, field) for name, field in cls.__pydantic_fields__.items()}
        if complete and any(field.is_required() and wire not in value for wire, (_, field) in fields.items()):
            return None
        unjudged: dict[str, Any] = {}
        for wire, item in value.items():
            if wire not in fields or (defined and self.version not in _member_revisions(names, wire)):
                unjudged[wire] = item
                continue
            name, field = fields[wire]
            many = isinstance(item, list)
            narrower = _model_in(field.annotation, many)
            if narrower is not None and (many or isinstance(item, dict)):
                items = cast("list[dict[str, Any]]", item if many else [item])
                if not all(isinstance(cast("object", one), dict) for one in items):
                    return None
                read = [self.read(narrower, one, defined=defined, complete=complete) for one in items]
                if None in read:
                    return None
                vars(model)[name] = read if many else read[0]
            elif item is None and field.exclude_if is is_none:
                return None
            else:
                try:
                    exact.validate_assignment(model, name, item, by_alias=True, by_name=False)
                except ValidationError:
                    return None
        object.__setattr__(model, "__pydantic_extra__", unjudged)
        return model


def _model_in(annotation: Any, many: bool) -> type[BaseModel] | None:
    """The model class of a member, or where it has `many` of its items, if it is one."""
    arms = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    held = [get_args(arm)[0] for arm in arms if get_origin(arm) is list] if many else arms
    models = [arm for arm in held if is_model(arm)]
    return models[0] if len(models) == 1 else None


_OPAQUE: Final = frozenset(
    place.rstrip("[]{}") for table in (ARMS, TYPES, VALUES) for place in table if place.count(".") > 1
)
"""The members of opaque documents that some revision describes."""


def _as_written(model: BaseModel) -> BaseModel:
    """`model` as its text reads, so that what counts is what a peer will see; itself where it has no such text."""
    cls = type(model)
    try:
        written = serializer(cls).to_json(model, by_alias=True, warnings=False)
        read: BaseModel = validator(cls).validate_python(from_json(written), by_alias=True, by_name=False)
    except Exception:  # a validator or serializer of a user's own may raise anything
        return model
    return read


def _present(model: BaseModel) -> Iterator[tuple[str, Any]]:
    """Wire name and value of the members of `model` that its dump has."""
    for name, field in type(model).__pydantic_fields__.items():
        value = model.__dict__.get(name, MISSING)
        absent = value is MISSING or (value is None and field.default is not MISSING and not field.is_required())
        if not absent and not field.exclude:
            yield field.alias or name, value
    yield from (model.__pydantic_extra__ or {}).items()


@lru_cache(maxsize=1024)
def _spec_names(cls: Any) -> tuple[str, ...]:
    """The constructs that `cls` is, the narrowest first."""
    return tuple(name for base in cls.__mro__ if (name := spec_name(base)) is not None)


def _class_revisions(names: tuple[str, ...]) -> tuple[str, ...]:
    """The revisions that define a construct; all for what is none."""
    return next((CLASSES[name] for name in names if name in CLASSES), KNOWN_PROTOCOL_VERSIONS)


def _member_revisions(names: tuple[str, ...], wire: str) -> tuple[str, ...]:
    """The revisions that define a member of a construct; empty for a vendor's own.

    Before a construct spells a member itself, it has the member where what it stands on does: early revisions write
    params in place.
    """
    own, *others = (MEMBERS.get(name, {}).get(wire, ()) for name in names or ("",))
    first = KNOWN_PROTOCOL_VERSIONS.index(own[0]) if own else len(KNOWN_PROTOCOL_VERSIONS)
    inherited = {revision for known in others for revision in known} & {*KNOWN_PROTOCOL_VERSIONS[:first]}
    return tuple(revision for revision in _class_revisions(names) if revision in {*own, *inherited})


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
    if isinstance(value, float) and value.is_integer():
        return "integer"
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "object"
