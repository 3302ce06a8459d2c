"""Base classes of the superset, from `schemas/bases.toml`, and which of their members a class need not restate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from codegen.canonical import Schema, escape
from codegen.merge import Superset
from codegen.name import target
from codegen.policy import Line, Policy, Undecided
from codegen.problems import Problem
from codegen.shapes import ANSWERS, ROLES
from codegen.union import arms_of

HANDWRITTEN = ("ContentAsList", "MetaMapping")
"""Bases that only the superset has; `Request` and `Notification` the policy calls external."""


class Bases:
    """The base classes by the first line that names a class."""

    def __init__(self, superset: Superset, policy: Policy) -> None:
        self.defs, self.availability, self.policy = superset.defs, superset.availability, policy
        self.answers = superset.answers
        self.inferred: dict[str, Sequence[str]] = {}

    def of(self, name: str) -> Sequence[str]:
        """The bases of `name`. Raises Problem for one that is no definition; a lenient run does without it."""
        pattern = self.line(name)
        if pattern is None:
            return self.inferred.get(name, ())
        self.policy.use("bases", pattern)
        named: Sequence[str] = self.policy["bases"][pattern]
        found = [base for base in named if self.exists(base)]
        for base in named:
            if base in found:
                self.policy.use("bases", pattern, base)
            elif not self.policy.lenient:
                raise Problem(
                    "schemas/bases.toml", f"/bases/{escape(pattern)}", f"{base} is no definition", f"remove {base}"
                )
        return found

    def mixins(self, name: str) -> Sequence[str]:
        """The hand-written bases of a class that has generated ones, too."""
        bases = self.of(name)
        own = [base for base in bases if base not in self.defs]
        return own if len(own) < len(bases) else ()

    def line(self, name: str) -> str | None:
        """The first pattern that matches `name`, lines that would make it its own base left out."""
        table: Mapping[str, Sequence[str]] = self.policy["bases"]
        for pattern, bases in table.items():
            idle = self.policy.lenient and bases and not any(map(self.exists, bases))
            if fnmatchcase(name, pattern) and name not in bases and not idle:
                return pattern
        return None

    def exists(self, base: str) -> bool:
        """Whether `base` is a class of the superset, generated or written by hand."""
        return base in self.defs or base in HANDWRITTEN or base in self.policy["external"]

    def root(self, name: str) -> str:
        """The class that `name` finally stands on: `Request`, `Notification`, `Result` or another, or itself."""
        for base in self.of(name):
            return self.root(base)
        return name

    def members(self, name: str) -> dict[str, Schema]:
        """The members that `name` has or inherits."""
        own = dict(self.defs.get(name, {}).get("properties", {}))
        for base in self.of(name):
            own = {**self.members(base), **own}
        return own

    def ask(self) -> None:
        """Ask for the base of each class that no line names, and that is a message or has all members of a base."""
        roles = self.roles()
        known = sorted({base for bases in self.policy["bases"].values() for base in bases if base in self.defs})
        for name in sorted(self.defs):
            node = self.defs[name]
            if "properties" not in node or self.line(name) is not None:
                continue
            where, line = self.availability[name][-1], Line("bases", ("bases", name))
            extended = [base for base in known if base != name and extends(node, self.defs[base])]
            if extended:
                base = max(extended, key=lambda base: (len(self.defs[base]["properties"]), base))
                what = f"has every member of {base}: does it stand on it? ([] if not)"
            elif name in roles:
                base = roles[name]
                what = f"is a {base.lower()} by its users: does it stand on {base}? ([] if not)"
            else:
                continue
            self.policy.ask(Undecided(where, f"/$defs/{escape(name)}", what, line, [base]))
            self.inferred[name] = [base]

    def roles(self) -> dict[str, str]:
        """The arms of the unions of messages, and what frames hold, each with the base of such messages."""
        found = dict.fromkeys(self.answers, "Result")
        for union in (*ROLES, *ANSWERS):
            arms = [name for name in map(target, arms_of(self.defs.get(union, {}))) if name is not None]
            found.update(dict.fromkeys(arms, union[len("Client") :]))
        return {name: base for name, base in found.items() if name != base and self.exists(base)}


def extends(node: Schema, base: Schema) -> bool:
    """Whether an object has every member of another, typed the same; one member in common says nothing."""
    members, wanted = node["properties"], base["properties"]
    return len(wanted) > 1 and all(members.get(member) == value for member, value in wanted.items())
