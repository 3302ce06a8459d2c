from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.bases import Bases
from codegen.merge import Superset
from codegen.problems import Problem
from tests.codegen.schemas import INTEGER, STRING, one_of, record, ref
from tests.codegen.small import SUPERSET, policy

NAMED = record("name", name=STRING, title=STRING)
DEFS = {
    "Named": NAMED,
    "Tool": record("name", name=STRING, title=STRING, other=STRING),
    "Better": record("name", name=STRING, title=STRING, other=STRING, more=STRING),
    "Odd": record(name=STRING, title=INTEGER),
    "Kind": STRING,
    "AskRequest": record("method", method=STRING),
}


def bases(place: Path, lines: str, lenient: bool = False, **defs: Any) -> Bases:
    superset = Superset({**DEFS, **defs}, dict.fromkeys({**DEFS, **defs}, ("r",)))
    rules = policy(
        place, bases="[bases]\n" + lines, superset=SUPERSET + '[external]\nRequest = "base"\n', lenient=lenient
    )
    return Bases(superset, rules)


def test_the_first_line_that_names_a_class(tmp_path: Path) -> None:
    found = bases(tmp_path, 'Tool = ["Named"]\n"*o*" = ["Tool"]\n"*Request" = ["Request"]\nKind = ["MetaMapping"]\n')
    assert found.of("Tool") == ["Named"]
    assert found.of("Odd") == ()
    assert found.of("Named") == ()
    assert found.of("Kind") == ["MetaMapping"]
    assert found.root("Tool") == "Named"
    assert found.root("AskRequest") == "Request"
    assert found.members("Tool") == {"name": STRING, "title": STRING, "other": STRING}


def test_a_line_never_makes_a_class_its_own_base(tmp_path: Path) -> None:
    found = bases(tmp_path, '"*" = ["Named"]\n')
    assert found.of("Tool") == ["Named"]
    assert found.of("Named") == ()


def test_an_unknown_base_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"schemas/bases\.toml#/bases/Tool: Gone is no definition -> remove Gone"):
        bases(tmp_path, 'Tool = ["Named", "Gone"]\n').of("Tool")


def test_a_lenient_run_does_without_an_unknown_base(tmp_path: Path) -> None:
    found = bases(tmp_path, 'Odd = ["Gone"]\nTool = ["Named", "Gone"]\n"*" = ["Named"]\n', lenient=True)
    assert found.of("Tool") == ["Named"]
    assert found.of("Odd") == ["Named"]
    idle = [str(line).partition("#")[2] for line in found.policy.idle if line.file == "bases"]
    assert idle == ["/bases/Odd", "/bases/Tool/Gone"]


def test_a_class_with_all_members_of_a_base_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(
        Problem, match=r"r#/\$defs/Better: has every member of Tool: .* \[bases\] Better = \[\"Tool\"\]"
    ):
        bases(tmp_path, 'Tool = ["Named"]\nX = ["Tool"]\n').ask()
    settled = bases(tmp_path, 'Tool = ["Named"]\nBetter = []\nX = ["Tool"]\n')
    settled.ask()
    assert settled.of("Better") == []


def test_one_member_in_common_says_nothing(tmp_path: Path) -> None:
    bases(tmp_path, 'X = ["Root"]\n', Root=record(name=STRING)).ask()


def test_messages_are_known_by_the_unions(tmp_path: Path) -> None:
    answers = {"Result": record(_meta=STRING), "Glimpse": record(x=STRING), "Free": {"type": "object"}}
    unions = {"ServerResult": one_of(ref("Glimpse"), ref("Free")), "ClientRequest": ref("Poke")}
    found = bases(tmp_path, "", lenient=True, **answers, **unions, Poke=record("method", method=STRING))
    found.answers = {"Better", "Result"}
    found.ask()
    assert found.root("Glimpse") == "Result"
    assert [(one.line.path, one.value) for one in found.policy.undecided] == [
        (("bases", "Better"), ["Result"]),
        (("bases", "Glimpse"), ["Result"]),
        (("bases", "Poke"), ["Request"]),
    ]
    without = bases(tmp_path / "without", "", Glimpse=record(x=STRING), ServerResult=one_of(ref("Glimpse")))
    without.ask()


def test_hand_written_bases_beside_generated_ones(tmp_path: Path) -> None:
    found = bases(tmp_path, 'Tool = ["Named", "ContentAsList"]\nOdd = ["MetaMapping"]\n')
    assert found.mixins("Tool") == ["ContentAsList"]
    assert found.mixins("Odd") == ()
