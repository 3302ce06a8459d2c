"""What the wire knows of an exact surface, beside its models: which revisions, methods and bodies it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

__all__ = ["OTHER", "Body", "Methods", "Sender", "Surface"]

Sender: TypeAlias = Literal["client", "server"]

OTHER: Final[Mapping[Sender, Sender]] = {"client": "server", "server": "client"}
"""Who answers what a side sends."""


class Methods(NamedTuple):
    """The messages one side may send at one revision, by method; values are class names of `mcp_surfaces.types`."""

    requests: Mapping[str, str]
    results: Mapping[str, tuple[str, ...]]
    """Request method to the classes the other side may answer with."""
    notifications: Mapping[str, str]


class Body(NamedTuple):
    """What a surface demands of one request, notification or result."""

    definition: str
    """Its name on the surface."""
    enveloped: bool
    """Whether that definition includes `jsonrpc` and `id`; a request or notification without lives on only embedded."""
    inject: Mapping[str, Any]
    """Members of a result set where the caller left them unset."""
    inject_meta: Mapping[str, str]
    """Reserved `_meta` keys set where the caller left them unset; `$version` stands for the negotiated revision."""
    caller_meta: tuple[str, ...]
    """Reserved `_meta` keys that must be there and only the caller can know."""


class Surface(NamedTuple):
    """An exact surface: its package, the revisions it serves, and what it demands of each body."""

    package: str
    revisions: tuple[str, ...]
    strict: bool
    """Whether emission is validated against the surface unless the caller says otherwise."""
    batches: tuple[str, ...]
    """The revisions that have JSON-RPC batches."""
    methods: Mapping[str, Mapping[Sender, Methods]]
    """By revision and sender."""
    bodies: Mapping[str, Body]
    """By class name of `mcp_surfaces.types`."""
