"""One end of an MCP session over any transport: frames in, frames out, at any of the five revisions.

A transport hands every frame it reads to `Session.receive` and writes every frame it is given; `read_frame` and
`write_frame` are its only two functions for bytes. Which type a method's params or result have is asked of `wire`, so
there is no method table here: handlers are registered by request or notification class.

Through 2025-11-25 a session has one version, settled by `initialize`. From 2026-07-28 on every request names its own
version in `_meta`, and a server that needs input answers with an `InputRequiredResult` instead of sending a request.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast

from pydantic import ValidationError

from mcp_surfaces import types, wire

Side = Literal["client", "server"]
Frame = types.JSONRPCMessage | list[types.JSONRPCMessage]
Sink = Callable[[Frame], Awaitable[None]]
Progress = Callable[[types.ProgressNotificationParams], None]
AnyRequest = types.Request[Any, Any]
AnyNotification = types.Notification[Any, Any]
Handler = Callable[["Context", Any], Awaitable[types.Result]]
ResultT = TypeVar("ResultT", bound=types.Result)

HANDSHAKE_VERSIONS = [v for v in wire.KNOWN_PROTOCOL_VERSIONS if "initialize" in wire.CLIENT_REQUEST_METHODS[v]]
MODERN_VERSIONS = [v for v in wire.KNOWN_PROTOCOL_VERSIONS if v not in HANDSHAKE_VERSIONS]
MAX_ROUNDS = 8


def read_frame(data: bytes | str, version: str) -> Frame:
    """Read one frame (or, at 2025-03-26, a batch)."""
    frame: Frame = wire.parse_json(types.JSONRPCMessage, data, version)
    return frame


def write_frame(frame: Frame, version: str) -> bytes:
    """Write one frame (or, at 2025-03-26, a batch)."""
    return wire.dump_json(frame, version)


def since(version: str, revision: str) -> bool:
    """Whether `version` is `revision` or a newer one."""
    return wire.KNOWN_PROTOCOL_VERSIONS.index(version) >= wire.KNOWN_PROTOCOL_VERSIONS.index(revision)


def unreadable(error: ValidationError) -> types.JSONRPCError:
    """Answer bytes that are no frame."""
    no_json = any(detail["type"] == "json_invalid" for detail in error.errors(include_url=False, include_input=False))
    code, message = (types.PARSE_ERROR, "Parse error") if no_json else (types.INVALID_REQUEST, "Invalid request")
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=message))


class RpcError(Exception):
    """A JSON-RPC error, received from the peer or to be sent to it."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(f"{message} ({code})")
        self.error = types.ErrorData(code=code, message=message, **({} if data is None else {"data": data}))


class InputNeeded(Exception):
    """Raised by `Context.ask` where the answer to a request is the question itself."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("input required")
        self.result = result


@dataclass
class Context:
    """What a handler knows about the request it answers."""

    session: Session
    frame: types.JSONRPCRequest
    version: str
    sink: Sink
    responses: Mapping[str, types.Result] = field(default_factory=dict[str, types.Result])
    state: str | None = None

    @property
    def meta(self) -> dict[str, Any]:
        return meta_of(self.frame)

    @property
    def capabilities(self) -> types.ClientCapabilities:
        declared = self.meta.get(types.CLIENT_CAPABILITIES_META_KEY) if self.version in MODERN_VERSIONS else None
        return self.session.peer_capabilities if declared is None else types.ClientCapabilities.model_validate(declared)

    async def notify(self, body: AnyNotification) -> None:
        await self.session.notify(body, sink=self.sink, version=self.version)

    async def progress(self, progress: float, total: float, message: str | None = None) -> None:
        token = self.meta.get("progressToken")
        if token is not None:
            params = types.ProgressNotificationParams(progress_token=token, progress=progress, total=total)
            if message is not None and since(self.version, "2025-03-26"):
                params.message = message
            await self.notify(types.ProgressNotification(params=params))

    async def log(self, level: types.LoggingLevel, data: Any) -> None:
        """Log to the client: when it asked for it in this request, or (through 2025-11-25) whenever it connects."""
        if self.version in HANDSHAKE_VERSIONS or types.LOG_LEVEL_META_KEY in self.meta:
            params = types.LoggingMessageNotificationParams(level=level, data=data, logger="example")
            await self.notify(types.LoggingMessageNotification(params=params))

    async def ask(self, questions: Mapping[str, AnyRequest], state: str | None = None) -> dict[str, types.Result]:
        """Have the client answer, by requests of our own or (2026-07-28) by an input-required result."""
        if self.version in HANDSHAKE_VERSIONS:
            return {
                key: await self.session.request(question, types.Result, sink=self.sink)
                for key, question in questions.items()
            }
        if not questions.keys() <= self.responses.keys():
            asked = {key: body for key, body in questions.items() if key not in self.responses}
            raise InputNeeded(types.InputRequiredResult.model_validate({"inputRequests": asked, "requestState": state}))
        return {key: self.responses[key] for key in questions}


class Session:
    """One end of an MCP session."""

    def __init__(
        self,
        side: Side,
        info: types.Implementation,
        handlers: Mapping[type[AnyRequest], Handler],
        send: Sink,
        *,
        capabilities: types.ClientCapabilities | None = None,
        on_notification: Callable[[AnyNotification], None] | None = None,
        versions: Sequence[str] = wire.KNOWN_PROTOCOL_VERSIONS,
    ) -> None:
        self.side: Side = side
        self.peer: Side = "server" if side == "client" else "client"
        self.versions = versions
        self.version = [version for version in HANDSHAKE_VERSIONS if version in versions][-1]
        self.info = info
        self.capabilities = capabilities or types.ClientCapabilities()
        self.peer_capabilities = types.ClientCapabilities()
        self._handlers = handlers
        self._send = send
        self._on_notification = on_notification
        self._ids = itertools.count(1)
        self._waiting: dict[types.RequestId, asyncio.Future[dict[str, Any]]] = {}
        self._progress: dict[types.RequestId, Progress] = {}
        self._running: dict[types.RequestId, asyncio.Task[types.JSONRPCMessage | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # What we send.

    async def notify(self, body: AnyNotification, *, sink: Sink | None = None, version: str | None = None) -> None:
        payload = wire.serialize_for(body, version or self.version)
        frame = types.JSONRPCNotification(jsonrpc="2.0", method=payload["method"], params=payload.get("params"))
        await (sink or self._send)(frame)

    async def request(
        self,
        body: AnyRequest,
        expect: type[ResultT],
        *,
        on_progress: Progress | None = None,
        log_level: types.LoggingLevel | None = None,
        sink: Sink | None = None,
    ) -> ResultT:
        """Send a request and return its result; answer what the server needs to know on the way."""
        for _ in range(MAX_ROUNDS):
            frame = self._request_frame(body, on_progress, log_level)
            future = self._expect(frame.id)
            try:
                await (sink or self._send)(frame)
                result = self._result(body.method, await future)
            except asyncio.CancelledError:
                await self.cancel(frame.id, sink=sink)
                raise
            finally:
                self._waiting.pop(frame.id, None)
                self._progress.pop(frame.id, None)
            if isinstance(result, types.InputRequiredResult):
                body = await self._answered(body, result)
            elif isinstance(result, expect):
                return result
            else:
                raise TypeError(f"{body.method} was answered with a {type(result).__name__}")
        raise RuntimeError(f"{body.method} still needs input after {MAX_ROUNDS} rounds")

    async def batch(self, bodies: Iterable[AnyRequest]) -> list[types.Result | RpcError]:
        """Send requests as one JSON-RPC batch (2025-03-26) and return results and errors in order."""
        requests = [(body, self._request_frame(body)) for body in bodies]
        futures = [self._expect(frame.id) for _, frame in requests]
        await self._send([frame for _, frame in requests])
        results: list[types.Result | RpcError] = []
        for (body, frame), outcome in zip(
            requests, await asyncio.gather(*futures, return_exceptions=True), strict=True
        ):
            del self._waiting[frame.id]
            if isinstance(outcome, BaseException) and not isinstance(outcome, RpcError):
                raise outcome
            results.append(outcome if isinstance(outcome, RpcError) else self._result(body.method, outcome))
        return results

    async def cancel(self, request_id: types.RequestId, *, sink: Sink | None = None) -> None:
        params = types.CancelledNotificationParams(request_id=request_id, reason="no longer needed")
        await self.notify(types.CancelledNotification(params=params), sink=sink)

    def _expect(self, request_id: types.RequestId) -> asyncio.Future[dict[str, Any]]:
        future = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        return future

    def _request_frame(
        self, body: AnyRequest, on_progress: Progress | None = None, log_level: types.LoggingLevel | None = None
    ) -> types.JSONRPCRequest:
        request_id = next(self._ids)
        meta: dict[str, Any] = {}
        if on_progress is not None:
            meta["progressToken"] = request_id
            self._progress[request_id] = on_progress
        if self.version in MODERN_VERSIONS and self.side == "client":
            meta[types.CLIENT_INFO_META_KEY] = self.info
            meta[types.CLIENT_CAPABILITIES_META_KEY] = self.capabilities
            if log_level is not None:
                meta[types.LOG_LEVEL_META_KEY] = log_level
        payload = wire.serialize_for(with_meta(body, meta) if meta else body, self.version)
        return types.JSONRPCRequest(
            jsonrpc="2.0", id=request_id, method=payload["method"], params=payload.get("params")
        )

    def _result(self, method: str, payload: dict[str, Any]) -> types.Result:
        result: types.Result = wire.parse_as(wire.result_type(method, self.version, self.peer), payload, self.version)
        return result

    async def _answered(self, body: AnyRequest, needed: types.InputRequiredResult) -> AnyRequest:
        responses: dict[str, types.Result] = {}
        for key, question in (needed.input_requests or {}).items():
            frame = types.JSONRPCRequest(jsonrpc="2.0", id=f"input:{key}", method=question.method)
            context = Context(self, frame, self.version, self._send)
            responses[key] = await self._handlers[type(question)](context, question)
        update = {"input_responses": responses or None, "request_state": needed.request_state}
        return body.model_copy(update={"params": body.params.model_copy(update=update)})

    # What we receive.

    async def receive(self, frame: Frame, sink: Sink | None = None, version: str | None = None) -> None:
        """Take a frame: settle what it answers, start what it asks. Replies go to `sink`."""
        sink = sink or self._send
        if isinstance(frame, list):
            started = [self._start(message, sink, version) for message in frame]
            replies = [task for task in started if task is not None]
            if replies:
                self._spawn(_reply_together(replies, sink))
        elif (task := self._start(frame, sink, version)) is not None:
            self._spawn(_reply(task, sink))

    def is_waiting_for(self, request_id: types.RequestId) -> bool:
        """Whether a request of ours is still unanswered."""
        future = self._waiting.get(request_id)
        return future is not None and not future.done()

    async def drain(self) -> None:
        """Wait until every request received is answered."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    def close(self) -> None:
        """The transport is gone: nothing will be answered any more."""
        for task in self._running.values():
            task.cancel()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ConnectionError("the session is closed"))

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _start(
        self, message: types.JSONRPCMessage, sink: Sink, version: str | None
    ) -> asyncio.Task[types.JSONRPCMessage | None] | None:
        if isinstance(message, types.JSONRPCRequest):
            task = asyncio.ensure_future(self._respond(message, sink, version))
            self._running[message.id] = task
            task.add_done_callback(lambda _: self._running.pop(message.id, None))
            return task
        if isinstance(message, types.JSONRPCNotification):
            self._notified(message, version or self.version)
        elif message.id is not None and (future := self._waiting.get(message.id)) is not None and not future.done():
            if isinstance(message, types.JSONRPCResponse):
                future.set_result(message.result)
            else:
                future.set_exception(RpcError(message.error.code, message.error.message, message.error.data))
        return None

    def _notified(self, message: types.JSONRPCNotification, version: str) -> None:
        try:
            body = wire.parse_as(wire.notification_type(message.method, version, self.peer), _body(message), version)
        except (ValidationError, LookupError):  # malformed, or no notification of this revision: nothing to answer
            return
        if isinstance(body, types.CancelledNotification):
            running = body.params.request_id
            if running is not None and running in self._running:
                self._running[running].cancel()
        elif isinstance(body, types.ProgressNotification) and body.params.progress_token in self._progress:
            self._progress[body.params.progress_token](body.params)
        elif self._on_notification is not None:
            self._on_notification(body)

    async def _respond(
        self, frame: types.JSONRPCRequest, sink: Sink, version: str | None
    ) -> types.JSONRPCMessage | None:
        try:
            version = self._version_of(frame, version)
            payload = await self._answer(frame, sink, version)
            return types.JSONRPCResponse(jsonrpc="2.0", id=frame.id, result=payload)
        except asyncio.CancelledError:
            return None
        except RpcError as error:
            data = error.error
        except ValidationError as error:
            where = sorted({".".join(map(str, detail["loc"])) for detail in error.errors(include_url=False)})
            data = types.ErrorData(code=types.INVALID_PARAMS, message="Invalid params", data={"invalid": where})
        except Exception as error:
            data = types.ErrorData(code=types.INTERNAL_ERROR, message=type(error).__name__)
        return types.JSONRPCError(jsonrpc="2.0", id=frame.id, error=data)

    def _version_of(self, frame: types.JSONRPCRequest, hint: str | None) -> str:
        declared = meta_of(frame).get(types.PROTOCOL_VERSION_META_KEY)
        modern = [version for version in MODERN_VERSIONS if version in self.versions]
        if declared is not None and modern and declared not in modern:
            data = {"supported": modern, "requested": str(declared)}
            raise RpcError(types.UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)
        return (declared if modern else None) or hint or self.version

    async def _answer(self, frame: types.JSONRPCRequest, sink: Sink, version: str) -> dict[str, Any]:
        try:
            kind: type[AnyRequest] = wire.request_type(frame.method, version, self.peer)
        except LookupError:
            raise RpcError(types.METHOD_NOT_FOUND, "Method not found", {"method": frame.method}) from None
        body = wire.parse_as(kind, _body(frame), version)
        handler = self._handlers.get(kind)
        if handler is None:
            raise RpcError(types.METHOD_NOT_FOUND, "Method not found", {"method": frame.method})
        context = Context(self, frame, version, sink)
        if isinstance(body.params, types.InputResponseRequestParams):
            context.responses = body.params.input_responses or {}
            context.state = body.params.request_state
        try:
            result = await handler(context, body)
        except InputNeeded as needed:
            result = needed.result
        payload = wire.serialize_for(result, version)
        if version in MODERN_VERSIONS and self.side == "server":
            info = self.info.model_dump(by_alias=True, mode="json", exclude_none=True)
            payload.setdefault("_meta", {}).setdefault(types.SERVER_INFO_META_KEY, info)
        return payload


def meta_of(frame: types.JSONRPCRequest | types.JSONRPCNotification) -> dict[str, Any]:
    """The `_meta` of a frame."""
    meta = (frame.params or {}).get("_meta")
    return cast("dict[str, Any]", meta) if isinstance(meta, dict) else {}


def with_meta(body: AnyRequest, meta: dict[str, Any]) -> AnyRequest:
    """`body` with members added to its `_meta`."""
    if body.params is None:
        return type(body).model_validate({"params": {"_meta": meta}})
    merged = types.RequestParams.model_validate({"_meta": {**(body.params.meta or {}), **meta}}).meta
    return body.model_copy(update={"params": body.params.model_copy(update={"meta": merged})})


def _body(frame: types.JSONRPCRequest | types.JSONRPCNotification) -> dict[str, Any]:
    return {"method": frame.method} if frame.params is None else {"method": frame.method, "params": frame.params}


async def _reply(task: asyncio.Task[types.JSONRPCMessage | None], sink: Sink) -> None:
    reply = await task
    if reply is not None:
        await sink(reply)


async def _reply_together(tasks: list[asyncio.Task[types.JSONRPCMessage | None]], sink: Sink) -> None:
    replies = [reply for reply in await asyncio.gather(*tasks) if reply is not None]
    if replies:
        await sink(replies)
