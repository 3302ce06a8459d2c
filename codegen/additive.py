"""Proves that a surface built from one revision can serve an older one, or says why not.

A revision is additive over an older one when every message the older accepts is accepted by the newer, for the members
the older defines. What differs in form alone is set aside by computation, never from a list: a JSON-RPC envelope folded
into a body, a definition under a new name, a list of frames (a batch), a helper no message refers to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from codegen.canonical import Schema
from codegen.changes import Change, ordered
from codegen.compare import Comparison
from codegen.shapes import place

Reason = Literal["removed", "newly required", "narrowed", "changed"]
Form = Literal["envelope", "renamed", "batch", "dissolved"]

REASONS: dict[str, Reason] = {
    "definition removed": "removed",
    "method removed": "removed",
    "answer removed": "removed",
    "field removed": "removed",
    "required field removed": "removed",
    "meta key removed": "removed",
    "required meta key removed": "removed",
    "fewer members": "removed",
    "enum value removed": "removed",
    "union arm removed": "removed",
    "required field added": "newly required",
    "required meta key added": "newly required",
    "became required": "newly required",
    "meta key became required": "newly required",
    "narrowed": "narrowed",
    "type changed": "changed",
}
"""Why each kind of change that takes something away is an objection."""


@dataclass(frozen=True)
class Objection:
    """Why the newer revision cannot serve the older; the pointer leads into the newer, or to what it removed."""

    kind: Reason
    pointer: str
    text: str


@dataclass(frozen=True)
class Difference:
    """A difference in form alone, set aside in the proof."""

    kind: Form
    pointer: str
    text: str


@dataclass(frozen=True)
class Proof:
    """Additive when there is no objection; `set_aside` are the differences of form met on the way."""

    objections: list[Objection]
    set_aside: list[Difference]


def additive(old: Schema, new: Schema) -> list[Objection]:
    """Why a surface built from `new` cannot serve `old`; nothing when it can."""
    return prove(old, new).objections


def prove(old: Schema, new: Schema) -> Proof:
    """The proof, or its failure, with all that was set aside."""
    both = Comparison(old, new)
    live = both.old.live()
    changes = both.methods()
    aside: list[Difference] = []
    for name in sorted(both.old.definitions):
        at = both.old.definition(name)
        if name in both.kept:
            changes += both.definition(name) if name in live else []
        elif both.old.is_batch(at):
            aside.append(Difference("batch", at.pointer, f"`{name}` is a list of frames, each judged alone"))
        elif both.old.is_message(at):
            changes.append(Change("definition removed", at.pointer, name))
        else:
            aside.append(Difference("dissolved", at.pointer, f"no message is lost with `{name}`"))
    objections: list[Objection] = []
    for change in ordered(changes):
        form = _form(both, change)
        if form is not None:
            aside.append(form)
        elif change.narrows:
            objections.append(Objection(REASONS[change.kind], change.pointer, _text(change)))
    return Proof(objections, sorted(aside, key=lambda difference: (difference.kind, difference.pointer)))


def _form(both: Comparison, change: Change) -> Difference | None:
    definition, _ = place(change.pointer)
    if change.kind.startswith("envelope"):
        text = f"`{definition}` {'includes' if change.new else 'no longer includes'} {change.new or change.old}"
        return Difference("envelope", change.pointer, text)
    if change.kind == "definition renamed":
        return Difference("renamed", change.pointer, f"`{change.old}` is called `{change.new}`")
    if change.kind == "union arm removed" and both.old.is_batch(both.old.at(change.pointer)):
        return Difference("batch", change.pointer, f"`{definition}` admits lists of frames, each judged alone")
    return None


def _text(change: Change) -> str:
    definition, member = place(change.pointer)
    what = f"`{definition}.{member}`" if member else f"`{definition}`"
    detail = " → ".join(part for part in (change.old, change.new) if part)
    return f"{what}: {change.kind}" + (f" ({detail})" if detail else "")
