"""From a typed message to the wire: dump, then refuse, inject and validate as the surface of the version demands.

One pass of pydantic-core writes the text. What a revision adds is spliced into that text where its place is certain,
and otherwise set on the parsed value. Below the strict surfaces the text is the plain dump, byte for byte.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, SchemaValidator, ValidationError, from_json, to_json

from mcp_surfaces.base import MISSING, is_none
from mcp_surfaces.bodies import (
    Place,
    body_of,
    exact_validator,
    framed,
    framed_text,
    kind_of,
    members_of,
    on_wire,
    request_meta,
)
from mcp_surfaces.built import serializer
from mcp_surfaces.errors import Finding, UnsupportedAtVersionError, pointer, shortened
from mcp_surfaces.framing import jsonrpc_module
from mcp_surfaces.routing import surface_for
from mcp_surfaces.strict_json import (
    LONG,
    has_not_finite,
    has_surrogate_name,
    is_mostly_strings,
    is_plain,
    is_strict,
    nulled,
    refuse_not_json,
)

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from mcp_surfaces.registry import Registry
    from mcp_surfaces.surface import Body

__all__ = ["text", "value"]

_VERSION: Final = "$version"

_REPLACED: Final = "\ufffd".encode()
"""What pydantic-core writes for parts of a member name that has a lone surrogate."""
_N, _I, _EF = b"NI\xef"  # as integers, which are found faster than words are

_FAILURES: Final = (PydanticSerializationError, ValueError, AttributeError, TypeError)
"""What pydantic-core raises on a message it cannot write."""


class BatchUnsupportedError(UnsupportedAtVersionError, TypeError):
    """A batch where the revision has none: no form at the version, and no argument to serialize there."""


def value(message: object, version: str, strict: bool | None, registry: Registry | None) -> Any:
    """The JSON value of a message. Errors are those of `wire.serialize_for`."""
    return _parsed(text(message, version, strict, registry))


def _parsed(written: bytes) -> Any:
    """The value of a text that was written; pydantic-core writes what is nested deeper than it reads."""
    try:
        return from_json(written)
    except ValueError:
        import json  # hardly ever needed, and slow to load

        return json.loads(written)


def text(message: object, version: str, strict: bool | None, registry: Registry | None) -> bytes:
    """The JSON text of a body, an envelope model, or a batch of those. Errors are those of `wire.serialize_for`."""
    cls = type(message)
    try:
        form = _forms.get((cls, version))
    except TypeError:  # the version is not hashable: a peer may have sent it
        form = None
    if form is None:
        if cls is list:
            return _batch(cast("list[object]", message), version)
        form = _form(message, version)
    if form.place is None or not (form.strict or strict):
        return _dump(form, message, version)
    if form.body is None:
        form = _as_registered(form.place, message, version, registry)
    if form.kind == "result":
        written = _result(form, message, version)
    elif form.kind == "request":
        written = _request(form, message, version, *_wanted_meta(form, message, version, registry))
    else:
        written = _dump(form, message, version)
    if strict or (strict is None and form.strict):
        _validate(form, message, written, version)
    return written


_BUILT_PLAINLY: Final[object] = cast("Any", BaseModel.__get_pydantic_core_schema__).__func__


class _Form:
    """How messages of a class are written at a version."""

    __slots__ = ("asks", "body", "dump", "exact", "inject", "kind", "place", "spliced", "strict", "values")

    def __init__(self, cls: type[Any], place: Place | None) -> None:
        self.place = place
        self.body = place.body if place is not None else None
        self.kind = place.kind if place is not None else None
        self.asks = self.body is not None and (self.body.caller_meta or self.body.definition == "InputRequiredResult")
        """Whether there is something that only the caller can set."""
        self.strict = place is not None and place.surface.strict
        self.dump = serializer(cls).to_json
        self.values = serializer(cls).to_python
        self.exact: SchemaValidator | None = None
        """What says whether a text is as the surface demands, once that was asked."""
        fields: Mapping[str, FieldInfo] = cast("Any", cls).__pydantic_fields__
        names = {field.serialization_alias: name for name, field in fields.items()}
        inject: Mapping[str, Any] = self.body.inject if self.body is not None else {}
        self.inject = [
            (
                wire,
                names[wire],
                b',"%b":%b' % (wire.encode(), to_json(default)),
                fields[names[wire]].exclude_if is is_none,
            )
            for wire, default in inject.items()
            if wire in names
        ]
        """Of each member of a result that is set where it is unset: its names, text, and whether None is left out."""
        own_way = (
            cls.__pydantic_decorators__.model_serializers
            or cls.__pydantic_computed_fields__
            or cls.__get_pydantic_core_schema__.__func__ is not _BUILT_PLAINLY
        )
        self.spliced = not own_way and len(self.inject) == len(inject)
        """Whether it shows on a message what its text has, so that the text may be added to."""


_forms: dict[tuple[type[Any], str], _Form] = {}
_registered: dict[tuple[type[Any], str], _Form] = {}
"""The forms of classes that a version does not define, and a registry adds."""


def _is_frame(message: object) -> bool:
    """Whether `message` is an envelope model."""
    jsonrpc = jsonrpc_module()
    return jsonrpc is not None and isinstance(message, jsonrpc.FRAMES)


def _form(message: object, version: str) -> _Form:
    cls: Any = type(message)
    frame = _is_frame(message)
    if not frame and kind_of(cls) is None:
        raise TypeError(
            f"{cls.__name__} is neither a request, notification or result body nor a JSON-RPC envelope model"
        )
    surface_for(version)
    place = None if frame else body_of(cls, version)
    return _forms.setdefault((cls, version), _Form(cls, place))


def _dump(form: _Form, message: Any, version: str) -> bytes:
    """The plain dump; raises `UnsupportedAtVersionError` where that is not JSON."""
    try:
        written: bytes = form.dump(message, by_alias=True, warnings=False)
    except _FAILURES:
        written = b""
    suspicious = (
        not written
        or len(written) > LONG
        or _EF in written
        or written.rfind(b"null") >= 0
        or (_N in written and written.rfind(b"NaN") >= 0)
        or (_I in written and written.rfind(b"Infinity") >= 0)
    )
    if suspicious and not _is_json(form, written, message):
        raise _not_json(form, written, message, version)
    return written


def _is_json(form: _Form, written: bytes, message: Any) -> bool:
    """Whether a text is JSON that says what the message does: no null for NaN, no replacement for a lone surrogate."""
    if is_mostly_strings(written) and is_plain(message):
        return True
    if not written or not is_strict(written):
        return False
    if _EF in written and _REPLACED in written and has_surrogate_name(message):
        return False
    if written.rfind(b"null") < 0:
        return True
    values = _values(form, message)
    if values is None:
        return not has_not_finite(message)
    try:
        if is_strict(to_json(values, inf_nan_mode="constants", serialize_unknown=True)):
            return True
    except _FAILURES:
        pass
    return not any(True for _ in nulled(_read(written), values))


def _values(form: _Form, message: Any) -> Any:
    """The Python values that are written: a user's own models, wherever they are, write NaN among them as null."""
    try:
        return form.values(message, by_alias=True, warnings=False)
    except _FAILURES:
        return None


def _not_json(form: _Form, written: bytes, message: Any, version: str) -> UnsupportedAtVersionError:
    """The error that says where a message is not JSON; a computed member shows in what was written only."""
    seen = _read(written)
    for value in (message, seen):
        refuse_not_json(value, version, _method(message))
    places = [*itertools.islice(nulled(seen, _values(form, message)), 1)]
    return _refused(message, version, pointer(shortened(places[0])) if places else "", "not_json", "Has no JSON form")


def _read(written: bytes) -> Any:
    try:
        return from_json(written)
    except ValueError:
        return None


def _method(message: Any) -> str | None:
    method = getattr(message, "method", None)
    return method if isinstance(method, str) else None


def _refused(message: Any, version: str, where: str, kind: str, what: str) -> UnsupportedAtVersionError:
    return UnsupportedAtVersionError(version, [Finding(where, kind, what)], _method(message))


def _batch(messages: list[object], version: str) -> bytes:
    for message in messages:
        if not _is_frame(message):
            raise TypeError(f"a batch holds JSON-RPC envelope models, not {type(message).__name__}")
    jsonrpc = jsonrpc_module() if messages else None
    answers = {jsonrpc is not None and isinstance(message, jsonrpc.ANSWERS) for message in messages}
    if version not in surface_for(version).batches:
        raise BatchUnsupportedError(version, [Finding("", "batch_unsupported", "The revision has no JSON-RPC batches")])
    if len(answers) > 1:
        raise BatchUnsupportedError(
            version, [Finding("", "batch_mixed", "A batch holds requests or responses, not both")]
        )
    return b"[" + b",".join(_element(index, message, version) for index, message in enumerate(messages)) + b"]"


def _element(index: int, message: object, version: str) -> bytes:
    try:
        return text(message, version, None, None)
    except UnsupportedAtVersionError as error:
        findings = [finding._replace(pointer=f"/{index}{finding.pointer}") for finding in error.findings]
        raise UnsupportedAtVersionError(version, findings, error.method) from None


def _as_registered(place: Place, message: Any, version: str, registry: Registry | None) -> _Form:
    """The form of a class that the version does not define: that of a user's own, where it was registered."""
    cls: type[Any] = message.__class__
    if place.generic is None or registry is None or not registry.has(cls, version):
        raise _refused(message, version, "", "undefined_type", f"The revision defines no {cls.__name__}")
    form = _registered.get((cls, version)) or _Form(cls, place._replace(body=place.generic, custom=True))
    return _registered.setdefault((cls, version), form)


def _result(form: _Form, message: Any, version: str) -> bytes:
    members = message.__dict__
    if not form.spliced or (form.asks and not _is_asked(form, message, members, version)):
        return _result_value(form, message, version)
    written = _dump(form, message, version)
    unknown = message.__pydantic_extra__
    tail = b""
    for wire, attribute, piece, none_is_absent in form.inject:
        found = members.get(attribute, MISSING)
        if unknown and wire in unknown:  # put there past the member
            return _result_value(form, message, version)
        if found is MISSING or (found is None and none_is_absent):
            tail += piece
        elif found is None:
            return _result_value(form, message, version)
    if not tail:
        return written
    if len(written) < LONG:
        return written[:-1] + (tail if len(written) > 2 else tail[1:]) + b"}"
    return b"".join((memoryview(written)[:-1], tail, b"}"))


def _is_asked(form: _Form, message: Any, members: Mapping[str, Any], version: str) -> bool:
    """Refuse a result that lacks what only the caller can set; False where only the text tells."""
    body = cast("Body", form.body)
    if body.definition == "InputRequiredResult":
        _refuse_empty(message, version, members, "input_requests", "request_state")
    if body.caller_meta:
        meta = members_of(members.get("meta"))
        if meta is None:
            return False
        _refuse_missing(message, meta, body.caller_meta, ("_meta",), version)
    return True


def _result_value(form: _Form, message: Any, version: str) -> bytes:
    """As `_result`, for a class of a user's own that writes itself in its own way: only the text tells what it has."""
    body = cast("Body", form.body)
    written = _dump(form, message, version)
    whole = _object(_parsed(written), message, version, "")
    if body.definition == "InputRequiredResult":
        _refuse_empty(message, version, whole, "inputRequests", "requestState")
    _refuse_missing(message, on_wire(whole, "_meta"), body.caller_meta, ("_meta",), version)
    complete = _with_unset(whole, body)
    return to_json(complete) if complete != whole else written


def _with_unset(result: dict[str, Any], body: Body) -> dict[str, Any]:
    """A result with what is set where it is unset."""
    return {**result, **{wire: default for wire, default in body.inject.items() if result.get(wire) is None}}


def _refuse_empty(message: Any, version: str, members: Mapping[str, Any], *names: str) -> None:
    if all(members.get(name) is None for name in names):
        raise _refused(message, version, "", "missing", "An input-required result needs inputRequests or requestState")


def _wanted_meta(
    form: _Form, message: Any, version: str, registry: Registry | None
) -> tuple[Mapping[str, str], Sequence[str]]:
    """The reserved `_meta` keys that `message` must carry: those the wire sets, and those it cannot know."""
    place, body = cast("Place", form.place), cast("Body", form.body)
    own = registry.meta_keys(message, version) if registry is not None and form.strict else ()
    if not place.custom and not own:
        return body.inject_meta, body.caller_meta
    keys = dict.fromkeys(own if place.custom else (*body.inject_meta, *body.caller_meta, *own))
    settable = {key: default for other in place.surface.bodies.values() for key, default in other.inject_meta.items()}
    return {key: settable[key] for key in keys if key in settable}, [key for key in keys if key not in settable]


def _request(form: _Form, message: Any, version: str, inject: Mapping[str, str], caller: Sequence[str]) -> bytes:
    written = _dump(form, message, version)
    if not inject and not caller:
        return written
    meta = request_meta(message)
    if meta is None:
        meta = on_wire(_parsed(written), "params", "_meta")
    _refuse_missing(message, meta, caller, ("params", "_meta"), version)
    unset = {key: version if default == _VERSION else default for key, default in inject.items() if key not in meta}
    if not unset:
        return written
    head = b'{"method":%b,"params":{"_meta":{' % to_json(_method(message))
    if written.startswith(head) and not written.startswith(b"}", len(head)):
        return b"".join((head, to_json(unset)[1:-1], b",", memoryview(written)[len(head) :]))
    whole = _object(_parsed(written), message, version, "")
    params = _object(whole.setdefault("params", {}), message, version, "/params")
    _object(params.setdefault("_meta", {}), message, version, "/params/_meta").update(unset)
    return to_json(whole)


def _object(value: Any, message: Any, version: str, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _refused(message, version, where, "dict_type", "Input should be an object")
    return cast("dict[str, Any]", value)


def _refuse_missing(
    message: Any, meta: Mapping[str, Any], keys: Iterable[str], loc: tuple[str, ...], version: str
) -> None:
    missing = [key for key in keys if key not in meta]
    if missing:
        what = "The revision requires this key, and only the caller can know its value"
        findings = [Finding(pointer((*loc, key)), "missing_required_meta", what) for key in missing]
        raise UnsupportedAtVersionError(version, findings, _method(message))


def _validate(form: _Form, message: Any, written: bytes, version: str) -> None:
    """Raise `UnsupportedAtVersionError` where the surface refuses what was written."""
    place = cast("Place", form.place)
    body = cast("Body", place.body)
    exact = form.exact
    if exact is None:
        from mcp_surfaces.verdict import verdict  # only strict emission pays for it

        form.exact = exact = verdict(place.surface.package, body.definition)
    if (
        place.kind == "result"
        and is_mostly_strings(written)
        and is_plain(message)
        and _holds(exact, form, message, body)
    ):
        return
    try:
        exact.validate_json(framed_text(written) if body.enveloped and len(written) > 2 else written)
    except ValidationError as error:
        too_deep = (
            error.errors(include_url=False, include_context=False, include_input=False)[0]["type"] == "json_invalid"
        )
    else:
        return
    value = _object(_parsed(written), message, version, "")
    found = _faults(framed(value) if body.enveloped else value, place, body, message)
    if found or not too_deep:
        what = found or [Finding("", "invalid", "Is not valid at the revision")]
        raise UnsupportedAtVersionError(version, what, _method(message))


def _holds(exact: SchemaValidator, form: _Form, message: Any, body: Body) -> bool:
    """Whether the values of a result are accepted, of which no string is copied; what is not, its text decides."""
    try:
        exact.validate_python(_with_unset(_values(form, message), body))
    except ValidationError:
        return False
    return True


def _faults(refused: Any, place: Place, body: Body, message: Any) -> Sequence[Finding]:
    """What the exact model finds wrong with a value; in a text, places cannot be told exactly."""
    from mcp_surfaces.located import findings, located

    exact = cast("SchemaValidator", exact_validator(place.surface.package, body.definition))
    try:
        exact.validate_python(refused)
    except ValidationError as error:
        return findings(located(error, refused, title=type(message).__name__))
    return []
