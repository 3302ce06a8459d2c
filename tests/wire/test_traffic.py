"""Recorded traffic of deployed peers: legal frames come back equal, and every frame that deviates has a stated fate."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest
from pydantic import ValidationError

from mcp_surfaces import types, wire

from .support import SHARED, body_of, emit, parse, refusal, same

pytestmark = pytest.mark.untraced

FILES = sorted((SHARED / "traffic").glob("*.jsonl"))

Fate: TypeAlias = Literal["equal", "null dropped", "completed", "body refused", "frame refused"]

FATES: list[tuple[str, Fate]] = [
    # Kept: newer content under older versions, opaque form schemas, open answers, frames of errors before any id.
    (r"(content/\*|messages/\*/content): type '\w+' matches no declared variant", "equal"),
    (r"ElicitRequest: params/requestedSchema/properties/", "equal"),
    (r"ElicitRequest: params: 'requestedSchema' is a required property", "equal"),
    (r"ElicitResult: content/\w+: ", "equal"),
    (r"JSONRPCError(Response)?: id: None is not of type", "equal"),
    (r"JSONRPCError: : 'id' is a required property", "equal"),
    # Null means absent where the schema does not admit it.
    (r"params/inputResponses: None is not of type", "null dropped"),
    # An absent resultType means complete, and emission says so.
    (r"'resultType' is a required property", "completed"),
    # Refused: what the receiver could do nothing with, and the mandates.
    (r"params(/argument)?: '(name|uri|value|_meta)' is a required property", "body refused"),
    (r"params/_meta: 'io.modelcontextprotocol/\w+' is a required property", "body refused"),
    (r"params/(name|arguments|level): .* is not (of type|one of)", "body refused"),
    (r"params/ref: type '[\w/]+' matches no declared variant", "body refused"),
    (r"params/inputResponses/\w+: .* matches no declared variant", "body refused"),
    (r": 'jsonrpc' is a required property", "frame refused"),
    (r"not a JSON-RPC message", "frame refused"),
]


def fate(deviations: list[str]) -> Fate:
    fates: set[Fate] = set()
    for deviation in deviations:
        found: Fate | None = next((outcome for pattern, outcome in FATES if re.search(pattern, deviation)), None)
        assert found is not None, f"no fate is stated for {deviation}"
        fates.add(found)
    assert len(fates) <= 1, deviations
    return fates.pop() if fates else "equal"


GENERIC = {"request": types.Request, "notification": types.Notification, "result": types.Result}
LOOK_UP = {"request": wire.request_type, "notification": wire.notification_type, "result": wire.result_type}


def body_type(record: dict[str, Any]) -> Any:
    """The class of a body; of a method that the revision lacks, the base class."""
    try:
        return LOOK_UP[record["kind"]](record["method"], record["version"], record["sender"])
    except wire.UnknownMethodError:
        return GENERIC[record["kind"]]


def travels(record: dict[str, Any]) -> None:
    version, frame, expected = record["version"], record["frame"], fate(record.get("deviates", []))
    if expected == "frame refused":
        assert len(refusal(types.JSONRPCMessage, frame, version)) == 1
        return
    assert same(emit(parse(types.JSONRPCMessage, frame, version), version), frame)
    if record["kind"] not in ("request", "notification", "result"):
        return
    body = frame["result"] if record["kind"] == "result" else body_of(frame)
    if expected == "body refused":
        refusal(body_type(record), body, version)
        return
    out = emit(parse(body_type(record), body, version), version)
    if expected == "null dropped":
        body = {**body, "params": {name: value for name, value in body["params"].items() if value is not None}}
    elif expected == "completed":
        body = {**body, "resultType": "complete"}
    assert same(out, body)


@pytest.mark.skipif(not FILES, reason="the recorded traffic is not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_traffic(path: Path) -> None:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            travels(json.loads(line))
        except (AssertionError, ValidationError, ValueError) as error:
            raise AssertionError(f"{path.name}:{number}: {line[:500]}") from error
