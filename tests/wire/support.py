"""What the tests of the wire share: both forms of each call at once, and comparison that keeps JSON types apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import TypeAdapter, ValidationError

from mcp_surfaces import types, wire

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

OLDEST, BATCHES, MIDDLE, TASKS, NEWEST = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"
OLDER = (OLDEST, BATCHES, MIDDLE, TASKS)
VERSIONS = wire.KNOWN_PROTOCOL_VERSIONS

PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
META: dict[str, Any] = {PROTOCOL_VERSION_KEY: NEWEST, CAPABILITIES_KEY: {}}


def same(a: object, b: object) -> bool:
    """Whether two JSON values are equal, 1, 1.0 and true being three values, members in any order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        left, right = cast("dict[str, object]", a), cast("dict[str, object]", b)
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(a, list):
        ours, theirs = cast("list[object]", a), cast("list[object]", b)
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return a == b


def settled(text: str) -> str:
    """A JSON text with exponents spelt as before pydantic 2.14, without a plus."""
    return re.sub(r"(?<=\de)\+(?=\d)", "", text)


def each(*values: Any) -> tuple[Any, ...]:
    """Values of different types, to go through."""
    return values


def body_of(frame: dict[str, Any]) -> dict[str, Any]:
    """A frame without its envelope."""
    return {key: value for key, value in frame.items() if key not in ("jsonrpc", "id")}


def entries(error: ValidationError) -> list[tuple[str, tuple[int | str, ...], str]]:
    """The type, place and text of each entry of an error."""
    return [(entry["type"], entry["loc"], entry["msg"]) for entry in error.errors()]


def made(cls: Any, **members: Any) -> Any:
    """An instance with members that its declaration does not have, or has otherwise."""
    return cls(**members)


def attempt(call: Callable[[], Any], *also: type[Exception]) -> Any:
    """What `call` returns, or the `ValidationError` (or other expected error) it raises."""
    expected: tuple[type[Exception], ...] = (ValidationError, *also)
    try:
        return call()
    except expected as error:
        return error


def parse(type_: Any, value: Any, version: str, **options: Any) -> Any:
    """`value` parsed through both forms, which must agree in the model, or in the entries of the error."""
    text = json.dumps(value)
    model = attempt(lambda: wire.parse_as(type_, value, version, **options))
    twin = attempt(lambda: wire.parse_json(type_, text.encode(), version, **options))
    assert json.dumps(value) == text, "parse_as changed its argument"
    assert type(model) is type(twin), (model, twin)
    if isinstance(model, ValidationError):
        assert entries(model) == entries(twin), "the forms refuse for different reasons"
        raise model
    assert model == twin
    assert repr(model) == repr(twin)
    return model


def refusal(type_: Any, value: Any, version: str, **options: Any) -> list[tuple[str, tuple[int | str, ...], str]]:
    """The entries of the error that both forms refuse `value` with."""
    try:
        model = parse(type_, value, version, **options)
    except ValidationError as error:
        return entries(error)
    raise AssertionError(f"accepted as {type(model).__name__}")


def emit(model: Any, version: str, **options: Any) -> Any:
    """`model` emitted through both forms, which must agree, order of members included; fails if that changes it."""
    before = repr(model)
    text = wire.dump_json(model, version, **options)
    value: Any = wire.serialize_for(model, version, **options)
    assert json.dumps(json.loads(text)) == json.dumps(value)
    assert same(json.loads(text), value)
    assert repr(model) == before, "emission changed its argument"
    return value


def unsupported(model: Any, version: str, **options: Any) -> wire.UnsupportedAtVersionError:
    """The error that both forms refuse to emit `model` with."""
    found: list[wire.UnsupportedAtVersionError] = []
    for call in (wire.dump_json, wire.serialize_for):
        try:
            call(model, version, **options)
        except wire.UnsupportedAtVersionError as error:
            found.append(error)
        else:
            raise AssertionError(f"{call.__name__} emitted it")
    first, second = found
    assert (first.findings, first.version, str(first)) == (second.findings, second.version, str(second))
    return first


def written(value: Any) -> Any:
    """The plain dump of a fragment: a model, or a list or dict of them."""
    return json.loads(TypeAdapter(Any).dump_json(value, by_alias=True))


def returns(type_: Any, value: Any, version: str, **options: Any) -> bool:
    """Whether `value` comes back equal through both forms."""
    model = parse(type_, value, version, **options)
    emits = isinstance(model, list) or is_message(type(model))
    return same(emit(model, version) if emits else written(model), value)


def is_message(cls: type[Any]) -> bool:
    """Whether the wire emits instances of `cls`."""
    bodies = (types.Request, types.Notification, types.Result, *get_args(get_args(types.JSONRPCMessage)[0]))
    return issubclass(cls, bodies)


def pointed(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer; raises LookupError."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value
