"""Which body a class is at a version: its kind, the surface that serves the version, and what that demands of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from pydantic_core import SchemaValidator

from mcp_surfaces.base import Notification, Request
from mcp_surfaces.built import validator
from mcp_surfaces.routing import SURFACE_BY_REVISION, surface_for
from mcp_surfaces.surface import Body, Surface

__all__ = [
    "ENVELOPE",
    "Kind",
    "Place",
    "body_of",
    "exact_validator",
    "is_class",
    "is_message",
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
    name = next(name for base in cls.__mro__ if (name := spec_name(base)) is not None)
    custom = name in ("Request", "Notification", "PaginatedRequest") or (name == "Result" and cls.__name__ != name)
    return Place(kind, surface, surface.bodies.get(_GENERIC.get(name, name)), custom)


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


def is_message(type_: Any) -> bool:
    """Whether `type_` is `JSONRPCMessage`; nothing is as long as its module is not loaded."""
    jsonrpc = sys.modules.get("mcp_surfaces.jsonrpc")
    return jsonrpc is not None and bool(type_ == jsonrpc.JSONRPCMessage)


def request_meta(request: Any) -> Mapping[str, Any]:
    """The members of a request's `_meta` that are no fields of ours, the reserved keys among them."""
    params: Any = getattr(request, "params", None)
    return members_of(cast("Any", params).get("_meta") if isinstance(params, dict) else getattr(params, "meta", None))


def members_of(meta: Any) -> Mapping[str, Any]:
    """The members of a `_meta` value, a dict or a model, that are no fields of ours; of any other value none."""
    members: Any = cast("Any", meta) if isinstance(meta, dict) else getattr(meta, "__pydantic_extra__", None)
    return members or {}


def spec_name(cls: type[Any]) -> str | None:
    """The name of a class of this package that is a construct of the protocol, or None."""
    spec = cls.__module__.startswith("mcp_surfaces.") and "[" not in cls.__name__
    return cls.__name__ if spec and cls.__name__ not in ("MCPModel", "MetaMapping", "_Message") else None
