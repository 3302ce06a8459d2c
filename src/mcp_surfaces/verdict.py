"""Verdicts: the validator of an exact model, without building what it validates.

Emission only asks whether a text is valid on the surface, so models become typed dicts and unknown members are passed
over, which is two to three times as fast. The answer is the model's own; a test holds the two against each other.
"""

from __future__ import annotations

from typing import Any, Final, cast

from pydantic_core import SchemaValidator
from pydantic_core.core_schema import CoreConfig, CoreSchema

__all__ = ["verdict"]

_DROPPED: Final = frozenset({"metadata", "serialization"})

_STRICT: Final[CoreConfig] = {"strict": True}
"""A typed dict inherits no configuration."""


def verdict(schema: CoreSchema) -> SchemaValidator:
    """A validator that accepts what the core schema of an exact model accepts; its output means nothing."""
    return SchemaValidator(cast("CoreSchema", _rewritten(schema)), _STRICT)


def _rewritten(node: Any) -> Any:
    if isinstance(node, list):
        return [_rewritten(item) for item in cast("list[object]", node)]
    if isinstance(node, tuple):  # a choice and its label
        return tuple(_rewritten(item) for item in cast("tuple[object, ...]", node))
    if not isinstance(node, dict):
        return node
    schema = cast("dict[str, Any]", node)
    if schema.get("type") == "model":
        inner = _rewritten(schema["schema"])
        return {**inner, "ref": schema["ref"]} if "ref" in schema else inner
    if schema.get("type") == "model-fields":
        fields = {name: _field(field) for name, field in schema["fields"].items()}
        return {"type": "typed-dict", "fields": fields, "extra_behavior": "ignore", "config": _STRICT}
    return {key: _rewritten(value) for key, value in schema.items() if key not in _DROPPED}


def _field(field: dict[str, Any]) -> dict[str, Any]:
    """A model field as a typed dict's: absence instead of a default that stands for it."""
    schema = field["schema"]
    optional = schema["type"] == "default"
    result = {"type": "typed-dict-field", "schema": _rewritten(_present(schema["schema"] if optional else schema))}
    if "validation_alias" in field:
        result["validation_alias"] = field["validation_alias"]
    return {**result, "required": not optional}


def _present(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` without what stands for absence, which no text holds: a wrapper, or in older pydantic an arm."""
    if _is_absence(schema) and "schema" in schema:
        inner: dict[str, Any] = schema["schema"]
        return inner
    if schema["type"] != "union":
        return schema
    choices = [choice for choice in schema["choices"] if not _is_absence(choice)]
    return choices[0] if len(choices) == 1 else {**schema, "choices": choices}


def _is_absence(choice: Any) -> bool:
    return isinstance(choice, dict) and cast("dict[str, Any]", choice).get("type") == "missing-sentinel"
