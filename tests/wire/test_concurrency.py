"""First use from many threads, models that come from elsewhere, and copies; in fresh interpreters where it matters."""

from __future__ import annotations

import base64
import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mcp_surfaces import types, wire
from tests.corpus.generate import read

from .support import ROOT, VERSIONS, emit, made, parse, same, settled

pytestmark = pytest.mark.untraced

THREADS = """
import sys, threading
sys.setswitchinterval(1e-6)
from mcp_surfaces import types, wire

def use(number):
    {body}

barrier, failures, outcomes = threading.Barrier(32), [], []

def run(number):
    barrier.wait()
    try:
        outcomes.append(use(number))
    except BaseException as error:
        failures.append(repr(error))

threads = [threading.Thread(target=run, args=(number,)) for number in range(32)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
assert not any(thread.is_alive() for thread in threads), "deadlock"
assert not failures, failures[:3]
assert len(outcomes) == 32 and len(set(map(str, outcomes))) == {distinct}, set(map(str, outcomes))
print("done")
"""

HALF_WAY = """
import sys, threading
from mcp_surfaces import base, types, wire

half_way, go_on = threading.Event(), threading.Event()
ready = base.MCPModel.__pydantic_init_subclass__.__func__

def held(cls, **options):
    if cls.__name__ == "{last_seen}":
        half_way.set()
        assert go_on.wait(60)
    ready(cls, **options)

base.MCPModel.__pydantic_init_subclass__ = classmethod(held)
thread = threading.Thread(target=lambda: __import__("mcp_surfaces.jsonrpc"), daemon=True)
thread.start()
assert half_way.wait(60)
data = {{"content": []}}
parsed = wire.parse_as(types.CallToolResult, data, "2025-11-25")
assert parsed == wire.parse_json(types.CallToolResult, b'{{"content":[]}}', "2025-11-25", strict=True)
assert wire.serialize_for(parsed, "2025-11-25") == data and wire.dump_json(parsed, "2025-11-25")
assert wire.audit(parsed, "2025-11-25") == []
assert thread.is_alive()
go_on.set()
thread.join(60)
from mcp_surfaces.types import JSONRPCMessage
assert wire.parse_as(JSONRPCMessage, {{"jsonrpc": "2.0", "method": "x"}}, "2025-11-25").method == "x"
print("done")
"""

PARSED = "{'content': [{'type': 'resource_link', 'uri': 'u', 'name': 'n', 'icons': [{'src': 's'}]}], 'x': [None]}"
REQUEST = (
    "types.CallToolRequest(params=types.CallToolRequestParams(name='t', "
    "_meta={'io.modelcontextprotocol/clientCapabilities': {'elicitation': {}}}))"
)
USES: dict[str, tuple[str, int]] = {
    "constructors": ("return types.CallToolResult(content=[types.ResourceLink(uri='u', name='n')], is_error=False)", 1),
    "constructors of many classes": (
        "return [types.Tool(name='t', input_schema={}), types.ElicitResult(action='cancel'), "
        "types.ListToolsResult(tools=[{'name': 't', 'inputSchema': {}}])][number % 3]",
        3,
    ),
    "parse_json": (
        "return wire.parse_json(types.ServerResult, "
        '\'{"content":[{"type":"text","text":"a","annotations":{"priority":1}}]}\', "2025-11-25")',
        1,
    ),
    "parse_as of a union": (f"return wire.parse_as(types.ServerResult, {PARSED}, '2025-11-25')", 1),
    "parse_as of a tagged union": (
        "return wire.parse_as(types.ClientRequest, {'method': 'tools/call', 'params': {'name': 't'}}, '2025-11-25')",
        1,
    ),
    "dump_json": (f"return wire.dump_json({REQUEST}, '2026-07-28')", 1),
    "serialize_for of unvalidated models": (
        "return wire.serialize_for(types.CallToolResult.model_construct(content=[types.TextContent.model_construct("
        "text='a', type='text')]), ['2025-11-25', '2026-07-28'][number % 2])",
        2,
    ),
    "strict at both surfaces": (
        f"return wire.parse_as(types.CallToolResult, {{**{PARSED}, 'resultType': 'complete'}}, "
        "['2025-11-25', '2026-07-28'][number % 2], strict=True)",
        1,
    ),
    "frames": (
        "return wire.dump_json(wire.parse_json(types.JSONRPCMessage, "
        '\'[{"jsonrpc":"2.0","id":1,"method":"m"}]\', "2025-03-26"), "2025-03-26")',
        1,
    ),
    "routing": ("return wire.result_type('tools/call', '2026-07-28', 'server')", 1),
    "looking up names": (
        "import mcp_surfaces.v2025_11_25 as a, mcp_surfaces.v2026_07_28 as b; return (a.Tool, b.Tool, types.Tool)",
        1,
    ),
    "audit": ("return wire.audit(types.PingRequest(), '2026-07-28')", 1),
    "everything at once": (
        "import json; v = ['2024-11-05', '2026-07-28'][number % 2]; "
        "m = wire.parse_as([types.CallToolResult, types.ServerResult][number % 3 == 0], {'content': []}, v); "
        "types.Tool(name='t', input_schema={}); return json.loads(wire.dump_json(m, v))",
        2,
    ),
}


def fresh(program: str) -> str:
    """What a program prints in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("last_seen", ["JSONRPCRequest", "JSONRPCError"])
def test_the_wire_while_another_thread_is_half_way_through_the_frames(last_seen: str) -> None:
    assert fresh(HALF_WAY.format(last_seen=last_seen)) == "done\n"


@pytest.mark.parametrize("name", USES)
def test_first_use_from_32_threads(name: str) -> None:
    body, distinct = USES[name]
    assert fresh(THREADS.format(body=body, distinct=distinct)) == "done\n"


IN_FREE_FORM = {
    "parsed block": "wire.parse_as(types.CallToolResult, "
    "{'content': [{'type': 'text', 'text': 'a', 'x': None}]}, '2025-11-25').content[0]",
    "constructed block": "types.TextContent(text='a', x=None)",
    "block without validation": "types.TextContent.model_construct(text='a', type='text', x=None)",
    "copied block": "types.TextContent.model_construct(text='a', type='text', x=None).model_copy(deep=True)",
}


@pytest.mark.parametrize("name", IN_FREE_FORM)
@pytest.mark.parametrize(("call", "version"), [("dump_json", "2025-11-25"), ("serialize_for", "2026-07-28")])
def test_models_in_free_form_values_in_a_fresh_interpreter(name: str, call: str, version: str) -> None:
    program = f"""
import json
from mcp_surfaces import types, wire
block = {IN_FREE_FORM[name]}
holder = types.CallToolResult(content=[], structured_content={{"a": [block]}}, y=block)
out = wire.{call}(holder, {version!r})
out = json.loads(out) if isinstance(out, bytes) else out
assert out["structuredContent"] == {{"a": [{{"text": "a", "type": "text", "x": None}}]}}, out
assert out["y"] == {{"text": "a", "type": "text", "x": None}}, out
frame = types.JSONRPCResponse(jsonrpc="2.0", id=1, result={{"block": block}})
assert json.loads(wire.dump_json(frame, {version!r}))["result"] == {{"block": out["y"]}}
"""
    fresh(program)


def test_a_model_that_only_stands_in_a_free_form_value() -> None:
    fresh(
        """
import json
from mcp_surfaces import types, wire
for version in wire.KNOWN_PROTOCOL_VERSIONS:
    tool = types.Tool.model_construct(name="t", input_schema={}, icons=[types.Icon.model_construct(src="s")])
    frame = types.JSONRPCResponse.model_construct(jsonrpc="2.0", id=1, result={"tools": [tool]})
    out = json.loads(wire.dump_json(frame, version))
    assert out["result"] == {"tools": [{"name": "t", "inputSchema": {}, "icons": [{"src": "s"}]}]}, out
"""
    )


PICKLED = read("2025-11-25") + read("2026-07-28")


def test_pickled_models_are_whole_in_a_fresh_process() -> None:
    chosen = [fixture for fixture in PICKLED if "whole" in fixture.id or fixture.kind == "frame"]
    models = [(f.version, wire.parse_json(getattr(types, f.type), f.text, f.version), settled(f.out)) for f in chosen]
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        data = base64.b64encode(pickle.dumps(models, protocol)).decode()
        program = """
import base64, pickle, sys
models = pickle.loads(base64.b64decode(sys.stdin.read()))
from mcp_surfaces import wire
from tests.wire.support import settled
for version, model, out in models:
    assert settled(wire.dump_json(model, version).decode()) == out, (version, model)
    assert isinstance(model, list) or wire.audit(model, version) is not None
print(len(models))
"""
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=data,
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert done.stdout == f"{len(models)}\n"


def test_a_pickled_model_in_a_free_form_value_of_a_fresh_process() -> None:
    block = parse(types.ContentBlock, {"type": "text", "text": "a", "y": None}, "2025-11-25")
    error = types.ErrorData(code=1, message="m", data=None)
    data = base64.b64encode(pickle.dumps((block, error))).decode()
    fresh(
        f"""
import base64, pickle
block, error = pickle.loads(base64.b64decode({data!r}))
from mcp_surfaces import types, wire
held = types.CallToolResult.model_construct(content=[], structured_content=[block, error])
out = wire.serialize_for(held, "2025-11-25")
assert out == {{"content": [], "structuredContent": [{{"text": "a", "type": "text", "y": None}},
    {{"code": 1, "message": "m", "data": None}}]}}, out
"""
    )


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "model_copy": lambda model: model.model_copy(),
    "deep model_copy": lambda model: model.model_copy(deep=True),
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "revalidation": lambda model: type(model).model_validate(model.model_dump(by_alias=True)),
    "json": lambda model: type(model).model_validate_json(model.model_dump_json(by_alias=True)),
}


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("version", VERSIONS)
def test_copies_keep_everything(name: str, version: str) -> None:
    for fixture in read(version):
        if fixture.kind in ("request", "notification", "result", "frame") and not fixture.text.startswith("["):
            model: Any = wire.parse_json(getattr(types, fixture.type), fixture.text, version)
            twin = COPIES[name](model)
            assert type(twin) is type(model)
            assert twin == model, fixture.id
            assert settled(wire.dump_json(twin, version).decode()) == settled(fixture.out), fixture.id


def test_a_deep_copy_shares_nothing() -> None:
    value: Any = {
        "content": [{"type": "text", "text": "a", "x": [1]}],
        "structuredContent": {"a": [1]},
        "y": {"z": [None]},
    }
    for version in VERSIONS:
        model = parse(types.CallToolResult, {**value, "resultType": "complete"}, version)
        for twin in (copy.deepcopy(model), model.model_copy(deep=True), pickle.loads(pickle.dumps(model))):
            twin.content[0].x.append(2)
            twin.content[0].text = "b"
            twin.structured_content["a"].append(2)
            twin.y["z"].append(2)
            assert same(emit(model, version), {**value, "resultType": "complete"})


def test_an_updated_copy_changes_only_what_is_updated() -> None:
    model = made(types.ListToolsResult, tools=[], next_cursor="c", x=None)
    twin = model.model_copy(update={"next_cursor": "d"})
    assert json.loads(wire.dump_json(twin, "2025-11-25")) == {"tools": [], "nextCursor": "d", "x": None}
    assert json.loads(wire.dump_json(model, "2025-11-25")) == {"tools": [], "nextCursor": "c", "x": None}
