"""Tables: what the wire needs to know of each revision and surface, derived from the named schemas.

Methods by direction and what answers them; which bodies a surface defines, what they must carry, and who supplies it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codegen.bases import Bases
from codegen.canonical import Schema, escape
from codegen.merge import Superset, body
from codegen.name import is_record, target
from codegen.policy import Line, Policy, Undecided
from codegen.union import arms_of

GENERIC = ("Notification", "Request")
SENDERS = ("client", "server")
Defs = Mapping[str, Schema]


@dataclass
class Methods:
    """The messages one side may send at one revision, by method: class names of the superset."""

    requests: dict[str, str] = field(default_factory=dict[str, str])
    results: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Request method to the classes that may answer it; the other side sends those."""
    notifications: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class Body:
    """What a surface demands of one body beyond its shape; mirrors `mcp_surfaces.surface.Body`."""

    definition: str
    kind: str
    enveloped: bool
    inject: dict[str, Any]
    inject_meta: dict[str, str]
    caller_meta: tuple[str, ...]


def has_batches(defs: Defs) -> bool:
    """Whether the revision of `defs` has JSON-RPC batches."""
    return "JSONRPCBatchRequest" in defs


def method_of(node: Schema) -> str | None:
    """The method that a request or notification definition is for, or None."""
    value: str | None = node.get("properties", {}).get("method", {}).get("const")
    return value


def arms(defs: Defs, union: str) -> list[str]:
    """The definitions in a message union, whatever form the revision gives it."""
    node = defs.get(union, {})
    if is_record(node):
        return [name for name, other in defs.items() if name != union and method_of(other) == method_of(node)]
    return [name for arm in arms_of(node) if (name := target(arm)) is not None]


def methods(defs: Defs, sender: str, superset: Superset, policy: Policy) -> Methods:
    """What `sender` may send at the revision of `defs`, in alphabetical order of the methods."""
    result = Methods()
    side = sender.capitalize()
    for name in arms(defs, f"{side}Request"):
        method = method_of(defs[name])
        if method is not None:
            result.requests[method] = superset.aliases.get(name, name)
            result.results[method] = answers(defs, name, policy)
    for name in arms(defs, f"{side}Notification"):
        method = method_of(defs[name])
        if method is not None:
            result.notifications[method] = superset.aliases.get(name, name)
    return Methods(
        dict(sorted(result.requests.items())),
        dict(sorted(result.results.items())),
        dict(sorted(result.notifications.items())),
    )


def answers(defs: Defs, request: str, policy: Policy) -> tuple[str, ...]:
    """The classes that may answer `request`: those of its response frame, or by the name of the request."""
    stem = request.removesuffix("Request")
    frame = defs.get(f"{stem}ResultResponse", {}).get("properties", {}).get("result")
    if frame is not None:
        names = [name for arm in arms_of(frame) if (name := target(arm)) is not None]
    else:
        names = [f"{stem}Result" if f"{stem}Result" in defs else "EmptyResult"]
    if "CreateTaskResult" in defs and takes_task(defs, defs[request].get("properties", {}).get("params", {})):
        names.append("CreateTaskResult")
    for name, variant in policy["variants"].items():
        if variant["of"] in names:
            names.insert(names.index(variant["of"]) + 1, name)
    return tuple(names)


def takes_task(defs: Defs, params: Schema) -> bool:
    """Whether params, or an arm of theirs, may ask for a task."""
    waiting, seen = [params], set[str]()
    while waiting:
        node = waiting.pop()
        name = target(node)
        if name is not None:
            waiting += [] if name in seen else [defs[name]]
            seen.add(name)
        elif arms_of(node) != [node]:
            waiting += arms_of(node)
        elif "task" in node.get("properties", {}):
            return True
    return False


def bodies(revision: str, defs: Defs, superset: Superset, bases: Bases, policy: Policy) -> dict[str, Body]:
    """Every request, notification and result of the superset that the surface of `revision` defines.

    Asks for who supplies a `_meta` key that is required here.
    """
    result: dict[str, Body] = {}
    spelt = {**{superset.aliases.get(name, name): name for name in defs}, **{name: name for name in defs}}
    for variant, source in superset.sources.items():
        if source in defs:
            spelt.setdefault(variant, source)
    for name in sorted({*superset.defs, *GENERIC}):
        kind = bases.root(name).lower()
        record = name in GENERIC or superset.defs[name].get("type") == "object"
        if kind not in ("request", "notification", "result") or not record or spelt.get(name) not in defs:
            continue
        node = defs[spelt[name]]
        while (referred := target(node)) is not None:
            node = defs[referred]
        result[name] = demands(revision, spelt[name], kind, node, defs, policy)
    return result


def demands(revision: str, definition: str, kind: str, node: Schema, defs: Defs, policy: Policy) -> Body:
    """What one body must hold, and who supplies it."""
    inject: dict[str, Any] = {}
    holder, where = node, definition
    if kind == "result":
        for member in node.get("required", []):
            value = policy.decide("inject", f"{definition}.{member}")
            if value is not None:
                inject[member] = value
    else:
        where = target(node.get("properties", {}).get("params", {})) or definition
        holder = defs[where] if "params" in node.get("required", []) and where != definition else {}
    required: list[str] = []
    if "_meta" in holder.get("required", []):
        required = defs.get(target(holder["properties"]["_meta"]) or "", {}).get("required", [])
    inject_meta = {key: value for key in required if (value := policy.decide("inject_meta", key)) is not None}
    caller = tuple(key for key in required if key not in inject_meta)
    for key in caller:
        if not policy.lists("caller", key):
            pointer = f"/$defs/{escape(where)}/properties/_meta"
            what = f"`_meta` must hold {key}: does the caller supply it, or the wire (under [inject_meta])?"
            policy.ask(Undecided(revision, pointer, what, Line("surfaces", ("caller", key)), None))
    return Body(definition, kind, "jsonrpc" in node.get("properties", {}), inject, inject_meta, caller)


def unsupplied(revision: str, defs: Defs, superset: Superset, bases: Bases, policy: Policy) -> None:
    """Decide who supplies a member required here and optional in the superset, where no policy line does.

    The wire sets members of result bodies alone, so anything else is the caller's. One that was never optional before
    is the caller's, too. A constant is no guess, and the wire sets it where it can. Raises Problem for anything else
    that became required.
    """
    for name, node in defs.items():
        final = superset.aliases.get(name, name)
        ours = superset.defs.get(final, {})
        for member in body(node).get("required", []) if is_record(node) else ():
            place = f"{name}.{member}"
            optional = member in ours.get("properties", {}) and member not in ours.get("required", [])
            if not optional or member in ("_meta", "params"):
                continue
            wire = bases.root(final) == "Result"
            if (wire and policy.decide("inject", place) is not None) or policy.lists("caller", place):
                continue
            constant = node["properties"][member].get("const")
            value = constant if wire else None
            line = Line("surfaces", ("caller" if value is None else "inject", place))
            what = f"requires {member}, which the superset may leave unset: "
            what += "caller, or a value under [inject]?" if wire else "only the caller can supply it, is that so?"
            undecided = Undecided(revision, f"/$defs/{escape(name)}/required", what, line, value)
            if constant is None and newly_required(revision, member, superset.shapes.get(final, {})):
                raise undecided.problem
            policy.ask(undecided)


def newly_required(revision: str, member: str, shapes: Mapping[str, Schema]) -> bool:
    """Whether a definition required `member` at `revision`, and at some revision before did not."""
    before = list(shapes)[: list(shapes).index(revision)] if revision in shapes else []
    return any(member not in shapes[earlier].get("required", []) for earlier in before)
