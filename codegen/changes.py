"""One difference between two schemas, and the kinds there are: what each does to what is accepted, whom it breaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Party = Literal["users", "senders", "receivers"]
Effect = Literal["none", "wider", "narrower", "both", "lost"]


class Meaning(NamedTuple):
    """What a kind of change does to the values that are accepted, and whom it breaks.

    `lost` is what may still be sent, and is not known any more.
    """

    effect: Effect
    breaks: tuple[Party, ...]


KINDS: dict[str, Meaning] = {
    "definition removed": Meaning("lost", ("users",)),
    "definition renamed": Meaning("none", ("users",)),
    "definition added": Meaning("wider", ()),
    "method removed": Meaning("narrower", ("senders",)),
    "method added": Meaning("wider", ()),
    "answer removed": Meaning("narrower", ("senders",)),
    "answer added": Meaning("wider", ()),
    "required field added": Meaning("narrower", ("senders",)),
    "required field removed": Meaning("lost", ("users", "receivers")),
    "field removed": Meaning("lost", ("users",)),
    "field left open": Meaning("wider", ("users",)),
    "field added": Meaning("wider", ()),
    "became required": Meaning("narrower", ("senders",)),
    "no longer required": Meaning("wider", ("receivers",)),
    "required meta key added": Meaning("narrower", ("senders",)),
    "required meta key removed": Meaning("lost", ("receivers",)),
    "meta key removed": Meaning("lost", ("users",)),
    "meta key left open": Meaning("wider", ()),
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
}


@dataclass(frozen=True)
class Change:
    """One difference. `pointer` leads into the new schema, for a removal into the old; `old` and `new` are short."""

    kind: str
    pointer: str
    old: str = ""
    new: str = ""

    @property
    def breaks(self) -> tuple[Party, ...]:
        """Whom the change breaks; empty when it is harmless."""
        return KINDS[self.kind].breaks

    @property
    def narrows(self) -> bool:
        """Whether something accepted, or known, before is not any more."""
        return KINDS[self.kind].effect in ("narrower", "both", "lost")


def ordered(changes: Iterable[Change]) -> list[Change]:
    """`changes` without repetitions, breaking ones first, then by place."""
    return sorted(
        set(changes), key=lambda change: (not change.breaks, change.pointer, change.kind, change.old, change.new)
    )
