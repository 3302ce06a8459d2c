"""What a revision demands of every message that is parsed, beyond its shape.

From 2026-07-28 on: a `resultType` that is present is one the revision or the registry knows (`Result.resultType`), and
a request has the `_meta` keys that `RequestMetaObject` requires, or those its registration asks for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import ValidationError, from_json

from mcp_surfaces.bodies import body_of, is_own, on_wire, request_meta
from mcp_surfaces.routing import is_known, surface_for
from mcp_surfaces.types.constants import CORE_RESULT_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_surfaces.registry import Registry

__all__ = ["Demands", "demands_of", "enforce", "named"]


class Demands(NamedTuple):
    """The demands that one version makes of one class of messages."""

    result_type: bool
    """A `resultType` that is present must be a known one."""
    readable: bool
    """It reads as `result_type`; of a class of a user's own only what was sent tells."""
    meta: tuple[str, ...]
    """The `_meta` keys of a request of the protocol; a registry may know more."""


def demands_of(cls: Any, version: str) -> Demands | None:
    """What `version` demands of a class; None if nothing, and at an unknown version."""
    return _demands(cls, version) if is_known(version) else None


@lru_cache(maxsize=4096)
def _demands(cls: Any, version: str) -> Demands | None:
    place = body_of(cls, version)
    if place is None:
        return None
    known = place.kind == "result" and any("resultType" in body.inject for body in place.surface.bodies.values())
    request = place.kind == "request" and place.surface.strict
    meta: tuple[str, ...] = ()
    if request and place.body is not None and not place.custom:
        meta = (*place.body.inject_meta, *place.body.caller_meta)
    readable = is_own(cls) and "result_type" in cls.__pydantic_fields__
    return Demands(known, readable, meta) if known or request else None


def enforce(demands: Demands, model: Any, sent: object, version: str, registry: Registry | None) -> None:
    """Raise `ValidationError` where `model` lacks what is demanded: `result_type_invalid`, `missing_required_meta`.

    `sent` is the text or the value that `model` was read from.
    """
    if demands.result_type:
        value = model.result_type if demands.readable else on_wire(_value(sent)).get("resultType")
        own = registry.result_types if registry is not None else ()
        if value is not None and not (isinstance(value, str) and (value in CORE_RESULT_TYPES or value in own)):
            _refuse(model, "result_type_invalid", [("resultType",)])
        return
    keys = demands.meta
    if registry is not None:
        keys = tuple(dict.fromkeys((*keys, *registry.meta_keys(model, version))))
    if keys:
        present = request_meta(model)
        if present is None:
            present = on_wire(_value(sent), "params", "_meta")
        missing = [("params", "_meta", key) for key in keys if key not in present]
        if missing:
            _refuse(model, "missing_required_meta", missing)


def named(error: ValidationError, version: str) -> ValidationError:
    """A safe error of reading, where a `resultType` that is no string is named as any other that is not known."""
    from mcp_surfaces.located import refused, under, violation  # only bad data pays for it

    wrong = [
        place
        for place, detail in enumerate(error.errors(include_url=False))
        if detail["loc"][-1:] == ("resultType",) and detail["type"] != "missing"
    ]
    if not wrong or not is_known(version) or not surface_for(version).strict:
        return error
    entries = [*under(error)]
    for place in wrong:
        entries[place] = violation("result_type_invalid", entries[place].get("loc", ()))
    return refused(error.title, entries)


def _value(sent: object) -> object:
    return from_json(sent) if isinstance(sent, bytes | bytearray | str) else sent


def _refuse(model: object, kind: str, places: Sequence[tuple[str, ...]]) -> None:
    from mcp_surfaces.located import refused, violation  # only bad data pays for it

    raise refused(type(model).__name__, [violation(kind, place) for place in places])
