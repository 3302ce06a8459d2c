"""Refining: a small pass over the generator's text, class by class, into the form the packages have.

It works on the syntax tree and never on text. What it does: numbers become `Integer` and `Number`; limits sit on the
type they limit, not on absence; aliases that the base class derives go; docstrings take one form; and in the superset
unions stay plain, with the tagged form beside them, and request classes name their type arguments.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from textwrap import fill

from pydantic.alias_generators import to_camel

NUMBERS = {"int": "Integer", "float": "Number"}
WIDTH = 108
"""Columns of docstring text, which leaves room for indentation and quotes."""
LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
GENERIC = {"Request": "SpecRequest", "Notification": "SpecNotification"}


def load(name: str) -> ast.Name:
    """`name` as an expression."""
    return ast.Name(name, ast.Load())


@dataclass
class Unit:
    """What one definition became: its statements, and the names they use."""

    name: str
    statements: list[ast.stmt] = field(default_factory=list[ast.stmt])
    uses: set[str] = field(default_factory=set[str])


def refine(
    text: str, superset: bool, nullable: Collection[str] = (), tags: Mapping[str, str] | None = None
) -> dict[str, Unit]:
    """The definitions in `text` by name, in the order the generator gave them.

    `nullable` holds the places (`Class.wireName`) that are optional and also admit null; `tags` the default of members
    that always carry one value.
    """
    units: dict[str, Unit] = {}
    last: Unit | None = None
    pass_ = _Superset(nullable, tags or {}) if superset else _Surface()
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ClassDef):
            last = Unit(statement.name, pass_.class_(statement))
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            last = Unit(statement.targets[0].id, pass_.alias(statement.targets[0].id, statement.value))
        elif isinstance(statement, ast.Expr) and last is not None:
            last.statements.insert(1, docstring(statement))
            continue
        else:
            continue
        units[last.name] = last
    produced = {alias: unit.name for unit in units.values() for alias in assigned(unit)}
    for unit in units.values():
        names = {node.id for part in unit.statements for node in ast.walk(part) if isinstance(node, ast.Name)}
        unit.uses = {produced.get(name, name) for name in names} - {unit.name}
    return units


def assigned(unit: Unit) -> list[str]:
    """The module-level names that `unit` defines."""
    names: list[str] = []
    for statement in unit.statements:
        if isinstance(statement, ast.ClassDef):
            names.append(statement.name)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.append(statement.target.id)
        elif isinstance(statement, ast.If):
            names.extend(
                n.id for n in ast.walk(statement.body[0]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            )
    return names


def public(name: str, unit: Unit) -> bool:
    """Whether `name`, defined by `unit`, is one the package exports: the definition itself."""
    return name == unit.name


def docstring(statement: ast.Expr) -> ast.Expr:
    """The docstring `statement`, its lines dedented and its end where a formatter would put it."""
    assert isinstance(statement.value, ast.Constant)
    paragraphs = inspect.cleandoc(str(statement.value.value)).split("\n\n")
    text = "\n\n".join(fill(paragraph, WIDTH) for paragraph in paragraphs)
    return ast.Expr(ast.Constant(text + "\n" if "\n" in text else text))


def keywords(call: ast.Call) -> dict[str, ast.expr]:
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


class _Numbers(ast.NodeTransformer):
    """Puts our numbers for Python's."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return load(NUMBERS.get(node.id, node.id))


class _Surface:
    """The pass over an exact surface."""

    def class_(self, node: ast.ClassDef) -> list[ast.stmt]:
        node.body = [part for statement in node.body for part in self.statement(node, statement)] or [ast.Pass()]
        return [node]

    def statement(self, owner: ast.ClassDef, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Expr(ast.Constant(str())):
                return [docstring(node)]
            case ast.Assign([ast.Name("model_config")], _):
                return []
            case ast.AnnAssign(ast.Name("__pydantic_extra__"), annotation):
                return [] if ast.unparse(annotation) == "dict[str, Any]" else [node]
            case ast.AnnAssign(ast.Name(), _, _, _):
                return [self.member(owner, node)]
            case _:
                return [node]

    def member(self, owner: ast.ClassDef, node: ast.AnnAssign) -> ast.stmt:
        annotation, metadata = split(node.annotation)
        node.annotation = annotated(limited(_Numbers().visit(annotation), metadata), metadata)
        return node

    def alias(self, name: str, value: ast.expr) -> list[ast.stmt]:
        return [alias(name, _Numbers().visit(aliased(value)))]


def aliased(value: ast.expr) -> ast.expr:
    """The type in `TypeAliasType("X", type)`."""
    assert isinstance(value, ast.Call)
    return value.args[1]


def alias(name: str, value: ast.expr) -> ast.stmt:
    """`name: TypeAlias = value`, or `TypeAliasType` where the type contains itself."""
    if any(isinstance(node, ast.Constant) and node.value == name for node in ast.walk(value)):
        call = ast.Call(load("TypeAliasType"), [ast.Constant(name), value], [])
        return ast.Assign([ast.Name(name, ast.Store())], call, lineno=0)
    return ast.AnnAssign(ast.Name(name, ast.Store()), load("TypeAlias"), value, 1)


class _Superset(_Surface):
    """The pass over the superset."""

    def __init__(self, nullable: Collection[str], tags: Mapping[str, str]) -> None:
        self.nullable, self.tags = nullable, tags
        self.tagged: dict[str, str] = {}
        self.generic = dict(GENERIC)

    def class_(self, node: ast.ClassDef) -> list[ast.stmt]:
        [result] = super().class_(node)
        for base in [base.id for base in node.bases if isinstance(base, ast.Name)]:
            if base in self.generic:
                return self.message(node, base)
        return [result]

    def message(self, node: ast.ClassDef, base: str) -> list[ast.stmt]:
        """A request or notification class with the type arguments of its generic base."""
        types = {
            part.target.id: part.annotation
            for part in node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        }
        own = ast.unparse(types["method"]) == "str"
        method: ast.expr = load("MethodT") if own else types["method"]
        params = types.get("params", load("Any"))
        arguments = ast.Tuple([params, method]) if base in GENERIC else method
        node.bases = [ast.Subscript(load(self.generic[base]), arguments)]
        if not own:
            return [node]
        node.bases = [ast.Subscript(load(base), arguments), ast.Subscript(load("Generic"), load("MethodT"))]
        node.body = [
            part
            for part in node.body
            if not (
                isinstance(part, ast.AnnAssign) and part.target is not None and ast.unparse(part.target) == "method"
            )
        ]
        self.generic[node.name] = "Spec" + node.name
        plain = f"if TYPE_CHECKING:\n    Spec{node.name} = {node.name}\nelse:\n    Spec{node.name} = Unparametrised({node.name})"
        return [node, *ast.parse(plain).body]

    def member(self, owner: ast.ClassDef, node: ast.AnnAssign) -> ast.stmt:
        assert isinstance(node.target, ast.Name)
        annotation, metadata = split(node.annotation)
        metadata.pop("discriminator", None)
        annotation = _Tagged(self.tagged).visit(_Numbers().visit(tagged_inline(node.annotation, annotation)))
        wire = metadata.pop("alias", ast.Constant(node.target.id))
        assert isinstance(wire, ast.Constant)
        default = node.value
        place = f"{owner.name}.{wire.value}"
        if place in self.nullable:
            annotation, default = or_missing(annotation), load("MISSING")
        elif place in self.tags:
            annotation, default = without_none(annotation), ast.Constant(self.tags[place])
        if to_camel(node.target.id) != wire.value:
            arguments = [] if default is None else [ast.keyword("default", default)]
            default = ast.Call(load("Field"), [], [*arguments, ast.keyword("alias", wire)])
        node.annotation, node.value = annotation, default
        return node

    def alias(self, name: str, value: ast.expr) -> list[ast.stmt]:
        inner, metadata = split(aliased(value))
        plain = alias(name, _Tagged(self.tagged).visit(_Numbers().visit(inner)))
        if "discriminator" not in metadata:
            return [plain]
        tag = metadata["discriminator"]
        assert isinstance(tag, ast.Constant)
        self.tagged[name] = f"{name}By{str(tag.value).capitalize()}"
        return [plain, alias(self.tagged[name], annotated(load(name), metadata))]


def tagged_inline(whole: ast.expr, annotation: ast.expr) -> ast.expr:
    """`annotation`, keeping the discriminator that stands at the member itself."""
    _, metadata = split(whole)
    if "discriminator" not in metadata:
        return annotation
    return annotated(annotation, {"discriminator": metadata["discriminator"]})


def without_none(annotation: ast.expr) -> ast.expr:
    match annotation:
        case ast.BinOp(left, ast.BitOr(), ast.Constant(None)):
            return left
        case _:
            return annotation


def or_missing(annotation: ast.expr) -> ast.expr:
    """`annotation` with absence told apart from null."""
    if ast.unparse(annotation) in ("Any", "Any | None"):
        annotation = load("Any")
    return ast.BinOp(annotation, ast.BitOr(), load("MISSING"))


class _Tagged(ast.NodeTransformer):
    """Puts the tagged form of a union for the plain one."""

    def __init__(self, tagged: Mapping[str, str]) -> None:
        self.tagged = tagged

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return load(self.tagged.get(node.id, node.id))
