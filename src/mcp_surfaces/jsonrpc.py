"""The JSON-RPC 2.0 envelope: the frames around request, notification and result bodies, in every revision.

A frame is told by its structure: a `method` makes it a request, or without `id` a notification, a `result` or an
`error` a response. Unknown members are kept and emitted again; `params`, `result` and an error's `data` are carried as
they are.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, cast

from pydantic import GetCoreSchemaHandler, model_validator
from pydantic_core import PydanticCustomError, ValidationError, core_schema

from .base import MISSING, Integer, MCPModel
from .built import validator

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    jsonrpc_message_adapter: TypeAdapter[JSONRPCMessage]

__all__ = [
    "CONNECTION_CLOSED",
    "HEADER_MISMATCH",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "JSONRPC_VERSION",
    "METHOD_NOT_FOUND",
    "MISSING_REQUIRED_CLIENT_CAPABILITY",
    "PARSE_ERROR",
    "REQUEST_TIMEOUT",
    "UNSUPPORTED_PROTOCOL_VERSION",
    "URL_ELICITATION_REQUIRED",
    "Error",
    "ErrorData",
    "JSONRPCBatchRequest",
    "JSONRPCBatchResponse",
    "JSONRPCError",
    "JSONRPCErrorResponse",
    "JSONRPCMessage",
    "JSONRPCNotification",
    "JSONRPCRequest",
    "JSONRPCResponse",
    "JSONRPCResultResponse",
    "RequestId",
    "classify",
    "jsonrpc_message_adapter",
    "read_frame",
]

JSONRPC_VERSION: Final[Literal["2.0"]] = "2.0"
"""What `jsonrpc` says in every frame."""

PARSE_ERROR: Final = -32700
"""The text received is not JSON."""

INVALID_REQUEST: Final = -32600
"""The JSON received is no valid frame."""

METHOD_NOT_FOUND: Final = -32601
"""The receiver has no such method."""

INVALID_PARAMS: Final = -32602
"""The params do not fit the method."""

INTERNAL_ERROR: Final = -32603
"""The receiver failed."""

CONNECTION_CLOSED: Final = -32000
"""Used inside SDKs only: the connection closed before the response came."""

REQUEST_TIMEOUT: Final = -32001
"""Used inside SDKs only: no response came in time."""

HEADER_MISMATCH: Final = -32020
"""The HTTP headers are missing, malformed or contradict the body. Since 2026-07-28."""

MISSING_REQUIRED_CLIENT_CAPABILITY: Final = -32021
"""The request needs a client capability that it does not declare. Since 2026-07-28."""

UNSUPPORTED_PROTOCOL_VERSION: Final = -32022
"""The server does not speak the request's protocol version. Since 2026-07-28."""

URL_ELICITATION_REQUIRED: Final = -32042
"""The user has to visit a URL first. 2025-11-25 only."""

RequestId: TypeAlias = Integer | str
"""The id of a request: a string or an integer, kept as it was written."""

_ABSENT: Any = MISSING


class _Frame(MCPModel):
    """Base of the envelope models: what makes an object a frame of another kind, or of two, is no unknown member."""

    @model_validator(mode="before")
    @classmethod
    def _is_of_one_kind(cls, value: Any) -> Any:
        sent, foreign = value, _foreign(cls)
        found = foreign & sent.keys() if isinstance(value, dict) and not foreign.isdisjoint(sent) else ()
        if any(name == "id" or sent[name] is not None for name in found):
            from .located import violation  # only a bad frame pays for it

            raise cast("PydanticCustomError", violation("frame_invalid")["type"])
        return sent


@functools.cache
def _foreign(cls: type[_Frame]) -> frozenset[str]:
    """The members that tell kinds of frames apart, and that `cls` does not have."""
    return frozenset({"error", "id", "method", "result"}) - cls.__pydantic_fields__.keys()


class JSONRPCRequest(_Frame):
    """A request frame: it is answered by a response with the same id. Every revision."""

    jsonrpc: Literal["2.0"]
    id: RequestId
    method: str
    params: dict[str, Any] | None = None


class JSONRPCNotification(_Frame):
    """A notification frame: a message that is not answered. Every revision."""

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] | None = None


class JSONRPCResponse(_Frame):
    """The response frame of a request that succeeded; `JSONRPCResultResponse` since 2025-11-25. Every revision."""

    jsonrpc: Literal["2.0"]
    id: RequestId
    result: dict[str, Any]


class ErrorData(MCPModel):
    """What went wrong with a request; the specification's `Error`. Every revision."""

    code: Integer
    message: str
    data: Any = _ABSENT
    """Whatever the sender adds. It reads as None when absent; a null that was sent is kept."""


class JSONRPCError(_Frame):
    """The response frame of a request that failed; `JSONRPCErrorResponse` since 2025-11-25. Every revision."""

    jsonrpc: Literal["2.0"]
    id: RequestId | None = _ABSENT
    """The request's id; null or absent where the request could not be told, and which of the two is kept."""

    error: ErrorData


Error = ErrorData
JSONRPCErrorResponse = JSONRPCError
JSONRPCResultResponse = JSONRPCResponse

Frame: TypeAlias = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError

FRAMES: Final = (JSONRPCRequest, JSONRPCNotification, JSONRPCResponse, JSONRPCError)
"""The envelope models."""

QUESTIONS: Final = (JSONRPCRequest, JSONRPCNotification)
"""Those that stand by themselves."""

ANSWERS: Final = (JSONRPCResponse, JSONRPCError)
"""Those that answer a request."""


def classify(frame: Mapping[str, object]) -> type[Frame] | None:
    """The kind of frame a JSON object is by its members, or None if it is of no kind, or of two at once.

    Exactly one of `method`, `result` and `error` may be other than null; all being null, one that is present counts.
    Whether an `id` is valid does not matter: with a bad one a request is a bad request, never a notification.
    """
    method, result, error = frame.get("method"), frame.get("result"), frame.get("error")
    if method is not None:
        if result is not None or error is not None:
            return None
        return JSONRPCRequest if "id" in frame else JSONRPCNotification
    if error is not None:
        return JSONRPCError if result is None else None
    if result is not None or "result" in frame:
        return JSONRPCResponse
    if "error" in frame:
        return JSONRPCError
    if "method" in frame:
        return JSONRPCRequest if "id" in frame else JSONRPCNotification
    return None


def read_frame(value: object, kinds: tuple[type[Frame], ...] = FRAMES) -> Frame:
    """The frame of one of `kinds` that a parsed JSON value is, or that it is itself.

    Raises `ValidationError` for anything else.
    """
    if isinstance(value, dict):
        kind = classify(cast("dict[str, object]", value))
        if kind in kinds:
            read: Frame = validator(kind).validate_python(value, by_alias=True, by_name=False)
            return read
    elif isinstance(value, kinds):
        return value
    raise _refused("JSONRPCMessage", "frame_invalid")


def _refused(title: str, kind: str) -> ValidationError:
    from .located import refused, violation  # only a bad frame pays for it

    return refused(title, [violation(kind)])


class ByStructure:
    """Annotation of a union of frames: `classify` tells them, and each is written as what it is, not as an arm."""

    __slots__ = ("_kinds",)

    def __init__(self, *kinds: type[Frame]) -> None:
        self._kinds = kinds

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            lambda value, _: read_frame(value, self._kinds),
            handler(source),
            serialization=core_schema.simple_ser_schema("any"),
        )


JSONRPCMessage: TypeAlias = Frame
"""Any frame. A plain union, for `isinstance`; the wire and the adapter tell its arms by structure."""

JSONRPCBatchRequest: TypeAlias = list[
    Annotated[JSONRPCRequest | JSONRPCNotification, ByStructure(JSONRPCRequest, JSONRPCNotification)]
]
"""Requests and notifications sent together. 2025-03-26 only."""

JSONRPCBatchResponse: TypeAlias = list[
    Annotated[JSONRPCResponse | JSONRPCError, ByStructure(JSONRPCResponse, JSONRPCError)]
]
"""The responses to a batch. 2025-03-26 only."""


def __getattr__(name: str) -> Any:
    if name != "jsonrpc_message_adapter":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pydantic import TypeAdapter

    adapter: TypeAdapter[JSONRPCMessage] = TypeAdapter(Annotated[Frame, ByStructure(*FRAMES)])
    globals()[name] = adapter
    return adapter
