from __future__ import annotations

from pathlib import Path

import pytest

from codegen.docstrings import Docs, availability
from codegen.problems import Problem
from tests.codegen.small import policy

KNOWN = ["r1", "r2", "r3", "r4"]


@pytest.mark.parametrize(
    ("revisions", "sentence"),
    [
        (KNOWN, "Every revision."),
        (["r2", "r3", "r4"], "Since r2."),
        (["r4"], "Since r4."),
        (["r2"], "r2 only."),
        (["r1", "r2"], "r1 to r2."),
        (["r1", "r3", "r4"], "In r1, r3 and r4."),
    ],
)
def test_availability_in_words(revisions: list[str], sentence: str) -> None:
    assert availability(revisions, KNOWN) == sentence


WORDS = '["*"]\nx = "Everywhere."\n\n[A]\n"" = "A thing."\ny = "Here."\n'


def test_words_and_availability(tmp_path: Path) -> None:
    docs = Docs(policy(tmp_path, docs=WORDS), KNOWN)
    assert docs.has("A")
    assert not docs.has("B")
    assert docs.of_class("A", ["r4"]) == "A thing.\n\nSince r4."
    assert docs.of_class("A", ()) == "A thing."
    assert docs.of_member("A", "x", ["r4"], KNOWN) == "Everywhere. Since r4."
    assert docs.of_member("A", "y", KNOWN, KNOWN) == "Here."
    assert docs.of_member("A", "z", ["r1"], KNOWN) == "r1 only."
    assert docs.of_member("A", "z", (), KNOWN) == ""
    assert [line for line in docs.policy.idle if line.file == "docs"] == []


def test_a_class_without_words_is_asked_for(tmp_path: Path) -> None:
    fault = r'r2#/\$defs/B: has no docstring -> in docs\.toml: \[B\] "" = "B\."'
    with pytest.raises(Problem, match=fault):
        Docs(policy(tmp_path), KNOWN).of_class("B", ["r1", "r2"])
    lenient = policy(tmp_path, lenient=True)
    assert Docs(lenient, KNOWN).of_class("B", ()) == "B."
    assert lenient.undecided[0].where == "r4"
