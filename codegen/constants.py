"""Constants of the superset: reserved `_meta` keys and error codes read from the schemas, a few more from policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from codegen.canonical import Schema, unescape, walk
from codegen.policy import Line, Policy, Undecided
from codegen.shapes import Shapes, node, place, text, values

Value = str | int


@dataclass(frozen=True)
class Constant:
    """One module constant: its name, the text of its type and value, and its docstring."""

    name: str
    type: str
    value: str
    doc: str


@dataclass(frozen=True)
class Stated:
    """A constant as one schema states it: its value, and where it stands."""

    name: str
    value: Value
    pointer: str

    def __str__(self) -> str:
        return f"{self.name} = {text(self.value)}"


def upper(camel: str) -> str:
    """`camelCase` as `CAMEL_CASE`; what no name may hold, or begin with, becomes an underscore."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|^(?=[0-9])", "_", camel)
    return re.sub(r"\W+", "_", words).upper()


def code_name(definition: str) -> str:
    """The constant for the code of an error definition: `HeaderMismatchErrorObject` gives `HEADER_MISMATCH`."""
    words = upper(definition.removesuffix("Object").removesuffix("Error"))
    return words if "_" in words else f"{words}_ERROR"


def stated(schema: Schema) -> list[Stated]:
    """What a canonical schema states: `_meta` keys with a prefix, and the one number that a `code` may be.

    A code is called by its definition and the members that lead to it, but for the `error` of a frame.
    """
    shapes = Shapes(schema)
    found: list[Stated] = []
    for pointer, part in walk(schema):
        owner, _, key = pointer.rpartition("/properties/")
        if not owner.startswith("/$defs/") or "/" in key:
            continue
        member = unescape(key)
        prefix, _, word = member.rpartition("/")
        if prefix and shapes.is_meta(owner):
            found.append(Stated(f"{upper(word)}_META_KEY", member, pointer))
        elif member == "code" and (code := _code(shapes, part, pointer)) is not None:
            definition, path = place(pointer)
            way = path.split(".")[:-1]
            named = "".join(part[:1].upper() + part[1:] for part in (way[:-1] if way[-1:] == ["error"] else way))
            found.append(Stated(code_name(definition + named), code, pointer))
    return found


def _code(shapes: Shapes, part: Schema, pointer: str) -> int | None:
    only = values(shapes.resolve(node(part, pointer)))
    return only[0] if only is not None and len(only) == 1 and type(only[0]) is int else None


def constants(schemas: Mapping[str, Schema], policy: Policy) -> list[Constant]:
    """Every constant, sorted by name.

    One that the schemas give several values is decided in `superset.toml`, whatever the revision. Raises Problem for
    one that is not: either value would be wrong in some sessions.
    """
    found: dict[str, dict[str, list[Stated]]] = {}
    for revision, schema in schemas.items():
        for one in stated(schema):
            found.setdefault(one.name, {}).setdefault(revision, []).append(one)
    result = {name: _constant(name, each, policy) for name, each in found.items() if name not in policy["constants"]}
    for name, entry in policy["constants"].items():
        result[name] = Constant(name, entry.get("type", ""), entry["value"], entry["doc"])
    return [result[name] for name in sorted(result)]


def _constant(name: str, found: Mapping[str, list[Stated]], policy: Policy) -> Constant:
    """One constant; `found` is what each revision states."""
    said = {revision: sorted({text(one.value) for one in each}) for revision, each in found.items()}
    kind = "Error code" if isinstance(next(iter(found.values()))[0].value, int) else "Reserved `_meta` key"
    distinct = list(dict.fromkeys(value for each in said.values() for value in each))
    if len(distinct) == 1:
        return Constant(name, "", distinct[0], f"{kind}.")
    told = "; ".join(f"{' and '.join(each)} at {revision}" for revision, each in said.items())
    newest = list(found)[-1]
    decided: Value | None = policy.decide("values", name)
    if decided is None:
        last = found[newest][-1]
        what = f"the constant {name} has one value for all sessions, and here are several ({told}): which?"
        raise Undecided(newest, last.pointer, what, Line("superset", ("values", name)), last.value).problem
    return Constant(name, "", text(decided), f"{kind}: {told}.")
