"""Emission: the ways out that ordinary messages do not take."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import field_serializer
from pydantic_core import SchemaValidator, core_schema

from mcp_surfaces import emission, types, verdict, wire


class Unwritable(types.Result):
    """A result whose member refuses to be written."""

    secret: str = "s"

    @field_serializer("secret")
    def refuse(self, value: str) -> str:
        raise ValueError(value)


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_what_cannot_be_written_is_refused_without_its_value(version: str) -> None:
    with pytest.raises(wire.UnsupportedAtVersionError) as caught:
        wire.dump_json(Unwritable(secret="hush"), version)
    assert [(finding.pointer, finding.type) for finding in caught.value.findings] == [("", "not_json")]
    assert "hush" not in str(caught.value)


def test_a_batch_is_of_one_kind() -> None:
    ask = types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")
    answer = types.JSONRPCResponse(jsonrpc="2.0", id=1, result={})
    assert wire.dump_json([ask], "2025-03-26") == b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]'
    with pytest.raises(wire.UnsupportedAtVersionError) as caught:
        wire.dump_json([ask, answer], "2025-03-26")
    assert [finding.type for finding in caught.value.findings] == ["batch_mixed"]


def test_a_verdict_counts_even_if_the_model_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    never = SchemaValidator(core_schema.literal_schema(["never"]))

    def refuses(package: str, name: str) -> Any:
        return never

    monkeypatch.setattr(verdict, "verdict", refuses)
    monkeypatch.setattr(emission, "_forms", {})
    with pytest.raises(wire.UnsupportedAtVersionError) as caught:
        wire.dump_json(types.CallToolResult(content=[]), "2026-07-28")
    assert [finding.type for finding in caught.value.findings] == ["invalid"]


def test_a_null_member_set_past_pydantic_is_emitted() -> None:
    result = types.CallToolResult(content=[])
    object.__setattr__(result, "structured_content", None)
    assert wire.dump_json(result, "2025-11-25") == b'{"content":[],"structuredContent":null}'
