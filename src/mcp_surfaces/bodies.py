"""Which body a class is at a version: its kind, the surface that serves the version, and what that demands of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, cast

from pydantic_core import SchemaValidator

from mcp_surfaces.base import Notification, Request
from mcp_surfaces.built import validator
from mcp_surfaces.routing import SURFACE_BY_REVISION, surface_for
from mcp_surfaces.surface import Body, Surface

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

__all__ = [
    "ENVELOPE",
    "Kind",
    "Place",
    "body_of",
    "exact_validator",
    "is_class",
    "is_model",
    "kind_of",
    "members_of",
    "request_meta",
    "spec_name",
    "variants",
]

Kind: TypeAlias = Literal["request", "notification", "result"]

ENVELOPE: Final = b',"id":0,"jsonrpc":"2.0"}'
"""What makes the text of a body, without its last brace, the frame that an enveloped definition describes."""

_GENERIC: Final = {"PaginatedRequest": "Request"}
"""Bases whose demands are not for messages of a user's own, and what those stand on instead."""


class Place(NamedTuple):
    """A class at a version."""

    kind: Kind
    surface: Surface
    body: Body | None
    """None where the surface defines no such body."""
    custom: bool
    """Whether the class is a user's own message, not a version of one that the protocol defines."""


def is_class(type_: Any) -> bool:
    """Whether `type_` is a class, not an alias."""
    return isinstance(type_, type)


def is_model(type_: Any) -> bool:
    """Whether `type_` is a model class."""
    return isinstance(type_, type) and hasattr(type_, "__pydantic_fields__")


def kind_of(cls: type[Any]) -> Kind | None:
    """Whether `cls` is a request, a notification or a result, or None for any other class."""
    if issubclass(cls, Request):
        return "request"
    if issubclass(cls, Notification):
        return "notification"
    return "result" if any(spec_name(base) == "Result" for base in cls.__mro__) else None


@lru_cache(maxsize=4096)
def body_of(cls: Any, version: str) -> Place | None:
    """What `cls` is at `version`, or None if it is no body. Raises `UnknownProtocolVersionError`."""
    kind = kind_of(cls)
    if kind is None:
        return None
    surface = surface_for(version)
    bases = _messages(cls, kind)
    name = bases[0].__name__ if _is_that(cls, bases[0]) else kind.capitalize()
    custom = name in ("Request", "Notification", "PaginatedRequest") or (name == "Result" and cls.__name__ != name)
    body = surface.bodies.get(_GENERIC.get(name, name))
    if body is not None and len(bases) > 1:
        others = [other for base in bases if (other := surface.bodies.get(base.__name__)) is not None]
        body = body._replace(inject={key: value for other in others for key, value in other.inject.items()})
    return Place(kind, surface, body, custom)


def _messages(cls: type[Any], kind: Kind) -> list[type[Any]]:
    """The protocol's messages that `cls` is, the narrowest alone; a user's own class may be several."""
    found: list[type[Any]] = []
    for base in cls.__mro__:
        if spec_name(base) is not None and kind_of(base) == kind and not any(issubclass(one, base) for one in found):
            found.append(base)
    return found


def _is_that(cls: type[Any], base: type[Any]) -> bool:
    """Whether `cls` has the method of `base`, not one of its own; results have none."""
    method, own = (one.__pydantic_fields__.get("method") for one in (base, cls))
    return method is None or own is None or not isinstance(method.default, str) or method.default == own.default


@lru_cache(maxsize=4096)
def exact_validator(package: str, name: str) -> SchemaValidator | None:
    """The validator of the definition `name` of a surface, or None where it has none."""
    module = import_module(package)
    return validator(getattr(module, name)) if name in module.__all__ else None


@lru_cache(maxsize=4096)
def variants(cls: Any) -> tuple[type[Any], ...]:
    """The other classes for the same definition as `cls`, such as `CreateMessageResultWithTools`."""
    name = spec_name(cls)
    names = {
        other
        for surface in SURFACE_BY_REVISION.values()
        for other, body in surface.bodies.items()
        if body.definition == name != other and name in surface.bodies
    }
    types = import_module("mcp_surfaces.types") if names else None
    return tuple(getattr(types, other) for other in sorted(names))


def request_meta(request: Any) -> Mapping[str, Any]:
    """The members of a request's `_meta` by wire name; of a class of ours those that are no fields of its own."""
    params: Any = getattr(request, "params", None)
    return members_of(cast("Any", params).get("_meta") if isinstance(params, dict) else _member(params, "_meta"))


def members_of(meta: Any) -> Mapping[str, Any]:
    """As `request_meta`, of a `_meta` value itself: a dict or a model; of any other value none."""
    if isinstance(meta, dict):
        return cast("Mapping[str, Any]", meta)
    extra: dict[str, Any] = getattr(meta, "__pydantic_extra__", None) or {}
    attributes = _attributes(meta.__class__)
    if spec_name(meta.__class__) is not None or not attributes:
        return extra
    return {**{wire: value for wire in attributes if (value := _member(meta, wire)) is not None}, **extra}


def _member(model: Any, wire: str) -> Any:
    """The member of a model that is called so on the wire; None where it has none."""
    value: Any = getattr(model, _attributes(model.__class__).get(wire, ""), None)
    extra: Mapping[str, Any] = getattr(model, "__pydantic_extra__", None) or {}
    return value if value is not None else extra.get(wire)


@lru_cache(maxsize=1024)
def _attributes(cls: Any) -> Mapping[str, str]:
    """Wire name to attribute of the fields of a class; of anything but a model none."""
    fields: Mapping[str, FieldInfo] = getattr(cls, "__pydantic_fields__", {})
    return {field.serialization_alias or name: name for name, field in fields.items()}


def spec_name(cls: type[Any]) -> str | None:
    """The name of a class of this package that is a construct of the protocol, or None."""
    spec = cls.__module__.startswith("mcp_surfaces.") and "[" not in cls.__name__
    return cls.__name__ if spec and cls.__name__ not in ("MCPModel", "MetaMapping", "_Message") else None
