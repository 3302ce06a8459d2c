"""Amendments are the only difference: surface = canonical schema + listed amendments, exactly."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import cast

import pytest

from codegen.amend import Amendment, amend, amendments
from tests.fidelity.adapter import Package
from tests.fidelity.judge import Judge, amended_schema, pinned_schema
from tests.fidelity.sample import sampled
from tests.fidelity.shapes import Json, Shape, Shapes, dumps

pytestmark = pytest.mark.untraced

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
SURFACES = {"2025-11-25": "mcp_surfaces.v2025_11_25", "2026-07-28": "mcp_surfaces.v2026_07_28"}


def children(node: object) -> dict[str, object]:
    """The nodes inside `node` by reference token; a list of plain values has none."""
    if isinstance(node, dict):
        return cast("dict[str, object]", node)
    items = cast("list[object]", node) if isinstance(node, list) else []
    return {str(index): item for index, item in enumerate(items)} if any(map(children, items)) else {}


def differences(old: object, new: object, pointer: str = "") -> Iterator[str]:
    """The JSON Pointers of the smallest nodes in which two documents differ."""
    before, after = children(old), children(new)
    if before and before.keys() == after.keys():
        for key in before:
            yield from differences(before[key], after[key], f"{pointer}/{key}")
    elif old != new:
        yield pointer


def layers(revision: str) -> list[tuple[Amendment, Shape, Shape]]:
    """Each amendment that applies at `revision`, with the schema before and after it is laid on."""
    schemas = {revision: pinned_schema(revision)}
    pointers = set(differences(schemas[revision], amended_schema(revision)))
    found: list[tuple[Amendment, Shape, Shape]] = []
    for change in amendments():
        if change.pointer not in pointers:
            continue
        before = copy.deepcopy(schemas[revision])
        schemas, applied = amend(schemas, [change])
        assert applied == {change.name: [revision]}
        found.append((change, before, schemas[revision]))
    return found


LAYERS = [(revision, *layer) for revision in REVISIONS for layer in layers(revision)]
NAMES = [f"{revision} {change.name}" for revision, change, _, _ in LAYERS]


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_schemas_differ_where_an_amendment_points_and_nowhere_else(revision: str) -> None:
    listed = {change.pointer for change, _, _ in layers(revision)}
    assert set(differences(pinned_schema(revision), amended_schema(revision))) == listed


def test_every_listed_amendment_applies_somewhere() -> None:
    assert {change.name for _, change, _, _ in LAYERS} == {change.name for change in amendments()}


def split(revision: str, name: str, before: Judge, after: Judge) -> list[tuple[Json, bool]]:
    """The instances of `name` that the two judges judge differently, with the later verdict."""
    verdicts = [
        (case.value, before.accepts(name, case.value), after.accepts(name, case.value))
        for case in sampled(revision)[name]
    ]
    return [(value, later) for value, earlier, later in verdicts if earlier != later]


@pytest.mark.parametrize(("revision", "change", "before", "after"), LAYERS, ids=NAMES)
def test_an_amendment_changes_verdicts_where_it_reaches_and_only_there(
    revision: str, change: Amendment, before: Shape, after: Shape
) -> None:
    target = change.pointer.split("/")[2]
    shapes, one, two = Shapes(after), Judge(before), Judge(after)
    assert split(revision, target, one, two)
    for name in after["$defs"]:
        if name != target and target not in shapes.reaches(name):
            assert one.document(name) == two.document(name), "what does not reach the target says what it said"
            continue
        found = split(revision, name, one, two)
        assert all(verdict for _, verdict in found), "an amendment only ever admits more"
        assert all(two.confirmed(name, value) for value, _ in found[:1])


@pytest.mark.parametrize("revision", sorted(SURFACES))
def test_the_surface_follows_the_amended_schema_wherever_the_two_part(revision: str) -> None:
    package = Package.named(SURFACES[revision])
    one, two = Judge(pinned_schema(revision)), Judge(amended_schema(revision))
    parted = 0
    for name in two.schema["$defs"]:
        found = split(revision, name, one, two)
        model = package.model(name) if found else None
        for value, verdict in found:
            assert model is not None, name
            assert model.verdicts(value, dumps(value)) == (verdict, verdict), dumps(value)
        parted += len(found)
    assert parted > 5


def test_what_the_amendments_are_for() -> None:
    """The cases that made each of them necessary."""
    judges = {revision: Judge(amended_schema(revision)) for revision in REVISIONS}
    for revision in ("2025-06-18", "2025-11-25", "2026-07-28"):
        for answer in (0.5, None):
            assert judges[revision].confirmed("ElicitResult", {"action": "accept", "content": {"a": answer}})
            assert not Judge(pinned_schema(revision)).confirmed(
                "ElicitResult", {"action": "accept", "content": {"a": answer}}
            )
    values: list[Json] = [0.5, None, [None, {"a": 1.5}]]
    for value in values:
        assert judges["2026-07-28"].confirmed("JSONValue", value)
        assert not Judge(pinned_schema("2026-07-28")).confirmed("JSONValue", value)
