"""Whom each kind of change breaks: a table over every kind, told for what clients send, what servers send, and both."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.canonical import Schema
from codegen.changes import KINDS, Change, Party
from codegen.compare import compare
from codegen.directions import senders
from codegen.phrases import sentences
from codegen.shapes import Shapes
from tests.codegen.schemas import INTEGER, STRING, const, one_of, pins, record, ref, request, schema

USERS: Party = "users"
SEND: Party = "senders"
READ: Party = "receivers"
FOLDED = request("a", "id", "jsonrpc", id=INTEGER, jsonrpc=const("2.0"))
FRAME = record("id", "jsonrpc", "method", id=INTEGER, jsonrpc=const("2.0"), method=STRING, params=record())
CLOSED: Schema = {"additionalProperties": False}
NOTHING: tuple[Party, ...] = ()
PAIR = {
    "P": record(x=STRING),
    "Q": record(x=STRING, y=STRING),
    "R": record("x", x=STRING),
    "S": record(z=STRING),
    "T": record(),
}
OF_P, OF_Q, OF_R, OF_S, OF_T = (record(f=ref(name)) for name in PAIR)


def code(value: int | None) -> Schema:
    return record(code=INTEGER if value is None else {"type": "integer", "const": value})


def meta(*required: str, **keys: Any) -> Schema:
    return record(_meta=record(*required, **keys))


Case = tuple[str, Schema, Schema, tuple[Party, ...]]
CASES: list[Case] = [
    # Members: whoever builds the object by the older schema sends what the newer one misses, and the other way round.
    ("required field added", record(), record("f", f=STRING), (SEND,)),
    ("field added", record(), record(f=STRING), NOTHING),
    ("required field removed", record("f", f=STRING), record(), (USERS, READ)),
    ("field removed", record(f=STRING), record(), (USERS,)),
    ("field left open", record(f=STRING), {**record(), "additionalProperties": {}}, (USERS, READ)),
    ("became required", record(f=STRING), record("f", f=STRING), (SEND,)),
    ("no longer required", record("f", f=STRING), record(f=STRING), (READ,)),
    ("required meta key added", meta(), meta("k", k=STRING), (SEND,)),
    ("meta key added", meta(), meta(k=STRING), NOTHING),
    ("required meta key removed", meta("k", k=STRING), meta(), (USERS, READ)),
    ("meta key removed", meta(k=STRING, o=STRING), meta(o=STRING), (USERS,)),
    ("meta key left open", meta(k=STRING), meta(), (USERS,)),
    ("meta key became required", meta(k=STRING), meta("k", k=STRING), (SEND,)),
    ("meta key no longer required", meta("k", k=STRING), meta(k=STRING), (READ,)),
    # An object that is closed, or typed, refuses on either side what it does not name.
    ("widened", {**record(), **CLOSED}, {**record(f=STRING), **CLOSED}, (READ,)),
    ("narrowed", {**record(f=STRING), **CLOSED}, {**record(), **CLOSED}, (SEND,)),
    ("type changed", {**record(), "additionalProperties": STRING},
     {**record(f=INTEGER), "additionalProperties": STRING}, (SEND, READ)),
    # Values.
    ("type changed", record(f=STRING), record(f=INTEGER), (SEND, READ)),
    ("narrowed", record(f={}), record(f=STRING), (SEND,)),
    ("narrowed", record(f={"type": "integer"}), record(f={"type": "integer", "minimum": 1}), (SEND,)),
    ("widened", record(f=STRING), record(f={"type": ["string", "null"]}), (READ,)),
    ("widened", record(f=INTEGER), record(f={"type": "number"}), (READ,)),
    ("enum value removed", record(f={"enum": ["a", "b"]}), record(f={"enum": ["a"]}), (SEND,)),
    ("enum value added", record(f={"enum": ["a"]}), record(f={"enum": ["a", "b"]}), (READ,)),
    ("union arm removed", record(f=one_of(ref("P"), ref("S"), STRING)), record(f=one_of(ref("P"), STRING)), (SEND,)),
    ("union arm added", record(f=one_of(ref("P"), STRING)), record(f=one_of(ref("P"), ref("S"), STRING)), (READ,)),
    ("annotation changed", record(f=STRING), record(f={"type": "string", "format": "uri"}), NOTHING),
    # A member of another class: whom all that differs between the two classes breaks, and nobody else.
    ("more members", OF_P, OF_Q, NOTHING),
    ("fewer members", OF_Q, OF_P, (USERS,)),
    ("fewer members", OF_R, OF_T, (USERS, READ)),
    ("narrowed", OF_P, OF_R, (SEND,)),
    ("type changed", OF_P, OF_S, (USERS,)),
    # Constants of the generated package.
    ("constant added", code(None), code(-1), NOTHING),
    ("constant removed", code(-1), code(None), (USERS,)),
    ("constant changed", code(-1), code(-2), (USERS,)),
]  # fmt: skip
WHOLE: list[tuple[str, Schema, Schema, tuple[Party, ...]]] = [
    ("definition removed", schema(A=STRING, B=INTEGER), schema(A=STRING), (USERS,)),
    ("definition renamed", schema(Thing=record(x=STRING)), schema(TheThing=record(x=STRING)), (USERS,)),
    ("definition added", schema(A=STRING), schema(A=STRING, B=INTEGER), NOTHING),
    ("envelope folded", schema(Frame=FRAME, A=request("a")), schema(Frame=FRAME, A=FOLDED), NOTHING),
    ("envelope unfolded", schema(Frame=FRAME, A=FOLDED), schema(Frame=FRAME, A=request("a")), NOTHING),
]  # fmt: skip


def sent(sides: tuple[str, ...], body: Schema) -> Schema:
    """A schema in which `sides` send a request whose params are `body`, called `A`."""
    unions = {f"{side}Request": one_of(ref("AskRequest")) for side in sides}
    return schema(**PAIR, AskRequest=request("ask", params=ref("A")), A=body, **unions)


def told(changes: list[Change], kind: str) -> Change:
    [found] = [change for change in changes if change.kind == kind]
    return found


SIDES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "client": (("Client",), "clients that send it", "servers that receive it"),
    "server": (("Server",), "servers that send it", "clients that receive it"),
    "both": (("Client", "Server"), "peers that send it", "peers that receive it"),
    "nobody": ((), "peers that send it", "peers that receive it"),
}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("kind", "old", "new", "breaks"), CASES)
def test_a_change_in_what_a_side_sends(
    kind: str, old: Schema, new: Schema, breaks: tuple[Party, ...], side: str
) -> None:
    unions, sending, reading = SIDES[side]
    changes = compare(sent(unions, old), sent(unions, new))
    change = told(changes, kind)
    assert change.breaks == breaks
    words = {USERS: "our users' code", SEND: sending, READ: reading}
    said = next(one for one in sentences(changes) if change in one.changes)
    assert said.verdict == (f"breaks {' and '.join(words[party] for party in breaks)}" if breaks else "harmless")


@pytest.mark.parametrize(("kind", "old", "new", "breaks"), WHOLE)
def test_a_change_of_a_whole_definition(kind: str, old: Schema, new: Schema, breaks: tuple[Party, ...]) -> None:
    assert told(compare(old, new), kind).breaks == breaks


@pytest.mark.parametrize(("side", "other"), [("Client", "Server"), ("Server", "Client")])
@pytest.mark.parametrize("answer", ["PingResult", "CallResult"])
def test_a_method_breaks_who_calls_it_and_its_answer_nobody(side: str, other: str, answer: str) -> None:
    whole = {"PingRequest": request("ping"), "CallRequest": request("call"), answer: record(a=STRING)}
    both = one_of(ref("PingRequest"), ref("CallRequest"))
    many = schema(**whole, **{f"{side}Request": both, f"{other}Result": one_of(ref(answer), STRING, INTEGER)})
    left = "Call" if answer == "PingResult" else "Ping"  # the other one is gone, and its answer with it
    fewer = {f"{side}Request": one_of(ref(f"{left}Request")), f"{other}Result": one_of(STRING, INTEGER)}
    few = schema(**whole, **fewer)
    gone, come = compare(many, few), compare(few, many)
    assert told(gone, "method removed").breaks == (SEND,)
    assert told(gone, "method removed").sent_by == side.lower()
    assert told(gone, "answer removed").breaks == NOTHING
    assert told(come, "method added").breaks == told(come, "answer added").breaks == NOTHING


def test_the_tables_have_every_kind() -> None:
    methods = {"method removed", "method added", "answer removed", "answer added"}
    assert {kind for kind, *_ in (*CASES, *WHOLE)} | methods == KINDS.keys()


def test_a_message_that_a_role_has_inlined_counts_by_its_method() -> None:
    found = senders(Shapes(pins()["2026-07-28"]))
    assert found["CancelledNotificationParams"] == found["CancelledNotification"] == {"client", "server"}
    assert found["ClientNotification"] == found["CallToolRequest"] == found["ElicitResult"] == {"client"}
    assert found["ElicitRequest"] == found["Tool"] == {"server"}
    assert "PaginatedResult" not in found


def test_one_sentence_speaks_of_one_direction() -> None:
    def whole(*required: str) -> Schema:
        body = record(*required, f=STRING)
        return schema(
            A=body, B=body,
            ClientRequest=one_of(request("a", params=ref("A"))), ServerRequest=one_of(request("b", params=ref("B"))),
        )  # fmt: skip

    assert [(one.text, one.verdict) for one in sentences(compare(whole(), whole("f")))] == [
        ("`A.f` is now required", "breaks clients that send it"),
        ("`B.f` is now required", "breaks servers that send it"),
    ]
