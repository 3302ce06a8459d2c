"""Everything any revision accepts for a definition, the superset parses, and dumps back equal, types included.

The exceptions are the settled questions of the design, each with the narrowest test that recognises it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import mcp_surfaces.types
from tests.fidelity.judge import amended_schema
from tests.fidelity.sample import sampled
from tests.fidelity.shapes import Json, Shape, Shapes, dumps

pytestmark = pytest.mark.untraced

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


@cache
def adapter(name: str) -> TypeAdapter[Any] | None:
    obj = getattr(mcp_surfaces.types, name, None)
    return None if obj is None else TypeAdapter(obj)


def target(name: str, value: Json) -> str | None:
    """The superset name that takes `value`, an instance of `name`; None where the design says it is refused."""
    if isinstance(value, list) and name.startswith("JSONRPC"):
        requests = any(isinstance(frame, dict) and "method" in frame for frame in value)
        sound = value and all(target("JSONRPCMessage", frame) for frame in value)
        return ("JSONRPCBatchRequest" if requests else "JSONRPCBatchResponse") if sound else None
    if isinstance(value, dict) and name.startswith("JSONRPC"):
        identified = "id" not in value or isinstance(value["id"], str) or is_whole(value["id"])
        if not identified or len(value.keys() & {"method", "result", "error"}) > 1:
            return None
        return "JSONRPCError" if name == "JSONRPCResponse" and "result" not in value else name
    if name == "CreateMessageResult" and isinstance(value, dict) and isinstance(value["content"], list):
        return "CreateMessageResultWithTools"
    return name


def is_whole(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value // 1


@cache
def admit_null() -> set[str]:
    """The names of members that admit null in some definition of some revision."""
    found: set[str] = set()
    for revision in REVISIONS:
        shapes = Shapes(amended_schema(revision))
        for name in shapes.definitions:
            for node in shapes.nodes(name):
                for member, facts in node.get("properties", {}).items():
                    if any(not leaf or leaf.get("type") == "null" for leaf in shapes.leaves(facts)):
                        found.add(member)
    return found


def same(given: Json, back: Json) -> bool:
    """Whether `back` is `given`, but for nulls on members that never admit null; 1, 1.0 and true are three things."""
    if dumps(given) == dumps(back):
        return True
    if isinstance(given, dict) and isinstance(back, dict):
        lost = given.keys() - back.keys()
        nulls = all(given[name] is None and name not in admit_null() for name in lost)
        return nulls and back.keys() <= given.keys() and all(same(given[name], back[name]) for name in back)
    if isinstance(given, list) and isinstance(back, list):
        return len(given) == len(back) and all(same(one, other) for one, other in zip(given, back, strict=True))
    return False


def constants_settled(schema: Shape, name: str, value: Json) -> Json:
    """`value` with its numeric constants spelt as the schema spells them: -32603.0 may come back as -32603."""
    properties = Shapes(schema).flat({"$ref": f"#/$defs/{name}"}).get("properties", {})
    if not isinstance(value, dict):
        return value
    numeric = {key: node["const"] for key, node in properties.items() if isinstance(node.get("const"), int)}
    return {key: numeric[key] if key in numeric and numeric[key] == member else member for key, member in value.items()}


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_superset_takes_it_and_gives_it_back(revision: str) -> None:
    schema = amended_schema(revision)
    wrong: dict[str, str] = {}
    taken = 0
    for name in schema["$defs"]:
        if adapter(name) is None:
            continue
        for _, value, text, valid in sampled(revision)[name]:
            known = target(name, value) if valid else None
            if known is None:
                continue
            model = adapter(known)
            assert model is not None, known
            taken += 1
            try:
                parsed = model.validate_python(value, by_alias=True, by_name=False)
            except ValidationError:
                outcome = "refused"
            else:
                back: Json = model.dump_python(parsed, mode="json", by_alias=True, warnings=False)
                outcome = "" if same(constants_settled(schema, name, value), back) else f"came back as {dumps(back)}"
            if outcome and len(text) < len(wrong.get(name, " " * 10_000)):
                wrong[name] = f"{text} {outcome}"
    assert wrong == {}
    assert taken > 5_000


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_the_superset_leaves_out_is_whole_frames_and_helpers(revision: str) -> None:
    shapes = Shapes(amended_schema(revision))
    for name in shapes.definitions:
        if adapter(name) is None:
            frame = "jsonrpc" in shapes.flat(shapes.of(name)).get("properties", {})
            used = any(name in shapes.nodes_of(node) for node in shapes.definitions.values())
            assert frame or not used, name


def test_equality_here_is_strict() -> None:
    assert not same(1, 1.0)
    assert not same([True], [1])
    assert not same({"a": {}}, {})
    assert not same({"data": None}, {})
    assert same({"title": None, "b": [1.0]}, {"b": [1.0]})
