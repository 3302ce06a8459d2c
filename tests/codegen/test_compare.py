from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from codegen.canonical import Schema
from codegen.changes import KINDS, Change
from codegen.compare import Comparison, compare
from codegen.shapes import Node, Shapes
from tests.codegen.schemas import HISTORY, INTEGER, STRING, const, history, one_of, pins, record, ref, request, schema

Line = tuple[str, str, str, str]


def lines(old: Schema, new: Schema) -> list[Line]:
    """The differences, short enough to be read in a test."""
    return [
        (change.kind, change.pointer.removeprefix("/$defs/"), change.old, change.new) for change in compare(old, new)
    ]


def field(old: Any, new: Any) -> list[Line]:
    """The differences of one member `f` of a definition `A`, its pointer cut."""
    found = lines(schema(A=record(f=old)), schema(A=record(f=new)))
    return [(kind, pointer.removeprefix("A/properties/f"), before, after) for kind, pointer, before, after in found]


class TestDefinitions:
    def test_equal_schemas_have_no_difference(self) -> None:
        whole = schema(A=record("a", a=ref("B")), B=one_of(STRING, INTEGER))
        assert lines(whole, whole) == []

    def test_added_and_removed(self) -> None:
        assert lines(schema(A=STRING, B=INTEGER), schema(A=STRING, C=record(x=STRING))) == [
            ("definition removed", "B", "B", ""),
            ("definition added", "C", "", "C"),
        ]

    def test_renamed_with_equal_body(self) -> None:
        body = record("uri", uri=STRING, type=const("ref"))
        assert lines(
            schema(ThingRef=body, A=record(f=ref("ThingRef"))),
            schema(ThingReference=body, A=record(f=ref("ThingReference"))),
        ) == [
            ("definition renamed", "ThingReference", "ThingRef", "ThingReference"),
        ]

    def test_renamed_with_a_reference_to_itself(self) -> None:
        def tree(name: str) -> Schema:
            return record(children={"type": "array", "items": ref(name)}, label=STRING)

        assert lines(schema(Tree=tree("Tree")), schema(TreeNode=tree("TreeNode"))) == [
            ("definition renamed", "TreeNode", "Tree", "TreeNode"),
        ]

    def test_renamed_and_changed_a_little(self) -> None:
        def failure(*required: str) -> Schema:
            return record(*required, id=INTEGER, code=INTEGER, message=STRING, data={}, source=STRING)

        assert lines(schema(Failure=failure("code", "id")), schema(FailureResponse=failure("code"))) == [
            ("definition renamed", "FailureResponse", "Failure", "FailureResponse"),
            ("no longer required", "FailureResponse/properties/id", "", ""),
        ]

    def test_no_renaming_where_a_constant_differs(self) -> None:
        old, new = (
            request("a/list", params=record(x=STRING, y=STRING)),
            request("b/list", params=record(x=STRING, y=STRING)),
        )
        assert {kind for kind, *_ in lines(schema(AListRequest=old), schema(BListRequest=new))} == {
            "definition added",
            "definition removed",
        }

    def test_no_renaming_among_many_of_one_shape(self) -> None:
        body = record("result", result=STRING)
        found = lines(schema(AlphaResponse=body, BetaResponse=body), schema(GammaDeltaResponse=body))
        assert {kind for kind, *_ in found} == {"definition added", "definition removed"}

    def test_renamed_wholly_where_the_same_places_refer_to_it(self) -> None:
        body = record(x=STRING, y=one_of(ref("Self"), INTEGER))

        def whole(name: str, **more: Any) -> Schema:
            own = {"type": "object", "properties": {**body["properties"], "y": one_of(ref(name), INTEGER)}}
            held = {"type": "array", "items": one_of(STRING, ref(name))}
            return schema(**{name: own}, A=record(f=ref(name)), B=record(g=held), **more)

        assert Comparison(whole("Annotations"), whole("Hints")).renamed == {"Annotations": "Hints"}
        assert Comparison(whole("Annotations"), whole("Hints", C=record(h=ref("Hints")))).renamed == {}
        used = whole("Hints", C=record(h=ref("Hints")))
        assert Comparison(whole("Annotations", D=record(h=ref("Annotations"))), used).renamed == {}

    def test_no_renaming_wholly_where_it_is_not_certain(self) -> None:
        one, other = record(x=STRING), record(x=INTEGER)
        assert Comparison(schema(Alpha=one), schema(Omega=one)).renamed == {}
        old = schema(Alpha=one, A=record(f=ref("Alpha")))
        assert Comparison(old, schema(Omega=other, A=record(f=ref("Omega")))).renamed == {}
        assert Comparison(old, schema(Omega=one, A=record(g=ref("Omega")))).renamed == {}
        pair = schema(Alpha=one, Beta=one, A=record(f=one_of(ref("Alpha"), ref("Beta"))))
        twins = schema(Omega=one, Psi=one, A=record(f=one_of(ref("Omega"), ref("Psi"))))
        assert Comparison(pair, twins).renamed == {}

    def test_renamings_that_depend_on_each_other(self) -> None:
        old = schema(Inner=record(a=STRING, b=STRING), Outer=record(inner=ref("Inner"), c=INTEGER))
        new = schema(InnerObject=record(a=STRING, b=STRING), OuterObject=record(inner=ref("InnerObject"), c=INTEGER))
        assert Comparison(old, new).renamed == {"Inner": "InnerObject", "Outer": "OuterObject"}

    def test_a_chain_of_references_is_one_definition(self) -> None:
        whole = schema(A=ref("B"), B=ref("C"), C=record(x=STRING), D=record(f=ref("A")))
        assert lines(whole, schema(A=ref("B"), B=ref("C"), C=record(x=STRING), D=record(f=ref("C")))) == []

    def test_a_definition_that_is_itself_ends(self) -> None:
        assert Shapes(schema(A=ref("A"))).resolve(Node(ref("A"), "")).schema == ref("A")


class TestFields:
    def test_added(self) -> None:
        assert lines(schema(A=record()), schema(A=record("b", a=STRING, b=INTEGER))) == [
            ("required field added", "A/properties/b", "", "integer"),
            ("field added", "A/properties/a", "", "string"),
        ]

    def test_removed(self) -> None:
        assert lines(schema(A=record("b", a=STRING, b=INTEGER)), schema(A=record())) == [
            ("field removed", "A/properties/a", "string", ""),
            ("required field removed", "A/properties/b", "integer", ""),
        ]

    def test_no_longer_declared_by_an_open_object(self) -> None:
        assert lines(schema(A=record(a=STRING)), schema(A={"type": "object", "additionalProperties": {}})) == [
            ("field left open", "A/properties/a", "string", ""),
        ]

    def test_required_or_not(self) -> None:
        assert lines(schema(A=record("a", a=STRING, b=STRING)), schema(A=record("b", a=STRING, b=STRING))) == [
            ("no longer required", "A/properties/a", "", ""),
            ("became required", "A/properties/b", "", ""),
        ]

    def test_required_without_being_declared(self) -> None:
        assert lines(schema(A=record("x")), schema(A=record())) == [
            ("required field removed", "A/properties/x", "any", "")
        ]

    def test_a_name_is_escaped_in_the_pointer(self) -> None:
        assert lines(schema(A=record()), schema(A={"type": "object", "properties": {"a/b~c": STRING}})) == [
            ("field added", "A/properties/a~1b~0c", "", "string"),
        ]

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            (STRING, INTEGER, [("type changed", "", "string", "integer")]),
            (INTEGER, {"type": "number"}, [("widened", "", "integer", "number")]),
            ({"type": "number"}, INTEGER, [("narrowed", "", "number", "integer")]),
            (STRING, {}, [("widened", "", "string", "any")]),
            ({}, STRING, [("narrowed", "", "any", "string")]),
            ({}, {"default": 1}, [("annotation changed", "", "", "default 1")]),
            ({"default": True}, {"default": 1}, [("annotation changed", "", "default true", "default 1")]),
            ({"default": 1}, {"default": None}, [("annotation changed", "", "default 1", "default null")]),
            (STRING, {"type": "string", "format": "uri"}, [("annotation changed", "", "", 'format "uri"')]),
            (STRING, {"type": "string", "x-own": 1}, [("annotation changed", "", "", "x-own 1")]),
            ({}, {"x-own": 1}, [("annotation changed", "", "", "x-own 1")]),
            ({"type": ["string", "integer"]}, {"type": ["string", "integer", "boolean"]},
             [("widened", "", "string | integer", "string | integer | boolean")]),
            (one_of(STRING, INTEGER), {"type": ["integer", "string"]}, []),
            (STRING, {"type": ["string", "null"]}, [("widened", "", "string", "string | null")]),
            ({"type": "object"}, {}, [("widened", "", "object", "any")]),
            ({"type": "object"}, {"properties": {}}, [("widened", "", "object", "object")]),
            ({"enum": ["a", "b"]}, {"enum": ["b", "c"]},
             [("enum value added", "", "", '"c"'), ("enum value removed", "", '"a"', "")]),
            (const("a"), {"type": "string", "enum": ["a", "b"]}, [("enum value added", "", "", '"b"')]),
            (const("a"), const("b"), [("type changed", "", '"a"', '"b"')]),
            (STRING, const("a"), [("narrowed", "", "string", '"a"')]),
            (const("a"), STRING, [("widened", "", '"a"', "string")]),
            ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 2},
             [("narrowed", "", "minimum 1", "minimum 2")]),
            ({"type": "integer", "minimum": 2}, {"type": "integer", "minimum": 1},
             [("widened", "", "minimum 2", "minimum 1")]),
            ({"type": "integer", "maximum": 1}, {"type": "integer", "maximum": 2},
             [("widened", "", "maximum 1", "maximum 2")]),
            ({"type": "integer", "maximum": 2}, {"type": "integer", "maximum": 1},
             [("narrowed", "", "maximum 2", "maximum 1")]),
            (STRING, {"type": "string", "pattern": "^a"}, [("narrowed", "", "", 'pattern "^a"')]),
            ({"type": "string", "pattern": "^a"}, STRING, [("widened", "", 'pattern "^a"', "")]),
            ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"},
             [("type changed", "", 'pattern "^a"', 'pattern "^b"')]),
            ({"type": "array", "items": STRING}, {"type": "array", "items": INTEGER},
             [("type changed", "/items", "string", "integer")]),
            ({"type": "array"}, {"type": "array", "items": STRING}, [("narrowed", "/items", "any", "string")]),
            ({"type": "array"}, {"type": "array"}, []),
            ({"type": "array", "items": [STRING]}, {"type": "array", "items": [INTEGER]},
             [("type changed", "/items", 'prefixItems [{"type": "string"}]', 'prefixItems [{"type": "integer"}]')]),
            (True, False, [("narrowed", "", "any", "nothing")]),
            (True, True, []),
            ({"type": "object"}, {"type": "object", "additionalProperties": STRING},
             [("narrowed", "/additionalProperties", "any", "string")]),
            ({"type": "object", "additionalProperties": {}}, {"type": "object", "additionalProperties": True}, []),
            ({"type": "object"}, {"type": "object", "additionalProperties": False},
             [("narrowed", "/additionalProperties", "any", "nothing")]),
            ({"type": "object", "additionalProperties": False}, {"type": "object"},
             [("widened", "/additionalProperties", "nothing", "any")]),
            ({"type": "object", "additionalProperties": False}, {"type": "object", "additionalProperties": False}, []),
        ],
    )  # fmt: skip
    def test_types(self, old: Any, new: Any, expected: list[Line]) -> None:
        assert field(old, new) == expected


class TestReferences:
    def test_inline_params_that_became_a_definition_are_no_change_of_type(self) -> None:
        old = schema(CallRequest=request("call", params=record("name", name=STRING)))
        new = schema(
            CallRequest=request("call", params=ref("CallRequestParams")),
            CallRequestParams=record("name", name=STRING, task=INTEGER),
        )
        assert lines(old, new) == [
            ("definition added", "CallRequestParams", "", "CallRequestParams"),
            ("field added", "CallRequestParams/properties/task", "", "integer"),
        ]

    def test_a_definition_written_out_again_is_no_change(self) -> None:
        assert (
            lines(
                schema(P=record(x=STRING), A=record(f=ref("P"))),
                schema(P=record(x=STRING), A=record(f=record(x=STRING))),
            )
            == []
        )

    def test_a_change_of_a_definition_is_told_once(self) -> None:
        old = schema(P=const("a"), A=record(f=ref("P")))
        new = schema(P=STRING, A=record(f=STRING))
        assert lines(old, new) == [("widened", "P", '"a"', "string")]
        assert lines(schema(P=STRING, A=record(f=STRING)), schema(P=const("a"), A=record(f=ref("P")))) == [
            ("narrowed", "P", "string", '"a"')
        ]

    @pytest.mark.parametrize(
        ("target", "expected"),
        [
            (record(x=STRING, y=STRING), [("more members", "A/properties/f", "P", "Q")]),
            (record(), [("fewer members", "A/properties/f", "P", "Q")]),
            (record("x", x=STRING), [("narrowed", "A/properties/f", "P", "Q")]),
            (record(x={}), [("widened", "A/properties/f", "P", "Q")]),
            (record(x=INTEGER), [("type changed", "A/properties/f", "P", "Q")]),
            (record(x=STRING), []),
        ],
    )
    def test_a_reference_to_another_known_definition_is_summed_up(self, target: Schema, expected: list[Line]) -> None:
        both = {"P": record(x=STRING), "Q": target}
        assert lines(schema(**both, A=record(f=ref("P"))), schema(**both, A=record(f=ref("Q")))) == expected

    def test_a_reference_to_a_new_definition_is_told_in_detail(self) -> None:
        old = schema(P=record(x=STRING), A=record(f=ref("P")))
        new = schema(P=record(x=STRING), Q=record("y", x=STRING, y=STRING), A=record(f=ref("Q")))
        assert ("required field added", "Q/properties/y", "", "string") in lines(old, new)

    def test_an_open_map_that_became_a_definition_is_told_at_its_place(self) -> None:
        new = schema(A=record(f=ref("Json")), Json={"type": "object", "additionalProperties": STRING})
        assert ("narrowed", "A/properties/f", "object", "Json") in lines(schema(A=record(f={"type": "object"})), new)

    def test_what_a_definition_takes_over_is_no_change_of_where_it_comes_from(self) -> None:
        both = {"B": record(x=STRING), "C": record(x=STRING, y=STRING)}

        def told(old: Schema, new: Schema) -> list[Line]:
            return lines(schema(A=old, **both), schema(A=new, **both))

        assert told(ref("B"), ref("C")) == [("more members", "A", "B", "C")]
        assert told(ref("C"), ref("B")) == [("fewer members", "A", "C", "B")]
        assert told(ref("B"), record("z", z=STRING)) == [("narrowed", "A", "B", "{z}")]
        assert told({"allOf": [ref("B"), record(k=STRING)]}, {"allOf": [ref("C"), record(k=STRING)]}) == [
            ("more members", "A", "{k?, x?}", "{k?, x?, y?}"),
        ]
        assert told(one_of(ref("B"), INTEGER), one_of(ref("C"), INTEGER)) == [("more members", "A/anyOf/0", "B", "C")]

    def test_definitions_that_refer_to_each_other_in_circles_end(self) -> None:
        old = schema(A=record(b=record(a=ref("A"))))
        new = schema(A=record(b=ref("B")), B=record(a=ref("A"), x=STRING))
        assert ("field added", "B/properties/x", "", "string") in lines(old, new)

    def test_a_circle_of_inline_and_new_definitions_ends(self) -> None:
        old = schema(Old=record(next=ref("Old"), x=STRING), A=record(f=ref("Old")))
        new = schema(Fresh=record(next=ref("Fresh"), y=STRING), A=record(f=ref("Fresh")))
        assert ("field removed", "Old/properties/x", "string", "") in lines(old, new)

    def test_all_of_is_merged_and_points_into_its_part(self) -> None:
        base = record("a", a=STRING)
        old = schema(Base=base, A={"allOf": [ref("Base"), record(b=STRING)]})
        assert lines(old, schema(Base=base, A=record("a", a=STRING, b=STRING))) == []
        new = schema(Base=base, A={"allOf": [ref("Base"), record(b=STRING, c=STRING)]})
        assert lines(old, new) == [("field added", "A/allOf/1/properties/c", "", "string")]

    def test_all_of_may_narrow_a_member(self) -> None:
        base = record(code=INTEGER, data={})
        old = schema(
            Base=base, A={"allOf": [ref("Base"), record("code", code={"type": "integer", "const": 1}, data=STRING)]}
        )
        new = schema(
            Base=base, A={"allOf": [ref("Base"), record("code", code={"type": "integer", "const": 2}, data=STRING)]}
        )
        assert [(kind, before, after) for kind, _, before, after in lines(old, new)] == [
            ("constant changed", "A_ERROR = 1", "A_ERROR = 2"),
            ("type changed", "1", "2"),
        ]

    def test_all_of_that_cannot_be_merged_is_compared_as_it_is(self) -> None:
        old, new = schema(A={"allOf": [STRING, INTEGER]}), schema(A={"allOf": [STRING, {"type": "boolean"}]})
        assert [kind for kind, *_ in lines(old, new)] == ["type changed"]
        assert lines(old, old) == []

    def test_all_of_with_members_that_cannot_be_joined(self) -> None:
        both = {"allOf": [record(x=ref("S")), record(x=ref("T"))]}
        whole = schema(S=STRING, T=record(), A=both)
        assert lines(whole, whole) == []
        assert Shapes(whole).short(Shapes(whole).members(Shapes(whole).definition("A"))["x"].node) == "S & T"

    def test_all_of_with_a_member_that_is_always_true(self) -> None:
        whole = Shapes(schema(A={"allOf": [record(x=True), record(x=STRING)]}))
        assert whole.short(whole.members(whole.definition("A"))["x"].node) == "string"

    def test_all_of_joins_openness(self) -> None:
        parts: list[Schema] = [
            {"type": "object", "additionalProperties": {}},
            {"type": "object", "additionalProperties": STRING},
        ]
        for order in (parts, parts[::-1]):
            merged = Shapes(schema(A={"allOf": order}))
            assert merged.resolve(merged.definition("A")).schema["additionalProperties"] == STRING


class TestUnions:
    def test_arms_came_and_went(self) -> None:
        all_ = {"X": record(x=STRING), "Y": record(y=STRING), "Z": record(z=STRING)}
        old, new = schema(**all_, A=one_of(ref("X"), ref("Y"))), schema(**all_, A=one_of(ref("X"), ref("Z")))
        assert lines(old, new) == [
            ("union arm added", "A/anyOf/1", "", "Z"),
            ("union arm removed", "A/anyOf/1", "Y", ""),
        ]

    def test_order_is_no_difference(self) -> None:
        all_ = {"X": record(x=STRING), "Y": record(y=STRING)}
        assert (
            lines(schema(**all_, A=one_of(ref("X"), ref("Y"))), schema(**all_, A={"oneOf": [ref("Y"), ref("X")]})) == []
        )

    def test_an_object_that_became_one_arm(self) -> None:
        body = record("type", type=const("enum"), enum={"type": "array", "items": STRING})
        new = schema(Kind=one_of(ref("New"), ref("Legacy")), Legacy=body, New=record("type", type=const("new")))
        assert ("union arm added", "Kind/anyOf/0", "", "New") in lines(schema(Kind=body), new)
        assert not [line for line in lines(schema(Kind=body), new) if "removed" in line[0] or "narrowed" in line[0]]

    def test_an_inline_union_that_became_a_definition(self) -> None:
        arms = {"X": record(x=STRING), "Y": record(y=STRING)}
        old = schema(**arms, A=record(f=one_of(ref("X"))))
        new = schema(**arms, A=record(f=ref("Either")), Either=one_of(ref("X"), ref("Y")))
        assert ("union arm added", "Either/anyOf/1", "", "Y") in lines(old, new)

    def test_an_arm_that_changed_is_told_from_its_tag(self) -> None:
        old = schema(A=one_of(record("type", type=const("a"), x=STRING), record("type", type=const("b"))))
        new = schema(A=one_of(record("type", type=const("a"), x=INTEGER), record("type", type=const("b"))))
        assert lines(old, new) == [("type changed", "A/anyOf/0/properties/x", "string", "integer")]

    def test_an_arm_that_changed_is_told_from_its_members(self) -> None:
        old = schema(A=one_of(record(x=STRING, y=STRING), STRING))
        new = schema(A=one_of(record("z", x=STRING, y=STRING, z=STRING), STRING))
        assert lines(old, new) == [("required field added", "A/anyOf/0/properties/z", "", "string")]

    def test_an_array_arm_is_followed(self) -> None:
        old = schema(A=one_of(STRING, {"type": "array", "items": STRING}))
        new = schema(A=one_of(STRING, {"type": "array", "items": INTEGER}))
        assert lines(old, new) == [("type changed", "A/anyOf/1/items", "string", "integer")]

    def test_a_scalar_arm_is_followed(self) -> None:
        old = {"type": ["string", "null"], "minLength": 2}
        assert field(old, {"type": ["string", "integer"], "minLength": 3}) == [
            ("narrowed", "", "minLength 2", "minLength 3"),
            ("union arm added", "", "", "integer"),
            ("union arm removed", "", "null", ""),
        ]
        assert lines(schema(A=one_of({"type": "number"}, record())), schema(A=one_of(INTEGER, record()))) == [
            ("narrowed", "A/anyOf/0", "number", "integer"),
        ]

    def test_an_inline_arm_is_not_the_definition_that_went(self) -> None:
        whole = {"X": record(x=STRING)}
        old = schema(**whole, A=one_of(ref("Gone"), ref("X")), Gone=record(q=STRING))
        assert lines(old, schema(**whole, A=one_of(INTEGER, ref("X")))) == [
            ("union arm added", "A/anyOf/0", "", "integer"),
            ("union arm removed", "A/anyOf/0", "Gone", ""),
            ("definition removed", "Gone", "Gone", ""),
        ]

    def test_an_arm_that_another_covers_is_not_lost(self) -> None:
        all_ = {"Open": record(), "X": record(x=STRING)}
        old = schema(**all_, A=one_of(ref("Open"), record(), STRING))
        assert lines(old, schema(**all_, A=one_of(ref("Open"), STRING))) == []

    def test_an_arm_that_another_covers_is_no_news(self) -> None:
        assert field(STRING, one_of(const("a"), const("b"), STRING)) == []
        assert field(one_of(STRING, INTEGER), one_of(const("a"), STRING, INTEGER)) == []

    def test_a_plain_value_that_became_a_union_is_summed_up(self) -> None:
        texts = {"type": "array", "items": STRING}
        assert field(texts, one_of(texts, record(x=STRING))) == [("widened", "", "string[]", "string[] | {x?}")]
        assert field(one_of(texts, record(x=STRING)), texts) == [("narrowed", "", "string[] | {x?}", "string[]")]

    def test_any_is_not_taken_apart(self) -> None:
        assert field({}, one_of(STRING, record(x=STRING))) == [("narrowed", "", "any", "string | {x?}")]


METHODS = {
    "PingRequest": request("ping"),
    "CallRequest": request("call"),
    "CallResult": record(a=STRING),
    "PingResult": record(b=STRING),
}


class TestMethods:
    def test_by_direction(self) -> None:
        old = schema(**METHODS, ClientRequest=one_of(ref("PingRequest")), ServerRequest=one_of(ref("PingRequest")))
        new = schema(
            **METHODS,
            ClientRequest=one_of(ref("PingRequest"), ref("CallRequest")),
            ServerRequest=one_of(ref("CallRequest")),
        )
        assert lines(old, new) == [
            ("method removed", "ServerRequest/anyOf/0", "ping", ""),
            ("method added", "ClientRequest/anyOf/1", "", "call"),
            ("method added", "ServerRequest/anyOf/0", "", "call"),
        ]

    def test_a_role_may_vanish_or_be_inlined(self) -> None:
        note = request("note")
        old = schema(
            Note=note,
            Other=request("other"),
            ClientNotification=one_of(ref("Note"), ref("Other")),
            ServerRequest=ref("Other"),
        )
        new = schema(Note=note, Other=request("other"), ClientNotification=note)
        assert lines(old, new) == [
            ("method removed", "ClientNotification/anyOf/1", "other", ""),
            ("definition removed", "ServerRequest", "ServerRequest", ""),
            ("method removed", "ServerRequest", "other", ""),
        ]

    def test_an_answer_comes_and_goes_with_its_request(self) -> None:
        old = schema(
            **METHODS, ClientRequest=one_of(ref("PingRequest")), ServerResult=one_of(ref("PingResult"), STRING)
        )
        new = schema(
            **METHODS, ClientRequest=one_of(ref("CallRequest")), ServerResult=one_of(ref("CallResult"), STRING)
        )
        kinds = {kind: (before, after) for kind, _, before, after in lines(old, new)}
        assert kinds["answer removed"] == ("PingResult", "")
        assert kinds["answer added"] == ("", "CallResult")

    def test_an_answer_of_its_own_is_an_arm(self) -> None:
        extra = {**METHODS, "AskResult": record(c=STRING)}
        old = schema(**extra, ServerResult=one_of(ref("PingResult"), STRING))
        new = schema(**extra, ServerResult=one_of(ref("PingResult"), STRING, ref("AskResult")))
        assert lines(old, new) == [("union arm added", "ServerResult/anyOf/2", "", "AskResult")]


FRAME = record("id", "jsonrpc", "method", id=INTEGER, jsonrpc=const("2.0"), method=STRING, params=record())


class TestEnvelope:
    def test_folded_and_unfolded(self) -> None:
        bare = schema(JSONRPCRequest=FRAME, PingRequest=request("ping"))
        whole = schema(
            JSONRPCRequest=FRAME, PingRequest=request("ping", "id", "jsonrpc", id=INTEGER, jsonrpc=const("2.0"))
        )
        assert lines(bare, whole) == [("envelope folded", "PingRequest", "", "id, jsonrpc")]
        assert lines(whole, bare) == [("envelope unfolded", "PingRequest", "id, jsonrpc", "")]

    def test_anything_else_is_no_envelope(self) -> None:
        old = schema(JSONRPCRequest=FRAME, PingRequest=request("ping"))
        new = schema(JSONRPCRequest=FRAME, PingRequest=request("ping", "jsonrpc", jsonrpc=const("2.0")))
        assert lines(old, new) == [("required field added", "PingRequest/properties/jsonrpc", "", '"2.0"')]


class TestMeta:
    def test_keys(self) -> None:
        old = schema(A=record(_meta=record("d", "e", b=STRING, c=STRING, d=STRING, e=STRING)))
        new = schema(A=record(_meta=record("a", "b", "e", a=STRING, b=STRING, e=STRING, f=STRING)))
        assert {(kind, pointer.rpartition("/")[2]) for kind, pointer, *_ in lines(old, new)} == {
            ("required meta key added", "a"),
            ("meta key became required", "b"),
            ("meta key removed", "c"),
            ("required meta key removed", "d"),
            ("meta key added", "f"),
        }

    def test_inline_or_a_definition_is_the_same(self) -> None:
        old = schema(A=record(_meta={"type": "object", "additionalProperties": {}}))
        new = schema(A=record(_meta=ref("MetaObject")), MetaObject={"type": "object"})
        assert lines(old, new) == [("definition added", "MetaObject", "", "MetaObject")]

    def test_a_key_no_longer_required_or_left_open(self) -> None:
        old = schema(A=record(_meta=ref("M")), M=record("k", k=STRING, o=STRING))
        assert lines(old, schema(A=record(_meta=ref("M")), M=record(k=STRING, o=STRING))) == [
            ("meta key no longer required", "M/properties/k", "", "")
        ]
        open_ = schema(
            A=record(_meta=ref("M")),
            M={"type": "object", "additionalProperties": True, "properties": {"k": STRING}, "required": ["k"]},
        )
        assert lines(old, open_) == [("meta key left open", "M/properties/o", "string", "")]


class TestOrder:
    def test_breaking_first_then_by_place(self) -> None:
        changes = compare(*list(pins().values())[-2:])
        assert changes == sorted(
            changes, key=lambda change: (not change.breaks, change.pointer, change.kind, change.old, change.new)
        )
        assert changes[0].breaks
        assert not changes[-1].breaks

    def test_shuffled_definitions_give_the_same(self) -> None:
        old, new = list(pins().values())[-2:]
        names = list(new["$defs"])
        random.Random(1).shuffle(names)
        assert compare(old, {**new, "$defs": {name: new["$defs"][name] for name in names}}) == compare(old, new)

    def test_every_kind_says_whom_it_breaks(self) -> None:
        for kind in KINDS:
            assert set(Change(kind, "").breaks) <= {"users", "senders", "receivers"}


class TestRealSchemas:
    def test_the_inlined_and_absent_unions_of_2026_07_28(self) -> None:
        known = pins()
        found = lines(known["2025-11-25"], known["2026-07-28"])
        assert ("method removed", "ClientNotification/anyOf/1", "notifications/initialized", "") in found
        assert not [line for line in found if line[0] == "method removed" and line[2] == "notifications/cancelled"]
        assert (
            len([line for line in found if line[0] == "method removed" and line[1].startswith("ServerRequest/")]) == 8
        )
        assert (
            "required meta key added",
            "RequestMetaObject/properties/io.modelcontextprotocol~1protocolVersion",
            "",
            "string",
        ) in found

    def test_objects_that_became_unions(self) -> None:
        known = pins()
        found = lines(known["2025-06-18"], known["2025-11-25"])
        about = [line for line in found if line[1].startswith(("JSONRPCResponse", "EnumSchema"))]
        assert {kind for kind, *_ in about} == {"union arm added"}

    def test_the_schema_of_another_package_differs_by_one_name_and_one_definition(self) -> None:
        pin = pins()["2026-07-28"]
        other = {**pin, "$defs": dict(pin["$defs"])}
        meta = other["$defs"].pop("SubscriptionsListenResultMetaObject")
        other["$defs"].pop("SubscriptionsListenResultResponse")
        other["$defs"]["SubscriptionsListenResultMeta"] = meta
        result = dict(other["$defs"]["SubscriptionsListenResult"])
        result["properties"] = {**result["properties"], "_meta": ref("SubscriptionsListenResultMeta")}
        other["$defs"]["SubscriptionsListenResult"] = result
        assert lines(other, pin) == [
            (
                "definition renamed",
                "SubscriptionsListenResultMetaObject",
                "SubscriptionsListenResultMeta",
                "SubscriptionsListenResultMetaObject",
            ),
            ("definition added", "SubscriptionsListenResultResponse", "", "SubscriptionsListenResultResponse"),
        ]

    @pytest.mark.untraced
    @pytest.mark.skipif(not HISTORY.exists(), reason="the shared history is not at hand")
    def test_the_history_of_the_draft_is_readable(self) -> None:
        for (_, old), (_, new) in pairwise(history()):
            changes = compare(old, new)
            assert changes
            renamed = [change for change in changes if change.kind == "definition renamed"]
            assert {(change.old, change.new) for change in renamed} <= {
                ("ResourceReference", "ResourceTemplateReference"),
                ("JSONRPCError", "JSONRPCErrorResponse"),
            }
