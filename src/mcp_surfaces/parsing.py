"""From the wire to a typed message: one lenient parse, then what the revision demands of every message.

`readers` knows how a value is read as a type, `mandates` what is demanded, `exactness` what `strict` adds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import ValidationError

from mcp_surfaces.base import OLDER_PYDANTIC
from mcp_surfaces.built import is_class
from mcp_surfaces.elements import each_model
from mcp_surfaces.lazy import Later
from mcp_surfaces.mandates import Demands, demands_of, enforce, named
from mcp_surfaces.readers import direct, has_documents, holds_models, reader, title_of
from mcp_surfaces.routing import is_known
from mcp_surfaces.strict_json import check, has_word, is_mostly_strings, is_strict, loads

if TYPE_CHECKING:
    from mcp_surfaces import exactness as _exactness
    from mcp_surfaces.registry import Registry
else:
    _exactness = Later("mcp_surfaces.exactness")  # only strict parsing needs it

__all__ = ["from_text", "from_value"]

_JSON_FIRST: Final = 32_768
"""From this many bytes on it may be faster to parse the JSON first and to validate the value."""

_BY_CLASS: Final = Demands(False, False, ())
"""Stands for the demands of a union, which are those of the class that was parsed."""

_plans: dict[tuple[Any, str], tuple[Callable[..., Any] | None, Demands | None]] = {}
"""By type and version: the validator for text, where the type needs no other look, and what the version demands."""


def from_text(type_: Any, data: bytes | bytearray | str, version: str, strict: bool, registry: Registry | None) -> Any:
    """`data`, a JSON text, as `type_`. Errors are those of `wire.parse_json`.

    Text that a validator takes in one pass is done; all other text is parsed first, and errors come from there.
    """
    try:
        read, demands = _plans[type_, version]
    except (KeyError, TypeError):
        read, demands = _plan(type_, version)
    if read is None or not hasattr(data, "__len__"):
        return _parse(type_, loads(data), version, strict, registry)
    if len(data) >= _JSON_FIRST and (strict or has_documents(type_) or _is_mostly_strings(data)):
        value = loads(data)
        return _parse(type_, value, version, strict and not _exactness.is_exact_value(type_, value, version), registry)
    exact = strict and _exactness.is_exact(type_, data, version)
    if exact or not strict:
        try:
            model: Any = read(data, by_alias=True, by_name=False)
        except (ValidationError, ValueError, TypeError):
            model = None
        if model is not None and _is_strict(data):
            if demands is _BY_CLASS:
                _enforce(model, data, version, registry)
            elif demands is not None:
                enforce(demands, model, data, version, registry)
            return model
    return _parse(type_, loads(data), version, strict and not exact, registry)


def from_value(type_: Any, data: object, version: str, strict: bool, registry: Registry | None) -> Any:
    """`data`, a parsed JSON value, as `type_`. Errors are those of `wire.parse_as`."""
    check(data, title=title_of(type_))
    return _parse(type_, data, version, strict, registry)


def _parse(type_: Any, value: Any, version: str, strict: bool, registry: Registry | None) -> Any:
    try:
        if strict:
            _exactness.check_exact(type_, value, version, registry)
        model: Any = reader(type_)(value, version)
        many = model.__class__ in (list, dict) and holds_models(type_)
        if strict and not is_class(type_) and (many or model.__class__ not in (list, dict)):
            each_model(model, value, lambda one, its: _exactness.check_exact(one.__class__, its, version, registry))
    except ValidationError as error:
        raise named(error, version) from None
    if many:
        each_model(model, value, lambda one, its: _enforce(one, its, version, registry))
    elif model.__class__ not in (list, dict):
        _enforce(model, value, version, registry)
    return model


def _enforce(model: Any, sent: object, version: str, registry: Registry | None) -> None:
    demands = demands_of(model.__class__, version)
    if demands is not None:
        enforce(demands, model, sent, version, registry)


def _plan(type_: Any, version: str) -> tuple[Callable[..., Any] | None, Demands | None]:
    if not is_known(version):
        return None, None
    plan: tuple[Callable[..., Any] | None, Demands | None] = None, None
    validator = direct(type_)
    if validator is not None and not OLDER_PYDANTIC:  # which loses unknown members of a text spelt like attributes
        plan = validator.validate_json, demands_of(type_, version) if is_class(type_) else _BY_CLASS
    return _plans.setdefault((type_, version), plan)


def _is_mostly_strings(data: bytes | bytearray | str) -> bool:
    return isinstance(data, bytes | bytearray) and is_mostly_strings(data)


def _is_strict(data: bytes | bytearray | str) -> bool:
    """`is_strict` of a text that was read without an error; a search beats a second parse."""
    if isinstance(data, str):
        return is_strict(data)
    return not has_word(data) or is_strict(data)
