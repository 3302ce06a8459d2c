"""The report of a schema bump: what changed on the wire, in plain words, and whom it breaks, breaking changes first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from codegen.canonical import Schema
from codegen.changes import Change
from codegen.compare import compare
from codegen.exported import Names
from codegen.phrases import LEGEND, PARTIES, sentence, sentences
from codegen.render import render
from codegen.shapes import place

Format = Literal["markdown", "text", "json"]
BASIS = "The schemas are compared as pinned, without amendments."
Notes = Mapping[str, list[str]]
"""What a bump did to the policy, and left to do there, by the keys of HEADINGS."""
HEADINGS = {
    "surfaces": "Surfaces",
    "added": "Added to the policy, for review",
    "set aside": "Set aside in the policy, deciding nothing now",
    "taken up again": "Taken up again in the policy",
    "undocumented": "New members without a docstring in schemas/docs.toml",
}


def headline(old: Schema, new: Schema, changes: Sequence[Change]) -> str:
    """The report in one line."""
    if not changes:
        if old == new:
            return "The schemas are the same. Prose is not compared."
        return "Nothing changes on the wire: the same is written otherwise."
    breaking = [change for change in changes if change.breaks]
    if not breaking:
        return f"{_count(len(changes), 'change')}, all harmless."
    parties = Counter(party for change in breaking for party in change.breaks)
    whom = ", ".join(f"{words}: {parties[party]}" for party, words in PARTIES.items() if parties[party])
    return f"{_count(len(changes), 'change')}, {len(breaking)} of them breaking ({whom})."


def report(
    old: Schema,
    new: Schema,
    *,
    title: str,
    notes: Notes | None = None,
    format: Format = "text",
    names: Sequence[Names] = (),
) -> str:
    """What changed from one canonical schema to another.

    `notes` are what a bump did to the policy, `names` what becomes of the public names. Markdown is for a pull request,
    text for a terminal, JSON for tools.
    """
    changes = compare(old, new)
    line = headline(old, new, changes)
    classes = sorted({place(change.pointer)[0] for change in changes})
    notes = notes or {}
    if format == "json":
        return _json(title, line, notes, names, changes, classes)
    said = sentences(changes)
    return render(
        "report.md.j2" if format == "markdown" else "report.txt.j2",
        title=title,
        headline=line,
        basis=BASIS,
        legend=LEGEND,
        notes=[(words, notes[key]) for key, words in HEADINGS.items() if notes.get(key)],
        names=names,
        breaking=[one for one in said if one.breaks],
        harmless=[one for one in said if not one.breaks],
        classes=classes,
    )


def _json(
    title: str,
    line: str,
    notes: Notes,
    names: Sequence[Names],
    changes: Sequence[Change],
    classes: Sequence[str],
) -> str:
    document: dict[str, Any] = {
        "title": title,
        "headline": line,
        "basis": BASIS,
        "counts": {
            "changes": len(changes),
            "breaking": sum(bool(change.breaks) for change in changes),
            **{party: sum(party in change.breaks for change in changes) for party in PARTIES},
            "kinds": dict(sorted(Counter(change.kind for change in changes).items())),
        },
        "legend": LEGEND,
        "policy": {key: notes.get(key, []) for key in HEADINGS},
        "names": [asdict(one) for one in names],
        "changes": [
            {
                "kind": change.kind,
                "pointer": change.pointer,
                "old": change.old,
                "new": change.new,
                "breaks": list(change.breaks),
                "sent_by": change.sent_by,
                "text": sentence(change),
            }
            for change in changes
        ],
        "classes": classes,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
