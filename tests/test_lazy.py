"""A package's modules load when a name of theirs is first used."""

from __future__ import annotations

import subprocess
import sys
import types as python_types
from importlib import import_module

import pytest

from mcp_surfaces import lazy

EMPTY = "[m for m in sys.modules if m.startswith('mcp_surfaces') and m.count('.') > 1 or 'mcp_surfaces.v2' in m]"


def test_a_name_is_looked_up_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    package = python_types.ModuleType("lazy_test_package")
    monkeypatch.setitem(sys.modules, package.__name__, package)
    load, names = lazy.attach(package.__name__, {"sqrt": "math", "Decimal": "decimal"})
    assert names() == ["Decimal", "sqrt"]
    assert load("sqrt")(4) == 2
    assert "sqrt" in vars(package)
    assert "Decimal" not in vars(package)
    with pytest.raises(AttributeError, match="module 'lazy_test_package' has no attribute 'cbrt'"):
        load("cbrt")


def loaded(program: str) -> str:
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return out.stdout.strip()


@pytest.mark.parametrize("module", ["mcp_surfaces", "mcp_surfaces.types", "mcp_surfaces.wire"])
def test_importing_loads_no_models(module: str) -> None:
    names = loaded(f"import sys, {module}; print(*sys.modules)").split()
    of_surfaces = [name for name in names if name.startswith("mcp_surfaces.v2") and name.count(".") > 1]
    assert [name for name in of_surfaces if ".facts" not in name] == []
    assert [name for name in names if name.startswith("mcp_surfaces.types.")] == []
    assert not {"mcp_surfaces.base", "pydantic", "pydantic.main"} & {*names}


def test_a_topic_loads_when_a_name_of_it_is_used() -> None:
    before, after = loaded(
        "import sys; from mcp_surfaces import types; print(*sys.modules); types.Root; print(*sys.modules)"
    ).splitlines()
    homes = {"mcp_surfaces.types.roots", "mcp_surfaces.types.input_responses"}
    assert not homes & {*before.split()}
    assert homes & {*after.split()}


def test_every_public_name_is_there_and_others_are_not() -> None:
    from mcp_surfaces import types, v2025_11_25, v2026_07_28

    for module in (types, v2025_11_25, v2026_07_28):
        assert set(module.__all__) <= set(dir(module))
        for name in module.__all__:
            assert getattr(module, name) is getattr(module, name)
        assert not hasattr(module, "NoSuchName")


def test_a_later_module_is_loaded_at_the_first_use_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def load(name: str) -> python_types.ModuleType:
        loaded.append(name)
        return import_module(name)

    monkeypatch.setattr(lazy, "import_module", load)
    later = lazy.Later("math")
    assert loaded == []
    assert later.sqrt is later.sqrt is import_module("math").sqrt
    assert loaded == ["math"]
    with pytest.raises(AttributeError, match="cbrtt"):
        _ = later.cbrtt
