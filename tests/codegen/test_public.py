from __future__ import annotations

from pathlib import Path

from codegen.merge import Superset
from codegen.public import aliased, with_aliases
from tests.codegen.small import SUPERSET, policy


def test_other_names_are_public_where_the_specification_has_them(tmp_path: Path) -> None:
    rules = policy(tmp_path, superset=SUPERSET + '[external]\nFrame = "jsonrpc"\nRequest = "base"\n')
    superset = Superset(
        aliases={
            "Old": "New",
            "OldFrame": "Frame",
            "OldRequest": "Request",
            "Invented": "New",
            "Annotated": "New",
            "Lost": "Nothing",
        }
    )
    spec = {"Old", "OldFrame", "OldRequest", "Annotated", "Lost"}
    assert aliased({"New": "mcp_surfaces.types.all"}, spec, superset, rules) == {
        "Frame": "mcp_surfaces.jsonrpc",
        "Request": "mcp_surfaces.base",
        "Old": "mcp_surfaces.types.all",
        "OldFrame": "mcp_surfaces.jsonrpc",
    }


def test_other_names_stand_in_the_module_of_the_construct() -> None:
    superset = Superset(aliases={"Old": "New", "OldFrame": "Frame", "Hidden": "New"})
    exported = {"Old": "mcp_surfaces.types.all", "OldFrame": "mcp_surfaces.jsonrpc"}
    texts = with_aliases({"all": '__all__ = ["New", ]\n\nNew = 1\n'}, exported, superset)
    assert texts == {"all": '__all__ = ["Old", "New", ]\n\nNew = 1\n\nOld = New\n"""Another name of New."""\n'}
