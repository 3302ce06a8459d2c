"""The seeded sample of the ordinary suite: the same code as the full run, fewer instances, made once in a process."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tests.fidelity.compare import Plan, cases
from tests.fidelity.judge import Judge, amended_schema, pinned_schema
from tests.fidelity.shapes import Json

SAMPLE = Plan(instances=5, mutations=22, share=4, drawn=0)


class Case(NamedTuple):
    """An instance, how it was made, its JSON text and the judge's verdict."""

    kind: str
    value: Json
    text: str
    valid: bool


@cache
def sampled(revision: str, pinned: bool = False) -> dict[str, list[Case]]:
    """The sample of every definition of `revision`: of its amended schema, or of the pin itself."""
    if pinned and pinned_schema(revision) == amended_schema(revision):
        return sampled(revision)
    schema = pinned_schema(revision) if pinned else amended_schema(revision)
    judge = Judge(schema)
    return {
        name: [
            Case(kind, value, text, judge.accepts(name, value))
            for kind, value, text in cases(schema, revision, name, SAMPLE)
        ]
        for name in schema["$defs"]
    }
