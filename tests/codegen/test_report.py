"""The report against whole expected files; `UPDATE_GOLDENS=1 pytest tests/codegen/test_report.py` writes them anew."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest

from codegen.canonical import Schema
from codegen.changes import KINDS, Change
from codegen.compare import compare
from codegen.phrases import PHRASES, enumerated, sentence, sentences
from codegen.report import Format, report
from tests.codegen.schemas import HISTORY, INTEGER, STRING, const, history, one_of, pins, record, ref, request, schema

GOLDENS = Path(__file__).parent / "goldens"

FRAME = record("id", "jsonrpc", "method", id=INTEGER, jsonrpc=const("2.0"), method=STRING, params=record())
OLD = schema(
    JSONRPCRequest=FRAME,
    CallRequest=request("call", params=record("name", name=STRING)),
    AskRequest=request("ask"),
    ClientRequest=one_of(ref("CallRequest"), ref("AskRequest")),
    ThingReference=record(kind=const("thing"), uri=STRING),
    Block=one_of(ref("Text")),
    Text=record("text", text=STRING, level={"enum": ["low", "high"]}, _meta={"type": "object"}),
    Picture=record("data", data=STRING),
)
NEW = schema(
    JSONRPCRequest=FRAME,
    CallRequest=request("call", "id", "jsonrpc", id=INTEGER, jsonrpc=const("2.0"), params=ref("CallRequestParams")),
    CallRequestParams=record("name", name=STRING, task=INTEGER),
    WatchRequest=request("watch"),
    ClientRequest=one_of(ref("CallRequest"), ref("WatchRequest")),
    ThingTemplateReference=record(kind=const("thing"), uri=STRING),
    Block=one_of(ref("Text"), ref("Picture")),
    Text=record("level", text=STRING, level={"enum": ["low", "mid"]}, _meta=record("trace", trace=STRING)),
    Picture=record("data", "size", data={"type": "string", "maxLength": 9}, size={"type": ["integer", "null"]}),
)


NOTES = {
    "surfaces": ["v2025_01_01 serves 2025-06-01: proven additive over all it serves → added: …"],
    "added": ['2025-06-01#/$defs/WatchRequest: has no topic → added: in topics.toml, "WatchRequest" to tools'],
    "set aside": ["docs.toml: AskRequest"],
    "undocumented": ["`Picture.size` and `WatchRequest.task`"],
}


@pytest.mark.parametrize(("format_", "suffix"), [("text", "txt"), ("markdown", "md"), ("json", "json")])
def test_golden(format_: Format, suffix: str) -> None:
    said = report(
        OLD, NEW, title="A bump", notes=NOTES, format=format_,
    )  # fmt: skip
    file = GOLDENS / f"report.{suffix}"
    if os.environ.get("UPDATE_GOLDENS"):
        file.write_text(said, encoding="utf-8")
    assert said == file.read_text(encoding="utf-8")


def test_breaking_comes_first() -> None:
    said = report(OLD, NEW, title="A bump")
    assert said.index("Breaking (") < said.index("Harmless (")


def test_no_change_is_one_line() -> None:
    assert report(OLD, OLD, title="A bump").splitlines()[2:] == [
        "The schemas are the same. Prose is not compared.",
        "The schemas are compared as pinned, without amendments.",
    ]
    assert "The schemas are the same." in report(OLD, OLD, title="A bump", format="markdown")


def test_the_same_written_otherwise_is_one_line() -> None:
    old, new = schema(A=one_of(STRING, INTEGER)), schema(A={"type": ["string", "integer"]})
    assert report(old, new, title="A bump").splitlines()[2:] == [
        "Nothing changes on the wire: the same is written otherwise.",
        "The schemas are compared as pinned, without amendments.",
    ]


def test_harmless_only() -> None:
    said = report(schema(A=record()), schema(A=record(b=STRING)), title="A bump")
    assert "1 change, all harmless." in said
    assert "`A` gains the optional field `b` (`string`) — harmless" in said
    assert "Breaking" not in said


def test_breaking_only() -> None:
    assert "Harmless" not in report(schema(A=STRING, B=STRING), schema(B=STRING), title="A bump")


def test_one_sentence_speaks_of_all_that_gained_the_same() -> None:
    old = schema(A=record(), B=record(), C=record())
    new = schema(A=record(icons=STRING), B=record(icons=STRING), C=record(icons=STRING))
    (only,) = sentences(compare(old, new))
    assert only.text == "`A`, `B` and `C` gain the optional field `icons` (`string`)"
    assert (only.size, only.verdict) == (3, "harmless")


def test_whom_it_breaks_is_said_in_words() -> None:
    (only,) = sentences(compare(schema(A=record(f=STRING)), schema(A=record(f=INTEGER))))
    assert only.verdict == "breaks peers that send it and peers that receive it"
    (only,) = sentences(compare(schema(A=record(f=STRING, g=STRING)), schema(A=record(f=INTEGER, g=INTEGER))))
    assert only.verdict == "breaks peers that send them and peers that receive them"


def test_enumerated() -> None:
    assert [enumerated("a"), enumerated("ab"), enumerated("abc")] == ["a", "a and b", "a, b and c"]


def test_every_kind_has_its_words() -> None:
    assert PHRASES.keys() == KINDS.keys()
    for kind in KINDS:
        pointer = "/$defs/ClientRequest/anyOf/0" if kind.startswith("method") else "/$defs/A/properties/f"
        said = sentence(Change(kind, pointer, "old", "new"))
        assert said
        assert "{" not in said


def told(old: Schema, new: Schema) -> int:
    """How many changes the sections of the report say that they tell."""
    said = report(old, new, title="A bump")
    return sum(map(int, re.findall(r"^(?:Breaking|Harmless) \((\d+)\)$", said, re.MULTILINE)))


def test_the_five_revisions() -> None:
    for old, new in pairwise(pins().values()):
        assert told(old, new) == len(compare(old, new))


@pytest.mark.untraced
@pytest.mark.skipif(not HISTORY.exists(), reason="the shared history is not at hand")
def test_the_history_of_the_draft() -> None:
    for (_, old), (_, new) in pairwise(history()):
        assert told(old, new) == len(compare(old, new))


def test_the_report_says_the_same_whatever_the_order_of_definitions() -> None:
    def turned(whole: Schema) -> Schema:
        return {**whole, "$defs": dict(reversed(whole["$defs"].items()))}

    assert report(OLD, NEW, title="A bump") == report(turned(OLD), turned(NEW), title="A bump")
