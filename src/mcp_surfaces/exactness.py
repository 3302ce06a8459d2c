"""Strict parsing: whether a body is exactly what the surface of a version says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import SchemaValidator, ValidationError

from mcp_surfaces.bodies import ENVELOPE, body_of, exact_validator, is_class, is_own, spec_name
from mcp_surfaces.framing import is_frame, is_message
from mcp_surfaces.routing import surface_for
from mcp_surfaces.verdict import verdict

if TYPE_CHECKING:
    from mcp_surfaces.registry import Registry

__all__ = ["check_exact", "check_parsed", "is_exact", "is_exact_value"]


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


def check_exact(type_: Any, value: Any, version: str, registry: Registry | None = None) -> None:
    """Raise `ValidationError` where the surface of `version` refuses `value` as what `type_` is there.

    A union passes: what counts is what its parse ends with. So does a class that only `registry` has at the version.
    Raises `UnknownProtocolVersionError`.
    """
    surface = surface_for(version)
    if is_message(type_) and isinstance(value, list) and version in surface.batches:
        _check_each(enumerate(cast("list[object]", value)), lambda _, frame: check_exact(type_, frame, version))
    elif is_message(type_) or is_frame(type_):
        _check(type_, "JSONRPCMessage", value, surface.package)
    elif is_class(type_):
        place = body_of(type_, version)
        if place is None:
            _check(type_, _definition(type_, surface.package), value, surface.package)
        elif place.body is not None:
            if place.body.enveloped and isinstance(value, dict):
                value = _framed(cast("dict[str, Any]", value))
            _check(type_, place.body.definition, value, surface.package)
        elif registry is None or not registry.has(type_, version):
            from mcp_surfaces.located import refused, violation  # only bad data pays for it

            raise refused(type_.__name__, [violation("undefined_type", (), "The revision defines no such message")])


def check_parsed(parsed: Any, value: Any, version: str, registry: Registry | None) -> None:
    """As `check_exact`, for what `value` was parsed as: a model, or a list or map of some."""
    if isinstance(parsed, list | dict):
        keys: Iterable[int | str] = range(len(value)) if isinstance(parsed, list) else value
        items = [(key, cast("Any", parsed)[key]) for key in keys]
        _check_each(items, lambda key, one: check_parsed(one, value[key], version, registry))
    elif hasattr(parsed, "__pydantic_fields__"):
        check_exact(parsed.__class__, value, version, registry)


def _check_each(items: Iterable[tuple[int | str, object]], check: Callable[[Any, object], None]) -> None:
    errors: list[tuple[int | str, ValidationError]] = []
    for key, item in items:
        try:
            check(key, item)
        except ValidationError as error:
            errors.append((key, error))
    if errors:
        from mcp_surfaces.located import refused, violation  # only bad data pays for it

        entries = [(key, entry) for key, error in errors for entry in error.errors(include_url=False)]
        raise refused(
            "message", [violation(entry["type"], (key, *entry["loc"]), entry["msg"]) for key, entry in entries]
        )


@lru_cache(maxsize=1024)
def _definition(cls: Any, package: str) -> str:
    """What a surface calls a class that is no body; empty where it has none, or several."""
    known: Sequence[str] = import_module(package).__all__
    if spec_name(cls) in known or not is_own(cls):
        return spec_name(cls) or ""
    types = import_module("mcp_surfaces.types")
    names = [name for name in known if getattr(types, name, None) is cls]
    return names[0] if len(names) == 1 else ""


def _check(type_: Any, name: str, value: Any, package: str) -> None:
    exact = exact_validator(package, name)
    if exact is None:
        return
    try:
        exact.validate_python(value)
    except ValidationError as error:
        from mcp_surfaces.located import located

        raise located(error, value, title=getattr(type_, "__name__", "message")) from None
