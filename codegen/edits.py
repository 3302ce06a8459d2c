"""Editing a policy file as text: everything that is not touched, comments and order included, stays as it was.

A line that decides nothing any more is *set aside*: commented out with a mark, in place, so that a later bump can take
it up again if what it decided comes back. A line is edited whole, so an element of a list needs a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from codegen.canonical import is_list
from codegen.policy import Path_, loads, quoted, toml

MARK = "#~ "
"""Before a line that is set aside."""


@dataclass
class Span:
    """The lines of one table, block or key, first and last (exclusive), and where its keys are."""

    first: int
    last: int
    header: bool = False
    keys: list[Path_] = field(default_factory=list[Path_])


def spans(text: str) -> dict[Path_, Span]:
    """Where each table, block, key and element of a list with lines of its own stands in `text`."""
    lines = text.splitlines()
    found: dict[Path_, Span] = {}
    context: Path_ = ()
    blocks: dict[str, int] = {}
    index = 0
    while index < len(lines):
        line = lines[index].strip()
        if line.startswith("[["):
            name = line.strip("[]")
            blocks[name] = blocks.get(name, -1) + 1
            context = (name, blocks[name])
            found[context] = Span(index, index + 1, header=True)
        elif line.startswith("["):
            context = _keys(loads(line))
            found[context] = Span(index, index + 1, header=True)
        elif line and not line.startswith("#"):
            last, path = _value(lines, index, context, found)
            if context:
                found[context].last = last
                found[context].keys.append(path)
            index = last
            continue
        index += 1
    return found


def _value(lines: list[str], first: int, context: Path_, found: dict[Path_, Span]) -> tuple[int, Path_]:
    """Note the key whose value begins at line `first`; returns the line after it, and its path."""
    last = first + 1
    while not _reads("\n".join(lines[first:last])):
        last += 1
    [(key, value)] = loads("\n".join(lines[first:last])).items()
    path = (*context, key)
    found[path] = Span(first, last)
    if is_list(value):
        for index in range(first + 1, last - 1):
            for element in loads(f"x = [\n{lines[index]}\n]")["x"]:
                way = (*path, element)
                found[way] = Span(index, index + 1)
    return last, path


def _keys(document: dict[str, Any]) -> Path_:
    """The keys that lead to the innermost table of a document with nothing else."""
    keys: list[str | int] = []
    while document:
        [(key, document)] = document.items()
        keys.append(key)
    return tuple(keys)


def set_aside(text: str, paths: Iterable[Path_]) -> str:
    """`text` without the lines at `paths`; a table with no line left goes with them."""
    paths = list(paths)
    known = spans(text)
    for path in paths:
        if path not in known:
            text = spread(text, path[:-1])
            known = spans(text)
    gone: set[int] = set()
    for path in paths:
        gone.update(range(known[path].first, known[path].last))
    for span in known.values():
        if span.header and span.keys and all(known[key].first in gone for key in span.keys):
            gone.add(span.first)
    lines = text.splitlines()
    return _text(f"{MARK}{line}" if index in gone else line for index, line in enumerate(lines))


def restored(text: str) -> str:
    """`text` with what was set aside taken up again, except what has been decided anew since."""
    lines = text.splitlines()
    whole = _text(line.removeprefix(MARK) for line in lines)
    if _reads(whole):
        return whole
    for first, last in list(_runs(lines)):
        trial = [*lines[:first], *(line.removeprefix(MARK) for line in lines[first:last]), *lines[last:]]
        if _reads("\n".join(trial)):
            lines = trial
    return _text(lines)


def _runs(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The runs of lines that are set aside."""
    first = None
    for index, line in enumerate([*lines, ""]):
        if line.startswith(MARK):
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _reads(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True


def added(text: str, path: Path_, value: Any) -> str:
    """`text` with one more line: `value` at `path`, or for None the last key of `path` in the list before it.

    It goes before the first line that sorts after it.
    """
    *table, last = path
    element = value is None
    line = f"    {toml(last)}," if element else f"{quoted(str(last))} = {toml(value)}"
    text = spread(text, tuple(table))
    known = spans(text)
    owner = known.get(tuple(table))
    lines = text.splitlines()
    if owner is None:
        return _with_list(text, str(table[0]), line) if element else _with_table(text, str(table[0]), line)
    beside = [span for way, span in known.items() if way[:-1] == tuple(table) and str(way[-1]) > str(last)]
    end = owner.last - 1 if element else owner.last
    place = min((span.first for span in beside), default=end)
    return _text([*lines[:place], line, *lines[place:]])


def spread(text: str, path: Path_) -> str:
    """`text` with the list at `path`, if it is one on a single line, on a line for each element."""
    span = spans(text).get(path)
    if span is None or span.header or span.last > span.first + 1:
        return text
    lines = text.splitlines()
    [(key, value)] = loads(lines[span.first]).items()
    lines[span.first : span.last] = [f"{quoted(key)} = [", *(f"    {toml(one)}," for one in value), "]"]
    return _text(lines)


def _with_list(text: str, name: str, line: str) -> str:
    """`text` with a new list of one element, before the first table and the comment over it."""
    lines = text.splitlines()
    place = next((index for index, other in enumerate(lines) if other.startswith("[")), len(lines))
    while place and lines[place - 1].startswith("#"):
        place -= 1
    return _text([*lines[:place], f"{quoted(name)} = [", line, "]", "", *lines[place:]])


def _with_table(text: str, name: str, line: str) -> str:
    """`text` with a new table of one line, among the tables in alphabetical order, those set aside included."""
    lines = text.splitlines()
    head = f"[{quoted(name)}]"
    heads = [(index, other.removeprefix(MARK)) for index, other in enumerate(lines)]
    later = [index for index, other in heads if other.startswith("[") and not other.startswith("[[") and other > head]
    if not later:
        return f"{text.rstrip()}\n\n{head}\n{line}\n"
    return _text([*lines[: later[0]], head, line, "", *lines[later[0] :]])
