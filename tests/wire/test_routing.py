"""Which class a message is, by method, version and sender: all five revisions, both directions, from the tables."""

from __future__ import annotations

import pickle
from typing import Any, cast, get_args

import pytest

from mcp_surfaces import types, wire
from mcp_surfaces.surface import Sender
from tests.fidelity.judge import pinned_schema

from .support import NEWEST, VERSIONS


@pytest.mark.parametrize("method", [[], {}, None, 5, ["ping"], b"ping"])
def test_a_method_that_is_no_string_is_unknown(method: Any) -> None:
    for version in VERSIONS:
        for sender in SENDERS:
            for look_up in (wire.request_type, wire.notification_type, wire.result_type):
                for registry in (None, wire.Registry()):
                    with pytest.raises(wire.UnknownMethodError) as raised:
                        look_up(method, version, sender, registry=registry)
                    assert type(method).__name__ in str(raised.value)


SENDERS: tuple[Sender, Sender] = ("client", "server")
TABLES = {
    ("client", "request"): wire.CLIENT_REQUEST_METHODS,
    ("server", "request"): wire.SERVER_REQUEST_METHODS,
    ("client", "notification"): wire.CLIENT_NOTIFICATION_METHODS,
    ("server", "notification"): wire.SERVER_NOTIFICATION_METHODS,
}
LOOK_UP = {"request": wire.request_type, "notification": wire.notification_type}


def union_methods(version: str, name: str) -> set[str]:
    """The methods of a union such as ClientRequest, read from the schema as upstream has it."""
    schema: Any = pinned_schema(version)["$defs"]
    definition = schema.get(name)
    if definition is None:
        return set()
    arms = definition.get("anyOf", [definition])
    found: set[str] = set()
    for arm in arms:
        target = schema[arm["$ref"].rsplit("/", 1)[-1]] if "$ref" in arm else arm
        found.add(target["properties"]["method"]["const"])
    return found


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("key", TABLES, ids="-".join)
def test_the_tables_are_those_of_the_schema(key: tuple[Sender, str], version: str) -> None:
    sender, kind = key
    methods = TABLES[key][version]
    assert isinstance(methods, frozenset)
    assert methods == union_methods(version, sender.capitalize() + kind.capitalize())
    assert set(TABLES[key]) == set(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("key", TABLES, ids="-".join)
def test_every_method_has_a_class_whose_method_it_is(key: tuple[Sender, str], version: str) -> None:
    sender, kind = key
    everything = {method for methods in TABLES.values() for table in methods.values() for method in table}
    for method in everything | {"", "x", "tools/call ", "TOOLS/CALL"}:
        if method in TABLES[key][version]:
            cls: Any = LOOK_UP[kind](method, version, sender)
            assert cls.model_fields["method"].default == method
            assert issubclass(cls, types.Request if kind == "request" else types.Notification)
            assert getattr(types, cls.__name__) is cls
        else:
            with pytest.raises(wire.UnknownMethodError) as raised:
                LOOK_UP[kind](method, version, sender)
            assert (raised.value.method, raised.value.version, raised.value.sender) == (method, version, sender)


RESULTS: dict[str, dict[str, tuple[str, ...]]] = {
    version: {
        "completion/complete": ("CompleteResult",),
        "initialize": ("InitializeResult",),
        "logging/setLevel": ("EmptyResult",),
        "ping": ("EmptyResult",),
        "prompts/get": ("GetPromptResult",),
        "prompts/list": ("ListPromptsResult",),
        "resources/list": ("ListResourcesResult",),
        "resources/read": ("ReadResourceResult",),
        "resources/subscribe": ("EmptyResult",),
        "resources/templates/list": ("ListResourceTemplatesResult",),
        "resources/unsubscribe": ("EmptyResult",),
        "tools/call": ("CallToolResult",),
        "tools/list": ("ListToolsResult",),
        "roots/list": ("ListRootsResult",),
        "sampling/createMessage": ("CreateMessageResult", "CreateMessageResultWithTools"),
        "elicitation/create": ("ElicitResult",),
    }
    for version in VERSIONS
}
RESULTS["2025-11-25"] |= {
    "tools/call": ("CallToolResult", "CreateTaskResult"),
    "sampling/createMessage": ("CreateMessageResult", "CreateMessageResultWithTools", "CreateTaskResult"),
    "elicitation/create": ("ElicitResult", "CreateTaskResult"),
    "tasks/get": ("GetTaskResult",),
    "tasks/result": ("GetTaskPayloadResult",),
    "tasks/cancel": ("CancelTaskResult",),
    "tasks/list": ("ListTasksResult",),
}
RESULTS[NEWEST] |= {
    "prompts/get": ("InputRequiredResult", "GetPromptResult"),
    "resources/read": ("InputRequiredResult", "ReadResourceResult"),
    "tools/call": ("InputRequiredResult", "CallToolResult"),
    "server/discover": ("DiscoverResult",),
    "subscriptions/listen": ("SubscriptionsListenResult",),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("asker", SENDERS)
def test_the_results_of_every_request(asker: Sender, version: str) -> None:
    answerer: Sender = "server" if asker == "client" else "client"
    for method in TABLES[(asker, "request")][version]:
        found = wire.result_type(method, version, answerer)
        names = tuple(arm.__name__ for arm in get_args(found) or (found,))
        assert set(names) == set(RESULTS[version][method]), method
        assert all(issubclass(getattr(types, name), types.Result) for name in names)
    for method in {"", "x"} | (set(RESULTS[NEWEST]) - set(TABLES[(asker, "request")][version])):
        with pytest.raises(wire.UnknownMethodError):
            wire.result_type(method, version, answerer)


def test_a_revision_has_what_its_history_says() -> None:
    clients, servers = wire.CLIENT_REQUEST_METHODS, wire.SERVER_REQUEST_METHODS
    assert all(("initialize" in clients[version]) == (version != NEWEST) for version in VERSIONS)
    assert [version for version in VERSIONS if "elicitation/create" in servers[version]] == ["2025-06-18", "2025-11-25"]
    assert [version for version in VERSIONS if "tasks/get" in clients[version]] == ["2025-11-25"]
    assert [version for version in VERSIONS if "tasks/get" in servers[version]] == ["2025-11-25"]
    assert servers[NEWEST] == frozenset()
    assert [version for version in VERSIONS if "server/discover" in clients[version]] == [NEWEST]
    assert wire.CLIENT_NOTIFICATION_METHODS[NEWEST] == {"notifications/cancelled"}


@pytest.mark.parametrize("version", ["2099-01-01", "", "2024-10-07"])
def test_an_unknown_version_has_no_methods(version: str) -> None:
    for call in (wire.request_type, wire.notification_type, wire.result_type):
        with pytest.raises(wire.UnknownProtocolVersionError):
            call("tools/call", version, "client")
    with pytest.raises(wire.UnknownProtocolVersionError):
        wire.surface_for(version)


def test_a_sender_is_one_of_two() -> None:
    for call in (wire.request_type, wire.notification_type, wire.result_type):
        for sender in ("peer", "", "Client"):
            with pytest.raises((ValueError, wire.UnknownMethodError)):
                cast("Any", call)("tools/call", NEWEST, sender)


def test_errors_say_method_version_and_sender_and_share_a_base() -> None:
    with pytest.raises(wire.UnknownMethodError) as raised:
        wire.request_type("x/" + "y" * 10_000, NEWEST, "client")
    error = raised.value
    assert isinstance(error, wire.WireError)
    assert isinstance(error, LookupError)
    assert "client" in str(error)
    assert NEWEST in str(error)
    assert len(str(error)) < 200
    assert len(repr(error)) < 400
    twin = pickle.loads(pickle.dumps(error))
    assert str(twin) == str(error)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_surface_says_what_it_serves(version: str) -> None:
    surface = wire.surface_for(version)
    assert version in surface.revisions
    assert surface.strict == (version == NEWEST)
    assert surface.batches == (() if version == NEWEST else ("2025-03-26",))
    assert set(surface.methods) == set(surface.revisions)
    assert wire.surface_for(version) is surface


def test_a_whole_session_needs_no_table_of_its_own() -> None:
    """A gateway routes a request, its answer and a notification with the three functions alone."""
    for version in VERSIONS:
        for sender in SENDERS:
            answerer: Sender = "server" if sender == "client" else "client"
            for method in sorted(TABLES[(sender, "request")][version]):
                assert wire.request_type(method, version, sender)
                assert wire.result_type(method, version, answerer)
            for method in sorted(TABLES[(sender, "notification")][version]):
                assert wire.notification_type(method, version, sender)
