"""Methods and results of your own, in an immutable registry that you hand to the wire; nothing global changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from mcp_surfaces.errors import UnknownProtocolVersionError
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from mcp_surfaces.surface import OTHER, Sender

__all__ = ["Entry", "Registry"]

Key: TypeAlias = tuple[str, str, Sender]


class Entry(NamedTuple):
    """One registration."""

    kind: Literal["request", "notification", "result"]
    key: Key
    cls: type[Any]
    meta: tuple[str, ...] = ()


@dataclass(frozen=True)
class Registry:
    """Extensions to the protocol: start from `Registry()` and add; every call returns a new registry.

    Hand it to the functions of `mcp_surfaces.wire` as `registry=`. A method registered here takes precedence over the
    protocol's own of that name. Registries are immutable, hashable, and pickle where their classes do.
    """

    entries: tuple[Entry, ...] = ()
    """What was registered, oldest first."""
    result_types: frozenset[str] = frozenset()
    """Values of `resultType` recognised beside the protocol's own."""

    @cached_property
    def requests(self) -> Mapping[Key, type[Any]]:
        """(method, version, sender) to request class."""
        return self._table("request")

    @cached_property
    def notifications(self) -> Mapping[Key, type[Any]]:
        """(method, version, sender) to notification class."""
        return self._table("notification")

    @cached_property
    def results(self) -> Mapping[Key, tuple[type[Any], ...]]:
        """(method, version, sender of the result) to the classes that may answer."""
        found: dict[Key, tuple[type[Any], ...]] = {}
        known: set[Key] = set()
        for entry in self.entries:
            method, version, sender = entry.key
            if entry.kind == "request":
                if entry.key in known:  # registered again: what answered it before does so no more
                    found.pop((method, version, OTHER[sender]), None)
                known.add(entry.key)
            elif entry.kind == "result":
                found[entry.key] = (*found.get(entry.key, ()), entry.cls)
        return MappingProxyType(found)

    def meta_keys(self, request: Any, version: str) -> tuple[str, ...]:
        """The `_meta` keys that `request` must carry at a version: those its method was registered with.

        A message does not tell who sent it: where both sides may send it, the keys of both count.
        """
        method = getattr(request, "method", None)
        if not isinstance(method, str):
            return ()
        entries = [entry for sender in OTHER if (entry := self._asked.get((method, version, sender))) is not None]
        return tuple(dict.fromkeys(key for entry in entries if isinstance(request, entry.cls) for key in entry.meta))

    def has(self, cls: type[Any], version: str) -> bool:
        """Whether messages of a class were registered for a version."""
        return (cls, version) in self._classes

    def knows(self, message: object, version: str) -> bool:
        """Whether a message was registered for a version: its class and, where it has one, its method."""
        method = getattr(message, "method", None)
        return any(
            entry.cls is type(message)
            and entry.key[1] == version
            and (entry.kind == "result" or entry.key[0] == method)
            for entry in self.entries
        )

    @cached_property
    def _classes(self) -> frozenset[tuple[type[Any], str]]:
        return frozenset((entry.cls, entry.key[1]) for entry in self.entries)

    @cached_property
    def _asked(self) -> Mapping[Key, Entry]:
        return {entry.key: entry for entry in self.entries if entry.kind == "request"}

    def _table(self, kind: str) -> Mapping[Key, type[Any]]:
        return MappingProxyType({entry.key: entry.cls for entry in self.entries if entry.kind == kind})

    def __getstate__(self) -> dict[str, Any]:
        return {"entries": self.entries, "result_types": self.result_types}

    def _with(self, entries: Iterable[Entry]) -> Registry:
        entries = tuple(entries)
        if any(entry.key[2] not in OTHER for entry in entries):
            raise ValueError("the sender is either client or server")
        return replace(self, entries=(*self.entries, *entries))

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

        `method` defaults to the class's own. `meta` names the `_meta` keys the request must carry where the revision
        demands keys of requests; a reserved one the wire knows (the protocol version) is set where it is missing.
        Without it the request carries none: at 2026-07-28 peers of the protocol's own expect
        `io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities`.

        Raises ValueError for a class without a method, an unknown version or sender, or no result.
        """
        name = _method(request, method)
        if not results:
            raise ValueError(f"{request.__name__}: a request needs the classes that may answer it")
        known = _versions(versions)
        keys = tuple(_listed(meta))
        return self._with(
            entry
            for version in known
            for entry in (
                Entry("request", (name, version, sender), request, keys),
                *(Entry("result", (name, version, OTHER.get(sender, sender)), result) for result in results),
            )
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
        return self._with(
            Entry("notification", (name, version, sender), notification) for version in _versions(versions)
        )

    def with_result(
        self,
        result: type[Any],
        *,
        method: str,
        sender: Sender,
        versions: Iterable[str] = KNOWN_PROTOCOL_VERSIONS,
    ) -> Registry:
        """This registry and one more class with which `sender` may answer `method`, beside those there are."""
        return self._with(Entry("result", (method, version, sender), result) for version in _versions(versions))

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
    listed = _listed(versions)
    for version in listed:
        if version not in KNOWN_PROTOCOL_VERSIONS:
            raise UnknownProtocolVersionError(version, KNOWN_PROTOCOL_VERSIONS)
    return listed


def _listed(strings: Iterable[str]) -> list[str]:
    """Some strings, of which one may be given by itself."""
    return [strings] if isinstance(strings, str) else list(strings)
