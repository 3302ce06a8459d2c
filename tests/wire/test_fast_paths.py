"""Every fast path gives what the slow one gives: text or value in, spliced or set, direct or by structure."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import from_json

from mcp_surfaces import parsing, types, wire
from mcp_surfaces.readers import has_documents
from tests.corpus.generate import Fixture, read

from .support import CAPABILITIES_KEY, NEWEST, PROTOCOL_VERSION_KEY, VERSIONS, attempt, entries, same

pytestmark = pytest.mark.untraced

FIXTURES = [fixture for version in VERSIONS for fixture in read(version) if fixture.kind != "fragment"]

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def always(type_: object) -> bool:
    return True


@pytest.fixture(params=[0, 10**12], ids=["value first", "text first"])
def threshold(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts parsed the one way, then all the other, however long they are."""
    monkeypatch.setattr(parsing, "_JSON_FIRST", request.param)
    monkeypatch.setattr(parsing, "has_documents", always)


def targets(fixture: Fixture) -> list[Any]:
    unions: list[Any] = [types.ClientRequest, types.ServerRequest, types.ServerResult, types.ClientResult]
    return [getattr(types, fixture.type), *unions, types.JSONRPCMessage]


@pytest.mark.usefixtures("threshold")
@pytest.mark.parametrize("part", range(4))
def test_from_text_and_from_value_are_the_same(part: int) -> None:
    for fixture in FIXTURES[part::4]:
        value = json.loads(fixture.text)
        for type_ in targets(fixture):
            model = attempt(partial(wire.parse_as, type_, value, fixture.version))
            for text in (fixture.text, fixture.text.encode(), bytearray(fixture.text.encode())):
                twin = attempt(partial(wire.parse_json, type_, text, fixture.version))
                compare(model, twin, (fixture.id, fixture.version, type_))


def compare(model: Any, twin: Any, about: Any) -> None:
    assert type(model) is type(twin), (about, model, twin)
    if isinstance(model, ValidationError):
        assert entries(model) == entries(twin), about
        assert str(model) == str(twin), about
    else:
        assert model == twin, about
        assert repr(model) == repr(twin), about


# Texts that are spelt as no JSON library would: any white space, escapes, members twice, numbers in every spelling.

NUMBERS = "0 -0 1 -1 1.0 1e0 1E+2 0.1 -0.0 1e22 1e400 -1e400 1e-400 2.5 123456789012345678901"
NAMES = (
    "content type text isError structuredContent _meta is_error meta x method params id jsonrpc result error code "
    "message data resultType tools progressToken inputRequests"
)
WORDS = 'text image 2.0 tools/call ping complete input_required NaN é \U0001f30d \u2028 "\\/'
numbers = st.sampled_from(NUMBERS.split(" "))
names = st.sampled_from(NAMES.split(" "))
words = st.sampled_from(["", *WORDS.split(" ")])


def spelt(text: str, escaped: bool) -> str:
    return json.dumps(text, ensure_ascii=escaped)


@st.composite
def texts(draw: st.DrawFn, depth: int = 4) -> str:
    space = draw(st.sampled_from(["", "", " ", "\n\t"]))
    kinds = ["number", "word", "literal"] + (["list", "object", "object"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "number":
        return draw(numbers)
    if kind == "word":
        return spelt(draw(words), draw(st.booleans()))
    if kind == "literal":
        return draw(st.sampled_from(["null", "true", "false"]))
    inner = texts(depth - 1)
    if kind == "list":
        return "[" + space + (space + ",").join(draw(st.lists(inner, max_size=3))) + "]"
    members = draw(st.lists(st.tuples(names, inner), max_size=5))
    return "{" + ",".join(f"{space}{spelt(n, draw(st.booleans()))}{space}:{space}{v}" for n, v in members) + space + "}"


@settings(max_examples=120, deadline=None, suppress_health_check=SLOW, derandomize=True, database=None)
@given(texts(), st.sampled_from(VERSIONS))
def test_any_text_gives_what_its_value_gives(text: str, version: str) -> None:
    value = from_json(text)
    for type_ in (
        types.CallToolResult,
        types.ServerResult,
        types.ClientRequest,
        types.JSONRPCMessage,
        types.ContentBlock,
    ):
        model = attempt(partial(wire.parse_as, type_, value, version))
        compare(model, attempt(partial(wire.parse_json, type_, text, version)), (text, type_))


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str, str]:
    """A fixture's text with a member doubled or a number respelt, its class and revision."""
    fixture = draw(st.sampled_from(FIXTURES))
    value = json.loads(fixture.text)
    parts: list[str] = []

    def write(item: Any) -> str:
        if isinstance(item, dict):
            members = list(item.items())
            if members and draw(st.integers(0, 9)) == 0:
                members.append(draw(st.sampled_from(members)))
                members.insert(0, (members[-1][0], draw(st.sampled_from([None, 1, "s", [], {}]))))
            return "{" + ",".join(f"{json.dumps(name)}:{write(v)}" for name, v in members) + "}"
        if isinstance(item, list):
            return "[" + ",".join(map(write, item)) + "]"
        if type(item) is int and draw(st.integers(0, 9)) == 0:
            return draw(st.sampled_from([f"{item}.0", f"{item}e0", str(item), "true", f'"{item}"', "1e400"]))
        return json.dumps(item)

    parts.append(write(value))
    return "".join(parts), fixture.type, fixture.version


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW, derandomize=True, database=None)
@given(edited())
def test_edited_messages_give_what_their_values_give(case: tuple[str, str, str]) -> None:
    text, name, version = case
    type_ = getattr(types, name)
    model = attempt(lambda: wire.parse_as(type_, from_json(text), version))
    compare(model, attempt(lambda: wire.parse_json(type_, text, version)), text)
    if isinstance(model, ValidationError):
        return
    written = attempt(lambda: wire.dump_json(model, version), wire.UnsupportedAtVersionError)
    value = attempt(lambda: wire.serialize_for(model, version), wire.UnsupportedAtVersionError)
    if isinstance(written, Exception):
        assert written.args == value.args
    else:
        assert same(json.loads(written), value)
        assert json.dumps(json.loads(written)) == json.dumps(value)


# What is added to a request's `_meta`, whatever the model looks like on the way.

metas: list[dict[str, Any]] = [
    {CAPABILITIES_KEY: {}},
    {CAPABILITIES_KEY: {}, PROTOCOL_VERSION_KEY: "x"},
    {"progressToken": 1, CAPABILITIES_KEY: {"roots": {}}},
    {"a": None, CAPABILITIES_KEY: {}, "z": [1.0]},
    {CAPABILITIES_KEY: {}, "protocolVersion": "no"},
]


@pytest.mark.parametrize("meta", metas)
def test_spliced_injection_is_injection(meta: dict[str, Any]) -> None:
    class Unusual(types.CallToolRequest):
        """A request that writes its members in another order, so that there is nothing to splice into."""

        before: str | None = None

    for name in ("", '{"_meta":{', '"params":{"_meta":{', "\u2028"):
        params = types.CallToolRequestParams(name=name, arguments={"_meta": {"x": 1}}, _meta=meta)
        forms: list[Any] = [
            types.CallToolRequest(params=params),
            Unusual(params=params),
            types.CallToolRequest.model_construct(method="tools/call", params=params),
            types.CallToolRequest.model_construct(
                method="tools/call", params={"name": name, "arguments": {"_meta": {"x": 1}}, "_meta": meta}
            ),
        ]
        expected = {**meta, PROTOCOL_VERSION_KEY: meta.get(PROTOCOL_VERSION_KEY, NEWEST)}
        for model in forms:
            for strict in (None, False):
                written = wire.dump_json(model, NEWEST, strict=strict)
                value: Any = wire.serialize_for(model, NEWEST, strict=strict)
                assert same(json.loads(written), value)
                assert value["params"]["_meta"] == expected
                assert value["params"]["arguments"] == {"_meta": {"x": 1}}
                assert value["params"]["name"] == name
                assert written.count(b'"io.modelcontextprotocol/protocolVersion"') == 1


def test_large_and_small_texts_take_the_same_way_out() -> None:
    for size in (10, 10_000, 100_000):
        body = {"content": [{"type": "text", "text": "x" * size, "n": 1.0}], "resultType": "complete", "y": None}
        bad = {"content": [{"type": "text", "text": 5, "n": "x" * size}]}
        for version in VERSIONS:
            for type_ in (types.CallToolResult, types.ServerResult):
                assert wire.parse_json(type_, json.dumps(body), version) == wire.parse_as(type_, body, version)
                compare(
                    attempt(partial(wire.parse_as, type_, bad, version)),
                    attempt(partial(wire.parse_json, type_, json.dumps(bad), version)),
                    size,
                )


def test_long_arrays_cost_little_more_than_the_plain_dump() -> None:
    for item in (0, 1.5, "a", None, True, [1]):
        model: Any = types.CallToolResult(content=[], structured_content=[item] * 200_000)
        plain = fastest(partial(model.model_dump_json, by_alias=True))
        assert fastest(partial(wire.dump_json, model, "2025-11-25")) < 10 * plain + 0.05


def fastest(call: Callable[[], object]) -> float:
    """The processor time that `call` takes, the best of three."""
    times: list[float] = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


class Tree(types.Result):
    branches: list[Tree]
    leaves: dict[str, int] | None = None


def test_what_is_mostly_free_form() -> None:
    free: list[Any] = [types.ListToolsResult, types.Tool, types.ListToolsResult | types.EmptyResult, dict[str, int]]
    for type_ in free:
        assert has_documents(type_), type_
    typed: list[Any] = [types.CallToolResult, types.ListResourcesResult, types.GetPromptResult, Tree, list[str]]
    for type_ in typed:
        assert not has_documents(type_), type_


@pytest.mark.parametrize("size", [1, 400])
def test_long_texts_of_every_make_are_read_alike(size: int) -> None:
    tool = {"name": "a", "inputSchema": {"type": "object", "properties": {"NaN": {"default": None}}}}
    blocks = [{"type": "text", "text": "Infinity", "x": [1.0, 2**70]}, {"type": "image", "data": "NaN", "mimeType": ""}]
    for type_, value in (
        (types.ListToolsResult, {"tools": [tool] * size}),
        (types.CallToolResult, {"content": blocks * size}),
        (types.CallToolResult, {"content": [{"type": "text", "text": "NaN " * 100 * size}]}),
    ):
        for strict in (False, True):
            for version in VERSIONS[:-1]:
                model = wire.parse_as(type_, value, version, strict=strict)
                for text in (json.dumps(value), json.dumps(value).encode()):
                    compare(model, wire.parse_json(type_, text, version, strict=strict), version)
                assert same(wire.serialize_for(model, version), value)
