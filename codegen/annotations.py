"""Small steps on the syntax of annotations: taking `Annotated[...]` apart, limits, absence, aliases, docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from textwrap import fill

WIDTH = 108
"""Columns of docstring text, which leaves room for indentation and quotes."""
LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")


def load(name: str) -> ast.Name:
    """`name` as an expression."""
    return ast.Name(name, ast.Load())


def docstring(statement: ast.Expr) -> ast.Expr:
    """The docstring `statement`, its lines dedented and its end where a formatter would put it."""
    assert isinstance(statement.value, ast.Constant)
    paragraphs = inspect.cleandoc(str(statement.value.value)).split("\n\n")
    text = "\n\n".join(fill(paragraph, WIDTH) for paragraph in paragraphs)
    return ast.Expr(ast.Constant(text + "\n" if "\n" in text else text))


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    """The keyword arguments of a call."""
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}


def annotated(annotation: ast.expr, metadata: Mapping[str, ast.expr]) -> ast.expr:
    """`Annotated[annotation, Field(**metadata)]`, or `annotation` alone where there is no metadata."""
    if not metadata:
        return annotation
    call = ast.Call(load("Field"), [], [ast.keyword(name, value) for name, value in metadata.items()])
    return ast.Subscript(load("Annotated"), ast.Tuple([annotation, call]))


def split(annotation: ast.expr) -> tuple[ast.expr, dict[str, ast.expr]]:
    """The type and the `Field` arguments of an annotation."""
    match annotation:
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple([inner, ast.Call() as call])):
            return inner, keywords(call)
        case _:
            return annotation, {}


def limited(annotation: ast.expr, metadata: dict[str, ast.expr]) -> ast.expr:
    """`annotation` with the limits of `metadata` on its first arm, the others being None or `MISSING`."""
    match annotation:
        case ast.BinOp(left, ast.BitOr(), (ast.Name("MISSING") | ast.Constant(None)) as absent):
            limits = {name: metadata.pop(name) for name in LIMITS if name in metadata}
            return ast.BinOp(annotated(left, limits), ast.BitOr(), absent)
        case _:
            return annotation


def aliased(value: ast.expr) -> ast.expr:
    """The type in `TypeAliasType("X", type)`."""
    assert isinstance(value, ast.Call)
    return value.args[1]


def alias(name: str, value: ast.expr) -> ast.stmt:
    """`name: TypeAlias = value`, or `TypeAliasType` where the type names what comes later, itself perhaps.

    For only that is read where it stands, and not where it is used.
    """
    if quoted_names(value):
        call = ast.Call(load("TypeAliasType"), [ast.Constant(name), value], [])
        return ast.Assign([ast.Name(name, ast.Store())], call, lineno=0)
    return ast.AnnAssign(ast.Name(name, ast.Store()), load("TypeAlias"), value, 1)


def quoted_names(node: ast.AST) -> set[str]:
    """The names in the quoted types of `node`; the values of a `Literal`, and limits, are no types."""
    match node:
        case ast.Constant(str(text)):
            return set(re.findall(r"\w+", text))
        case ast.Call() | ast.Subscript(ast.Name("Literal")):
            return set()
        case _:
            return {name for part in ast.iter_child_nodes(node) for name in quoted_names(part)}


def or_missing(annotation: ast.expr) -> ast.expr:
    """`annotation` with absence told apart from null."""
    if ast.unparse(annotation) in ("Any", "Any | None"):
        annotation = load("Any")
    return ast.BinOp(annotation, ast.BitOr(), load("MISSING"))
