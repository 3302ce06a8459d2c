from __future__ import annotations

import pickle

import pytest

from mcp_surfaces.errors import (
    Finding,
    UnknownMethodError,
    UnknownProtocolVersionError,
    UnsupportedAtVersionError,
    WireError,
    pointer,
    printable,
)

FINDING = Finding("/tools/0/name", "missing", "Field required")


@pytest.mark.parametrize(
    ("loc", "expected"),
    [((), ""), (("a", 0, ""), "/a/0/"), (("a/b", "~1"), "/a~1b/~01")],
    ids=["root", "parts", "escapes"],
)
def test_pointer(loc: tuple[str | int, ...], expected: str) -> None:
    assert pointer(loc) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("ping", "ping"), ("x" * 41, "x" * 39 + "…"), ("a\nb\x1b\ud800", "a?b??"), ("zażółć", "zażółć")],
)
def test_printable(text: str, expected: str) -> None:
    assert printable(text) == expected


ERRORS: list[tuple[WireError, type[Exception], str]] = [
    (
        UnknownProtocolVersionError("2099-01-01", ["2024-11-05", "2025-03-26"]),
        ValueError,
        "unknown protocol version '2099-01-01'; known: 2024-11-05, 2025-03-26",
    ),
    (
        UnsupportedAtVersionError("2026-07-28", [FINDING, Finding("", "unavailable", "Not there")], "tools/list"),
        ValueError,
        "tools/list has no valid form at 2026-07-28\n  /tools/0/name: Field required\n  the message: Not there",
    ),
    (UnsupportedAtVersionError("2026-07-28"), ValueError, "this has no valid form at 2026-07-28"),
    (
        UnknownMethodError("tools/\ncall", "2024-11-05", "server"),
        LookupError,
        "no method 'tools/?call' from the server at 2024-11-05",
    ),
    (WireError("2024-11-05"), Exception, "at 2024-11-05"),
    (WireError("2024-11-05", (), "ping"), Exception, "ping at 2024-11-05"),
]


@pytest.mark.parametrize(("error", "base", "text"), ERRORS, ids=[type(e).__name__ for e, _, _ in ERRORS])
def test_errors(error: WireError, base: type[Exception], text: str) -> None:
    assert isinstance(error, WireError)
    assert isinstance(error, base)
    assert str(error) == text
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == text
    assert vars(copy) == vars(error)


def test_members() -> None:
    unsupported = UnsupportedAtVersionError("v", iter([FINDING]), "m")
    assert (unsupported.version, unsupported.method, unsupported.pointers) == ("v", "m", ("/tools/0/name",))
    unknown = UnknownProtocolVersionError("v", ["a"])
    assert (unknown.version, unknown.known, unknown.method, unknown.findings) == ("v", ("a",), None, ())
    method = UnknownMethodError("m", "v", "client")
    assert (method.version, method.method, method.sender, method.pointers) == ("v", "m", "client", ())


def test_text_is_bounded() -> None:
    findings = [Finding("/" + "n" * 10_000, "t", "m" * 10_000)] * 10_000
    for error in (
        UnsupportedAtVersionError("v" * 10_000, findings, "m" * 10_000),
        UnknownProtocolVersionError("v" * 10_000),
        UnknownMethodError("m" * 10_000, "v" * 10_000, "client"),
    ):
        assert len(str(error)) < 10_000
    assert str(UnsupportedAtVersionError("v", findings)).endswith("\n  and 9,990 more")
