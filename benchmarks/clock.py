"""Timing: functions in turn, many times, by the processor time they take, so that a busy machine disturbs little."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple, TypeVar

K = TypeVar("K")


class Effort(NamedTuple):
    """How long to measure."""

    seconds: float
    """About how long one set of functions is measured, by the clock on the wall."""
    sample: float
    """About how long one function runs at a stretch; what is shorter is called many times."""
    least: int
    """How many stretches each function has, whatever that takes."""
    most: int
    children: int
    """How many fresh processes run each program."""
    large: int
    """How many tools the largest list has; the one it is compared with has a tenth as many."""


FULL = Effort(seconds=4.0, sample=0.003, least=7, most=61, children=15, large=10_000)
QUICK = Effort(seconds=0.0, sample=0.0, least=1, most=1, children=1, large=100)


@contextmanager
def collecting(enabled: bool) -> Generator[None]:
    """Garbage collection on or off; what is alive already is not looked at."""
    before = gc.isenabled()
    gc.collect()
    gc.freeze()
    (gc.enable if enabled else gc.disable)()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()
        gc.unfreeze()


def measure(functions: Mapping[K, Callable[[], object]], effort: Effort) -> dict[K, float]:
    """The median time of a call of each function in seconds; they run in turn, and every other round backwards."""
    counts = {name: _count(function, effort) for name, function in functions.items()}
    times: dict[K, list[float]] = {name: [] for name in functions}
    order: Sequence[K] = tuple(functions)
    end = time.perf_counter() + effort.seconds
    for number in range(effort.most):
        if number >= effort.least and time.perf_counter() > end:
            break
        for name in order:
            times[name].append(_stretch(functions[name], counts[name]))
        order = order[::-1]
    return {name: median(found) for name, found in times.items()}


def _stretch(function: Callable[[], object], count: int) -> float:
    calls = range(count)
    start = time.process_time_ns()
    for _ in calls:
        function()
    return (time.process_time_ns() - start) / count / 1e9


def _count(function: Callable[[], object], effort: Effort) -> int:
    """How many calls make a stretch; calling it to find out also warms it up."""
    count = 1
    while effort.sample and _stretch(function, count) * count < effort.sample:
        count *= 2
    return count
