"""Routing by method: which class a frame's body is, and what may answer it, from the tables of the surfaces."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from mcp_surfaces.errors import UnknownMethodError, UnknownProtocolVersionError
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS, SURFACES
from mcp_surfaces.surface import OTHER, Methods, Sender, Surface

if TYPE_CHECKING:
    from mcp_surfaces.base import Notification, Request
    from mcp_surfaces.registry import Registry

__all__ = [
    "CLIENT_NOTIFICATION_METHODS",
    "CLIENT_REQUEST_METHODS",
    "SERVER_NOTIFICATION_METHODS",
    "SERVER_REQUEST_METHODS",
    "SURFACE_BY_REVISION",
    "is_known",
    "notification_type",
    "request_type",
    "result_type",
    "surface_for",
]

_Kind: TypeAlias = Literal["requests", "notifications"]

SURFACE_BY_REVISION: Final[Mapping[str, Surface]] = {
    revision: import_module(f"{module}.facts").SURFACE for revision, module in SURFACES.items()
}


def _methods(sender: Sender, kind: _Kind) -> Mapping[str, frozenset[str]]:
    return {
        revision: frozenset(getattr(surface.methods[revision][sender], kind))
        for revision, surface in SURFACE_BY_REVISION.items()
    }


CLIENT_REQUEST_METHODS: Final = _methods("client", "requests")
"""Revision to the methods of the requests a client may send."""

CLIENT_NOTIFICATION_METHODS: Final = _methods("client", "notifications")
"""Revision to the methods of the notifications a client may send."""

SERVER_REQUEST_METHODS: Final = _methods("server", "requests")
"""Revision to the methods of the requests a server may send."""

SERVER_NOTIFICATION_METHODS: Final = _methods("server", "notifications")
"""Revision to the methods of the notifications a server may send."""


def surface_for(version: str) -> Surface:
    """The surface that serves `version`. Raises `UnknownProtocolVersionError`."""
    if not is_known(version):
        raise UnknownProtocolVersionError(version, KNOWN_PROTOCOL_VERSIONS)
    return SURFACE_BY_REVISION[version]


def is_known(version: object) -> bool:
    """Whether `version`, which a peer may have sent, is a protocol revision."""
    return isinstance(version, str) and version in SURFACES


def request_type(
    method: str, version: str, sender: Sender, *, registry: Registry | None = None
) -> type[Request[Any, str]]:
    """The request class of `method` as sent by `sender` at `version`, for `parse_as`.

    Raises `UnknownProtocolVersionError`, and `UnknownMethodError` where that side has no such request at that version.
    """
    return _message_type("requests", method, version, sender, registry)


def notification_type(
    method: str, version: str, sender: Sender, *, registry: Registry | None = None
) -> type[Notification[Any, str]]:
    """The notification class of `method` as sent by `sender` at `version`, for `parse_as`.

    Raises `UnknownProtocolVersionError`, and `UnknownMethodError` where that side has no such notification.
    """
    return _message_type("notifications", method, version, sender, registry)


def result_type(method: str, version: str, sender: Sender, *, registry: Registry | None = None) -> Any:
    """What `sender` may answer to a request of `method` at `version`: a class, or a union of classes, for `parse_as`.

    Raises `UnknownProtocolVersionError`, and `UnknownMethodError` where the other side has no such request.
    """
    asker = OTHER.get(sender, sender)
    table = _table(version, asker)
    _check_method(method, version, asker)
    names = table.results.get(method)
    own: tuple[type[Any], ...] = ()
    if registry is not None:
        own = registry.results.get((method, version, sender), ())
        if (method, version, asker) in registry.requests:
            names = None
    if names is None and not own:
        raise UnknownMethodError(method, version, asker)
    return _union((*map(_named, names or ()), *own)) if own else _named_union(names or ())


def _table(version: str, sender: Sender) -> Methods:
    methods = surface_for(version).methods[version].get(sender)
    if methods is None:
        raise ValueError("the sender is either client or server")
    return methods


def _check_method(method: str, version: str, sender: Sender) -> None:
    """Refuse what a peer may have sent instead of a method."""
    if not isinstance(cast("object", method), str):
        raise UnknownMethodError(method, version, sender)


def _message_type(kind: _Kind, method: str, version: str, sender: Sender, registry: Registry | None) -> type[Any]:
    methods = _table(version, sender)
    _check_method(method, version, sender)
    if registry is not None and (own := getattr(registry, kind).get((method, version, sender))) is not None:
        cls: type[Any] = own
        return cls
    name = getattr(methods, kind).get(method)
    if name is None:
        raise UnknownMethodError(method, version, sender)
    return _named(name)


@functools.cache
def _named(name: str) -> type[Any]:
    cls: type[Any] = getattr(import_module("mcp_surfaces.types"), name)
    return cls


@functools.cache
def _named_union(names: tuple[str, ...]) -> Any:
    return _union(tuple(map(_named, names)))


def _union(classes: tuple[type[Any], ...]) -> Any:
    union: Any = classes[0]
    for cls in classes[1:]:
        union = union | cls
    return union
