"""Canonical form of a schema: its facts alone, byte-stable. No prose, `$defs` instead of `definitions`, keys sorted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard
from urllib.parse import unquote

import jsonschema
from jsonschema.validators import validator_for

from codegen.problems import Problem

Schema = dict[str, Any]
Unknown = jsonschema.Draft3Validator
"""Stands for a meta-schema that is not known: no revision uses one so old."""

PROSE = ("description", "$comment")
NAME_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords whose value maps names to schemas: a key in there is a name, whatever it is spelt like."""
DATA = ("const", "enum", "default", "examples", "required", "dependentRequired")
"""Keywords whose value is data, not a schema."""


def is_object(node: Any) -> TypeGuard[Schema]:
    """Whether a JSON value is an object."""
    return isinstance(node, dict)


def is_list(node: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(node, list)


def digest(data: bytes) -> str:
    """SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def escape(token: str) -> str:
    """`token` as one reference token of a JSON Pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """The member name that a reference token of a JSON Pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def parse(text: bytes, where: str) -> Schema:
    """The schema in `text`, checked against its meta-schema.

    Raises Problem for text that is not JSON (a truncated file too), is no JSON Schema, defines nothing, or holds a
    `$ref` that does not resolve inside it.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Problem(where, "", f"not a JSON document, or cut short ({error})") from None
    if not is_object(document) or not isinstance(document.get("$schema"), str):
        raise Problem(where, "", "no JSON Schema: not an object with a `$schema` member")
    validator = validator_for(document, default=Unknown)
    if validator is Unknown:
        raise Problem(where, "/$schema", f"unknown meta-schema {document['$schema']}")
    try:
        validator.check_schema(document)
    except jsonschema.SchemaError as error:
        pointer = "".join("/" + escape(str(part)) for part in error.absolute_path)
        raise Problem(where, pointer, f"not valid against its meta-schema ({error.validator})") from None
    if not any(document.get(key) for key in ("$defs", "definitions")):
        raise Problem(where, "", "defines nothing: `$defs` (or `definitions`) is missing or empty")
    schema = canonicalise(document)
    check_refs(schema, where)
    return schema


def canonicalise(document: Schema) -> Schema:
    """`document` without prose, with `definitions` renamed `$defs` and every `$ref` with it. Idempotent."""
    result: Schema = _strip(document)
    for key in list(result):
        if key == "definitions":
            result["$defs"] = {**result.pop(key), **result.get("$defs", {})}
    return result


def _strip(node: Any) -> Any:
    if is_list(node):
        return [_strip(item) for item in node]
    if not is_object(node):
        return node
    kept: Schema = {}
    for key in sorted(node):
        value = node[key]
        if key in PROSE and isinstance(value, str):
            continue
        if key == "$ref" and isinstance(value, str):
            kept[key] = _reference(value)
        elif key in DATA:
            kept[key] = value
        elif key in NAME_MAPS and is_object(value):
            kept[key] = {name: _strip(value[name]) for name in sorted(value)}
        else:
            kept[key] = _strip(value)
    return kept


def _reference(ref: str) -> str:
    """A reference to a definition by its plain name; upstream's generator escapes what is no letter."""
    for prefix in ("#/definitions/", "#/$defs/"):
        if ref.startswith(prefix):
            return "#/$defs/" + unescape(unquote(ref.removeprefix(prefix)))
    return ref


def dump(schema: Schema) -> bytes:
    """The bytes of a canonical schema as stored: indented JSON, keys sorted, UTF-8, one final newline."""
    return (json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def walk(node: Any, pointer: str = "") -> Iterator[tuple[str, Schema]]:
    """Every subschema of `node` with its JSON Pointer, parents first, in sorted order; data is not entered."""
    if is_list(node):
        for index, item in enumerate(node):
            yield from walk(item, f"{pointer}/{index}")
    elif is_object(node):
        yield pointer, node
        for key in sorted(node):
            if key in DATA:
                continue
            if key in NAME_MAPS and is_object(node[key]):
                for name in sorted(node[key]):
                    yield from walk(node[key][name], f"{pointer}/{key}/{escape(name)}")
            else:
                yield from walk(node[key], f"{pointer}/{escape(key)}")


def check_refs(schema: Schema, where: str) -> None:
    """Raise Problem for the first `$ref` that names no definition of `schema`, or leads back to itself alone."""
    defined = schema.get("$defs", {})
    for pointer, node in walk(schema):
        ref, seen = node.get("$ref"), set[str]()
        while ref is not None:
            if not (ref.startswith("#/$defs/") and ref[len("#/$defs/") :] in defined):
                raise Problem(where, pointer + "/$ref", f"unresolved reference {ref}")
            if ref in seen:
                raise Problem(where, pointer + "/$ref", f"{ref} is nothing but a reference to itself")
            seen.add(ref)
            further = defined[ref[len("#/$defs/") :]]
            ref = further.get("$ref") if is_object(further) else None


def rewrite(node: Any, change: Callable[[Schema], Schema]) -> Any:
    """`node` with `change` applied to every subschema, innermost first; data is left alone."""
    if is_list(node):
        return [rewrite(item, change) for item in node]
    if not is_object(node):
        return node
    result: Schema = {}
    for key, value in node.items():
        if key in DATA:
            result[key] = value
        elif key in NAME_MAPS and is_object(value):
            result[key] = {name: rewrite(item, change) for name, item in value.items()}
        else:
            result[key] = rewrite(value, change)
    return change(result)
