"""Tiny schemas for the tests of comparison, proof and report, and where the shared history lies."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.canonical import Schema, canonicalise
from codegen.pin import load_all

HISTORY = Path(__file__).parents[2] / ".." / "shared" / "history"
STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}


def schema(**definitions: Any) -> Schema:
    """A canonical schema of these definitions."""
    return canonicalise({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions})


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def record(*required: str, **members: Any) -> Schema:
    """An object with these members."""
    return {"type": "object", "properties": members} | ({"required": sorted(required)} if required else {})


def one_of(*arms: Any) -> Schema:
    return {"anyOf": list(arms)}


def const(value: Any) -> Schema:
    return {"type": "string", "const": value}


def request(method: str, *required: str, **members: Any) -> Schema:
    return record("method", *required, method=const(method), **members)


@cache
def pins() -> dict[str, Schema]:
    """Every pinned schema, oldest first."""
    return load_all()


def history() -> list[tuple[str, Schema]]:
    """The states of the draft schema by name, in order; skips where they are not at hand."""
    files = sorted(HISTORY.glob("*.json"))
    if not files:
        pytest.skip("the shared history is not at hand")
    return [(file.name.split(".")[0], canonicalise(json.loads(file.read_bytes()))) for file in files]
