"""JSON as RFC 8259 has it, in and out: no NaN, no infinities, no lone surrogates, bounded depth.

Every check first asks pydantic-core, which is fast; only what that finds suspicious is walked in Python, to say where.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pydantic import BaseModel
from pydantic_core import (
    InitErrorDetails,
    PydanticSerializationError,
    ValidationError,
    from_json,
    to_json,
    to_jsonable_python,
)

from .base import MISSING
from .errors import Finding, UnsupportedAtVersionError, pointer, shortened

if TYPE_CHECKING:
    from .places import Loc

__all__ = [
    "LONG",
    "MAX_DEPTH",
    "NotJson",
    "check",
    "find_not_json",
    "has_not_finite",
    "has_surrogate_name",
    "has_word",
    "is_mostly_strings",
    "is_plain",
    "is_strict",
    "loads",
    "may_have_long_integer",
    "nulled",
    "refuse_not_json",
]

_MAX_FAULTS = 100

MAX_DEPTH: Final = 254
"""How deep values may be nested: as deep as pydantic-core writes. It reads 200 levels."""


LONG: Final = 4_096
"""The length in bytes from which on it pays to look at a text before searching it."""

_FEW_OBJECTS: Final = 8
_FEW_VALUES: Final = 512

_MAX_DIGITS: Final = 4_300
"""The digits an integer may have, in pydantic-core and in Python's own conversions."""

_N, _I = b"NI"  # as integers, which are found several times as fast in bytes as one-letter strings are

_A_LETTER: Final = 8_192
"""The bytes that are searched for a word in the time that one letter is found in."""

_STEP: Final = _MAX_DIGITS // 2
_DIGITS: Final = b"0123456789"
_NO_INTEGER: Final = 10**_MAX_DIGITS


class NotJson(NamedTuple):
    """Something JSON has no form for: where, which kind, and in words."""

    loc: Loc
    type: str
    message: str


_NAN = "not_json", "NaN is not JSON"
_INFINITY = "infinity", "Infinity is not JSON"
_SURROGATE = "not_json", "A lone surrogate is not JSON"
_KEY = "not_json", "Member names should be strings"
_SURROGATE_NAME = "not_json", "A member name with a lone surrogate is not JSON"
_DEEP = "not_json", "Nesting is too deep"
_CIRCULAR = "not_json", "A value that contains itself is not JSON"
_LONG_INTEGER = "not_json", "An integer may have 4,300 digits at most"
_OTHER = "not_json", "Input should be a JSON value"


def loads(data: bytes | bytearray | str, *, title: str = "JSON") -> Any:
    """The value of a JSON text, strictly; of members with one name the last wins, `1e400` is infinity.

    Raises `ValidationError` for everything else: malformed text, `NaN`, `Infinity`, lone surrogates, invalid UTF-8, a
    byte order mark, nesting too deep (about 200 levels), a number of more than 4,300 digits before its point.
    """
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        fault = str(error)
    except TypeError:
        fault = None
    from .located import located, refused, violation  # only bad data pays for it

    if fault is None:
        raise refused(title, [violation("string_unicode" if isinstance(data, str) else "json_type")])
    entry: InitErrorDetails = {"type": "json_invalid", "input": None, "ctx": {"error": fault}}
    raise located(ValidationError.from_exception_data(title, [entry]), None)


def is_mostly_strings(text: bytes | bytearray) -> bool:
    """Whether a text is long for the values it has, by its start."""
    return len(text) > LONG and text.count(b"{", 0, LONG) < _FEW_OBJECTS and text.count(b",", 0, LONG) < _FEW_VALUES


def is_strict(text: bytes | bytearray | str) -> bool:
    """Whether a text that pydantic-core reads or has written is free of NaN, Infinity and integers too long to read.

    A search decides for nearly every text; one that has the words is parsed, since they may stand in a string. So is a
    long text that is mostly strings, which is parsed faster than it is searched.
    """
    if isinstance(text, str):
        suspicious = "NaN" in text or "Infinity" in text
    elif is_mostly_strings(text):
        suspicious = True
    else:
        suspicious = has_word(text) or may_have_long_integer(text)
    if not suspicious:
        return True
    try:
        from_json(text, allow_inf_nan=False)
    except (ValueError, TypeError) as error:
        return "recursion" in str(error) and _is_strict_and_deep(text)
    return True


def _is_strict_and_deep(text: bytes | bytearray | str) -> bool:
    """As `is_strict`, of a text that is nested deeper than pydantic-core reads."""
    import json  # hardly ever needed, and slow to load

    found: list[str] = []
    try:
        json.loads(text, parse_constant=found.append)
    except (ValueError, RecursionError):
        return False
    return not found


def has_word(text: bytes | bytearray) -> bool:
    """Whether `NaN` or `Infinity` stands in a text, in a string maybe."""
    return (_N in text and _has(text, b"NaN")) or (_I in text and _has(text, b"Infinity"))


def _has(text: bytes | bytearray, word: bytes) -> bool:
    """Whether `word` stands in a text. A letter is found much faster than a word, so where it is rare it leads."""
    place = 0
    for _ in range(len(text) // _A_LETTER):
        place = text.find(word[0], place)
        if place < 0 or text.startswith(word, place):
            return place >= 0
        place += 1
    return text.rfind(word, place) >= 0


def may_have_long_integer(text: bytes | bytearray) -> bool:
    """Whether more digits than an integer may have stand in a row; such a row has two whole steps of nothing else.

    Of nearly every text one byte a step is looked at.
    """
    if len(text) <= _MAX_DIGITS:
        return False
    sample = text[::_STEP]
    if len(sample.translate(None, _DIGITS)) == len(sample):
        return False
    return any(
        byte in _DIGITS and text[place : place + _STEP].isdigit()
        for place, byte in zip(range(0, len(text), _STEP), sample, strict=True)
    )


def check(value: object, *, title: str = "JSON") -> None:
    """Refuse a Python value that no JSON text stands for.

    Infinity is accepted: `1e400` reads as it. Raises `ValidationError`, never `RecursionError` or
    `UnicodeEncodeError`, on NaN, lone surrogates, integers of more than 4,300 digits, values that contain themselves,
    nesting too deep (about 250 levels) and objects that have no JSON form.
    """
    try:
        if is_strict(to_json(value, inf_nan_mode="constants")):
            return
        written = True
    except (PydanticSerializationError, ValueError):
        written = False
    faults = list(itertools.islice((fault for fault in find_not_json(value) if fault.type != "infinity"), _MAX_FAULTS))
    if written and not faults:
        return
    from .located import refused, violation

    raise refused(title, [violation(f.type, f.loc, f.message) for f in faults] or [violation("not_json")])


def refuse_not_json(value: object, version: str, method: str | None = None) -> None:
    """Raise `UnsupportedAtVersionError` if `value`, a body about to be emitted, has anything JSON has no form for."""
    found = itertools.islice(find_not_json(value), _MAX_FAULTS)
    faults = [Finding(pointer(shortened(fault.loc)), "not_json", fault.message) for fault in found]
    if faults:
        raise UnsupportedAtVersionError(version, faults, method)


def is_plain(value: object) -> bool:
    """Whether a value that was written is made of JSON values and models of this package alone, and all is JSON."""
    stack: list[object] = [value]
    while stack:
        item: Any = stack.pop()
        kind: type[Any] = item.__class__
        if kind is dict:
            if not all(isinstance(name, str) and _encodes(name) for name in item):
                return False
            stack.extend(item.values())
        elif kind is list:
            stack.extend(item)
        elif kind is float:
            if not math.isfinite(item):
                return False
        elif kind is int:
            if not -_NO_INTEGER < item < _NO_INTEGER:
                return False
        elif isinstance(item, BaseModel) and kind.__module__.startswith("mcp_surfaces."):
            stack.extend(item.__dict__.values())
            stack.extend((item.__pydantic_extra__ or {}).values())
        elif kind is not str and kind is not bool and item is not None and item is not MISSING:
            return False
    return True


def nulled(written: object, values: object) -> Iterator[Loc]:
    """Where a JSON value has null for what is NaN or an infinity in the Python values it was written from."""
    path: Loc = ()
    waiting: list[tuple[object, object, Loc]] = [(written, values, path)]
    while waiting:
        ours, theirs, path = waiting.pop()
        if ours is None and isinstance(theirs, float) and not math.isfinite(theirs):
            yield path
        elif isinstance(ours, dict) and isinstance(theirs, dict):
            found = _by_name(cast("dict[str, object]", ours), cast("dict[object, object]", theirs))
            waiting += [(item, found.get(key), (*path, key)) for key, item in cast("dict[str, object]", ours).items()]
        elif isinstance(ours, list) and isinstance(theirs, list | tuple | deque):
            pairs = zip(cast("list[object]", ours), cast("Iterable[object]", theirs), strict=False)
            waiting += [(one, other, (*path, index)) for index, (one, other) in enumerate(pairs)]


def _by_name(written: Mapping[str, object], values: Mapping[object, object]) -> Mapping[str, object]:
    """Values by the names they were written under, which tell of other keys, a bool or an enum, by their place."""
    if len(written) == len(values) and not all(isinstance(key, str) and key in written for key in values):
        return dict(zip(written, values.values(), strict=True))
    return {str(key): item for key, item in values.items()}


def has_surrogate_name(value: object) -> bool:
    """Whether a member name in `value` has a lone surrogate, for which pydantic-core may write a replacement."""
    return any(fault[1:] == _SURROGATE_NAME for fault in find_not_json(value))


def has_not_finite(value: object) -> bool:
    """Whether there is a NaN or an infinity in `value`."""
    return any(fault[1:] in (_NAN, _INFINITY) for fault in find_not_json(value))


def find_not_json(value: object) -> Iterator[NotJson]:
    """Everything in `value` that JSON has no form for, in order, without recursion.

    Objects, arrays, models and dataclasses are looked into, each once; members are named as on the wire. Any other
    object is reported unless pydantic-core can write it (a date, say).
    """
    yield from (NotJson((), *fault) for fault in _faults(value))
    root = _members(value)
    if root is None:
        return
    path: Loc = ()
    stack: list[tuple[Iterator[tuple[object, object]], int, Loc]] = [(root, id(value), path)]
    open_, seen = {id(value)}, {id(value)}
    while stack:
        members, container, path = stack[-1]
        for key, item in members:
            name, fault = _name(key)
            if fault is not None:
                yield NotJson(path, *fault)
            loc = (*path, name)
            yield from (NotJson(loc, *fault) for fault in _faults(item))
            below = _members(item)
            if below is None:
                continue
            if id(item) in open_:
                yield NotJson(loc, *_CIRCULAR)
            elif len(stack) >= MAX_DEPTH:
                yield NotJson(loc, *_DEEP)
            elif id(item) not in seen:
                stack.append((below, id(item), loc))
                open_.add(id(item))
                seen.add(id(item))
                break
        else:
            stack.pop()
            open_.discard(container)


def _members(value: object) -> Iterator[tuple[object, object]] | None:
    """Names and values of what `value` contains; None if it is no container."""
    if isinstance(value, dict):
        return iter(cast("dict[object, object]", value).items())
    if isinstance(value, list | tuple | set | frozenset | deque):
        return iter(enumerate(cast("Iterable[object]", value)))
    if isinstance(value, BaseModel):
        names = {name: field.serialization_alias or name for name, field in type(value).__pydantic_fields__.items()}
        own = ((names.get(name, name), item) for name, item in value.__dict__.items() if item is not MISSING)
        return itertools.chain(own, (value.__pydantic_extra__ or {}).items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    return None


def _name(key: object) -> tuple[str | int, tuple[str, str] | None]:
    """The key as it may stand in a location, and what is wrong with it where it cannot be written."""
    if isinstance(key, str):
        return (key, None) if _encodes(key) else (key.encode("utf-8", "replace").decode(), _SURROGATE_NAME)
    if type(key) is int:
        return key, None
    try:
        return str(next(iter(to_jsonable_python({key: None})))), None
    except (PydanticSerializationError, ValueError):
        return type(key).__name__, _KEY


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _faults(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if not _encodes(value):
            yield _SURROGATE
    elif isinstance(value, float):
        if math.isnan(value):
            yield _NAN
        elif math.isinf(value):
            yield _INFINITY
    elif isinstance(value, int):
        if not -_NO_INTEGER < value < _NO_INTEGER:
            yield _LONG_INTEGER
    elif value is not None and _members(value) is None:
        try:
            if not is_strict(to_json(value, inf_nan_mode="constants")):
                yield _NAN
        except (PydanticSerializationError, ValueError):
            yield _OTHER
