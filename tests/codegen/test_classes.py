from __future__ import annotations

from pathlib import Path

import pytest

from codegen.classes import called, fits, inferred
from codegen.problems import Problem
from tests.codegen.schemas import STRING, record, ref, schema
from tests.codegen.small import SUPERSET, policy


@pytest.mark.parametrize("name", ["Tool", "JSONValue", "Größe", "Request", "X1"])
def test_a_name_that_a_class_can_have(name: str) -> None:
    assert fits(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("widget", "Widget"),
        ("ns.Widget", "NsWidget"),
        ("Box<string>", "BoxString"),
        ("3DModel", "Object3DModel"),
        ("None", "NoneObject"),
        ("Any", "AnyObject"),
        ("MCPModel", "MCPModelObject"),
        ("tool", "ToolObject"),
        ("Odd_Tool", "OddTool"),
        ("名前", "名前Object"),
        ("<>", "Object"),
    ],
)
def test_a_name_that_no_class_can_have(name: str, other: str) -> None:
    assert not fits(name)
    assert inferred(name, {"Tool"}) == other


def test_the_definition_is_called_otherwise_wherever_it_stands(tmp_path: Path) -> None:
    whole = schema(**{"a.b": record(x=STRING, y=ref("a.b")), "C": record(z={"type": "array", "items": ref("a.b")})})
    with pytest.raises(Problem) as caught:
        called("r", whole, policy(tmp_path), True)
    assert str(caught.value) == 'r#/$defs/a.b: no class can be called a.b here -> in names.toml: [classes] "a.b" = "AB"'
    lenient = policy(tmp_path, lenient=True)
    assert set(called("r", whole, lenient, True)["$defs"]) == {"AB", "C"}
    rules = policy(tmp_path, names='[classes]\n"a.b" = "Mine"\n')
    found = called("r", whole, rules, True)["$defs"]
    assert found["Mine"]["properties"]["y"] == found["C"]["properties"]["z"]["items"] == ref("Mine")
    assert rules.line("classes", "a.b") in rules.used


@pytest.mark.parametrize("decided", ["C", "Any"])
def test_a_name_that_another_has_is_asked_for_again(tmp_path: Path, decided: str) -> None:
    rules = policy(tmp_path, names=f'[classes]\na = "{decided}"\n')
    with pytest.raises(Problem, match=rf'no class can be called {decided} here -> .* a = "{decided}Object"'):
        called("r", schema(a=STRING, C=STRING), rules, True)


def test_what_the_superset_renames_is_asked_for_on_a_surface_only(tmp_path: Path) -> None:
    rules = policy(tmp_path, superset=SUPERSET + '[rename]\nAnnotated = "Other"\n')
    whole = schema(Annotated=record(x=STRING))
    assert called("r", whole, rules, False) is whole
    with pytest.raises(Problem, match="Annotated"):
        called("r", whole, rules, True)
