"""The command line, on a small repository."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.canonical import dump
from codegen.pipeline import Pipeline
from tests.codegen.schemas import STRING, record, schema
from tests.codegen.small import folder

OLD = "2025-01-01"
DOCS = '[A]\n"" = "An A."\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder(tmp_path / "repo/schemas", {OLD: schema(A=record(x=STRING))}, docs=DOCS)
    return tmp_path / "repo"


def run(root: Path, *arguments: str) -> int:
    return main(["--root", str(root), *arguments])


def test_generating_and_checking(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(root, "check") == 1
    out = capsys.readouterr().out
    assert "missing: src/mcp_surfaces/types/all.py\n" in out
    assert "drift in " in out.splitlines()[-1]
    assert run(root, "generate") == 0
    assert "  src/mcp_surfaces/types/all.py\n" in capsys.readouterr().out
    assert run(root, "generate") == 0
    assert capsys.readouterr().out == "nothing changed\n"
    assert run(root, "check") == 0
    assert capsys.readouterr().out == "no drift\n"


def test_pages_alone(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(root, "docs") == 0
    assert "written docs/amendments.md\nwritten docs/reference/index.html\nsee " in capsys.readouterr().out
    assert not (root / "src").exists()


@pytest.mark.parametrize(
    ("stage", "name", "shown"),
    [
        ("pin", OLD, '"$schema"'),
        ("amend", OLD, '"$defs"'),
        ("name", OLD, '"A": {'),
        ("merge", "types", '"required": []'),
        ("annotate", "types", '"description": "An A.\\n\\nEvery revision."'),
        ("emit", "v2025_01_01", "class A(ExactModel):"),
    ],
)
def test_showing_a_stage(root: Path, capsys: pytest.CaptureFixture[str], stage: str, name: str, shown: str) -> None:
    assert run(root, "show", stage, name) == 0
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("show", "cook", OLD), "error: cook: no such stage; there are pin, amend, name, merge, annotate, emit\n"),
        (("show", "pin", "2030-01-01"), f"error: 2030-01-01: stage pin takes a revision: {OLD}\n"),
        (("show", "merge", OLD), f"error: {OLD}: stage merge takes a package: types\n"),
        (("report", OLD, "nowhere.json"), "error: nowhere.json: No such file or directory\n"),
        (("history", "nowhere"), "error: nowhere: no such folder\n"),
    ],
)
def test_what_is_not_there(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], line: str
) -> None:
    assert run(root, *arguments) == 1
    assert capsys.readouterr().err == line


def test_pinning(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "schema.json"
    file.write_bytes(dump(schema(B=STRING)))
    assert run(root, "pin", "2025-06-01", str(file)) == 0
    assert (
        capsys.readouterr().out
        == f"pinned {root.as_posix()}/schemas/2025-06-01.json\npinned {root.as_posix()}/schemas/pins.json\n"
    )
    assert list(Pipeline(root / "schemas").pins) == [OLD, "2025-06-01"]


def test_comparing(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "later.json"
    file.write_bytes(dump(schema(A=record(x=STRING, y=STRING))))
    assert run(root, "report", OLD, str(file), "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["title"], report["counts"]["changes"]) == (f"{OLD} → later", 1)


def test_a_reader_that_leaves_early_is_no_fault(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        assert run(root, "show", "pin", OLD) == 1
    assert capsys.readouterr().err == ""


def test_a_fault_of_the_pipeline_is_one_line_too(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path) -> Pipeline:
        raise KeyError("a\nb")

    monkeypatch.setattr("codegen.__main__.Pipeline", broken)
    assert run(root, "check") == 1
    assert capsys.readouterr().err == ("error: KeyError: 'a\\nb' (a fault of the pipeline: --traceback shows where)\n")
    with pytest.raises(KeyError):
        main(["--traceback", "check"])
