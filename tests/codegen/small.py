"""Small repositories for tests: a few definitions, the least policy, and the edits that break them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codegen.canonical import Schema, digest, dump
from codegen.pipeline import Pipeline
from codegen.policy import FILES, Policy
from tests.codegen.schemas import schema

SUPERSET = """\
default_negotiated_version = "2025-01-01"

[docs]
types = "The superset."
surface = "Revision {newest}, for {revisions}."
"""
LEAST = {
    "amendments": "",
    "bases": "[bases]\n",
    "docs": "",
    "names": "",
    "superset": SUPERSET,
    "surfaces": '[[surface]]\nname = "v2025_01_01"\nrevisions = ["2025-01-01"]\nstrict = false\n',
    "topics": '[[topic]]\nname = "all"\ndoc = "Everything."\ndefinitions = [\n    "*",\n]\n',
}
"""The least policy for one revision, by file."""


def folder(place: Path, revisions: Mapping[str, Schema], **policy: str) -> Path:
    """A folder of schemas with these canonical revisions, and policy files; those not given are the least."""
    place.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, str]] = []
    for revision, content in revisions.items():
        data = dump(content)
        (place / f"{revision}.json").write_bytes(data)
        entries.append(
            {
                "revision": revision,
                "repository": "example/example",
                "path": f"schema/{revision}.json",
                "commit": "0123456789abcdef",
                "upstream_sha256": digest(data),
                "sha256": digest(data),
            }
        )
    (place / "pins.json").write_text(json.dumps({"pins": entries}, indent=2) + "\n", encoding="utf-8")
    for name in FILES:
        (place / f"{name}.toml").write_text(policy.get(name, LEAST[name]), encoding="utf-8")
    return place


def policy(place: Path, *, lenient: bool = False, **files: str) -> Policy:
    """A policy with these files."""
    return Policy(folder(place, {}, **files), lenient)


def small(place: Path, revisions: Mapping[str, Mapping[str, Any]], *, lenient: bool = False, **files: str) -> Pipeline:
    """A pipeline over a few definitions per revision."""
    return Pipeline(folder(place, {name: schema(**defs) for name, defs in revisions.items()}, **files), lenient)


def edit(file: Path, old: str, new: str) -> None:
    """Replace `old`, which must be there, in a text file."""
    text = file.read_text(encoding="utf-8")
    assert old in text, old
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
