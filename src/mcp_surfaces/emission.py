"""From a typed message to the wire: dump, then refuse, inject and validate as the surface of the version demands.

One pass of pydantic-core writes the text. What a revision adds is spliced into that text where its place is certain, and
otherwise set on the parsed value. Below the strict surfaces the text is the plain dump, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_core import PydanticSerializationError, ValidationError, from_json, to_json

from mcp_surfaces.bodies import Place, body_of, exact_validator
from mcp_surfaces.built import serializer
from mcp_surfaces.errors import Finding, UnsupportedAtVersionError, pointer
from mcp_surfaces.jsonrpc import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_surfaces.routing import surface_for

if TYPE_CHECKING:
    from mcp_surfaces.registry import Registry

__all__ = ["emit"]

_FRAMES: Final = (JSONRPCRequest, JSONRPCNotification, JSONRPCResponse, JSONRPCError)
_VERSION: Final = "$version"


class BatchUnsupportedError(UnsupportedAtVersionError, TypeError):
    """A batch where the revision has none: no form at the version, and no argument to serialize there."""


def emit(message: object, version: str, strict: bool | None, registry: Registry | None) -> bytes:
    """The JSON text of a body, an envelope model, or a batch of those. Errors are those of `serialize_for`."""
    cls = type(message)
    if cls is list:
        return _batch(cast("list[object]", message), version)
    if isinstance(message, _FRAMES):
        surface_for(version)
        return _dump(message, version)
    place = _place(cls, version)
    if strict is None:
        strict = place.surface.strict
    if not strict and not place.surface.strict:
        return _dump(message, version)
    return _adapted(message, place, version, strict, registry)


def _place(cls: type[Any], version: str) -> Place:
    place = body_of(cls, version)
    if place is None:
        raise TypeError(
            f"{cls.__name__} is neither a request, notification or result body nor a JSON-RPC envelope model"
        )
    return place


def _batch(messages: list[object], version: str) -> bytes:
    for message in messages:
        if not isinstance(message, _FRAMES):
            raise TypeError(f"a batch holds JSON-RPC envelope models, not {type(message).__name__}")
    if version not in surface_for(version).batches:
        raise BatchUnsupportedError(version, [Finding("", "batch_unsupported", "The revision has no JSON-RPC batches")])
    return b"[" + b",".join(_dump(message, version) for message in messages) + b"]"


def _dump(message: Any, version: str) -> bytes:
    """The plain dump; raises `UnsupportedAtVersionError` where that is not JSON."""
    try:
        text = serializer(type(message)).to_json(message, by_alias=True, warnings=False)
    except (PydanticSerializationError, ValueError):
        text = b"NaN"
    if b"NaN" in text or b"Infinity" in text:
        _refuse_not_json(message, text, version)
    return text


def _refuse_not_json(message: Any, text: bytes, version: str) -> None:
    from mcp_surfaces.strict_json import is_strict, refuse_not_json

    if not is_strict(text):
        refuse_not_json(message, version, _method(message))
        raise UnsupportedAtVersionError(version, [Finding("", "not_json", "Has no JSON form")], _method(message))


def _method(message: Any) -> str | None:
    method = getattr(message, "method", None)
    return method if isinstance(method, str) else None


def _adapted(message: Any, place: Place, version: str, strict: bool, registry: Registry | None) -> bytes:
    body = place.body
    if body is None:
        what = f"The revision defines no {type(message).__name__}"
        raise UnsupportedAtVersionError(version, [Finding("", "undefined_type", what)], _method(message))
    if place.kind == "result":
        text = _result(message, place, version)
    elif place.kind == "request":
        wanted = _wanted_meta(message, place, registry)
        text = _request(message, version, *wanted) if any(wanted) else _dump(message, version)
    else:
        text = _dump(message, version)
    if strict:
        _validate(message, text, place, version)
    return text


def _result(message: Any, place: Place, version: str) -> bytes:
    body = cast("Any", place.body)
    if body.definition == "InputRequiredResult" and message.input_requests is None and message.request_state is None:
        what = "An input-required result needs inputRequests or requestState"
        raise UnsupportedAtVersionError(version, [Finding("", "missing", what)])
    _refuse_missing(message.meta, body.caller_meta, ("_meta",), version, None)
    text = _dump(message, version)
    if body.inject:
        unset = [
            b'"%b":%b' % (name.encode(), to_json(value))
            for name, value in body.inject.items()
            if _unset(message, name)
        ]
        if unset:
            text = text[:-1] + (b"," if len(text) > 2 else b"") + b",".join(unset) + b"}"
    return text


def _unset(message: Any, name: str) -> bool:
    """Whether the member `name` (as on the wire) is absent from the dump of `message`."""
    for attribute, field in type(message).__pydantic_fields__.items():
        if field.alias == name:
            return getattr(message, attribute, None) is None
    return name not in (message.__pydantic_extra__ or {})


def _wanted_meta(message: Any, place: Place, registry: Registry | None) -> tuple[Mapping[str, str], Sequence[str]]:
    """The reserved `_meta` keys that `message` must carry: those the wire sets, and those it cannot know."""
    if not place.custom:
        body = cast("Any", place.body)
        return body.inject_meta, body.caller_meta
    keys = registry.meta.get(type(message), ()) if registry is not None else ()
    settable = {key: value for body in place.surface.bodies.values() for key, value in body.inject_meta.items()}
    return (
        {key: settable[key] for key in keys if key in settable},
        [key for key in keys if key not in settable],
    )


def _request(message: Any, version: str, inject: Mapping[str, str], caller: Iterable[str]) -> bytes:
    params = message.params
    meta = params.get("_meta") if isinstance(params, dict) else getattr(params, "meta", None)
    _refuse_missing(meta, caller, ("params", "_meta"), version, _method(message))
    unset = {key: version if value == _VERSION else value for key, value in inject.items() if key not in (meta or {})}
    text = _dump(message, version)
    if not unset:
        return text
    head = b'{"method":%b,"params":{"_meta":{' % to_json(message.method)
    if text.startswith(head) and text[len(head) : len(head) + 1] != b"}":
        return head + to_json(unset)[1:-1] + b"," + text[len(head) :]
    value = from_json(text)
    meta = value.setdefault("params", {}).setdefault("_meta", {})
    meta.update(unset)
    return to_json(value)


def _refuse_missing(
    meta: Any, keys: Iterable[str], loc: tuple[str, ...], version: str, method: str | None
) -> None:
    missing = [key for key in keys if key not in (meta or {})]
    if missing:
        what = "The revision requires this key, and only the caller can know its value"
        findings = [Finding(pointer((*loc, key)), "missing_required_meta", what) for key in missing]
        raise UnsupportedAtVersionError(version, findings, method)


def _validate(message: Any, text: bytes, place: Place, version: str) -> None:
    body = cast("Any", place.body)
    exact = cast("Any", exact_validator(place.surface.package, body.definition))
    if body.enveloped:
        text = b'{"id":0,"jsonrpc":"2.0",' + text[1:]
    try:
        exact.validate_json(text)
    except ValidationError as error:
        from mcp_surfaces.located import findings, located

        safe = located(error, from_json(text), title=type(message).__name__)
        raise UnsupportedAtVersionError(version, findings(safe), _method(message)) from None
