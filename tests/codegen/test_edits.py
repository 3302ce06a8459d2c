from __future__ import annotations

import pytest

from codegen.edits import MARK, added, restored, set_aside, spans
from codegen.pin import SCHEMAS
from codegen.policy import FILES, Policy, loads

TEXT = """\
# Comment.
top = 1
some = [
    "a",
    # why
    "c",
]

[table]
"b.*" = "x"
d = { e = 1 }

# About the blocks.
[[block]]
name = "one"
items = ["p", "q"]

[[block]]
name = "two"
items = [
    "r",
]

[deep.er]
key = '''
two lines'''
"""


def test_where_everything_stands() -> None:
    found = {path: (span.first, span.last) for path, span in spans(TEXT).items()}
    assert found[("some",)] == (2, 7)
    assert found[("some", "c")] == (5, 6)
    assert found[("table",)] == (8, 11)
    assert found[("table", "b.*")] == (9, 10)
    assert found[("block", 0)] == (13, 16)
    assert found[("block", 1, "items", "r")] == (20, 21)
    assert found[("deep", "er", "key")] == (24, 26)
    assert ("block", 0, "items", "p") not in found


def test_lines_are_set_aside_and_taken_up_again() -> None:
    aside = set_aside(TEXT, [("some", "a"), ("table", "b.*"), ("deep", "er", "key")])
    assert loads(aside)["some"] == ["c"]
    assert loads(aside)["table"] == {"d": {"e": 1}}
    assert "deep" not in loads(aside)
    assert f"{MARK}[deep.er]\n{MARK}key = '''\n{MARK}two lines'''\n" in aside
    assert restored(aside) == TEXT


def test_a_whole_table_or_block_goes_with_its_header() -> None:
    aside = set_aside(TEXT, [("table", "b.*"), ("table", "d"), ("block", 0)])
    assert f"{MARK}[table]\n" in aside
    assert [block["name"] for block in loads(aside)["block"]] == ["two"]
    assert "# About the blocks.\n" in aside


def test_an_element_without_a_line_of_its_own_gets_one() -> None:
    aside = set_aside(TEXT, [("block", 0, "items", "p")])
    assert f'items = [\n{MARK}    "p",\n    "q",\n]\n' in aside


def test_what_was_decided_anew_stays() -> None:
    text = f"[table]\n{MARK}a = 1\na = 2\n\n{MARK}b = 3\n"
    assert loads(restored(text))["table"] == {"a": 2, "b": 3}


@pytest.mark.parametrize(
    ("path", "value", "line", "before"),
    [
        (("some", "b"), None, '    "b",', '    "c",'),
        (("some", "z"), None, '    "z",', "]"),
        (("table", "a.b"), "v", '"a.b" = "v"', '"b.*" = "x"'),
        (("table", "z"), ["v"], 'z = ["v"]', ""),
        (("block", 1, "items", "o"), None, '    "o",', '    "r",'),
    ],
)
def test_a_line_is_added_in_order(path: tuple[str | int, ...], value: object, line: str, before: str) -> None:
    lines = added(TEXT, path, value).splitlines()
    place = lines.index(line)
    assert lines[place + 1] == before
    assert [one for one in lines if one != line] == TEXT.splitlines()


def test_a_list_on_one_line_is_spread_out() -> None:
    text = added(TEXT, ("block", 0, "items", "o"), None)
    assert 'items = [\n    "o",\n    "p",\n    "q",\n]\n' in text


def test_a_new_table_goes_among_the_others() -> None:
    text = f'["*"]\nx = "x"\n\n[A]\n"" = "A."\n\n{MARK}[C]\n{MARK}"" = "C."\n'
    assert added(text, ("B", ""), "B.") == text.replace(f"{MARK}[C]", f'[B]\n"" = "B."\n\n{MARK}[C]')
    assert added(text, ("D", ""), "D.") == text + '\n[D]\n"" = "D."\n'
    assert loads(added(text, ("A", "b"), "b"))["A"] == {"": "A.", "b": "b"}


def test_a_new_list_goes_before_the_tables() -> None:
    text = "# All.\n\na = 1\n\n# About it.\n[table]\nb = 2\n"
    assert added(text, ("some", "x"), None) == text.replace("# About", 'some = [\n    "x",\n]\n\n# About')
    assert loads(added("", ("some", "x"), None)) == {"some": ["x"]}


@pytest.mark.parametrize("name", FILES)
def test_every_line_of_the_repositorys_policy_can_be_set_aside(name: str) -> None:
    text = (SCHEMAS / f"{name}.toml").read_text(encoding="utf-8")
    paths = [line.path for line in Policy(SCHEMAS).lines() if line.file == name]
    aside = set_aside(text, paths)
    loads(aside)
    assert loads(restored(aside)) == loads(text)
