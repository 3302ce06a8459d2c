"""Packages: which module has what, and in which order."""

from __future__ import annotations

import ast

from codegen.package import modules
from codegen.refine import Unit
from codegen.topics import Topic


def unit(name: str, *uses: str) -> Unit:
    base = next(iter(uses), "MCPModel")
    return Unit(name, ast.parse(f"class {name}({base}):\n    pass").body, {*uses})


def test_a_topic_without_definitions_has_no_module() -> None:
    units = {one.name: one for one in (unit("B"), unit("A", "B"), unit("C", "A"))}
    topics = [Topic("low", "Low.", ["B"]), Topic("empty", "Nothing.", ["X"]), Topic("high", "High.", ["A", "C"])]
    texts, home = modules("p", units, topics)
    assert list(texts) == ["low", "high"]
    assert home == {"B": "p.low", "A": "p.high", "C": "p.high"}
    assert "from p.low import B" in texts["high"]
    units["B"].quotes.add("A")
    assert modules("p", units, topics)[1] == {"B": "p.high", "A": "p.high", "C": "p.high"}
    assert texts["high"].index("class A(B)") < texts["high"].index("class C(A)")
