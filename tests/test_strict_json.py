from __future__ import annotations

import dataclasses
import datetime
import enum
import itertools
import json
import re
import sys
import time
from collections import deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError, field_serializer
from pydantic_core import to_json

from mcp_surfaces import types
from mcp_surfaces.base import MISSING, MCPModel
from mcp_surfaces.errors import UnsupportedAtVersionError
from mcp_surfaces.strict_json import (
    MAX_DEPTH,
    check,
    find_not_json,
    has_surrogate_name,
    has_word,
    is_plain,
    is_strict,
    loads,
    may_have_long_integer,
    nulled,
    refuse_not_json,
)

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"1e400", INF),
        (b"-0", 0),
        (b"1.0", 1.0),
        (b"1180591620717411303424", 2**70),
        (b'{"a":1,"a":2}', {"a": 2}),
        (rb'"\ud83d\ude00 NaN Infinity"', "😀 NaN Infinity"),
        (bytearray(b"[null]"), [None]),
        ('"ż"', "ż"),
    ],
)
def test_loads(text: bytes | str, value: Any) -> None:
    assert repr(loads(text)) == repr(value)


BAD_TEXTS: list[tuple[Any, str]] = [
    (b"NaN", "json_invalid"),
    (b'{"a":[NaN]}', "json_invalid"),
    (b"Infinity", "json_invalid"),
    (b"-Infinity", "json_invalid"),
    (b"[-NaN]", "json_invalid"),
    (b"inf", "json_invalid"),
    (b"", "json_invalid"),
    (b'{"secret', "json_invalid"),
    (b'{"secret":secret}', "json_invalid"),
    (b"1 secret", "json_invalid"),
    (b"01", "json_invalid"),
    (b'"\n"', "json_invalid"),
    (b'"\xff"', "json_invalid"),
    (b"\xef\xbb\xbf1", "json_invalid"),
    (b'"\xed\xa0\x80"', "json_invalid"),
    (rb'"\ud800"', "json_invalid"),
    (rb'"\udc00"', "json_invalid"),
    (rb'"\ud800\u0041"', "json_invalid"),
    (rb'{"\ud800":1}', "json_invalid"),
    (b"9" * 5000, "json_invalid"),
    (b"[" * 100_000, "json_invalid"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "json_invalid"),
    ('{"a":"secret\ud800"}', "string_unicode"),
    (None, "json_type"),
    (memoryview(b"1"), "json_type"),
]


@pytest.mark.parametrize(("text", "kind"), BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_loads_refuses(text: Any, kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        loads(text, title="ListToolsResult")
    assert [(e["type"], e["loc"], e["input"]) for e in caught.value.errors()] == [(kind, (), None)]
    assert "secret" not in repr(caught.value)
    assert caught.value.title == "ListToolsResult"
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    if kind == "json_invalid":
        assert re.search(r"Invalid JSON: .* at line \d+ column \d+", str(caught.value))


@given(st.binary() | st.text(st.sampled_from('[]{}",:\\u08dDNaInfity123.eE-+ \n\ud800')))
def test_loads_gives_a_value_or_a_validation_error(text: bytes | str) -> None:
    try:
        value = loads(text)
    except ValidationError:
        return
    assert json.loads(text) == value
    check(value)


def test_huge_texts_are_fast() -> None:
    text = b'{"a":"' + b"x" * 50_000_000 + b'"}'
    started = time.perf_counter()
    assert is_strict(text)
    assert len(loads(text)["a"]) == 50_000_000
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        (b"[1]", True),
        (b'"NaN"', True),
        (b'["Infinity"]', True),
        (b"[NaN]", False),
        (b"-Infinity", False),
        ("[1]", True),
        ('"NaN"', True),
        ("NaN", False),
        ('"NaN\ud800"', False),
    ],
)
def test_is_strict(text: bytes | str, strict: bool) -> None:
    assert is_strict(text) is strict


@given(st.lists(st.sampled_from([b"NaN", b"Infinity", b"N", b"I", b"Na", b"x" * 1_000, b"NI" * 1_000]), max_size=12))
def test_words_are_found_wherever_they_stand(parts: list[bytes]) -> None:
    text = b"".join(parts)
    assert has_word(text) is (b"NaN" in text or b"Infinity" in text)


@pytest.mark.parametrize("word", [b"NaN", b"Infinity"])
@pytest.mark.parametrize("before", [b"x" * 20_000, b"N" + b"I" * 9_000 + b"x" * 9_000])
def test_a_word_is_found_in_a_long_text(word: bytes, before: bytes) -> None:
    assert has_word(before + word)
    assert not has_word(before + word[:-1])


@pytest.mark.parametrize(
    ("text", "long"),
    [(b"x" * 9_000, False), (b"1" * 9_000, True), (b"1" * 4_300, False), (b'{"a":12},' * 2_000, False)],
)
def test_long_integers_are_suspected(text: bytes, long: bool) -> None:
    assert may_have_long_integer(text) is long


@dataclasses.dataclass
class Place:
    x: int
    y: Any


class Inner(MCPModel):
    some_value: Any = None
    untouched: Any = MISSING


PLAIN = {"a": [1, 1.5, True, None, "b"]}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (PLAIN, True),
        (
            types.CallToolResult(
                content=[types.TextContent.model_validate({"type": "text", "text": "a", "x": PLAIN})],
                structured_content=PLAIN,
            ),
            True,
        ),
        (types.CallToolResult(content=[]), True),
        ([NAN], False),
        ({"a": {INF: 1}}, False),
        ([10**5_000], False),
        (types.CallToolResult(content=[], structured_content=(1, 2)), False),
        ({"a": datetime.date(2026, 11, 30)}, False),
        (Inner(some_value=1), False),
    ],
)
def test_is_plain(value: Any, plain: bool) -> None:
    assert is_plain(value) is plain


class Plain:
    pass


class Color(enum.Enum):
    RED = "red"
    NONE = float("nan")


def nested(depth: int, leaf: Any = 1) -> Any:
    for _ in range(depth):
        leaf = {"a": leaf}
    return leaf


def circular() -> Any:
    value: list[Any] = [1]
    value.append({"again": value})
    return value


SHARED_LIST: list[Any] = [NAN]
FAULTY: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("nan", NAN, [("", "NaN")]),
    ("nested", {"a": [1, NAN, {"b/": -INF}]}, [("/a/1", "NaN"), ("/a/2/b~1", "Infinity")]),
    ("surrogate", ["ok ż", "a\ud800"], [("/1", "surrogate")]),
    ("name", {"\ud800": {"x": NAN}}, [("", "surrogate"), ("/?/x", "NaN")]),
    ("keys", {1: 1, None: [NAN], Plain: [NAN]}, [("/None/0", "NaN"), ("", "names"), ("/type/0", "NaN")]),
    ("keys that are written as names", {True: NAN, Color.RED: NAN}, [("/true", "NaN"), ("/red", "NaN")]),
    ("circular", circular(), [("/1/again", "contains itself")]),
    ("twice", [SHARED_LIST, SHARED_LIST], [("/0/0", "NaN")]),
    ("tuple", {"t": (1, NAN)}, [("/t/1", "NaN")]),
    ("object", {"o": Plain()}, [("/o", "JSON value")]),
    ("enum", {"o": [Color.RED, Color.NONE]}, [("/o/1", "NaN")]),
    ("bytes", {"o": b"\xff"}, [("/o", "JSON value")]),
    (
        "model",
        {"m": Inner.model_validate({"someValue": NAN, "other": "\udfff"})},
        [("/m/someValue", "NaN"), ("/m/other", "surrogate")],
    ),
    ("set", [{NAN}, frozenset([INF]), deque([1, NAN])], [("/0/0", "NaN"), ("/1/0", "Infinity"), ("/2/1", "NaN")]),
    ("deep", nested(100_000), [("/a" * MAX_DEPTH, "deep")]),
]


@pytest.mark.parametrize(("value", "expected"), [f[1:] for f in FAULTY], ids=[f[0] for f in FAULTY])
def test_find_not_json(value: Any, expected: list[tuple[str, str]]) -> None:
    with pytest.raises(UnsupportedAtVersionError) as caught:
        refuse_not_json(value, "2025-11-25", "ping")
    assert (caught.value.version, caught.value.method) == ("2025-11-25", "ping")
    assert caught.value.pointers == tuple(place for place, _ in expected)
    for finding, (_, word) in zip(caught.value.findings, expected, strict=True):
        assert finding.type == "not_json"
        assert word in finding.message
    str(caught.value).encode()


FINE: list[Any] = [
    None,
    "ż",
    10**4299,
    True,
    {"a": [1, 1.0, {}, [], ()], "": "NaN"},
    nested(100),
    datetime.date(2026, 7, 28),
    {"d": [datetime.date(2026, 7, 28)], "m": Inner(some_value={"a": 1})},
]


@pytest.mark.parametrize("value", FINE, ids=range(len(FINE)))
def test_what_json_has(value: Any) -> None:
    assert not list(find_not_json(value))
    refuse_not_json(value, "2025-11-25")
    check(value)


REFUSED = [f for f in FAULTY if f[0] not in ("keys", "twice")]


@pytest.mark.parametrize(("value", "expected"), [f[1:] for f in REFUSED], ids=[f[0] for f in REFUSED])
def test_check_refuses(value: Any, expected: list[tuple[str, str]]) -> None:
    with pytest.raises(ValidationError) as caught:
        check(value, title="Tool")
    errors = caught.value.errors()
    wanted = [word for _, word in expected if word != "Infinity"]
    assert [e["type"] for e in errors] == ["not_json"] * len(wanted)
    assert all(word in e["msg"] for e, word in zip(errors, wanted, strict=True))
    assert caught.value.title == "Tool"


def test_check_takes_infinity() -> None:
    check({"a": INF, "b": ["Infinity", -INF]})
    check(nested(150, {"NaN": INF}))


def test_check_lists_no_more_than_a_hundred() -> None:
    with pytest.raises(ValidationError) as caught:
        check([NAN] * 10_000)
    assert caught.value.error_count() == 100


class Moody(MCPModel):
    value: int

    @field_serializer("value")
    def refuse(self, value: int) -> int:
        raise LookupError(f"secret {value}")


def test_check_refuses_what_it_cannot_place() -> None:
    with pytest.raises(ValidationError) as caught:
        check([Moody(value=1)])
    assert [(e["type"], e["loc"]) for e in caught.value.errors()] == [("not_json", ())]
    assert "secret" not in str(caught.value)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=())), inner),
    max_leaves=20,
)


@given(values)
def test_the_walk_agrees_with_python(value: Any) -> None:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        assert list(find_not_json(value))
        only_infinite = all(fault.type == "infinity" for fault in find_not_json(value))
        if only_infinite:
            check(value)
        else:
            with pytest.raises(ValidationError):
                check(value)
        return
    assert not list(find_not_json(value))
    assert is_strict(to_json(value, inf_nan_mode="constants"))
    assert loads(text) == value
    check(value)


def test_the_walk_takes_no_recursion() -> None:
    limit = sys.getrecursionlimit()
    assert len(list(itertools.islice(find_not_json(nested(limit * 10)), 5))) == 1


@pytest.mark.parametrize(
    ("written", "values", "places"),
    [
        (None, NAN, [()]),
        ({"a": [1, None], "b": None}, {"a": [1, INF], "b": None}, [("a", 1)]),
        ({"1": None}, {1: -INF}, [("1",)]),
        ([None, None], (NAN, None), [(0,)]),
        ({"a": None}, {}, []),
        ("NaN", NAN, []),
        ({"a": {}}, {"a": NAN}, []),
        ({"a": None, "red": {"x": None}}, {"a": 1, Color.RED: {"x": NAN}}, [("red", "x")]),
        ({"true": None}, {True: NAN}, [("true",)]),
        ([1, None], deque([1, INF]), [(1,)]),
    ],
)
def test_null_for_what_is_no_number(written: Any, values: Any, places: list[Any]) -> None:
    assert list(nulled(written, values)) == places


def test_dataclasses_are_looked_into() -> None:
    value = {"a": [Place(x=1, y={"b": NAN})]}
    assert [fault.loc for fault in find_not_json(value)] == [("a", 0, "y", "b")]


@pytest.mark.parametrize(("value", "found"), [({"a": [{"\ud800": 1}]}, True), ({"\ufffd": {1: NAN}}, False)])
def test_a_surrogate_in_a_name_is_told_from_other_faults(value: Any, found: bool) -> None:
    assert has_surrogate_name(value) is found


def test_a_text_too_deep_to_judge_is_not_taken_for_strict() -> None:
    deep = b"[" * 100_000 + b'"NaN"' + b"]" * 100_000
    assert not is_strict(deep)
    assert is_strict(b"[" * 240 + b'"NaN"' + b"]" * 240)
    assert not is_strict(b"[" * 240 + b"NaN" + b"]" * 240)
