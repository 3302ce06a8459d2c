"""How a JSON value is read as a type: models, tagged unions, unions of results, frames, embedded requests.

What a reader raises is `ValidationError`, safe to show: places are the input's own, and no payload is in it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, TypeAlias, Union, cast, get_args, get_origin

from pydantic_core import SchemaValidator, ValidationError

from mcp_surfaces.bodies import body_of, is_message, is_model, kind_of, variants
from mcp_surfaces.built import validator
from mcp_surfaces.revisions import SURFACES
from mcp_surfaces.routing import surface_for

__all__ = ["Read", "direct", "reader", "title_of"]

Read: TypeAlias = Callable[[Any, str], Any]
"""A validated model from a JSON value and a version."""


def title_of(type_: Any) -> str:
    """What errors call `type_`."""
    name = getattr(type_, "__name__", None)
    return name if isinstance(name, str) else "message"


@lru_cache(maxsize=1024)
def direct(type_: Any) -> SchemaValidator | None:
    """The validator that alone decides `type_`, from text too; None where the value must be looked at first."""
    if is_model(type_):
        return None if "input_requests" in type_.__pydantic_fields__ or variants(type_) else validator(type_)
    arms = _arms(type_)
    if not arms or _embedded(type_) is not None:
        return None
    tagged = _tagged(type_, arms)
    return validator(tagged) if tagged is not None else None


@lru_cache(maxsize=1024)
def reader(type_: Any) -> Read:
    """How to read a JSON value as `type_`."""
    if is_message(type_):
        return _read_frame
    arms = _arms(type_)
    if arms and all(kind_of(arm) == "result" for arm in arms):
        return _ResultReader(arms)
    if (many := _embedded(type_)) is not None:
        tagged = validator(_tagged(type_, arms)) if arms else validator(type_)
        return _embedded_requests(_plain(tagged, title_of(type_)), many)
    if is_model(type_) and "input_requests" in type_.__pydantic_fields__:
        return _input_required(type_)
    if is_model(type_) and variants(type_):
        return _ResultReader((type_, *variants(type_)))
    return _plain(direct(type_) or validator(type_), title_of(type_))


def _arms(type_: Any) -> tuple[Any, ...]:
    """The model classes of a union; empty where `type_` is no union of model classes alone."""
    if get_origin(type_) not in (Union, types.UnionType):
        return ()
    arms = get_args(type_)
    return arms if all(map(is_model, arms)) else ()


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


def _safe(error: ValidationError, value: object, title: str) -> ValidationError:
    from mcp_surfaces.located import located  # only bad data pays for it

    return located(error, value, title=title)


def _read_frame(value: Any, version: str) -> Any:
    from mcp_surfaces.jsonrpc import read_batch, read_frame

    """A frame, or at a revision that has batches a list of them."""
    batches = version in SURFACES and version in surface_for(version).batches
    read: Callable[[object], Any] = read_batch if batches and _is_list(value) else read_frame
    try:
        return read(value)
    except ValidationError as error:
        raise _safe(error, value, "JSONRPCMessage") from None


def _is_list(value: object) -> bool:
    return isinstance(value, list)


class _ResultReader:
    """Reads a union of results by structure: the arm that knows most of the members, and validates, wins."""

    __slots__ = ("arms", "empty", "input_required")

    def __init__(self, arms: Sequence[Any]) -> None:
        common = {"_meta", "resultType"}
        self.arms = [(arm, _wire_names(arm) - common, _arm_reader(arm)) for arm in arms]
        self.empty = next((arm for arm in self.arms if arm[0].__name__ == "EmptyResult"), None)
        self.input_required = next((arm for arm in self.arms if arm[0].__name__ == "InputRequiredResult"), None)

    def __call__(self, value: Any, version: str) -> Any:
        """The first candidate's reading that succeeds; where none does, the shortest error of the best ones."""
        errors: list[tuple[int, int, ValidationError]] = []
        for score, (_, _, read) in self.candidates(value, version):
            try:
                return read(value, version)
            except ValidationError as error:
                errors.append((-score, error.error_count(), error))
        raise min(errors, key=lambda entry: entry[:2])[2]

    def candidates(self, value: Any, version: str) -> list[tuple[int, tuple[Any, set[str], Read]]]:
        """The arms to try, best first, and how many members of `value` each knows."""
        if not isinstance(value, dict):
            return [(0, self.arms[0])]
        members = cast("Mapping[str, Any]", value)
        if self.input_required is not None and members.get("resultType") == "input_required":
            place = body_of(self.input_required[0], version) if version in SURFACES else None
            if place is not None and place.body is not None:
                return [(0, self.input_required)]
        scores = [(len(arm[1] & members.keys()), arm) for arm in self.arms]
        known = [pair for pair in sorted(scores, key=lambda pair: -pair[0]) if pair[0]]
        return known or ([(0, self.empty)] if self.empty is not None else scores)


def _arm_reader(arm: Any) -> Read:
    """Reads `arm` itself; its variants are arms of their own."""
    return _plain(validator(arm), title_of(arm)) if variants(arm) else reader(arm)


def _wire_names(cls: Any) -> set[str]:
    return {field.alias or name for name, field in cls.__pydantic_fields__.items()}


def _embedded(type_: Any) -> bool | None:
    """Whether `type_` is the map of embedded requests (True), one such request (False), or neither."""
    if get_origin(type_) not in (Union, types.UnionType, dict):
        return None
    from mcp_surfaces.types import InputRequest, InputRequests

    return True if type_ == InputRequests else False if type_ == InputRequest else None


def _input_required(cls: Any) -> Read:
    """Reads results that embed requests, of which older or sloppy peers leave out the method."""
    read = _plain(validator(cls), title_of(cls))

    def with_methods(value: Any, version: str) -> Any:
        if isinstance(value, dict) and "inputRequests" in value:
            result = cast("dict[str, Any]", value)
            value = {**result, "inputRequests": _completed(result["inputRequests"], ("inputRequests",), version)}
        return read(value, version)

    return with_methods


def _embedded_requests(read: Read, many: bool) -> Read:
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
        from mcp_surfaces.located import refused, violation  # only bad data pays for it

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
