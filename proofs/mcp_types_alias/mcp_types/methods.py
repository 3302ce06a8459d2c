"""The peer's method tables and method-keyed functions, computed from `wire` and written over it.

The tables are keyed by (method, version) and hold the exact models; a caller may pass tables of its own with more rows.
A row that is ours is judged and parsed by `wire`, at its version; any other row by the model itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import or_
from types import MappingProxyType
from typing import Any, Final, Literal, TypeGuard, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

import mcp_types._v2025_11_25 as v2025
import mcp_types._v2026_07_28 as v2026
from mcp_surfaces import types, wire
from mcp_surfaces.base import MISSING
from mcp_surfaces.wire import KNOWN_PROTOCOL_VERSIONS

__all__ = [
    "CACHEABLE_METHODS",
    "CLIENT_NOTIFICATIONS",
    "CLIENT_REQUESTS",
    "CLIENT_RESULTS",
    "INPUT_REQUIRED_METHODS",
    "MONOLITH_NOTIFICATIONS",
    "MONOLITH_REQUESTS",
    "MONOLITH_RESULTS",
    "SERVER_NOTIFICATIONS",
    "SERVER_REQUESTS",
    "SERVER_RESULTS",
    "SPEC_CLIENT_METHODS",
    "SPEC_CLIENT_NOTIFICATION_METHODS",
    "CacheableMethod",
    "is_input_required",
    "parse_client_notification",
    "parse_client_request",
    "parse_client_result",
    "parse_server_notification",
    "parse_server_request",
    "parse_server_result",
    "serialize_server_result",
    "validate_client_notification",
    "validate_client_request",
    "validate_client_result",
    "validate_server_result",
]

Side = Literal["client", "server"]
Row = Any
Table = Mapping[tuple[str, str], Row]
CacheableMethod = Literal[
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/list",
]
OTHER: dict[Side, Side] = {"client": "server", "server": "client"}


def arms(kind: Row) -> tuple[Any, ...]:
    """The classes of a union, or the one class."""
    return get_args(kind) or (kind,)


def exact(kind: Row, version: str) -> Row:
    """The exact models of a superset class or union; a bare union of them where there are several."""
    surface = v2026 if version == KNOWN_PROTOCOL_VERSIONS[-1] else v2025
    names = [
        {"ElicitCompleteNotification": "ElicitationCompleteNotification"}.get(arm.__name__, arm.__name__)
        for arm in arms(kind)
    ]
    found = dict.fromkeys(getattr(surface, name) for name in names if hasattr(surface, name))
    return reduce(or_, sorted(found, key=lambda model: model.__name__ == "InputRequiredResult"))


def table(methods: Mapping[str, frozenset[str]], find: Callable[[str, str, Side], Row], side: Side) -> Table:
    """One of the peer's tables. It leaves the tasks to extensions, so ours leave them out."""
    return MappingProxyType(
        {
            (method, version): exact(find(method, version, side), version)
            for version in KNOWN_PROTOCOL_VERSIONS
            for method in sorted(methods[version])
            if "tasks/" not in method
        }
    )


def untasked(method: str, version: str, side: Side) -> Row:
    """What a request is answered with, without the tasks."""
    kept = [arm for arm in arms(wire.result_type(method, version, side)) if arm is not types.CreateTaskResult]
    single = [arm for arm in kept if arm is not types.CreateMessageResultWithTools]
    return reduce(or_, single)


CLIENT_REQUESTS: Final = table(wire.CLIENT_REQUEST_METHODS, wire.request_type, "client")
CLIENT_NOTIFICATIONS: Final = table(wire.CLIENT_NOTIFICATION_METHODS, wire.notification_type, "client")
SERVER_REQUESTS: Final = table(wire.SERVER_REQUEST_METHODS, wire.request_type, "server")
SERVER_NOTIFICATIONS: Final = table(wire.SERVER_NOTIFICATION_METHODS, wire.notification_type, "server")
SERVER_RESULTS: Final = table(wire.CLIENT_REQUEST_METHODS, untasked, "server")
CLIENT_RESULTS: Final = table(wire.SERVER_REQUEST_METHODS, untasked, "client")

SPEC_CLIENT_METHODS: Final = frozenset(method for method, _ in CLIENT_REQUESTS)
SPEC_CLIENT_NOTIFICATION_METHODS: Final = frozenset(method for method, _ in CLIENT_NOTIFICATIONS)


def monolith(*tables: tuple[Table, Callable[[str, str, Side], Row], Side]) -> Mapping[str, Row]:
    """Method to superset type, at any version; the newest version's where they differ."""
    return MappingProxyType(
        {method: find(method, version, side) for rows, find, side in tables for method, version in rows}
    )


def superset_result(method: str, version: str, side: Side) -> Row:
    """What a request is answered with in the superset, in the peer's order."""
    kept = [arm for arm in arms(wire.result_type(method, version, side)) if arm is not types.CreateTaskResult]
    if types.CreateMessageResult in kept and types.CreateMessageResultWithTools not in kept:
        kept.append(types.CreateMessageResultWithTools)
    return reduce(or_, sorted(kept, key=lambda arm: arm is types.InputRequiredResult))


MONOLITH_REQUESTS: Final = monolith(
    (CLIENT_REQUESTS, wire.request_type, "client"), (SERVER_REQUESTS, wire.request_type, "server")
)
MONOLITH_NOTIFICATIONS: Final = monolith(
    (CLIENT_NOTIFICATIONS, wire.notification_type, "client"), (SERVER_NOTIFICATIONS, wire.notification_type, "server")
)
MONOLITH_RESULTS: Final = monolith(
    (SERVER_RESULTS, superset_result, "server"), (CLIENT_RESULTS, superset_result, "client")
)


def methods_with(base: type[types.Result]) -> frozenset[str]:
    """Methods one of whose results is of this class."""
    return frozenset(
        method for method, row in MONOLITH_RESULTS.items() if any(issubclass(arm, base) for arm in arms(row))
    )


CACHEABLE_METHODS: Final = methods_with(types.CacheableResult)
INPUT_REQUIRED_METHODS: Final = methods_with(types.InputRequiredResult)


def is_input_required(result: object) -> TypeGuard[types.InputRequiredResult | dict[str, Any]]:
    """Whether a result, typed or as data, is the interim one."""
    if isinstance(result, types.InputRequiredResult):
        return True
    return isinstance(result, Mapping) and result.get("resultType") == "input_required"


@cache
def adapter(kind: Row) -> TypeAdapter[Any]:
    """The validator of a row."""
    return TypeAdapter(kind)


def known(version: str) -> None:
    """Refuse a version that is not known."""
    if version not in KNOWN_PROTOCOL_VERSIONS:
        raise ValueError(f"unknown protocol version {version!r}")


def body(method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    """A body, without params where there are none."""
    return {"method": method} if params is None else {"method": method, "params": params}


def is_ours(row: Row) -> bool:
    """Whether a row is of the tables above."""
    return all(
        isinstance(arm, type) and arm.__module__.startswith(("mcp_surfaces.", "mcp_types.")) for arm in arms(row)
    )


def judge(row: Row, kind: Callable[[], Row], data: dict[str, Any], version: str, stub: dict[str, Any]) -> None:
    """Validate what arrives: a row of ours by `wire`, strictly where the revision has no handshake, else leniently.

    There, a `resultType` that is no core one belongs to an extension, and the SDK itself finds out whose.
    """
    modern = "initialize" not in wire.CLIENT_REQUEST_METHODS[version]
    if modern and data.get("resultType", "complete") not in tuple(types.CORE_RESULT_TYPES):
        return
    try:
        adapter(row).validate_python({**stub, **data})
    except ValidationError:
        if not is_ours(row) or (modern and "method" in data):
            raise
        wire.parse_as(kind(), data, version)


def read(monolith: Mapping[str, Row], method: str, data: Mapping[str, Any], version: str) -> Any:
    """Parse into the superset."""
    if method not in monolith:
        raise RuntimeError(f"inconsistent extension maps: no superset type for {method!r}")
    kind = monolith[method]
    if all(issubclass(arm, types.Request | types.Notification | types.Result) for arm in arms(kind)) and is_ours(kind):
        return wire.parse_as(kind, dict(data), version)
    return adapter(kind).validate_python(data, by_name=False)


def _validate_message(
    find: Callable[[str, str, Side], Row],
    side: Side,
    surface: Table,
    method: str,
    version: str,
    params: Any,
    ident: bool,
) -> None:
    known(version)
    row = surface[method, version]
    stub = {"jsonrpc": "2.0", **({"id": 0} if ident else {})}
    judge(row, lambda: find(method, version, side), body(method, params), version, stub)


def validate_client_request(
    method: str, version: str, params: Mapping[str, Any] | None, *, surface: Table = CLIENT_REQUESTS
) -> None:
    """Validate a client's request."""
    _validate_message(wire.request_type, "client", surface, method, version, params, True)


def validate_client_notification(
    method: str, version: str, params: Mapping[str, Any] | None, *, surface: Table = CLIENT_NOTIFICATIONS
) -> None:
    """Validate a client's notification."""
    _validate_message(wire.notification_type, "client", surface, method, version, params, False)


def parse_client_request(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Table = CLIENT_REQUESTS,
    monolith: Mapping[str, Row] = MONOLITH_REQUESTS,
) -> Any:
    """Validate and parse a client's request."""
    validate_client_request(method, version, params, surface=surface)
    return read(monolith, method, body(method, params), version)


def parse_server_request(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Table = SERVER_REQUESTS,
    monolith: Mapping[str, Row] = MONOLITH_REQUESTS,
) -> Any:
    """Validate and parse a server's request."""
    _validate_message(wire.request_type, "server", surface, method, version, params, True)
    return read(monolith, method, body(method, params), version)


def parse_client_notification(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Table = CLIENT_NOTIFICATIONS,
    monolith: Mapping[str, Row] = MONOLITH_NOTIFICATIONS,
) -> Any:
    """Validate and parse a client's notification."""
    validate_client_notification(method, version, params, surface=surface)
    return read(monolith, method, body(method, params), version)


def parse_server_notification(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Table = SERVER_NOTIFICATIONS,
    monolith: Mapping[str, Row] = MONOLITH_NOTIFICATIONS,
) -> Any:
    """Validate and parse a server's notification."""
    _validate_message(wire.notification_type, "server", surface, method, version, params, False)
    return read(monolith, method, body(method, params), version)


def serialize_server_result(
    method: str, version: str, data: Mapping[str, Any], *, surface: Table = SERVER_RESULTS
) -> dict[str, Any]:
    """Validate a server's result and return it as it goes out."""
    known(version)
    row = surface[method, version]
    if is_ours(row):
        model = wire.parse_as(wire.result_type(method, version, "server"), dict(data), version)
        return sieved(adapter(row).validate_python(wire.serialize_for(model, version, strict=True)))
    model = adapter(row).validate_python(data, by_name=False)
    return adapter(row).dump_python(model, by_alias=True, mode="json", exclude_none=True)


def sieved(value: Any) -> Any:
    """Drop the members that only other revisions define: the peer's function promises that, `wire` never does it."""
    if isinstance(value, BaseModel):
        declared = type(value).model_fields.items()
        mine = {field.alias or name: value.__dict__[name] for name, field in declared}
        mine = {key: item for key, item in mine.items() if item is not MISSING}
        superset = getattr(types, type(value).__name__, None)
        known_anywhere = superset.model_fields if isinstance(superset, type) and issubclass(superset, BaseModel) else {}
        foreign = {field.alias or name for name, field in known_anywhere.items()}
        rest = {key: item for key, item in (value.model_extra or {}).items() if key not in foreign}
        return {key: sieved(item) for key, item in (*mine.items(), *rest.items())}
    if isinstance(value, list):
        return [sieved(item) for item in value]
    if isinstance(value, dict):
        return {key: sieved(item) for key, item in value.items()}
    return value


def _validate_result(side: Side, surface: Table, method: str, version: str, data: Mapping[str, Any]) -> None:
    known(version)
    row = surface[method, version]
    judge(row, lambda: wire.result_type(method, version, side), dict(data), version, {})


def validate_server_result(
    method: str, version: str, data: Mapping[str, Any], *, surface: Table = SERVER_RESULTS
) -> None:
    """Validate a server's result."""
    _validate_result("server", surface, method, version, data)


def validate_client_result(
    method: str, version: str, data: Mapping[str, Any], *, surface: Table = CLIENT_RESULTS
) -> None:
    """Validate a client's result."""
    _validate_result("client", surface, method, version, data)


def parse_server_result(
    method: str,
    version: str,
    data: Mapping[str, Any],
    *,
    surface: Table = SERVER_RESULTS,
    monolith: Mapping[str, Row] = MONOLITH_RESULTS,
) -> Any:
    """Validate and parse a server's result."""
    validate_server_result(method, version, data, surface=surface)
    return read(monolith, method, data, version)


def parse_client_result(
    method: str,
    version: str,
    data: Mapping[str, Any],
    *,
    surface: Table = CLIENT_RESULTS,
    monolith: Mapping[str, Row] = MONOLITH_RESULTS,
) -> Any:
    """Validate and parse a client's result."""
    validate_client_result(method, version, data, surface=surface)
    return read(monolith, method, data, version)
