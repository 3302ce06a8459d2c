"""Every case that was reported against published packages has the stated outcome, through both forms."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mcp_surfaces import types, wire

from .support import SHARED, body_of, emit, is_message, parse, pointed, same, written

PATH = SHARED / "cases" / "reported.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []
BY_ID = {case["id"]: case for case in CASES}

ELSEWHERE = {
    "B77.1": "pins are checked by tests/codegen",
    "B81.1": "type checkers run in tests/typing",
}

pytestmark = pytest.mark.skipif(not CASES, reason="the reported cases are not here")


def target(case: dict[str, Any]) -> Any:
    return types.JSONRPCMessage if case["kind"] == "frame" else getattr(types, case["type"])


def received(case: dict[str, Any]) -> Any:
    return body_of(case["input"]) if case["kind"] in ("request", "notification") else case["input"]


def outcome(case: dict[str, Any]) -> tuple[str, Any, Any]:
    """What happens to a case: accept, reject or equal-roundtrip; the model, and what is emitted of it."""
    version, value = case["version"], received(case)
    try:
        read: Any = wire.parse_json if case.get("raw") else parse
        model = read(target(case), value, version)
    except ValidationError:
        return "reject", None, None
    if case["op"] == "parse" and not case["checks"]:
        return "accept", model, None
    plain = isinstance(model, list) or is_message(type(model))
    try:
        # What a case says of a parsed value is looked at in its plain dump: a later version may refuse to emit it.
        out = emit(model, version, strict=False if case["op"] == "parse" else None) if plain else written(model)
    except wire.UnsupportedAtVersionError:
        return "reject", model, None
    return "equal-roundtrip" if case["op"] == "roundtrip" and same(out, value) else "accept", model, out


def fails(check: dict[str, Any], model: Any, out: Any) -> bool:
    if "parsed_type" in check:
        return bool(type(model).__name__ != check["parsed_type"])
    try:
        value = pointed(out, check["pointer"])
    except LookupError:
        return not check.get("absent")
    return "equals" not in check or not same(value, check["equals"])


@pytest.mark.parametrize("id_", [c["id"] for c in CASES if c["op"] in ("parse", "roundtrip", "serialize")])
def test_lenient_case(id_: str) -> None:
    case = BY_ID[id_]
    if case["version"] not in wire.KNOWN_PROTOCOL_VERSIONS:
        assert parse(target(case), received(case), case["version"])
        return
    got, model, out = outcome(case)
    assert got == case["expect"] or case["expect"] == "accept-or-reject", (got, out, case)
    if got != "reject":
        assert [check for check in case["checks"] if fails(check, model, out)] == [], (out, case)


@pytest.mark.parametrize("id_", [c["id"] for c in CASES if c["op"] == "strict"])
def test_strict_case(id_: str) -> None:
    case = BY_ID[id_]
    package = import_module(wire.surface_for(case["version"]).package)
    exact: TypeAdapter[Any] = TypeAdapter(getattr(package, case["type"]))
    try:
        exact.validate_json(json.dumps(case["input"]))
        got = "accept"
    except ValidationError:
        got = "reject"
    assert got == case["expect"], case


def nan_is_refused_with_its_path(case: dict[str, Any]) -> None:
    value = case["input"]["value"]
    value["structuredContent"]["m"] = float(value["structuredContent"]["m"]["$float"])
    with pytest.raises(wire.UnsupportedAtVersionError, match="/structuredContent/m") as raised:
        wire.serialize_for(types.CallToolResult(**value), case["version"])
    assert raised.value.pointers == ("/structuredContent/m",)


def deep_arguments(case: dict[str, Any]) -> None:
    nested: Any = {}
    for _ in range(case["input"]["depth"] - 1):
        nested = {"a": nested}
    text = '{"method":"tools/call","params":{"arguments":%s,"name":"t"}}'
    deep = '{"a":' * (case["input"]["depth"] - 1) + "{}" + "}" * (case["input"]["depth"] - 1)
    body = {"method": "tools/call", "params": {"arguments": nested, "name": "t"}}
    calls: list[Callable[[], Any]] = [
        lambda: wire.parse_json(types.CallToolRequest, text % deep, case["version"]),
        lambda: wire.parse_as(types.CallToolRequest, body, case["version"]),
    ]
    for call in calls:
        try:
            model = call()
        except ValidationError:
            assert case["expect"] == "accept-or-reject"
        else:
            assert wire.dump_json(model, case["version"]).decode() == text % deep
    assert parse(types.PingRequest, {"method": "ping"}, case["version"])


def no_numbered_class(case: dict[str, Any]) -> None:
    names = [name for package in case["input"]["packages"] for name in import_module(f"mcp_surfaces.{package}").__all__]
    assert len(names) > 200
    assert [name for name in names if re.search(case["input"]["forbid_regex"], name)] == []


def import_is_small(case: dict[str, Any]) -> None:
    del case
    program = "import sys, mcp_surfaces.types; print([m for m in sys.modules if m.startswith('mcp_surfaces.v')])"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def deepcopy_keeps_everything(case: dict[str, Any]) -> None:
    value = case["input"]["value"]
    model = parse(types.CallToolResult, value, case["version"])
    twin: Any = copy.deepcopy(model)
    assert same(emit(twin, case["version"]), value)
    twin.content[0].x.append(2)
    twin.y["z"] = 1
    assert same(emit(model, case["version"]), value)


def extras_count_in_equality(case: dict[str, Any]) -> None:
    a, b = (parse(types.CallToolResult, case["input"][side], case["version"]) for side in "ab")
    assert a != b


def emission_has_no_side_effect(case: dict[str, Any]) -> None:
    value = case["input"]["value"]
    model = parse(types.ListToolsResult, value, case["version"])
    assert emit(model, case["version"])["resultType"] == "complete"
    assert emit(model, "2025-11-25") == {"tools": []}


def misspelt_keyword_is_kept_or_refused(case: dict[str, Any]) -> None:
    misspelt: dict[str, Any] = {"content": [], "is_eror": True}
    assert emit(types.CallToolResult(**misspelt), case["version"])["is_eror"] is True


def errors_are_few(case: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as raised:
        parse(target(case), case["input"]["parse"], case["version"])
    found = raised.value.errors()
    assert len(found) <= case["input"]["max_errors"]
    for part in case["input"]["path_contains"]:
        assert all(part in map(str, entry["loc"]) for entry in found)


PROCEDURES: dict[str, Callable[[dict[str, Any]], None]] = {
    "serialize-python": nan_is_refused_with_its_path,
    "nested-arguments": deep_arguments,
    "class-names": no_numbered_class,
    "import-budget": import_is_small,
    "deepcopy-roundtrip": deepcopy_keeps_everything,
    "equality": extras_count_in_equality,
    "no-side-effect": emission_has_no_side_effect,
    "misspelt-keyword": misspelt_keyword_is_kept_or_refused,
    "error-count": errors_are_few,
}


@pytest.mark.parametrize("id_", [c["id"] for c in CASES if c["op"] in ("other", "codegen")])
def test_other_case(id_: str) -> None:
    if id_ in ELSEWHERE:
        pytest.skip(ELSEWHERE[id_])
    case = BY_ID[id_]
    PROCEDURES[case["input"]["do"]](case)


def test_every_case_is_run() -> None:
    assert {case["op"] for case in CASES} == {"parse", "roundtrip", "serialize", "strict", "other", "codegen"}
    done = {case["input"]["do"] for case in CASES if case["op"] in ("other", "codegen") and case["id"] not in ELSEWHERE}
    assert done == set(PROCEDURES)
