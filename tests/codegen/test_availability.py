from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.availability import Survey, availability, span
from codegen.pipeline import Pipeline
from tests.codegen.schemas import INTEGER, STRING, const, one_of, record, ref
from tests.codegen.small import SUPERSET, small

KNOWN = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
ALWAYS = tuple(KNOWN)
OLD, NEW = "2025-01-01", "2025-06-01"
BOTH = (OLD, NEW)


@pytest.fixture(scope="module")
def tables(built: dict[Path, bytes], tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The generated module, by itself."""
    file = tmp_path_factory.mktemp("availability") / "availability.py"
    file.write_bytes(built[Path("src/mcp_surfaces/types/availability.py")])
    spec = importlib.util.spec_from_file_location("availability", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.untraced
def test_what_is_known_of_the_protocol(tables: ModuleType) -> None:
    since = {revision: tuple(KNOWN[index:]) for index, revision in enumerate(KNOWN)}
    until = tuple(KNOWN[:4])
    assert tables.CLASSES["Tool"] == ALWAYS
    assert tables.CLASSES["IconTheme"] == since["2025-11-25"]
    assert tables.CLASSES["ElicitRequestFormParams"] == since["2025-06-18"]
    assert tables.MEMBERS["Tool"]["execution"] == ("2025-11-25",)
    assert tables.MEMBERS["ElicitRequestFormParams"]["mode"] == since["2025-11-25"]
    assert "resultType" not in tables.MEMBERS["CancelTaskResult"]
    assert tables.REQUIRED["ElicitRequestURLParams"] == {"elicitationId": ("2025-11-25",)}
    assert tables.ARMS["CallToolResult.content[]"]["ResourceLink"] == since["2025-06-18"]
    assert tables.ARMS["SamplingMessage.content"]["AudioContent"] == since["2025-03-26"]
    assert tables.ARMS["CreateMessageResultWithTools.content[]"]["TextContent"] == since["2025-11-25"]
    assert tables.ARMS["ClientNotification"]["CancelledNotification"] == ALWAYS
    assert tables.ARMS["ClientNotification"]["InitializedNotification"] == until
    assert tables.ARMS["ClientResult"]["EmptyResult"] == ALWAYS
    assert tables.VALUES["Annotations.audience[]"] == {"assistant": ALWAYS, "user": ALWAYS}
    assert tables.VALUES["ToolChoice.mode"]["auto"] == since["2025-11-25"]
    assert tables.VALUES["Tool.outputSchema.type"] == {"object": ("2025-06-18", "2025-11-25")}
    assert tables.VALUES["Tool.inputSchema.type"] == {"object": ALWAYS}
    assert tables.TYPES["Tool.inputSchema.properties"] == {"object": until}
    assert tables.TYPES["CallToolResult.structuredContent"]["object"] == since["2025-06-18"]
    assert tables.TYPES["CallToolResult.structuredContent"]["null"] == ("2026-07-28",)
    assert tables.TYPES["ServerCapabilities.experimental{}"] == {"object": ALWAYS}
    assert tables.TYPES["SamplingMessage.content"] == {"array": since["2025-11-25"], "object": ALWAYS}


@pytest.mark.untraced
def test_every_member_of_every_class_has_its_revisions(tables: ModuleType, pipeline: Pipeline) -> None:
    for name, node in pipeline.superset.defs.items():
        assert set(tables.CLASSES[name]) <= set(KNOWN)
        for member in node.get("properties", {}):
            assert tables.MEMBERS[name][member], f"{name}.{member}"


def test_from_small_schemas(tmp_path: Path) -> None:
    superset = """\
[types]
"A.document" = { type = "object" }

[enums]
"A.level" = "closed"

[arms]
B = "C"

[rename]
Was = "A"
"""
    document = record(kind=const("x"), size=STRING)
    tree = one_of(STRING, {"type": "array", "items": ref("Tree")})
    parts: dict[str, Any] = {"B": record("b", b=STRING), "C": record("c", c=STRING), "D": record(d=STRING)}
    level = {"enum": ["lo", "hi"]}
    parts["Tree"] = tree
    old = {
        **parts,
        "Was": record("n", document=document, n=INTEGER, some={"type": "array", "items": ref("B")}),
        "U": record(d=STRING),
        "W": record(z=STRING),
        "Wide": record("m", m=STRING, more=STRING),
        "Either": ref("B"),
    }
    new = {
        **parts,
        "A": record(
            document=record(size=STRING),
            level=level,
            n={"type": "number"},
            some={"type": "array", "items": one_of(ref("B"), ref("C"))},
            tree=ref("Tree"),
            map={"type": "object", "additionalProperties": one_of(ref("B"), ref("C"))},
            one={"anyOf": [ref("B"), STRING]},
        ),
        "U": one_of(ref("C"), ref("D")),
        "W": one_of(ref("C"), STRING),
        "Plain": record("m", m=STRING),
        "Full": record("m", m=STRING, more=STRING),
        "Listed": record("l", "m", l=STRING, m=STRING),
        "Wide": one_of(ref("Full"), ref("Plain"), ref("Listed")),
        "Either": one_of(ref("B"), ref("D"), STRING),
    }
    newest = SUPERSET.replace("\n[docs]", 'newest = ["U", "W", "Wide"]\n[docs]', 1)
    run = small(tmp_path, {OLD: old, NEW: new}, superset=newest + superset)
    found = availability(run.superset, [OLD, NEW], {"B": "C"})
    assert found.classes["A"] == BOTH
    assert found.members["A"]["level"] == (NEW,)
    assert found.required == {"A": {"n": (OLD,)}}
    assert found.arms["A.some[]"] == {"B": BOTH, "C": (NEW,)}
    assert found.arms["A.map{}"] == {"B": (NEW,), "C": (NEW,)}
    assert found.arms["U"] == {"C": (NEW,), "D": BOTH}
    assert found.arms["Either"] == {"C": BOTH, "D": (NEW,)}
    assert found.classes["W"] == BOTH
    assert found.values["A.level"] == {"hi": (NEW,), "lo": (NEW,)}
    assert found.arms["Wide"] == {"Full": BOTH, "Listed": (NEW,), "Plain": BOTH}
    assert found.members["Plain"] == {"m": BOTH}
    assert found.members["Full"] == {"m": BOTH, "more": BOTH}
    assert found.values["A.document.kind"] == {"x": (OLD,)}
    assert "A.document.size" not in found.values
    assert found.types["A.document.size"] == {"string": BOTH}
    assert found.types["A.n"] == {"integer": BOTH, "number": (NEW,)}
    assert "A.tree" not in found.types


def test_an_enum_may_list_values_of_several_types() -> None:
    survey = Survey({}, {})
    survey.visit({"enum": ["a", None, 3]}, "A.f", OLD, ())
    assert survey.types["A.f"].keys() == {"integer", "null", "string"}
    assert survey.values["A.f"].keys() == {"a"}


def test_what_a_map_of_any_holds_is_open() -> None:
    text = {"type": "object", "additionalProperties": STRING}
    properties = {"any": {"type": "object", "additionalProperties": {}}, "text": text, "node": ref("B")}
    survey = Survey({"A": {"properties": properties}}, {})
    assert survey.is_open("A.any{}")
    assert not any(map(survey.is_open, ("A", "A.any", "A.text{}", "A.node{}")))
    assert all(map(survey.is_open, ("A.any{}[]", "A.any{}.x", "A.other")))


def test_a_definition_inside_of_itself_counts_as_what_it_is() -> None:
    tree: dict[str, Any] = {"type": "object", "additionalProperties": one_of(STRING, ref("Tree"))}
    survey = Survey({"A": {"properties": {}}}, {"Tree": {OLD: tree}})
    survey.visit(ref("Tree"), "A.tree", OLD, ())
    assert survey.types["A.tree"].keys() == {"object"}
    assert survey.types["A.tree{}"].keys() == {"object", "string"}


@pytest.mark.parametrize(
    ("revisions", "name"),
    [
        (ALWAYS, "_ALWAYS"),
        (("2026-07-28",), "_SINCE_2026_07_28"),
        (("2025-03-26",), "_ONLY_2025_03_26"),
        (ALWAYS[:4], "_UNTIL_2025_11_25"),
        (ALWAYS[1:3], "_FROM_2025_03_26_UNTIL_2025_06_18"),
        (("2024-11-05", "2026-07-28"), "_IN_2024_11_05_AND_2026_07_28"),
    ],
)
def test_names_of_spans(revisions: tuple[str, ...], name: str) -> None:
    assert span(revisions, KNOWN) == name
