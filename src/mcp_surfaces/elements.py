"""Lists and maps: what is done to each element, and the one error that tells of all that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from pydantic_core import ValidationError

__all__ = ["each", "each_model"]

T = TypeVar("T")
Result = TypeVar("Result")

_MOST = 100
"""Failures after which the rest is not looked at: an error lists no more."""


def each(items: Iterable[tuple[int | str, T]], do: Callable[[T], Result]) -> list[Result]:
    """What `do` makes of each item, which stands under a key.

    Raises `ValidationError`: those that `do` raised, safe to show, as one, each under its key.
    """
    done: list[Result] = []
    failed: list[tuple[int | str, ValidationError]] = []
    for key, item in items:
        try:
            done.append(do(item))
        except ValidationError as error:
            failed.append((key, error))
            if len(failed) == _MOST:
                break
    if failed:
        raise _as_one(failed)
    return done


def _as_one(failed: list[tuple[int | str, ValidationError]]) -> ValidationError:
    from mcp_surfaces.located import refused, under, violation  # only bad data pays for it

    entries = [entry for key, error in failed for entry in under(error, key)]
    if len(failed) == _MOST:
        entries[_MOST - 1 :] = [violation("too_many_errors")]
    return refused("message", entries)


def each_model(parsed: Any, value: Any, check: Callable[[Any, Any], None]) -> None:
    """`check` a model with the value it was parsed from, or each in a list or map of them; errors as of `each`."""
    if parsed.__class__ in (list, dict):
        keys: Iterable[int | str] = range(len(value)) if isinstance(parsed, list) else value
        pairs = [(key, (cast("Any", parsed)[key], value[key])) for key in keys]
        each(pairs, lambda pair: each_model(*pair, check))
    elif hasattr(parsed, "__pydantic_fields__"):
        check(parsed, value)
