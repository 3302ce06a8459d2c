"""The public names are pinned: `UPDATE_GOLDENS=1 pytest tests/test_public_names.py` writes the list anew."""

from __future__ import annotations

import importlib
import os
from operator import attrgetter
from pathlib import Path

import pytest

from mcp_surfaces.revisions import SURFACES

GOLDEN = Path(__file__).parent / "golden" / "public_names.txt"
MODULES = ["jsonrpc", "types", "wire", *sorted({name.removeprefix("mcp_surfaces.") for name in SURFACES.values()})]


def public(module: str) -> list[str]:
    return sorted(importlib.import_module(f"mcp_surfaces.{module}").__all__)


def test_public_names_match_the_golden() -> None:
    names = [f"{module}.{name}" for module in MODULES for name in public(module)]
    if os.environ.get("UPDATE_GOLDENS"):
        GOLDEN.write_text("\n".join(names) + "\n", encoding="utf-8")
    pinned = GOLDEN.read_text(encoding="utf-8").split()
    assert {"gone": sorted(set(pinned) - set(names)), "new": sorted(set(names) - set(pinned))} == {
        "gone": [],
        "new": [],
    }


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_can_be_imported_and_is_listed(module: str) -> None:
    loaded = importlib.import_module(f"mcp_surfaces.{module}")
    assert not [name for name in public(module) if not hasattr(loaded, name)]
    assert set(public(module)) <= set(dir(loaded))
    assert len(public(module)) == len(loaded.__all__)


@pytest.mark.parametrize("module", MODULES)
def test_an_unknown_name_is_an_attribute_error(module: str) -> None:
    loaded = importlib.import_module(f"mcp_surfaces.{module}")
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        attrgetter("Nothing")(loaded)
