"""Strict parsing: whether a body is exactly what the surface of a version says."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from pydantic_core import SchemaValidator, ValidationError

from mcp_surfaces.bodies import ENVELOPE, body_of, exact_validator, is_class, spec_name
from mcp_surfaces.framing import is_message
from mcp_surfaces.routing import surface_for
from mcp_surfaces.verdict import verdict

__all__ = ["check_exact", "is_exact", "is_exact_value"]


def is_exact(type_: Any, data: object, version: str) -> bool:
    """Whether the surface of `version` accepts a text as what `type_` is there; False too where that cannot be told."""
    exact = _verdict(type_, version)
    if exact is None or not isinstance(data, bytes | bytearray) or not data.endswith(b"}"):
        return False
    validator, enveloped = exact
    try:
        validator.validate_json(b"".join((memoryview(data)[:-1], ENVELOPE)) if enveloped else data)
    except (ValidationError, ValueError):
        return False
    return True


def is_exact_value(type_: Any, value: object, version: str) -> bool:
    """As `is_exact`, of a JSON value."""
    exact = _verdict(type_, version)
    if exact is None or not isinstance(value, dict):
        return False
    validator, enveloped = exact
    try:
        validator.validate_python(_framed(cast("dict[str, Any]", value)) if enveloped else value)
    except ValidationError:
        return False
    return True


def _framed(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "id": 0, "jsonrpc": "2.0"}


@lru_cache(maxsize=1024)
def _verdict(type_: Any, version: str) -> tuple[SchemaValidator, bool] | None:
    """What raises on what is not what `type_` is at `version`, and whether that must have an envelope."""
    place = body_of(type_, version) if is_class(type_) else None
    if place is None or place.body is None:
        return None
    return verdict(place.surface.package, place.body.definition), place.body.enveloped


def check_exact(type_: Any, value: Any, version: str) -> None:
    """Raise `ValidationError` where the surface of `version` refuses `value` as what `type_` is there.

    A union passes: what counts is the class that its parse ends with. Raises `UnknownProtocolVersionError`.
    """
    surface = surface_for(version)
    if is_message(type_):
        if isinstance(value, list) and version in surface.batches:
            for frame in cast("list[object]", value):
                check_exact(type_, frame, version)
        else:
            _check(type_, "JSONRPCMessage", value, surface.package)
    elif is_class(type_):
        place = body_of(type_, version)
        if place is None:
            _check(type_, spec_name(type_) or "", value, surface.package)
        elif place.body is None:
            from mcp_surfaces.located import refused, violation  # only bad data pays for it

            raise refused(type_.__name__, [violation("undefined_type", (), "The revision defines no such message")])
        else:
            if place.body.enveloped and isinstance(value, dict):
                value = _framed(cast("dict[str, Any]", value))
            _check(type_, place.body.definition, value, surface.package)


def _check(type_: Any, name: str, value: Any, package: str) -> None:
    exact = exact_validator(package, name)
    if exact is None:
        return
    try:
        exact.validate_python(value)
    except ValidationError as error:
        from mcp_surfaces.located import located

        raise located(error, value, title=getattr(type_, "__name__", "message")) from None
