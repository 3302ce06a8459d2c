"""The wire: every message in and out, by the negotiated protocol version.

Parsing is lenient: unknown members are kept at every depth, and newer content parses under older versions. From
2026-07-28 on a request must have the `_meta` keys its revision requires, and a `resultType` that is there must be
known. Emission adds and never removes; where the version's surface is strict, what would not be valid there is refused.
`null` is data where the schema admits it.

Errors: whatever is wrong with data that came in is `pydantic.ValidationError`, located, without payload values;
`UnknownProtocolVersionError` and `UnsupportedAtVersionError` (both `ValueError`) are about what is to go out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from mcp_surfaces.errors import (
    Finding,
    UnknownMethodError,
    UnknownProtocolVersionError,
    UnsupportedAtVersionError,
    WireError,
)
from mcp_surfaces.lazy import Later, attach
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from mcp_surfaces.routing import (
    CLIENT_NOTIFICATION_METHODS,
    CLIENT_REQUEST_METHODS,
    SERVER_NOTIFICATION_METHODS,
    SERVER_REQUEST_METHODS,
    notification_type,
    request_type,
    result_type,
    surface_for,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from mcp_surfaces import emission as _emission
    from mcp_surfaces import parsing as _parsing
    from mcp_surfaces.audit import Undefined
    from mcp_surfaces.registry import Registry

__all__ = [
    "CLIENT_NOTIFICATION_METHODS",
    "CLIENT_REQUEST_METHODS",
    "KNOWN_PROTOCOL_VERSIONS",
    "SERVER_NOTIFICATION_METHODS",
    "SERVER_REQUEST_METHODS",
    "Finding",
    "Registry",
    "UnknownMethodError",
    "UnknownProtocolVersionError",
    "UnsupportedAtVersionError",
    "WireError",
    "audit",
    "dump_json",
    "notification_type",
    "parse_as",
    "parse_json",
    "request_type",
    "result_type",
    "serialize_for",
    "surface_for",
]

T = TypeVar("T")

if not TYPE_CHECKING:
    __getattr__, _ = attach(__name__, {"Registry": "mcp_surfaces.registry"})
    # The halves that do the work are loaded when the first message is emitted or parsed.
    _emission, _parsing = Later("mcp_surfaces.emission"), Later("mcp_surfaces.parsing")


@overload
def serialize_for(
    model: BaseModel, version: str, *, strict: bool | None = None, registry: Registry | None = None
) -> dict[str, Any]: ...
@overload
def serialize_for(
    model: Sequence[BaseModel], version: str, *, strict: bool | None = None, registry: Registry | None = None
) -> list[dict[str, Any]]: ...
def serialize_for(
    model: BaseModel | Sequence[BaseModel],
    version: str,
    *,
    strict: bool | None = None,
    registry: Registry | None = None,
) -> dict[str, Any] | list[dict[str, Any]]:
    """The JSON value that stands for `model` at `version`, as new dicts and lists.

    `model` is a request, notification or result body, a JSON-RPC envelope model, or where the revision has batches a
    list of envelope models, whose contents are opaque. What the revision requires and the caller left unset is added,
    nothing is removed. With `strict` (by default what the surface of the version says: from 2026-07-28 on) the outcome
    must be valid there.

    Raises TypeError for anything else; `UnknownProtocolVersionError`; `UnsupportedAtVersionError` for a message that
    has no valid form at the version, and at any version for NaN, an infinity or a lone surrogate.
    """
    result: dict[str, Any] | list[dict[str, Any]] = _emission.value(model, version, strict, registry)
    return result


def dump_json(
    model: BaseModel | Sequence[BaseModel],
    version: str,
    *,
    strict: bool | None = None,
    registry: Registry | None = None,
) -> bytes:
    """The JSON text of what `serialize_for` gives, in UTF-8; the errors are the same."""
    return _emission.text(model, version, strict, registry)


@overload
def parse_as(
    type_: type[T], data: object, version: str, *, strict: bool = False, registry: Registry | None = None
) -> T: ...
@overload
def parse_as(
    type_: Any, data: object, version: str, *, strict: bool = False, registry: Registry | None = None
) -> Any: ...
def parse_as(type_: Any, data: object, version: str, *, strict: bool = False, registry: Registry | None = None) -> Any:
    """`data`, a parsed JSON value, as a model.

    `type_` is a class of `mcp_surfaces.types` (or a subclass), or a public union there: `ServerResult`, `ContentBlock`,
    `JSONRPCMessage` (which at 2025-03-26 takes a batch as well), ..., or an alias, `| None`, a list or a map of those.
    `data` is not changed; free-form values are shared with it. With `strict` the body must also be exactly what the
    surface of the version says. An unknown version parses without mandates.

    Raises `pydantic.ValidationError`; with `strict` also `UnknownProtocolVersionError`.
    """
    return _parsing.from_value(type_, data, version, strict, registry)


@overload
def parse_json(
    type_: type[T],
    data: bytes | bytearray | str,
    version: str,
    *,
    strict: bool = False,
    registry: Registry | None = None,
) -> T: ...
@overload
def parse_json(
    type_: Any, data: bytes | bytearray | str, version: str, *, strict: bool = False, registry: Registry | None = None
) -> Any: ...
def parse_json(
    type_: Any, data: bytes | bytearray | str, version: str, *, strict: bool = False, registry: Registry | None = None
) -> Any:
    """`data`, a JSON text, as a model; otherwise as `parse_as`. Of members with the same name the last one wins."""
    return _parsing.from_text(type_, data, version, strict, registry)


def audit(model: BaseModel, version: str, *, registry: Registry | None = None) -> list[Undefined]:
    """What in `model` the revision `version` does not define, in order; of a message that is legal there, nothing.

    Each finding has a JSON Pointer, its kind (`field`, `union member`, `enum value`, `type` or `method`), the revisions
    that do define it, and whether a peer may reject the message for it. `model` is a body or any other model of
    `mcp_surfaces.types`; what `registry` has at the version counts as defined.

    Raises TypeError for anything else, and `UnknownProtocolVersionError`.
    """
    from mcp_surfaces.audit import audit

    return audit(model, version, registry)
