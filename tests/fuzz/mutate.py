"""Inputs: messages of the corpus, mutated as JSON values, as JSON texts and as bytes."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from tests.corpus.generate import read
from tests.corpus.payloads import REVISIONS
from tests.fuzz.check import TARGETS

ATOMS: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 1.5, -0.0, 1e-9, 0.9999999999, 1e22, 1e308, 2**53 + 1, 2**63, 2**64, 2**70,
    10**400, "", "text", "image", "2.0", "tools/call", "ping", "complete", "input_required", "accept", "form", "url",
    "user", "é", "\U0001f30d", "\u2028", "\x00", "NaN", "x" * 300, [], {}, [[]], [{}], {"": {}}, {"type": "text"},
    {"method": "ping"}, {"_meta": None}, {"_meta": {}}, {"type": ["text"]}, {"jsonrpc": "2.0"},
]  # fmt: skip
NAMES = [
    "type", "method", "mode", "params", "_meta", "meta", "content", "text", "id", "jsonrpc", "result", "error",
    "resultType", "inputRequests", "inputResponses", "structuredContent", "isError", "is_error", "tools", "ttlMs",
    "data", "code", "x", "", "__class__", "model_fields", "__pydantic_extra__", "self",
    "io.modelcontextprotocol/protocolVersion", "arguments",
]  # fmt: skip
RAW = [
    b"NaN", b"-Infinity", b"1e400", b"-0", b"01", b"1.", b"\\ud800", b"\\u0000", b"\xff", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"{}", b"[]", b"null", b'"', b"\\", b",", b":", b"]", b"}", b"9" * 4_301, b"[" * 150, b"[" * 300,
    b'{"a":' * 250, b" ", b"\x00", b'"type":"text",', b'"_meta":null,', b'"resultType":"complete",', b"1E+2", b"true",
]  # fmt: skip

MAX_LENGTH = 100_000


@cache
def seeds() -> list[tuple[str, str, str]]:
    """Type, version and text of every fixture of the corpus."""
    return [(f.type, f.version, f.text) for version in REVISIONS for f in read(version)]


def mutated(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """`value` with about one thing changed somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        members = dict(value)
        name = rng.choice(list(members))
        match rng.randrange(8):
            case 0:
                del members[name]
            case 1:
                members[rng.choice(NAMES)] = members[name]
            case 2:
                members[rng.choice(NAMES)] = rng.choice(ATOMS)
            case 3:
                members = dict(rng.sample(list(members.items()), len(members)))
            case _:
                members[name] = mutated(rng, members[name], depth + 1)
        return members
    if isinstance(value, list) and value and rng.random() < 0.8:
        items = list(value)
        index = rng.randrange(len(items))
        match rng.randrange(6):
            case 0:
                del items[index]
            case 1:
                items.insert(index, rng.choice(ATOMS))
            case 2:
                items = (items * rng.choice([2, 30]))[:100]
            case _:
                items[index] = mutated(rng, items[index], depth + 1)
        return items
    match rng.randrange(6):
        case 0:
            return [value]
        case 1:
            return {rng.choice(NAMES): value}
        case 2:
            deep = value
            for _ in range(rng.choice([5, 90, 190, 260])):
                deep = [deep] if rng.random() < 0.5 else {"a": deep}
            return deep
        case _:
            return rng.choice(ATOMS)


def broken(rng: random.Random, text: bytes) -> bytes:
    """`text` with bytes changed, most often to something that is no JSON."""
    data = bytearray(text)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                del data[at : at + rng.choice([1, 2, 10, 1_000])]
            case 1:
                data[at:at] = rng.choice(RAW)
            case 2 if at < len(data):
                data[at] = rng.randrange(256)
            case 3:
                other = rng.choice(seeds())[2].encode()
                cut = rng.randrange(len(other) + 1)
                data[at:] = other[cut:]
            case _:
                data[at:at] = data[at : at + 200]
    return bytes(data)


def case(rng: random.Random) -> tuple[str, str, bytes]:
    """A type, a version and an input for them."""
    name, version, text = rng.choice(seeds())
    if rng.random() < 0.3:
        name = rng.choice(["JSONRPCMessage", "ClientRequest", "ServerResult", "ClientResult", "ServerNotification"])
    if rng.random() < 0.1:
        name = rng.choice(list(TARGETS))
    if rng.random() < 0.2:
        version = rng.choice([*REVISIONS, "2099-01-01"])
    value = json.loads(text)
    for _ in range(rng.choice([0, 1, 1, 2, 4, 12])):
        value = mutated(rng, value)
    data = json.dumps(value, ensure_ascii=rng.random() < 0.5, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return name, version, (broken(rng, data) if rng.random() < 0.3 else data)[:MAX_LENGTH]
