from __future__ import annotations

import functools
import pickle
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag, TypeAdapter, ValidationError, field_validator
from pydantic_core import PydanticCustomError, PydanticKnownError

from mcp_surfaces.base import Integer, MCPModel, Number
from mcp_surfaces.errors import Finding
from mcp_surfaces.located import MAX_ENTRIES, MAX_RAW, findings, located, refused, violation

SECRET = "hunter2"


class Hints(MCPModel):
    audience: list[str] | None = None
    priority: Number | None = None


class Text(MCPModel):
    type: Literal["text"]
    text: str
    annotations: Hints | None = None
    meta: dict[str, Any] | None = Field(default=None, alias="_meta")


class TextResource(MCPModel):
    uri: str
    text: str
    meta: dict[str, Any] | None = Field(default=None, alias="_meta")


class BlobResource(MCPModel):
    uri: str
    blob: str


class Embedded(MCPModel):
    type: Literal["resource"]
    resource: TextResource | BlobResource
    meta: dict[str, Any] | None = Field(default=None, alias="_meta")


class Link(MCPModel):
    type: Literal["resource_link"]
    name: str
    uri: str


Block = Annotated[Text | Embedded | Link, Field(discriminator="type")]


class Result(MCPModel):
    content: list[Block]


class Sampled(MCPModel):
    content: Block | list[Block]
    model: str


class Tree(MCPModel):
    value: Integer | str | None = None
    children: list[Tree] | Tree | None = None


def raise_shout(value: str) -> str:
    raise ValueError(f"not {value}")


def raise_custom(value: str) -> str:
    raise PydanticCustomError("pay_load", "not {value}", {"value": value})


def raise_badly_named(value: str) -> str:
    kind: Any = f"no {value}" + "x" * 1000
    raise PydanticCustomError(kind, "no")


def raise_asserting(value: str) -> str:
    raise AssertionError(value)


def raise_known(value: str) -> str:
    raise PydanticKnownError("url_parsing", {"error": value})


def raise_forged(value: str) -> str:
    raise PydanticCustomError("literal_error", "not {value}", {"pattern": value})


def raise_wrong_facts(value: str) -> str:
    raise PydanticCustomError("too_long", "not {value}", {"max_length": value})


class Picky(MCPModel):
    shout: Annotated[str, AfterValidator(raise_shout)] = ""
    custom: Annotated[str, AfterValidator(raise_custom)] = ""
    badly: Annotated[str, AfterValidator(raise_badly_named)] = ""
    asserting: Annotated[str, AfterValidator(raise_asserting)] = ""
    known: Annotated[str, AfterValidator(raise_known)] = ""
    forged: Annotated[str, AfterValidator(raise_forged)] = ""
    wrong: Annotated[str, AfterValidator(raise_wrong_facts)] = ""
    pattern: Annotated[str, Field(pattern="^a$")] = "a"
    short: Annotated[str, Field(max_length=1)] = ""
    few: Annotated[list[str], Field(max_length=1)] = Field(default_factory=list[str])
    level: Literal["low", "high"] = "low"
    size: Annotated[int, Field(ge=0, multiple_of=2)] = 0

    @field_validator("few")
    @classmethod
    def _few(cls, value: list[str]) -> list[str]:
        raise ValueError(value)


def kind_of(value: Any) -> str | None:
    return "many" if isinstance(value, list) else "one" if isinstance(value, dict) else None


Called = Annotated[
    Annotated[Text, Tag("one")] | Annotated[list[Text], Tag("many")],
    Discriminator(kind_of),
]


def fail(type_: Any, data: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter[Any](type_).validate_python(data)
    return caught.value


def faults(type_: Any, data: Any) -> list[tuple[str, str]]:
    return [(f.pointer, f.type) for f in findings(located(fail(type_, data), data))]


def block(**members: Any) -> dict[str, Any]:
    return {"content": [members]}


CASES: list[tuple[Any, Any, list[tuple[str, str]]]] = [
    (Result, {}, [("/content", "missing")]),
    (Result, 5, [("", "model_type")]),
    (Result, {"content": {}}, [("/content", "list_type")]),
    (Result, block(type="text", text=5), [("/content/0/text", "string_type")]),
    (Result, block(type="text"), [("/content/0/text", "missing")]),
    (Result, block(type="text", text="", annotations=5), [("/content/0/annotations", "model_type")]),
    (
        Result,
        block(type="text", text="", annotations={"priority": "x"}, _meta=5),
        [("/content/0/annotations/priority", "float_type"), ("/content/0/_meta", "dict_type")],
    ),
    (Result, block(type="resource_link", uri=""), [("/content/0/name", "missing")]),
    (Result, block(type="x"), [("/content/0", "union_tag_invalid")]),
    (Result, block(), [("/content/0", "union_tag_not_found")]),
    (Result, {"content": [5]}, [("/content/0", "model_attributes_type")]),
    # A member called like the tag, at every depth.
    (Result, block(type="resource", resource={"text": ""}), [("/content/0/resource/uri", "missing")]),
    (Result, block(type="resource", resource=5), [("/content/0/resource", "model_type")]),
    (
        Result,
        block(type="resource", resource={"text": "", "uri": "", "resource": {}, "_meta": 5}, _meta=5),
        [("/content/0/resource/_meta", "dict_type"), ("/content/0/_meta", "dict_type")],
    ),
    (Text, {"type": "text", "text": 5}, [("/text", "string_type")]),
    (
        Result,
        block(type="resource", _meta=5, resource={"text": "", "uri": "", "_meta": {}, "resource": {"_meta": 5}}),
        [("/content/0/_meta", "dict_type")],
    ),
    (Embedded, {"type": "resource", "resource": {"text": ""}}, [("/resource/uri", "missing")]),
    # The arm that fits best.
    (TextResource | BlobResource, {"blob": 5, "uri": 5}, [("/uri", "string_type"), ("/blob", "string_type")]),
    (list[Text | Link | Embedded], [{"type": "resource_link", "uri": ""}], [("/0/name", "missing")]),
    (Sampled, {"content": {"type": "text"}, "model": ""}, [("/content/text", "missing")]),
    (Sampled, {"content": [{"type": "text"}]}, [("/content/0/text", "missing"), ("/model", "missing")]),
    (Sampled, {"content": {"type": "x"}, "model": ""}, [("/content", "union_tag_invalid")]),
    (Sampled, {"content": 5, "model": ""}, [("/content", "model_attributes_type"), ("/content", "list_type")]),
    (dict[str, Integer], {"a": "1"}, [("/a", "int_type")]),
    (dict[str, Integer], {"a": 1.5}, [("/a", "multiple_of")]),
    (dict[str, Number], {"a": True}, [("/a", "float_type")]),
    (dict[str, Integer | str | None], {"a": True}, [("/a", "int_type"), ("/a", "string_type")]),
    (Literal["a"] | None, "b", [("", "literal_error")]),
    (dict[str, int], {1: 1}, [("/1", "string_type")]),
    (dict[int, str], {1: 5}, [("/1", "string_type")]),
    (list[dict[str, int | dict[str, int]]], [{"x": {"int": "a"}}], [("/0/x/int", "int_parsing")]),
    (Called, {"type": "text"}, [("/text", "missing")]),
    (Called, [{"type": "text"}], [("/0/text", "missing")]),
    (Called, 5, [("", "union_tag_not_found")]),
    (tuple[int, int], (1, "x"), [("/1", "int_parsing")]),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "data", "expected"), CASES)
def test_one_defect_is_one_or_two_errors_at_its_place(type_: Any, data: Any, expected: list[tuple[str, str]]) -> None:
    type_ = TypeAdapter[Any](type_, config={"strict": True}) if type_ is dict[str, int] else type_
    adapter: Any = type_
    if isinstance(type_, TypeAdapter):
        with pytest.raises(ValidationError) as caught:
            adapter.validate_python(data)
        assert [(f.pointer, f.type) for f in findings(located(caught.value, data))] == expected
    else:
        assert sorted(faults(type_, data)) == sorted(expected)  # typing caches unions in either order


def test_a_place_that_cannot_be_told_is_the_closest() -> None:
    """Errors of the bytes form have copies as inputs: the tag of a tagged union is still told from a member."""
    data = block(type="resource", resource={"text": "", "uri": 1}, _meta=5)
    with pytest.raises(ValidationError) as caught:
        Result.model_validate_json('{"content":[{"type":"resource","resource":{"text":"","uri":1},"_meta":5}]}')
    assert [f.pointer for f in findings(located(caught.value, data))] == ["/content/0/resource/uri", "/content/0/_meta"]


def shown(error: ValidationError) -> str:
    return "".join((str(error), repr(error), error.json(), repr(error.errors()), repr(error.args), error.title))


PICKY = ["shout", "custom", "badly", "asserting", "known", "forged", "wrong", "pattern", "short", "level", "size"]


@pytest.mark.parametrize("member", PICKY)
def test_messages_are_rebuilt(member: str) -> None:
    data = {member: SECRET}
    safe = located(fail(Picky, data), data)
    assert SECRET not in shown(safe)
    (entry,) = safe.errors()
    assert entry["loc"] == (member,)
    assert entry["input"] is None
    assert entry["type"].isidentifier()
    assert SECRET not in shown(located(safe, data))


def test_texts() -> None:
    data = {
        "shout": "a",
        "custom": "a",
        "badly": "a",
        "pattern": "b",
        "short": "bb",
        "few": ["b"],
        "level": "b",
        "size": -2,
    }
    assert [(e["type"], e["msg"]) for e in located(fail(Picky, data), data).errors()] == [
        ("value_error", "Input was refused by a validator"),
        ("pay_load", "Input is not valid"),
        ("custom_error", "Input is not valid"),
        ("string_pattern_mismatch", "String should match pattern '^a$'"),
        ("string_too_long", "String should have at most 1 character"),
        ("value_error", "Input was refused by a validator"),
        ("literal_error", "Input should be 'low' or 'high'"),
        ("greater_than_equal", "Input should be greater than or equal to 0"),
    ]


def test_an_unknown_tag_is_cut() -> None:
    data = block(type="\x1b" + "t" * 100)
    (entry,) = located(fail(Result, data), data).errors()
    assert entry["msg"].startswith("Input tag '?" + "t" * 38 + "…' found using 'type' does not match")
    assert "ctx" in entry
    assert len(entry["ctx"]["tag"]) == 40
    for tag in ({SECRET: 1}, [SECRET], 5, None, True):
        data = block(type=tag)
        assert SECRET not in shown(located(fail(Result, data), data))
        assert "Input tag '?'" in str(located(fail(Result, data), data))


def test_names_and_titles_are_cut() -> None:
    data = {"n" * 1000: "x"}
    safe = located(fail(dict[str, int], data), data)
    assert safe.errors()[0]["loc"] == ("n" * 99 + "…",)
    assert located(fail(Called, 5), 5).title == "message"
    assert located(fail(Result, 5), 5).title == "Result"
    assert located(fail(Result, 5), 5, title="ServerResult").title == "ServerResult"


def test_a_long_location_is_cut() -> None:
    (entry,) = refused("T", [violation("not_json", tuple(f"{index}" + "n" * 90 for index in range(200)))]).errors()
    assert entry["loc"][-1] == "…"
    assert 800 < sum(len(str(part)) for part in entry["loc"]) <= 1_000


def test_json_faults() -> None:
    with pytest.raises(ValidationError) as caught:
        Result.model_validate_json(f'{{"{SECRET}')
    safe = located(caught.value, None)
    assert safe.errors()[0]["msg"] == "Invalid JSON: EOF while parsing a string at line 1 column 9"
    quoting = ValidationError.from_exception_data("T", [{"type": "json_invalid", "ctx": {"error": SECRET}, "input": 1}])
    assert located(quoting, None).errors()[0]["msg"] == "Invalid JSON: malformed"


def test_no_more_than_a_hundred_entries() -> None:
    data = {"content": [{"type": "text", "text": SECRET, "annotations": 5} for _ in range(10_000)]}
    error = fail(Result, data)
    started = time.perf_counter()
    safe = located(error, data)
    assert time.perf_counter() - started < 3
    assert safe.error_count() == len(safe.errors()) == MAX_ENTRIES
    assert safe.errors()[-1]["type"] == "too_many_errors"
    assert safe.errors()[-1]["msg"] == "and 9,901 more"
    assert len(shown(safe)) < 100_000
    assert located(safe, data).error_count() == MAX_ENTRIES


@pytest.mark.parametrize("count", [1, 99, 100, 101, 150])
def test_around_the_limit(count: int) -> None:
    data = {"content": [5] * count}
    error = fail(Result, data)
    safe = located(error, data)
    assert safe.error_count() == min(count, 100)
    assert (safe.errors()[-1]["type"] == "too_many_errors") is (count > 100)
    if count > 100:
        assert safe.errors()[-1]["msg"] == f"and {count - 99} more"
    whole = located(error, data, limit=None)
    assert [e["loc"] for e in whole.errors()] == [("content", index) for index in range(count)]


def test_beyond_counting() -> None:
    lines: list[Any] = [{"type": "missing", "loc": ("a",), "input": SECRET}] * (MAX_RAW + 1)
    error = ValidationError.from_exception_data("T", lines)
    assert located(error, {}).errors()[0]["msg"] == "50,001 errors, too many to list"


def test_deep_locations() -> None:
    data: dict[str, Any] = {"value": True}
    for _ in range(100):
        data = {"children": data}
    assert sorted(faults(Tree, data)) == [
        ("/children" * 100 + "/value", "int_type"),
        ("/children" * 100 + "/value", "string_type"),
    ]


def test_shared_and_circular_input() -> None:
    data: dict[str, Any] = {}
    data["a"] = data
    safe = located(fail(dict[str, dict[str, int]], data), data)
    assert [f.pointer for f in findings(safe)] == ["/a/a"]


class Holder(BaseModel):
    inner: Any

    @field_validator("inner")
    @classmethod
    def _inner(cls, value: Any) -> Any:
        return TypeAdapter[Any](dict[str, int]).validate_python(dict(value))


def test_input_changed_by_a_validator() -> None:
    data = {"inner": {"a": SECRET}}
    safe = located(fail(Holder, data), data)
    assert [f.pointer for f in findings(safe)] == ["/inner/a"]
    assert SECRET not in shown(safe)


# fmt: off
member_names = st.sampled_from([
    "type", "text", "resource", "content", "model", "uri", "blob", "name", "annotations", "priority", "_meta",
    "children", "value", "int", "Text", "a", "list[Tree]",
])
# fmt: on
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.just(SECRET)
    | st.text().map(SECRET.__add__),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(member_names, inner, max_size=4),
    max_leaves=12,
)
tags = st.fixed_dictionaries({"type": st.sampled_from(["text", "resource", "resource_link", SECRET * 3])})


def merged(members: dict[str, Any], tag: dict[str, Any]) -> dict[str, Any]:
    return members | tag


blocks = st.builds(merged, st.dictionaries(member_names, json_values, max_size=4), tags)
documents: st.SearchStrategy[Any] = (
    json_values | st.fixed_dictionaries({"content": st.lists(blocks, max_size=3) | blocks}) | blocks
)


@functools.cache
def adapter(index: int) -> Callable[[Any], Any]:
    return TypeAdapter[Any](TYPES[index], config=None).validate_python


TYPES: list[Any] = [Result, Sampled, Tree, Called, Block, list[Text | Link | Embedded], dict[str, Tree | Hints], Picky]


@given(documents, st.integers(0, len(TYPES) - 1))
def test_no_payload_and_no_labels(data: Any, index: int) -> None:
    try:
        adapter(index)(data)
    except ValidationError as error:
        safe = located(error, data)
    else:
        return
    assert 1 <= safe.error_count() <= MAX_ENTRIES
    entries = safe.errors()
    assert all(entry["input"] is None for entry in entries)
    for entry in entries:
        node = data
        loc = entry["loc"][:-1] if entry["type"] == "missing" else entry["loc"]
        for part in loc:
            node = node[part]
    for place in {entry["loc"] for entry in entries}:
        assert sum(entry["loc"] == place for entry in entries) <= 2
    tagged = [entry for entry in entries if entry["type"] == "union_tag_invalid"]
    assert all(len(entry.get("ctx", {})["tag"]) <= 40 for entry in tagged)
    text = "".join(repr(entry) for entry in entries if entry not in tagged) if tagged else shown(safe)
    assert SECRET not in text


def test_findings_and_violations() -> None:
    error = refused(
        "CallToolRequest",
        [
            violation("missing", ("params", "name")),
            violation("missing_required_meta", ("params", "_meta", "a/b")),
            violation("result_type_invalid", ("resultType",), "Not {this} one"),
            violation("missing", (), "Needs a member"),
        ],
    )
    assert error.title == "CallToolRequest"
    assert findings(error) == (
        Finding("/params/name", "missing", "Field required"),
        Finding("/params/_meta/a~1b", "missing_required_meta", "A `_meta` key the revision requires is missing"),
        Finding("/resultType", "result_type_invalid", "Not {this} one"),
        Finding("", "missing", "Needs a member"),
    )
    assert refused("T", [violation("missing")], more=2).error_count() == 2
    assert refused("T", [violation("missing")] * 3, limit=2, more=5).errors()[-1]["msg"] == "and 7 more"


def test_standard_types_survive_pickling() -> None:
    data = block(type="text", text=SECRET, annotations=5)
    safe = located(fail(Result, data), data)
    assert str(pickle.loads(pickle.dumps(safe))) == str(safe)
    assert sys.getsizeof(pickle.dumps(safe)) < 1000
