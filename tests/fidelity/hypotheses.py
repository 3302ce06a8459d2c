"""More valid instances, from hypothesis-jsonschema, for the definitions it copes with: neither recursive nor large."""

from __future__ import annotations

from typing import Any, cast

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from hypothesis_jsonschema import from_schema

from tests.fidelity.shapes import Json, Shape, Shapes

LARGEST = 12
"""The most schema nodes reachable from a definition that is still tried: the time taken grows faster than they do."""


def drawn(schema: Shape, name: str, count: int, start: int) -> list[Json]:
    """Up to `count` instances of definition `name`; none where hypothesis-jsonschema does not cope."""
    shapes = Shapes(schema)
    if shapes.recursive(name) or sum(1 for _ in shapes.nodes(name)) > LARGEST:
        return []
    found: list[Json] = []
    strategy = cast("SearchStrategy[Any]", from_schema(inline(shapes, shapes.of(name))))

    @seed(start)
    @settings(
        database=None,
        deadline=None,
        max_examples=count,
        phases=[Phase.generate],
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(cast("Json", value))

    collect()
    return found


def inline(shapes: Shapes, node: Any) -> Any:
    """`node` with every reference replaced by what it refers to."""
    if isinstance(node, list):
        return [inline(shapes, part) for part in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    entries = cast("Shape", node)
    if "$ref" in entries:
        return inline(shapes, shapes.flat(entries))
    return {key: inline(shapes, value) for key, value in entries.items()}
