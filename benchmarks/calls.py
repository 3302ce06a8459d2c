"""What is measured in one process: messages from bytes to typed and back, at every revision that has them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import mcp_types
from mcp_types import methods as peer
from pydantic import BaseModel
from pydantic_core import from_json, to_json

from benchmarks import hand_written
from benchmarks.clock import Effort, collecting, measure
from benchmarks.messages import NEWEST, OLDER, Message, messages
from benchmarks.report import Row
from mcp_surfaces import types, wire

PARSE: Final = "parse"
STRICT: Final = "strict parse"
DUMP: Final = "dump"
STRICT_DUMP: Final = "strict dump"
LENIENT_DUMP: Final = "lenient dump"

COLLECTING: Final = {"gc off": False, "gc on": True}
ERAS: Final = (OLDER[-1], NEWEST)
"""Where the floor and the peer are measured: before 2026-07-28 the bytes are the same at every revision."""

Call: TypeAlias = Callable[[], Any]
Who: TypeAlias = Literal["floor", "ours", "peer"]


class Key(NamedTuple):
    """What a function to time stands for."""

    who: Who
    group: str
    """Of the floor, which serves several, the direction."""
    revision: str


Calls: TypeAlias = dict[Key, Call]


class DifferenceError(AssertionError):
    """What is compared does not do the same."""


def rows(effort: Effort, wanted: Callable[[str], bool]) -> Iterator[Row]:
    """A row for each group and message."""
    for message in messages(effort.large).values():
        for groups, build in (((PARSE, STRICT), _parsing), ((DUMP, STRICT_DUMP, LENIENT_DUMP), _emitting)):
            asked = [group for group in groups if wanted(f"{group}: {message.name}")]
            if asked:
                yield from _measured(message, build(message), asked, effort)


def _measured(message: Message, calls: Calls, groups: list[str], effort: Effort) -> Iterator[Row]:
    calls = {key: call for key, call in calls.items() if key.who == "floor" or key.group in groups}
    times: dict[str, dict[Key, float]] = {}
    for column, enabled in COLLECTING.items():
        with collecting(enabled):
            times[column] = measure(calls, effort)
    for group in groups:
        if any(key.group == group for key in calls):
            floor = min(seconds for key, seconds in times["gc off"].items() if key.who == "floor")
            yield Row(
                group,
                message.name,
                _target(group, message),
                _time(floor),
                {column: max(_ratios(found, "ours", group)) for column, found in times.items()},
                {column: max(ratios) for column, found in times.items() if (ratios := _ratios(found, "peer", group))},
                {column: _details(found, group) for column, found in times.items()},
            )


def _ratios(times: Mapping[Key, float], who: Who, group: str) -> list[float]:
    """To the floor, at each revision."""
    floors = {key.revision: seconds for key, seconds in times.items() if key.who == "floor"}
    return [
        seconds / floors[NEWEST if key.revision == NEWEST else OLDER[-1]]
        for key, seconds in times.items()
        if key.who == who and key.group == group
    ]


def _details(times: Mapping[Key, float], group: str) -> dict[str, float]:
    return {
        f"{key.who} {key.revision}": seconds
        for key, seconds in times.items()
        if key.who == "floor" or key.group == group
    }


def _target(group: str, message: Message) -> float:
    if group == PARSE:
        if message.name == "tools/list, 1000 tools":
            return 0.7
        return 1.35 if message.small else 1.1
    return {STRICT: 2.0, DUMP: 1.0, STRICT_DUMP: 3.0, LENIENT_DUMP: 1.15}[group]


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


def _parsing(message: Message) -> Calls:
    """From bytes; each has been called once, and what came out was equal to what went in."""
    calls: Calls = {}
    for revision in message.revisions:
        value = message.at(revision)
        data = json.dumps(value).encode()
        if revision in ERAS:
            calls[Key("floor", PARSE, revision)] = floor = _parse_by_hand(message, data)
            _same(message, "floor", _written(floor()), value)
            theirs = _parse_by_peer(message, revision, data)
            calls[Key("peer", PARSE, revision)] = calls[Key("peer", STRICT, revision)] = theirs
            _same(message, "peer", _written(theirs(), exclude_unset=True), value)
        for group, strict in ((PARSE, False), (STRICT, True)):
            calls[Key("ours", group, revision)] = ours = _parse(message, revision, data, strict)
            _same(message, f"ours, {group}", wire.serialize_for(ours(), revision, strict=False), value)
    return calls


def _emitting(message: Message) -> Calls:
    """To bytes; each has been called once, and what came out was equal to the message."""
    calls: Calls = {}
    ours = wire.parse_as(getattr(types, message.model), message.value, OLDER[-1])
    for revision in message.revisions:
        value = message.at(revision)
        if revision in ERAS:
            calls[Key("floor", DUMP, revision)] = floor = _dump_by_hand(message, value)
            _same(message, "floor", json.loads(floor()), value)
            if message.kind == "result":
                group = STRICT_DUMP if revision == NEWEST else DUMP
                calls[Key("peer", group, revision)] = theirs = _dump_by_peer(message, revision)
                found = json.loads(theirs())
                _same(message, "peer", {name: found.get(name) for name in value}, value)
        modes = ((STRICT_DUMP, None), (LENIENT_DUMP, False)) if revision == NEWEST else ((DUMP, None),)
        for group, strict in modes:
            calls[Key("ours", group, revision)] = dump = _dump(ours, revision, strict)
            _same(message, f"ours, {group}", json.loads(dump()), value)
    return calls


def _parse(message: Message, revision: str, data: bytes, strict: bool) -> Call:
    model = getattr(types, message.model)
    if strict:
        return lambda: wire.parse_json(model, data, revision, strict=True)
    return lambda: wire.parse_json(model, data, revision)


def _dump(model: BaseModel, revision: str, strict: bool | None) -> Call:
    if strict is None:
        return lambda: wire.dump_json(model, revision)
    return lambda: wire.dump_json(model, revision, strict=strict)


def _parse_by_hand(message: Message, data: bytes) -> Call:
    model: type[BaseModel] = getattr(hand_written, message.model)
    return lambda: model.model_validate_json(data)


def _dump_by_hand(message: Message, value: dict[str, Any]) -> Call:
    model: BaseModel = getattr(hand_written, message.model).model_validate(value)
    return lambda: model.model_dump_json(by_alias=True, exclude_none=True)


def _parse_by_peer(message: Message, revision: str, data: bytes) -> Call:
    method = message.method
    if message.kind == "result":
        return lambda: peer.parse_server_result(method, revision, from_json(data))
    parsers: dict[tuple[str, str], Callable[[str, str, Any], Any]] = {
        ("request", "client"): peer.parse_client_request,
        ("notification", "server"): peer.parse_server_notification,
    }
    parse = parsers[message.kind, message.sender]

    def call() -> Any:
        body = from_json(data)
        return parse(body["method"], revision, body["params"])

    return call


def _dump_by_peer(message: Message, revision: str) -> Call:
    """What the peer does with a result, to which it adds defaults such as `isError`; it routes no other message."""
    method = message.method
    model: BaseModel = getattr(mcp_types, message.model).model_validate(message.value)

    def call() -> bytes:
        value = model.model_dump(by_alias=True, mode="json", exclude_none=True)
        return to_json(peer.serialize_server_result(method, revision, value))

    return call


def _written(model: BaseModel, *, exclude_unset: bool = False) -> Any:
    return json.loads(model.model_dump_json(by_alias=True, exclude_none=True, exclude_unset=exclude_unset))


def _same(message: Message, who: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise DifferenceError(f"{message.name}, {who}: the outcome is not what the message says")
