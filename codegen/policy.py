"""The policy: every decision that the schemas leave open, as data in the TOML files under `schemas/`.

A *line* is the smallest thing one can decide: a key of a table, an element of a list, a whole block. Stages ask for
decisions here and nowhere else, so this module knows which lines decided something and which nothing needed. A decision
that is missing is asked for: it stops generation, unless the policy is `lenient`, where it is collected and the value
that seems best is taken. So a schema bump learns which lines to write.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

from codegen.canonical import escape, is_list
from codegen.problems import Problem

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = ("amendments", "bases", "docs", "names", "superset", "surfaces", "topics")
FORMAT = Path(__file__).resolve().parent / "templates" / "policy.schema.json"
"""JSON Schema of each policy file, by the name of the file."""
SETTINGS = frozenset({"default_negotiated_version", "docs", "constants", "surface"})
"""Tables that stand on their own: nothing in the schemas can make a line of theirs idle."""

Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Line:
    """One line of policy: its file and the keys that lead to it, the last one of a list element being its value."""

    file: str
    path: Path_

    def __str__(self) -> str:
        return f"schemas/{self.file}.toml#" + "".join(f"/{escape(str(key))}" for key in self.path)


@dataclass(frozen=True)
class Undecided:
    """A decision that is missing: where the schemas need it, what it is, and the line that would make it."""

    where: str
    pointer: str
    what: str
    line: Line
    value: Any
    table: str = ""
    """What a reader calls the list that `line` is in, where its keys do not say it."""

    @property
    def problem(self) -> Problem:
        """The missing decision as the one line that stops generation."""
        return Problem(self.where, self.pointer, self.what, f"in {self.line.file}.toml: {self.fix}")

    @property
    def fix(self) -> str:
        """The policy line with the inferred value."""
        *tables, last = self.line.path
        header = "".join(f"[{'.'.join(quoted(str(table)) for table in tables)}] ") if tables else ""
        if self.value is None:
            return f"add {toml(last)} to {self.table or '.'.join(map(str, tables))}"
        return f"{header}{quoted(str(last))} = {toml(self.value)}"


def quoted(key: str) -> str:
    """`key` as TOML spells it, bare where it may be."""
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)


def toml(value: Any) -> str:
    """A string, number, boolean or list of them as TOML."""
    return json.dumps(value, ensure_ascii=False)


def loads(text: str) -> dict[str, Any]:
    """The document that `text` is in TOML. Raises ValueError."""
    return tomllib.loads(text)


def read_toml(file: Path) -> dict[str, Any]:
    """The content of a policy file, checked against its format. Raises Problem that names the place of a fault."""
    where = f"schemas/{file.name}"
    try:
        document: dict[str, Any] = loads(file.read_text(encoding="utf-8"))
    except OSError:
        raise Problem(where, "", "the policy file is missing") from None
    except ValueError as error:
        raise Problem(where, "", f"is not TOML: {error}") from None
    form = _formats()[file.stem]
    try:
        if not form.is_valid(document):
            jsonschema.validate(document, form.schema)  # Slow, for it judges the format too, but names the best fault.
    except jsonschema.ValidationError as fault:
        pointer = "".join(f"/{escape(str(part))}" for part in fault.absolute_path)
        raise Problem(where, pointer, f"malformed: {fault.message[:200]}") from None
    return document


@cache
def _formats() -> dict[str, Validator]:
    """The validator of each policy file."""
    schemas: dict[str, dict[str, Any]] = json.loads(FORMAT.read_bytes())
    return {name: validator_for(schema)(schema) for name, schema in schemas.items()}


@dataclass
class Policy:
    """The policy files of one folder. `lenient` collects in `undecided` what else would stop."""

    folder: Path
    lenient: bool = False
    undecided: list[Undecided] = field(default_factory=list[Undecided])
    used: set[Line] = field(default_factory=set[Line])

    @cached_property
    def files(self) -> dict[str, dict[str, Any]]:
        """The documents by name of the file, without suffix."""
        return {name: read_toml(self.folder / f"{name}.toml") for name in FILES}

    @cached_property
    def home(self) -> dict[str, str]:
        """Top-level key to the file it stands in."""
        return {key: name for name, document in self.files.items() if name != "docs" for key in document}

    def __getitem__(self, table: str) -> Any:
        """A whole table or setting; empty where the policy has none."""
        return self.files[self.home[table]][table] if table in self.home else {}

    @property
    def words(self) -> Mapping[str, Mapping[str, str]]:
        """The docstrings, by class and member."""
        return self.files["docs"]

    def line(self, *path: str | int) -> Line:
        """The line at `path`, whose first key is a top-level one."""
        return Line(self.home[str(path[0])], path)

    def use(self, *path: str | int) -> None:
        """Note that the line at `path` decided something."""
        self.used.add(self.line(*path))

    def decide(self, table: str, place: str) -> Any:
        """The value of the line of `table` for `place`, or of the first one whose pattern matches it, or None."""
        for pattern, value in sorted(self[table].items(), key=lambda line: line[0] != place):
            if pattern == place or fnmatchcase(place, pattern.replace("[", "[[]")):
                self.use(table, pattern)
                return value
        return None

    def lists(self, table: str, name: str) -> bool:
        """Whether `table`, a list, holds `name`."""
        if name not in self[table]:
            return False
        self.use(table, name)
        return True

    def ask(self, undecided: Undecided) -> None:
        """A decision is missing: stop, or collect it."""
        if not self.lenient:
            raise undecided.problem
        if all(undecided.line != other.line for other in self.undecided):
            self.undecided.append(undecided)

    @property
    def idle(self) -> list[Line]:
        """The lines that decided nothing, file by file. Of a block with nothing but idle lines, the block."""
        return [line for line in self.lines() if line not in self.used]

    def lines(self) -> Iterator[Line]:
        """Every line that must decide something."""
        for name, document in self.files.items():
            for key, value in document.items():
                if name != "docs" and key in SETTINGS:
                    continue
                yield from (Line(name, (key, *path)) for path in _ways(key, value))

    def refuse_idle(self) -> None:
        """Raise Problem for the first line that decides nothing."""
        for line in self.idle:
            raise Problem(str(line), "", "decides nothing", f"remove {quoted(str(line.path[-1]))}")


def _ways(key: str, value: Any) -> Iterator[Path_]:
    """The ways below a top-level key to its lines."""
    if key == "amendment":
        yield from ((index,) for index in range(len(value)))
    elif key == "topic":
        yield from ((index, "definitions", name) for index, topic in enumerate(value) for name in topic["definitions"])
    elif is_list(value):
        yield from ((name,) for name in value)
    else:
        for name, inner in value.items():
            yield (name,)
            if key == "bases" and len(inner) > 1:
                yield from ((name, base) for base in inner)
