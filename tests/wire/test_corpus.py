"""The project's own corpus: exact bytes in and out for every method, direction and revision, through both forms."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from mcp_surfaces import types, wire
from tests.corpus.generate import FOLDER, Fixture, emitted, inputs, read
from tests.corpus.payloads import REVISIONS
from tests.fidelity.judge import Judge, amended_schema

from .support import emit, is_message, parse, same, settled, written

pytestmark = pytest.mark.untraced

SPEC_NAMES = {
    "CreateMessageResultWithTools": "CreateMessageResult",
    "ElicitCompleteNotification": "ElicitationCompleteNotification",
}


@cache
def fixtures(version: str) -> list[Fixture]:
    return read(version)


def expected(fixture: Fixture) -> Any:
    """The value that must go out: what came in, and at 2026-07-28 what the revision adds to a result."""
    value = json.loads(fixture.text)
    if fixture.version != "2026-07-28" or fixture.kind not in ("result", "spelling") or "method" in value:
        return value
    added: dict[str, Any] = {"resultType": "complete"}
    if fixture.type in ("DiscoverResult", "ReadResourceResult") or fixture.type.startswith("List"):
        added |= {"ttlMs": 0, "cacheScope": "private"}
    return {**added, **value}


def check(fixture: Fixture) -> None:
    type_ = getattr(types, fixture.type)
    text = fixture.text.encode()
    model = wire.parse_json(type_, text, fixture.version)
    assert settled(emitted(fixture)) == settled(fixture.out)
    assert same(json.loads(fixture.out), expected(fixture))
    twin = parse(type_, json.loads(text), fixture.version)
    assert model == twin
    out = emit(model, fixture.version) if isinstance(model, list) or is_message(type(model)) else written(model)
    assert json.dumps(out) == json.dumps(json.loads(fixture.out))
    assert type(model).__name__ == fixture.type or fixture.type == "JSONRPCMessage"


@pytest.mark.parametrize("version", REVISIONS)
@pytest.mark.parametrize("part", range(4))
def test_exact_bytes(version: str, part: int) -> None:
    for fixture in fixtures(version)[part::4]:
        try:
            check(fixture)
        except Exception as error:
            raise AssertionError(f"{version} {fixture.id}: {fixture.text[:300]}") from error


@pytest.mark.parametrize("version", REVISIONS)
def test_what_goes_out_comes_in_again(version: str) -> None:
    for fixture in fixtures(version):
        if fixture.kind != "fragment":
            model = wire.parse_json(getattr(types, fixture.type), fixture.out, fixture.version)
            again = wire.dump_json(model, version).decode()
            assert same(json.loads(again), json.loads(fixture.out)), fixture.id
            # What was injected stands last at first, and afterwards where its field has it.
            if settled(again) != settled(fixture.out):
                assert set(json.loads(fixture.out)) - set(json.loads(fixture.text)), fixture.id


@pytest.mark.parametrize("version", REVISIONS)
def test_the_routed_type_reads_every_body(version: str) -> None:
    look_up: Any = {"request": wire.request_type, "notification": wire.notification_type, "result": wire.result_type}
    for fixture in fixtures(version):
        if fixture.kind in look_up:
            type_ = look_up[fixture.kind](fixture.method, version, fixture.sender)
            model = wire.parse_json(type_, fixture.text, version)
            assert type(model).__name__ == fixture.type, fixture.id
            assert settled(wire.dump_json(model, version).decode()) == settled(fixture.out), fixture.id


@pytest.mark.parametrize("version", REVISIONS)
def test_unions_read_every_message(version: str) -> None:
    for fixture in fixtures(version):
        if fixture.kind in ("request", "notification", "result"):
            union = getattr(types, fixture.sender.capitalize() + fixture.kind.capitalize(), None)
            if union is None or fixture.type in (
                "CreateTaskResult",
                "GetTaskPayloadResult",
                "SubscriptionsListenResult",
            ):
                continue
            model = wire.parse_json(union, fixture.text, version)
            # Of equal members: a task that is asked for and one that is cancelled.
            name = fixture.type.replace("CancelTaskResult", "GetTaskResult")
            assert type(model).__name__ == name, fixture.id
            assert same(emit(model, version), expected(fixture)), fixture.id


@pytest.mark.parametrize("version", REVISIONS)
def test_legal_fixtures_are_legal(version: str) -> None:
    schema = amended_schema(version)
    judge = Judge(schema)
    for fixture in fixtures(version):
        if fixture.legal:
            name = SPEC_NAMES.get(fixture.type, fixture.type)
            name = name if name in schema["$defs"] else fixture.type
            frame: Any = {"jsonrpc": "2.0", "id": 1} if "jsonrpc" in schema["$defs"][name].get("properties", {}) else {}
            assert judge.accepts(name, {**frame, **json.loads(fixture.text)}), (fixture.id, fixture.text)


@pytest.mark.parametrize("version", REVISIONS)
def test_strict_parsing_and_emission_take_what_is_legal(version: str) -> None:
    for fixture in fixtures(version):
        if fixture.legal:
            model = parse(getattr(types, fixture.type), json.loads(fixture.text), version, strict=True)
            assert same(emit(model, version, strict=True), json.loads(fixture.out)), fixture.id


@pytest.mark.skipif(not hasattr(wire, "audit"), reason="the audit is not there yet")
@pytest.mark.parametrize("version", REVISIONS)
def test_audit_of_what_is_legal_is_empty(version: str) -> None:
    audit: Any = vars(wire).get("audit")
    for fixture in fixtures(version):
        if fixture.legal:
            model = wire.parse_json(getattr(types, fixture.type), fixture.text, version)
            assert list(audit(model, version)) == [], (fixture.id, fixture.text)


def test_every_method_direction_and_revision_is_there() -> None:
    there = {(f.version, f.sender, f.kind, f.method) for version in REVISIONS for f in fixtures(version)}
    for version in wire.KNOWN_PROTOCOL_VERSIONS:
        for sender, methods in wire.surface_for(version).methods[version].items():
            answerer = "server" if sender == "client" else "client"
            for method, names in methods.results.items():
                assert (version, sender, "request", method) in there
                assert (version, answerer, "result", method) in there
                types_ = {f.type for f in fixtures(version) if f.method == method and f.kind == "result"}
                # Where no tools are offered a single block comes back, which is a CreateMessageResult.
                assert types_ >= set(names) - {"CreateMessageResultWithTools"}, (version, method)
            for method in methods.notifications:
                assert (version, sender, "notification", method) in there


def test_the_corpus_is_large_and_has_every_kind() -> None:
    assert sum(len(fixtures(version)) for version in REVISIONS) >= 300
    kinds = Counter(f.kind for version in REVISIONS for f in fixtures(version))
    assert kinds.keys() == {"request", "notification", "result", "frame", "spelling", "fragment"}
    assert any(f.text.startswith("[") for f in fixtures("2025-03-26"))
    assert len({(f.version, f.id) for version in REVISIONS for f in fixtures(version)}) == sum(kinds.values())


def test_the_files_are_what_the_generator_gives() -> None:
    made = [fixture._replace(out="") for fixture in inputs()]
    assert made == [fixture._replace(out="") for version in REVISIONS for fixture in fixtures(version)]


def test_files_are_ascii_with_unix_line_ends() -> None:
    for version in REVISIONS:
        data = (FOLDER / f"{version}.jsonl").read_bytes()
        assert data.isascii()
        assert b"\r" not in data


def test_surfaces_serve_the_revisions_of_the_corpus() -> None:
    assert list(wire.KNOWN_PROTOCOL_VERSIONS) == list(REVISIONS)
    assert all(import_module(wire.surface_for(version).package) for version in REVISIONS)
