from __future__ import annotations

from pathlib import Path

import pytest

from codegen.problems import Problem
from codegen.topics import Topic, ask, assign, listed, topics
from tests.codegen.schemas import STRING, record, ref
from tests.codegen.small import policy

ORDER = [Topic("base", "", ["Base", "*Thing"]), Topic("middle", "", ["B*"]), Topic("top", "", ["Top", "BigThing"])]
TOML = "".join(
    f'[[topic]]\nname = "{topic.name}"\ndoc = "D."\ndefinitions = [\n'
    + "".join(f'    "{name}",\n' for name in topic.definitions)
    + "]\n"
    for topic in ORDER
)


def test_an_exact_line_wins_over_a_pattern() -> None:
    assert listed("BigThing", ORDER) == (2, "BigThing")
    assert listed("SmallThing", ORDER) == (0, "*Thing")
    assert listed("Base", ORDER) == (0, "Base")
    assert listed("Else", ORDER) is None


def test_a_definition_never_stands_before_what_it_refers_to() -> None:
    uses: dict[str, set[str]] = {"Top": set(), "SmallThing": {"Top"}, "Bar": set(), "Else": {"Elsewhere"}}
    assert assign(uses, ORDER) == {"Top": 2, "SmallThing": 2, "Bar": 1, "Else": 0}


def test_topics_are_read(tmp_path: Path) -> None:
    assert [topic.name for topic in topics(policy(tmp_path, topics=TOML))] == ["base", "middle", "top"]


def test_a_definition_without_a_topic_is_asked_for(tmp_path: Path) -> None:
    fault = r'r#/\$defs/Else: has no topic -> in topics\.toml: add "Else" to the definitions of topic middle'
    defs = {"Bar": record(x=ref("Else")), "Top": record(x=ref("Else")), "Else": STRING}
    with pytest.raises(Problem, match=fault):
        ask(defs, "r", ORDER, policy(tmp_path, topics=TOML), {})
    lenient = policy(tmp_path, topics=TOML, lenient=True)
    ask({"Else": record(x=ref("Bar"), y=ref("Base")), "Lone": STRING, "Bar": STRING}, "r", ORDER, lenient, {})
    ask({"Lone": ref("Top"), "Bar": STRING}, "s", ORDER, lenient, {})
    ask({"Later": STRING, "Bar": ref("Later")}, "r", ORDER, lenient, {"Later": "Top"})
    assert [undecided.line.path[1] for undecided in lenient.undecided] == [1, 0, 2]
    used = [line.path[1:] for line in lenient.lines() if line.file == "topics" and line in lenient.used]
    assert used == [(1, "definitions", "B*")]


def test_what_refers_to_each_other_stands_together() -> None:
    uses = {"Else": {"Bar"}, "Bar": {"Top"}, "Top": {"Bar"}, "SmallThing": set[str]()}
    assert assign(uses, ORDER) == {"Else": 2, "Bar": 2, "Top": 2, "SmallThing": 0}


def test_a_frame_goes_with_what_it_holds(tmp_path: Path) -> None:
    frame = record("jsonrpc", "result", jsonrpc=STRING, result=ref("Top"))
    lenient = policy(tmp_path, topics=TOML, lenient=True)
    ask({"AskResultResponse": frame, "Top": STRING}, "r", ORDER, lenient, {})
    assert lenient.undecided == []
    assert assign({"Top": set(), "AskResultResponse": {"Top"}}, ORDER)["AskResultResponse"] == 2
