"""Says changes in plain words, one sentence for all that say the same of different places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.changes import Change, Party, Side, ordered
from codegen.shapes import ROLES, place, tokens

PARTIES: dict[Party, str] = {"users": "our users' code", "senders": "senders", "receivers": "receivers"}
LEGEND = (
    "Whom it breaks: our users' code, where it uses a generated name or member that is gone or has another value; "
    "senders, who send as before (our users too) and are refused by a strict check; "
    "receivers, who read as before and meet what they refuse, or miss what was required."
)
RECEIVER: dict[Side | None, str] = {"client": "servers", "server": "clients", None: "peers"}
SENDER: dict[Side | None, str] = {"client": "clients", "server": "servers", None: "peers"}
ROLE_WORDS = {
    role: role.replace("Request", " request").replace("Notification", " notification").lower() for role in ROLES
}

PHRASES: dict[str, tuple[str, str]] = {
    "definition removed": ("{who} is gone", "{who} are gone"),
    "definition renamed": ("{old} is now called {new}", ""),
    "definition added": ("{who} is new", "{who} are new"),
    "method removed": ("the {role} {who} is gone", "the {role}s {who} are gone"),
    "method added": ("the {role} {who} is new", "the {role}s {who} are new"),
    "answer removed": (
        "`{union}` loses {who}, as its request is gone",
        "`{union}` loses {who}, as their requests are gone",
    ),
    "answer added": ("`{union}` gains {who}, for a new request", "`{union}` gains {who}, for new requests"),
    "required field added": (
        "{who} gains the required field `{member}` ({new})",
        "{who} gain the required field `{member}` ({new})",
    ),
    "field added": (
        "{who} gains the optional field `{member}` ({new})",
        "{who} gain the optional field `{member}` ({new})",
    ),
    "required field removed": ("{who} loses the required field `{member}`", "{who} lose the required field `{member}`"),
    "field removed": ("{who} loses the optional field `{member}`", "{who} lose the optional field `{member}`"),
    "field left open": (
        "{who} no longer declares `{member}`, and admits it with any value",
        "{who} no longer declare `{member}`, and admit it with any value",
    ),
    "required meta key added": (
        "{who} gains the required key `{member}` ({new})",
        "{who} gain the required key `{member}` ({new})",
    ),
    "meta key added": (
        "{who} gains the optional key `{member}` ({new})",
        "{who} gain the optional key `{member}` ({new})",
    ),
    "required meta key removed": ("{who} loses the required key `{member}`", "{who} lose the required key `{member}`"),
    "meta key removed": ("{who} loses the optional key `{member}`", "{who} lose the optional key `{member}`"),
    "meta key left open": (
        "{who} no longer declares the key `{member}`, and admits it with any value",
        "{who} no longer declare the key `{member}`, and admit it with any value",
    ),
    "became required": ("{who} is now required", "{who} are now required"),
    "no longer required": ("{who} is no longer required", "{who} are no longer required"),
    "meta key became required": ("{who} is now required", "{who} are now required"),
    "meta key no longer required": ("{who} is no longer required", "{who} are no longer required"),
    "type changed": ("{who} changes from {old} to {new}", "{who} change from {old} to {new}"),
    "narrowed": ("{who} admits less: {shift}", "{who} admit less: {shift}"),
    "widened": ("{who} admits more: {shift}", "{who} admit more: {shift}"),
    "fewer members": (
        "{who} is now {new}, which knows less than {old}",
        "{who} are now {new}, which knows less than {old}",
    ),
    "more members": (
        "{who} is now {new}, which admits all that {old} did",
        "{who} are now {new}, which admits all that {old} did",
    ),
    "enum value removed": ("{who} no longer admits {old}", "{who} no longer admit {old}"),
    "enum value added": ("{who} now admits {new}", "{who} now admit {new}"),
    "union arm removed": ("{who} no longer admits {old}", "{who} no longer admit {old}"),
    "union arm added": ("{who} now admits {new}", "{who} now admit {new}"),
    "envelope folded": (
        "{who} now includes its JSON-RPC envelope ({new})",
        "{who} now include their JSON-RPC envelope ({new})",
    ),
    "envelope unfolded": (
        "{who} no longer includes its JSON-RPC envelope ({old})",
        "{who} no longer include their JSON-RPC envelope ({old})",
    ),
    "constant removed": ("the constant {who} is gone", "the constants {who} are gone"),
    "constant changed": ("the constant {old} is now {new}", ""),
    "constant added": ("the constant {who} is new", "the constants {who} are new"),
    "annotation changed": ("{who} is annotated otherwise: {shift}", "{who} are annotated otherwise: {shift}"),
}
"""How one change of a kind is said, and how several of them at once."""


@dataclass(frozen=True)
class Sentence:
    """What one or more changes of one kind come to."""

    text: str
    breaks: tuple[Party, ...]
    sent_by: Side | None
    changes: tuple[Change, ...]

    @property
    def size(self) -> int:
        """How many changes it speaks of."""
        return len(self.changes)

    @property
    def verdict(self) -> str:
        """Whom it breaks, in words."""
        what = "them" if len(_names(self.changes)) > 1 else "it"
        words: dict[Party, str] = {
            "users": PARTIES["users"],
            "senders": f"{SENDER[self.sent_by]} that send {what}",
            "receivers": f"{RECEIVER[self.sent_by]} that receive {what}",
        }
        return f"breaks {enumerated([words[party] for party in self.breaks])}" if self.breaks else "harmless"


def enumerated(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def sentence(change: Change) -> str:
    """One change in plain words."""
    return _say([change])


def sentences(changes: Iterable[Change]) -> list[Sentence]:
    """All changes in plain words, breaking ones first, those that say the same of several places joined."""
    groups: dict[tuple[Any, ...], list[Change]] = defaultdict(list)
    for change in ordered(changes):
        groups[_group(change), change.breaks, _peers(change)].append(change)
    return [Sentence(_say(group), group[0].breaks, _peers(group[0]), tuple(group)) for group in groups.values()]


def _peers(change: Change) -> Side | None:
    """Who sends what the change is in, where it breaks peers."""
    return change.sent_by if {"senders", "receivers"}.intersection(change.breaks) else None


def _group(change: Change) -> tuple[str, ...]:
    definition, member = place(change.pointer)
    kind = change.kind
    if kind in ("definition added", "definition removed", "constant added", "constant removed"):
        return (kind,)
    if kind.startswith(("method", "answer")):
        return (kind, definition)
    if kind.startswith("union arm"):
        return (kind, definition, member)
    if _tells_member(kind):
        return (kind, _split(change.pointer)[1], change.old, change.new)
    return (kind, change.old, change.new)


def _split(pointer: str) -> tuple[str, str]:
    """A member's owner, and its name, which may hold dots."""
    name = tokens(pointer)[-1]
    return _path(pointer).removesuffix("." + name), name


def _path(pointer: str) -> str:
    definition, member = place(pointer)
    return f"{definition}.{member}" if member else definition


def _codes(words: Iterable[str]) -> str:
    """`words` as code, each said once."""
    return enumerated(f"`{word}`" for word in dict.fromkeys(words))


def _names(group: Sequence[Change]) -> list[str]:
    """What changes of one kind speak of, each once."""
    kind = group[0].kind
    if kind.startswith(("definition", "method", "answer", "constant")):
        names = [change.new or change.old for change in group]
    elif _tells_member(kind):
        names = [_split(change.pointer)[0] for change in group]
    else:
        names = [_path(change.pointer) for change in group]
    return list(dict.fromkeys(names))


def _say(group: list[Change]) -> str:
    kind, pointer = group[0].kind, group[0].pointer
    names = _names(group)
    old, new = (_codes(getattr(change, side) for change in group) for side in ("old", "new"))
    definition = place(pointer)[0]
    return PHRASES[kind][len(names) > 1].format(
        who=_codes(names),
        member=_split(pointer)[1],
        role=ROLE_WORDS.get(definition, ""),
        union=definition,
        shift=", ".join(part for part in (group[0].old and f"{old} before", group[0].new and f"{new} now") if part),
        old=old,
        new=new,
    )


def _tells_member(kind: str) -> bool:
    return "{member}" in PHRASES[kind][0]
