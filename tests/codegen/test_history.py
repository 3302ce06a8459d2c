from __future__ import annotations

from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.canonical import dump
from codegen.history import Step, changed, moved, replay, table
from codegen.output import write
from codegen.pipeline import Pipeline
from codegen.problems import Problem
from tests.codegen.schemas import STRING, one_of, record, ref, request, schema
from tests.codegen.small import folder
from tests.codegen.test_bump import DEFS, OLD, PARAMS, POLICY

CLASSES = b"import x\n\n\nclass A:\n    a = 1\n    b = 2\n\n\nclass B:\n    c = 3\n\n\nC = 1\n"


def test_lines_changed() -> None:
    assert changed(b"a\nb\n", b"a\nc\nd\n") == 3
    assert changed(b"a\n", b"a\n") == 0
    assert changed(b"", b"a\nb\n") == 2


def test_lines_moved() -> None:
    assert moved(CLASSES, CLASSES) == 0
    assert moved(CLASSES, CLASSES.replace(b"b = 2", b"b = 3\n    d = 4")) == 0
    assert moved(CLASSES, b"import x\n\n\nclass New:\n    pass\n\n\n" + CLASSES[10:]) == 0
    swapped = b"import x\n\n\nclass B:\n    c = 3\n\n\nclass A:\n    a = 1\n    b = 2\n\n\nC = 1\n"
    assert moved(CLASSES, swapped) == 2
    assert moved(CLASSES, CLASSES.replace(b"    a = 1\n    b = 2\n", b"    b = 2\n    a = 1\n")) == 1
    tables = b'T: X = {\n    "a": {\n        "x": 1,\n    },\n    "b": {\n        "y": 2,\n    },\n    **U,\n}\n'
    assert (
        moved(
            tables, tables.replace(b'"x": 1', b'"y": 2').replace(b'        "y": 2,\n    },\n    **', b"    },\n    **")
        )
        == 0
    )
    assert moved(b'T: X = {\n    "a": 1,\n    "b": 2,\n}\n', b'T: X = {\n    "b": 2,\n    "a": 1,\n}\n') == 1
    repeated = b"T = [\n    1,\n    0,\n    1,\n]\n"
    assert moved(repeated, b"T = [\n    0,\n    1,\n    1,\n]\n") == 0


def test_the_table_has_a_sum() -> None:
    steps = [Step("one", 2, 5, 0), Step("two", 0, 0, 0), Step("three", stopped="no")]
    assert table(steps) == (
        "| state | schema lines | generated lines | ratio | moved |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| one | 2 | 5 | 2.50 | 0 |\n"
        "| two | 0 | 0 | - | 0 |\n"
        "| three | stopped: no | | | |\n"
        "| all | 2 | 5 | 2.50 | 0 |\n"
    )


def test_states_are_replayed_on_a_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "repo"
    folder(root / "schemas", {OLD: schema(**DEFS)}, **POLICY)
    write(root, Pipeline(root / "schemas").files())
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    states = tmp_path / "states"
    states.mkdir()
    more = {**DEFS, "AskParams": record("name", more=STRING, **PARAMS)}
    late = {**DEFS, "LateRequest": request("late"), "ClientRequest": one_of(ref("AskRequest"), ref("LateRequest"))}
    strict = {**DEFS, "AskParams": record("name", "level", "title", **PARAMS)}
    for name, state in (("1-more", more), ("2-late", late), ("3-strict", strict)):
        (states / f"{name}.json").write_bytes(dump(schema(**state)))
    (states / "4-broken.facts.json").write_bytes(b"{")
    told: list[str] = []
    one, two, three, four = replay(root, states, told.append)
    assert told == ["1 of 4: 1-more", "2 of 4: 2-late", "3 of 4: 3-strict", "4 of 4: 4-broken"]
    assert (one.schema, one.moved, one.stopped) == (3, 0, "")
    assert 0 < one.generated < 20
    assert two.schema > 3
    assert three.generated > 0
    assert four.stopped.startswith("2025-01-01: not a JSON document")
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    for file in sorted(states.glob("[234]*")):
        file.unlink()
    assert main(["--root", str(root), "history", str(states)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("| state | schema lines |")
    assert err == "… 1 of 1: 1-more\n"


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="holds no JSON file"):
        replay(tmp_path, tmp_path, print)
