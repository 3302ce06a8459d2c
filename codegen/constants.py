"""Constants of the superset: reserved `_meta` keys and error codes read from the schemas, a few more from policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from codegen.canonical import Schema
from codegen.name import is_record
from codegen.policy import Policy

PREFIX = "io.modelcontextprotocol/"


@dataclass(frozen=True)
class Constant:
    """One module constant: its name, the text of its type and value, and its docstring."""

    name: str
    type: str
    value: str
    doc: str


def upper(camel: str) -> str:
    """`camelCase` as `CAMEL_CASE`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", camel).upper()


def code_name(definition: str) -> str:
    """The constant for the code of an error definition: `HeaderMismatchErrorObject` gives `HEADER_MISMATCH`."""
    words = upper(definition.removesuffix("Object").removesuffix("Error"))
    return words if "_" in words else f"{words}_ERROR"


def constants(revisions: Mapping[str, Mapping[str, Schema]], policy: Policy) -> list[Constant]:
    """Every constant, sorted by name."""
    found: dict[str, Constant] = {}
    for defs in revisions.values():
        for name, node in defs.items():
            for member, value in node.get("properties", {}).items() if is_record(node) else ():
                if member.startswith(PREFIX):
                    key = f"{upper(member.removeprefix(PREFIX))}_META_KEY"
                    found[key] = Constant(key, "", f'"{member}"', "Reserved `_meta` key.")
                elif member == "code" and "const" in value:
                    key = code_name(name)
                    found[key] = Constant(key, "", str(value["const"]), "Error code.")
    for name, entry in policy["constants"].items():
        found[name] = Constant(name, entry.get("type", ""), entry["value"], entry["doc"])
    return [found[name] for name in sorted(found)]
