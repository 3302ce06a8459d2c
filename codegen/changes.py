"""One difference between two schemas, and the kinds there are: what each does to what is accepted, whom it breaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Party = Literal["users", "senders", "receivers"]
"""Code that uses the generated package; peers that send, or read, a message as the older schema has it."""
Side = Literal["client", "server"]
Effect = Literal["none", "wider", "narrower", "both", "lost"]


class Meaning(NamedTuple):
    """What a kind of change does to the values that are accepted, and whom it breaks.

    `lost` is what may still be sent, and is not known any more. Whoever the newer schema refuses is a broken sender,
    whoever must read what the older one refuses a broken receiver. So an answer that came or went with its request
    breaks nobody, nor does one more member of an object that is open.
    """

    effect: Effect
    breaks: tuple[Party, ...]


KINDS: dict[str, Meaning] = {
    "definition removed": Meaning("lost", ("users",)),
    "definition renamed": Meaning("none", ("users",)),
    "definition added": Meaning("wider", ()),
    "method removed": Meaning("narrower", ("senders",)),
    "method added": Meaning("wider", ()),
    "answer removed": Meaning("narrower", ()),
    "answer added": Meaning("wider", ()),
    "required field added": Meaning("narrower", ("senders",)),
    "required field removed": Meaning("lost", ("users", "receivers")),
    "field removed": Meaning("lost", ("users",)),
    "field left open": Meaning("wider", ("users", "receivers")),
    "field added": Meaning("wider", ()),
    "became required": Meaning("narrower", ("senders",)),
    "no longer required": Meaning("wider", ("receivers",)),
    "required meta key added": Meaning("narrower", ("senders",)),
    "required meta key removed": Meaning("lost", ("users", "receivers")),
    "meta key removed": Meaning("lost", ("users",)),
    "meta key left open": Meaning("wider", ("users",)),
    "meta key added": Meaning("wider", ()),
    "meta key became required": Meaning("narrower", ("senders",)),
    "meta key no longer required": Meaning("wider", ("receivers",)),
    "type changed": Meaning("both", ("senders", "receivers")),
    "narrowed": Meaning("narrower", ("senders",)),
    "widened": Meaning("wider", ("receivers",)),
    "fewer members": Meaning("lost", ("users",)),
    "more members": Meaning("wider", ()),
    "enum value removed": Meaning("narrower", ("senders",)),
    "enum value added": Meaning("wider", ("receivers",)),
    "union arm removed": Meaning("narrower", ("senders",)),
    "union arm added": Meaning("wider", ("receivers",)),
    "envelope folded": Meaning("none", ()),
    "envelope unfolded": Meaning("none", ()),
    "annotation changed": Meaning("none", ()),
    "constant removed": Meaning("none", ("users",)),
    "constant changed": Meaning("none", ("users",)),
    "constant added": Meaning("none", ()),
}


@dataclass(frozen=True)
class Change:
    """One difference. `pointer` leads into the new schema, for what is gone into the old; `old` and `new` are short."""

    kind: str
    pointer: str
    old: str = ""
    new: str = ""
    parties: tuple[Party, ...] | None = None
    """Of a change that sums up others: whom those break."""
    sent_by: Side | None = None
    """The only side that sends what the change is in; None where both do, or it is not known."""

    @property
    def breaks(self) -> tuple[Party, ...]:
        """Whom the change breaks; empty when it is harmless."""
        return KINDS[self.kind].breaks if self.parties is None else self.parties

    @property
    def narrows(self) -> bool:
        """Whether something accepted, or known, before is not any more."""
        return KINDS[self.kind].effect in ("narrower", "both", "lost")


def ordered(changes: Iterable[Change]) -> list[Change]:
    """`changes` without repetitions, breaking ones first, then by place."""
    return sorted(
        set(changes), key=lambda change: (not change.breaks, change.pointer, change.kind, change.old, change.new)
    )
