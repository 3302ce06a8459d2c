"""Packages: from refined definitions to the modules of one package, its lazy `__init__` included."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from textwrap import indent
from typing import Any

from codegen.pin import Pin
from codegen.refine import Unit, assigned
from codegen.render import render
from codegen.topics import Topic, assign

BASE = "mcp_surfaces.base"
SOURCES = {
    "Annotated": "typing",
    "Any": "typing",
    "Generic": "typing",
    "Literal": "typing",
    "Optional": "typing",
    "Union": "typing",
    "TYPE_CHECKING": "typing",
    "Field": "pydantic",
    "TypeAlias": "typing",
    "TypeAliasType": "typing_extensions",
    **dict.fromkeys(
        (
            "AS_IT_IS",
            "ByMember",
            "ContentAsList",
            "ExactModel",
            "Integer",
            "MCPModel",
            "MISSING",
            "MetaMapping",
            "MethodT",
            "Notification",
            "Number",
            "Request",
            "SpecNotification",
            "SpecRequest",
            "Unparametrised",
            "is_none",
        ),
        BASE,
    ),
}
"""Where the names that generated modules use, and do not define, come from."""


def modules(package: str, units: Mapping[str, Unit], order: Sequence[Topic]) -> tuple[dict[str, str], dict[str, str]]:
    """The text of each topic module of `package`, and the module of each public name."""
    rank = {name: _rank(unit, units) for name, unit in units.items()}
    units = {name: units[name] for name in in_order({name: unit.uses for name, unit in units.items()}, rank)}
    place = assign({name: unit.uses | unit.quotes for name, unit in units.items()}, order)
    home = {name: f"{package}.{order[place[unit.name]].name}" for unit in units.values() for name in assigned(unit)}
    texts: dict[str, str] = {}
    for index, topic in enumerate(order):
        inside = {name: unit.uses for name, unit in units.items() if place[name] == index}
        if not inside:
            continue
        members = [units[name] for name in in_order(inside, rank)]
        texts[topic.name] = render(
            "module.py.j2",
            doc=topic.doc,
            imports=imports(members, {**SOURCES, **home}, f"{package}.{topic.name}"),
            exported=sorted(name for unit in members for name in assigned(unit)),
            bodies=[text(unit) for unit in members],
        )
    return texts, {name: home[name] for name in units}


def _rank(unit: Unit, units: Mapping[str, Unit]) -> int:
    """Scalars first, then models, messages, and unions."""
    first = unit.statements[0]
    if not isinstance(first, ast.ClassDef):
        return 3 if unit.uses & units.keys() else 0
    members = {ast.unparse(part.target) for part in first.body if isinstance(part, ast.AnnAssign)}
    return 2 if "method" in members else 1


def in_order(uses: Mapping[str, set[str]], rank: Mapping[str, int]) -> list[str]:
    """The names by rank and from A to Z, each after what it uses, so that a new definition or use moves no other."""
    result: dict[str, None] = {}

    def add(name: str, above: frozenset[str]) -> None:
        for used in sorted(uses[name] & uses.keys() - above):
            if used not in result:
                add(used, above | {name})
        result.setdefault(name)

    for name in sorted(uses, key=lambda name: (rank[name], name)):
        add(name, frozenset())
    return list(result)


def text(unit: Unit) -> str:
    """The source of one definition."""
    return "\n".join(source(ast.fix_missing_locations(statement)) for statement in unit.statements)


def source(statement: ast.stmt) -> str:
    """The source of `statement`, docstrings of members and aliases in triple quotes too."""
    match statement:
        case ast.Expr(ast.Constant(str(value))):
            return '"""' + value.replace("\\", "\\\\") + '"""'
        case ast.ClassDef():
            head = ast.unparse(ast.ClassDef(statement.name, statement.bases, statement.keywords, [ast.Pass()], []))
            body = "\n".join(source(part) for part in statement.body)
            return head.removesuffix("pass").rstrip(" ") + indent(body, "    ")
        case _:
            return ast.unparse(statement)


def imports(units: Sequence[Unit], sources: Mapping[str, str], own: str) -> list[str]:
    """The import lines that `units` need; formatting sorts them."""
    used = {
        node.id
        for unit in units
        for statement in unit.statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    wanted: dict[str, list[str]] = {}
    for name in sorted(used):
        source = sources.get(name)
        if source is not None and source != own:
            wanted.setdefault(source, []).append(name)
    return [f"from {source} import {', '.join(names)}" for source, names in sorted(wanted.items())]


def init(doc: str, exported: Mapping[str, str], pins: Sequence[Pin]) -> str:
    """The lazy `__init__` of a package with the public names `exported`.

    They map to the module that has them, or to `module:name` where they are called otherwise there.
    """
    by_module: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(exported):
        module, _, own = exported[name].partition(":")
        by_module.setdefault(module, []).append((own or name, name))
    values: dict[str, Any] = {"doc": doc, "pins": pins, "modules": sorted(by_module.items())}
    return render("package.py.j2", exported=sorted(exported), sources=sorted(exported.items()), **values)
