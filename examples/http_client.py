"""The example client over Streamable HTTP: `python -m examples.http_client 2026-07-28 URL`. Needs httpx."""

from __future__ import annotations

import asyncio
import base64
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from pydantic import ValidationError

from examples.client import Client, tour
from examples.session import MODERN_VERSIONS, Frame, read_frame, write_frame
from mcp_surfaces import types

ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


class HttpClient(Client):
    """A client whose frames travel as HTTP requests; whatever comes back is given to the session."""

    def __init__(self, version: str, url: str, http: httpx.AsyncClient) -> None:
        super().__init__(version, self.send)
        self.url = url
        self.http = http
        self.session_id: str | None = None
        self.posts: dict[types.RequestId, asyncio.Task[None]] = {}
        self.mirrored: dict[str, dict[str, str]] = {}

    async def send(self, frame: Frame) -> None:
        if self.modern and isinstance(frame, types.JSONRPCNotification):
            post = self.posts.get((frame.params or {}).get("requestId", ""))
            if post is not None:
                post.cancel()  # closing the stream is how a request is cancelled
            return
        work = self.post(frame)
        if isinstance(frame, types.JSONRPCRequest):
            self.posts[frame.id] = task = asyncio.ensure_future(work)
            task.add_done_callback(lambda _: self.posts.pop(frame.id, None))
        elif isinstance(frame, list):
            self.posts["batch"] = asyncio.ensure_future(work)
        else:
            await work

    async def connect(self) -> types.InitializeResult | types.DiscoverResult:
        hello = await super().connect()
        if not self.modern:
            self.posts["listen"] = asyncio.ensure_future(self.keep_listening())
        return hello

    async def keep_listening(self) -> None:
        last, retry = await self.listen([])
        while last:
            await asyncio.sleep(retry)
            last, retry = await self.listen([], last)

    @property
    def modern(self) -> bool:
        return self.session.version in MODERN_VERSIONS

    async def tools(self) -> list[types.Tool]:
        """All tools but those whose parameters cannot be mirrored in headers as they ask for."""
        usable: list[types.Tool] = []
        for tool in await super().tools():
            headers = mirrored_parameters(tool.input_schema) if self.modern else {}
            if headers is not None:
                self.mirrored[tool.name] = headers
                usable.append(tool)
        return usable

    def headers(self, frame: Frame) -> dict[str, str]:
        headers = {**ACCEPT}
        if self.session_id is not None:
            headers["mcp-session-id"] = self.session_id
        if self.modern or self.session_id is not None:
            headers["mcp-protocol-version"] = self.session.version
        if self.modern and isinstance(frame, types.JSONRPCRequest):
            params = frame.params or {}
            headers["mcp-method"] = frame.method
            if (name := params.get("name", params.get("uri"))) is not None:
                headers["mcp-name"] = encoded(name)
            if frame.method == "tools/call":
                arguments: dict[str, Any] = params.get("arguments") or {}
                for parameter, header in self.mirrored.get(params["name"], {}).items():
                    if (value := arguments.get(parameter)) is not None:
                        headers[f"mcp-param-{header}"] = encoded(value)
        return headers

    async def post(self, frame: Frame) -> None:
        body = write_frame(frame, self.session.version)
        try:
            async with self.http.stream("POST", self.url, content=body, headers=self.headers(frame)) as response:
                self.session_id = response.headers.get("mcp-session-id", self.session_id)
                if response.headers.get("content-type", "").startswith("text/event-stream"):
                    await self.follow(response, frame)
                elif data := await response.aread():
                    await self.take(data, frame, response.status_code)
                elif response.is_error:
                    await self.lost(frame, f"HTTP {response.status_code}")
        except httpx.HTTPError as error:
            await self.lost(frame, f"{type(error).__name__}: {error}")

    async def take(self, data: bytes | str, asked: Frame, status: int = 200) -> None:
        try:
            frame = read_frame(data, self.session.version)
        except ValidationError:
            await self.lost(asked, f"HTTP {status}, and no frame in its body")
            return
        if isinstance(frame, types.JSONRPCError) and frame.id is None:
            await self.lost(asked, frame.error.message)
        else:
            await self.session.receive(frame)

    async def lost(self, asked: Frame, why: str) -> None:
        """Nothing will answer a request any more: say so to the session."""
        if isinstance(asked, types.JSONRPCRequest):
            error = types.ErrorData(code=types.CONNECTION_CLOSED, message=why)
            await self.session.receive(types.JSONRPCError(jsonrpc="2.0", id=asked.id, error=error))

    async def follow(self, response: httpx.Response, asked: Frame) -> None:
        """Take what a stream brings; where it ends before the answer, wait as it said and ask for the rest."""
        last, retry = await self.read_events(response, asked)
        while isinstance(asked, types.JSONRPCRequest) and self.session.is_waiting_for(asked.id):
            if not last:
                await self.lost(asked, "the stream ended without an answer")
                return
            await asyncio.sleep(retry)
            last, retry = await self.listen(asked, last)

    async def listen(self, asked: Frame, last: str = "") -> tuple[str, float]:
        """Through 2025-11-25: what the server says outside of answers, or the rest of a stream that was cut."""
        headers = {**self.headers([]), "accept": "text/event-stream", **({"last-event-id": last} if last else {})}
        async with self.http.stream("GET", self.url, headers=headers, timeout=None) as response:
            return ("", 0.0) if response.is_error else await self.read_events(response, asked)

    async def read_events(self, response: httpx.Response, asked: Frame) -> tuple[str, float]:
        """Take the frames of one event stream; return where it stopped and how long to wait before asking again."""
        last, retry = "", 1.0
        data: list[str] = []
        async for line in response.aiter_lines():
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name == "id":
                last = value
            elif name == "retry" and value.isdigit():
                retry = int(value) / 1000
            elif not line:
                if any(data):
                    await self.take("\n".join(data), asked)
                data = []
            if isinstance(asked, types.JSONRPCRequest) and not self.session.is_waiting_for(asked.id):
                break
        return last, retry


def mirrored_parameters(schema: dict[str, Any]) -> dict[str, str] | None:
    """Which parameters go into which headers (`x-mcp-header`); None where the tool asks for something impossible."""
    headers: dict[str, str] = {}
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    for name, property_ in properties.items():
        if "x-mcp-header" not in property_:
            continue
        header: Any = property_["x-mcp-header"]
        taken = {other.lower() for other in headers.values()}
        good = isinstance(header, str) and header and set(header) <= TOKEN and header.lower() not in taken
        if not good or property_.get("type") not in ("string", "integer", "boolean"):
            return None
        headers[name] = header
    return headers


def encoded(value: Any) -> str:
    """A value as it may stand in a header: plain where it can, base64 where it must."""
    text = value if isinstance(value, str) else {True: "true", False: "false"}.get(value, str(value))
    if all(" " <= character <= "~" for character in text) and text == text.strip() and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@asynccontextmanager
async def connect(url: str, version: str) -> AsyncGenerator[HttpClient, None]:
    """A client for the server at `url`, not yet connected."""
    async with httpx.AsyncClient(timeout=httpx.Timeout(10, read=60)) as http:
        client = HttpClient(version, url, http)
        try:
            yield client
        finally:
            posts = list(client.posts.values())
            for post in posts:
                post.cancel()
            await asyncio.gather(*posts, return_exceptions=True)
            if client.session_id is not None:
                await http.delete(url, headers=client.headers([]))


async def main(version: str, url: str) -> None:
    async with connect(url, version) as client:
        async for line in tour(client):
            print(line, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
