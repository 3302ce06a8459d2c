"""The examples talk to each other over stdio at every revision, and refuse what they must refuse."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from examples.client import Client, start, tour
from examples.server import INFO, Server
from examples.session import AnyRequest, Frame, RpcError, Session, read_frame, unreadable
from mcp_surfaces import types, wire

pytestmark = pytest.mark.untraced

ROOT = Path(__file__).resolve().parent.parent.parent
REVISIONS = wire.KNOWN_PROTOCOL_VERSIONS
MODERN = REVISIONS[-1]


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_client_sees_everything_a_server_offers(revision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    async def run() -> dict[str, str]:
        async with start([sys.executable, "-m", "examples.server"], revision) as client:
            lines = [line async for line in tour(client)]
        return dict(line.split(": ", 1) for line in lines)

    seen = asyncio.run(run())
    newer = REVISIONS.index(revision) >= REVISIONS.index("2025-06-18")
    hello = "DiscoverResult" if revision == MODERN else "InitializeResult"
    assert seen[f"connected at {revision}"] == hello
    assert seen["tools"] == "['add', 'media', 'fail', 'count', 'ask', 'touch']"
    assert seen["add"] == "{'sum': 3.5}" if newer else "3.5" in seen["add"]
    assert seen["fail"] == "is_error=True"
    assert "counted to 3" in seen["count"]
    assert seen["count"].endswith("progress [1, 2, 3]")
    assert seen["log messages"] == "3"
    assert "file:///srv/project" in seen["ask roots"]
    assert "example-model" in seen["ask model"]
    assert ("accept" if newer else "cannot be asked") in seen["ask form"]
    assert seen["cancelled"].startswith("CancelledError")
    assert seen["updated"] == "ResourceUpdatedNotification"
    assert seen["complete"] == "['Ada', 'Alan']"
    assert seen["error"] == "Unknown tool: no such tool (-32602)"
    assert ("batch" in seen) == (revision == "2025-03-26")


class Pair:
    """A client and a server in one process; frames go through bytes in both directions."""

    def __init__(self, revision: str, newest: str = MODERN) -> None:
        versions = REVISIONS[: REVISIONS.index(newest) + 1]
        self.client = Client(revision, self.to_server)
        self.server = Session("server", INFO, Server().handlers, self.to_client, versions=versions)
        self.answers: list[Frame] = []

    async def to_server(self, frame: Frame) -> None:
        version = self.client.session.version
        await self.server.receive(read_frame(wire.dump_json(frame, version), version))

    async def to_client(self, frame: Frame) -> None:
        version = self.server.version
        back = read_frame(wire.dump_json(frame, version), version)
        self.answers.append(back)
        await self.client.session.receive(back)

    async def ask(self, method: str, params: dict[str, Any] | None = None) -> types.JSONRPCMessage:
        """Send a raw request and return the raw answer."""
        await self.server.receive(types.JSONRPCRequest(jsonrpc="2.0", id="raw", method=method, params=params))
        await self.server.drain()
        answer = self.answers[-1]
        assert not isinstance(answer, list)
        return answer


def error_of(answer: types.JSONRPCMessage) -> types.ErrorData:
    assert isinstance(answer, types.JSONRPCError)
    return answer.error


def meta(version: str) -> dict[str, Any]:
    return {"_meta": {types.PROTOCOL_VERSION_META_KEY: version, types.CLIENT_CAPABILITIES_META_KEY: {}}}


def test_a_server_settles_for_the_newest_revision_it_speaks() -> None:
    async def run() -> str:
        pair = Pair("2025-11-25", newest="2025-03-26")
        await pair.client.connect()
        return pair.client.session.version

    assert asyncio.run(run()) == "2025-03-26"


def test_a_server_without_modern_revisions_does_not_know_discovery() -> None:
    async def run() -> types.ErrorData:
        return error_of(await Pair(MODERN, newest="2025-11-25").ask("server/discover", meta(MODERN)))

    assert asyncio.run(run()).code == types.METHOD_NOT_FOUND


def test_a_revision_nobody_speaks_is_refused_with_those_that_are_spoken() -> None:
    async def run() -> types.ErrorData:
        return error_of(await Pair(MODERN).ask("server/discover", meta("2030-01-01")))

    error = asyncio.run(run())
    assert error.code == types.UNSUPPORTED_PROTOCOL_VERSION
    assert error.data == {"supported": [MODERN], "requested": "2030-01-01"}


@pytest.mark.parametrize("method", ["ping", "resources/subscribe", "no/such"])
def test_a_method_its_revision_lacks_is_not_found(method: str) -> None:
    async def run() -> types.ErrorData:
        return error_of(await Pair(MODERN).ask(method, meta(MODERN)))

    assert asyncio.run(run()).code == types.METHOD_NOT_FOUND


def test_params_that_do_not_fit_are_named_by_their_place() -> None:
    async def run() -> types.ErrorData:
        return error_of(await Pair("2025-11-25").ask("tools/call", {"name": 5}))

    error = asyncio.run(run())
    assert (error.code, error.data) == (types.INVALID_PARAMS, {"invalid": ["params.name"]})


def test_what_the_client_does_not_declare_it_is_not_asked_for() -> None:
    async def run() -> types.CallToolResult:
        pair = Pair(MODERN)
        pair.client.session.capabilities = types.ClientCapabilities()
        await pair.client.connect()
        return await pair.client.call("ask", {"what": "model"})

    assert asyncio.run(run()).is_error is True


def test_a_batch_is_answered_in_one() -> None:
    async def run() -> list[types.Result | RpcError]:
        pair = Pair("2025-03-26")
        await pair.client.connect()
        params = types.ReadResourceRequestParams(uri="example://nothing")
        bodies: list[AnyRequest] = [
            types.PingRequest(),
            types.ReadResourceRequest(params=params),
            types.ListPromptsRequest(),
        ]
        results = await pair.client.session.batch(bodies)
        assert isinstance(pair.answers[-1], list)
        return results

    empty, error, prompts = asyncio.run(run())
    assert isinstance(empty, types.EmptyResult)
    assert isinstance(error, RpcError)
    assert error.error.code == -32002
    assert isinstance(prompts, types.ListPromptsResult)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", types.PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', types.INVALID_REQUEST),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', types.INVALID_REQUEST),
    ],
)
def test_what_is_no_frame_is_answered_as_such(data: bytes, code: int) -> None:
    with pytest.raises(ValidationError) as caught:
        read_frame(data, "2025-11-25")
    answer = unreadable(caught.value)
    assert (answer.id, answer.error.code) == (None, code)


def test_everything_waiting_ends_with_the_session() -> None:
    async def run() -> None:
        pair = Pair("2025-11-25")
        await pair.client.connect()
        call = asyncio.ensure_future(pair.client.call("count", {"steps": 100, "pause": 1}))
        await asyncio.sleep(0.05)
        pair.client.session.close()
        pair.server.close()
        with pytest.raises(ConnectionError):
            await call

    asyncio.run(run())
