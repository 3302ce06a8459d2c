"""What all tests share: property tests neither time their examples nor mind a slow machine.

A test marked `untraced` runs with coverage paused, which halves its time. It covers nothing that others do not, and
comes after them, so that what is done once in a process is done while coverage looks.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")


def untraced(item: pytest.Item) -> bool:
    """Whether a test runs with coverage paused."""
    return item.get_closest_marker("untraced") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that run with coverage paused after the others."""
    items.sort(key=untraced)


def pytest_collection_finish() -> None:
    """Keep garbage collection from going over every collected test, again and again."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Pause coverage for a test that says so, its set-up and tear-down included."""
    if not untraced(item):
        return (yield)
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)
