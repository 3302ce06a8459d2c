"""Verdicts: whether a text is what a definition of a surface accepts, without making or building any model.

Emission only asks for a yes or a no. The generator writes the tables (`codegen/verdicts.py`); a test holds the verdicts
against the exact models.
"""

from __future__ import annotations

import math
import os
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from pydantic_core import SchemaValidator, from_json
from pydantic_core.core_schema import CoreConfig, CoreSchema

from mcp_surfaces.base import whole

__all__ = ["verdict"]

_STRICT: Final[CoreConfig] = {"strict": True}


class _Table(NamedTuple):
    """What the generator wrote for one surface."""

    definitions: dict[str, Any]
    recursive: frozenset[str]
    """The definitions that contain themselves."""


@lru_cache(maxsize=4096)
def verdict(package: str, name: str) -> SchemaValidator:
    """A validator that accepts the texts that the definition `name` of a surface accepts; its output means nothing."""
    table = _table(package)
    parts: dict[str, Any] = {}
    schema: CoreSchema = _completed(table.definitions[name], table, parts)
    if parts:
        schema = {"type": "definitions", "schema": schema, "definitions": list(parts.values())}
    return SchemaValidator(schema, _STRICT)


@lru_cache(maxsize=16)
def _table(package: str) -> _Table:
    module: Any = import_module(package)
    path = os.path.join(os.path.dirname(module.__file__), "verdicts.json")
    data = from_json(module.__spec__.loader.get_data(path))
    return _Table(data["definitions"], frozenset(data["recursive"]))


def _completed(node: Any, table: _Table, parts: dict[str, Any]) -> Any:
    """`node` as a core schema; definitions that contain themselves go into `parts`, others take their place."""
    if isinstance(node, list):
        return [_completed(item, table, parts) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("dict[str, Any]", node)
    kind = schema.get("type")
    if kind == "definition-ref":
        name: str = schema["schema_ref"]
        if name not in table.recursive:
            return _completed(table.definitions[name], table, parts)
        if name not in parts:
            parts[name] = None
            parts[name] = {**_completed(table.definitions[name], table, parts), "ref": name}
        return schema
    if isinstance(kind, str) and kind in _NUMBERS:  # a member may be called "type"
        bounds = {key: value for key, value in schema.items() if key != "type"}
        return _NUMBERS[kind](bounds)
    return {key: _completed(value, table, parts) for key, value in schema.items()}


def _whole_bounds(bounds: dict[str, Any]) -> dict[str, Any]:
    """The bounds for integers: pydantic-core takes no fractions there."""
    return {key: (math.ceil if key == "ge" else math.floor)(value) for key, value in bounds.items()}


def _integer(bounds: dict[str, Any]) -> dict[str, Any]:
    number = {"type": "float", "allow_inf_nan": False, **bounds}
    exact = {"type": "function-after", "function": {"type": "no-info", "function": whole}, "schema": number}
    return {"type": "union", "mode": "left_to_right", "choices": [{"type": "int", **_whole_bounds(bounds)}, exact]}


def _number(bounds: dict[str, Any]) -> dict[str, Any]:
    choices = [{"type": "int", **_whole_bounds(bounds)}, {"type": "float", **bounds}]
    return {"type": "union", "mode": "left_to_right", "choices": choices}


_NUMBERS: Final = {"integer": _integer, "number": _number}
