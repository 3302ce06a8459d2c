"""The pipeline, in order: pin, amend, name, merge, annotate, emit, refine, package, format. Each stage is a function.

`Pipeline.files` runs it all and returns every generated file; nothing is written here. `show` gives the document
between two stages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from codegen import annotate, emit, public, reference, surface, topics, verdicts
from codegen.amend import Amendment, amend, listed
from codegen.amendments_page import amendments_page
from codegen.bases import Bases
from codegen.canonical import Schema
from codegen.classes import called
from codegen.constants import Constant, constants
from codegen.docstrings import Docs
from codegen.exact import settled
from codegen.format import formatted
from codegen.merge import Superset, merge
from codegen.name import named
from codegen.passes import Hints
from codegen.pin import SCHEMAS, Pin, load_all, pins
from codegen.policy import Policy
from codegen.problems import Problem
from codegen.refine import Unit, refine
from codegen.render import render
from codegen.topics import Topic
from codegen.union import admits_null

SRC = Path("src/mcp_surfaces")
STAGES = ("pin", "amend", "name", "merge", "annotate", "emit")


@dataclass
class Pipeline:
    """One run over the policy and pins in `folder`; each stage is computed once, when first asked for.

    A lenient run infers what is undecided, and leaves idle lines alone; `policy` then tells of both.
    """

    folder: Path = SCHEMAS
    lenient: bool = False

    @cached_property
    def policy(self) -> Policy:
        """Every decision that the schemas leave open."""
        return Policy(self.folder, self.lenient)

    @cached_property
    def pins(self) -> dict[str, Pin]:
        """Provenance by revision, oldest first."""
        return pins(self.folder)

    @cached_property
    def pinned(self) -> dict[str, Schema]:
        """The canonical schema of each revision."""
        return load_all(self.folder)

    @cached_property
    def _amended(self) -> tuple[dict[str, Schema], dict[str, list[str]]]:
        return amend(self.pinned, self.amendments)

    @cached_property
    def amendments(self) -> list[Amendment]:
        """The amendments in the order they are laid on."""
        return listed(self.policy.files["amendments"])

    @cached_property
    def amended(self) -> dict[str, Schema]:
        """The schema of each revision with the amendments laid on, in the form that models have."""
        schemas, applied = self._amended
        for index, change in enumerate(self.amendments):
            if applied[change.name]:
                self.policy.use(*(("lift", change.name) if change.only else ("amendment", index)))
        for place in applied.keys() & self.policy["spare"]:
            self.policy.use("spare", place)
        newest = {max(entry["revisions"]) for entry in self.policy["surface"]}
        return {
            revision: called(revision, settled(revision, schema), self.policy, revision in newest)
            for revision, schema in schemas.items()
        }

    @cached_property
    def named(self) -> dict[str, dict[str, Schema]]:
        """The definitions of each revision, every inline object among them."""
        return named(self.amended, self.policy)

    @cached_property
    def superset(self) -> Superset:
        """The definitions of all revisions, merged."""
        spec = {revision: set(schema["$defs"]) for revision, schema in self.amended.items()}
        return merge(self.named, spec, self.policy)

    @cached_property
    def constants(self) -> list[Constant]:
        """The constants of the superset."""
        return constants(self.amended, self.policy)

    @cached_property
    def surfaces(self) -> dict[str, surface.Grouping]:
        """The exact surfaces by name, each proven able to serve its revisions."""
        groups = surface.groupings(list(self.pins), self.policy)
        if not self.lenient:
            surface.prove(groups, self.amended)
        return {group.name: group for group in groups}

    @cached_property
    def bases(self) -> Bases:
        """The base classes of the superset."""
        return Bases(self.superset, self.policy)

    @cached_property
    def annotated(self) -> dict[str, Schema]:
        """The annotated schema of each package."""
        docs = Docs(self.policy, list(self.pins))
        annotate.check_tags({**self.named, "types": self.superset.defs}, self.policy)
        self.bases.ask()
        result = {"types": annotate.superset_document(self.superset, self.policy, docs, self.bases)}
        for name, group in self.surfaces.items():
            result[name] = annotate.surface_document(self.named[group.newest], docs, self.superset, self.named)
        return result

    @cached_property
    def long(self) -> frozenset[str]:
        """The places of the superset whose strings may be long."""
        places = (
            f"{name}.{member}" for name, node in self.superset.defs.items() for member in node.get("properties", ())
        )
        return frozenset(place for place in places if self.policy.lists("long", place))

    @cached_property
    def topics(self) -> list[Topic]:
        """The modules of each package, in import order; every definition of every package has one."""
        order = topics.topics(self.policy)
        topics.ask(self.superset.defs, "types", order, self.policy, {})
        for group in self.surfaces.values():
            topics.ask(self.named[group.newest], group.newest, order, self.policy, self.superset.aliases)
        return order

    def facts(self) -> dict[str, str]:
        """The text of the facts of each surface."""
        return {
            name: surface.facts(group, self.named, self.superset, self.bases, self.policy)
            for name, group in self.surfaces.items()
        }

    def settle(self) -> None:
        """Take every decision there is to take. Raises Problem for a missing one, or a line that decides nothing."""
        assert self.annotated
        assert self.topics
        assert self.facts()
        assert self.constants is not None
        assert self.long is not None
        if not self.lenient:
            self.policy.refuse_idle()

    @cached_property
    def emitted(self) -> dict[str, str]:
        """The text of the models of each package, as the generator gives it."""
        options = {name: emit.SUPERSET if name == "types" else emit.SURFACE for name in self.annotated}
        return {name: emit.emit(document, name, options[name]) for name, document in self.annotated.items()}

    @cached_property
    def refined(self) -> dict[str, dict[str, Unit]]:
        """The definitions of each package in the form they are published."""
        defs = self.superset.defs
        nullable = {
            f"{name}.{member}"
            for name, node in defs.items()
            for member, value in node.get("properties", {}).items()
            if member not in node["required"] and admits_null(value, defs)
        }
        mixins = {name: self.bases.mixins(name) for name in defs}
        hints = Hints(nullable, self.policy["tags"], mixins, self.policy["discriminate"], self.long)
        return {name: refine(text, hints if name == "types" else None) for name, text in self.emitted.items()}

    def files(self) -> dict[Path, bytes]:
        """Every generated file by its path from the repository root."""
        self.settle()
        texts = {SRC / "revisions.py": self.revisions()}
        for package, modules in self.packages().items():
            texts.update({SRC / package / f"{module}.py": text for module, text in modules.items()})
        return {**formatted(texts), **self.verdicts(), **self.pages()}

    def verdicts(self) -> dict[Path, bytes]:
        """The table of each surface that tells whether a text is valid there."""
        return {
            SRC / name / "verdicts.json": verdicts.table(self.named[group.newest])
            for name, group in self.surfaces.items()
        }

    def pages(self) -> dict[Path, bytes]:
        """The generated pages of the documentation."""
        return {
            **amendments_page(self.amendments, self._amended[1]),
            **reference.page(self.pinned, self.policy.words),
        }

    def packages(self) -> dict[str, dict[str, str]]:
        """The modules of each package."""
        spec = {name for schema in self.amended.values() for name in schema["$defs"]}
        result = {
            "types": public.files(
                self.refined["types"], self.topics, self.constants, spec, self.superset, self.policy, self.pins
            )
        }
        facts = self.facts()
        for name, group in self.surfaces.items():
            result[name] = surface.files(group, self.refined[name], self.topics, facts[name], self.policy, self.pins)
        return result

    def revisions(self) -> str:
        """The text of the module that lists the revisions."""
        return render(
            "revisions.py.j2",
            revisions=tuple(self.pins),
            default=self.policy["default_negotiated_version"],
            pins={revision: pin.sha256 for revision, pin in self.pins.items()},
            surfaces={
                revision: f"mcp_surfaces.{name}"
                for name, group in self.surfaces.items()
                for revision in group.revisions
            },
        )

    def show(self, stage: str, revision: str) -> str:
        """The document after `stage` for `revision`, or for the package of that name from `merge` on, as text."""
        if stage not in STAGES:
            raise Problem(stage, "", f"no such stage; there are {', '.join(STAGES)}")
        computed: dict[str, Callable[[], Mapping[str, Any]]] = {
            "pin": lambda: self.pinned,
            "amend": lambda: self.amended,
            "name": lambda: self.named,
            "merge": lambda: {"types": self.superset.defs},
            "annotate": lambda: self.annotated,
            "emit": lambda: self.emitted,
        }
        documents = computed[stage]()
        if revision not in documents:
            kind = "package" if "types" in documents else "revision"
            raise Problem(revision, "", f"stage {stage} takes a {kind}: {', '.join(documents)}")
        document = documents[revision]
        if isinstance(document, str):
            return document
        return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False)
