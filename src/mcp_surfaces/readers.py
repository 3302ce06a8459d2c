"""How a JSON value is read as a type: models, tagged unions, unions of results, frames, embedded requests.

What a reader raises is `ValidationError`, safe to show: places are the input's own, and no payload is in it.
"""

from __future__ import annotations

import itertools
import types
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, cast, get_args, get_origin

from pydantic_core import SchemaValidator, ValidationError, to_json
from typing_extensions import Doc

from mcp_surfaces.bodies import body_of, is_model, is_own, kind_of, stands_on, variants
from mcp_surfaces.built import in_order, validator
from mcp_surfaces.elements import each
from mcp_surfaces.framing import Read, frame_reader, safely
from mcp_surfaces.routing import is_known

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

__all__ = ["direct", "has_documents", "holds_models", "reader", "title_of"]


_UNIONS: Final = (Union, types.UnionType)
_NONE: Final = type(None)


def title_of(type_: Any) -> str:
    """What errors call `type_`."""
    name = getattr(type_, "__name__", None)
    return name if isinstance(name, str) else "message"


def direct(type_: Any) -> SchemaValidator | None:
    """The validator that alone decides `type_`, from text too; None where the value must be looked at first."""
    return _direct(type_, in_order(type_))


@lru_cache(maxsize=1024)
def _direct(type_: Any, _: tuple[Any, ...]) -> SchemaValidator | None:
    """`direct`; as for `_reader`, the order of a union's arms counts."""
    if is_model(type_):
        looked_at = stands_on(type_, "InputRequiredResult") or variants(type_)
        return None if looked_at else validator(type_)
    arms = _arms(type_)
    if not arms or _embedded(type_) is not None:
        return None
    tagged = _tagged(type_, arms)
    return validator(tagged) if tagged is not None else None


@lru_cache(maxsize=1024)
def has_documents(type_: Any) -> bool:
    """Whether a type must hold free-form objects, such as schemas: most of a long text is then those."""
    return _holds_documents(type_, ())


def _holds_documents(type_: Any, inside: tuple[Any, ...]) -> bool:
    if is_model(type_):
        fields: Mapping[str, FieldInfo] = {} if type_ in inside else type_.__pydantic_fields__
        required = [field.annotation for field in fields.values() if field.is_required()]
        return any(_holds_documents(annotation, (*inside, type_)) for annotation in required)
    return get_origin(type_) is dict or any(_holds_documents(argument, inside) for argument in get_args(type_))


def reader(type_: Any) -> Read:
    """How to read a JSON value as `type_`."""
    return _reader(type_, in_order(type_))


@lru_cache(maxsize=1024)
def _reader(type_: Any, _: tuple[Any, ...]) -> Read:
    """`reader`; unions of the same arms are equal, but their order counts."""
    bare, optional = _bare(type_) or (type_, False)
    if bare is not type_:
        read = reader(bare)
        return (lambda value, version: None if value is None else read(value, version)) if optional else read
    if (frames := frame_reader(type_)) is not None:
        return frames
    arms = _arms(type_)
    if arms and all(kind_of(arm) == "result" for arm in arms):
        return _ResultReader(arms)
    if (many := _embedded(type_)) is not None:
        tagged = validator(_tagged(type_, arms)) if arms else validator(type_)
        return _embedded_requests(_validating(tagged, type_), many)
    if stands_on(type_, "InputRequiredResult"):
        return _input_required(type_)
    if is_model(type_) and variants(type_):
        return _ResultReader((type_, *variants(type_)))
    read = _validating(direct(type_) or validator(type_), type_)
    return _elements(type_, read) if holds_models(type_) and get_origin(type_) in (list, dict) else read


@lru_cache(maxsize=1024)
def holds_models(type_: Any) -> bool:
    """Whether a list or a map of that type is one of models, which have demands of their own."""
    return _bare(type_) is not None


def _bare(type_: Any, inside: tuple[Any, ...] = ()) -> tuple[Any, bool] | None:
    """What a type is beneath aliases, mere notes and `| None`, and whether it admits None; nothing if no models are."""
    origin, arguments = get_origin(type_), get_args(type_)
    if hasattr(type_, "__value__"):
        return _bare(type_.__value__, (*inside, type_)) if type_ not in inside else None
    if origin is Annotated:
        return _bare(arguments[0], inside) if all(isinstance(note, str | Doc) for note in arguments[1:]) else None
    if _NONE in arguments and origin in _UNIONS:
        found = _bare(cast("Any", Union)[tuple(arm for arm in arguments if arm is not _NONE)], inside)
        return found and (found[0], True)
    held = arguments[-1:] if origin is list or (origin is dict and arguments[0] is str) else ()
    known = is_model(type_) or _arms(type_) or _embedded(type_) is not None or any(_bare(one, inside) for one in held)
    return (type_, False) if known or frame_reader(type_) is not None else None


def _elements(type_: Any, whole: Read) -> Read:
    """Reads a list or a map one by one, each as if it stood alone; `whole` refuses what is no such list or map."""
    container, one = get_origin(type_), reader(get_args(type_)[-1])

    def read(value: Any, version: str) -> Any:
        if container is list and isinstance(value, list | tuple):
            return each(enumerate(cast("Sequence[object]", value)), lambda item: one(item, version))
        if container is dict and isinstance(value, dict):
            held = cast("dict[str, object]", value)
            if all(isinstance(cast("object", key), str) for key in held):
                return dict(zip(held, each(held.items(), lambda item: one(item, version)), strict=True))
        return whole(value if isinstance(value, dict) else None, version)

    return read


def _arms(type_: Any) -> tuple[Any, ...]:
    """The model classes of a union; empty where `type_` is no union of model classes alone."""
    if get_origin(type_) not in _UNIONS:
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


def _validating(exact: SchemaValidator, type_: Any) -> Read:
    """Reads with a validator. A user's own class may read a string otherwise than a Python value, a date for one."""

    def read(value: Any, version: str) -> Any:
        return exact.validate_python(value, by_alias=True, by_name=False)

    def read_as_text(value: Any, version: str) -> Any:
        if not isinstance(value, dict | list):
            return read(value, version)
        text = to_json(value, by_alias=True, inf_nan_mode="constants")
        try:
            return exact.validate_json(text, by_alias=True, by_name=False)
        except ValidationError as error:
            raise _of_value(exact, value, error) from None

    own = all(map(is_own, _models_in(type_)))
    return safely(read if own else read_as_text, title_of(type_))


def _models_in(type_: Any) -> Iterator[Any]:
    """The model classes of which a type is made."""
    if is_model(type_):
        yield type_
    for argument in get_args(type_):
        yield from _models_in(argument)


def _of_value(exact: SchemaValidator, value: Any, error: ValidationError) -> ValidationError:
    """The error of a text as that of its value, whose places can be told; not where a value has other errors."""
    try:
        exact.validate_python(value, by_alias=True, by_name=False)
    except ValidationError as same:
        if same.error_count() == error.error_count():
            return same
    return error


class _ResultReader:
    """Reads a union of results by structure: the arm that knows most of the members, and validates, wins."""

    __slots__ = ("arms", "empty", "knowing", "question", "reads")

    def __init__(self, arms: Sequence[Any]) -> None:
        self.arms = arms
        self.reads = [*map(_arm_reader, arms)]
        self.knowing: dict[str, list[int]] = {}
        """Member to the arms that know it, by their place."""
        for place, arm in enumerate(arms):
            for name in _wire_names(arm) - {"_meta", "resultType"}:
                self.knowing.setdefault(name, []).append(place)
        self.empty = self._place("EmptyResult")
        self.question = self._place("InputRequiredResult")

    def _place(self, name: str) -> int | None:
        """The place of the arm that is a construct, or a user's own version of it."""
        return next((place for place, arm in enumerate(self.arms) if stands_on(arm, name)), None)

    def __call__(self, value: Any, version: str) -> Any:
        """The first candidate's reading that succeeds; where none does, the error of the arm that fits best: of those
        that know most, the one with the fewest faulty members of its own, then the fewest errors, then the deepest."""
        errors: list[tuple[int, int, int, int, ValidationError]] = []
        for score, place in self.candidates(value, version):
            try:
                return self.reads[place](value, version)
            except ValidationError as error:
                depths = [len(entry["loc"]) for entry in error.errors() if entry["type"] != "too_many_errors"]
                errors.append((-score, sum(depth < 2 for depth in depths), len(depths), -max(depths, default=0), error))
        raise min(errors, key=lambda entry: entry[:4])[4]

    def candidates(self, value: Any, version: str) -> list[tuple[int, int]]:
        """The arms to try, best first: how many members of `value` each knows, and its place."""
        if not isinstance(value, dict):  # a model, if anything
            fitting = [(type(value) is not arm, place) for place, arm in enumerate(self.arms) if isinstance(value, arm)]
            return [(0, min(fitting)[1] if fitting else 0)]
        members, question = cast("Mapping[str, Any]", value), self.question
        if question is not None and members.get("resultType") == "input_required":
            place = body_of(self.arms[question], version) if is_known(version) else None
            if place is not None and place.body is not None:
                return [(0, question)]
        scores = Counter(place for name in members for place in self.knowing.get(name, ()))
        if scores:
            told = isinstance(members.get("resultType"), str)
            last = question if told else None
            ranks = [(place == last, -score, place == question, place) for place, score in scores.items()]
            ranked = [(-minus, place) for _, minus, _, place in sorted(ranks)]
            return ranked[:1] + [other for other in ranked[1:] if other[1] != question]
        if self.empty is not None:
            return [(0, self.empty)]
        return [(0, place) for place in range(len(self.arms)) if place != question]


def _arm_reader(arm: Any) -> Read:
    """Reads `arm` itself; its variants are arms of their own."""
    return _validating(validator(arm), arm) if variants(arm) else reader(arm)


def _wire_names(cls: Any) -> set[str]:
    """The members that `cls` reads."""
    fields: Mapping[str, FieldInfo] = cls.__pydantic_fields__
    return {wire for name, field in fields.items() for wire in _read_as(field.validation_alias or name)}


def _read_as(alias: Any) -> Iterator[str]:
    if isinstance(alias, str):
        yield alias
    elif hasattr(alias, "choices"):
        yield from itertools.chain.from_iterable(map(_read_as, alias.choices))
    else:
        yield str(alias.path[0])


def _embedded(type_: Any) -> bool | None:
    """Whether `type_` is the map of embedded requests (True), one such request (False), or neither."""
    if get_origin(type_) not in (*_UNIONS, dict):
        return None
    from mcp_surfaces.types import InputRequest, InputRequests

    return True if type_ == InputRequests else False if type_ == InputRequest else None


def _input_required(cls: Any) -> Read:
    """Reads results that embed requests, of which older or sloppy peers leave out the method.

    The result type has a default, so a null there is as good as none; else what is emitted would read as another.
    """
    read = _validating(validator(cls), cls)

    def with_methods(value: Any, version: str) -> Any:
        if isinstance(value, dict) and cast("dict[str, Any]", value).get("resultType", ...) is None:
            value = {name: held for name, held in cast("dict[str, Any]", value).items() if name != "resultType"}
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
    place = body_of(InputRequiredResult, version) if is_known(version) else None
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
