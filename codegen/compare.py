"""Compares two canonical schemas by meaning, definition by definition and field by field.

References are followed where one side is inline, renames are recognised by shape, and each difference says whom it
breaks. Nothing here knows the protocol's definitions by name, except the four unions that list the methods.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.canonical import Schema
from codegen.changes import Change, ordered
from codegen.constants import stated
from codegen.differences import Differences
from codegen.directions import senders
from codegen.renames import renames
from codegen.shapes import ANSWERS, ROLES, Shapes, place


def compare(old: Schema, new: Schema) -> list[Change]:
    """Every difference between two canonical schemas, breaking ones first, in a stable order."""
    return Comparison(old, new).changes()


class Comparison(Differences):
    """Two schemas side by side. `renamed` maps old names to new ones, as recognised by shape."""

    def __init__(self, old: Schema, new: Schema) -> None:
        before, after = Shapes(old), Shapes(new)
        self.renamed = renames(before, after)
        kept = {name: self.renamed.get(name, name) for name in before.definitions}
        super().__init__(before, after, {name: it for name, it in kept.items() if it in after.definitions})

    def changes(self) -> list[Change]:
        """Every difference, in order."""
        found = [*self.methods(), *self.constants()]
        for name in self.old.definitions.keys() - self.kept.keys():
            found.append(Change("definition removed", self.old.definition(name).pointer, name))
        for name in self.new.definitions.keys() - self._known:
            found.append(Change("definition added", self.new.definition(name).pointer, "", name))
        for name in self.kept:
            found += self.definition(name)
        return ordered(self._directed(found))

    def _directed(self, changes: list[Change]) -> list[Change]:
        """`changes` with the side that sends what each is in, by the schema it leads into and its like in the other."""
        back = {target: name for name, target in self.kept.items()}
        before, after = senders(self.old), senders(self.new)
        result: list[Change] = []
        for change in changes:
            name = place(change.pointer)[0]
            sides = before.get(back.get(name, name), frozenset()) | after.get(self.kept.get(name, name), frozenset())
            result.append(replace(change, sent_by=next(iter(sides))) if len(sides) == 1 else change)
        return result

    def methods(self) -> list[Change]:
        """Methods that came or went, by role."""
        before, after = self.old.methods(), self.new.methods()
        found: list[Change] = []
        for role in ROLES:
            was, now = before[role], after[role]
            found += [Change("method removed", was[name].pointer, name) for name in was.keys() - now.keys()]
            found += [Change("method added", now[name].pointer, "", name) for name in now.keys() - was.keys()]
        return found

    def constants(self) -> list[Change]:
        """Constants of the generated package that came, went or have another value."""
        before, after = ({one.name: one for one in stated(side.schema)} for side in (self.old, self.new))
        found = [Change("constant added", after[name].pointer, "", str(after[name])) for name in after.keys() - before]
        for name, was in before.items():
            now = after.get(name)
            if now is None:
                found.append(Change("constant removed", was.pointer, str(was)))
            elif now.value != was.value:
                found.append(Change("constant changed", now.pointer, str(was), str(now)))
        return found

    def definition(self, name: str) -> list[Change]:
        """What changed in one definition that both schemas have, its name included."""
        target = self.kept[name]
        renamed = Change("definition renamed", self.new.definition(target).pointer, name, target)
        found = [renamed] if name != target else []
        inside = self._own(name)
        if name in ROLES:
            inside = [change for change in inside if not change.kind.startswith("union arm")]
        return found + ([self._answer(change) for change in inside] if name in ANSWERS else inside)

    def _own(self, name: str) -> list[Change]:
        """What changed in the body of a definition; where it now takes over others, that is one change of its own."""
        target = self.kept[name]
        old, new = self.old.definition(name), self.new.definition(target)
        found = self.nodes(old, new)
        others = {place(change.pointer)[0] for change in found} & {*self.kept, *self._known} - {name, target}
        told = [
            change
            for before, after in self.kept.items()
            if others & {before, after}
            for change in self.nodes(self.old.definition(before), self.new.definition(after))
        ]
        fresh = [change for change in found if change not in told]
        strayed = any(place(change.pointer)[0] in others for change in fresh)
        return self._verdict(old, new, fresh) if strayed else found

    def _answer(self, change: Change) -> Change:
        """An arm of the unions of results: where its request came or went with it, that is the news."""
        side, other = (self.new, self.old) if change.kind == "union arm added" else (self.old, self.new)
        request = (change.new or change.old).removesuffix("Result") + "Request"
        if change.kind.startswith("union arm") and request in side.requests() - other.requests():
            return replace(change, kind=change.kind.replace("union arm", "answer"))
        return change
