"""The audit: nothing about a legal message, and each kind of finding with its place, revisions and risk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, field_validator

from mcp_surfaces import types, wire
from mcp_surfaces.audit import Kind, Undefined
from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS

MARCH, JUNE, NOVEMBER, NEWEST = "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"
CORPUS = Path(__file__).parent / "corpus"


def fixtures(version: str) -> Iterator[dict[str, Any]]:
    for line in (CORPUS / f"{version}.jsonl").read_text().splitlines():
        fixture: dict[str, Any] = json.loads(line)
        if fixture["legal"]:
            yield fixture


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_a_legal_message_has_an_empty_audit(version: str) -> None:
    found: dict[str, list[Undefined]] = {}
    count = 0
    for fixture in fixtures(version):
        model = wire.parse_json(getattr(types, fixture["type"]), fixture["text"], version)
        count += 1
        if findings := wire.audit(model, version):
            found[fixture["id"]] = findings
    assert found == {}
    assert count > 50


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_a_message_of_another_revision_is_audited_without_an_error(version: str) -> None:
    known = set(KNOWN_PROTOCOL_VERSIONS)
    for other in KNOWN_PROTOCOL_VERSIONS:
        for fixture in fixtures(other):
            model = wire.parse_json(getattr(types, fixture["type"]), fixture["text"], other)
            for finding in wire.audit(model, version):
                assert version not in finding.revisions
                assert known.issuperset(finding.revisions)
                assert finding.may_reject == (finding.kind != "field")


def lines(model: Any, version: str) -> list[tuple[str, str, bool]]:
    return [(f.pointer, f.kind, f.may_reject) for f in wire.audit(model, version)]


SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SCHEMA: dict[str, Any] = {"type": "object"}
LINK = types.ResourceLink(uri="file:///a", name="a", icons=[types.Icon(src="https://example.com/i.png", theme="dark")])

FOUND: list[tuple[str, Any, str, list[tuple[str, str, bool]]]] = [
    ("a method", types.PingRequest(), NEWEST, [("/method", "method", True)]),
    ("a notification", types.InitializedNotification(), NEWEST, [("/method", "method", True)]),
    ("a request of one's own", types.Request(method="acme/x", params=None), NEWEST, [("/method", "method", True)]),
    ("a type", types.ElicitResult(action="accept"), MARCH, [("", "type", True)]),
    (
        "a field",
        types.Tool(name="a", input_schema=SCHEMA, output_schema=SCHEMA),
        MARCH,
        [("/outputSchema", "field", False)],
    ),
    ("a vendor's field", types.Tool.model_validate({"name": "a", "inputSchema": SCHEMA, "acme": 1}), MARCH, []),
    ("a union member", types.CallToolResult(content=[LINK]), MARCH, [("/content/0", "union member", True)]),
    (
        "a field inside a union member",
        types.CallToolResult(content=[LINK]),
        JUNE,
        [("/content/0/icons", "field", False)],
    ),
    ("what the revision has", types.CallToolResult(content=[LINK]), NOVEMBER, []),
    (
        "a JSON type",
        types.CallToolResult(content=[], structured_content=[1]),
        NOVEMBER,
        [("/structuredContent", "type", True)],
    ),
    ("an object", types.CallToolResult(content=[], structured_content={"a": [1]}), NOVEMBER, []),
    (
        "null",
        types.CallToolResult(content=[], structured_content=None),
        NOVEMBER,
        [("/structuredContent", "type", True)],
    ),
    ("any JSON type", types.CallToolResult(content=[], structured_content=1.5), NEWEST, []),
    (
        "an open enum",
        types.TextContent(text="", annotations=types.Annotations(audience=["user", "system"])),
        NEWEST,
        [("/annotations/audience/1", "enum value", True)],
    ),
    (
        "metadata that results lost",
        types.ElicitResult(action="accept", _meta={"a": 1}),
        NEWEST,
        [("/_meta", "field", False)],
    ),
    (
        "a reserved key of a result",
        types.CallToolResult(content=[], _meta={SERVER_INFO: {"name": "a", "version": "1", "title": "A"}, "a/b": 1}),
        NOVEMBER,
        [("/_meta/io.modelcontextprotocol~1serverInfo", "field", False)],
    ),
    (
        "a reserved key of a notification",
        types.ProgressNotification.model_validate(
            {
                "method": "notifications/progress",
                "params": {"progressToken": 1, "progress": 1, "_meta": {SUBSCRIPTION_ID: 1}},
            }
        ),
        NOVEMBER,
        [("/params/_meta/io.modelcontextprotocol~1subscriptionId", "field", False)],
    ),
    (
        "what a reserved key holds",
        types.CallToolRequest.model_validate(
            {
                "method": "tools/call",
                "params": {"name": "a", "_meta": {CAPABILITIES: {"tasks": {}, "roots": {"listChanged": True}, "x": 1}}},
            }
        ),
        NEWEST,
        [
            ("/params/_meta/io.modelcontextprotocol~1clientCapabilities/roots/listChanged", "field", False),
            ("/params/_meta/io.modelcontextprotocol~1clientCapabilities/tasks", "field", False),
        ],
    ),
    (
        "what is no value for a reserved key",
        types.CallToolResult(content=[], _meta={SERVER_INFO: {"name": 1}}),
        NEWEST,
        [("/_meta/io.modelcontextprotocol~1serverInfo", "type", True)],
    ),
    (
        "what a reserved key lacks",
        types.CallToolRequest.model_validate(
            {"method": "tools/call", "params": {"name": "a", "_meta": {CLIENT_INFO: {"version": "1", "icons": [{}]}}}}
        ),
        NEWEST,
        [],
    ),
    (
        "what the revision does not define may be anything",
        types.CallToolRequest.model_validate(
            {
                "method": "tools/call",
                "params": {"name": "a", "_meta": {CAPABILITIES: {"tasks": True, "roots": {"listChanged": "yes"}}}},
            }
        ),
        NEWEST,
        [
            ("/params/_meta/io.modelcontextprotocol~1clientCapabilities/roots/listChanged", "field", False),
            ("/params/_meta/io.modelcontextprotocol~1clientCapabilities/tasks", "field", False),
        ],
    ),
    (
        "a null that is written",
        types.CallToolRequest.model_validate(
            {"method": "tools/call", "params": {"name": "a", "_meta": {CAPABILITIES: {"roots": None}}}}
        ),
        NEWEST,
        [("/params/_meta/io.modelcontextprotocol~1clientCapabilities", "type", True)],
    ),
    (
        "a null in a list of a reserved key",
        types.CallToolResult(
            content=[],
            _meta={SERVER_INFO: {"name": "a", "version": "1", "icons": [{"src": "a"}, {"src": "b", "theme": None}]}},
        ),
        NEWEST,
        [("/_meta/io.modelcontextprotocol~1serverInfo", "type", True)],
    ),
    (
        "what no list of a reserved key may have",
        types.CallToolResult(
            content=[], _meta={SERVER_INFO: {"name": "a", "version": "1", "icons": [{"src": "a"}, 5]}}
        ),
        NEWEST,
        [("/_meta/io.modelcontextprotocol~1serverInfo", "type", True)],
    ),
    (
        "a list in a reserved key",
        types.CallToolResult(
            content=[], _meta={SERVER_INFO: {"name": "a", "version": "1", "icons": [{"src": "a", "sizes": ["any"]}]}}
        ),
        NEWEST,
        [],
    ),
    (
        "a list for an object of a reserved key",
        types.CallToolRequest.model_validate(
            {"method": "tools/call", "params": {"name": "a", "_meta": {CAPABILITIES: {"elicitation": [{}]}}}}
        ),
        NEWEST,
        [("/params/_meta/io.modelcontextprotocol~1clientCapabilities", "type", True)],
    ),
    (
        "an object in a reserved key that is none",
        types.CallToolRequest.model_validate(
            {"method": "tools/call", "params": {"name": "a", "_meta": {CAPABILITIES: {"elicitation": {"form": 1}}}}}
        ),
        NEWEST,
        [("/params/_meta/io.modelcontextprotocol~1clientCapabilities", "type", True)],
    ),
    (
        "settings of an experiment",
        types.InitializeResult(
            protocol_version=MARCH,
            capabilities=types.ServerCapabilities(experimental={"a": 5, "b": {}}),
            server_info=types.Implementation(name="a", version="1"),
        ),
        MARCH,
        [("/capabilities/experimental/a", "type", True)],
    ),
    (
        "metadata of a construct that there was not yet",
        types.ElicitRequestURLParams(message="", url="https://example.com", elicitation_id="a", _meta={"a": 1}),
        NEWEST,
        [("/_meta", "field", False), ("/elicitationId", "field", False)],
    ),
    (
        "a model as free-form data",
        types.LoggingMessageNotification(
            params=types.LoggingMessageNotificationParams(level="info", data=types.Annotations(audience=["ops"]))
        ),
        NEWEST,
        [],
    ),
    ("a tuple", types.Tool(name="a", input_schema={"type": "object", "required": ("a",)}), NOVEMBER, []),
    (
        "a list that was a tuple",
        types.CallToolResult(content=[], structured_content=(1,)),
        NOVEMBER,
        [("/structuredContent", "type", True)],
    ),
    (
        "what was put in place of a model",
        types.ListToolsResult(tools=[]).model_copy(
            update={"tools": [{"name": "a", "inputSchema": SCHEMA, "execution": {}}]}
        ),
        JUNE,
        [("/tools/0/execution", "field", False)],
    ),
    (
        "names that are no strings",
        types.ElicitResult(action="accept").model_copy(update={"content": {None: ["a"]}}),
        JUNE,
        [("/content/None", "type", True)],
    ),
    ("a request that lives on embedded", types.ListRootsRequest(), NEWEST, []),
    (
        "metadata that embedded params lost",
        types.ElicitRequest(
            params=types.ElicitRequestFormParams(
                message="", requested_schema={"type": "object", "properties": {}}, _meta={"progressToken": 1}
            )
        ),
        NEWEST,
        [("/params/_meta", "field", False)],
    ),
    (
        "metadata of params that were written in place",
        types.ListToolsRequest(params=types.PaginatedRequestParams(_meta={"progressToken": 1})),
        MARCH,
        [],
    ),
    ("a request without a method", types.Request.model_construct(), NEWEST, []),
    (
        "a map",
        types.ElicitResult(action="accept", content={"a": ["b"], "b/c": 1}),
        JUNE,
        [("/content/a", "type", True)],
    ),
]


@pytest.mark.parametrize(("model", "version", "expected"), [f[1:] for f in FOUND], ids=[f[0] for f in FOUND])
def test_what_the_revision_does_not_define(model: Any, version: str, expected: list[tuple[str, str, bool]]) -> None:
    assert lines(model, version) == expected


FORMS: list[tuple[str, dict[str, Any], list[tuple[str, str, bool]]]] = [
    ("a plain enum", {"type": "string", "enum": ["a"]}, []),
    ("an enum with names", {"type": "string", "enum": ["a"], "enumNames": ["A"]}, []),
    ("a string with a vendor's member", {"type": "string", "choices": [{"const": "a", "title": "A"}]}, []),
    (
        "a member that only later forms have",
        {"type": "string", "oneOf": [{"const": "a", "title": "A"}], "default": "a"},
        [
            ("/params/requestedSchema/properties/p/default", "field", False),
            ("/params/requestedSchema/properties/p/oneOf", "field", False),
        ],
    ),
    ("a number", {"type": "integer", "minimum": 1}, []),
    (
        "a multi-select",
        {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        [("/params/requestedSchema/properties/p", "union member", True)],
    ),
]


@pytest.mark.parametrize(("schema", "expected"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS])
def test_forms_are_looked_into(schema: dict[str, Any], expected: list[tuple[str, str, bool]]) -> None:
    body = {
        "message": "m",
        "requestedSchema": {"type": "object", "properties": {"p": schema, "q": {"type": "boolean"}}},
    }
    request = wire.parse_as(types.ElicitRequest, {"method": "elicitation/create", "params": body}, JUNE)
    assert lines(request, JUNE) == expected
    assert lines(request, NOVEMBER) == []


UNKNOWN_FORMS: list[tuple[Any, Kind]] = [
    ({"type": "string", "format": "uuid"}, "union member"),
    ({"type": "object"}, "union member"),
    ({"type": ["string", "null"]}, "union member"),
    ({"type": 5}, "union member"),
    ("string", "type"),
    (True, "type"),
    (None, "type"),
    ([{"type": "string"}], "type"),
]


@pytest.mark.parametrize(("schema", "kind"), UNKNOWN_FORMS)
@pytest.mark.parametrize("version", [JUNE, NOVEMBER, NEWEST])
def test_a_form_field_that_no_revision_defines_is_found(schema: Any, kind: Kind, version: str) -> None:
    body = {"message": "m", "requestedSchema": {"type": "object", "properties": {"a/b": schema}}}
    request = wire.parse_as(types.ElicitRequest, {"method": "elicitation/create", "params": body}, version)
    assert wire.audit(request, version) == [Undefined("/params/requestedSchema/properties/a~1b", kind, (), True)]


DOCUMENTS: list[tuple[dict[str, Any], str, list[tuple[str, str, bool]]]] = [
    ({"inputSchema": {"type": "array"}}, NOVEMBER, [("/inputSchema/type", "enum value", True)]),
    ({"inputSchema": {"type": "array"}}, NEWEST, [("/inputSchema/type", "enum value", True)]),
    ({"inputSchema": {"type": ["object", "null"]}}, NEWEST, [("/inputSchema/type", "type", True)]),
    ({"inputSchema": {"type": "object", "required": "a"}}, NOVEMBER, [("/inputSchema/required", "type", True)]),
    ({"inputSchema": {"type": "object", "required": [1]}}, NOVEMBER, [("/inputSchema/required/0", "type", True)]),
    ({"inputSchema": {"type": "object", "properties": {"p": True}}}, NEWEST, []),
    ({"inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}, NEWEST, []),
    (
        {"inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}},
        JUNE,
        [("/outputSchema/type", "enum value", True)],
    ),
]


@pytest.mark.parametrize(("tool", "version", "expected"), DOCUMENTS)
def test_what_a_revision_describes_of_a_document_is_audited(
    tool: dict[str, Any], version: str, expected: list[tuple[str, str, bool]]
) -> None:
    assert lines(wire.parse_as(types.Tool, {"name": "t", **tool}, version), version) == expected


def test_a_whole_number_is_an_integer_however_it_is_written() -> None:
    meta = {"io.modelcontextprotocol/subscriptionId": 1.0}
    body = {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1, "_meta": meta}}
    assert lines(wire.parse_as(types.ProgressNotification, body, NEWEST), NEWEST) == []
    body["params"] = {"progressToken": 1, "progress": 1, "_meta": dict.fromkeys(meta, 1.5)}
    found = lines(wire.parse_as(types.ProgressNotification, body, NEWEST), NEWEST)
    assert found == [("/params/_meta/io.modelcontextprotocol~1subscriptionId", "type", True)]


def test_an_enum_is_legal_under_its_older_name() -> None:
    plain = {"type": "string", "enum": ["a"]}
    for union in (types.EnumSchema, types.PrimitiveSchemaDefinition):
        for value in (plain, {**plain, "enumNames": ["A"]}):
            assert lines(wire.parse_as(union, value, JUNE, strict=True), JUNE) == []
    multiple = wire.parse_as(types.EnumSchema, {"type": "array", "items": plain}, JUNE)
    assert lines(multiple, JUNE) == [("", "type", True)]


def test_pointers_are_bounded() -> None:
    params = {"message": "m", "mode": "form", "requestedSchema": SCHEMA, "task": {"ttl": 1}}
    deep = {"k" * 1_000_000: {"method": "elicitation/create", "params": params}}
    result = wire.parse_as(types.InputRequiredResult, {"inputRequests": deep}, NEWEST)
    (finding,) = wire.audit(result, NEWEST)
    assert finding.kind == "field"
    assert len(finding.pointer) < 2_000


def test_a_finding_tells_which_revisions_define_it() -> None:
    assert wire.audit(types.CallToolResult(content=[LINK]), MARCH) == [
        Undefined("/content/0", "union member", (JUNE, NOVEMBER, NEWEST), True)
    ]
    assert wire.audit(types.Request(method="acme/x", params=None), JUNE) == [Undefined("/method", "method", (), True)]


def test_a_subclass_is_what_it_stands_on() -> None:
    class Own(types.Tool):
        rank: int

    assert lines(Own(name="a", input_schema=SCHEMA, rank=1), NEWEST) == []
    assert lines(Own(name="a", input_schema=SCHEMA, rank=1, title="A"), MARCH) == [("/title", "field", False)]


def test_a_finding_names_only_revisions_that_have_the_construct() -> None:
    (found,) = wire.audit(types.ElicitResult(action="accept", _meta={"a": 1}), NEWEST)
    assert found.revisions == (JUNE, NOVEMBER)


def test_what_counts_is_what_is_written() -> None:
    class Own(types.Tool):
        execution: Any = Field(default=None, exclude=True)
        shape: Any = Field(default=None, serialization_alias="outputSchema")

    tool = Own(name="a", input_schema=SCHEMA, execution={}, shape=SCHEMA)
    assert lines(tool, MARCH) == [("/outputSchema", "field", False)]


def test_what_cannot_be_written_is_audited_as_it_is() -> None:
    class Strict(types.Tool):
        @field_validator("description")
        @classmethod
        def known(cls, value: str) -> str:
            return {"a": value}[value]

    described = Strict(name="a", input_schema=SCHEMA, title="A").model_copy(update={"description": "b"})
    assert lines(described, MARCH) == [("/title", "field", False)]

    class Hidden(types.CallToolResult):
        structured_content: Any = Field(exclude=True)

    assert lines(Hidden(content=[], structured_content=1), MARCH) == []
    tool = types.Tool(name="a", input_schema={"x": object()}, title="A")
    assert lines(tool, MARCH) == [("/title", "field", False)]
    untyped = types.Tool.model_construct(name=5, input_schema={}, title="A")
    assert lines(untyped, MARCH) == [("/title", "field", False)]


def test_what_cannot_be_audited() -> None:
    nothing: Any = {}
    with pytest.raises(TypeError, match="dict is not a model"):
        wire.audit(nothing, NEWEST)
    with pytest.raises(wire.UnknownProtocolVersionError):
        wire.audit(types.PingRequest(), "2030-01-01")


def test_values_of_any_depth_are_audited_and_circles_once() -> None:
    circle: list[Any] = [types.Tool(name="a", input_schema={}, title="A")]
    circle += [circle, circle]
    deep: Any = circle
    for _ in range(1_100):
        deep = [deep]
    found = wire.audit(types.CallToolResult(content=[], _meta={"a": deep}), MARCH)
    assert [(f.pointer.count("/"), f.kind) for f in found] == [(1_104, "field")]  # it cannot be written
