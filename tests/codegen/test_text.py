"""From the generator's text to files: `emit`, `annotations`, `passes`, `refine`, `package`, `render` and `format`."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import jinja2
import pytest

from codegen.annotate import document
from codegen.annotations import docstring, limited, quoted_names, split
from codegen.emit import SUPERSET as OF_SUPERSET
from codegen.emit import SURFACE as OF_SURFACE
from codegen.emit import emit
from codegen.format import formatted
from codegen.package import in_order, source
from codegen.passes import Hints, Renamed
from codegen.problems import Problem
from codegen.refine import assigned, refine
from codegen.render import render
from tests.codegen.schemas import record


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def test_the_generators_refusal_is_one_line() -> None:
    with pytest.raises(Problem, match="types: datamodel-code-generator refuses the schema"):
        emit({"$defs": {"A": {"$ref": "#/$defs/Gone"}}}, "types", OF_SUPERSET)


def test_an_unknown_format_is_no_matter() -> None:
    text = emit(document({"A": record(x={"type": "string", "format": ": uri"})}), "types", OF_SURFACE)
    assert "x: str | MISSING = MISSING" in text


def test_names_are_replaced_in_quotes_and_not_in_literals() -> None:
    node = Renamed({"int": "Integer", "A": "B"}).visit(expression("dict[int, 'list[A]'] | Literal['A', 'int'] | None"))
    assert ast.unparse(node) == "dict[Integer, 'list[B]'] | Literal['A', 'int'] | None"
    limited_ = "list[Annotated[int, Field(pattern='^x-')]]"
    assert ast.unparse(Renamed({"int": "Integer"}).visit(expression(limited_))) == limited_.replace("int,", "Integer,")
    assert quoted_names(expression("list['dict[str, A]'] | Literal['B'] | None")) == {"dict", "str", "A"}
    assert quoted_names(expression(limited_)) == set()


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Annotated[str | None, Field(min_length=1)]", "Annotated[str, Field(min_length=1)] | None"),
        ("Annotated[str | MISSING, Field(pattern='a')]", "Annotated[str, Field(pattern='a')] | MISSING"),
        ("Annotated[str | int, Field(ge=1)]", "str | int"),
        ("str", "str"),
    ],
)
def test_limits_sit_on_what_they_limit(text: str, outcome: str) -> None:
    annotation, metadata = split(expression(text))
    assert ast.unparse(limited(annotation, metadata)) == outcome


def test_docstrings_take_one_form() -> None:
    def text(value: str) -> str:
        return source(docstring(ast.Expr(ast.Constant(value))))

    assert text("  One\n  line. ") == '"""One line."""'
    assert text("Head.\n\nBody.") == '"""Head.\n\nBody.\n"""'
    assert text("A \\ in it.") == '"""A \\\\ in it."""'


GENERATED = '''
from __future__ import annotations
import x

class A(MCPModel):
    """
    An A.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Any]
    a: Annotated[int | None, Field(alias="a", ge=0)] = None
    b: None = None
    pass

class Closed(ExactModel):
    __pydantic_extra__: dict[str, int]

class Empty(ExactModel):
    model_config = ConfigDict(extra="allow")

class Meta(MetaMapping):
    key: str

class Node(MCPModel):
    """A node, not a "Holder"."""

    next: Optional["Node"] = None
    parent: Annotated[Optional["Node"], Field(alias="Parent")] = None

class Holder(MCPModel):
    meta: Meta
    one: A | Empty
    other: A | str

B = TypeAliasType("B", "list[B]")
"""
A B.
"""

Pair = TypeAliasType("Pair", Annotated[A | Empty, Field(discriminator="kind")])
Modes = TypeAliasType("Modes", A | Empty)
'''


def test_a_surface_keeps_limits_and_says_what_is_open() -> None:
    units = refine(GENERATED, None)
    text = {name: "\n".join(map(source, unit.statements)) for name, unit in units.items()}
    assert text["A"] == (
        'class A(MCPModel):\n    """An A."""\n'
        "    a: Annotated[Annotated[Integer, Field(ge=0)] | None, Field(alias='a')] = None\n"
        "    b: None = None\n    pass"
    )
    assert text["Closed"] == "class Closed(ExactModel):\n    __pydantic_extra__: dict[str, Integer]"
    assert text["Empty"] == "class Empty(ExactModel):\n    pass"
    assert text["B"] == 'B = TypeAliasType(\'B\', \'list[B]\')\n"""A B."""'
    assert [name for name, unit in units.items() if unit.quotes] == ["Node", "B"]
    assert units["Pair"].uses == {"A", "Empty", "Annotated", "Field", "TypeAlias"}


def test_the_superset_has_tagged_forms_beside_plain_unions() -> None:
    absent = {"Modes": {"member": "mode", "absent": "form"}}
    units = refine(GENERATED, Hints(mixins={"A": ["Mixin"]}, absent=absent, long=["Holder.other"]))
    assert assigned(units["Pair"]) == ["Pair", "PairByKind"]
    assert assigned(units["B"]) == ["B"]
    text = "\n".join(map(source, units["Modes"].statements))
    assert text.endswith("ModesByMode: TypeAlias = Annotated[Modes, ByMember('mode', 'form'), AS_IT_IS]")
    assert assigned(units["Meta"]) == ["Meta", "MetaOrDict"]
    assert source(units["Node"].statements[0]).splitlines()[2:] == [
        "    next: Optional['Node'] = Field(default=None, exclude_if=is_none)",
        "    parent: Optional['Node'] = Field(default=None, alias='Parent', exclude_if=is_none)",
    ]
    assert source(units["Holder"].statements[0]).splitlines()[1:] == [
        "    meta: MetaOrDict",
        "    one: Annotated[A | Empty, AS_IT_IS]",
        "    other: Annotated[A | str, AS_IT_IS]",
    ]
    assert source(units["A"].statements[0]).startswith("class A(MCPModel, Mixin):")


def test_templates_fail_on_what_is_undefined() -> None:
    with pytest.raises(jinja2.UndefinedError):
        render("constants.py.j2")


def test_formatting() -> None:
    files = {Path("src/a.py"): "import b\nimport a\nx   = [a,b]\n", Path("b.py"): "import unused\ny = 'q'\n"}
    assert formatted(files) == {
        Path("src/a.py"): b"import a\nimport b\n\nx = [a, b]\n",
        Path("b.py"): b'y = "q"\n',
    }


def test_text_that_is_no_python_is_kept_for_reading() -> None:
    with pytest.raises(Problem, match="format: ruff failed, the text is kept in") as caught:
        formatted({Path("a.py"): "def ("})
    folder = Path(str(caught.value).partition("kept in ")[2].partition(":")[0])
    assert (folder / "a.py").read_text(encoding="utf-8") == "def ("
    shutil.rmtree(folder)


def test_names_and_values_of_any_kind_stay_what_they_are() -> None:
    odd = ["", 'x"y', "\\n", "it's", "\n", "ü"]
    text = render(
        "availability.py.j2",
        spans=[],
        classes=[],
        tables=[("VALUES", "Values.", [(f"A.{one}", [(one, "S")]) for one in odd])],
    )
    [table] = [node for node in ast.parse(text).body if "VALUES: " in ast.unparse(node)]
    keys = [node.value for node in ast.walk(table) if isinstance(node, ast.Constant)]
    assert {*odd, *(f"A.{one}" for one in odd)} <= {*keys}


def test_definitions_stand_from_a_to_z_after_what_they_use() -> None:
    uses: dict[str, set[str]] = {"B": {"Z", "Elsewhere"}, "A": set(), "Z": {"Y"}, "Y": {"Z"}, "C": {"A"}}
    assert in_order(uses, dict.fromkeys(uses, 1)) == ["A", "Y", "Z", "B", "C"]
    assert in_order(uses, {"A": 1, "B": 1, "C": 0, "Y": 2, "Z": 2}) == ["A", "C", "Y", "Z", "B"]
