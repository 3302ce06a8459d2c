"""What the revision reference says, read as data; `tests/browser` reads it as a person would."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from codegen.canonical import Schema
from codegen.drawing import DEPTH, FLOOR, TONES, TOP, panels
from codegen.pin import SCHEMAS
from codegen.policy import read_toml
from codegen.reference import PAGE, Construct, Spell, drawn, methods, page, pairs, survey
from tests.codegen.schemas import INTEGER, STRING, const, one_of, pins, record, ref, request, schema

ROOT = Path(__file__).parents[2]


WORDS = read_toml(SCHEMAS / "docs.toml")


@cache
def rendered() -> str:
    return page(pins(), WORDS)[PAGE].decode()


@cache
def constructs() -> dict[str, Construct]:
    return {construct.name: construct for construct in survey(pins(), WORDS)}


class Checker(HTMLParser):
    """Collects ids and links, and holds on to what is open."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]
        self.sources += [value for name, value in attrs if name == "src" and value]
        if tag not in ("meta", "input", "br", "wbr", "rect", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line"):
            assert self.open.pop() == tag


@cache
def checked() -> Checker:
    checker = Checker()
    checker.feed(rendered())
    checker.close()
    return checker


class TestPage:
    def test_is_well_formed(self) -> None:
        assert checked().open == []
        assert len(checked().ids) == len(set(checked().ids))

    def test_every_link_leads_somewhere(self) -> None:
        known = set(checked().ids)
        for link in checked().links:
            assert link.startswith("#")
            target = unquote(link[1:])
            assert target in known or re.fullmatch(r"compare=[\d-]+\.\.[\d-]+", target)

    def test_asks_for_nothing_from_elsewhere(self) -> None:
        assert checked().sources == []
        assert not re.search(r"https?://", rendered().partition('id="pairs"')[0])
        assert "@import" not in rendered()
        assert "url(" not in rendered()

    def test_has_every_definition_and_its_members(self) -> None:
        ids = set(checked().ids)
        for whole in pins().values():
            for name, body in whole["$defs"].items():
                assert name in ids
                assert {f"{name}.{member}" for member in body.get("properties", {})} <= ids

    def test_embedded_data_cannot_end_its_script(self) -> None:
        data = rendered().split('id="pairs">')[1].split("</script>")[0]
        assert "<" not in data
        assert len(json.loads(data)) == 10

    def test_carries_no_path_and_no_clock(self) -> None:
        assert str(ROOT) not in rendered()
        assert not re.search(r"\d\d:\d\d", rendered())

    def test_explanations_may_be_left_out(self) -> None:
        assert 'class="doc"' not in page({"2025-01-01": schema(A=record(f=STRING))}, {})[PAGE].decode()

    def test_text_is_escaped(self) -> None:
        whole = schema(A={"type": "object", "properties": {"<b>": STRING}})
        said = page({"2025-01-01": whole}, {"A": {"": "Uses `<i>` & more."}})[PAGE].decode()
        assert "<b>" not in said.replace('<b class="state', "")
        assert "Uses <code>&lt;i&gt;</code> &amp; more." in said

    def test_the_committed_page_is_the_rendered_one(self) -> None:
        assert (ROOT / PAGE).read_bytes() == rendered().encode(), "run: nox -s docs"


class TestMatrix:
    def test_a_field_against_the_revisions(self) -> None:
        fields = {field.path: field for field in constructs()["Tool"].fields}
        assert fields["execution"].states == ("absent", "absent", "absent", "optional", "absent")
        assert fields["execution"].types == (Spell("ToolExecution", ""),)
        assert fields["name"].states == ("required",) * 5
        assert fields["inputSchema.properties"].states == ("optional",) * 4 + ("absent",)
        assert fields["execution"].doc

    def test_availability(self) -> None:
        assert constructs()["JSONRPCBatchRequest"].present == (False, True, False, False, False)

    def test_types_by_revision(self) -> None:
        params = next(field for field in constructs()["CallToolRequest"].fields if field.path == "params")
        assert params.types == (
            Spell("{arguments?, name}", "until 2025-06-18"),
            Spell("CallToolRequestParams", "since 2025-11-25"),
        )

    def test_a_type_in_between(self) -> None:
        states = [STRING, INTEGER, INTEGER, {"type": "boolean"}, {"type": "null"}]
        schemas = {f"2025-0{index}-01": schema(A=record(f=state)) for index, state in enumerate(states, start=1)}
        (only,) = survey(schemas, {})
        assert only.fields[0].types == (
            Spell("string", "until 2025-01-01"),
            Spell("integer", "2025-02-01 to 2025-03-01"),
            Spell("boolean", "2025-04-01"),
            Spell("null", "since 2025-05-01"),
        )

    def test_deep_members(self) -> None:
        whole = schema(
            A=record(
                rows={"type": "array", "items": record("x", x=STRING)},
                map={"type": "object", "additionalProperties": {"type": "array", "items": record(y=INTEGER)}},
            )
        )
        (only,) = survey({"2025-01-01": whole}, {})
        assert [field.path for field in only.fields] == ["map", "map.*[].y", "rows", "rows[].x"]

    @pytest.mark.parametrize(
        ("name", "category"),
        [
            ("CallToolRequest", "request"),
            ("TaskStatusNotification", "notification"),
            ("CallToolResult", "result"),
            ("CreateTaskResult", "result"),
            ("ElicitResult", "result"),
            ("CallToolRequestParams", "params"),
            ("Tool", "object"),
            ("MetaObject", "object"),
            ("ContentBlock", "union"),
            ("RequestId", "value"),
            ("Role", "value"),
            ("JSONRPCRequest", "frame"),
            ("JSONRPCBatchRequest", "frame"),
        ],
    )
    def test_category(self, name: str, category: str) -> None:
        assert constructs()[name].category == category

    def test_users(self) -> None:
        assert constructs()["ToolExecution"].used_by == ("Tool",)

    def test_shape_of_what_has_no_members(self) -> None:
        assert constructs()["Role"].shape == (Spell('"assistant" | "user"', ""),)


class TestMethods:
    def test_by_direction(self) -> None:
        found = {role: {row.name: row for row in rows} for role, rows in methods(pins()).items()}
        assert found["ClientRequest"]["initialize"].present == (True, True, True, True, False)
        assert found["ServerRequest"]["sampling/createMessage"].present == (True, True, True, True, False)
        assert found["ClientNotification"]["notifications/cancelled"].present == (True,) * 5
        assert found["ClientRequest"]["server/discover"].definition == "DiscoverRequest"


def protocol(**more: Schema) -> Schema:
    return schema(A=record("keep", keep=STRING, **more))


SIDES: list[tuple[Schema, Schema, list[object]]] = [
    (record(), record(f=STRING), ["field added", "A", "f", "", "string, optional", []]),
    (record(), record("f", f=STRING), ["required field added", "A", "f", "", "string, required", ["senders"]]),
    (record(f=STRING), record(), ["field removed", "A", "f", "string", "", ["users"]]),
    (record("f", f=STRING), record(),
     ["required field removed", "A", "f", "string, required", "", ["users", "receivers"]]),
    (record("f", f=STRING), record(f=STRING),
     ["no longer required", "A", "f", "required", "optional", ["receivers"]]),
    (record(f=STRING), record("f", f=STRING),
     ["became required", "A", "f", "optional", "required", ["senders"]]),
    (record(f=STRING), record(f=INTEGER),
     ["type changed", "A", "f", "string", "integer", ["senders", "receivers"]]),
]  # fmt: skip


class TestPairs:
    def test_all_pairs_from_old_to_new(self) -> None:
        assert list(pairs({"a": protocol(), "b": protocol(), "c": protocol()})) == ["a..b", "a..c", "b..c"]

    @pytest.mark.parametrize(("old", "new", "row"), SIDES)
    def test_both_sides(self, old: Schema, new: Schema, row: list[object]) -> None:
        assert pairs({"a": schema(A=old), "b": schema(A=new)})["a..b"]["rows"] == [row]

    def test_the_headline_is_that_of_the_report(self) -> None:
        assert pairs({"a": protocol(), "b": protocol()})["a..b"]["headline"].startswith("The schemas are the same.")


class TestDrawing:
    def test_counts_the_real_schemas(self) -> None:
        definitions = drawn(pins())[0]
        assert [column.total for column in definitions.columns] == [79, 83, 91, 145, 155]
        assert [(column.added, column.removed) for column in definitions.columns[1:]] == [
            (5, 1),
            (10, 2),
            (54, 0),
            (42, 32),
        ]

    def test_a_renamed_definition_is_the_same(self) -> None:
        body = record(kind=const("thing"), uri=STRING)
        schemas = {"a": schema(ThingRef=body), "b": schema(ThingReference=body), "c": schema(ThingReferenceObject=body)}
        for panel in drawn(schemas)[:2]:
            assert [(column.added, column.removed) for column in panel.columns[1:]] == [(0, 0), (0, 0)]

    def test_an_envelope_is_no_field(self) -> None:
        schemas = {
            "a": schema(A=request("a"), ClientRequest=one_of(ref("A"))),
            "b": schema(A=request("a", "id", id=INTEGER), ClientRequest=one_of(ref("A"))),
        }
        assert drawn(schemas)[1].columns[1].added == 0

    def test_strata_by_birth_and_what_was_removed(self) -> None:
        (panel,) = panels({"Things": {"a": {"x", "y"}, "b": {"y", "z"}}})
        first, second = panel.columns
        assert [box.tone for box in first.boxes] == [0]
        assert [(box.tone, box.label) for box in second.boxes] == [
            (0, "1 since a"),
            (1, "1 since b"),
            (-1, "1 removed"),
        ]
        assert (second.earlier, second.total, second.added, second.removed) == ("a", 2, 1, 1)

    def test_everything_stays_inside(self) -> None:
        for panel in drawn(pins()):
            for column in panel.columns:
                for box in column.boxes:
                    assert box.y >= TOP - 1
                    assert box.y + box.height <= FLOOR + DEPTH + 1
                    assert 0 <= box.x <= panel.width - box.width

    def test_later_revisions_have_a_tone_too(self) -> None:
        (panel,) = panels({"Things": {str(number): {str(number)} for number in range(12)}})
        assert {box.tone for column in panel.columns for box in column.boxes} == {-1, *range(TONES)}

    def test_nothing_at_all_is_drawn_too(self) -> None:
        (panel,) = panels({"Things": {"a": set(), "b": set()}})
        assert [column.boxes for column in panel.columns] == [(), ()]
