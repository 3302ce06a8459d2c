"""Tiny schemas, each with everything generated from it in one file; `UPDATE_GOLDENS=1 pytest …` writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from codegen.amendments_page import PAGE
from codegen.pipeline import Pipeline
from codegen.reference import PAGE as REFERENCE
from tests.codegen.schemas import INTEGER, STRING, const, one_of, record, ref, schema
from tests.codegen.small import LEAST, SUPERSET, folder

GOLDENS = Path(__file__).parent / "goldens"
OLD, NEW = "2025-01-01", "2025-06-01"
NULLABLE = {"type": ["string", "null"]}
META = {"type": "object", "additionalProperties": {}}
VALUE = one_of({"type": "array", "items": ref("Value")}, {"type": ["string", "number", "boolean", "null"]}, META)

RECORDS_OLD: dict[str, Any] = {
    "Named": record("name", name=STRING, title=STRING),
    "Tool": record("name", name=STRING, title=STRING, inner=record("x", x=INTEGER)),
    "Level": {"type": "string", "enum": ["low", "high"]},
    "Was": record(x=STRING),
}
RECORDS_NEW: dict[str, Any] = {
    **{name: node for name, node in RECORDS_OLD.items() if name != "Was"},
    "Is": record(x=STRING, y=ref("Level")),
    "Tool": record(
        "name",
        _meta=META,
        name={"type": "string", "minLength": 1},
        title=STRING,
        size={"type": "integer", "minimum": 0},
        share={"type": "number", "maximum": 1, "minimum": 0},
        uri={"type": "string", "format": "uri"},
        data={"type": "string", "format": "byte"},
        level={"type": "string", "enum": ["a", "b"]},
        listChanged={"type": "boolean"},
        any={},
        maybe=NULLABLE,
        value=ref("Value"),
        list={"type": "array", "items": ref("Level"), "maxItems": 3},
        map={"type": "object", "additionalProperties": STRING},
        inner=record("x", x=INTEGER),
        empty={"type": "object", "properties": {}, "additionalProperties": True},
        **{"class": STRING, "io.modelcontextprotocol/key": STRING},
    ),
    "Value": VALUE,
    "BrokenError": record("error", error=record("code", code={"const": -32001, "type": "integer"}, message=STRING)),
}
RECORDS = {
    "bases": '[bases]\nTool = [\n    "Named",\n]\n',
    "docs": '''\
["*"]
_meta = "Open metadata."

[BrokenError]
"" = "It broke."

[BrokenErrorError]
"" = "How it broke."

[Empty]
"" = "Nothing yet."

[Is]
"" = "What was `Was`."

[Level]
"" = "How much."

[Named]
"" = 'A thing with a "name".'
name = """Its name, in so many words that the line has to be broken because it is far too long for one \
line of a docstring."""

[Tool]
"" = "A tool."
share = "Part of the whole."

[ToolInner]
"" = "What is inside."

[Value]
"" = "Anything."
''',
    "superset": SUPERSET
    + """
[rename]
Was = "Is"

[enums]
"Tool.level" = "open"
Level = "closed"

[names]
"Tool.empty" = "Empty"

[constants.ZERO]
value = "0"
doc = "Nothing."
""",
    "surfaces": LEAST["surfaces"] + f'\n[[surface]]\nname = "v2025_06_01"\nrevisions = ["{NEW}"]\nstrict = true\n',
}

METHODS: dict[str, Any] = {
    "Request": record("method", method=STRING, params=record(_meta=META)),
    "Notification": record("method", method=STRING),
    "Result": record(_meta=META, kind=STRING),
    "EmptyResult": ref("Result"),
    "PageRequest": record("method", method=STRING, params=record(cursor=STRING)),
    "AskRequest": record(
        "jsonrpc", "id", "method", "params", jsonrpc=STRING, id=STRING, method=const("ask"), params=ref("AskParams")
    ),
    "AskParams": record("_meta", "question", _meta=record("key", key=STRING), question=STRING),
    "AskResult": record("content", "kind", content={"type": "array", "items": ref("Block")}, kind=STRING),
    "ListRequest": record("method", method=const("list"), params=record(cursor=STRING)),
    "DoneNotification": record("method", method=const("done")),
    "FailedNotification": record("method", "params", method=const("failed"), params=record("why", why=STRING)),
    "Text": record("type", "text", type=const("text"), text=STRING),
    "Image": record("type", "data", type=const("image"), data=STRING),
    "Block": one_of(ref("Text"), ref("Image")),
    "ClientRequest": one_of(ref("AskRequest"), ref("ListRequest")),
    "ClientNotification": one_of(ref("DoneNotification"), ref("FailedNotification")),
    "ServerResult": one_of(ref("Result"), ref("AskResult")),
}
INVENTED = {"AskParamsMeta", "AskResultTwo", "FailedNotificationParams", "ListRequestParams", "PageRequestParams"}
MESSAGES = {
    "bases": """\
[bases]
PageRequest = ["Request"]
ListRequest = ["PageRequest"]
"*Request" = ["Request"]
"*Notification" = ["Notification"]
"*Result" = ["Result"]
AskResultTwo = ["Result"]

[tags]
"AskResult.kind" = "done"
""",
    "docs": "".join(
        f'[{name}]\n"" = "{name}."\n\n' for name in sorted(METHODS.keys() - {"Notification", "Request"} | INVENTED)
    ),
    "superset": SUPERSET
    + """
[external]
Notification = "base"
Request = "base"

[types]
EmptyResult = { type = "object", properties = {}, required = [] }

[variants.AskResultTwo]
of = "AskResult"
properties.content = { "$ref" = "#/$defs/Block" }

[arms]
Result = "EmptyResult"
""",
    "surfaces": 'caller = [\n    "key",\n]\n' + LEAST["surfaces"] + '\n[inject]\n"*.kind" = "done"\n',
    "topics": """\
[[topic]]
name = "content"
doc = "Blocks."
definitions = [
    "Block",
    "Image",
    "Text",
]

[[topic]]
name = "messages"
doc = "Messages."
definitions = [
    "*",
]
""",
}
CASES: dict[str, tuple[dict[str, dict[str, Any]], dict[str, str]]] = {
    "records": ({OLD: RECORDS_OLD, NEW: RECORDS_NEW}, RECORDS),
    "messages": ({OLD: METHODS}, MESSAGES),
}


@pytest.mark.parametrize("case", CASES)
def test_whole_output(case: str, tmp_path: Path) -> None:
    revisions, policy = CASES[case]
    files = Pipeline(folder(tmp_path, {name: schema(**defs) for name, defs in revisions.items()}, **policy)).files()
    assert {PAGE, REFERENCE} < set(files)
    text = "".join(
        f"# ==== {path.as_posix()}\n{data.decode()}\n" for path, data in sorted(files.items()) if path.suffix == ".py"
    )
    golden = GOLDENS / f"{case}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.untraced
def test_no_class_of_the_repository_ends_in_an_invented_digit(built: dict[Path, bytes]) -> None:
    names = [name for data in built.values() for name in re.findall(r"^class (\w+)", data.decode(), re.MULTILINE)]
    assert len(names) > 400
    assert [name for name in names if re.fullmatch(r"[A-Z][A-Za-z]*[0-9]+", name)] == []
