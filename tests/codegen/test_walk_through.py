"""The walk-through of a schema bump in CONTRIBUTING.md, run as it stands there on a copy of the repository."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.pin import load, pins
from tests.codegen.conftest import ROOT

pytestmark = pytest.mark.untraced

SCHEMA = "path/to/schema.json"


def commands() -> list[list[str]]:
    """The commands of the section, as arguments of the pipeline's command line."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## A schema bump")[1].split("\n## ")[0]
    found = re.findall(r"^ *nox -s (\w+)(?: --)?(.*)$", section, re.M)
    return [[name, *arguments.replace("FULL_SHA", "0" * 40).split()] for name, arguments in found]


def tree(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_walk_through_of_a_bump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dry, bump, generate, check = commands()
    assert [dry[0], bump[0], generate[0], check[0]] == ["bump", "bump", "generate", "check"]
    assert dry == [*bump, "--dry-run"]

    copy = tmp_path / "repository"
    for name in ("schemas", "src", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    schema = load(pins()[bump[1]])
    schema["$defs"]["Badge"] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    schema["$defs"]["Tool"]["properties"]["badge"] = {"$ref": "#/$defs/Badge"}
    upstream = tmp_path / "schema.json"
    upstream.write_text(json.dumps(schema), encoding="utf-8")

    def run(command: list[str]) -> str:
        assert main(["--root", str(copy), *(str(upstream) if word == SCHEMA else word for word in command)]) == 0
        return capsys.readouterr().out

    before = tree(copy)
    said = run(dry)
    assert "Added to the policy, for review" in said
    assert "New members without a docstring in schemas/docs.toml\n  - `Badge.text` and `Tool.badge`\n" in said
    assert "`Tool` gains the optional field `badge`" in said
    assert tree(copy) == before
    run(bump)
    assert "class Badge(MCPModel)" in (copy / "src/mcp_surfaces/types/tools.py").read_text(encoding="utf-8")
    assert "no drift" in run(check)
