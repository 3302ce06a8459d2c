"""Every example published with the 2026-07-28 schema is read and comes back equal, through both forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_surfaces import types
from mcp_surfaces.bodies import kind_of

from .support import SHARED, returns

PATH = SHARED / "examples" / "official-2026-07-28.jsonl"
EXAMPLES: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []


def target(example: dict[str, Any]) -> Any:
    """The superset class of an example; of an envelope, a frame."""
    return types.JSONRPCMessage if "jsonrpc" in example["value"] else getattr(types, example["definition"])


def body(example: dict[str, Any]) -> Any:
    return {key: item for key, item in example["value"].items() if key not in ("jsonrpc", "id")}


@pytest.mark.skipif(not EXAMPLES, reason="the official examples are not here")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e['definition']}-{e['name']}")
def test_example(example: dict[str, Any]) -> None:
    assert returns(target(example), example["value"], example["revision"])
    cls = getattr(types, example["definition"], None)
    if isinstance(cls, type) and kind_of(cls) is not None:
        assert returns(cls, body(example), example["revision"])


def test_all_examples_are_here() -> None:
    assert len(EXAMPLES) in (0, 65)
