"""Refining: a small pass over the generator's text, class by class, into the form the packages have.

It works on the syntax tree and never on text. What it does: numbers become `Integer` and `Number`; limits sit on the
type they limit, not on absence; aliases that the base class derives go; docstrings take one form; and in the superset
unions stay plain, with the tagged form beside them, and request classes name their type arguments.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from codegen.annotations import aliased, docstring, quoted_names
from codegen.passes import Hints, SupersetPass, SurfacePass


@dataclass
class Unit:
    """What one definition became: its statements, and the names they use, at once or in quoted types alone."""

    name: str
    statements: list[ast.stmt] = field(default_factory=list[ast.stmt])
    uses: set[str] = field(default_factory=set[str])
    quotes: set[str] = field(default_factory=set[str])


def refine(text: str, hints: Hints | None) -> dict[str, Unit]:
    """The definitions in `text` by name, in the order the generator gave them; `hints` for the superset, else None."""
    units: dict[str, Unit] = {}
    last: Unit | None = None
    pass_ = SurfacePass() if hints is None else SupersetPass(hints)
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ClassDef):
            types = [part.annotation for part in statement.body if isinstance(part, ast.AnnAssign)]
            quotes = {name for one in types for name in quoted_names(one)}
            last = Unit(statement.name, pass_.class_(statement), quotes=quotes)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name, value = statement.targets[0].id, statement.value
            last = Unit(name, pass_.alias(name, value), quotes=quoted_names(aliased(value)))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and last is not None:
            last.statements.insert(1, docstring(statement))
            continue
        else:
            continue
        units[last.name] = last
    produced = {alias: unit.name for unit in units.values() for alias in assigned(unit)}
    for unit in units.values():
        names = {node.id for part in unit.statements for node in ast.walk(part) if isinstance(node, ast.Name)}
        unit.uses = {produced.get(name, name) for name in names} - {unit.name}
        unit.quotes &= units.keys()
    return units


def assigned(unit: Unit) -> list[str]:
    """The module-level names that `unit` defines."""
    names: list[str] = []
    for statement in unit.statements:
        if isinstance(statement, ast.ClassDef):
            names.append(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            names.append(ast.unparse(target))
        elif isinstance(statement, ast.If):
            names.extend(name for part in statement.body for name in assigned(Unit("", [part])))
    return names
