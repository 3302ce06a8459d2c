"""One golden case for each kind of change that is, or is not, additive, and the five revisions themselves."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.additive import REASONS, Difference, Objection, additive, prove
from codegen.canonical import Schema
from codegen.changes import KINDS
from tests.codegen.schemas import INTEGER, STRING, const, one_of, pins, record, ref, request, schema

RESULT: dict[str, Any] = {"type": "object", "properties": {"_meta": {"type": "object"}}, "additionalProperties": {}}
FRAME = record("id", "jsonrpc", "method", id=INTEGER, jsonrpc=const("2.0"), method=STRING, params=record())
PARAMS = "/$defs/CallRequest/properties/params"


def protocol(params: Any, **more: Any) -> Schema:
    """A protocol of one request with these params."""
    return schema(
        **{"CallRequest": request("call", params=params), "ClientRequest": one_of(ref("CallRequest")), **more}
    )


def verdicts(old: Schema, new: Schema) -> list[tuple[str, str]]:
    return [(objection.kind, objection.pointer) for objection in additive(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "kind", "pointer", "text"),
    [
        (record(a=STRING), record(), "removed", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: field removed (string)"),
        (record("a", a=STRING), record(), "removed", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: required field removed (string)"),
        (record(), record("a", a=STRING), "newly required", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: required field added (string)"),
        (record(a=STRING), record("a", a=STRING), "newly required", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: became required"),
        (record(a={}), record(a=STRING), "narrowed", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: narrowed (any → string)"),
        (record(a=STRING), record(a=INTEGER), "changed", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: type changed (string → integer)"),
        (record(a={"enum": ["x", "y"]}), record(a={"enum": ["x"]}), "removed", f"{PARAMS}/properties/a",
         '`CallRequest.params.a`: enum value removed ("y")'),
        (record(a=one_of(record(x=STRING), STRING)), record(a=one_of(STRING)), "narrowed", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: narrowed ({x?} | string → string)"),
        (record(a=one_of(record(x=STRING), INTEGER, STRING)), record(a=one_of(STRING, INTEGER)), "removed",
         f"{PARAMS}/properties/a/anyOf/0", "`CallRequest.params.a`: union arm removed ({x?})"),
        (record(a=STRING), record(a={"type": "string", "maxLength": 3}), "narrowed", f"{PARAMS}/properties/a",
         "`CallRequest.params.a`: narrowed (maxLength 3)"),
        (record(a={"type": "object"}), record(a={"type": "object", "additionalProperties": False}), "narrowed",
         f"{PARAMS}/properties/a/additionalProperties", "`CallRequest.params.a.*`: narrowed (any → nothing)"),
        (record(_meta=record()), record(_meta=record("k", k=STRING)), "newly required",
         f"{PARAMS}/properties/_meta/properties/k", "`CallRequest.params._meta.k`: required meta key added (string)"),
        (record(_meta=record(k=STRING)), record(_meta=record("k", k=STRING)), "newly required",
         f"{PARAMS}/properties/_meta/properties/k", "`CallRequest.params._meta.k`: meta key became required"),
        (record(_meta=record(k=STRING)), record(_meta=record(j=STRING)), "removed",
         f"{PARAMS}/properties/_meta/properties/k", "`CallRequest.params._meta.k`: meta key removed (string)"),
    ],
)  # fmt: skip
def test_what_is_not_additive(old: Schema, new: Schema, kind: Any, pointer: str, text: str) -> None:
    assert additive(protocol(old), protocol(new)) == [Objection(kind, pointer, text)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (record(), record(a=STRING)),
        (record("a", a=STRING), record(a=STRING)),
        (record(a=STRING), record(a={})),
        (record(a=INTEGER), record(a={"type": "number"})),
        (record(a={"enum": ["x"]}), record(a={"enum": ["x", "y"]})),
        (record(a=STRING), record(a=one_of(STRING, INTEGER))),
        (record(a=STRING), record(a={"type": "string", "format": "uri"})),
        (record(a=STRING), {"type": "object", "additionalProperties": {}}),
        (record(_meta={"type": "object"}), record(_meta=record(k=STRING))),
    ],
)
def test_what_is_additive(old: Schema, new: Schema) -> None:
    assert additive(protocol(old), protocol(new)) == []


def test_a_removed_method_and_its_definitions() -> None:
    old = protocol(record(), AskRequest=request("ask"), ServerRequest=one_of(ref("AskRequest")))
    assert verdicts(old, protocol(record())) == [
        ("removed", "/$defs/AskRequest"),
        ("removed", "/$defs/ServerRequest"),
        ("removed", "/$defs/ServerRequest/anyOf/0"),
    ]


def test_a_removed_answer() -> None:
    old = protocol(
        record(), Result=RESULT, CallResult=record(a=STRING), ServerResult=one_of(ref("Result"), ref("CallResult"))
    )
    new = protocol(record(), Result=RESULT, CallResult=record(a=STRING), ServerResult=one_of(ref("Result")))
    assert verdicts(old, new) == [("removed", "/$defs/ServerResult/anyOf/1")]


def test_a_result_no_union_names_is_a_message_all_the_same() -> None:
    task = {**RESULT, "properties": {**RESULT["properties"], "task": STRING}}
    assert verdicts(protocol(record(), Result=RESULT, CreateResult=task), protocol(record(), Result=RESULT)) == [
        ("removed", "/$defs/CreateResult")
    ]


def test_a_reference_to_a_poorer_definition() -> None:
    both = {"Rich": record(x=STRING, y=STRING), "Poor": record(x=STRING)}
    assert verdicts(protocol(record(a=ref("Rich")), **both), protocol(record(a=ref("Poor")), **both)) == [
        ("removed", f"{PARAMS}/properties/a")
    ]


def test_a_folded_envelope_is_set_aside() -> None:
    folded = request("call", "id", "jsonrpc", id=INTEGER, jsonrpc=const("2.0"), params=record())
    proof = prove(
        protocol(record(), JSONRPCRequest=FRAME), protocol(record(), JSONRPCRequest=FRAME, CallRequest=folded)
    )
    assert proof.objections == []
    assert proof.set_aside == [Difference("envelope", "/$defs/CallRequest", "`CallRequest` includes id, jsonrpc")]
    back = prove(protocol(record(), JSONRPCRequest=FRAME, CallRequest=folded), protocol(record(), JSONRPCRequest=FRAME))
    assert [difference.text for difference in back.set_aside] == ["`CallRequest` no longer includes id, jsonrpc"]


def test_another_required_member_beside_the_envelope_is_not() -> None:
    folded = request("call", "id", "jsonrpc", "trace", id=INTEGER, jsonrpc=const("2.0"), trace=STRING, params=record())
    new = protocol(record(), JSONRPCRequest=FRAME, CallRequest=folded)
    assert verdicts(protocol(record(), JSONRPCRequest=FRAME), new) == [
        ("newly required", "/$defs/CallRequest/properties/trace")
    ]


def test_a_renaming_is_set_aside_and_what_changed_with_it_is_not() -> None:
    def reference(*required: str) -> Schema:
        return record(*required, type=const("ref"), uri=STRING, title=STRING, note=STRING)

    old = protocol(record(a=ref("ThingReference")), ThingReference=reference())
    new = protocol(record(a=ref("ThingTemplateReference")), ThingTemplateReference=reference("uri"))
    proof = prove(old, new)
    assert [objection.text for objection in proof.objections] == ["`ThingTemplateReference.uri`: became required"]
    assert proof.set_aside == [
        Difference("renamed", "/$defs/ThingTemplateReference", "`ThingReference` is called `ThingTemplateReference`"),
    ]


def test_batches_are_set_aside() -> None:
    frames = {"type": "array", "items": one_of(ref("JSONRPCRequest"))}
    old = schema(JSONRPCRequest=FRAME, Batch=frames, JSONRPCMessage=one_of(ref("JSONRPCRequest"), frames))
    new = schema(JSONRPCRequest=FRAME, JSONRPCMessage=one_of(ref("JSONRPCRequest")))
    proof = prove(old, new)
    assert proof.objections == []
    assert [(difference.kind, difference.pointer) for difference in proof.set_aside] == [
        ("batch", "/$defs/Batch"),
        ("batch", "/$defs/JSONRPCMessage/anyOf/1"),
    ]


def test_a_list_of_anything_else_is_not_a_batch() -> None:
    texts = {"type": "array", "items": STRING}
    old = schema(JSONRPCRequest=FRAME, JSONRPCMessage=one_of(ref("JSONRPCRequest"), texts))
    new = schema(JSONRPCRequest=FRAME, JSONRPCMessage=one_of(ref("JSONRPCRequest")))
    assert verdicts(old, new) == [("removed", "/$defs/JSONRPCMessage/anyOf/1")]


def test_a_helper_nothing_refers_to_may_dissolve_or_change() -> None:
    proof = prove(
        protocol(record(), Annotated=record(a=STRING), Base=record(b={})), protocol(record(), Base=record(b=STRING))
    )
    assert proof.objections == []
    assert proof.set_aside == [Difference("dissolved", "/$defs/Annotated", "no message is lost with `Annotated`")]


def test_a_definition_written_out_where_it_was_used_is_no_loss() -> None:
    assert additive(protocol(record(a=ref("Part")), Part=record(x=STRING)), protocol(record(a=record(x=STRING)))) == []


def test_every_kind_that_takes_away_has_its_reason() -> None:
    assert REASONS.keys() == {kind for kind, meaning in KINDS.items() if meaning.effect in ("narrower", "both", "lost")}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_one_surface_serves_the_first_four_revisions(revision: str) -> None:
    known = pins()
    assert additive(known[revision], known["2025-11-25"]) == []


def test_the_differences_set_aside_are_the_documented_ones() -> None:
    known = pins()
    new = known["2025-11-25"]
    found = {
        revision: {
            (aside.kind, aside.pointer) for aside in prove(known[revision], new).set_aside if aside.kind != "envelope"
        }
        for revision in list(known)[:3]
    }
    template = ("renamed", "/$defs/ResourceTemplateReference")
    error = ("renamed", "/$defs/JSONRPCErrorResponse")
    assert found == {
        "2024-11-05": {template, error, ("dissolved", "/$defs/Annotated")},
        "2025-03-26": {
            template,
            error,
            ("batch", "/$defs/JSONRPCBatchRequest"),
            ("batch", "/$defs/JSONRPCBatchResponse"),
            ("batch", "/$defs/JSONRPCMessage/anyOf/2"),
            ("batch", "/$defs/JSONRPCMessage/anyOf/5"),
        },
        "2025-06-18": {error},
    }


def test_2026_07_28_needs_a_surface_of_its_own() -> None:
    known = pins()
    objections = additive(known["2025-11-25"], known["2026-07-28"])
    texts = [objection.text for objection in objections]
    assert "`ClientRequest`: method removed (initialize)" in texts
    assert "`CallToolRequestParams._meta`: became required" in texts
    assert "`Result.resultType`: required field added (string)" in texts
    assert "`Tool.execution`: field removed (ToolExecution)" in texts
    assert "`CreateTaskResult`: definition removed (CreateTaskResult)" in texts
    assert {objection.kind for objection in objections} == {"removed", "newly required", "narrowed"}
