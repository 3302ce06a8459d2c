"""From the wire to a typed message: one lenient parse, then the mandates that the revision makes of every message."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias, Union, cast, get_args, get_origin

from pydantic_core import SchemaValidator, ValidationError

from mcp_surfaces.bodies import (
    ENVELOPE,
    body_of,
    exact_validator,
    exact_verdict,
    kind_of,
    request_meta,
    spec_name,
    variants,
)
from mcp_surfaces.built import validator
from mcp_surfaces.jsonrpc import JSONRPCMessage, read_batch, read_frame
from mcp_surfaces.revisions import SURFACES
from mcp_surfaces.routing import surface_for
from mcp_surfaces.strict_json import check, is_strict, loads

if TYPE_CHECKING:
    from mcp_surfaces.registry import Registry

__all__ = ["from_text", "from_value"]

CORE_RESULT_TYPES: Final = frozenset({"complete", "input_required"})
JSON_FIRST: Final = 32_768
"""From this many bytes on it is faster to parse the JSON first and to validate the value."""

Read: TypeAlias = Callable[[Any, str], Any]
"""A validated model from a JSON value and a version."""


def from_text(type_: Any, data: bytes | bytearray | str, version: str, strict: bool, registry: Registry | None) -> Any:
    """`data`, a JSON text, as `type_`. Errors are those of `wire.parse_json`."""
    try:
        read, demands = _direct_plans[type_, version]
    except (KeyError, TypeError):
        read, demands = _direct_plan(type_, version)
    if read is not None and (not strict or _passes(type_, data, version)):
        try:
            model = read(data, by_alias=True, by_name=False) if len(data) < JSON_FIRST else None
        except (ValidationError, ValueError, TypeError):
            model = None
        if model is not None and _is_strict(data):
            if demands is _BY_CLASS:
                demands = _demands(type(model), version)
            if demands is not None:
                _mandate(model, demands, registry)
            return model
    return _parse(type_, loads(data), version, strict, registry)


def from_value(type_: Any, data: object, version: str, strict: bool, registry: Registry | None) -> Any:
    """`data`, a parsed JSON value, as `type_`. Errors are those of `wire.parse_as`."""
    check(data, title=_title(type_))
    return _parse(type_, data, version, strict, registry)


def _passes(type_: Any, data: bytes | bytearray | str, version: str) -> bool:
    """Whether the surface of `version` accepts a text as what `type_` is there; False too where that cannot be told."""
    exact = _verdict(type_, version)
    if exact is None or isinstance(data, str) or not data.startswith(b"{"):
        return False
    check_text, enveloped = exact
    try:
        check_text(b"".join((ENVELOPE, memoryview(data)[1:])) if enveloped else data)
    except (ValidationError, ValueError):
        return False
    return True


@lru_cache(maxsize=1024)
def _verdict(type_: Any, version: str) -> tuple[Callable[[bytes | bytearray], Any], bool] | None:
    """What tells whether a text is what `type_` is at `version`, and whether the text must have an envelope."""
    place = body_of(type_, version) if isinstance(type_, type) else None
    if place is None or place.body is None:
        return None
    return exact_verdict(place.surface.package, place.body.definition).validate_json, place.body.enveloped


def _is_strict(data: bytes | bytearray | str) -> bool:
    """`is_strict` of a text below `JSON_FIRST` that is valid JSON but for the words NaN and Infinity."""
    if isinstance(data, str):
        return is_strict(data)
    return (data.rfind(b"NaN") < 0 and data.rfind(b"Infinity") < 0) or is_strict(data)


_direct_plans: dict[tuple[Any, str], tuple[Callable[..., Any] | None, Demands | None]] = {}
"""By type and version: the validator for text, where the type needs no other look, and what the version demands."""


def _direct_plan(type_: Any, version: str) -> tuple[Callable[..., Any] | None, Demands | None]:
    direct = _direct(type_)
    if direct is None:
        return None, None
    plan = direct.validate_json, _demands(type_, version) if isinstance(type_, type) else _BY_CLASS
    if version in SURFACES:
        _direct_plans[type_, version] = plan
    return plan


def _parse(type_: Any, value: Any, version: str, strict: bool, registry: Registry | None) -> Any:
    if strict:
        _exact(type_, value, version)
    model = _reader(type_)(value, version)
    if strict and hasattr(model, "__pydantic_fields__") and not isinstance(type_, type):
        _exact(type(model), value, version)
    demands = _demands(type(model), version)
    if demands is not None:
        _mandate(model, demands, registry)
    return model


def _title(type_: Any) -> str:
    name = getattr(type_, "__name__", None)
    return name if isinstance(name, str) else "message"


def _safe(error: ValidationError, value: object, title: str) -> ValidationError:
    from mcp_surfaces.located import located

    return located(error, value, title=title)


@lru_cache(maxsize=1024)
def _direct(type_: Any) -> SchemaValidator | None:
    """The validator that alone decides `type_`, from text too; None where the value must be looked at first."""
    if isinstance(type_, type) and hasattr(type_, "__pydantic_fields__"):
        indirect = "input_requests" in cast("Any", type_).__pydantic_fields__ or variants(type_)
        return None if indirect else validator(type_)
    arms = _arms(type_)
    if not arms or _embedded(type_) is not None:
        return None
    tagged = _tagged(type_, arms)
    return validator(tagged) if tagged is not None else None


@lru_cache(maxsize=1024)
def _reader(type_: Any) -> Read:
    """How to read a JSON value as `type_`."""
    if type_ == JSONRPCMessage:
        return _read_frame
    arms = _arms(type_)
    if arms and all(kind_of(arm) == "result" for arm in arms):
        return _ResultReader(arms)
    if (many := _embedded(type_)) is not None:
        tagged = validator(_tagged(type_, arms)) if arms else validator(type_)
        return _input_requests(_plain(tagged, _title(type_)), many)
    if isinstance(type_, type) and "input_requests" in getattr(type_, "__pydantic_fields__", {}):
        return _input_required(type_)
    if isinstance(type_, type) and variants(type_):
        return _ResultReader((type_, *variants(type_)))
    return _plain(_direct(type_) or validator(type_), _title(type_))


def _embedded(type_: Any) -> bool | None:
    """Whether `type_` is the map of embedded requests (True), one such request (False), or neither."""
    if get_origin(type_) not in (Union, types.UnionType, dict):
        return None
    from mcp_surfaces.types import InputRequest, InputRequests

    return True if type_ == InputRequests else False if type_ == InputRequest else None


def _arms(type_: Any) -> tuple[type[Any], ...]:
    """The model classes of a union; empty where `type_` is no union of model classes alone."""
    if get_origin(type_) not in (Union, types.UnionType):
        return ()
    arms = get_args(type_)
    return arms if all(isinstance(arm, type) and hasattr(arm, "__pydantic_fields__") for arm in arms) else ()


def _tagged(union: Any, arms: Sequence[Any]) -> Any:
    """`union` discriminated by the member whose constant tells its arms apart, or None."""
    from pydantic import Field

    for tag in ("type", "method"):
        values = [field.default for arm in arms if (field := arm.__pydantic_fields__.get(tag)) is not None]
        if len({value for value in values if isinstance(value, str)}) == len(arms):
            return Annotated[union, Field(discriminator=tag)]
    return None


def _plain(exact: SchemaValidator, title: str) -> Read:
    def read(value: Any, version: str) -> Any:
        try:
            return exact.validate_python(value, by_alias=True, by_name=False)
        except ValidationError as error:
            raise _safe(error, value, title) from None

    return read


def _read_frame(value: Any, version: str) -> Any:
    batches = version in SURFACES and version in surface_for(version).batches
    read: Callable[[Any], Any] = read_batch if batches and isinstance(value, list) else read_frame
    try:
        return read(value)
    except ValidationError as error:
        raise _safe(error, value, "JSONRPCMessage") from None


class _ResultReader:
    """Reads a union of results by structure: the arm that knows most of the members, and validates, wins."""

    __slots__ = ("arms", "empty", "input_required")

    def __init__(self, arms: Sequence[type[Any]]) -> None:
        common = {"_meta", "resultType"}
        self.arms = [(arm, _wire_names(arm) - common, _arm_reader(arm)) for arm in arms]
        self.empty = next((arm for arm in self.arms if arm[0].__name__ == "EmptyResult"), None)
        self.input_required = next((arm for arm in self.arms if arm[0].__name__ == "InputRequiredResult"), None)

    def __call__(self, value: Any, version: str) -> Any:
        first: ValidationError | None = None
        for _, _, read in self.candidates(value, version):
            try:
                return read(value, version)
            except ValidationError as error:
                first = first or error
        raise cast("ValidationError", first)

    def candidates(self, value: Any, version: str) -> Sequence[tuple[type[Any], set[str], Read]]:
        """The arms to try, best first."""
        if not isinstance(value, dict):
            return self.arms[:1]
        members: Mapping[str, Any] = cast("Any", value)
        if self.input_required is not None and members.get("resultType") == "input_required":
            place = body_of(self.input_required[0], version) if version in SURFACES else None
            if place is not None and place.body is not None:
                return [self.input_required]
        scores = [(len(arm[1] & members.keys()), arm) for arm in self.arms]
        known = [arm for score, arm in sorted(scores, key=lambda pair: -pair[0]) if score]
        return known or ([self.empty] if self.empty is not None else self.arms)


def _arm_reader(arm: Any) -> Read:
    """Reads `arm` itself; its variants are arms of their own."""
    return _plain(validator(arm), _title(arm)) if variants(arm) else _reader(arm)


def _wire_names(cls: type[Any]) -> set[str]:
    return {field.alias or name for name, field in cls.__pydantic_fields__.items()}


def _input_required(cls: Any) -> Read:
    """Reads results that embed requests, of which older or sloppy peers leave out the method."""
    read = _plain(validator(cls), _title(cls))

    def with_methods(value: Any, version: str) -> Any:
        if isinstance(value, dict) and "inputRequests" in value:
            value = {**value, "inputRequests": _completed(value["inputRequests"], ("inputRequests",), version)}
        return read(value, version)

    return with_methods


def _input_requests(read: Read, many: bool) -> Read:
    """Reads one embedded request, or a map of them, of which some may lack the method."""

    def with_methods(value: Any, version: str) -> Any:
        if many:
            return read(_completed(value, (), version), version)
        return read(_completed({"": value}, (), version, shown=False)[""], version)

    return with_methods


def _completed(requests: Any, loc: tuple[str, ...], version: str, shown: bool = True) -> Any:
    """`requests` where each has a method: that of the first class which validates it.

    Refused instead at a revision that defines embedded requests. `loc` is where `requests` stands, and `shown` whether
    its keys are members of the input.
    """
    from mcp_surfaces.types import InputRequest, InputRequiredResult

    bare = [key for key, request in _items(requests) if isinstance(request, dict) and "method" not in request]
    if not bare:
        return requests
    place = body_of(InputRequiredResult, version) if version in SURFACES else None
    if place is not None and place.body is not None:
        from mcp_surfaces.located import refused, violation

        places = [(*loc, key, "method") if shown else (*loc, "method") for key in bare]
        raise refused("InputRequest", [violation("missing", place) for place in places])
    result = dict(requests)
    for key in bare:
        for arm in get_args(InputRequest):
            try:
                validator(arm).validate_python(requests[key], by_alias=True, by_name=False)
            except ValidationError:
                continue
            result[key] = {"method": arm.__pydantic_fields__["method"].default, **requests[key]}
            break
    return result


def _items(requests: Any) -> Sequence[tuple[str, Any]]:
    return list(cast("dict[str, Any]", requests).items()) if isinstance(requests, dict) else []


def _exact(type_: Any, value: Any, version: str) -> None:
    """Raise `ValidationError` where the surface of `version` refuses `value` as what `type_` is there."""
    surface = surface_for(version)
    if type_ == JSONRPCMessage:
        name, enveloped = "JSONRPCMessage", False
        if isinstance(value, list) and version in surface.batches:
            for frame in value:
                _exact(type_, frame, version)
            return
    elif not isinstance(type_, type):
        return
    else:
        place = body_of(type_, version)
        if place is not None and place.body is None:
            from mcp_surfaces.located import refused, violation

            raise refused(_title(type_), [violation("undefined_type", (), "The revision defines no such message")])
        name = place.body.definition if place is not None and place.body is not None else spec_name(type_) or ""
        enveloped = place is not None and place.body is not None and place.body.enveloped
    exact = exact_validator(surface.package, name)
    if exact is None:
        return
    if enveloped and isinstance(value, dict):
        value = {**cast("dict[str, Any]", value), "id": 0, "jsonrpc": "2.0"}
    try:
        exact.validate_python(value)
    except ValidationError as error:
        raise _safe(error, value, _title(type_)) from None


class Demands(NamedTuple):
    """What a revision demands of a message beyond its shape."""

    result_type: bool
    """A `resultType` that is present must be a known one."""
    custom: bool
    """A request of the user's own: the registry knows its `_meta` keys."""
    meta: tuple[str, ...]
    """The `_meta` keys of a request of the protocol."""


_BY_CLASS: Final = Demands(False, False, ())
"""Stands for the demands of a union, which are those of the class that was parsed."""


@lru_cache(maxsize=4096)
def _demands(cls: Any, version: str) -> Demands | None:
    place = body_of(cls, version) if version in SURFACES else None
    if place is None or place.body is None:
        return None
    known = place.kind == "result" and "resultType" in place.body.inject
    custom = place.kind == "request" and place.custom and place.surface.strict
    meta = (*place.body.inject_meta, *place.body.caller_meta) if place.kind == "request" and not place.custom else ()
    return Demands(known, custom, meta) if known or custom or meta else None


def _mandate(model: Any, demands: Demands, registry: Registry | None) -> None:
    """Raise `ValidationError` where `model` lacks what the revision demands of it."""
    if demands.result_type:
        value = model.result_type
        if (
            value is not None
            and value not in CORE_RESULT_TYPES
            and (registry is None or value not in registry.result_types)
        ):
            _refuse(model, "result_type_invalid", [("resultType",)])
        return
    keys = demands.meta
    if demands.custom and registry is not None:
        keys = registry.meta.get(type(model), ())
    if keys:
        present = request_meta(model)
        missing = [("params", "_meta", key) for key in keys if key not in present]
        if missing:
            _refuse(model, "missing_required_meta", missing)


def _refuse(model: Any, kind: str, places: Sequence[tuple[str, ...]]) -> None:
    from mcp_surfaces.located import refused, violation

    raise refused(type(model).__name__, [violation(kind, place) for place in places])
