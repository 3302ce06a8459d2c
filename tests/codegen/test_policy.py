from __future__ import annotations

from pathlib import Path

import pytest

from codegen.policy import Line, Policy, Undecided, quoted, read_toml
from codegen.problems import Problem
from tests.codegen.small import LEAST, SUPERSET, folder, policy

AMENDMENT = """\
[[amendment]]
name = "a"
kind = "erratum"
pointer = "/a"
expected = 1
new = 2
reason = ""
evidence = ""
"""


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("bases", "bases = ", r"schemas/bases\.toml: is not TOML: Invalid value"),
        ("bases", "bases = 3", r"schemas/bases\.toml#/bases: malformed: 3 is not of type 'object'"),
        ("bases", "[bases]\nA = [1]", r"#/bases/A/0: malformed"),
        ("bases", "[base]\nA = []", r"malformed: .*'base' was unexpected"),
        ("amendments", '[[amendment]]\nname = "a"', r"#/amendment/0: malformed: 'evidence' is a required property"),
        ("amendments", "amendment = 3", "malformed"),
        ("docs", "[A]\nb = 3", "#/A/b: malformed"),
        ("names", '[inline]\n"A.b" = "AB2"', "#/inline/A.b: malformed: 'AB2' does not match"),
        ("superset", '[types]\nA = { type = "thing" }', "#/types/A/type|malformed"),
        ("superset", SUPERSET + '[enums]\nA = "ajar"', "#/enums/A: malformed: 'ajar' is not one of"),
        ("superset", "default_negotiated_version = 2025-01-01", "malformed"),
        ("surfaces", '[[surface]]\nname = "v1"\nrevisions = []\nstrict = 1', "#/surface/0/name: malformed|malformed"),
        ("topics", "topic = {}", "#/topic: malformed"),
        ("topics", '[[topic]]\nname = "a"\ndoc = 1\ndefinitions = []', "#/topic/0/doc: malformed"),
    ],
)
def test_a_malformed_file_is_one_line_that_names_the_place(tmp_path: Path, name: str, text: str, fault: str) -> None:
    place = folder(tmp_path, {}, **{name: text})
    with pytest.raises(Problem, match=fault) as caught:
        read_toml(place / f"{name}.toml")
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "docs.toml").write_bytes(b"\xff")
    with pytest.raises(Problem, match="is not TOML"):
        read_toml(tmp_path / "docs.toml")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"schemas/docs\.toml: the policy file is missing"):
        read_toml(tmp_path / "docs.toml")


def test_the_line_for_the_place_decides_or_the_first_that_matches(tmp_path: Path) -> None:
    rules = policy(tmp_path, names='[inline]\n"*.a[]" = "One"\n"B.*" = "Two"\n"C.a[]" = "Own"\n"D.*[]" = "Never"\n')
    places = ("B.a[]", "B.b", "C.a[]", "C.b", "D.a[]")
    assert [rules.decide("inline", place) for place in places] == ["One", "Two", "Own", None, "One"]
    assert str(rules.idle[0]) == "schemas/names.toml#/inline/D.*[]"


def test_tables_that_are_not_there_are_empty(tmp_path: Path) -> None:
    rules = policy(tmp_path)
    assert rules["rename"] == {}
    assert rules.decide("types", "A") is None
    assert not rules.lists("newest", "A")


def test_every_line_that_decides_nothing_is_idle(tmp_path: Path) -> None:
    rules = policy(
        tmp_path,
        amendments=AMENDMENT,
        bases='[bases]\nA = ["B"]\nC = ["D", "E"]\n[tags]\n"A.b" = "c"\n',
        docs='[A]\n"" = "A."\nb = "b"\n',
        superset=LEAST["superset"] + '[define]\nX = { type = "string" }\n',
        surfaces='caller = ["A.b"]\n' + LEAST["surfaces"] + "[inject]\n",
    )
    assert [str(line).removeprefix("schemas/") for line in rules.idle] == [
        "amendments.toml#/amendment/0",
        "bases.toml#/bases/A",
        "bases.toml#/bases/C",
        "bases.toml#/bases/C/D",
        "bases.toml#/bases/C/E",
        "bases.toml#/tags/A.b",
        "docs.toml#/A/",
        "docs.toml#/A/b",
        "superset.toml#/define/X",
        "surfaces.toml#/caller/A.b",
        "topics.toml#/topic/0/definitions/*",
    ]
    rules.use("bases", "A")
    assert rules.lists("caller", "A.b")
    assert len(rules.idle) == 9
    with pytest.raises(Problem, match=r"schemas/amendments\.toml#/amendment/0: decides nothing -> remove 0"):
        rules.refuse_idle()


def test_no_idle_line_is_no_problem(tmp_path: Path) -> None:
    rules = policy(tmp_path, topics=LEAST["topics"].replace('    "*",\n', ""))
    rules.refuse_idle()


def test_a_missing_decision_stops_or_is_collected(tmp_path: Path) -> None:
    missing = Undecided("2025-01-01", "/$defs/A", "has no base", Line("bases", ("bases", "A b")), ["B"])
    again = Undecided("2025-06-01", "/$defs/A", "has no base", Line("bases", ("bases", "A b")), ["B"])
    line = r'2025-01-01#/\$defs/A: has no base -> in bases\.toml: \[bases\] "A b" = \["B"\]'
    with pytest.raises(Problem, match=line):
        policy(tmp_path).ask(missing)
    lenient = Policy(folder(tmp_path, {}), lenient=True)
    lenient.ask(missing)
    lenient.ask(again)
    assert lenient.undecided == [missing]


def test_the_line_that_would_decide() -> None:
    in_list = Undecided("r", "", "", Line("topics", ("topic", 2, "definitions", "A")), None)
    top = Undecided("r", "", "", Line("superset", ("default",)), "x")
    assert in_list.fix == 'add "A" to topic.2.definitions'
    assert top.fix == 'default = "x"'
    assert [quoted(key) for key in ("a_b-1", "a.b", "ä", "")] == ["a_b-1", '"a.b"', '"ä"', '""']
