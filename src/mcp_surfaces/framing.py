"""How frames are read: one of any kind, one of a given kind, or where a revision has them a batch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, cast, get_args, get_origin

from pydantic_core import ValidationError

from mcp_surfaces.elements import each
from mcp_surfaces.routing import is_known, surface_for

__all__ = ["Read", "frame_reader", "is_frame", "is_message", "jsonrpc_module", "read_batch", "safely"]

Read: TypeAlias = Callable[[Any, str], Any]
"""A validated model from a JSON value and a version."""


def safely(read: Read, title: str) -> Read:
    """`read` with errors that are safe to show."""

    def reading(value: Any, version: str) -> Any:
        try:
            return read(value, version)
        except ValidationError as error:
            from mcp_surfaces.located import located  # only bad data pays for it

            raise located(error, value, title=title) from None

    return reading


def jsonrpc_module() -> Any:
    """The module of the frames, or None as long as it is not loaded to its end: until then there are no frames."""
    jsonrpc = sys.modules.get("mcp_surfaces.jsonrpc")
    return jsonrpc if hasattr(jsonrpc, "JSONRPCBatchResponse") else None  # another thread may be half way through it


def is_message(type_: Any) -> bool:
    """Whether `type_` is `JSONRPCMessage`."""
    jsonrpc = jsonrpc_module()
    return jsonrpc is not None and bool(type_ == jsonrpc.JSONRPCMessage)


def is_frame(type_: Any) -> bool:
    """Whether `type_` is one of the envelope models, or stands on one."""
    return any(base in _frames() for base in getattr(type_, "__mro__", ()))


def _frames() -> Sequence[Any]:
    """The envelope models."""
    jsonrpc = jsonrpc_module()
    frames: Sequence[Any] = () if jsonrpc is None else jsonrpc.FRAMES
    return frames


def frame_reader(type_: Any) -> Read | None:
    """How to read `type_`, if it is `JSONRPCMessage`, an envelope model or some, or a batch; None for any other type.

    A frame that is of another kind, or of two at once, is refused; so is a batch where the revision has none.
    """
    jsonrpc = jsonrpc_module()
    if is_message(type_):

        def read(value: Any, version: str) -> Any:
            batch = isinstance(cast("object", value), list) and _has_batches(version)
            return read_batch(value) if batch else jsonrpc.read_frame(value)

        return safely(read, "JSONRPCMessage")
    kinds, batched = _kinds(type_)
    if not kinds and not batched:
        return None
    name = kinds[0].__name__ if len(kinds) == 1 else "JSONRPCMessage"

    def read_this(value: Any, version: str) -> Any:
        may_be = bool(batched) and (not is_known(version) or _has_batches(version))
        if may_be and (not kinds or isinstance(cast("object", value), list)):
            return read_batch(value, batched)
        return jsonrpc.read_frame(value, kinds)

    return safely(read_this, name)


def _kinds(type_: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The envelope models of which a type is one, and those of which it is a batch; none if it may be anything else."""
    kinds: list[Any] = []
    batched: list[Any] = []
    for arm in get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,):
        if arm in _frames():
            kinds.append(arm)
        elif get_origin(arm) is list and (held := _kinds(_unwrapped(*get_args(arm)))[0]):
            batched += held
        else:
            return (), ()
    return tuple(kinds), tuple(batched)


def _unwrapped(type_: Any) -> Any:
    """A type without the annotation that tells frames by structure, which is done here."""
    known: Any = getattr(jsonrpc_module(), "ByStructure", ())
    notes = get_args(type_)[1:] if get_origin(type_) is Annotated else ()
    return get_args(type_)[0] if notes and all(isinstance(note, known) for note in notes) else type_


def read_batch(value: object, kinds: Sequence[Any] | None = None) -> list[Any]:
    """The frames of a batch, which 2025-03-26 alone has: requests and notifications, or responses, never both.

    Each is of one of `kinds`. The first element that is a frame decides. Raises `ValidationError`.
    """
    jsonrpc: Any = sys.modules["mcp_surfaces.jsonrpc"]
    if not isinstance(value, list):
        from mcp_surfaces.located import refused, violation  # only bad data pays for it

        raise refused("JSONRPCBatch", [violation("list_type")])
    frames = cast("list[object]", value)
    found = (jsonrpc.classify(one) if isinstance(one, dict) else type(one) for one in frames)
    first = next((kind for kind in found if kind in jsonrpc.FRAMES), None)
    family = jsonrpc.ANSWERS if first in jsonrpc.ANSWERS else jsonrpc.QUESTIONS
    wanted = tuple(kind for kind in kinds or family if kind in family)
    read = safely(lambda frame, _: jsonrpc.read_frame(frame, wanted), "JSONRPCMessage")
    return each(enumerate(frames), lambda frame: read(frame, ""))


def _has_batches(version: str) -> bool:
    return is_known(version) and version in surface_for(version).batches
