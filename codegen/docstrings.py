"""Docstrings: the words of `schemas/docs.toml`, and the sentence that says which revisions define what is described."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.canonical import escape
from codegen.phrases import enumerated
from codegen.policy import Line, Policy, Undecided

EVERY = "*"
"""The table for members that mean the same in every class."""


def availability(revisions: Sequence[str], known: Sequence[str]) -> str:
    """The sentence that says which of the `known` revisions are `revisions`."""
    if list(revisions) == list(known):
        return "Every revision."
    first = known.index(revisions[0])
    if list(revisions) == list(known[first:]):
        return f"Since {revisions[0]}."
    if len(revisions) == 1:
        return f"{revisions[0]} only."
    if list(revisions) == list(known[first : first + len(revisions)]):
        return f"{revisions[0]} to {revisions[-1]}."
    return f"In {enumerated(revisions)}."


class Docs:
    """Looks up docstrings by class and wire name of the member."""

    def __init__(self, policy: Policy, known: Sequence[str]) -> None:
        self.policy, self.known = policy, known

    def has(self, name: str) -> bool:
        """Whether there are words for the class `name`."""
        return "" in self.policy.words.get(name, {})

    def of_class(self, name: str, revisions: Sequence[str]) -> str:
        """The docstring of a class; words that are missing are asked for."""
        text = self.words(name, "")
        if not text:
            text = f"{name}."
            where = revisions[-1] if revisions else self.known[-1]
            line = Line("docs", (name, ""))
            self.policy.ask(Undecided(where, f"/$defs/{escape(name)}", "has no docstring", line, text))
        return f"{text}\n\n{availability(revisions, self.known)}" if revisions else text

    def of_member(self, name: str, member: str, revisions: Sequence[str], of_class: Sequence[str]) -> str:
        """The docstring of a member, which may be empty; `of_class` are the revisions that define its class."""
        text = self.words(name, member) or self.words(EVERY, member)
        since = availability(revisions, self.known) if revisions and list(revisions) != list(of_class) else ""
        return " ".join(part for part in (text, since) if part)

    def words(self, name: str, member: str) -> str:
        """The words of one line, or none."""
        text = self.policy.words.get(name, {}).get(member, "")
        if text:
            self.policy.used.add(Line("docs", (name, member)))
        return text
