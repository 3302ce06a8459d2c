"""The documents tell the truth: their code runs, their links lead somewhere, the sessions they name exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")})
CODE = [
    pytest.param(code, id=f"{path.name}-{number}")
    for path in DOCUMENTS
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S))
]


def sessions() -> set[str]:
    functions = [
        node for node in ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]  # fmt: skip
    return {function.name for function in functions}


@pytest.mark.parametrize("code", CODE)
def test_code_runs(code: str) -> None:
    exec(compile(code, "<document>", "exec"), {"__name__": __name__})


def test_the_readme_has_code() -> None:
    assert any("README" in str(case.id) for case in CODE)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert not [link for link in links if "://" not in link and not (path.parent / link).exists()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sessions_named_exist(path: Path) -> None:
    named = re.findall(r"(?:nox|\./dev) -s ([a-z]+)", path.read_text(encoding="utf-8"))
    assert set(named) <= sessions()
