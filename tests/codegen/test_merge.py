"""Merging, and what only the superset has (`merge` and `own`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.availability import availability
from codegen.merge import Superset
from codegen.problems import Problem
from tests.codegen.schemas import INTEGER, STRING, const, one_of, record, ref
from tests.codegen.small import LEAST, SUPERSET, small

OLD, NEW = "2025-01-01", "2025-06-01"


def merged(
    place: Path, old: Mapping[str, Any], new: Mapping[str, Any], superset: str = "", lenient: bool = False, **files: str
) -> Superset:
    return small(place, {OLD: old, NEW: new}, superset=SUPERSET + superset, lenient=lenient, **files).superset


def test_members_of_every_revision_required_where_all_require_them(tmp_path: Path) -> None:
    result = merged(
        tmp_path,
        {"A": record("x", "y", x=STRING, y=STRING), "Old": STRING},
        {"A": record("x", "z", x=INTEGER, y=STRING, z={"type": "number", "minimum": 0})},
    )
    kind = {"type": ["string", "integer"]}
    assert result.defs == {"A": record("x", x=kind, y=STRING, z={"type": "number"}), "Old": STRING}
    assert result.availability == {"A": (OLD, NEW), "A.x": (OLD, NEW), "A.y": (OLD, NEW), "A.z": (NEW,), "Old": (OLD,)}
    assert list(result.shapes["A"]) == [OLD, NEW]


def test_what_the_wire_or_the_session_supplies_may_be_left_unset(tmp_path: Path) -> None:
    definition = record("_meta", "a", "b", "c", _meta={"type": "object"}, a=STRING, b=STRING, c=STRING)
    policy = 'caller = ["A.b"]\n' + LEAST["surfaces"] + '[inject]\n"*.a" = 1\n'
    assert merged(tmp_path, {"A": definition}, {"A": definition}, surfaces=policy).defs["A"]["required"] == ["c"]


def test_envelopes_are_taken_off_and_frames_left_out(tmp_path: Path) -> None:
    frame = record("jsonrpc", "id", "method", jsonrpc=const("2.0"), id=STRING, method=const("a"))
    response = record("jsonrpc", jsonrpc=const("2.0"), result=ref("A"))
    result = merged(tmp_path, {"A": record(x=STRING)}, {"A": frame, "AResponse": response})
    assert set(result.defs) == {"A"}
    assert set(result.defs["A"]["properties"]) == {"x", "method"}


def test_other_names_are_aliases_and_two_names_of_one_revision_are_joined(tmp_path: Path) -> None:
    renamed = '[rename]\nA = "B"\n'
    result = merged(
        tmp_path, {"A": record(x=STRING), "C": ref("A")}, {"B": record(y=STRING), "A": record(z=STRING)}, renamed
    )
    assert set(result.defs["B"]["properties"]) == {"x", "y", "z"}
    assert result.defs["C"] == ref("B")
    assert result.aliases == {"A": "B"}


def test_a_name_of_ours_gives_way_to_the_specifications(tmp_path: Path) -> None:
    result = merged(tmp_path, {"A": record(b=record(x=STRING))}, {"A": record(b=ref("Base")), "Base": record(x=STRING)})
    assert set(result.defs) == {"A", "Base"}
    assert result.aliases == {"AB": "Base"}


def test_two_official_names_at_one_place_settle_nothing(tmp_path: Path) -> None:
    defs = {"A": record(b=record(x=STRING)), "B": record(y=STRING), "C": record(z=STRING)}
    result = merged(tmp_path, defs, {**defs, "A": record(b=one_of(ref("B"), ref("C")))})
    assert result.defs["A"]["properties"]["b"] == one_of(ref("AB"), ref("B"), ref("C"))


def test_modelled_by_hand(tmp_path: Path) -> None:
    defs = {"A": record(x=ref("B")), "B": record(y=STRING)}
    external = '[external]\nB = "jsonrpc"\n'
    with pytest.raises(Problem) as caught:
        merged(tmp_path, defs, defs, external, lenient=True)
    assert str(caught.value) == (
        "superset#/A.x: refers to B, which is modelled by hand: any value instead? "
        '-> in superset.toml: [types] "A.x" = {}'
    )
    pipeline = small(tmp_path, {OLD: defs}, superset=SUPERSET + external + '[types]\n"A.x" = {}\n')
    assert pipeline.superset.defs == {"A": record(x={}) | {"required": []}}
    assert availability(pipeline.superset, [OLD], {})


def test_a_definition_of_ours_that_a_revision_has_as_well(tmp_path: Path) -> None:
    pipeline = small(tmp_path, {OLD: {"A": STRING}}, superset=SUPERSET + '[define]\nA = { type = "integer" }\n')
    assert pipeline.superset.defs == {"A": STRING}
    assert pipeline.policy.line("define", "A") in pipeline.policy.idle


def test_a_change_of_kind_is_asked_for(tmp_path: Path) -> None:
    old, new = {"A": record(x=STRING), "B": record(x=STRING)}, {"A": one_of(ref("B"), STRING), "B": record(x=STRING)}
    fault = r"2025-06-01#/\$defs/A: an object in some revisions .* -> in superset\.toml: add \"A\" to "
    with pytest.raises(Problem, match=fault + "unions"):
        merged(tmp_path, old, new)
    assert merged(tmp_path, old, new, lenient=True).defs["A"] == one_of(ref("B"), STRING)
    newest = SUPERSET.replace("\n[docs]", 'newest = ["A"]\n[docs]', 1)
    lost = {"A": record(y=STRING), "B": record(x=STRING)}
    for lenient in (False, True):
        with pytest.raises(Problem, match=fault + "newest"):
            merged(tmp_path, new, lost, lenient=lenient)
    assert small(tmp_path, {OLD: new, NEW: lost}, superset=newest).superset.defs["A"] == record(y=STRING) | {
        "required": []
    }


def test_a_reference_to_an_object_is_an_object(tmp_path: Path) -> None:
    old, new = {"A": record("x", x=STRING)}, {"A": ref("B"), "B": record("x", "y", x=STRING, y=STRING)}
    assert merged(tmp_path, old, new).defs["A"] == record("x", x=STRING, y=STRING)


def test_a_union_that_inlines_its_only_arm(tmp_path: Path) -> None:
    message, other = record("method", method=const("a")), record("method", method=const("b"))
    unions = SUPERSET.replace("\n[docs]", 'unions = ["U"]\n[docs]', 1)
    old = {"A": message, "B": other, "U": one_of(ref("A"), ref("B"))}
    new = {"A": message, "B": other, "U": other}
    assert small(tmp_path, {OLD: old, NEW: new}, superset=unions).superset.defs["U"] == one_of(ref("A"), ref("B"))
    lone = {**new, "U": record("method", method=const("c"))}
    with pytest.raises(Problem, match="an object in some revisions"):
        _ = small(tmp_path, {OLD: old, NEW: lone}, superset=unions).superset


def test_decided_types(tmp_path: Path) -> None:
    types = '[types]\n"*.x" = { type = "boolean" }\nB = { type = "null" }\n'
    assert merged(tmp_path, {"A": record(x=STRING), "B": STRING}, {}, types).defs == {
        "A": record(x={"type": "boolean"}) | {"required": []},
        "B": {"type": "null"},
    }


def test_values_that_a_decided_type_does_not_list_follow(tmp_path: Path) -> None:
    listed = [{"type": "string", "enum": values} for values in (["a", "b"], ["b", "c"])]
    old, new = ({"A": each, "B": record(x=each)} for each in listed)
    types = "".join(f'{place} = {{ type = "string", enum = ["b", "a"] }}\n' for place in ("A", '"B.x"'))
    result = merged(tmp_path, old, new, f"[types]\n{types}")
    assert result.defs["A"]["enum"] == result.defs["B"]["properties"]["x"]["enum"] == ["b", "a", "c"]


def test_an_answer_that_only_its_frame_holds_is_a_definition(tmp_path: Path) -> None:
    frame = record("jsonrpc", "result", jsonrpc=const("2.0"), result=record("seen", seen=STRING))
    result = merged(tmp_path, {}, {"PeekResultResponse": frame})
    assert list(result.defs) == ["PeekResultResponseResult"]
    assert result.answers == {"PeekResultResponseResult"}


def test_an_enum_is_open_or_closed(tmp_path: Path) -> None:
    enum = {"type": "string", "enum": ["a"]}
    defs = {"A": record(x=enum, y={"type": "array", "items": enum})}
    with pytest.raises(Problem, match=r'superset#/A\.x: .* -> in superset\.toml: \[enums\] "A\.x" = "closed"'):
        merged(tmp_path, defs, {})
    result = merged(tmp_path, defs, {}, '[enums]\n"A.x" = "closed"\n"A.y" = "open"\n')
    assert result.defs["A"]["properties"] == {"x": enum, "y": {"type": "array", "items": one_of(enum, STRING)}}


def test_arms_that_make_up_a_named_union_are_given_by_its_name(tmp_path: Path) -> None:
    parts = {"A": record(x=STRING), "B": record(y=STRING), "C": record(z=STRING)}
    listed = {"type": "array", "items": one_of(ref("A"), ref("B"))}
    old = {**parts, "M": record(one=one_of(ref("A"), ref("B")), some=listed, more=one_of(ref("A"), ref("B"), ref("C")))}
    new = {**parts, "U": one_of(ref("A"), ref("B")), "M": record(one=ref("U"), more=one_of(ref("U"), ref("C")))}
    members = merged(tmp_path, old, new).defs["M"]["properties"]
    assert members == {
        "one": ref("U"),
        "some": {"type": "array", "items": ref("U")},
        "more": one_of(ref("U"), ref("C")),
    }


def test_a_union_that_became_an_object_stands_for_no_arms(tmp_path: Path) -> None:
    parts = {"A": record(x=STRING), "B": record(y=STRING), "M": record(one=one_of(ref("A"), ref("B")))}
    newest = SUPERSET.replace("\n[docs]", 'newest = ["U"]\n[docs]', 1)
    old, new = {**parts, "U": one_of(ref("A"), ref("B"))}, {**parts, "U": record(z=STRING)}
    result = small(tmp_path, {OLD: old, NEW: new}, superset=newest).superset
    assert result.defs["M"]["properties"] == {"one": one_of(ref("A"), ref("B"))}


def test_what_only_the_superset_has(tmp_path: Path) -> None:
    own = """\
[enums]
"A.kind" = "closed"

[names]
"A.empty" = "Empty"
"A.kind" = "Kind"
"B.empty" = "Empty"
"Gone.member" = "Gone"

[variants.Two]
of = "One"
properties.x = { type = "integer" }

[variants.Three]
of = "Gone"
properties.x = { type = "integer" }

[define]
Level = { type = "string" }
Lone = { type = "string" }

[types]
"B.level" = { "$ref" = "#/$defs/Level" }

[arms]
Result = "EmptyResult"
Gone = "EmptyResult"

[discriminate]
U = { member = "x", absent = "y" }
Gone = { member = "x", absent = "y" }
"""
    free = {"type": "object", "additionalProperties": True}
    old = {
        "A": record(empty=free, kind={"type": "string", "enum": ["a"]}),
        "One": record(x=STRING, y=STRING),
        "Result": record(z=STRING),
        "EmptyResult": ref("Result"),
        "U": one_of(ref("One"), ref("Result")),
    }
    pipeline = small(tmp_path, {OLD: old, NEW: {**old, "B": record(empty=free, level=STRING)}}, superset=SUPERSET + own)
    result = pipeline.superset
    assert result.defs["A"]["properties"] == {"empty": ref("Empty"), "kind": ref("Kind")}
    assert result.defs["Empty"] == {"type": "object", "properties": {}, "required": []}
    assert result.defs["Kind"] == {"type": "string", "enum": ["a"]}
    assert result.defs["Two"]["properties"] == {"x": {"type": "integer"}, "y": STRING}
    assert result.defs["U"] == one_of(ref("One"), ref("Two"), ref("EmptyResult"))
    assert result.sources == {"Two": "One"}
    since = {name: result.availability[name] for name in ("Empty", "Two", "Two.y", "Level", "Lone")}
    assert since == dict.fromkeys(since, (OLD, NEW)) | {"Level": (NEW,)}
    idle = {str(line).partition("#")[2] for line in pipeline.policy.idle if line.file == "superset"}
    assert idle == {"/names/Gone.member", "/variants/Three", "/arms/Gone", "/discriminate/Gone"}


def test_a_definition_that_nobody_has(tmp_path: Path) -> None:
    types = '[types]\n"A.x" = { "$ref" = "#/$defs/Gone" }\n'
    with pytest.raises(Problem, match="A is made to refer to Gone, which no revision defines -> remove Gone"):
        merged(tmp_path, {"A": record(x=STRING)}, {}, types)


def test_names_of_ours_that_nothing_refers_to_go(tmp_path: Path) -> None:
    types = '[types]\n"A.x" = { type = "object" }\n'
    result = merged(tmp_path, {"A": record(x=record(y=record(z=STRING)))}, {}, types)
    assert set(result.defs) == {"A"}
