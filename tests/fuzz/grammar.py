"""The same with hypothesis, which shrinks what it finds: a JSON grammar spelt in every way JSON allows, and frames."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.check import TARGETS, VERSIONS, Fault, fault
from tests.fuzz.mutate import ATOMS, NAMES, mutated, seeds

names = st.sampled_from(NAMES) | st.text(max_size=5)
atoms = st.sampled_from(ATOMS) | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
values = st.recursive(atoms, lambda inner: st.lists(inner) | st.dictionaries(names, inner), max_leaves=15)
spaces = st.sampled_from(["", "", " ", "\n", "\t\r"])

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@st.composite
def spelt(draw: st.DrawFn) -> str:
    """A JSON text: objects may name a member twice, and white space and escapes are free."""
    space, escaped = draw(spaces), draw(st.booleans())

    def write(value: object, depth: int) -> str:
        if isinstance(value, dict):
            members = list(value.items())
            if members and draw(st.integers(0, 5)) == 0:
                members.append((members[0][0], draw(atoms)))
            inner = [
                f"{json.dumps(name, ensure_ascii=escaped)}{space}:{write(item, depth + 1)}" for name, item in members
            ]
            return "{" + space + f",{space}".join(inner) + "}"
        if isinstance(value, list):
            return "[" + space + ",".join(write(item, depth + 1) for item in value) + space + "]"
        return json.dumps(value, ensure_ascii=escaped)

    if draw(st.booleans()):
        return space + write(draw(values), 0) + space
    _, _, text = draw(st.sampled_from(seeds()))
    value = json.loads(text)
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 6))):
        value = mutated(rng, value)
    return space + write(value, 0) + space


def search(seconds: float, number: int, report: Callable[[Fault], None], limit: int = 5) -> int:
    """Draw until the time is up, or there are `limit` faults; returns how many inputs were tried."""
    end = time.monotonic() + seconds
    tried = faults = 0
    found: list[Fault] = []
    while time.monotonic() < end and faults < limit:
        number += 1

        @seed(number)
        @settings(
            max_examples=100,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=SLOW,
        )
        @given(spelt(), st.sampled_from(sorted(TARGETS)), st.sampled_from(VERSIONS))
        def one(text: str, name: str, version: str) -> None:
            nonlocal tried
            tried += 1
            if time.monotonic() < end and (wrong := fault(name, version, text.encode("utf-8", "surrogatepass"))):
                found.append(wrong)
                raise AssertionError(wrong.what)

        try:
            one()
        except AssertionError:
            faults += 1
            report(found[-1])
    return tried
