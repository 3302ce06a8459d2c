"""Methods, notifications, results and `resultType` values of one's own, on registries that never change."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, Literal, cast, get_args

import pytest
from pydantic import ValidationError

from mcp_surfaces import types, wire
from mcp_surfaces.base import MCPModel

from .support import (
    CAPABILITIES_KEY,
    META,
    NEWEST,
    OLDER,
    PROTOCOL_VERSION_KEY,
    SERVER_INFO_KEY,
    VERSIONS,
    emit,
    made,
    parse,
    refusal,
    unsupported,
)


class SearchParams(types.RequestParams):
    query: str
    page_size: int | None = None


class SearchRequest(types.Request[SearchParams, Literal["acme/search"]]):
    method: Literal["acme/search"] = "acme/search"
    params: SearchParams


class SearchResult(types.Result):
    hits: list[str]


class LaterResult(types.Result):
    ticket: str


class DoneParams(types.NotificationParams):
    ticket: str


class DoneNotification(types.Notification[DoneParams, Literal["notifications/acme/done"]]):
    method: Literal["notifications/acme/done"] = "notifications/acme/done"
    params: DoneParams


class LooseRequest(types.Request[Any, str]):
    pass


class OwnToolRequest(types.CallToolRequest):
    priority: int | None = None


class OwnToolResult(types.CallToolResult):
    cost: float | None = None


EMPTY = wire.Registry()
ACME = (
    EMPTY.with_request(
        SearchRequest, SearchResult, LaterResult, sender="client", versions=["2025-11-25", NEWEST], meta=META
    )
    .with_notification(DoneNotification, sender="server", versions=[NEWEST])
    .with_result_type("task", "acme/later")
)


def arms(type_: Any) -> tuple[type[Any], ...]:
    return get_args(type_) or (type_,)


def test_what_is_registered_is_routed() -> None:
    for version in ("2025-11-25", NEWEST):
        assert wire.request_type("acme/search", version, "client", registry=ACME) is SearchRequest
        assert arms(wire.result_type("acme/search", version, "server", registry=ACME)) == (SearchResult, LaterResult)
    assert wire.notification_type("notifications/acme/done", NEWEST, "server", registry=ACME) is DoneNotification


def test_other_directions_and_revisions_do_not_have_it() -> None:
    for call, method, version, sender in (
        (wire.request_type, "acme/search", NEWEST, "server"),
        (wire.request_type, "acme/search", "2025-06-18", "client"),
        (wire.result_type, "acme/search", NEWEST, "client"),
        (wire.result_type, "acme/search", "2025-06-18", "server"),
        (wire.notification_type, "notifications/acme/done", NEWEST, "client"),
        (wire.notification_type, "notifications/acme/done", "2025-11-25", "server"),
        (wire.notification_type, "acme/search", NEWEST, "client"),
        (wire.request_type, "notifications/acme/done", NEWEST, "server"),
    ):
        with pytest.raises(wire.UnknownMethodError):
            cast("Any", call)(method, version, sender, registry=ACME)


def test_nothing_global_changes() -> None:
    for version in VERSIONS:
        for call in (wire.request_type, wire.result_type):
            with pytest.raises(wire.UnknownMethodError):
                call("acme/search", version, "client")
    assert all("acme/search" not in methods for methods in wire.CLIENT_REQUEST_METHODS.values())
    assert wire.request_type("tools/call", NEWEST, "client", registry=ACME) is types.CallToolRequest
    assert wire.Registry() == EMPTY
    with pytest.raises(ValidationError):
        wire.parse_as(types.CallToolResult, {"content": [], "resultType": "task"}, NEWEST)


def test_registries_are_immutable() -> None:
    before = ACME.requests
    registry: Any = ACME
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        registry.result_types = frozenset()
    tables: list[Any] = [ACME.requests, ACME.notifications, ACME.results]
    for table in tables:
        with pytest.raises((TypeError, AttributeError)):
            table["x"] = 1
        with pytest.raises((TypeError, AttributeError)):
            table.clear()
    grown = ACME.with_request(LooseRequest, SearchResult, sender="server", method="acme/ask")
    assert ACME.requests == before
    assert ("acme/ask", NEWEST, "server") not in ACME.requests
    assert grown.requests[("acme/ask", NEWEST, "server")] is LooseRequest
    assert ACME.with_result_type("x").result_types == ACME.result_types | {"x"}


def test_registries_are_values() -> None:
    for registry in (EMPTY, ACME):
        for twin in (copy.copy(registry), copy.deepcopy(registry), pickle.loads(pickle.dumps(registry))):
            assert twin == registry
            assert hash(twin) == hash(registry)
            assert dict(twin.requests) == dict(registry.requests)
    assert ACME != EMPTY


def test_a_registered_request_through_the_wire() -> None:
    body = {"method": "acme/search", "params": {"query": "ü", "x": None, "_meta": META}}
    for version in ("2025-11-25", NEWEST):
        type_ = wire.request_type("acme/search", version, "client", registry=ACME)
        model = parse(type_, body, version, registry=ACME)
        assert type(model) is SearchRequest
        assert emit(model, version, registry=ACME) == body
    assert emit(SearchRequest(params=SearchParams(query="", page_size=5)), "2025-11-25") == {
        "method": "acme/search",
        "params": {"query": "", "pageSize": 5},
    }


def test_the_meta_keys_a_request_is_registered_with_are_its_mandate() -> None:
    bare = {"method": "acme/search", "params": {"query": ""}}
    found = refusal(SearchRequest, bare, NEWEST, registry=ACME)
    assert [entry[:2] for entry in found] == [
        ("missing_required_meta", ("params", "_meta", PROTOCOL_VERSION_KEY)),
        ("missing_required_meta", ("params", "_meta", CAPABILITIES_KEY)),
    ]
    assert parse(SearchRequest, bare, NEWEST)
    for version in OLDER:
        assert parse(SearchRequest, bare, version, registry=ACME)
        assert emit(SearchRequest(params=SearchParams(query="")), version, registry=ACME) == bare
    error = unsupported(SearchRequest(params=SearchParams(query="")), NEWEST, registry=ACME)
    assert error.pointers == ("/params/_meta/io.modelcontextprotocol~1clientCapabilities",)
    assert error.method == "acme/search"
    some = made(SearchRequest, params={"query": "", "_meta": {CAPABILITIES_KEY: {}}})
    assert emit(some, NEWEST, registry=ACME)["params"]["_meta"] == {CAPABILITIES_KEY: {}, PROTOCOL_VERSION_KEY: NEWEST}


@pytest.mark.parametrize("meta", [{"progressToken": 0}, {"progressToken": "t", "acme/key": None}])
def test_a_key_with_a_member_of_its_own_is_as_present_as_any(meta: dict[str, Any]) -> None:
    keys = ["progressToken", *list(meta)[1:]]
    registry = EMPTY.with_request(SearchRequest, SearchResult, sender="client", meta=keys)
    body = {"method": "acme/search", "params": {"query": "", "_meta": meta}}
    model = parse(SearchRequest, body, NEWEST, registry=registry)
    assert emit(model, NEWEST, registry=registry) == body
    lacking = {"method": "acme/search", "params": {"query": "", "_meta": {"acme/key": 1}}}
    found = refusal(SearchRequest, lacking, NEWEST, registry=registry)
    assert [entry[1] for entry in found] == [("params", "_meta", "progressToken")]


@pytest.mark.parametrize("meta", [5, "abc", PROTOCOL_VERSION_KEY, None, [], [PROTOCOL_VERSION_KEY], {}, True, 0])
@pytest.mark.parametrize("keys", [[PROTOCOL_VERSION_KEY], [PROTOCOL_VERSION_KEY, CAPABILITIES_KEY], ["acme/key"]])
def test_a_meta_that_is_no_object_has_no_keys(meta: Any, keys: list[str]) -> None:
    registry = EMPTY.with_request(LooseRequest, SearchResult, sender="client", method="acme/ask", meta=keys)
    body = {"method": "acme/ask", "params": {"_meta": meta}}
    found = refusal(LooseRequest, body, NEWEST, registry=registry)
    assert [entry[:2] for entry in found] == [("missing_required_meta", ("params", "_meta", key)) for key in keys]
    model = LooseRequest(method="acme/ask", params={"_meta": meta})
    if keys == [PROTOCOL_VERSION_KEY] and meta == {} and isinstance(meta, dict):
        assert emit(model, NEWEST, registry=registry)["params"] == {"_meta": {PROTOCOL_VERSION_KEY: NEWEST}}
    else:
        assert unsupported(model, NEWEST, registry=registry)


@pytest.mark.parametrize("params", [[], [1], 5, "s", True])
def test_params_that_are_no_object_have_no_meta(params: Any) -> None:
    registry = EMPTY.with_request(
        LooseRequest, SearchResult, sender="client", method="acme/ask", meta=[PROTOCOL_VERSION_KEY]
    )
    refusal(LooseRequest, {"method": "acme/ask", "params": params}, NEWEST, registry=registry)
    unsupported(LooseRequest(method="acme/ask", params=params), NEWEST, registry=registry)


def test_a_result_is_read_and_written_by_its_shape() -> None:
    type_ = wire.result_type("acme/search", NEWEST, "server", registry=ACME)
    assert type(parse(type_, {"hits": [], "resultType": "complete"}, NEWEST, registry=ACME)) is SearchResult
    later = parse(type_, {"ticket": "t", "resultType": "acme/later"}, NEWEST, registry=ACME)
    assert type(later) is LaterResult
    assert emit(later, NEWEST, registry=ACME) == {"ticket": "t", "resultType": "acme/later"}
    assert emit(SearchResult(hits=["h"]), NEWEST, registry=ACME) == {"hits": ["h"], "resultType": "complete"}


def test_result_types_of_ones_own_are_recognised() -> None:
    for type_, rest in (
        (types.CallToolResult, {"content": []}),
        (types.ServerResult, {"tools": []}),
        (types.Result, {}),
    ):
        for word in ("task", "acme/later", "complete", "input_required"):
            if (type_, word) != (types.ServerResult, "input_required"):
                assert parse(type_, {**rest, "resultType": word}, NEWEST, registry=ACME).result_type == word
        assert [e[:2] for e in refusal(type_, {**rest, "resultType": "other"}, NEWEST, registry=ACME)] == [
            ("result_type_invalid", ("resultType",))
        ]


def test_one_more_class_may_answer_a_method_of_the_protocol() -> None:
    registry = EMPTY.with_result(LaterResult, method="tools/call", sender="server", versions=[NEWEST])
    own = arms(wire.result_type("tools/call", NEWEST, "server", registry=registry))
    assert own == (types.InputRequiredResult, types.CallToolResult, LaterResult)
    assert arms(wire.result_type("tools/call", "2025-11-25", "server", registry=registry)) == arms(
        wire.result_type("tools/call", "2025-11-25", "server")
    )
    for body, name in (
        ({"ticket": "t"}, "LaterResult"),
        ({"content": []}, "CallToolResult"),
        ({"requestState": "s", "resultType": "input_required"}, "InputRequiredResult"),
    ):
        type_ = wire.result_type("tools/call", NEWEST, "server", registry=registry)
        assert type(parse(type_, body, NEWEST, registry=registry)).__name__ == name


def test_a_registered_method_takes_precedence_over_the_protocols_own() -> None:
    registry = EMPTY.with_request(OwnToolRequest, OwnToolResult, sender="client", versions=[NEWEST])
    assert wire.request_type("tools/call", NEWEST, "client", registry=registry) is OwnToolRequest
    assert wire.request_type("tools/call", "2025-11-25", "client", registry=registry) is types.CallToolRequest
    assert wire.result_type("tools/call", NEWEST, "server", registry=registry) is OwnToolResult
    body = {"method": "tools/call", "params": {"name": "t", "_meta": META}, "priority": 1}
    model = parse(OwnToolRequest, body, NEWEST, registry=registry)
    assert model.priority == 1
    assert emit(model, NEWEST, registry=registry) == body
    # It is a tools/call all the same: what the revision demands of that holds.
    assert refusal(OwnToolRequest, {"method": "tools/call", "params": {"name": "t"}}, NEWEST, registry=registry)
    note = EMPTY.with_notification(
        DoneNotification, sender="server", versions=[NEWEST], method="notifications/progress"
    )
    assert wire.notification_type("notifications/progress", NEWEST, "server", registry=note) is DoneNotification
    assert wire.notification_type("notifications/progress", NEWEST, "server") is types.ProgressNotification


def test_the_last_registration_of_a_method_counts() -> None:
    twice = ACME.with_request(LooseRequest, types.EmptyResult, sender="client", method="acme/search", versions=[NEWEST])
    assert wire.request_type("acme/search", NEWEST, "client", registry=twice) is LooseRequest
    assert wire.request_type("acme/search", "2025-11-25", "client", registry=twice) is SearchRequest
    assert arms(wire.result_type("acme/search", NEWEST, "server", registry=twice)) == (types.EmptyResult,)


def test_what_cannot_be_registered() -> None:
    class NoMethod(MCPModel):
        pass

    with pytest.raises(ValueError, match="method"):
        EMPTY.with_request(LooseRequest, SearchResult, sender="client")
    with pytest.raises(ValueError, match="method"):
        EMPTY.with_notification(NoMethod, sender="client")
    with pytest.raises(ValueError, match="answer"):
        EMPTY.with_request(SearchRequest, sender="client")
    for versions in (["2099-01-01"], ["2025-11-25", "x"]):
        with pytest.raises(wire.UnknownProtocolVersionError, match="unknown protocol version"):
            EMPTY.with_request(SearchRequest, SearchResult, sender="client", versions=versions)
        with pytest.raises(wire.UnknownProtocolVersionError, match="unknown protocol version"):
            EMPTY.with_notification(DoneNotification, sender="client", versions=versions)
        with pytest.raises(wire.UnknownProtocolVersionError, match="known: 2024-11-05, 2025-03-26"):
            EMPTY.with_result(SearchResult, method="m", sender="client", versions=versions)


def test_by_default_a_registration_is_for_every_revision() -> None:
    registry = EMPTY.with_request(SearchRequest, SearchResult, sender="server").with_notification(
        DoneNotification, sender="client"
    )
    for version in VERSIONS:
        assert wire.request_type("acme/search", version, "server", registry=registry) is SearchRequest
        assert wire.result_type("acme/search", version, "client", registry=registry) is SearchResult
        assert (
            wire.notification_type("notifications/acme/done", version, "client", registry=registry) is DoneNotification
        )


def test_a_sender_is_client_or_server() -> None:
    class Ask(types.Request[dict[str, Any] | None, Literal["acme/ask"]]):
        method: Literal["acme/ask"] = "acme/ask"

    with pytest.raises(ValueError, match="either client or server"):
        wire.Registry().with_request(Ask, types.EmptyResult, sender=cast("Any", "clinet"))


def test_the_meta_keys_are_those_of_the_version_they_were_registered_for() -> None:
    body = {"method": "acme/search", "params": {"query": "a"}}
    request = SearchRequest(params=SearchParams(query="a"))
    missing = ("missing_required_meta", ("params", "_meta", CAPABILITIES_KEY))
    registry = wire.Registry().with_request(
        SearchRequest, types.EmptyResult, sender="client", versions=[NEWEST], meta=[CAPABILITIES_KEY]
    )
    also = registry.with_request(SearchRequest, types.EmptyResult, sender="client", versions=OLDER)
    for known in (registry, also):
        assert [entry[:2] for entry in refusal(SearchRequest, body, NEWEST, registry=known)] == [missing]
        assert unsupported(request, NEWEST, registry=known).pointers == (
            "/params/_meta/" + CAPABILITIES_KEY.replace("/", "~1"),
        )
    elsewhere = wire.Registry().with_request(
        SearchRequest, types.EmptyResult, sender="client", versions=OLDER, meta=[CAPABILITIES_KEY]
    )
    assert emit(parse(SearchRequest, body, NEWEST, registry=elsewhere), NEWEST, registry=elsewhere) == body
    for version in OLDER:  # which demand no keys of any request
        for strict in (None, True, False):
            assert emit(request, version, registry=elsewhere, strict=strict) == body
            assert parse(SearchRequest, body, version, registry=elsewhere, strict=bool(strict)) == request


def test_the_meta_keys_are_those_of_the_method() -> None:
    keys: dict[str, Any] = {PROTOCOL_VERSION_KEY: NEWEST, CAPABILITIES_KEY: {}}
    registry = EMPTY.with_request(types.Request, types.Result, sender="client", method="acme/a", meta=["acme/k"])
    registry = registry.with_request(types.Request, types.Result, sender="server", method="acme/a", meta=["acme/l"])
    registry = registry.with_request(types.Request, types.Result, sender="client", method="acme/b")
    listed = {"method": "tools/list", "params": {"_meta": keys}}
    assert emit(parse(types.ListToolsRequest, listed, NEWEST, registry=registry), NEWEST, registry=registry) == listed
    assert emit(types.ListRootsRequest(), NEWEST, registry=registry) == {"method": "roots/list"}
    for method in ("acme/b", "acme/c"):
        bare = types.Request(method=method, params=None)
        assert emit(bare, NEWEST, registry=registry) == {"method": method}
        assert parse(types.Request, {"method": method}, NEWEST, registry=registry) == bare
    found = refusal(types.Request, {"method": "acme/a"}, NEWEST, registry=registry)
    assert [loc[-1] for _, loc, _ in found] == ["acme/k", "acme/l"]
    assert len(unsupported(types.Request(method="acme/a", params=None), NEWEST, registry=registry).findings) == 2
    mutated: Any = types.Request(method="acme/a", params=None)
    mutated.method = ["acme/a"]
    assert registry.meta_keys(mutated, NEWEST) == ()


def test_a_subclass_carries_what_its_base_must() -> None:
    class Narrower(SearchRequest):
        pass

    registry = wire.Registry().with_request(SearchRequest, types.EmptyResult, sender="client", meta=[CAPABILITIES_KEY])
    body = {"method": "acme/search", "params": {"query": "a"}}
    assert [entry[0] for entry in refusal(Narrower, body, NEWEST, registry=registry)] == ["missing_required_meta"]


TASK: dict[str, Any] = {"taskId": "t", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}


def test_a_registry_brings_back_what_a_revision_does_not_define() -> None:
    keys = [PROTOCOL_VERSION_KEY, CAPABILITIES_KEY]
    registry = (
        wire.Registry()
        .with_request(types.GetTaskRequest, types.GetTaskResult, sender="client", versions=[NEWEST], meta=keys)
        .with_result(types.CreateTaskResult, method="tools/call", sender="server", versions=[NEWEST])
        .with_result_type("task")
    )
    created = parse(types.CreateTaskResult, {"task": TASK, "resultType": "task"}, NEWEST, registry=registry)
    assert emit(created, NEWEST, registry=registry) == {"task": TASK, "resultType": "task"}
    assert emit(types.GetTaskResult.model_validate(TASK), NEWEST, registry=registry) == {
        **TASK,
        "resultType": "complete",
    }
    asked = {"method": "tasks/get", "params": {"taskId": "t", "_meta": META}}
    assert emit(parse(types.GetTaskRequest, asked, NEWEST, registry=registry), NEWEST, registry=registry) == asked
    bare = {"method": "tasks/get", "params": {"taskId": "t"}}
    assert [entry[0] for entry in refusal(types.GetTaskRequest, bare, NEWEST, registry=registry)] == [
        "missing_required_meta",
        "missing_required_meta",
    ]
    for other in (None, wire.Registry()):
        assert unsupported(created, NEWEST, registry=other).findings[0].type == "undefined_type"
        assert type(parse(types.GetTaskRequest, bare, NEWEST, registry=other)) is types.GetTaskRequest
    assert unsupported(types.PingRequest(), NEWEST, registry=registry).findings[0].type == "undefined_type"
    ping = wire.Registry().with_request(types.PingRequest, types.EmptyResult, sender="client", versions=[NEWEST])
    assert type(parse(types.PingRequest, {"method": "ping"}, NEWEST, strict=True, registry=ping)) is types.PingRequest
    for other in (None, registry):
        found = refusal(types.PingRequest, {"method": "ping"}, NEWEST, strict=True, registry=other)
        assert [entry[0] for entry in found] == ["undefined_type"]


def test_a_class_that_only_a_registry_has_is_held_to_what_the_surface_says_of_any() -> None:
    registry = wire.Registry().with_result(types.GetTaskResult, method="tools/call", sender="server", versions=[NEWEST])
    for more, where in (({}, "resultType"), ({"resultType": "complete", "_meta": {SERVER_INFO_KEY: 5}}, "_meta")):
        found = refusal(types.GetTaskResult, {**TASK, **more}, NEWEST, strict=True, registry=registry)
        assert [entry[1][0] for entry in found] == [where]
    whole = {**TASK, "resultType": "complete"}
    for read in (parse(types.GetTaskResult, whole, NEWEST, strict=True, registry=registry),):
        assert emit(read, NEWEST, registry=registry) == whole
    asked = wire.Registry().with_request(types.PingRequest, types.EmptyResult, sender="client", versions=[NEWEST])
    found = refusal(types.PingRequest, {"method": "ping", "params": 1}, NEWEST, strict=True, registry=asked)
    assert [entry[1] for entry in found] == [("params",)]


def test_the_audit_of_what_only_a_registry_has() -> None:
    registry = (
        wire.Registry()
        .with_request(types.PingRequest, types.EmptyResult, sender="client", versions=[NEWEST])
        .with_result(types.GetTaskResult, method="tools/call", sender="server", versions=[NEWEST])
        .with_result(types.CallToolResult, method="acme/x", sender="server", versions=["2025-03-26"])
    )
    ping, task = types.PingRequest(), types.GetTaskResult.model_validate(TASK)
    assert [wire.audit(one, NEWEST, registry=registry) for one in (ping, task)] == [[], []]
    for other in (None, wire.Registry()):
        assert [wire.audit(one, NEWEST, registry=other)[0].kind for one in (ping, task)] == ["method", "type"]
    assert [finding.kind for finding in wire.audit(ping, NEWEST)] == ["method"]
    bad = types.GetTaskResult.model_validate({**TASK, "_meta": {SERVER_INFO_KEY: 5}})
    assert [found.kind for found in wire.audit(bad, NEWEST, registry=registry)] == ["type"]
    asked = types.GetTaskRequest.model_validate({"method": "tasks/get", "params": {"taskId": "t"}})
    tasks = registry.with_request(types.GetTaskRequest, types.GetTaskResult, sender="client", versions=[NEWEST])
    assert wire.audit(asked, NEWEST, registry=tasks) == []
    assert [found.kind for found in wire.audit(asked, NEWEST, registry=registry)] == ["method"]
    own = EMPTY.with_request(types.Request, types.EmptyResult, method="acme/x", sender="client", versions=[NEWEST])
    kinds = [
        [found.kind for found in wire.audit(types.Request(method=method, params=None), NEWEST, registry=own)]
        for method in ("acme/x", "acme/y", "ping")
    ]
    assert kinds == [[], ["method"], ["method"]]
    called = types.CallToolResult(content=[], structured_content={})
    assert [found.pointer for found in wire.audit(called, "2025-03-26", registry=registry)] == ["/structuredContent"]


def test_a_result_may_be_registered_before_its_request() -> None:
    registry = wire.Registry().with_result(LaterResult, method="acme/search", sender="server")
    registry = registry.with_request(SearchRequest, SearchResult, sender="client")
    assert set(get_args(wire.result_type("acme/search", NEWEST, "server", registry=registry))) == {
        LaterResult,
        SearchResult,
    }
    again = registry.with_request(SearchRequest, types.EmptyResult, sender="client")
    assert wire.result_type("acme/search", NEWEST, "server", registry=again) is types.EmptyResult


def test_keys_of_a_registration_count_for_a_protocol_method_too() -> None:
    class MyCall(types.CallToolRequest):
        pass

    call = {"method": "tools/call", "params": {"name": "x", "_meta": META}}
    marked = {"method": "tools/call", "params": {"name": "x", "_meta": {**META, "acme/token": 1}}}
    for cls in (MyCall, types.CallToolRequest):
        registry = wire.Registry().with_request(cls, types.CallToolResult, sender="client", meta=["acme/token"])
        places = [entry[:2] for entry in refusal(cls, call, NEWEST, registry=registry)]
        assert places == [("missing_required_meta", ("params", "_meta", "acme/token"))]
        assert parse(cls, call, NEWEST) == parse(cls, call, NEWEST, registry=wire.Registry())
        model = parse(cls, marked, NEWEST, registry=registry)
        assert emit(model, NEWEST, registry=registry) == marked
        unmarked = parse(cls, call, NEWEST)
        found = unsupported(unmarked, NEWEST, registry=registry)
        assert [finding.pointer for finding in found.findings] == ["/params/_meta/acme~1token"]
        bare = cls(params=types.CallToolRequestParams.model_validate({"name": "x", "_meta": {"acme/token": 1}}))
        found = unsupported(bare, NEWEST, registry=registry)
        assert [finding.pointer for finding in found.findings] == [
            f"/params/_meta/{CAPABILITIES_KEY.replace('/', '~1')}"
        ]
        for version in OLDER:
            assert emit(unmarked, version, registry=registry) == call


def test_one_version_may_be_given_by_itself() -> None:
    registry = wire.Registry().with_request(SearchRequest, SearchResult, sender="client", versions=NEWEST)
    assert wire.request_type("acme/search", NEWEST, "client", registry=registry) is SearchRequest
    with pytest.raises(wire.UnknownMethodError):
        wire.request_type("acme/search", OLDER[0], "client", registry=registry)


def test_one_meta_key_may_be_given_by_itself() -> None:
    registry = EMPTY.with_request(SearchRequest, SearchResult, sender="client", meta=PROTOCOL_VERSION_KEY)
    assert {entry.meta for entry in registry.entries if entry.kind == "request"} == {(PROTOCOL_VERSION_KEY,)}
