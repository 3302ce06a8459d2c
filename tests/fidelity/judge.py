"""The judge: what JSON Schema says of an instance, asked of a validator that knows nothing of our code.

`format` is an annotation only, and 5.0 is an integer: both as the specification of JSON Schema has it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import jsonschema_rs
from jsonschema.validators import validator_for

from tests.fidelity.shapes import Json, Shape, Shapes


class Validator(Protocol):
    """What both validators have in common."""

    def is_valid(self, instance: Any, /) -> bool:
        """Whether `instance` is valid."""
        ...


class JudgesDisagreeError(Exception):
    """The two validators judge one instance differently, so neither verdict proves anything."""


class Judge:
    """Verdicts over one canonical schema, each definition's validator compiled once."""

    def __init__(self, schema: Shape) -> None:
        self.schema = schema
        self._fast: dict[str, Validator] = {}
        self._slow: dict[str, Validator] = {}

    def document(self, name: str) -> Shape:
        """The schema of definition `name` alone, with what it reaches: the time to compile grows with the rest too."""
        definitions: Shape = self.schema["$defs"]
        reached = {name, *Shapes(self.schema).reaches(name)}
        kept = {other: definitions[other] for other in definitions if other in reached}
        return {"$schema": self.schema["$schema"], "$ref": f"#/$defs/{name}", "$defs": kept}

    def accepts(self, name: str, value: Json) -> bool:
        """Whether `value` is an instance of definition `name`."""
        validator = self._fast.get(name)
        if validator is None:
            validator = self._fast[name] = jsonschema_rs.validator_for(self.document(name), validate_formats=False)
        return validator.is_valid(value)

    def second_opinion(self, name: str, value: Json) -> bool:
        """The same question asked of the slower, independent validator."""
        validator = self._slow.get(name)
        if validator is None:
            document: Any = self.document(name)
            made: Any = validator_for(document)
            validator = self._slow[name] = made(document)
        assert validator is not None
        return validator.is_valid(value)

    def confirmed(self, name: str, value: Json) -> bool:
        """The verdict of both validators. Raises JudgesDisagreeError when they differ."""
        verdict = self.accepts(name, value)
        if self.second_opinion(name, value) != verdict:
            raise JudgesDisagreeError(f"{name}: jsonschema_rs says {verdict}, jsonschema does not: {value!r}")
        return verdict


@cache
def amended_schema(revision: str) -> Shape:
    """The amended canonical schema of `revision`: what a surface must say exactly."""
    from codegen.amend import amended

    return amended(revision)


@cache
def pinned_schema(revision: str) -> Shape:
    """The canonical schema of `revision` as upstream has it."""
    from codegen.pin import load, pins

    return load(pins()[revision])
