"""Which body a class is at a version: its kind, the surface that serves the version, and what that demands of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from pydantic_core import SchemaValidator

from mcp_surfaces.base import MetaMapping, Notification, Request
from mcp_surfaces.built import validator
from mcp_surfaces.routing import SURFACE_BY_REVISION, surface_for
from mcp_surfaces.strict_json import LONG
from mcp_surfaces.surface import Body, Surface

__all__ = [
    "Kind",
    "Place",
    "body_of",
    "exact_validator",
    "framed",
    "framed_text",
    "is_model",
    "is_own",
    "kind_of",
    "members_of",
    "on_wire",
    "request_meta",
    "spec_name",
    "stands_on",
    "variants",
]

Kind: TypeAlias = Literal["request", "notification", "result"]

_ENVELOPE: Final = b',"id":0,"jsonrpc":"2.0"}'
"""What makes the text of a body, without its last brace, the frame that an enveloped definition describes."""

_CONSTRUCTS: Final = ("mcp_surfaces.types.", "mcp_surfaces.base", "mcp_surfaces.jsonrpc")
"""The modules of the superset."""


def framed(body: dict[str, Any]) -> dict[str, Any]:
    """A body as the frame that an enveloped definition describes."""
    return {**body, "id": 0, "jsonrpc": "2.0"}


def framed_text(body: bytes | bytearray) -> bytes | bytearray:
    """As `framed`, of the text of a body that has members; a long one is copied but once."""
    return body[:-1] + _ENVELOPE if len(body) < LONG else b"".join((memoryview(body)[:-1], _ENVELOPE))


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

    @property
    def generic(self) -> Body | None:
        """What the surface says of any message of the kind; None where it says nothing."""
        return self.surface.bodies.get(self.kind.capitalize())


def is_model(type_: Any) -> bool:
    """Whether `type_` is a model class."""
    return isinstance(type_, type) and hasattr(type_, "__pydantic_fields__")


def kind_of(cls: type[Any]) -> Kind | None:
    """Whether `cls` is a request, a notification or a result, or None for any other class."""
    if issubclass(cls, Request):
        return "request"
    if issubclass(cls, Notification):
        return "notification"
    return "result" if stands_on(cls, "Result") else None


@lru_cache(maxsize=4096)
def body_of(cls: Any, version: str) -> Place | None:
    """What `cls` is at `version`, or None if it is no body. Raises `UnknownProtocolVersionError`."""
    kind = kind_of(cls)
    if kind is None:
        return None
    surface = surface_for(version)
    bases = _messages(cls, kind)
    name = bases[0].__name__ if _is_that(cls, bases[0]) else kind.capitalize()
    if spec_name(cls) != name:
        name = _GENERIC.get(name, name)
    custom = name in ("Request", "Notification") or (name == "Result" and cls.__name__ != name)
    body = surface.bodies.get(name)
    if body is not None and len(bases) > 1:
        body = _all_of([surface.bodies.get(base.__name__) for base in bases])
    return Place(kind, surface, body, custom)


def _all_of(bodies: Sequence[Body | None]) -> Body | None:
    """What is demanded of a class that is several messages; None where the surface does not define one of them."""
    found = [body for body in bodies if body is not None]
    inject = {key: value for body in found for key, value in body.inject.items()}
    caller = dict.fromkeys(key for body in found for key in body.caller_meta)
    return found[0]._replace(inject=inject, caller_meta=tuple(caller)) if len(found) == len(bodies) else None


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


def request_meta(request: Any) -> Mapping[str, Any] | None:
    """The members of a request's `_meta` by wire name.

    None where a class of a user's own stands in between: then only what is on the wire tells.
    """
    params: Any = getattr(request, "params", None)
    if isinstance(params, dict):
        return members_of(cast("Any", params).get("_meta"))
    if not is_own(request.__class__) or not (params is None or is_own(params.__class__)):
        return None
    return members_of(getattr(params, "meta", None))


def members_of(meta: Any) -> Mapping[str, Any] | None:
    """As `request_meta`, of a `_meta` value itself."""
    if meta is None or isinstance(meta, dict):
        return cast("dict[str, Any] | None", meta) or {}
    if not isinstance(meta, MetaMapping) or not is_own(meta.__class__):
        return None
    declared = any(value is not None for value in meta.__dict__.values())
    return {**meta} if declared else meta.__pydantic_extra__ or {}


def on_wire(body: Any, *path: str) -> Mapping[str, Any]:
    """The object at `path` in a JSON value; an empty one where there is none."""
    for name in path:
        body = cast("Any", body).get(name) if isinstance(body, dict) else None
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


@lru_cache(maxsize=4096)
def is_own(cls: Any) -> bool:
    """Whether `cls` is a class of this package, so that its members are spelt and written as everybody knows."""
    return spec_name(cls) is not None


def stands_on(cls: Any, name: str) -> bool:
    """Whether `cls` is the construct called `name`, or a subclass of it."""
    return any(spec_name(base) == name for base in getattr(cls, "__mro__", ()))


def spec_name(cls: type[Any]) -> str | None:
    """The name of a class of the superset that is a construct of the protocol, or None."""
    spec = cls.__module__.startswith(_CONSTRUCTS) and "[" not in cls.__name__
    return cls.__name__ if spec and cls.__name__ not in ("MCPModel", "MetaMapping", "_Message") else None
