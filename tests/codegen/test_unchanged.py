"""Whatever is wrong gives one line on standard error and status 1, and changes not one byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.canonical import digest
from codegen.edits import set_aside
from codegen.policy import Path_
from tests.codegen.small import edit

pytestmark = pytest.mark.untraced


def tree(root: Path) -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def refused(repo: Path, capsys: pytest.CaptureFixture[str], command: str = "generate") -> str:
    """The one line that `command` gives."""
    before = tree(repo)
    assert main(["--root", str(repo), command]) == 1
    assert tree(repo) == before
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    assert line.startswith("error: ")
    return line


def change_pin(schemas: Path, change: Callable[[dict[str, object]], None]) -> None:
    """Edit the definitions of the newest pin, and its digest with it."""
    file = schemas / "2026-07-28.json"
    document = json.loads(file.read_bytes())
    change(document["$defs"])
    data = json.dumps(document).encode()
    edit(schemas / "pins.json", digest(file.read_bytes()), digest(data))
    file.write_bytes(data)


@pytest.mark.parametrize("command", ["generate", "check", "docs"])
def test_a_changed_canonical_byte(repo: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    edit(repo / "schemas/2025-06-18.json", '"string"', '"strinG"')
    assert "schemas/2025-06-18.json: does not match its pin" in refused(repo, capsys, command)


LINES: dict[str, tuple[str, Path_, str]] = {
    "a docstring": ("docs", ("Tool", ""), r"#/$defs/Tool: has no docstring -> in docs.toml: [Tool] "),
    "a topic": ("topics", ("topic", 0, "definitions", "Cursor"), "#/$defs/Cursor: has no topic -> "),
    "an enum": ("superset", ("enums", "Role"), "superset#/Role: an enum that a peer may extend (open)"),
    "a change of kind": ("superset", ("newest", "EnumSchema"), 'add "EnumSchema" to newest'),
    "an inlined union": ("superset", ("unions", "ClientNotification"), 'add "ClientNotification" to unions'),
    "a rename": (
        "superset",
        ("rename", "ResourceReference"),
        "properties/ref: two arms share the type",
    ),
    "a model by hand": ("superset", ("external", "JSONRPCRequest"), "#/$defs/JSONRPCRequest: has no docstring"),
    "a base": ("bases", ("bases", "Tool"), '[bases] Tool = ["BaseMetadata"]'),
    "a name": ("names", ("inline", "*.annotations"), "docstring"),
    "who supplies": ("surfaces", ("caller", "ElicitRequestURLParams.elicitationId"), "requires elicitationId"),
    "a value": ("surfaces", ("inject", "*.ttlMs"), "requires ttlMs, which the superset may leave unset"),
    "a meta key": ("surfaces", ("caller", "io.modelcontextprotocol/clientCapabilities"), "`_meta` must hold"),
    "a surface": ("surfaces", ("surface", 1), "2026-07-28: no surface serves it"),
    "a topic of all": ("topics", ("topic", 0, "name"), "malformed: 'name' is a required property"),
}


@pytest.mark.parametrize("what", LINES)
def test_a_deleted_policy_line(repo: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    name, path, line = LINES[what]
    file = repo / "schemas" / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    kept = [one for one in set_aside(text, [path]).splitlines(keepends=True) if not one.startswith("#~")]
    file.write_text("".join(kept), encoding="utf-8")
    assert line in refused(repo, capsys)


@pytest.mark.parametrize(
    ("name", "line", "fault"),
    [
        ("bases", '[bases]\nNobody = ["Result"]', "schemas/bases.toml#/bases/Nobody: decides nothing -> remove Nobody"),
        ("bases", '[bases]\nIcon = ["Nothing"]', "#/bases/Icon: Nothing is no definition -> remove Nothing"),
        ("superset", '[types]\n"Tool.name" = { "$ref" = "#/$defs/Nothing" }', "refer to Nothing, which no revision"),
        ("surfaces", '[inject]\n"Nobody.x" = 1', "schemas/surfaces.toml#/inject/Nobody.x: decides nothing"),
    ],
)
def test_a_policy_line_too_many(
    repo: Path, capsys: pytest.CaptureFixture[str], name: str, line: str, fault: str
) -> None:
    edit(repo / "schemas" / f"{name}.toml", line.partition("\n")[0] + "\n", line + "\n")
    assert fault in refused(repo, capsys)


def test_an_inline_object_added_to_a_schema(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def add(defs: dict[str, object]) -> None:
        detail = {"type": "object", "properties": {"x": {"type": "string"}}}
        defs["Fresh"] = {"type": "object", "properties": {"detail": detail}}

    change_pin(repo / "schemas", add)
    assert "2026-07-28#/$defs/Fresh: has no docstring -> in docs.toml" in refused(repo, capsys)


def test_a_definition_that_another_union_cannot_tell_apart(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def clash(defs: dict[str, object]) -> None:
        defs["FreshContent"] = defs["TextContent"]
        block = defs["ContentBlock"]
        assert isinstance(block, dict)
        block["anyOf"].append({"$ref": "#/$defs/FreshContent"})

    change_pin(repo / "schemas", clash)
    line = refused(repo, capsys)
    assert "#/$defs/ContentBlock: two arms share the type 'text', which tells them apart elsewhere" in line


def test_a_stale_amendment(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(repo / "schemas/amendments.toml", 'expected = ["string", "integer", "boolean"]', 'expected = ["string"]')
    edit(repo / "schemas/amendments.toml", 'new = ["string", "number", "boolean", "null"]', 'new = ["null"]')
    assert "2026-07-28#/$defs/JSONValue/anyOf/2/type: amendment `json-value-scalars` is stale" in refused(repo, capsys)


def test_a_surface_that_cannot_serve(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(repo / "schemas/surfaces.toml", '["2026-07-28"]', '["2025-11-25", "2026-07-28"]')
    edit(repo / "schemas/surfaces.toml", ', "2025-11-25"]', "]")
    assert "v2026_07_28 cannot serve 2025-11-25, it is not additive over it: " in refused(repo, capsys)
