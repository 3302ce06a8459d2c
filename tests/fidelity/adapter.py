"""The one place where the proof touches a package of models: an attribute by name, and its verdicts."""

from __future__ import annotations

import importlib
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tests.fidelity.shapes import Json

MODES = ("json", "python")


class Model:
    """The verdicts of one model, or of one alias of models."""

    def __init__(self, obj: Any) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(obj)

    def verdicts(self, value: Json, text: str) -> tuple[bool, bool]:
        """Whether the model takes `text` (JSON mode) and `value`, which is the same (Python mode)."""
        try:
            self._adapter.validate_json(text)
            json_mode = True
        except ValidationError:
            json_mode = False
        try:
            self._adapter.validate_python(value)
            python_mode = True
        except ValidationError:
            python_mode = False
        return json_mode, python_mode


class Package:
    """A package, or anything else with one attribute for each definition."""

    def __init__(self, module: Any) -> None:
        self._module = module

    @classmethod
    def named(cls, path: str) -> Package:
        """The package with import path `path`."""
        return cls(importlib.import_module(path))

    def model(self, name: str) -> Model | None:
        """The model of definition `name`; None where the package has none."""
        obj = getattr(self._module, name, None)
        return None if obj is None else Model(obj)
