"""What superset models need before pydantic 2.14, which alone can write an instance of a class that was never built.

Such an instance stands in a free-form value or a union when another class' validator, `model_construct` or unpickling
made it. So a class is built together with those it refers to, and before an instance is made without validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel
from typing_extensions import Self

__all__ = ["BuiltWithItsMembers"]


class BuiltWithItsMembers(BaseModel):
    """Base of models whose instances can be written wherever they stand."""

    @classmethod
    def __pydantic_on_complete__(cls) -> None:
        for field in cls.__pydantic_fields__.values():
            for model in _models(field.annotation):
                model.model_rebuild()

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """An instance of `values`, which are not validated."""
        cls.model_rebuild()
        return super().model_construct(_fields_set, **values)

    def __setstate__(self, state: dict[Any, Any]) -> None:
        super().__setstate__(state)
        type(self).model_rebuild()


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The model classes in a type."""
    if isinstance(annotation, type) and issubclass(annotation, BuiltWithItsMembers):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
