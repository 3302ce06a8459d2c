"""The wire over generated bodies of every revision: a legal one is parsed, strictly too, audited as legal and written
back equal; at the newest revision of a surface an illegal one is refused strictly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from mcp_surfaces import types, wire
from mcp_surfaces.bodies import framed
from mcp_surfaces.types.constants import CORE_RESULT_TYPES
from tests.fidelity.compare import Plan, cases
from tests.fidelity.judge import Judge, amended_schema
from tests.fidelity.shapes import Json, dumps
from tests.wire.support import emit, parse

pytestmark = pytest.mark.untraced

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
SURFACES = REVISIONS[-2:]
GENERIC = ("Notification", "Request")
PLAN = Plan(instances=4, mutations=12, share=2, drawn=0)


def bodies(revision: str) -> Iterator[tuple[type[Any], str, dict[str, Json]]]:
    """The body definitions of a revision that the superset has a class for, with generated objects of each."""
    schema = amended_schema(revision)
    for name in sorted(schema["$defs"]):
        cls: Any = getattr(types, name, None)
        if isinstance(cls, type) and issubclass(cls, (types.Notification, types.Request, types.Result)):
            for _, value, _ in cases(schema, revision, name, PLAN):
                if isinstance(value, dict) and not demanded_besides(name, value):
                    yield cls, name, value


def demanded_besides(name: str, value: dict[str, Json]) -> bool:
    """Whether the specification's prose refuses what its schema accepts: an unknown result type, an empty question."""
    empty = name == "InputRequiredResult" and not value.keys() & {"inputRequests", "requestState"}
    return empty or value.get("resultType") not in (None, *CORE_RESULT_TYPES)


@pytest.mark.parametrize("revision", REVISIONS)
def test_legal_bodies_pass_and_illegal_ones_do_not(revision: str) -> None:
    schema = amended_schema(revision)
    judge, legal, illegal = Judge(schema), 0, 0
    for cls, name, value in bodies(revision):
        members = schema["$defs"][name].get("properties", {})
        whole = framed(value)
        if not judge.accepts(name, {key: whole[key] for key in whole if key in value or key in members}):
            illegal += 1
            if revision in SURFACES:
                with pytest.raises(ValidationError):
                    parse(cls, value, revision, strict=True)
            continue
        legal += 1
        for strict in (False, True):
            model = parse(cls, value, revision, strict=strict)
            audited = [finding for finding in wire.audit(model, revision) if name not in GENERIC]
            assert audited == [], (name, dumps(value))
            written = emit(model, revision, strict=strict)
            assert dumps({key: written[key] for key in value}) == dumps(value)
    assert legal > 300
    assert illegal > 300
