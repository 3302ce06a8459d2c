"""What must hold of any input at all: a value or a `ValidationError`, then JSON or a named error, in bounded time."""

from __future__ import annotations

import json
import time
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from mcp_surfaces import types, wire

VERSIONS = (*wire.KNOWN_PROTOCOL_VERSIONS, "2099-01-01")
ENVELOPES = (types.JSONRPCRequest, types.JSONRPCNotification, types.JSONRPCResponse, types.JSONRPCError)
MESSAGES = (types.Request, types.Notification, types.Result, *ENVELOPES)

TARGETS: dict[str, Any] = {
    name: value
    for name in types.__all__
    if not isinstance(value := getattr(types, name), str | int | tuple | frozenset) and not name.endswith("_adapter")
}
"""Everything the wire parses: every class and union of the superset."""

INJECTED = ("resultType", "ttlMs", "cacheScope")
MAX_SECONDS = 5.0
MAX_TEXT = 100_000


class Fault(NamedTuple):
    """An input that something does not hold of."""

    type: str
    version: str
    text: bytes
    what: str


def fault(name: str, version: str, text: bytes) -> Fault | None:
    """What is wrong with how the wire treats `text` as the type `name` at `version`."""
    start = time.process_time()
    try:
        what = _fault(TARGETS[name], version, text)
    except Exception as error:  # whatever is raised here should not have been
        what = f"{type(error).__name__}: {str(error)[:500]}"
    if what is None and (took := time.process_time() - start) > MAX_SECONDS:
        what = f"took {took:.1f} s"
    return Fault(name, version, text, what) if what else None


def _fault(type_: Any, version: str, text: bytes) -> str | None:
    try:
        model: Any = wire.parse_json(type_, text, version)
    except ValidationError as error:
        return _of_refusal(error, type_, version, text)
    value = from_json(text, allow_inf_nan=False)
    twin: Any = wire.parse_as(type_, value, version)
    if type(twin) is not type(model) or repr(twin) != repr(model):
        return "parse_as gives another value than parse_json"
    if not isinstance(model, (list, *MESSAGES)) or (isinstance(model, list) and not _is_batch(type_, version, model)):
        return None
    if version not in wire.KNOWN_PROTOCOL_VERSIONS:
        return None
    try:
        written = wire.dump_json(model, version, strict=False)
    except wire.UnsupportedAtVersionError as error:
        return "the text of an error is too long" if len(str(error)) > MAX_TEXT else None
    if json.dumps(json.loads(written)) != json.dumps(wire.serialize_for(model, version, strict=False)):
        return "serialize_for gives another value than dump_json"
    # Read as the class it is: as a union it may be of another arm now that it says what it is.
    again: Any = wire.parse_json(type(model) if isinstance(model, BaseModel) else type_, written, version)
    if _ordered(wire.dump_json(again, version, strict=False)) != _ordered(written):
        return "what is emitted changes when it is parsed and emitted again"
    if lost := _lost(value, json.loads(written)):
        return f"lost at {lost}"
    return None


def _of_refusal(error: ValidationError, type_: Any, version: str, text: bytes) -> str | None:
    if error.error_count() > 100 or len(str(error)) > MAX_TEXT:
        return "the text of an error is too long"
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return None
    try:
        wire.parse_as(type_, value, version)
    except ValidationError as other:
        return None if str(other) == str(error) else "parse_as refuses for another reason than parse_json"
    return "parse_as accepts what parse_json refuses"


def _is_batch(type_: Any, version: str, model: Any) -> bool:
    return type_ is types.JSONRPCMessage and version == "2025-03-26" and all(isinstance(m, ENVELOPES) for m in model)


def _ordered(text: bytes) -> str:
    """A text with its members in order: what was injected stands last, and later where its field has it."""
    return json.dumps(json.loads(text), sort_keys=True)


def _lost(before: Any, after: Any, path: str = "") -> str | None:
    """Where `after` lacks something of `before`; a null may go, since it means absence where it is no data."""
    if isinstance(before, dict):
        if not isinstance(after, dict):
            return path or "/"
        for name, value in before.items():
            if name not in after:
                if value is not None:
                    return f"{path}/{name}"
            elif value is None and name in INJECTED:
                continue  # it was absent, and the wire sets it
            elif lost := _lost(value, after[name], f"{path}/{name}"):
                return lost
        return None
    if isinstance(before, list):
        if not isinstance(after, list) or len(after) != len(before):
            return path or "/"
        pairs = enumerate(zip(before, after, strict=True))
        return next((lost for i, (a, b) in pairs if (lost := _lost(a, b, f"{path}/{i}"))), None)
    return None if type(before) is type(after) and before == after else path or "/"
