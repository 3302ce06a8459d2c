"""What a model can say exactly: the rest is written otherwise where that means the same, or refused with its line.

A schema that passes says, to the letter, what the surface generated from it will accept. A constraint that no model has
can be lifted by a line in `amendments.toml`: a surface is exact against the amended schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic_core import SchemaError, SchemaValidator, core_schema

from codegen.canonical import Schema, escape, is_list, rewrite, walk
from codegen.policy import Line, Undecided
from codegen.problems import Problem

SHAPE = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "type"})
"""Keywords of which every node but an empty one has some."""
MEMBERS = frozenset({"additionalProperties", "properties", "required"})
LIMITS = frozenset({"maximum", "maxItems", "maxLength", "minimum", "minItems", "minLength", "pattern"})
KEPT = SHAPE | MEMBERS | LIMITS | {"items"}
REFUSED = frozenset({
    "$dynamicRef", "$recursiveRef", "additionalItems", "contains", "dependencies", "dependentRequired",
    "dependentSchemas", "else", "exclusiveMaximum", "exclusiveMinimum", "if", "maxContains",
    "maxProperties", "minContains", "minProperties", "multipleOf", "not", "oneOf",
    "patternProperties", "prefixItems", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    "uniqueItems",
})  # fmt: skip
"""Keywords that no model has; what is neither here nor in `KEPT` refuses nothing."""
NEVER = "no model has a value that can never be"
DIALECTAL = re.compile(r"\\[dDwWsSbBpPu]")
"""What JSON Schema's regular expressions and ours take to mean different things."""


def settled(revision: str, schema: Schema) -> Schema:
    """`schema` without what refuses nothing, and with everything else in the form that models have.

    Raises Problem for the first constraint that has none.
    """
    for name, node in sorted(schema["$defs"].items()):
        pointer = f"/$defs/{escape(name)}"
        if node is False:
            raise unsaid(revision, pointer, NEVER)
        for inner, part in walk(node, pointer):
            for way, what in refused(part):
                raise unsaid(revision, f"{inner}/{way}", what)
    whole = {name: _plain(node) for name, node in schema["$defs"].items()}
    return {**schema, "$defs": {name: rewrite(node, _settled) for name, node in whole.items()}}


def unsaid(revision: str, pointer: str, what: str) -> Problem:
    """The stop at a constraint that no model has, with the line that lifts it."""
    line = Line("amendments", ("lift", f"{revision}#{pointer}"))
    return Undecided(revision, pointer, what, line, "No model can say it.").problem


def refused(node: Schema) -> Iterator[tuple[str, str]]:
    """The constraints of one node that no model has: the way to each, and what is wrong."""
    for key in sorted(REFUSED & node.keys()):
        yield key, f"no model has this {key}"
    if is_list(node.get("items")):
        yield "items", "no model has this items"
    for way in _never(node):
        yield way, NEVER
    used = KEPT & node.keys()
    if "$ref" in used:
        yield from ((key, f"no model has {key} beside a reference") for key in sorted(used - {"$ref"}))
    if "anyOf" in used and len(used) > 1:
        yield "anyOf", "no model has a union beside other constraints"
    listed = "const" if "const" in used else "enum"
    if listed in used:
        yield from ((key, f"no model has {key} beside {listed}") for key in sorted(used - {listed, "type"}))
    if used.isdisjoint(SHAPE):
        what = "for some types of values only, and no type is given"
        yield from ((key, f"no model has {key} {what}") for key in sorted(used))
    if isinstance(node.get("type"), list):
        yield from ((key, f"no model has {key} beside a list of types") for key in sorted(used & MEMBERS))
    for key, values in (("const", [node.get("const")]), ("enum", node.get("enum", []))):
        if key in node and not all(map(_is_literal, values)):
            yield key, f"no model tells these values from all others: {key}"
    if "pattern" in node and not _is_portable(node["pattern"]):
        yield "pattern", "this pattern means something else to other readers of it"


def _never(node: Schema) -> Iterator[str]:
    """The ways to what is `false`."""
    for key in ("additionalProperties", "items"):
        if node.get(key) is False:
            yield key
    for name, member in node.get("properties", {}).items():
        if member is False:
            yield f"properties/{escape(name)}"
    for index, arm in enumerate(node.get("anyOf", [])):
        if arm is False:
            yield f"anyOf/{index}"


def _is_literal(value: Any) -> bool:
    """Whether a `Literal` has this value alone: to Python `True` is 1, and a `Literal` holds no fraction."""
    return value is None or isinstance(value, str) or (type(value) is int and value not in (0, 1))


def _is_portable(pattern: str) -> bool:
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        return False
    return DIALECTAL.search(pattern) is None


def _plain(node: Any) -> Any:
    return {} if node is True else node


def _settled(node: Schema) -> Schema:
    """One node, its parts being settled."""
    result = {key: value for key, value in node.items() if key in KEPT}
    members: Schema = {name: _plain(member) for name, member in result.get("properties", {}).items()}
    undeclared = [name for name in result.get("required", []) if name not in members]
    if "properties" in result or undeclared:
        result["properties"] = {**members, **{name: {} for name in undeclared}}
    if "items" in result:
        result["items"] = _plain(result["items"])
    for key in ("allOf", "anyOf"):
        if key in result:
            result[key] = [_plain(arm) for arm in result[key]]
    return result["allOf"][0] if result.keys() == {"allOf"} and len(result["allOf"]) == 1 else result
