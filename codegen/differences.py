"""Compares two nodes of two schemas by meaning: references followed, arms of unions paired, members by name."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from codegen.changes import KINDS, Change, Party
from codegen.shapes import REFUSING, Member, Node, Shapes, is_any, node, place, text, types, values

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
LIKE = 0.5
"""The least share of member names in common that makes an arm of a union the successor of another."""
STRUCTURE = frozenset({"type", "const", "enum", "properties", "required", "additionalProperties", "items"})


class Differences:
    """Two schemas side by side. `kept` maps the old names of the definitions that both have to the new ones."""

    def __init__(self, old: Shapes, new: Shapes, kept: dict[str, str]) -> None:
        self.old, self.new, self.kept = old, new, kept
        self._known = set(kept.values())
        self._active: set[tuple[str, str]] = set()

    def nodes(self, old: Node, new: Node) -> list[Change]:
        """What changed from one node to another."""
        if self._one(old, new):
            return []
        step = (old.pointer, new.pointer)
        if step in self._active:
            return []
        self._active.add(step)
        try:
            found = self._spread(old, new)
        finally:
            self._active.discard(step)
        if not place(new.pointer)[1]:
            return found
        if self._has_story(old, new):
            return self._summary(old, new, found)
        return self._verdict(old, new, found) if new.ref is not None and self._are_maps(old, new) else found

    def _one(self, old: Node, new: Node) -> bool:
        """Whether both refer to one definition."""
        return old.ref is not None and new.ref is not None and self.kept.get(old.ref) == new.ref

    def _has_story(self, old: Node, new: Node) -> bool:
        """Whether either refers to a definition that both schemas have, whose changes are told where it stands."""
        return old.ref in self.kept or new.ref in self._known

    def _summary(self, old: Node, new: Node, found: list[Change]) -> list[Change]:
        """What to say of a place that now refers to something else, where what it refers to has a story of its own."""
        if self._respelt(old, new):
            return []
        gone = any(KINDS[change.kind].effect == "lost" or change.kind.endswith("left open") for change in found)
        if new.ref not in self._known and new.ref is not None and not gone:
            return found
        return self._verdict(old, new, found)

    def _respelt(self, old: Node, new: Node) -> bool:
        """Whether both sides mean one definition, written out on one side: its changes are told where it stands."""
        if old.ref in self.kept:
            twin = self.new.resolve(self.new.definition(self.kept[old.ref]))
            return twin.schema == self.new.resolve(new).schema
        before = next((name for name, target in self.kept.items() if target == new.ref), None)
        return (
            before is not None and self.old.resolve(self.old.definition(before)).schema == self.old.resolve(old).schema
        )

    def _verdict(self, old: Node, new: Node, found: list[Change]) -> list[Change]:
        """One change that sums up many at one place."""
        effects = {KINDS[change.kind].effect for change in found} - {"none"}
        if not effects:
            return []
        if effects <= {"lost"}:
            kind = "fewer members"
        elif effects <= {"wider"}:
            kind = "widened" if any(change.breaks for change in found) else "more members"
        else:
            kind = "narrowed" if effects <= {"narrower", "lost"} else "type changed"
        parties = tuple(party for party in get_args(Party) if any(party in change.breaks for change in found))
        return [Change(kind, new.pointer, self.old.short(old), self.new.short(new), parties)]

    def _spread(self, old: Node, new: Node) -> list[Change]:
        before, after = self.old.arms(old), self.new.arms(new)
        loose = is_any(self.old.resolve(old)) or is_any(self.new.resolve(new))
        if loose or (before == [old] and after == [new]):
            return self._single(old, new)
        if all(set(arm.schema) == {"type"} for arm in (*before, *after)):
            return self._types(old, new, _union_types(before), _union_types(after))
        found = self._union(before, after)
        if len(before) > 1 < len(after):
            return found
        plain = not (self.old.members(before[0]) if len(before) == 1 else self.new.members(after[0]))
        return self._verdict(old, new, found) if plain else found

    def _are_maps(self, old: Node, new: Node) -> bool:
        """Whether both are objects that name no members."""
        kinds = types(self.old.resolve(old)) | types(self.new.resolve(new))
        return kinds == frozenset({"object"}) and not (self.old.members(old) or self.new.members(new))

    def _union(self, before: list[Node], after: list[Node]) -> list[Change]:
        """Arms are paired by name, then by what accepts what, then by tag; the rest came or went."""
        found: list[Change] = []
        lost, gained = list(before), list(after)
        for arm in before:
            twin = next((other for other in gained if self._one(arm, other)), None)
            if twin is not None:
                lost.remove(arm)
                gained.remove(twin)
        for arm in list(lost):
            trials = [(self._single(arm, other), other not in gained, index) for index, other in enumerate(after)]
            fits = sorted(
                (trial for trial in trials if not any(_loses(change) for change in trial[0])),
                key=lambda trial: (trial[1], len(trial[0]), trial[2]),
            )
            if fits:
                lost.remove(arm)
                changes, taken, index = fits[0]
                if not taken:
                    twin = after[index]
                    found += self._summary(arm, twin, changes) if self._has_story(arm, twin) else changes
                    gained.remove(twin)
        for arm in list(lost):
            twin = max(gained, key=lambda other: self._likeness(arm, other), default=None)
            if twin is not None and self._likeness(arm, twin) >= LIKE:
                lost.remove(arm)
                gained.remove(twin)
                found += self._single(arm, twin)
        found += [Change("union arm removed", arm.pointer, self.old.short(arm)) for arm in lost]
        gained = [arm for arm in gained if arm.ref is not None or not any(self._within(one, arm) for one in before)]
        found += [Change("union arm added", arm.pointer, "", self.new.short(arm)) for arm in gained]
        return found

    def _within(self, old: Node, new: Node) -> bool:
        """Whether one arm admits all that another does."""
        return all(KINDS[change.kind].effect in ("none", "narrower") for change in self._single(old, new))

    def _likeness(self, old: Node, new: Node) -> float:
        """How much two arms, neither with a story of its own, are the same thing: by tag, or by the members' names."""
        if (old.ref and new.ref) or self._has_story(old, new):
            return 0
        first, second = self.old.resolve(old), self.new.resolve(new)
        if types(first) == types(second) == frozenset({"array"}):
            return 1
        if "object" not in types(first) | types(second):
            apart = [*self._types(first, second, types(first), types(second)), *self._values(first, second)]
            return all(change.kind != "type changed" for change in apart)
        if any(
            (tag := self.old.tag(first, name)) is not None and tag == self.new.tag(second, name)
            for name in ("method", "type")
        ):
            return 1
        before, after = self.old.members(first).keys(), self.new.members(second).keys()
        return len(before & after) / max(len(before | after), 1)

    def _single(self, old: Node, new: Node) -> list[Change]:
        here, there = old, new
        old, new = self.old.resolve(old), self.new.resolve(new)
        if is_any(old) or is_any(new):
            if is_any(old) and is_any(new):
                return self._annotations(old, new)
            kind = "narrowed" if is_any(old) else "widened"
            return [Change(kind, there.pointer, self.old.short(here), self.new.short(there))]
        before, after = types(old), types(new)
        found = self._types(here, there, before, after)
        if not before & after and not _covers(after, before) and not _covers(before, after):
            return found
        found += self._values(old, new) + self._bounds(old, new) + self._annotations(old, new)
        if "object" in before & after:
            found += self._members(old, new)
        if "array" in before & after:
            found += self.nodes(
                node(old.schema.get("items", {}), f"{old.pointer}/items"),
                node(new.schema.get("items", {}), f"{new.pointer}/items"),
            )
        return found

    def _types(self, old: Node, new: Node, before: frozenset[str], after: frozenset[str]) -> list[Change]:
        if before == after:
            return []
        kind = "widened" if _covers(after, before) else "narrowed" if _covers(before, after) else "type changed"
        return [Change(kind, new.pointer, self.old.short(old), self.new.short(new))]

    def _values(self, old: Node, new: Node) -> list[Change]:
        before, after = values(old), values(new)
        if before is None or after is None:
            if before == after:
                return []
            kind = "narrowed" if before is None else "widened"
            return [Change(kind, new.pointer, self.old.short(old), self.new.short(new))]
        lost = [text(value) for value in before if text(value) not in map(text, after)]
        gained = [text(value) for value in after if text(value) not in map(text, before)]
        if len(lost) == len(before) and gained:
            return [Change("type changed", new.pointer, self.old.short(old), self.new.short(new))]
        return [Change("enum value removed", old.pointer, value) for value in lost] + [
            Change("enum value added", new.pointer, "", value) for value in gained
        ]

    def _bounds(self, old: Node, new: Node) -> list[Change]:
        """Bounds, and every keyword without a rule of its own: each says no to something, so a new one narrows."""
        found: list[Change] = []
        for key in sorted(({*old.schema, *new.schema} & REFUSING) - STRUCTURE):
            before, after = old.schema.get(key), new.schema.get(key)
            if before == after:
                continue
            if before is None or after is None:
                kind = "narrowed" if before is None else "widened"
            elif key in LOWER or key in UPPER:
                kind = "narrowed" if (after > before) == (key in LOWER) else "widened"
            else:
                kind = "type changed"
            found.append(Change(kind, new.pointer, _keyword(key, old), _keyword(key, new)))
        return found

    def _annotations(self, old: Node, new: Node) -> list[Change]:
        return [
            Change("annotation changed", new.pointer, before, after)
            for key in sorted({*old.schema, *new.schema} - REFUSING)
            if (before := _keyword(key, old)) != (after := _keyword(key, new))
        ]

    def _members(self, old: Node, new: Node) -> list[Change]:
        before, after = self.old.members(old), self.new.members(new)
        found = self._envelope(new, before, after)
        meta = self.old.is_meta(old.pointer) or self.new.is_meta(new.pointer)
        free = (meta and not after) or _is_free(new)
        what, prefix = ("meta key", "meta key ") if meta else ("field", "")
        for name in before.keys() - after.keys():
            member = before[name]
            kind = f"{what} left open" if free and not member.required else f"{what} removed"
            kind = "required " + kind if member.required else kind
            found.append(Change(kind, member.node.pointer, self.old.short(member.node)))
            found += self._unnamed(member.node, _besides(new), member.node.pointer)
        for name in after.keys() - before.keys():
            member = after[name]
            kind = f"required {what} added" if member.required else f"{what} added"
            found.append(Change(kind, member.node.pointer, "", self.new.short(member.node)))
            found += self._unnamed(_besides(old), member.node, member.node.pointer)
        for name in before.keys() & after.keys():
            if before[name].required != after[name].required:
                kind = "became required" if after[name].required else "no longer required"
                found.append(Change(prefix + kind, after[name].node.pointer))
            found += self.nodes(before[name].node, after[name].node)
        return found + self._rest(old, new)

    def _unnamed(self, old: Node, new: Node, pointer: str) -> list[Change]:
        """What changes for a member that one side does not name: there it is one of those admitted besides."""
        if is_any(old) or is_any(new):
            return []
        if "not" in old.schema or "not" in new.schema:
            kind = "widened" if "not" in old.schema else "narrowed"
            return [Change(kind, pointer, self.old.short(old), self.new.short(new))]
        return [replace(change, pointer=pointer) for change in self._verdict(old, new, self.nodes(old, new))]

    def _envelope(self, new: Node, before: dict[str, Member], after: dict[str, Member]) -> list[Change]:
        """Recognises a body that took its JSON-RPC envelope in, or shed it, and takes those members out of sight."""
        if not ({"method"} <= before.keys() & after.keys()) or ("jsonrpc" in before) == ("jsonrpc" in after):
            return []
        folded = "jsonrpc" in after
        shapes, side, other = (self.old, after, before) if folded else (self.new, before, after)
        for frame in shapes.frames:
            envelope = {name for name in frame if name not in ("method", "params")}
            extra = {name for name in side if name in envelope and name not in other}
            if extra == envelope and all(side[name].required for name in envelope):
                for name in envelope:
                    del side[name]
                names = ", ".join(sorted(envelope))
                kind = "envelope folded" if folded else "envelope unfolded"
                return [Change(kind, new.pointer, "" if folded else names, names if folded else "")]
        return []

    def _rest(self, old: Node, new: Node) -> list[Change]:
        """The members an object does not name."""
        before, after = _besides(old), _besides(new)
        if "not" in before.schema or "not" in after.schema:
            if before.schema == after.schema:
                return []
            kind = "narrowed" if "not" in after.schema else "widened"
            return [Change(kind, after.pointer, self.old.short(before), self.new.short(after))]
        return self.nodes(before, after)


def _loses(change: Change) -> bool:
    """Whether something accepted or known before is not, or only because the object is open."""
    return change.narrows or change.kind.endswith("left open")


def _besides(at: Node) -> Node:
    """What an object admits in members that it does not name."""
    return node(at.schema.get("additionalProperties", {}), f"{at.pointer}/additionalProperties")


def _is_free(at: Node) -> bool:
    return "additionalProperties" in at.schema and is_any(_besides(at))


def _keyword(key: str, at: Node) -> str:
    return f"{key} {text(at.schema[key])}" if key in at.schema else ""


def _union_types(arms: list[Node]) -> frozenset[str]:
    return frozenset(name for arm in arms for name in types(arm))


def _covers(wide: frozenset[str], narrow: frozenset[str]) -> bool:
    return narrow <= (wide | {"integer"} if "number" in wide else wide)
