"""Write the corpus: `python -m tests.corpus.generate`. What changes in the files is for a person to review.

Every fixture is a JSON text that comes in and the exact text that goes out. The texts that come in are made here; those
that go out are what the wire gave when the file was written, and the tests work out anew which value they must have.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from tests.corpus.payloads import MARCH, REVISIONS, Json, Message, Object, Revision

FOLDER = Path(__file__).parent
FREE_FORM = {
    "_meta",
    "arguments",
    "data",
    "experimental",
    "extensions",
    "input",
    "inputSchema",
    "metadata",
    "outputSchema",
    "requestedSchema",
    "structuredContent",
}
MAPS = {"inputRequests", "inputResponses"}
IDS: tuple[Json, ...] = (1, "1", 0, "", "ü-7", -1, 2**70)


class Fixture(NamedTuple):
    """A text to parse, and what of it is emitted again."""

    id: str
    version: str
    sender: str
    kind: str
    method: str | None
    type: str
    legal: bool
    """Whether the revision defines all of it, unknown members included; the audit of it is then empty."""
    text: str
    out: str


def compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unknown(value: Json, name: str | None = None) -> Json:
    """`value` with members that no revision defines in every object that has defined ones."""
    if isinstance(value, list):
        return [unknown(item) for item in value]
    if not isinstance(value, dict):
        return value
    members = cast("Object", value)
    if name in FREE_FORM or (name == "content" and "type" not in members):
        return members
    inner = {key: unknown(item, key) for key, item in members.items()}
    return inner if name in MAPS else {**inner, "x-fremd": {"tief": [None, {"1": 1, "1.0": 1.0}]}, "x_null": None}


def bodies(version: str) -> Iterator[tuple[str, Message, bool, str]]:
    """Id, message, whether it is legal, and text of every body fixture of a revision."""
    for number, message in enumerate(Revision(version).messages()):
        id_ = f"{number:03} {message.sender} {message.kind} {message.method} {message.name}"
        yield id_, message, True, compact(message.body)
        if message.name == "whole":
            yield f"{id_} with unknown members", message, False, compact(unknown(message.body))
        injected = {"resultType", "ttlMs", "cacheScope"} & message.body.keys()
        if message.name == "least" and injected:
            bare = {name: value for name, value in message.body.items() if name not in injected}
            yield f"{id_} bare", message, False, compact(bare)


def frames(version: str) -> Iterator[tuple[str, str, Json]]:
    """Id, sender and value of every frame fixture of a revision."""
    ids = 0
    for number, message in enumerate(Revision(version).messages()):
        if message.name not in ("least", "whole"):
            continue
        frame: Object = {"jsonrpc": "2.0"}
        if message.kind != "notification":
            frame["id"] = IDS[ids % len(IDS)]
            ids += 1
        frame |= {"result": message.body} if message.kind == "result" else message.body
        id_ = f"{number:03} {message.sender} {message.kind} frame {message.method} {message.name}"
        yield id_, message.sender, frame
    errors: list[Object] = [
        {"code": -32601, "message": ""},
        {"code": 4001, "message": "m", "data": None},
        {"code": -(2**60), "message": "große Not", "data": {"wert": [1, 1.0, None]}, "retryAfter": 3},
        {"code": -32042, "message": "m", "data": {"elicitations": [Revision(version).link()], "x": 1}},
    ]
    for sender in ("client", "server"):
        for number, error in enumerate(errors):
            yield f"{sender} error {number}", sender, {"jsonrpc": "2.0", "id": IDS[number], "error": error}
        yield f"{sender} error without id", sender, {"jsonrpc": "2.0", "error": errors[0], "x-fremd": None}
        yield f"{sender} error with null id", sender, {"jsonrpc": "2.0", "id": None, "error": errors[1]}
        yield f"{sender} result beside a null error", sender, {"jsonrpc": "2.0", "id": 1, "result": {}, "error": None}
    if version == MARCH:
        yield from batches()


def batches() -> Iterator[tuple[str, str, Json]]:
    """The batches that 2025-03-26 alone has."""
    ping: Object = {"jsonrpc": "2.0", "id": "a", "method": "ping"}
    note: Object = {"jsonrpc": "2.0", "method": "notifications/initialized", "x-fremd": None}
    done: Object = {"jsonrpc": "2.0", "id": 1, "result": {"_meta": {"n": None}}}
    failed: Object = {"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": "m", "data": None}}
    for sender in ("client", "server"):
        yield f"{sender} batch of a request", sender, [ping]
        yield f"{sender} batch of requests", sender, [ping, note, {**ping, "id": 2**70, "params": {"a": [1, 1.0]}}]
        yield f"{sender} batch of responses", sender, [done, failed, {**done, "id": "1"}]
        yield f"{sender} batch of an error", sender, [failed]


TOOL, CANCELLED = "CallToolResult", "CancelledNotification"
SPELLINGS: dict[str, tuple[str, str]] = {
    "white space": (TOOL, ' {\n\t"content" : [ ] ,\r\n "x" : { } }\n '),
    "escapes": (TOOL, r'{"content":[{"type":"text","text":"\u00fc\ud83c\udf0d\/\"\\\b\f\n\r\t\u0000\u2028"}]}'),
    "escaped names": (TOOL, r'{"cont\u0065nt":[],"isErr\u006fr":true,"\u0078":1}'),
    "escaped tag": (TOOL, r'{"content":[{"type":"t\u0065xt","text":""}]}'),
    "same name twice": (TOOL, '{"content":[],"x":1,"isError":true,"x":[2],"isError":false,"content":[]}'),
    "twice within": (TOOL, '{"content":[{"type":"image","text":"a","type":"text","text":"b"}]}'),
    "python names": (TOOL, '{"is_error":1,"content":[],"structured_content":null,"meta":0,"result_type":{}}'),
    "numbers": (
        TOOL,
        '{"content":[],"structuredContent":[0,-0,0.0,-0.0,1E2,1e-7,1.10,0.1,123456789012345678901234567890,'
        "1e22,1e23,5e-324,1.7976931348623157e308,18446744073709551616,-9223372036854775809]}",
    ),
    "words in strings": (TOOL, '{"content":[],"NaN":"Infinity","-Infinity":["NaN"],"a\\"NaN":"\\\\\\"NaN"}'),
    "whole float as integer": (CANCELLED, '{"method":"notifications/cancelled","params":{"requestId":2.0}}'),
    "exponent as integer": ("ErrorData", '{"code":1e2,"message":""}'),
    "no order": (
        "ProgressNotification",
        '{"params":{"total":1,"z":0,"progress":1,"a":0,"progressToken":1},"method":"notifications/progress"}',
    ),
    "odd names": (
        "EmptyResult",
        '{"":0,"__class__":1,"model_dump":2,"model_config":3,"self":4,"_x":5,"é":6,"a.b":7,"/~":8}',
    ),
}
"""Texts that are spelt in unusual ways, parsed at every revision."""


def inputs() -> Iterator[Fixture]:
    """Every fixture, its outgoing text left empty."""
    for version in REVISIONS:
        for id_, message, legal, text in bodies(version):
            yield Fixture(id_, version, message.sender, message.kind, message.method, message.type, legal, text, "")
        for id_, sender, frame in frames(version):
            yield Fixture(id_, version, sender, "frame", None, "JSONRPCMessage", False, compact(frame), "")
        for name, (type_, text) in SPELLINGS.items():
            kind = "fragment" if type_ == "ErrorData" else "spelling"
            yield Fixture(f"spelling: {name}", version, "server", kind, None, type_, False, text, "")


def emitted(fixture: Fixture) -> str:
    """What the wire makes of a fixture now."""
    from mcp_surfaces import types, wire

    model: Any = wire.parse_json(getattr(types, fixture.type), fixture.text.encode(), fixture.version)
    if fixture.kind == "fragment":
        return str(model.model_dump_json(by_alias=True))
    return wire.dump_json(model, fixture.version).decode()


def read(version: str) -> list[Fixture]:
    """The committed fixtures of a revision."""
    lines = (FOLDER / f"{version}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    return [Fixture(**json.loads(line)) for line in lines]


def main() -> None:
    """Write one file a revision."""
    fixtures = [fixture._replace(out=emitted(fixture)) for fixture in inputs()]
    for version in REVISIONS:
        lines = [json.dumps(f._asdict(), ensure_ascii=True) + "\n" for f in fixtures if f.version == version]
        (FOLDER / f"{version}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
        print(f"{version}: {len(lines)} fixtures")


if __name__ == "__main__":
    main()
