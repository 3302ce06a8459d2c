"""Strict parsing: whether a body is exactly what the surface of a version says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_core import SchemaValidator, ValidationError

from mcp_surfaces.bodies import body_of, exact_validator, framed, framed_text, is_own, spec_name
from mcp_surfaces.built import is_class
from mcp_surfaces.elements import each
from mcp_surfaces.framing import is_frame, is_message
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from mcp_surfaces.routing import surface_for
from mcp_surfaces.verdict import verdict

if TYPE_CHECKING:
    from mcp_surfaces.registry import Registry

__all__ = ["check_exact", "is_exact", "is_exact_value"]


_BYTES: Final = bytes, bytearray


def is_exact(type_: Any, data: object, version: str) -> bool:
    """Whether the surface of `version` accepts a text as what `type_` is there; False too where that cannot be told."""
    exact = _verdict(type_, version)
    if exact is None or not isinstance(data, _BYTES) or data[-1:] != b"}":
        return False
    validator, enveloped = exact
    try:
        validator.validate_json(framed_text(data) if enveloped else data)
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
        validator.validate_python(framed(cast("dict[str, Any]", value)) if enveloped else value)
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=1024)
def _verdict(type_: Any, version: str) -> tuple[SchemaValidator, bool] | None:
    """What raises on what is not what `type_` is at `version`, and whether that must have an envelope."""
    place = body_of(type_, version) if is_class(type_) else None
    if place is None or place.body is None:
        return None
    return verdict(place.surface.package, place.body.definition), place.body.enveloped


def check_exact(type_: Any, value: Any, version: str, registry: Registry | None = None) -> None:
    """Raise `ValidationError` where the surface of `version` refuses `value` as what `type_` is there.

    A union or a list passes: what counts is what its parse ends with. A class that only `registry` has at the version
    is held to what the surface says of any request, notification or result.
    Raises `UnknownProtocolVersionError`.
    """
    surface = surface_for(version)
    if is_message(type_) and isinstance(value, list) and version in surface.batches:
        each(enumerate(cast("list[object]", value)), lambda frame: check_exact(type_, frame, version))
    elif is_message(type_) or is_frame(type_):
        _check(type_, "JSONRPCMessage", value, surface.package)
    elif is_class(type_):
        place = body_of(type_, version)
        if place is None:
            _check_fragment(type_, value, version)
        else:
            registered = registry is not None and registry.has(type_, version)
            body = place.body or (place.generic if registered else None)
            if body is None:
                raise _undefined(type_)
            if body.enveloped and isinstance(value, dict):
                value = framed(cast("dict[str, Any]", value))
            _check(type_, body.definition, value, surface.package)


def _check_fragment(cls: Any, value: Any, version: str) -> None:
    """As `check_exact`, for a class that is no body: what counts of a user's own is what it stands on."""
    own = next((base for base in cls.__mro__ if is_own(base)), cls)
    package = surface_for(version).package
    name = _definition(own, package)
    if name:
        _check(cls, name, value, package)
    elif version not in _revisions(own):
        raise _undefined(cls)


def _revisions(cls: Any) -> Sequence[str]:
    """The revisions that define a class, all where it is no construct of its own anywhere."""
    from mcp_surfaces.types.availability import CLASSES

    return CLASSES.get(spec_name(cls) or "", KNOWN_PROTOCOL_VERSIONS)


def _undefined(cls: Any) -> ValidationError:
    from mcp_surfaces.located import refused, violation  # only bad data pays for it

    return refused(cls.__name__, [violation("undefined_type", (), "The revision defines no such type")])


@lru_cache(maxsize=1024)
def _definition(cls: Any, package: str) -> str:
    """What a surface calls a class that is no body; empty where it has none, or several."""
    known: Sequence[str] = import_module(package).__all__
    if spec_name(cls) in known:
        return str(cls.__name__)
    types = import_module("mcp_surfaces.types")
    names = [name for name in known if getattr(types, name, None) is cls]
    return names[0] if len(names) == 1 else ""


def _check(type_: Any, name: str, value: Any, package: str) -> None:
    exact = cast("SchemaValidator", exact_validator(package, name))
    try:
        exact.validate_python(value)
    except ValidationError as error:
        from mcp_surfaces.located import located

        raise located(error, value, title=getattr(type_, "__name__", "message")) from None
