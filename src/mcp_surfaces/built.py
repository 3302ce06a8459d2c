"""Validators and serializers of models and types, built once, on first use, under one lock.

Generated models put off building until they are used; concurrent first uses would otherwise build at the same time.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from types import GenericAlias
from typing import Any, cast

from pydantic_core import SchemaSerializer, SchemaValidator

from mcp_surfaces.base import OLDER_PYDANTIC

__all__ = ["in_order", "is_class", "serializer", "validator"]

_lock = threading.RLock()


def validator(type_: Any) -> SchemaValidator:
    """The validator of `type_`: a model class, a union, or anything hashable that `TypeAdapter` takes."""
    if _is_model(type_):
        result: SchemaValidator = type_.__pydantic_validator__
        return result
    with _lock:
        return _adapted(type_, in_order(type_))


def in_order(type_: Any) -> tuple[Any, ...]:
    """What a type is made of, in order; types that differ in the order of a union alone are equal."""
    if is_class(type_):
        return ()
    arguments = getattr(type_, "__args__", ())
    return arguments, *[found for one in arguments if not is_class(one) and (found := in_order(one))]


def is_class(type_: Any) -> bool:
    """Whether `type_` is a class, not an alias; `list[int]` passes for one before Python 3.11."""
    return isinstance(type_, type) and not isinstance(type_, GenericAlias)


def serializer(model: type[Any]) -> SchemaSerializer:
    """The serializer of a model class."""
    _is_model(model)
    result: SchemaSerializer = model.__pydantic_serializer__
    return result


def _is_model(type_: Any) -> bool:
    """Whether `type_` is a model class; it is then built."""
    complete = getattr(type_, "__pydantic_complete__", None)
    if complete is False:
        with _lock:
            type_.model_rebuild()
    return complete is not None and isinstance(type_, type)


@lru_cache(maxsize=256)
def _adapted(type_: Any, _: tuple[Any, ...]) -> SchemaValidator:
    from pydantic import TypeAdapter

    if OLDER_PYDANTIC:
        from mcp_surfaces.older_pydantic import build_all

        build_all(type_)
    adapter: TypeAdapter[Any] = TypeAdapter(type_)
    return cast("SchemaValidator", adapter.validator)
