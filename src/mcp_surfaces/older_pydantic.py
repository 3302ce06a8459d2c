"""What superset models need before pydantic 2.14, which builds under a lock and writes instances of unbuilt classes.

Such an instance stands in a free-form value or a union when another class' validator, `model_construct` or unpickling
made it. So a class is built together with those it refers to, and before an instance is made without validation.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel
from typing_extensions import Self

__all__ = ["BuiltWithItsMembers", "build_all"]

_lock = threading.RLock()


class BuiltWithItsMembers(BaseModel):
    """Base of models whose instances can be written wherever they stand."""

    @classmethod
    def __pydantic_on_complete__(cls) -> None:
        for field in cls.__pydantic_fields__.values():
            build_all(field.annotation)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """Build the class, as pydantic does, one thread at a time."""
        if cls.__pydantic_complete__ and not force:
            return None
        with _lock:
            return super().model_rebuild(
                force=force,
                raise_errors=raise_errors,
                _parent_namespace_depth=_parent_namespace_depth + (_parent_namespace_depth > 0),
                _types_namespace=_types_namespace,
            )

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """An instance of `values`, which are not validated."""
        cls.model_rebuild()
        return super().model_construct(_fields_set, **values)

    def __setstate__(self, state: dict[Any, Any]) -> None:
        super().__setstate__(state)
        type(self).model_rebuild()


def build_all(annotation: Any) -> None:
    """Build the model classes in a type."""
    for model in _models(annotation):
        model.model_rebuild()


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The model classes in a type."""
    if isinstance(annotation, type) and issubclass(annotation, BuiltWithItsMembers):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
