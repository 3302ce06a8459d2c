"""A verdict is the exact model's own, for every definition of both surfaces."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from pydantic import ValidationError
from pydantic_core import SchemaValidator, from_json

from mcp_surfaces.routing import SURFACE_BY_REVISION
from mcp_surfaces.verdict import verdict

REVISIONS = ("2025-11-25", "2026-07-28")


def accepts(validator: SchemaValidator, text: str) -> bool:
    try:
        validator.validate_json(text)
    except ValidationError:
        return False
    return True


def accepts_value(validator: SchemaValidator, text: str) -> bool:
    try:
        validator.validate_python(from_json(text))
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_body_has_a_verdict(revision: str) -> None:
    surface = SURFACE_BY_REVISION[revision]
    for body in surface.bodies.values():
        quick = verdict(surface.package, body.definition)
        assert not accepts(quick, "[]")
        assert verdict(surface.package, body.definition) is quick


@pytest.mark.parametrize("depth", [1, 50])
def test_a_definition_may_contain_itself(depth: int) -> None:
    quick = verdict("mcp_surfaces.v2026_07_28", "JSONObject")
    assert accepts(quick, '{"a":' * depth + "[1, null, {}]" + "}" * depth)
    assert not accepts(quick, "[" * depth + "]" * depth)


def test_a_verdict_builds_no_model_and_passes_over_unknown_members() -> None:
    quick = verdict("mcp_surfaces.v2026_07_28", "CallToolResult")
    text = '{"resultType":"complete","content":[{"type":"text","text":"x","own":1}],"_meta":{"a":1},"own":1}'
    content = [{"type": "text", "text": "x"}]
    assert quick.validate_json(text) == {"resultType": "complete", "content": content, "_meta": {}}


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_bounds_may_be_fractions(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SimpleNamespace(definitions={"A": {"type": kind, "ge": 0.5, "le": 2.5}}, recursive=frozenset[str]())
    monkeypatch.setattr("mcp_surfaces.verdict._table", lambda _: table)
    quick = verdict(f"a package, {kind}", "A")
    assert [text for text in ("0", "0.5", "1", "2", "2.0", "3", "2.6") if accepts(quick, text)] == (
        ["1", "2", "2.0"] if kind == "integer" else ["0.5", "1", "2", "2.0"]
    )


@pytest.mark.parametrize("value", ["1", '"true"', "null"])
def test_a_verdict_is_strict(value: str) -> None:
    quick = verdict("mcp_surfaces.v2025_11_25", "CallToolResult")
    assert accepts(quick, '{"content":[],"isError":true}')
    assert not accepts(quick, f'{{"content":[],"isError":{value}}}')
