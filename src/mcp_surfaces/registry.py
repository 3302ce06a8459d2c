"""Methods and results of your own, in an immutable registry that you hand to the wire; nothing global changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from mcp_surfaces.surface import Sender

__all__ = ["Registry"]

Key: TypeAlias = tuple[str, str, Sender]


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})



@dataclass(frozen=True)
class Registry:
    """Extensions to the protocol: start from `Registry()` and add; every call returns a new registry.

    Hand it to the functions of `mcp_surfaces.wire` as `registry=`. A method registered here takes precedence over the
    protocol's own of that name.
    """

    requests: Mapping[Key, type[Any]] = field(default_factory=_nothing)
    """(method, version, sender) to request class."""
    notifications: Mapping[Key, type[Any]] = field(default_factory=_nothing)
    """(method, version, sender) to notification class."""
    results: Mapping[Key, tuple[type[Any], ...]] = field(default_factory=_nothing)
    """(method, version, sender of the result) to the classes that may answer."""
    meta: Mapping[type[Any], tuple[str, ...]] = field(default_factory=_nothing)
    """Request class to the `_meta` keys its params must carry where the revision demands keys of requests."""
    result_types: frozenset[str] = frozenset()
    """Values of `resultType` recognised beside the protocol's own."""

    def with_request(
        self,
        request: type[Any],
        *results: type[Any],
        sender: Sender,
        versions: Iterable[str] = KNOWN_PROTOCOL_VERSIONS,
        meta: Iterable[str] = (),
        method: str | None = None,
    ) -> Registry:
        """This registry and a request that `sender` may send, answered by one of `results`.

        `method` defaults to the class's own. `meta` names the `_meta` keys the request must carry; a reserved one the
        wire knows (the protocol version) is set where it is missing.

        Raises ValueError for a class without a method, an unknown version, or no result.
        """
        name = _method(request, method)
        if not results:
            raise ValueError(f"{request.__name__}: a request needs the classes that may answer it")
        answerer: Sender = "server" if sender == "client" else "client"
        known = _versions(versions)
        return replace(
            self,
            requests={**self.requests, **{(name, version, sender): request for version in known}},
            results={**self.results, **{(name, version, answerer): results for version in known}},
            meta={**self.meta, request: tuple(meta)},
        )

    def with_notification(
        self,
        notification: type[Any],
        *,
        sender: Sender,
        versions: Iterable[str] = KNOWN_PROTOCOL_VERSIONS,
        method: str | None = None,
    ) -> Registry:
        """This registry and a notification that `sender` may send. Raises ValueError as `with_request` does."""
        name = _method(notification, method)
        added = {(name, version, sender): notification for version in _versions(versions)}
        return replace(self, notifications={**self.notifications, **added})

    def with_result(
        self,
        result: type[Any],
        *,
        method: str,
        sender: Sender,
        versions: Iterable[str] = KNOWN_PROTOCOL_VERSIONS,
    ) -> Registry:
        """This registry and one more class with which `sender` may answer `method`, beside those there are."""
        added = {
            (method, version, sender): (*self.results.get((method, version, sender), ()), result)
            for version in _versions(versions)
        }
        return replace(self, results={**self.results, **added})

    def with_result_type(self, *values: str) -> Registry:
        """This registry and further values of `resultType` that parsing accepts."""
        return replace(self, result_types=self.result_types | set(values))


def _method(message: type[Any], method: str | None) -> str:
    fields: Mapping[str, Any] = getattr(message, "__pydantic_fields__", {})
    name = method or (fields["method"].default if "method" in fields else None)
    if not isinstance(name, str):
        raise ValueError(f"{message.__name__}: has no default method, pass method=")
    return name


def _versions(versions: Iterable[str]) -> list[str]:
    listed = list(versions)
    for version in listed:
        if version not in KNOWN_PROTOCOL_VERSIONS:
            raise ValueError(f"unknown protocol version {version!r}; known: {', '.join(KNOWN_PROTOCOL_VERSIONS)}")
    return listed
