"""How frames are read: one of any kind, one of a given kind, or where a revision has them a batch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin

from pydantic_core import ValidationError

from mcp_surfaces.built import validator
from mcp_surfaces.revisions import SURFACES
from mcp_surfaces.routing import surface_for

__all__ = ["Read", "frame_reader", "is_frame", "is_message", "safely"]

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


def is_message(type_: Any) -> bool:
    """Whether `type_` is `JSONRPCMessage`; nothing is as long as its module is not loaded."""
    jsonrpc = sys.modules.get("mcp_surfaces.jsonrpc")
    return jsonrpc is not None and bool(type_ == jsonrpc.JSONRPCMessage)


def is_frame(type_: Any) -> bool:
    """Whether `type_` is one of the envelope models."""
    return type_ in getattr(sys.modules.get("mcp_surfaces.jsonrpc"), "FRAMES", ())


def frame_reader(type_: Any) -> Read | None:
    """How to read `type_`, if it is `JSONRPCMessage`, an envelope model or some, or a batch; None for any other type.

    A frame that is of another kind, or of two at once, is refused; so is a batch where the revision has none.
    """
    jsonrpc: Any = sys.modules.get("mcp_surfaces.jsonrpc")
    if is_message(type_):

        def read(value: Any, version: str) -> Any:
            batch = isinstance(value, list) and _has_batches(version)
            return jsonrpc.read_batch(value) if batch else jsonrpc.read_frame(value)

        return safely(read, "JSONRPCMessage")
    kinds = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    if all(map(is_frame, kinds)):
        return safely(lambda value, _: jsonrpc.read_frame(value, kinds), "JSONRPCMessage")
    if type_ in getattr(jsonrpc, "BATCHES", ()):
        batch = validator(type_).validate_python

        def read_batch(value: Any, version: str) -> Any:
            return batch(value) if version not in SURFACES or _has_batches(version) else jsonrpc.read_frame(value)

        return safely(read_batch, "JSONRPCBatch")
    return None


def _has_batches(version: str) -> bool:
    return version in SURFACES and version in surface_for(version).batches
