"""The two passes over the generator's text: one for the exact surfaces, one for the superset."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from pydantic.alias_generators import to_camel

from codegen.annotations import alias, aliased, annotated, docstring, limited, load, or_missing, split, without_none

NUMBERS = {"int": "Integer", "float": "Number"}
GENERIC = {"Request": "SpecRequest", "Notification": "SpecNotification"}
UNPARAMETRISED = """
if TYPE_CHECKING:
    Spec{name} = {name}
else:
    Spec{name} = Unparametrised({name})
"""


class Numbers(ast.NodeTransformer):
    """Puts our numbers for Python's."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Replace `int` and `float`."""
        return load(NUMBERS.get(node.id, node.id))


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
                return [] if ast.unparse(annotation) == "dict[str, Any]" else [node]
            case ast.AnnAssign(ast.Name(), _, _, _):
                return [self.member(owner, node)]
            case _:
                return [node]

    def member(self, owner: ast.ClassDef, node: ast.AnnAssign) -> ast.stmt:
        """What a member becomes."""
        annotation, metadata = split(node.annotation)
        node.annotation = annotated(limited(Numbers().visit(annotation), metadata), metadata)
        return node

    def alias(self, name: str, value: ast.expr) -> list[ast.stmt]:
        """What a type alias becomes."""
        return [alias(name, Numbers().visit(aliased(value)))]


class Tagged(ast.NodeTransformer):
    """Puts the tagged form of a union for the plain one."""

    def __init__(self, tagged: Mapping[str, str]) -> None:
        self.tagged = tagged

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Replace the name of a union that has a tagged form."""
        return load(self.tagged.get(node.id, node.id))


class SupersetPass(SurfacePass):
    """The pass over the superset."""

    def __init__(self, nullable: Collection[str], tags: Mapping[str, str]) -> None:
        self.nullable, self.tags = nullable, tags
        self.tagged: dict[str, str] = {}
        self.generic = dict(GENERIC)

    def class_(self, node: ast.ClassDef) -> list[ast.stmt]:
        """What a generated class becomes."""
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
            part for part in node.body if not (isinstance(part, ast.AnnAssign) and ast.unparse(part.target) == "method")
        ]
        self.generic[node.name] = "Spec" + node.name
        return [node, *ast.parse(UNPARAMETRISED.format(name=node.name)).body]

    def member(self, owner: ast.ClassDef, node: ast.AnnAssign) -> ast.stmt:
        """What a member becomes."""
        assert isinstance(node.target, ast.Name)
        annotation, metadata = split(node.annotation)
        tag = {name: metadata.pop(name) for name in ("discriminator",) if name in metadata}
        annotation = Tagged(self.tagged).visit(Numbers().visit(annotated(annotation, tag)))
        wire = metadata.pop("alias", ast.Constant(node.target.id))
        name = str(ast.literal_eval(wire))
        default = node.value
        place = f"{owner.name}.{name}"
        if place in self.nullable:
            annotation, default = or_missing(annotation), load("MISSING")
        elif place in self.tags:
            annotation, default = without_none(annotation), ast.Constant(self.tags[place])
        if to_camel(node.target.id) != name:
            arguments = [] if default is None else [ast.keyword("default", default)]
            default = ast.Call(load("Field"), [], [*arguments, ast.keyword("alias", wire)])
        node.annotation, node.value = annotation, default
        return node

    def alias(self, name: str, value: ast.expr) -> list[ast.stmt]:
        """What a type alias becomes."""
        inner, metadata = split(aliased(value))
        plain = alias(name, Tagged(self.tagged).visit(Numbers().visit(inner)))
        if "discriminator" not in metadata:
            return [plain]
        tag = ast.literal_eval(metadata["discriminator"])
        self.tagged[name] = f"{name}By{tag.capitalize()}"
        return [plain, alias(self.tagged[name], annotated(load(name), metadata))]
