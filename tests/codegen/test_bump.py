"""Bumps of a small repository: what is inferred, what is set aside, what stops, and that it is all or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.bump import Bump, bump
from codegen.canonical import dump
from codegen.edits import added
from codegen.output import drift, write
from codegen.pipeline import Pipeline
from codegen.policy import loads, read_toml
from codegen.problems import Problem
from tests.codegen.schemas import INTEGER, STRING, const, one_of, record, ref, request, schema
from tests.codegen.small import LEAST, SUPERSET, edit, folder

OLD, MIDDLE, NEW = "2025-01-01", "2025-03-01", "2025-06-01"
COMMIT = "fedcba9876543210" * 2 + "fedcba98"
PARAMS: dict[str, Any] = {"name": STRING, "title": STRING, "level": STRING}
DEFS: dict[str, Any] = {
    "AskRequest": request("ask", "params", params=ref("AskParams")),
    "AskParams": record("name", **PARAMS),
    "ClientRequest": one_of(ref("AskRequest")),
    "Named": record("name", name=STRING, title=STRING),
    "Gone": record(x=INTEGER),
    "Request": record("method", method=STRING),
}
POLICY = {
    "bases": '[bases]\nAskParams = [\n    "Named",\n    "Gone",\n]\n"*Request" = ["Request"]\n',
    "docs": "".join(f'[{name}]\n"" = "{name}, explained."\n\n' for name in sorted(DEFS)),
    "superset": SUPERSET + '[external]\nRequest = "base"\n',
    "topics": '[[topic]]\nname = "all"\ndoc = "All."\ndefinitions = [\n'
    + "".join(f'    "{name}",\n' for name in sorted(DEFS))
    + "]\n",
    "amendments": """\
[[amendment]]
name = "whole"
kind = "erratum"
pointer = "/$defs/Gone/properties/x/type"
expected = "integer"
new = "number"
reason = "…"
evidence = "…"
""",
}


def quiet(step: str) -> None:
    """Say nothing."""


@pytest.fixture
def small_repo(tmp_path: Path) -> Path:
    """A repository with one revision, generated."""
    root = tmp_path / "repo"
    folder(root / "schemas", {OLD: schema(**DEFS)}, **POLICY)
    write(root, Pipeline(root / "schemas").files())
    return root


def upstream(**changes: Any) -> bytes:
    """The small schema with definitions changed; None takes one away."""
    return dump(schema(**{name: node for name, node in {**DEFS, **changes}.items() if node is not None}))


def taken(root: Path, revision: str, data: bytes) -> list[str]:
    """Bump and write; returns what was done to the policy. The outcome has no drift."""
    outcome = bump(root, revision, data, COMMIT, quiet)
    write(root, outcome.files)
    assert drift(root, Pipeline(root / "schemas").files()) == []
    return said(outcome)


def said(outcome: Bump) -> list[str]:
    """What was done to the policy, under all headings."""
    return [line for lines in outcome.notes.values() for line in lines]


def test_the_same_schema_changes_nothing(small_repo: Path) -> None:
    data = (small_repo / "schemas" / f"{OLD}.json").read_bytes()
    outcome = bump(small_repo, OLD, data, None, quiet)
    assert write(small_repo, outcome.files) == []
    assert said(outcome) == []
    assert "The schemas are the same." in outcome.report("text")


def test_a_commit_that_is_not_stated_is_not_written(small_repo: Path) -> None:
    write(small_repo, bump(small_repo, OLD, upstream(Gone=record(x=INTEGER, y=STRING)), None, quiet).files)
    assert '"commit": ""' in (small_repo / "schemas/pins.json").read_text(encoding="utf-8")
    for package in ("types", "v2025_01_01"):
        head = (small_repo / f"src/mcp_surfaces/{package}/__init__.py").read_text(encoding="utf-8")
        assert "# 2025-01-01: schema/2025-01-01.json, sha256 " in head
        assert " at " not in head.splitlines()[1]


def test_what_has_a_good_default_is_inferred_and_written_down(small_repo: Path) -> None:
    fresh = {
        "Fresh": record("name", name=STRING, title=STRING, mode={"type": "string", "enum": ["a", "b"]}),
        "AskParams": record("name", **PARAMS, extra=ref("Fresh"), inner=record(z=STRING)),
        "List": {"type": "array", "items": record(y=STRING)},
    }
    decisions = taken(small_repo, OLD, upstream(**fresh))
    schemas = small_repo / "schemas"
    docs = read_toml(schemas / "docs.toml")
    assert {docs[name][""] for name in ("Fresh", "AskParamsInner", "List", "ListObject")} == {
        "Fresh.",
        "AskParamsInner.",
        "List.",
        "ListObject.",
    }
    assert read_toml(schemas / "superset.toml")["enums"] == {"Fresh.mode": "closed"}
    assert read_toml(schemas / "names.toml")["inline"] == {"List[]": "ListObject"}
    assert read_toml(schemas / "bases.toml")["bases"]["Fresh"] == ["Named"]
    assert "Fresh" in read_toml(schemas / "topics.toml")["topic"][0]["definitions"]
    assert any(
        '#/$defs/Fresh: has no docstring → added: in docs.toml, [Fresh] "" = "Fresh."' in line for line in decisions
    )
    assert any('has no topic → added: in topics.toml, "' in line for line in decisions)
    text = bump(small_repo, OLD, upstream(), None, quiet).report("markdown")
    assert "### Set aside in the policy, deciding nothing now\n" in text
    assert "\n- topics.toml: " in text


def test_lines_that_decide_nothing_are_set_aside_and_come_back(small_repo: Path) -> None:
    schemas = small_repo / "schemas"
    before = {path.name: path.read_bytes() for path in schemas.glob("*.toml")}
    params = record("name", **PARAMS)
    outcome = bump(small_repo, OLD, upstream(Gone=None, AskParams=params), COMMIT, quiet)
    write(small_repo, outcome.files)
    assert '#~ [Gone]\n#~ "" = "Gone, explained."\n' in (schemas / "docs.toml").read_text(encoding="utf-8")
    assert '#~     "Gone",\n' in (schemas / "bases.toml").read_text(encoding="utf-8")
    assert (schemas / "amendments.toml").read_text(encoding="utf-8").startswith("#~ [[amendment]]\n#~ name = ")
    aside = [
        "amendments.toml: amendment.whole",
        "bases.toml: bases.AskParams.Gone",
        "docs.toml: Gone",
        "topics.toml: topic.all.definitions.Gone",
    ]
    assert {heading: lines for heading, lines in outcome.notes.items() if lines} == {"set aside": aside}
    outcome = bump(small_repo, OLD, upstream(), COMMIT, quiet)
    write(small_repo, outcome.files)
    assert {path.name: path.read_bytes() for path in schemas.glob("*.toml")} == before
    assert {heading: lines for heading, lines in outcome.notes.items() if lines} == {
        "taken up again": aside,
        "undocumented": ["`Gone.x`"],
    }


def test_a_definition_renamed_stays_one_class(small_repo: Path) -> None:
    schemas = small_repo / "schemas"
    before = {path.name: path.read_bytes() for path in schemas.glob("*.toml")}
    renamed = upstream(Named=None, NamedThing=DEFS["Named"])
    decisions = taken(small_repo, OLD, renamed)
    assert decisions[0] == (
        "2025-01-01#/$defs/NamedThing: seems to be Named under another name, and stays one class with it"
        ' → added: in superset.toml, [rename] NamedThing = "Named"'
    )
    assert read_toml(schemas / "superset.toml")["rename"] == {"NamedThing": "Named"}
    assert (schemas / "docs.toml").read_bytes() == before["docs.toml"]
    module = (small_repo / "src/mcp_surfaces/types/all.py").read_text(encoding="utf-8")
    assert "class Named(MCPModel):" in module
    assert 'NamedThing = Named\n"""Another name of Named."""' in module
    assert "class NamedThing(" not in module
    back = taken(small_repo, OLD, upstream())
    assert "superset.toml: rename" in back
    assert [line for line in back if "seems to be" in line] == []
    again = taken(small_repo, OLD, renamed)
    assert [line for line in again if "seems to be" in line] == []
    assert read_toml(schemas / "superset.toml")["rename"] == {"NamedThing": "Named"}


def test_a_union_renamed_stays_one_alias(small_repo: Path) -> None:
    arms = {"Gone": DEFS["Gone"], "Other": record(o=STRING)}
    either = one_of(ref("Gone"), ref("Other"))
    taken(small_repo, OLD, upstream(**arms, Either=either, Holder=record(x=ref("Either"))))
    changed = upstream(**arms, EitherOne=either, Holder=record(x=ref("EitherOne")))
    decisions = taken(small_repo, OLD, changed)
    assert decisions[0].endswith(' → added: in superset.toml, [rename] EitherOne = "Either"')
    module = (small_repo / "src/mcp_surfaces/types/all.py").read_text(encoding="utf-8")
    assert 'EitherOne = Either\n"""Another name of Either."""' in module


FRAME = record("jsonrpc", "result", jsonrpc=STRING, result=INTEGER)
DECIDED: dict[str, Callable[[Path], None]] = {
    "a docstring of its own": lambda file: edit(
        file / "docs.toml", "[Request]", '[NamedThing]\n"" = "A thing."\n\n[Request]'
    ),
    "another definition": lambda file: edit(
        file / "superset.toml", "[external]", '[rename]\nNamedThing = "AskParams"\n\n[external]'
    ),
    "no class": lambda file: edit(file / "superset.toml", "[external]", '[external]\nNamed = "base"'),
}


@pytest.mark.parametrize("what", DECIDED)
def test_a_definition_renamed_otherwise_by_policy(small_repo: Path, what: str) -> None:
    DECIDED[what](small_repo / "schemas")
    outcome = bump(small_repo, OLD, upstream(Named=None, NamedThing=DEFS["Named"]), None, quiet)
    assert [line for line in said(outcome) if "seems to be" in line] == []


def test_names_that_another_revision_knows_are_not_aliases(small_repo: Path) -> None:
    taken(small_repo, NEW, upstream(Named=None, NamedThing=DEFS["Named"], AskResponse=FRAME))
    decisions = taken(small_repo, OLD, upstream(Named=None, NamedThing=DEFS["Named"]))
    assert [line for line in decisions if "seems to be" in line] == []
    decisions = taken(small_repo, NEW, upstream(Named=None, NamedThing=DEFS["Named"], AskOneResponse=FRAME))
    assert [line for line in decisions if "seems to be" in line] == []


def test_a_new_revision_that_is_additive_joins_the_surface_before(small_repo: Path) -> None:
    params = record("name", more=STRING, **PARAMS)
    decisions = taken(small_repo, NEW, upstream(AskParams=params))
    why = "proven additive over all it serves → added: to its revisions in surfaces.toml"
    assert decisions == [f"v2025_01_01 serves 2025-06-01: {why}", "`AskParams.more`"]
    [entry] = read_toml(small_repo / "schemas/surfaces.toml")["surface"]
    assert entry["revisions"] == [OLD, NEW]
    assert (small_repo / "src/mcp_surfaces/v2025_01_01/facts.py").exists()


def test_a_new_revision_that_is_not_additive_gets_a_surface_of_its_own(small_repo: Path) -> None:
    params = record("name", name=STRING, title=STRING, level=INTEGER)
    decisions = taken(small_repo, NEW, upstream(AskParams=params))
    assert decisions[0].startswith(
        "v2025_06_01 is new and strict: v2025_01_01 cannot serve 2025-06-01 (objections: 1; the first, for 2025-01-01: "
    )
    assert decisions[0].endswith("type changed (string → integer)) → added: its [[surface]] in surfaces.toml")
    assert (small_repo / "src/mcp_surfaces/v2025_06_01/all.py").exists()
    outcome = bump(small_repo, MIDDLE, upstream(), None, quiet)
    assert outcome.title == "New revision 2025-03-01, compared to 2025-01-01"
    assert said(outcome)[0].startswith("v2025_01_01 serves 2025-03-01")


def test_a_revision_older_than_all(small_repo: Path) -> None:
    outcome = bump(small_repo, "2024-01-01", upstream(), None, quiet)
    assert outcome.title == "New revision 2024-01-01, compared to 2025-01-01"
    why = "no surface is older → added: its [[surface]] in surfaces.toml"
    assert said(outcome) == [f"v2024_01_01 is new and strict: {why}"]


def test_surfaces_without_a_pin_are_dropped(small_repo: Path) -> None:
    text = LEAST["surfaces"].replace('["2025-01-01"]', '["2025-01-01", "2024-01-01"]')
    lost = '\n[[surface]]\nname = "v2023_01_01"\nrevisions = ["2023-01-01"]\nstrict = true\n'
    (small_repo / "schemas/surfaces.toml").write_text(text + lost, encoding="utf-8")
    decisions = taken(small_repo, OLD, upstream())
    assert "v2023_01_01 is gone with its revisions → removed: its [[surface]] in surfaces.toml" in decisions
    assert read_toml(small_repo / "schemas/surfaces.toml")["surface"][0]["revisions"] == [OLD]


TYPES = '[types]\n"AskParams.level" = { "$ref" = "#/$defs/Gon" }\n\n'
STOPS: dict[str, tuple[Callable[[Path], None], bytes, str]] = {
    "no schema": (lambda _: None, b"{", "2025-06-01: not a JSON document, or cut short"),
    "a member newly required": (
        lambda _: None,
        upstream(AskParams=record("name", "level", **PARAMS)),
        r"2025-06-01#/\$defs/AskParams/required: requires level, which the superset may leave unset",
    ),
    "a definition the policy names": (
        lambda root: edit(root / "schemas/superset.toml", "[external]", TYPES + "[external]"),
        upstream(),
        "AskParams is made to refer to Gon, which no revision defines",
    ),
    "a stale amendment": (
        lambda _: None,
        upstream(Gone=record(x=STRING)),
        r"2025-06-01#/\$defs/Gone/properties/x/type: amendment `whole` is stale",
    ),
    "a malformed policy": (
        lambda root: edit(root / "schemas/docs.toml", '"" = ', '"" = 3 #'),
        upstream(),
        "schemas/docs.toml#/AskParams/: malformed",
    ),
}


@pytest.mark.parametrize("what", STOPS)
def test_what_would_be_a_guess_stops_with_one_line(small_repo: Path, what: str) -> None:
    prepare, data, fault = STOPS[what]
    prepare(small_repo)
    before = {path: path.read_bytes() for path in small_repo.rglob("*") if path.is_file()}
    with pytest.raises(Problem, match=fault) as caught:
        bump(small_repo, NEW, data, None, quiet)
    assert "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in small_repo.rglob("*") if path.is_file()} == before


def literally(root: Path, problem: Problem) -> None:
    """Write down the line that a stop names, as a person would who reads nothing but it."""
    name, line = problem.fix.removeprefix("in ").split(".toml: ", 1)
    file = root / "schemas" / f"{name}.toml"
    if line.startswith("add "):
        element, table = line.removeprefix("add ").rsplit(" to ", 1)
        text = added(file.read_text(encoding="utf-8"), (table, json.loads(element)), None)
    else:
        [(table, values)] = loads(line.replace("] ", "]\n", 1)).items()
        [(key, value)] = values.items()
        text = added(file.read_text(encoding="utf-8"), (table, key), value)
    file.write_text(text, encoding="utf-8")


CODE = {"MineError": record("code", code={"type": "integer", "const": -1})}
ARMS = {"X": record("type", type=const("x")), "Y": record("type", type=const("y"))}
OF_ARMS = one_of(ref("X"), ref("Y"))
ODD: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a stale amendment": ({}, {"Gone": record(x=STRING)}),
    "a member newly required": ({}, {"AskParams": record("name", "level", **PARAMS)}),
    "a code with another value": (CODE, {"MineError": record("code", code={"type": "integer", "const": -2})}),
    "a tag that two arms share": ({**ARMS, "U": OF_ARMS}, {**ARMS, "Y": ARMS["X"], "U": OF_ARMS}),
    "a reference to what is modelled by hand": ({}, {"Gone": record(x=INTEGER, y=ref("Request"))}),
    "constraints that no model has": (
        {},
        {
            "Gone": record(x=INTEGER, y={"oneOf": [STRING, INTEGER]}, z={"type": "object", "propertyNames": STRING}),
            "Both": {"allOf": [record(x=STRING), record(x=INTEGER)]},
            "Never": False,
        },
    ),
}


NEWS = ("a member newly required", "a code with another value", "a tag that two arms share")
"""What is a question only where another revision says otherwise."""


def stopped(root: Path, revision: str, data: bytes) -> Problem | None:
    """Bump and write, or tell what stops it."""
    try:
        taken(root, revision, data)
    except Problem as problem:
        return problem
    return None


@pytest.mark.untraced
@pytest.mark.parametrize("revision", [OLD, NEW])
@pytest.mark.parametrize("what", ODD)
def test_the_line_of_a_stop_makes_it_go_on(small_repo: Path, what: str, revision: str) -> None:
    before, after = ODD[what]
    if before:
        taken(small_repo, OLD, upstream(**before))
    stops: list[str] = []
    while (stop := stopped(small_repo, revision, upstream(**after))) is not None:
        stops.append(str(stop))
        literally(small_repo, stop)
    assert len(stops) == len(set(stops))
    assert (len(stops) > 0) == (revision == NEW or what not in NEWS)


def test_a_name_that_no_class_can_have_is_decided(small_repo: Path) -> None:
    odd = {"odd.name": record(x=STRING), "Gone": record(x=INTEGER, y=ref("odd.name"))}
    decisions = taken(small_repo, OLD, upstream(**odd))
    line = "2025-01-01#/$defs/odd.name: no class can be called odd.name here → added: in names.toml, [classes] "
    assert f'{line}"odd.name" = ' in "".join(decisions)
    assert "class OddName(MCPModel):" in (small_repo / "src/mcp_surfaces/types/all.py").read_text(encoding="utf-8")


def test_what_becomes_of_the_public_names_is_told(small_repo: Path) -> None:
    old = {"MineError": record("code", code={"type": "integer", "const": -1}), "Other": record(y=INTEGER)}
    taken(small_repo, OLD, upstream(**old))
    new = {"MineError": record("code", code={"type": "integer", "const": -2}), "Fresh": record(z=INTEGER)}
    outcome = bump(small_repo, OLD, upstream(**new), None, quiet)
    assert [str(one) for one in outcome.names] == [
        "`mcp_surfaces.types`: loses `Other`; gains `Fresh`; `MINE_ERROR` changes from `-1` to `-2`",
        "`mcp_surfaces.v2025_01_01`: loses `Other`; gains `Fresh`",
    ]
    for format_ in ("text", "markdown"):
        assert "Public names" in outcome.report(format_)
        assert "the constant `MINE_ERROR = -1` is now `MINE_ERROR = -2`" in outcome.report(format_)
    assert json.loads(outcome.report("json"))["names"][0]["values"] == [["MINE_ERROR", "-1", "-2"]]


def test_a_policy_that_never_settles_stops_with_its_line(small_repo: Path) -> None:
    (small_repo / "schemas/names.toml").write_text('[classes]\nodd = "Named"\n', encoding="utf-8")
    with pytest.raises(Problem, match=r'no class can be called Named here -> .* odd = "NamedObject"'):
        bump(small_repo, NEW, upstream(odd=record(x=STRING)), None, quiet)


def test_from_the_command_line(small_repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "schema.json"
    file.write_bytes(upstream(AskParams=record("name", more=STRING, **PARAMS)))
    before = {path: path.read_bytes() for path in small_repo.rglob("*") if path.is_file()}
    command = ["--root", str(small_repo), "bump", OLD, str(file), "--commit", COMMIT]
    assert main([*command, "--dry-run", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["headline"] == "1 change, all harmless."
    assert "files would change" in err
    assert {path: path.read_bytes() for path in small_repo.rglob("*") if path.is_file()} == before
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert "`AskParams` gains the optional field `more`" in out
    assert "… pin\n… decide\n… generate\n" in err
    assert "  src/mcp_surfaces/types/all.py\n" in err
    assert f'"commit": "{COMMIT}"' in (small_repo / "schemas/pins.json").read_text(encoding="utf-8")
    head = (small_repo / "src/mcp_surfaces/types/__init__.py").read_text(encoding="utf-8")
    assert f"# 2025-01-01: schema/2025-01-01.json at {COMMIT[:12]}, sha256 " in head
    assert main(["--root", str(small_repo), "check"]) == 0
    assert capsys.readouterr().out == "no drift\n"
