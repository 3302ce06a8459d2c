"""Validation errors that are safe to show: no payload values, the input's own members as locations, bounded text.

pydantic's own errors quote the input in messages, inputs and contexts, name union arms and wrappers in locations, and
report every arm of a union. `located` rebuilds such an error from its types and places.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast, get_args

from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, PydanticKnownError, ValidationError
from pydantic_core.core_schema import ErrorType

from .errors import PLACE_LENGTH, Finding, pointer, printable, shortened
from .places import Loc, placed, prune

__all__ = ["MAX_ENTRIES", "OWN_MESSAGES", "findings", "located", "refused", "under", "violation"]

MAX_ENTRIES: Final = 100
"""The most entries an error has, the one that counts the rest included."""

MAX_RAW: Final = 50_000
"""With more raw entries than this an error says only how many there are: pydantic would take seconds to list them."""

_MAX_READ = 2_000
"""Of the raw entries beyond this each is counted, though some would be of one defect."""

_LOCS_LENGTH = 25_000
"""How long all locations of an error may be together."""
_NAME_LENGTH = 100
_FACT_LENGTH = 500

OWN_MESSAGES: Final[Mapping[str, str]] = {
    "frame_invalid": "Input should be a frame of the kind asked for, with exactly one of `method`, `result`, `error`",
    "missing_required_meta": "A `_meta` key the revision requires is missing",
    "not_json": "Input should be a JSON value",
    "result_type_invalid": "Input should be a result type known at this revision",
    "too_many_errors": "and more",
    "value_error": "Input was refused by a validator",
    "assertion_error": "Input was refused by a validator",
}
"""Error types with a message of our own."""

_KNOWN_TYPES = frozenset[str](get_args(ErrorType))
# fmt: off
_SCHEMA_FACTS = {
    "actual_length", "class", "class_name", "decimal_places", "discriminator", "expected", "expected_schemes",
    "expected_tags", "field_type", "ge", "gt", "le", "lt", "max_digits", "max_length", "min_length", "multiple_of",
    "pattern", "tag", "whole_digits",
}
# fmt: on
_JSON_FAULT = re.compile(r"[A-Za-z ]+(\(\\u0000-\\u001F\)[A-Za-z ]+)? at line \d+ column \d+")
_TITLE = re.compile(r"[\w.\[\], ]{1,60}")


def violation(kind: str, loc: Loc = (), message: str | None = None) -> InitErrorDetails:
    """One entry for `refused`: an error type, where it is, and the message; without one the type's own is used.

    `message` must not quote the payload.
    """
    if message is None and kind not in OWN_MESSAGES and kind in _KNOWN_TYPES:
        return {"type": kind, "loc": shortened(loc), "input": None}
    text = message or OWN_MESSAGES.get(kind, "Input is not valid")
    # pydantic declares literal strings here; these are computed.
    return {"type": PydanticCustomError(cast("Any", kind), cast("Any", text)), "loc": shortened(loc), "input": None}


def refused(
    title: str, entries: Iterable[InitErrorDetails], *, limit: int | None = MAX_ENTRIES, more: int = 0
) -> ValidationError:
    """The error with these entries, at most `limit` of them; the last counts those left out, and `more` besides."""
    listed = list(entries)
    if limit is not None and len(listed) + bool(more) > limit:
        more += len(listed) - (limit - 1)
        del listed[limit - 1 :]
    if more:
        listed.append(violation("too_many_errors", (), f"and {more:,} more"))
    if limit is not None and len(listed) * PLACE_LENGTH > _LOCS_LENGTH:
        for entry in listed:
            entry["loc"] = shortened(entry.get("loc", ()), _LOCS_LENGTH // len(listed))
    return ValidationError.from_exception_data(title, listed, hide_input=True)


def under(error: ValidationError, *keys: str | int) -> Iterator[InitErrorDetails]:
    """The entries of a safe error about what stands under `keys`, for `refused`."""
    for detail in error.errors(include_url=False):
        loc = (*keys, *detail["loc"])
        if facts := detail.get("ctx"):
            yield {"type": detail["type"], "loc": shortened(loc), "input": None, "ctx": facts}
        else:
            yield violation(detail["type"], loc, detail["msg"])


def located(
    error: ValidationError, data: object, *, title: str | None = None, limit: int | None = MAX_ENTRIES
) -> ValidationError:
    """`error` made safe, to be raised with `from None`.

    `data` is the very Python value that was validated: locations are walked through it, and what is no member of it
    (union arms, tags, wrappers) is dropped, the missing member of a `missing` error excepted. Of a union's arms the one
    that fits the input best is kept. Without payload values are the text, the repr, `errors()` and `json()`; member
    names, and an unknown tag cut to 40 characters, are not counted as such.

    `title` defaults to the error's own. `limit=None` gives every entry, at a cost that grows with the input.
    """
    name = title or (error.title if _TITLE.fullmatch(error.title) else "message")
    count = error.error_count()
    if limit is not None and count > MAX_RAW:
        return refused(name, [violation("too_many_errors", (), f"{count:,} errors, too many to list")])
    details = error.errors(include_url=False)[: None if limit is None else _MAX_READ]
    places = [placed(detail, data) for detail in details]
    entries: dict[tuple[Loc, str], ErrorDetails] = {}
    for index in prune(details, places):
        entries.setdefault((places[index].path, details[index]["type"]), details[index])
    return refused(
        name,
        [_entry(detail, path) for (path, _), detail in itertools.islice(entries.items(), limit)],
        limit=limit,
        more=count - len(details) + (0 if limit is None else max(0, len(entries) - limit)),
    )


def findings(error: ValidationError) -> tuple[Finding, ...]:
    """The entries of a safe error as findings."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(Finding(pointer(detail["loc"]), detail["type"], detail["msg"]) for detail in details)


def _entry(detail: ErrorDetails, loc: Loc) -> InitErrorDetails:
    kind = detail["type"]
    context = dict(detail.get("ctx") or {})
    if kind == "json_invalid":
        context = {"error": _json_fault(str(context.get("error")))}
    elif kind == "union_tag_invalid":
        context["tag"] = _tag(detail, context)
    if kind in OWN_MESSAGES or kind not in _KNOWN_TYPES:
        return violation(kind if len(kind) <= _NAME_LENGTH and kind.isidentifier() else "custom_error", loc)
    if kind != "json_invalid" and not context.keys() <= _SCHEMA_FACTS:
        return violation(kind, loc, "Input is not valid")
    facts = {key: value[:_FACT_LENGTH] if isinstance(value, str) else value for key, value in context.items()}
    try:
        PydanticKnownError(cast("Any", kind), facts)
    except (TypeError, ValueError, KeyError):
        return violation(kind, loc, "Input is not valid")
    return {"type": kind, "loc": shortened(loc), "input": None, "ctx": facts}


def _json_fault(text: str) -> str:
    return text if _JSON_FAULT.fullmatch(text) else "malformed"


def _tag(detail: ErrorDetails, context: Mapping[str, Any]) -> str:
    """The unknown tag, if it is a string of the input; any other value is payload."""
    member = str(context.get("discriminator")).strip("'")
    value = cast("dict[object, object]", detail["input"]).get(member) if isinstance(detail["input"], dict) else None
    return printable(value) if isinstance(value, str) else "?"
