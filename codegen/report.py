"""The report of a schema bump: what changed on the wire, in plain words, and whom it breaks, breaking changes first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen.canonical import Schema
from codegen.changes import Change
from codegen.compare import compare
from codegen.exported import Names
from codegen.phrases import LEGEND, PARTIES, sentence, sentences
from codegen.shapes import place

Format = Literal["markdown", "text", "json"]
Classes = Callable[[str], Iterable[str]]
"""JSON pointer of a change to the names of the generated classes that carry it."""

TEMPLATES = Path(__file__).parent / "templates"


def definition_class(pointer: str) -> list[str]:
    """The class of the definition a pointer leads into."""
    return [place(pointer)[0]]


def touched(changes: Iterable[Change], classes: Classes = definition_class) -> list[str]:
    """The names of the generated classes that `changes` touch, A to Z."""
    return sorted({name for change in changes for name in classes(change.pointer)})


def headline(old: Schema, new: Schema, changes: Sequence[Change]) -> str:
    """The report in one line."""
    if not changes:
        return "Nothing changes on the wire: " + (
            "only prose differs." if old == new else "the same is written otherwise."
        )
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
    undecided: Sequence[str] = (),
    format: Format = "text",
    classes: Classes = definition_class,
    names: Sequence[Names] = (),
) -> str:
    """What changed from one canonical schema to another.

    `undecided` are lines for the section "to decide", `names` what becomes of the public names; `classes` maps the JSON
    pointer of a change to the generated classes that carry it. Markdown is for a pull request, text for a terminal,
    JSON for tools.
    """
    changes = compare(old, new)
    if format == "json":
        return _json(title, changes, undecided, headline(old, new, changes), classes, names)
    said = sentences(changes)
    return (
        _environment()
        .get_template("report.md.j2" if format == "markdown" else "report.txt.j2")
        .render(
            title=title,
            headline=headline(old, new, changes),
            legend=LEGEND,
            undecided=undecided,
            names=names,
            breaking=[one for one in said if one.breaks],
            harmless=[one for one in said if not one.breaks],
            classes=touched(changes, classes),
        )
    )


def _json(
    title: str,
    changes: list[Change],
    undecided: Sequence[str],
    line: str,
    classes: Classes,
    names: Sequence[Names],
) -> str:
    document: dict[str, Any] = {
        "title": title,
        "headline": line,
        "counts": {
            "changes": len(changes),
            "breaking": sum(bool(change.breaks) for change in changes),
            **{party: sum(party in change.breaks for change in changes) for party in PARTIES},
            "kinds": dict(sorted(Counter(change.kind for change in changes).items())),
        },
        "legend": LEGEND,
        "undecided": list(undecided),
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
        "classes": touched(changes, classes),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


@cache
def _environment() -> Environment:
    """Where the templates of the report are compiled, once."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
