"""From a typed message to the wire: dump, then refuse, inject and validate as the surface of the version demands.

One pass of pydantic-core writes the text. What a revision adds is spliced into that text where its place is certain, and
otherwise set on the parsed value. Below the strict surfaces the text is the plain dump, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_core import PydanticSerializationError, SchemaValidator, ValidationError, from_json, to_json

from mcp_surfaces.bodies import Place, body_of, exact_validator, request_meta
from mcp_surfaces.built import serializer
from mcp_surfaces.errors import Finding, UnsupportedAtVersionError, pointer
from mcp_surfaces.jsonrpc import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_surfaces.routing import surface_for
from mcp_surfaces.strict_json import is_strict, refuse_not_json

if TYPE_CHECKING:
    from mcp_surfaces.registry import Registry
    from mcp_surfaces.surface import Body

__all__ = ["text", "value"]

_FRAMES: Final = (JSONRPCRequest, JSONRPCNotification, JSONRPCResponse, JSONRPCError)
_VERSION: Final = "$version"
_ENVELOPE: Final = b'{"id":0,"jsonrpc":"2.0",'


class BatchUnsupportedError(UnsupportedAtVersionError, TypeError):
    """A batch where the revision has none: no form at the version, and no argument to serialize there."""


def value(message: object, version: str, strict: bool | None, registry: Registry | None) -> Any:
    """The JSON value of a message. Errors are those of `wire.serialize_for`."""
    return _parsed(text(message, version, strict, registry), message, version)


def _parsed(written: bytes, message: object, version: str) -> Any:
    try:
        return from_json(written)
    except ValueError:
        raise _refused(message, version, "", "not_json", "Nesting is too deep") from None


def text(message: object, version: str, strict: bool | None, registry: Registry | None) -> bytes:
    """The JSON text of a body, an envelope model, or a batch of those. Errors are those of `wire.serialize_for`."""
    cls = type(message)
    try:
        dump = _plain_dumps[cls, version]
    except KeyError:
        dump = _plain_dump(message, version)
    if dump is not None and not strict:
        return _dump(dump, message, version)
    if cls is list:
        return _batch(cast("list[object]", message), version)
    place = cast("Place", body_of(cls, version))
    if strict is None:
        strict = place.surface.strict
    return _adapted(message, place, version, strict, registry)


_plain_dumps: dict[tuple[type[Any], str], Callable[..., bytes] | None] = {}
"""By class and version: the serializer of messages whose plain dump is their form at that version; None for others."""


def _plain_dump(message: object, version: str) -> Callable[..., bytes] | None:
    cls = type(message)
    if cls is list:
        return None
    if isinstance(message, _FRAMES):
        surface_for(version)
        plain = True
    else:
        place = body_of(cls, version)
        if place is None:
            raise TypeError(
                f"{cls.__name__} is neither a request, notification or result body nor a JSON-RPC envelope model"
            )
        plain = not place.surface.strict
    dump = serializer(cls).to_json if plain else None
    _plain_dumps[cls, version] = dump
    return dump


def _dump(dump: Callable[..., bytes], message: Any, version: str) -> bytes:
    """The plain dump; raises `UnsupportedAtVersionError` where that is not JSON."""
    try:
        written = dump(message, by_alias=True, warnings=False)
    except (PydanticSerializationError, ValueError):
        written = b"NaN"
    if not is_strict(written):
        refuse_not_json(message, version, _method(message))
        raise _refused(message, version, "", "not_json", "Has no JSON form")
    return written


def _method(message: Any) -> str | None:
    method = getattr(message, "method", None)
    return method if isinstance(method, str) else None


def _refused(message: Any, version: str, where: str, kind: str, what: str) -> UnsupportedAtVersionError:
    return UnsupportedAtVersionError(version, [Finding(where, kind, what)], _method(message))


def _batch(messages: list[object], version: str) -> bytes:
    for message in messages:
        if not isinstance(message, _FRAMES):
            raise TypeError(f"a batch holds JSON-RPC envelope models, not {type(message).__name__}")
    if version not in surface_for(version).batches:
        raise BatchUnsupportedError(version, [Finding("", "batch_unsupported", "The revision has no JSON-RPC batches")])
    return b"[" + b",".join(text(message, version, None, None) for message in messages) + b"]"


def _adapted(message: Any, place: Place, version: str, strict: bool, registry: Registry | None) -> bytes:
    if place.body is None:
        what = f"The revision defines no {type(message).__name__}"
        raise _refused(message, version, "", "undefined_type", what)
    dump = serializer(type(message)).to_json
    if place.kind == "result":
        written = _result(dump, message, place.body, version)
    elif place.kind == "request":
        written = _request(dump, message, version, *_wanted_meta(message, place, place.body, registry))
    else:
        written = _dump(dump, message, version)
    if strict:
        _validate(message, written, place, place.body, version)
    return written


def _result(dump: Callable[..., bytes], message: Any, body: Body, version: str) -> bytes:
    if body.definition == "InputRequiredResult" and message.input_requests is None and message.request_state is None:
        raise _refused(message, version, "", "missing", "An input-required result needs inputRequests or requestState")
    if body.caller_meta:
        _refuse_missing(message, message.meta or {}, body.caller_meta, ("_meta",), version)
    written = _dump(dump, message, version)
    unset = b",".join(
        b'"%b":%b' % (name.encode(), to_json(default))
        for name, default in body.inject.items()
        if _unset(message, name)
    )
    if not unset:
        return written
    return written[:-1] + (b"," if len(written) > 2 else b"") + unset + b"}"


def _unset(message: Any, name: str) -> bool:
    """Whether the member `name` (as on the wire) is absent from the dump of `message`."""
    for attribute, field in type(message).__pydantic_fields__.items():
        if field.alias == name:
            return getattr(message, attribute, None) is None
    return name not in (message.__pydantic_extra__ or {})


def _wanted_meta(
    message: Any, place: Place, body: Body, registry: Registry | None
) -> tuple[Mapping[str, str], Sequence[str]]:
    """The reserved `_meta` keys that `message` must carry: those the wire sets, and those it cannot know."""
    if not place.custom:
        return body.inject_meta, body.caller_meta
    keys = registry.meta.get(type(message), ()) if registry is not None else ()
    settable = {key: default for other in place.surface.bodies.values() for key, default in other.inject_meta.items()}
    return {key: settable[key] for key in keys if key in settable}, [key for key in keys if key not in settable]


def _request(
    dump: Callable[..., bytes], message: Any, version: str, inject: Mapping[str, str], caller: Sequence[str]
) -> bytes:
    if not inject and not caller:
        return _dump(dump, message, version)
    meta = request_meta(message)
    _refuse_missing(message, meta, caller, ("params", "_meta"), version)
    unset = {key: version if default == _VERSION else default for key, default in inject.items() if key not in meta}
    written = _dump(dump, message, version)
    if not unset:
        return written
    head = b'{"method":%b,"params":{"_meta":{' % to_json(message.method)
    if written.startswith(head) and not written.startswith(b"}", len(head)):
        return head + to_json(unset)[1:-1] + b"," + written[len(head) :]
    whole = _parsed(written, message, version)
    params = whole.setdefault("params", {})
    if not isinstance(params, dict) or not isinstance(cast("dict[str, Any]", params).setdefault("_meta", {}), dict):
        raise _refused(message, version, "/params/_meta", "dict_type", "Input should be an object")
    params["_meta"].update(unset)
    return to_json(whole)


def _refuse_missing(
    message: Any, meta: Mapping[str, Any], keys: Iterable[str], loc: tuple[str, ...], version: str
) -> None:
    missing = [key for key in keys if key not in meta]
    if missing:
        what = "The revision requires this key, and only the caller can know its value"
        findings = [Finding(pointer((*loc, key)), "missing_required_meta", what) for key in missing]
        raise UnsupportedAtVersionError(version, findings, _method(message))


def _validate(message: Any, written: bytes, place: Place, body: Body, version: str) -> None:
    """Raise `UnsupportedAtVersionError` where the surface refuses what was written."""
    exact = exact_validator(place.surface.package, body.definition)
    assert exact is not None, body.definition
    whole = _ENVELOPE + written[1:] if body.enveloped else written
    try:
        exact.validate_json(whole)
    except ValidationError:
        parsed = _parsed(whole, message, version)
        raise UnsupportedAtVersionError(version, _faults(exact, parsed, type(message)), _method(message)) from None


def _faults(exact: SchemaValidator, refused: Any, cls: type[Any]) -> Sequence[Finding]:
    """What `exact` finds wrong with a value it refuses; not with the text, in which places cannot be told exactly."""
    from mcp_surfaces.located import findings, located

    try:
        exact.validate_python(refused)
    except ValidationError as error:
        return findings(located(error, refused, title=cls.__name__))
    return [Finding("", "invalid", "Is not valid at the revision")]
