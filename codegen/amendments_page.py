"""The page `docs/amendments.md`: every amendment, why it is there, and where it applies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from codegen.amend import Amendment
from codegen.render import render

PAGE = Path("docs/amendments.md")


def amendments_page(changes: Sequence[Amendment], applied: Mapping[str, Sequence[str]]) -> dict[Path, bytes]:
    """The page, by its path from the repository root; `applied` are the revisions of each amendment by name."""
    rows = [
        {
            "name": change.name,
            "kind": change.kind,
            "pointer": code(change.pointer),
            "expected": code(json.dumps(change.expected)),
            "new": "lifted" if change.only else code(json.dumps(change.new)),
            "revisions": ", ".join(applied[change.name]),
            "reason": cell(change.reason),
            "evidence": cell(change.evidence),
        }
        for change in changes
    ]
    return {PAGE: render("amendments.md.j2", rows=rows).encode()}


def cell(text: str) -> str:
    """`text` as it may stand in a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """`text` set as code in a cell."""
    return f"`{cell(text)}`"
