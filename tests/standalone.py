"""Run by `nox -s standalone` in an environment that holds the wheel and what it requires, nothing else."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import pkgutil
import re
import sys
import zipfile
from collections.abc import Iterable

REQUIRED = {"pydantic", "typing-extensions"}
BROUGHT_BY_PYDANTIC = {"annotated-types", "pydantic-core", "typing-inspection"}
TOOLS = {"pip", "setuptools", "wheel"}


def main(wheel: str) -> None:
    """Check the wheel's files, its requirements, every module and lazy name, and one message."""
    top = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == {"mcp_surfaces"}, top
    assert "mcp_surfaces/py.typed" in zipfile.ZipFile(wheel).namelist()

    requires = importlib.metadata.requires("mcp-surfaces") or []
    assert {re.split(r"[ ><=!~;\[]", line)[0] for line in requires} == REQUIRED, requires
    installed = {d.metadata["Name"].lower().replace("_", "-") for d in importlib.metadata.distributions()}
    assert installed - TOOLS == {"mcp-surfaces"} | REQUIRED | BROUGHT_BY_PYDANTIC, installed
    assert importlib.util.find_spec("codegen") is None

    package = importlib.import_module("mcp_surfaces")
    modules = [package, *map(importlib.import_module, names_of_modules(package.__path__))]
    names = [(module, name) for module in modules for name in getattr(module, "__all__", ())]
    for module, name in names:
        getattr(module, name)

    types, wire = (importlib.import_module(f"mcp_surfaces.{name}") for name in ("types", "wire"))
    text = b'{"content":[{"type":"text","text":"hello"}],"isError":false}'
    result = wire.parse_json(types.CallToolResult, text, "2025-11-25")
    assert wire.parse_json(types.CallToolResult, wire.dump_json(result, "2025-11-25"), "2025-11-25") == result
    print(f"standalone: {len(modules)} modules, {len(names)} public names, one message; requires {sorted(REQUIRED)}")


def names_of_modules(path: Iterable[str]) -> list[str]:
    """Every module of the package, at any depth."""
    return [module.name for module in pkgutil.walk_packages(path, "mcp_surfaces.")]


if __name__ == "__main__":
    main(*sys.argv[1:])
