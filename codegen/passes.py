"""The two passes over the generator's text: one for the exact surfaces, one for the superset."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic.alias_generators import to_camel

from codegen.annotations import (
    alias,
    aliased,
    annotated,
    docstring,
    limited,
    load,
    or_missing,
    quoted_names,
    split,
)

NUMBERS = {"int": "Integer", "float": "Number"}
GENERIC = {"Request": "SpecRequest", "Notification": "SpecNotification"}
UNPARAMETRISED = """
if TYPE_CHECKING:
    class Spec{name}({name}[MethodT], Generic[MethodT]):
        '''Base of the generated classes that stand on `{name}`.'''
else:
    Spec{name} = Unparametrised({name})
"""


OR_DICT = """
if TYPE_CHECKING:
    {name}OrDict: TypeAlias = {name} | dict[str, Any]
else:
    {name}OrDict = {name}
"""
"""For type checkers a member takes a dict as well, which becomes the model."""


@dataclass(frozen=True)
class Hints:
    """What the pass over the superset must know beside the text. A place is `Class.wireName`."""

    nullable: Collection[str] = ()
    """Places that are optional and also admit null."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """Place to the value that it always carries although the schema leaves it open."""
    mixins: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Class to the hand-written bases it has beside generated ones."""
    absent: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Union to the `member` that tells its arms apart and the tag that is meant where it is `absent`."""
    long: Collection[str] = ()
    """Places of long strings, which pydantic-core writes faster when it is not told that they are strings."""


class Renamed(ast.NodeTransformer):
    """Puts other names for names, quoted ones too."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Replace a name."""
        return load(self.names.get(node.id, node.id))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Leave the values of a `Literal` alone."""
        return node if ast.unparse(node.value) == "Literal" else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Leave limits alone."""
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Replace the names in a quoted type."""
        if not isinstance(node.value, str):
            return node
        return ast.Constant(ast.unparse(self.visit(ast.parse(node.value, mode="eval"))))


class SurfacePass:
    """The pass over an exact surface."""

    def class_(self, node: ast.ClassDef) -> list[ast.stmt]:
        """What a generated class becomes."""
        node.body = [part for statement in node.body for part in self.statement(node, statement)] or [ast.Pass()]
        return [node]

    def statement(self, owner: ast.ClassDef, node: ast.stmt) -> list[ast.stmt]:
        """What a statement in a class becomes."""
        match node:
            case ast.Expr(ast.Constant(str())):
                return [docstring(node)]
            case ast.Assign([ast.Name("model_config")], _):
                return []
            case ast.AnnAssign(ast.Name("__pydantic_extra__"), annotation):
                node.annotation = Renamed(NUMBERS).visit(annotation)
                return [] if ast.unparse(annotation) == "dict[str, Any]" else [node]
            case ast.AnnAssign(ast.Name(), _, _, _):
                return [self.member(owner, node)]
            case _:
                return [node]

    def member(self, owner: ast.ClassDef, node: ast.AnnAssign) -> ast.stmt:
        """What a member becomes."""
        annotation, metadata = split(node.annotation)
        node.annotation = annotated(limited(Renamed(NUMBERS).visit(annotation), metadata), metadata)
        return node

    def alias(self, name: str, value: ast.expr) -> list[ast.stmt]:
        """What a type alias becomes."""
        return [alias(name, Renamed(NUMBERS).visit(aliased(value)))]


class Unions(ast.NodeTransformer):
    """Has the members of unions of models written as what they are, which is cheaper than trying the arms."""

    def __init__(self, classes: Collection[str]) -> None:
        self.classes = classes

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Wrap a union with nothing but models for arms."""
        arms = [arm.strip() for arm in ast.unparse(node).split("|")]
        if all(arm in self.classes for arm in arms):
            return as_it_is(node)
        result = self.generic_visit(node)
        assert isinstance(result, ast.BinOp)
        return result


def as_it_is(annotation: ast.expr) -> ast.expr:
    """`Annotated[annotation, AS_IT_IS]`."""
    match annotation:
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple(parts)):
            parts = [*parts, load("AS_IT_IS")]
        case _:
            parts = [annotation, load("AS_IT_IS")]
    return ast.Subscript(load("Annotated"), ast.Tuple(parts))


class SupersetPass(SurfacePass):
    """The pass over the superset."""

    def __init__(self, hints: Hints) -> None:
        self.hints = hints
        self.tagged: dict[str, str] = {}
        self.generic = dict(GENERIC)
        self.classes: set[str] = set()

    def renamed(self, annotation: ast.expr) -> ast.expr:
        """`annotation` with our numbers, and the tagged forms of unions."""
        result: ast.expr = Renamed({**NUMBERS, **self.tagged}).visit(annotation)
        return result

    def class_(self, node: ast.ClassDef) -> list[ast.stmt]:
        """What a generated class becomes."""
        [result] = super().class_(node)
        self.classes.add(node.name)
        node.bases.extend(map(load, self.hints.mixins.get(node.name, ())))
        for base in [base.id for base in node.bases if isinstance(base, ast.Name)]:
            if base in self.generic:
                return self.message(node, base)
            if base == "MetaMapping":
                self.tagged[node.name] = f"{node.name}OrDict"
                return [result, *ast.parse(OR_DICT.format(name=node.name)).body]
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
            part for part in node.body if not (isinstance(part, ast.AnnAssign) and ast.unparse(part.target) == "method")
        ]
        self.generic[node.name] = "Spec" + node.name
        return [node, *ast.parse(UNPARAMETRISED.format(name=node.name)).body]

    def member(self, owner: ast.ClassDef, node: ast.AnnAssign) -> ast.stmt:
        """What a member becomes."""
        assert isinstance(node.target, ast.Name)
        annotation, metadata = split(node.annotation)
        tag = {name: metadata.pop(name) for name in ("discriminator",) if name in metadata}
        annotation = self.renamed(annotation)
        annotation = as_it_is(annotated(annotation, tag)) if tag else Unions(self.classes).visit(annotation)
        wire = metadata.pop("alias", ast.Constant(node.target.id))
        name = str(ast.literal_eval(wire))
        default = node.value
        place = f"{owner.name}.{name}"
        if place in self.hints.long:
            annotation = as_it_is(annotation)
        if place in self.hints.nullable:
            annotation, default = or_missing(annotation), load("MISSING")
        elif place in self.hints.tags:
            default = ast.Constant(self.hints.tags[place])
        extra = [ast.keyword("alias", wire)] if to_camel(node.target.id) != name else []
        if isinstance(default, ast.Constant) and default.value is None and quoted_names(annotation):
            # The class is built anew once the name is known, and what its base did to the member is lost.
            extra.append(ast.keyword("exclude_if", load("is_none")))
        if extra:
            arguments = [] if default is None else [ast.keyword("default", default)]
            default = ast.Call(load("Field"), [], [*arguments, *extra])
        node.annotation, node.value = annotation, default
        return node

    def alias(self, name: str, value: ast.expr) -> list[ast.stmt]:
        """What a type alias becomes."""
        inner, metadata = split(aliased(value))
        plain = alias(name, self.renamed(inner))
        absent = self.hints.absent.get(name)
        if absent is not None:
            arguments: list[ast.expr] = [ast.Constant(absent["member"]), ast.Constant(absent["absent"])]
            by_member = ast.Call(load("ByMember"), arguments, [])
            tagged: ast.expr = ast.Subscript(load("Annotated"), ast.Tuple([load(name), by_member]))
            tag = absent["member"]
        elif "discriminator" in metadata:
            tagged, tag = annotated(load(name), metadata), ast.literal_eval(metadata["discriminator"])
        else:
            return [plain]
        self.tagged[name] = f"{name}By{tag.capitalize()}"
        return [plain, alias(self.tagged[name], as_it_is(tagged))]
