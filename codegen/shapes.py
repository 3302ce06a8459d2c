"""A canonical schema read by meaning: references followed, `allOf` merged, unions as lists of arms, methods by role."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from codegen.canonical import Schema, escape, walk
from codegen.exact import KEPT, REFUSED

PREFIX = "#/$defs/"
UNIONS = ("anyOf", "oneOf")
REFUSING = KEPT | REFUSED
"""Keywords that may refuse something; all others only annotate."""
TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
ROLES = ("ClientRequest", "ServerRequest", "ClientNotification", "ServerNotification")
"""The unions that say which methods each side sends."""
ANSWERS = ("ClientResult", "ServerResult")


class Node(NamedTuple):
    """A subschema and where it stands."""

    schema: Schema
    pointer: str

    @property
    def ref(self) -> str | None:
        """The name of the definition this node refers to."""
        ref = self.schema.get("$ref")
        return ref[len(PREFIX) :] if isinstance(ref, str) else None


class Member(NamedTuple):
    """One member of an object."""

    node: Node
    required: bool


@dataclass(frozen=True)
class Method:
    """A method of one role: where its arm stands and the definition behind it (empty when inlined)."""

    name: str
    pointer: str
    definition: str


def node(schema: Any, pointer: str) -> Node:
    """The node of any schema, the boolean ones too, and of the lists of schemas that older drafts allow for items."""
    if isinstance(schema, dict):
        return Node(cast("Schema", schema), pointer)
    if isinstance(schema, list):
        return Node({"prefixItems": schema}, pointer)
    return Node({} if schema else {"not": {}}, pointer)


def is_any(at: Node) -> bool:
    """Whether the node admits every value."""
    return REFUSING.isdisjoint(at.schema)


def values(at: Node) -> list[Any] | None:
    """The values a `const` or `enum` admits; None where neither stands."""
    if "const" in at.schema:
        return [at.schema["const"]]
    return at.schema.get("enum")


def types(at: Node) -> frozenset[str]:
    """The JSON types the node's `type` admits; all where it says none."""
    declared = at.schema.get("type")
    if declared is None:
        return TYPES
    return frozenset([declared] if isinstance(declared, str) else declared)


def text(value: Any) -> str:
    """`value` as compact JSON."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def tokens(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer, unescaped."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def place(pointer: str) -> tuple[str, str]:
    """The definition a pointer leads into, and the dotted member below it: `("Tool", "inputSchema.properties")`.

    `[]` stands for the items of an array, `*` for the members an object does not name.
    """
    _, definition, *rest = tokens(pointer)
    members: list[str] = []
    parts = iter(rest)
    for part in parts:
        if part == "properties":
            members.append(next(parts))
        elif part == "additionalProperties":
            members.append("*")
        elif part == "items":
            members.append("[]")
    return definition, ".".join(members).replace(".[]", "[]")


class Shapes:
    """One canonical schema, to be asked about the meaning of its nodes."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.definitions: dict[str, Any] = schema["$defs"]
        self.metas = {
            self.final(name)
            for pointer, found in walk(self.definitions)
            if pointer.endswith("/properties/_meta") and (name := Node(found, pointer).ref)
        }
        """Definitions some `_meta` member refers to: their members are `_meta` keys."""
        frames = [self.members(self.definition(name)) for name in self.definitions if self._is_frame(name)]
        self.frames = sorted(frames, key=len, reverse=True)
        """The members of each JSON-RPC frame that carries any method at all, the largest first."""

    def definition(self, name: str) -> Node:
        """The body of a definition."""
        return node(self.definitions[name], f"/$defs/{escape(name)}")

    def at(self, pointer: str) -> Node:
        """The node a pointer leads to."""
        found: Any = self.schema
        for token in tokens(pointer):
            found = cast("Any", found[int(token)] if isinstance(found, list) else found[token])
        return node(found, pointer)

    def final(self, name: str) -> str:
        """The definition a chain of bare references ends in."""
        seen = {name}
        while (further := self.definition(name).ref) and further not in seen:
            seen.add(further)
            name = further
        return name

    def resolve(self, at: Node) -> Node:
        """`at` with references followed and `allOf` merged where its parts agree."""
        if at.ref is not None:
            return (
                self.resolve(self.definition(self.final(at.ref)))
                if self.final(at.ref) != at.ref
                else self._merged(self.definition(at.ref))
            )
        return self._merged(at)

    def _merged(self, at: Node) -> Node:
        if "allOf" not in at.schema:
            return at
        whole: Schema = {key: value for key, value in at.schema.items() if key != "allOf"}
        for part in at.schema["allOf"]:
            further = self.resolve(node(part, at.pointer)).schema
            merged = _merge(whole, further)
            if merged is None:
                return at
            whole = merged
        return Node(whole, at.pointer)

    def arms(self, at: Node) -> list[Node]:
        """The alternatives of a union, nested unions and type lists spread; of anything else, itself."""
        target = self.resolve(at)
        for key in UNIONS:
            if set(target.schema) & REFUSING == {key}:
                found = [node(arm, f"{target.pointer}/{key}/{i}") for i, arm in enumerate(target.schema[key])]
                return [inner for arm in found for inner in (self.arms(arm) if arm.ref is None else [arm])]
        declared = target.schema.get("type")
        if isinstance(declared, list):
            spread = cast("list[str]", declared)
            return [Node({**target.schema, "type": one}, target.pointer) for one in spread]
        return [at]

    def members(self, at: Node) -> dict[str, Member]:
        """The members an object names, in sorted order, with the pointer each stands at."""
        at = self.resolve(at)
        required = at.schema.get("required", [])
        named: Schema = at.schema.get("properties", {})
        names = sorted({*named, *required})
        parts = self._parts(at) if names else []
        return {name: Member(self._origin(at, parts, name), name in required) for name in names}

    def _parts(self, at: Node) -> list[Node]:
        """The resolved parts of the `allOf` that a resolved object was merged from; none where there was none."""
        parts = self.at(at.pointer).schema.get("allOf", [])
        return [self.resolve(node(part, f"{at.pointer}/allOf/{index}")) for index, part in enumerate(parts)]

    def _origin(self, at: Node, parts: list[Node], name: str) -> Node:
        """The member `name` of a resolved object, with the pointer of the last `allOf` part that declares it."""
        schema = at.schema.get("properties", {}).get(name, {})
        for inner in reversed(parts):
            if inner.schema.get("properties", {}).get(name) == schema:
                return self._origin(inner, self._parts(inner), name)
        return node(schema, f"{at.pointer}/properties/{escape(name)}")

    def methods(self) -> dict[str, dict[str, Method]]:
        """Role to its methods by name, whichever way the union is spelt; a role the schema lacks has none."""
        found: dict[str, dict[str, Method]] = {}
        for role in ROLES:
            arms = self.arms(Node({"$ref": PREFIX + role}, "")) if role in self.definitions else []
            tagged = [(arm, self.tag(arm, "method")) for arm in arms]
            found[role] = {
                method: Method(method, arm.pointer or f"/$defs/{role}", "" if arm.ref == role else arm.ref or "")
                for arm, method in tagged
                if method is not None
            }
        return found

    def requests(self) -> set[str]:
        """The definitions that stand in a role."""
        return {method.definition for methods in self.methods().values() for method in methods.values()}

    def tag(self, at: Node, name: str) -> str | None:
        """The one string the member `name` must be, if it must be one."""
        member = self.members(at).get(name)
        only = values(self.resolve(member.node)) if member else None
        return only[0] if only and len(only) == 1 and isinstance(only[0], str) else None

    def _is_frame(self, name: str) -> bool:
        members = self.members(self.definition(name))
        return (
            {"jsonrpc", "method"} <= members.keys()
            and self.tag(self.definition(name), "method") is None
            and all(member in ("id", "jsonrpc", "method", "params") for member in members)
            and "const" in members["jsonrpc"].node.schema
        )

    def is_meta(self, pointer: str) -> bool:
        """Whether the members of the object at `pointer` are `_meta` keys."""
        definition, member = place(pointer)
        return member == "_meta" or member.endswith("._meta") or (not member and definition in self.metas)

    def is_message(self, at: Node) -> bool:
        """Whether the node is a request, a notification, a result, a frame, or a union with one of these in it.

        Told by shape: a `method`, a `jsonrpc`, or the name of a result with everything `Result` has.
        """
        for arm in self.arms(at):
            members = self.members(arm)
            if "jsonrpc" in members or "method" in members:
                return True
            named = (arm.ref or tokens(arm.pointer)[-1]).endswith("Result") and "Result" in self.definitions
            if named and members.keys() >= self.members(self.definition("Result")).keys():
                return True
        return False

    def is_batch(self, at: Node) -> bool:
        """Whether the node is a list of JSON-RPC frames."""
        items = self.resolve(at).schema.get("items")
        return items is not None and all(
            "jsonrpc" in self.members(arm) for arm in self.arms(node(items, f"{at.pointer}/items"))
        )

    def live(self) -> set[str]:
        """The definitions that messages are made of; the others are helpers nothing on the wire refers to."""
        found: set[str] = set()
        waiting = [name for name in self.definitions if name in ANSWERS or self.is_message(self.definition(name))]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += references(self.definitions[name])
        return found

    def short(self, at: Node, depth: int = 2) -> str:
        """The node in a few words: `string`, `Icon[]`, `"a" | "b"`, `{name, title?}`."""
        if at.ref is not None:
            return at.ref
        at = self._merged(at)
        only = values(at)
        if only is not None:
            return " | ".join(text(value) for value in only)
        for key in (*UNIONS, "allOf"):
            if key in at.schema:
                joint = " & " if key == "allOf" else " | "
                return joint.join(self.short(node(arm, at.pointer), depth - 1) for arm in at.schema[key])
        if is_any(at):
            return "any"
        if "not" in at.schema:
            return "nothing"
        declared = at.schema.get("type", sorted(TYPES))
        if declared == "object" or "properties" in at.schema:
            return self._object(at, depth)
        if declared == "array":
            inner = self.short(node(at.schema.get("items", {}), at.pointer), depth)
            return f"({inner})[]" if " " in inner and not inner.startswith("{") else f"{inner}[]"
        return declared if isinstance(declared, str) else " | ".join(declared)

    def _object(self, at: Node, depth: int) -> str:
        members = self.members(at)
        if members and depth > 0:
            return "{" + ", ".join(name + ("" if member.required else "?") for name, member in members.items()) + "}"
        rest = node(at.schema.get("additionalProperties", {}), at.pointer)
        return "object" if members or is_any(rest) else f"map of {self.short(rest, depth - 1)}"


def references(schema: Any) -> Iterator[str]:
    """The names a schema refers to."""
    for pointer, found in walk(schema):
        name = Node(found, pointer).ref
        if name is not None:
            yield name


def _merge(one: Schema, other: Schema) -> Schema | None:
    """Both at once as one schema; None where a keyword's two values cannot simply be joined."""
    merged = dict(one)
    for key, value in other.items():
        mine: Any = merged.get(key, value)
        if key == "required":
            merged[key] = sorted({*mine, *value})
        elif key == "properties":
            joint = {name: _both(mine.get(name), value.get(name)) for name in sorted({*mine, *value})}
            merged[key] = joint
        elif mine == value or key not in REFUSING:
            merged[key] = value
        elif key == "additionalProperties" and (is_any(node(mine, "")) or is_any(node(value, ""))):
            merged[key] = value if is_any(node(mine, "")) else mine
        else:
            return None
    return merged


def _both(one: Any, other: Any) -> Any:
    if one is None or other is None or one == other:
        return other if one is None else one
    plain = all(isinstance(side, dict) and "$ref" not in side for side in (one, other))
    joint = _merge(one, other) if plain else None
    return {"allOf": [one, other]} if joint is None else joint
