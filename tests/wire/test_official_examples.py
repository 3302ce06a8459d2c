"""Every example published with the 2026-07-28 schema is read and comes back equal, through both forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_surfaces import types
from mcp_surfaces.built import is_class

from .support import SHARED, body_of, returns

PATH = SHARED / "examples" / "official-2026-07-28.jsonl"
EXAMPLES: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []


@pytest.mark.skipif(not EXAMPLES, reason="the official examples are not here")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e['definition']}-{e['name']}")
def test_example(example: dict[str, Any]) -> None:
    value, revision = example["value"], example["revision"]
    type_: Any = getattr(types, example["definition"], None)
    body = is_class(type_) and issubclass(type_, types.Request | types.Notification)
    if "jsonrpc" in value:
        assert returns(types.JSONRPCMessage, value, revision)
        value = body_of(value) if body else value
    if type_ is not None and (body or "jsonrpc" not in value):
        assert returns(type_, value, revision)


def test_all_examples_are_here() -> None:
    assert len(EXAMPLES) in (0, 65)
