"""The example server over Streamable HTTP: `python -m examples.http_server PORT`. Needs starlette and uvicorn.

Through 2025-11-25 a client has a session, named by a header that `initialize` answers with. From 2026-07-28 on every
POST stands alone, and its headers repeat what routes it. A POST is answered with plain JSON unless something has to be
said before the answer; then it becomes an event stream.
"""

from __future__ import annotations

import asyncio
import base64
import sys
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from examples.server import INFO, Server
from examples.session import (
    HANDSHAKE_VERSIONS,
    MODERN_VERSIONS,
    Frame,
    Session,
    meta_of,
    read_frame,
    unreadable,
    write_frame,
)
from mcp_surfaces import types

LOCAL = {"localhost", "127.0.0.1", "[::1]"}
STATUS = {
    types.METHOD_NOT_FOUND: 404,
    types.HEADER_MISMATCH: 400,
    types.MISSING_REQUIRED_CLIENT_CAPABILITY: 400,
    types.UNSUPPORTED_PROTOCOL_VERSION: 400,
}


@dataclass
class Stream:
    """What is still to be sent on one connection."""

    frames: asyncio.Queue[Frame] = field(default_factory=asyncio.Queue[Frame])

    async def send(self, frame: Frame) -> None:
        await self.frames.put(frame)


class Endpoint:
    """The one HTTP endpoint of an MCP server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.sessions: dict[str, tuple[Session, Stream]] = {}

    async def handle(self, request: Request) -> Response:
        if not is_local(request.headers.get("host"), request.headers.get("origin")):
            return Response("this server is for this machine only", 403)
        if request.method == "POST":
            return await self.post(request)
        if request.headers.get("mcp-protocol-version") in MODERN_VERSIONS:
            return Response(status_code=405, headers={"allow": "POST"})
        found = self.sessions.get(request.headers.get("mcp-session-id", ""))
        if found is None:
            return Response("no such session", 404 if "mcp-session-id" in request.headers else 400)
        session, standalone = found
        if request.method == "DELETE":
            del self.sessions[request.headers["mcp-session-id"]]
            session.close()
            return Response(status_code=204)
        return events(self.endless(session, standalone))

    async def post(self, request: Request) -> Response:
        said = request.headers.get("mcp-protocol-version")
        try:
            frame = read_frame(await request.body(), said or HANDSHAKE_VERSIONS[-1])
        except ValidationError as error:
            return answer(unreadable(error), said, 400)
        if said in HANDSHAKE_VERSIONS or (said is None and declared(frame) is None):
            return await self.post_in_session(request, frame)
        if isinstance(frame, types.JSONRPCRequest):
            return await self.post_alone(request, frame)
        return Response(status_code=202)

    async def post_alone(self, request: Request, frame: types.JSONRPCRequest) -> Response:
        """2026-07-28: no session; the request says everything itself."""
        said = request.headers.get("mcp-protocol-version")
        meant = declared(frame)
        wrong = mismatch(request, frame) if said == meant or (meant is None and said in MODERN_VERSIONS) else "version"
        if wrong is not None:
            error = types.ErrorData(code=types.HEADER_MISMATCH, message=f"the {wrong} header and the body disagree")
            return answer(types.JSONRPCError(jsonrpc="2.0", id=frame.id, error=error), said, 400)
        stream = Stream()
        session = Session("server", INFO, self.server.handlers, stream.send)
        if said in MODERN_VERSIONS:
            session.version = said
        await session.receive(frame, stream.send)
        return await self.respond(session, stream, frame, close=True)

    async def post_in_session(self, request: Request, frame: Frame) -> Response:
        """Through 2025-11-25: a session, started by `initialize`."""
        name = request.headers.get("mcp-session-id")
        headers: dict[str, str] = {}
        if isinstance(frame, types.JSONRPCRequest) and frame.method == "initialize":
            standalone = Stream()
            session = Session("server", INFO, self.server.handlers, standalone.send)
            name = uuid.uuid4().hex
            self.sessions[name] = session, standalone
            headers["mcp-session-id"] = name
        elif name not in self.sessions:
            return Response("no such session", 404 if name else 400)
        else:
            session, _ = self.sessions[name]
        stream = Stream()
        await session.receive(frame, stream.send)
        if not asks(frame):
            return Response(status_code=202)
        return await self.respond(session, stream, frame, headers=headers)

    async def respond(
        self,
        session: Session,
        stream: Stream,
        asked: Frame,
        *,
        close: bool = False,
        headers: dict[str, str] | None = None,
    ) -> Response:
        first = await stream.frames.get()
        if settles(first, asked):
            return answer(first, MODERN_VERSIONS[-1] if close else session.version, headers=headers)
        return events(self.until_settled(session, stream, asked, first, close), headers)

    async def until_settled(
        self, session: Session, stream: Stream, asked: Frame, first: Frame, close: bool
    ) -> AsyncIterator[bytes]:
        frame = first
        try:
            yield event(frame, session.version)
            while not settles(frame, asked):
                frame = await stream.frames.get()
                yield event(frame, session.version)
        finally:
            if close:
                session.close()

    async def endless(self, session: Session, stream: Stream) -> AsyncIterator[bytes]:
        while True:
            yield event(await stream.frames.get(), session.version)


def declared(frame: Frame) -> str | None:
    """The revision a request names in its own `_meta`."""
    version = meta_of(frame).get(types.PROTOCOL_VERSION_META_KEY) if isinstance(frame, types.JSONRPCRequest) else None
    return version if isinstance(version, str) else None


def mismatch(request: Request, frame: types.JSONRPCRequest) -> str | None:
    """The header that repeats the body wrongly."""
    if request.headers.get("mcp-method") != frame.method:
        return "method"
    params = frame.params or {}
    name = params.get("name", params.get("uri"))
    return None if name is None or decoded(request.headers.get("mcp-name", "")) == name else "name"


def decoded(header: str) -> str:
    """A header's value, which is base64 where it could not stand there plainly."""
    if header.startswith("=?base64?") and header.endswith("?="):
        return base64.b64decode(header.removeprefix("=?base64?").removesuffix("?=")).decode(errors="replace")
    return header


def asks(frame: Frame) -> bool:
    """Whether anything in a frame wants an answer."""
    return any(isinstance(one, types.JSONRPCRequest) for one in (frame if isinstance(frame, list) else [frame]))


def settles(frame: Frame, asked: Frame) -> bool:
    """Whether `frame` is the answer to what was asked."""
    if isinstance(asked, list) or isinstance(frame, list):
        return isinstance(frame, list)
    return isinstance(frame, types.JSONRPCResponse | types.JSONRPCError) and isinstance(asked, types.JSONRPCRequest)


def answer(
    frame: Frame, version: str | None, status: int | None = None, headers: dict[str, str] | None = None
) -> Response:
    """A frame as the body of a plain response; at 2026-07-28 its error is an HTTP status too."""
    if status is None:
        status = 200
        if isinstance(frame, types.JSONRPCError) and version not in HANDSHAKE_VERSIONS:
            malformed = frame.error.code == types.INVALID_PARAMS and "invalid" in (frame.error.data or ())
            status = STATUS.get(frame.error.code, 400 if malformed else 200)
    known = version if version in HANDSHAKE_VERSIONS + MODERN_VERSIONS else HANDSHAKE_VERSIONS[-1]
    return Response(write_frame(frame, known), status, headers, "application/json")


def events(body: AsyncIterator[bytes], headers: dict[str, str] | None = None) -> Response:
    quiet = {"cache-control": "no-cache", **(headers or {})}
    return StreamingResponse(body, 200, quiet, "text/event-stream")


def event(frame: Frame, version: str) -> bytes:
    return b"event: message\ndata: " + write_frame(frame, version) + b"\n\n"


def is_local(host: str | None, origin: str | None) -> bool:
    """Whether the request comes from this machine: a page elsewhere must not reach us through DNS rebinding."""
    names = [host or "", *([] if origin is None else [origin.partition("://")[2]])]
    return all(name.rsplit(":", 1)[0] in LOCAL if name[-1:] != "]" else name in LOCAL for name in names)


def app(server: Server) -> Starlette:
    """An ASGI application with the endpoint at `/mcp`."""
    return Starlette(routes=[Route("/mcp", Endpoint(server).handle, methods=["GET", "POST", "DELETE"])])


if __name__ == "__main__":
    uvicorn.run(app(Server()), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
