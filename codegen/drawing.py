"""Draws what each revision added, kept and removed, as strata by the revision a thing first appeared in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

WIDTH, HEIGHT = 360, 282
LEFT, TOP, FLOOR, BAR = 8, 34, 190, 44
TONES = 8
"""How many colours the style sheet has; later revisions begin again."""
DEPTH = 58
"""How far below the floor the removed reach at most."""


@dataclass(frozen=True)
class Box:
    """One rectangle: `tone` is the colour of the revision things came with, or -1 for what was removed."""

    x: float
    y: float
    width: float
    height: float
    tone: int
    label: str


@dataclass(frozen=True)
class Column:
    """One revision: its boxes, its total, and how many came and went."""

    revision: str
    earlier: str
    middle: float
    top: float
    total: int
    added: int
    removed: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class Panel:
    """One small chart."""

    title: str
    width: int
    height: int
    floor: int
    columns: tuple[Column, ...]


def panels(counted: Mapping[str, Mapping[str, set[str]]]) -> list[Panel]:
    """A chart for each title: revision to the things it has, oldest first."""
    return [Panel(title, WIDTH, HEIGHT, FLOOR, _columns(sets)) for title, sets in counted.items()]


def _columns(sets: Mapping[str, set[str]]) -> tuple[Column, ...]:
    born: dict[str, int] = {}
    for index, things in enumerate(sets.values()):
        for thing in things:
            born.setdefault(thing, index)
    most = max(len(things) for things in sets.values())
    lost = max(len(before - after) for before, after in pairwise([set[str](), *sets.values()]))
    scale = min((FLOOR - TOP) / max(most, 1), DEPTH / max(lost, 1))
    step = (WIDTH - 2 * LEFT) / len(sets)
    columns: list[Column] = []
    earlier, before = "", set[str]()
    for index, (revision, things) in enumerate(sets.items()):
        x = LEFT + index * step + (step - BAR) / 2
        boxes: list[Box] = []
        y = float(FLOOR)
        for tone in range(index + 1):
            count = sum(born[thing] == tone for thing in things)
            if count:
                y -= count * scale
                boxes.append(_box(x, y, count * scale, tone % TONES, f"{count} since {list(sets)[tone]}"))
        removed = len(before - things)
        if removed:
            boxes.append(_box(x, FLOOR + 1, removed * scale, -1, f"{removed} removed"))
        columns.append(
            Column(
                revision,
                earlier,
                round(x + BAR / 2, 1),
                round(y, 1),
                len(things),
                len(things - before),
                removed,
                tuple(boxes),
            )
        )
        earlier, before = revision, things
    return tuple(columns)


def _box(x: float, y: float, height: float, tone: int, label: str) -> Box:
    return Box(round(x, 1), round(y, 1), BAR, round(max(height - 1, 1), 1), tone, label)
