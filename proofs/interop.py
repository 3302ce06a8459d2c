"""Live sessions with everybody else's servers and clients: `python -m proofs.interop [--write] [--only PEER]`.

Our example client talks to servers on other SDKs, and clients on other SDKs talk to our example server, at every
revision the peer speaks. Every session goes through the same steps, and every frame of it is checked (`frames.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from examples.client import Client, start
from examples.session import RpcError
from mcp_surfaces import types, wire
from proofs import peers
from proofs.frames import Side, Tally, check_log

HANDSHAKE = [v for v in wire.KNOWN_PROTOCOL_VERSIONS if "initialize" in wire.CLIENT_REQUEST_METHODS[v]]
ALL = list(wire.KNOWN_PROTOCOL_VERSIONS)
TEE = [sys.executable, str(Path(__file__).with_name("tee.py"))]
OUR_SERVER = [sys.executable, "-m", "examples.server"]
NOTE, BLOB = "example://note", "example://pixel"
Step = Callable[[], Awaitable[object]]


class NotOffered(Exception):
    """The peer does not have what a step needs."""


@dataclass
class Outcome:
    """One session: which steps went well, and what its frames came to."""

    peer: str
    role: str
    revision: str
    done: list[str] = field(default_factory=list[str])
    absent: dict[str, str] = field(default_factory=dict[str, str])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0


@dataclass
class Peer:
    """Somebody else's end: how to start it, and the revisions it speaks."""

    name: str
    command: list[str]
    revisions: list[str]
    steps: Callable[[Client], dict[str, Step]] | None = None
    """Of a server: what our client does with it. A client brings its own steps."""
    folder: Path | None = None
    lacks: dict[str, str] = field(default_factory=dict[str, str])


def need(condition: object, what: object = "") -> None:
    """Fail the step unless the condition holds."""
    if not condition:
        raise AssertionError(what)


# Our client against their servers.


def common_steps(client: Client) -> dict[str, Step]:
    """What our client does with a server that offers what our example server offers."""
    version = client.session.version

    async def structured() -> None:
        result = await client.call("add", {"a": 1, "b": 2.5})
        if ALL.index(version) >= ALL.index("2025-06-18"):
            need(result.structured_content == {"sum": 3.5}, result)

    async def media() -> None:
        kinds = [block.type for block in (await client.call("media")).content]
        need({"text", "image", "resource"} <= set(kinds), kinds)
        if ALL.index(version) >= ALL.index("2025-06-18"):
            need({"audio", "resource_link"} <= set(kinds), kinds)

    async def tool_error() -> None:
        need((await client.call("fail")).is_error is True)

    async def protocol_error() -> None:
        try:
            need((await client.call("no such tool")).is_error is True)
        except RpcError:
            return

    async def progress() -> None:
        seen: list[types.ProgressNotificationParams] = []
        await client.call("count", {"steps": 3}, on_progress=seen.append)
        need([params.progress for params in seen] == [1, 2, 3], seen)

    async def log() -> None:
        await client.call("count", {"steps": 2}, log_level="info")
        need(any(isinstance(body, types.LoggingMessageNotification) for body in client.heard))

    async def ask(what: str) -> None:
        result = await client.call("ask", {"what": what})
        need(not result.is_error, result)

    async def cancel() -> None:
        slow = asyncio.ensure_future(client.call("count", {"steps": 1000, "pause": 0.05}))
        await asyncio.sleep(0.3)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        await client.call("add", {"a": 1, "b": 1})

    async def read(uri: str) -> None:
        need((await client.read(uri)).contents)

    async def not_found() -> None:
        try:
            result = await client.read("example://nothing")
        except RpcError:
            return
        raise AssertionError(result)

    async def watch() -> None:
        await client.watch(NOTE)
        await client.call("touch")
        await client.hear(types.ResourceUpdatedNotification)
        await client.unwatch(NOTE)

    async def prompt() -> None:
        need((await client.prompt("greet", {"name": "Ada"})).messages)

    async def complete() -> None:
        result = await client.complete(types.PromptReference(name="greet"), "name", "A")
        need(result.completion.values == ["Ada", "Alan"], result)

    steps: dict[str, Step] = {
        "list tools": client.tools,
        "structured": structured,
        "media": media,
        "tool error": tool_error,
        "protocol error": protocol_error,
        "progress": progress,
        "log": log,
        "roots": lambda: ask("roots"),
        "sampling": lambda: ask("model"),
        "cancel": cancel,
        "list resources": lambda: client.session.request(types.ListResourcesRequest(), types.ListResourcesResult),
        "list templates": lambda: client.session.request(
            types.ListResourceTemplatesRequest(), types.ListResourceTemplatesResult
        ),
        "read text": lambda: read(NOTE),
        "read blob": lambda: read(BLOB),
        "read nothing": not_found,
        "watch": watch,
        "list prompts": lambda: client.session.request(types.ListPromptsRequest(), types.ListPromptsResult),
        "prompt": prompt,
        "complete": complete,
    }
    if ALL.index(version) >= ALL.index("2025-06-18"):
        steps["elicitation"] = lambda: ask("form")
    if version == "2025-03-26":
        steps["batch"] = lambda: client.session.batch([types.PingRequest(), types.ListPromptsRequest()])
    return steps


def everything_steps(client: Client) -> dict[str, Step]:
    """What our client does with npm's server-everything, which has tools of its own."""
    version = client.session.version

    async def kinds(name: str, arguments: dict[str, Any], *wanted: str) -> None:
        blocks = (await client.call(name, arguments)).content
        need(set(wanted) <= {block.type for block in blocks}, blocks)

    async def structured() -> None:
        result = await client.call("get-structured-content", {"location": "New York"})
        need(isinstance(result.structured_content, dict), result)

    async def tool_error() -> None:
        need((await client.call("get-sum", {"a": "one"})).is_error is True)

    async def protocol_error() -> None:
        try:
            need((await client.call("no such tool")).is_error is True)
        except RpcError:
            return

    async def progress() -> None:
        seen: list[types.ProgressNotificationParams] = []
        arguments = {"duration": 0.4, "steps": 2}
        await client.call("trigger-long-running-operation", arguments, on_progress=seen.append)
        need(seen)

    async def cancel() -> None:
        slow = asyncio.ensure_future(client.call("trigger-long-running-operation", {"duration": 20, "steps": 20}))
        await asyncio.sleep(0.3)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        await client.call("echo", {"message": "still there"})

    async def log() -> None:
        params = types.SetLevelRequestParams(level="debug")
        await client.session.request(types.SetLevelRequest(params=params), types.EmptyResult)
        await client.call("toggle-simulated-logging")
        await client.hear(types.LoggingMessageNotification, 8)
        await client.call("toggle-simulated-logging")

    async def resources() -> None:
        page = await client.session.request(types.ListResourcesRequest(), types.ListResourcesResult)
        need(page.resources, page)

    async def read() -> None:
        for kind in ("text", "blob"):
            need((await client.read(f"demo://resource/dynamic/{kind}/1")).contents)

    async def watch() -> None:
        uri = "demo://resource/dynamic/text/1"
        await client.watch(uri)
        await client.call("toggle-subscriber-updates")
        await client.hear(types.ResourceUpdatedNotification, 8)
        await client.call("toggle-subscriber-updates")
        await client.unwatch(uri)

    async def prompt() -> None:
        need((await client.prompt("args-prompt", {"city": "Oslo", "state": "Oslo"})).messages)
        need((await client.prompt("simple-prompt")).messages)

    async def complete() -> None:
        ref = types.PromptReference(name="completable-prompt")
        need((await client.complete(ref, "department", "E")).completion.values)

    steps: dict[str, Step] = {
        "list tools": client.tools,
        "text": lambda: kinds("echo", {"message": "hello"}, "text"),
        "image": lambda: kinds("get-tiny-image", {}, "text", "image"),
        "annotated": lambda: kinds("get-annotated-message", {"messageType": "success", "includeImage": True}, "image"),
        "links": lambda: kinds("get-resource-links", {"count": 2}, "resource_link"),
        "embedded": lambda: kinds(
            "get-resource-reference", {"resourceType": "Text", "resourceId": 1}, "text", "resource"
        ),
        "structured": structured,
        "tool error": tool_error,
        "protocol error": protocol_error,
        "progress": progress,
        "log": log,
        "roots": lambda: client.call("get-roots-list"),
        "sampling": lambda: client.call("trigger-sampling-request", {"prompt": "Say hello", "maxTokens": 10}),
        "cancel": cancel,
        "list resources": resources,
        "list templates": lambda: client.session.request(
            types.ListResourceTemplatesRequest(), types.ListResourceTemplatesResult
        ),
        "read text and blob": read,
        "watch": watch,
        "list prompts": lambda: client.session.request(types.ListPromptsRequest(), types.ListPromptsResult),
        "prompt": prompt,
        "complete": complete,
    }
    if ALL.index(version) >= ALL.index("2025-06-18"):
        steps["elicitation"] = lambda: client.call("trigger-elicitation-request")
    if version == "2025-03-26":
        steps["batch"] = lambda: client.session.batch([types.PingRequest(), types.ListPromptsRequest()])
    return steps


async def against_server(peer: Peer, revision: str, log: Path) -> Outcome:
    """One session of our client with a peer's server."""
    outcome = Outcome(peer.name, "server", revision)
    try:
        async with start([*TEE, str(log), *peer.command], revision, quiet=True) as client:
            await asyncio.wait_for(client.connect(), 30)
            need(client.session.version == revision, client.session.version)
            outcome.done.append("connect")
            assert peer.steps is not None
            for name, step in peer.steps(client).items():
                await _take(outcome, peer, name, step)
    except Exception as error:
        outcome.failed["session"] = repr(error)
    outcome.tally = check_log(log, "client", revision)
    return outcome


async def _take(outcome: Outcome, peer: Peer, name: str, step: Step) -> None:
    try:
        await asyncio.wait_for(_awaited(step), 3 if name in peer.lacks else 15)
    except Exception as error:
        if name in peer.lacks:
            outcome.absent[name] = peer.lacks[name]
        else:
            outcome.failed[name] = repr(error)[:300]
    else:
        outcome.done.append(name)


async def _awaited(step: Step) -> object:
    return await step()


# Their clients against our server.


def against_client(peer: Peer, revision: str, log: Path) -> Outcome:
    """One session of a peer's client with our server."""
    outcome = Outcome(peer.name, "client", revision)
    command = [*peer.command, revision, *TEE, str(log), *OUR_SERVER, revision]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    try:
        run = subprocess.run(
            command, cwd=peer.folder, env=environment, capture_output=True, text=True, timeout=90, check=False
        )
    except subprocess.TimeoutExpired:
        outcome.failed["session"] = "no end after 90 s"
        return outcome
    for line in run.stdout.splitlines():
        if line.startswith("{"):
            step = json.loads(line)
            if step["ok"]:
                outcome.done.append(step["step"])
            elif step["step"] in peer.lacks:
                outcome.absent[step["step"]] = peer.lacks[step["step"]]
            else:
                outcome.failed[step["step"]] = str(step["detail"])[:300]
    if not outcome.done:
        outcome.failed["session"] = run.stderr[-600:]
    outcome.tally = check_log(log, "server", revision)
    return outcome


# All of it.


def install() -> tuple[list[Peer], list[Peer]]:
    """Install every peer; servers and clients."""
    with ThreadPoolExecutor(4) as pool:
        mcp2 = pool.submit(peers.python_with, "mcp2", peers.MCP2)
        mcp1 = pool.submit(peers.python_with, "mcp1", peers.MCP1)
        fastmcp = pool.submit(peers.python_with, "fastmcp", peers.FASTMCP)
        everything = pool.submit(peers.npm_folder, "everything", peers.EVERYTHING)
        sdk1 = pool.submit(peers.npm_folder, "sdk1", peers.TS_SDK1)
        client2 = pool.submit(peers.npm_folder, "client2", peers.TS_CLIENT2)
        node = pool.submit(peers.node)
    python2, python1, fast, js = mcp2.result(), mcp1.result(), fastmcp.result(), str(node.result())
    name2 = f"mcp {peers.python_version(python2, 'mcp')}"
    name1 = f"mcp {peers.python_version(python1, 'mcp')}"
    fast_name = f"fastmcp {peers.python_version(fast, 'fastmcp')}"
    package = "@modelcontextprotocol/server-everything"
    every_name = f"server-everything {peers.npm_version(everything.result(), package)}"
    sdk_name = f"typescript-sdk {peers.npm_version(sdk1.result(), '@modelcontextprotocol/sdk')}"
    client_name = f"typescript client {peers.npm_version(client2.result(), '@modelcontextprotocol/client')}"

    server_script, client_script = str(peers.SCRIPTS / "peer_server.py"), str(peers.SCRIPTS / "peer_client.py")
    node_script = str(peers.SCRIPTS / "peer_client.mjs")
    index = everything.result() / "node_modules" / package / "dist" / "index.js"
    no_batch = {"batch": "it leaves a JSON-RPC batch unanswered"}
    servers = [
        Peer(name2, [str(python2), server_script, "mcp2"], ALL, common_steps, lacks=no_batch),
        Peer(name1, [str(python1), server_script, "mcp1"], HANDSHAKE, common_steps, lacks=no_batch),
        Peer(
            fast_name,
            [str(fast), server_script, "fastmcp"],
            ALL,
            common_steps,
            lacks={**no_batch, "watch": "no subscriptions/listen"},
        ),
        Peer(every_name, [js, str(index), "stdio"], HANDSHAKE, everything_steps, lacks=no_batch),
    ]
    clients = [
        Peer(name2, [str(python2), client_script, "mcp2"], ALL),
        Peer(name1, [str(python1), client_script, "mcp1"], HANDSHAKE),
        Peer(sdk_name, [js, node_script, "sdk1"], HANDSHAKE, folder=sdk1.result()),
        Peer(client_name, [js, node_script, "client2"], ALL, folder=client2.result()),
    ]
    return servers, clients


def table(outcomes: Sequence[Outcome]) -> str:
    """The figures, as a Markdown table."""
    lines = [
        "| peer | its role | revision | steps | not offered | frames | bodies | ours | peer's, not strict-valid "
        "| peer's, newer than the revision |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in outcomes:
        total = len(one.done) + len(one.failed)
        tally = one.tally
        lines.append(
            f"| {one.peer} | {one.role} | {one.revision} | {len(one.done)}/{total} "
            f"| {', '.join(one.absent) or 'none'} | {tally.frames} | {tally.bodies} | {tally.ours} "
            f"| {tally.peer_strict} | {tally.peer_audit} |"
        )
    return "\n".join(lines)


def page(outcomes: Sequence[Outcome], total: Tally) -> str:
    """`docs/interop.md`."""
    absent = sorted({f"- {one.peer}: {step}: {why}." for one in outcomes for step, why in one.absent.items()})
    notes = sorted({note for one in outcomes for note in (f"- {one.peer}: {n}" for n in one.tally.notes)})
    steps = sum(len(one.done) for one in outcomes)
    return "\n".join(
        [
            "# Live sessions with other implementations",
            "",
            "Written by `python -m proofs.interop --write` (`nox -s interop`). Our example client talks to servers on",
            "other SDKs, and clients on other SDKs talk to our example server, over stdio, at every revision the peer",
            "speaks. Each session lists and calls tools (structured, every kind of content, a tool's error, a protocol",
            "error), reports progress, logs, answers roots, sampling and elicitation, cancels, lists and reads",
            "resources, subscribes or listens, gets a prompt and completes. Every frame is recorded on the way and",
            "checked: it parses and comes back equal, and so does every body by the type `wire` names for its method;",
            "ours are valid on the exact surface and their audit is empty.",
            "",
            f"{len(outcomes)} sessions, {steps} steps, {total.frames} frames with {total.bodies} bodies, of which",
            f"{total.ours} are ours; {len(total.faults)} faults. The last column counts bodies of the peer in which",
            "the audit finds something that the negotiated revision does not define.",
            "",
            table(outcomes),
            "",
            "Not offered by the peer:",
            "",
            *(absent or ["- nothing"]),
            "",
            "What peers sent that their revision's schema does not allow, all of it parsed and returned equal:",
            "",
            *(notes or ["- nothing"]),
            "",
        ]
    )


def main() -> int:
    """Run it all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update docs/interop.md")
    parser.add_argument("--only", help="only peers whose name contains this")
    parser.add_argument("--keep", type=Path, help="keep the recorded frames in this folder")
    options = parser.parse_args()
    started = time.monotonic()
    servers, clients = install()
    print(f"peers installed after {time.monotonic() - started:.0f} s", flush=True)
    jobs: list[tuple[Peer, Side, str]] = [
        *((peer, "server", revision) for peer in servers for revision in peer.revisions),
        *((peer, "client", revision) for peer in clients for revision in peer.revisions),
    ]
    jobs = [job for job in jobs if options.only is None or options.only in job[0].name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)

        def run(job: tuple[Peer, Side, str]) -> Outcome:
            peer, role, revision = job
            log = folder / f"{role}-{peer.name}-{revision}.jsonl".replace(" ", "-")
            log.write_text("", encoding="utf-8")
            began = time.monotonic()
            outcome = (
                asyncio.run(against_server(peer, revision, log))
                if role == "server"
                else against_client(peer, revision, log)
            )
            outcome.seconds = time.monotonic() - began
            state = "ok" if not outcome.failed and not outcome.tally.faults else "FAILED"
            took = f"{len(outcome.done)} steps, {outcome.seconds:.1f} s"
            print(f"{state:6} {role:6} {peer.name:32} {revision} {took}", flush=True)
            return outcome

        with ThreadPoolExecutor(3) as pool:
            outcomes = list(pool.map(run, jobs))
    total = Tally()
    for outcome in outcomes:
        total.add(outcome.tally)
    print(table(outcomes))
    for outcome in outcomes:
        for step, why in outcome.failed.items():
            print(f"FAILED {outcome.role} {outcome.peer} {outcome.revision}: {step}: {why}")
        for fault in outcome.tally.faults:
            print(f"FAULT {outcome.role} {outcome.peer} {outcome.revision}: {fault}")
    bad = sum(bool(outcome.failed or outcome.tally.faults) for outcome in outcomes)
    print(
        f"{len(outcomes)} sessions, {total.frames} frames, {len(total.faults)} faults, "
        f"{time.monotonic() - started:.0f} s"
    )
    print(f"{len(outcomes) - bad} passed, {bad} failed")
    if options.write and options.only is None:
        (peers.ROOT / "docs" / "interop.md").write_text(page(outcomes, total), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
