"""Judge and model side by side: one definition at a time, every instance in both modes, all disagreements counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.fidelity.adapter import MODES, Model
from tests.fidelity.instances import Generator, official
from tests.fidelity.judge import Judge
from tests.fidelity.mutations import Mutator, Path
from tests.fidelity.shapes import Json, Shape, dumps

THOROUGH = 4
"""How many instances of a definition are mutated with the full limit; the others get a share of it."""
CONFIRM_EVERY = 101


@dataclass(frozen=True)
class Plan:
    """How much to try for each definition."""

    instances: int = 60
    mutations: int = 800
    share: int = 50
    drawn: int = 6
    seed: int = 0


@dataclass(frozen=True)
class Disagreement:
    """The smallest instance found of one definition, kind and direction."""

    definition: str
    kind: str
    wrongly: str
    modes: str
    text: str


@dataclass
class Tally:
    """What came of one definition. Counters are by kind of mutation; an instance counts once, whatever the modes."""

    definition: str
    cases: Counter[str] = field(default_factory=Counter[str])
    accepted: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    modes: Counter[str] = field(default_factory=Counter[str])
    confirmed: int = 0
    valid: int = 0
    worst: dict[tuple[str, str], Disagreement] = field(default_factory=dict[tuple[str, str], Disagreement])
    missing: bool = False

    @property
    def wrong(self) -> int:
        """Instances on which judge and model disagree in either mode."""
        return self.accepted.total() + self.refused.total()

    def record(self, kind: str, verdict: bool, model: tuple[bool, bool], text: str) -> None:
        """Count one instance that the judge and the model have seen."""
        self.cases[kind] += 1
        self.valid += verdict
        if model == (verdict, verdict):
            return
        wrongly = "refused" if verdict else "accepted"
        (self.refused if verdict else self.accepted)[kind] += 1
        wrong_modes = [mode for mode, answer in zip(MODES, model, strict=True) if answer != verdict]
        self.modes.update(f"{wrongly} {mode}" for mode in wrong_modes)
        known = self.worst.get((kind, wrongly))
        if known is None or len(text) < len(known.text):
            found = Disagreement(self.definition, kind, wrongly, "+".join(wrong_modes), text)
            self.worst[kind, wrongly] = found


def cases(schema: Shape, revision: str, name: str, plan: Plan) -> Iterator[tuple[str, Json, str]]:
    """Distinct instances of definition `name` and their mutations: kind, value and JSON text."""
    seen: set[str] = set()
    chance = random.Random(f"{plan.seed}:{name}:mutations")
    mutator = Mutator(schema)
    done: set[tuple[Path, str, str]] = set()
    bases: list[tuple[str, Json]] = [
        ("valid", value) for value in Generator(schema, plan.seed).valid(name, plan.instances)
    ]
    bases += [("official", value) for value in official(revision, name)]
    if plan.drawn:
        from tests.fidelity.hypotheses import drawn

        bases += [("drawn", value) for value in drawn(schema, name, plan.drawn, plan.seed)]
    for index, (kind, base) in enumerate(bases):
        limit = plan.mutations if index < THOROUGH else plan.share
        for label, value in [(kind, base), *mutator.sample(name, base, limit, chance, done)]:
            text = dumps(value)
            if text not in seen:
                seen.add(text)
                yield label, value, text


def compare(schema: Shape, revision: str, name: str, model: Model | None, plan: Plan) -> Tally:
    """Judge and `model` over the cases of definition `name`."""
    return tallied(Judge(schema), name, model, () if model is None else cases(schema, revision, name, plan))


def tallied(judge: Judge, name: str, model: Model | None, found: Iterable[tuple[str, Json, str]]) -> Tally:
    """`judge` and `model` over the cases `found` of definition `name`."""
    tally = Tally(name, missing=model is None)
    if model is None:
        return tally
    for index, (kind, value, text) in enumerate(found):
        second = index % CONFIRM_EVERY == 0
        verdict = judge.confirmed(name, value) if second else judge.accepts(name, value)
        tally.confirmed += second
        tally.record(kind, verdict, model.verdicts(value, text), text)
    return tally
