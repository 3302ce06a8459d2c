"""The pipeline, in order: pin, amend, name, merge, annotate, emit, refine, package, format. Each stage is a function.

`build` runs it all and returns every generated file; nothing is written here. `show` gives the document between two
stages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from codegen import annotate, availability, emit, package, tables
from codegen.amend import Amendment, amend, amendments
from codegen.canonical import Schema
from codegen.constants import constants, upper
from codegen.format import formatted
from codegen.merge import Superset, admits_null, merge
from codegen.name import inline_names, named
from codegen.pin import SCHEMAS, Pin, load_all, pins
from codegen.policy import read_toml
from codegen.problems import Problem
from codegen.refine import Unit, assigned, refine
from codegen.render import render
from codegen.topics import Topic, refuse_unused, topics

SRC = Path("src/mcp_surfaces")
JSONRPC = "mcp_surfaces.jsonrpc"
STAGES = ("pin", "amend", "name", "merge", "annotate", "emit")


@dataclass
class Pipeline:
    """One run over the policy and pins in `folder`; each stage is computed once, when first asked for."""

    folder: Path = SCHEMAS
    undecided: list[str] = field(default_factory=list[str])
    """What was inferred for want of a policy line, and the line that would decide it."""

    @cached_property
    def pins(self) -> dict[str, Pin]:
        return pins(self.folder)

    @cached_property
    def pinned(self) -> dict[str, Schema]:
        return load_all(self.folder)

    @cached_property
    def changes(self) -> list[Amendment]:
        return amendments(self.folder)

    @cached_property
    def amended(self) -> dict[str, Schema]:
        return amend(self.pinned, self.changes)[0]

    @cached_property
    def named(self) -> dict[str, dict[str, Schema]]:
        return named(self.amended, inline_names(self.folder))

    @cached_property
    def policy(self) -> dict[str, Any]:
        """The tables of superset.toml, bases.toml and surfaces.toml."""
        files = ("superset.toml", "bases.toml", "surfaces.toml")
        return {key: value for name in files for key, value in read_toml(self.folder / name).items()}

    @cached_property
    def docs(self) -> annotate.Docs:
        return annotate.Docs(read_toml(self.folder / "docs.toml"), list(self.pins))

    @cached_property
    def topics(self) -> list[Topic]:
        return topics(self.folder)

    @cached_property
    def superset(self) -> Superset:
        spec = {revision: set(schema["$defs"]) for revision, schema in self.amended.items()}
        return merge(self.named, spec, self.policy)

    @cached_property
    def surfaces(self) -> dict[str, dict[str, Any]]:
        """The surfaces of the policy by name; every revision belongs to one."""
        result = {entry["name"]: entry for entry in self.policy["surface"]}
        served = [revision for entry in result.values() for revision in entry["revisions"]]
        for revision in self.pins:
            if revision not in served:
                raise Problem(revision, "", "no surface serves it", f'in {tables.FILE}: add "{revision}" to revisions')
        return result

    @cached_property
    def annotated(self) -> dict[str, Schema]:
        """The annotated schema of each package."""
        result = {"types": annotate.superset_document(self.superset, self.policy, self.docs)}
        for name, entry in self.surfaces.items():
            newest = entry["revisions"][-1]
            result[name] = annotate.surface_document(self.named[newest], self.docs, self.superset, self.named)
        return result

    @cached_property
    def emitted(self) -> dict[str, str]:
        options = {name: emit.SUPERSET if name == "types" else emit.SURFACE for name in self.annotated}
        return {name: emit.emit(document, name, options[name]) for name, document in self.annotated.items()}

    @cached_property
    def refined(self) -> dict[str, dict[str, Unit]]:
        nullable = {
            f"{name}.{member}"
            for name, node in self.superset.defs.items()
            for member, value in node.get("properties", {}).items()
            if member not in node["required"] and admits_null(value, self.superset.defs)
        }
        return {
            name: refine(text, name == "types", nullable, self.policy["tags"]) for name, text in self.emitted.items()
        }

    def files(self) -> dict[Path, bytes]:
        """Every generated file under the repository root."""
        refuse_unused(self.topics, {name for units in self.refined.values() for name in units})
        texts = {SRC / "revisions.py": self.revisions(), **self.types()}
        for name in self.surfaces:
            texts.update(self.surface(name))
        self.undecided.extend(self.docs.undecided)
        return formatted(texts)

    def revisions(self) -> str:
        return render(
            "revisions.py.j2",
            revisions=tuple(self.pins),
            default=self.policy["default_negotiated_version"],
            pins={revision: pin.sha256 for revision, pin in self.pins.items()},
            surfaces={
                revision: f"mcp_surfaces.{name}"
                for name, entry in self.surfaces.items()
                for revision in entry["revisions"]
            },
        )

    def types(self) -> dict[Path, str]:
        """The superset package: topic modules, constants, adapters and the lazy `__init__`."""
        name = "mcp_surfaces.types"
        units = self.refined["types"]
        texts, exported, inferred = package.modules(name, units, self.topics)
        self.undecided.extend(inferred)
        known = constants(self.named, self.policy)
        unions = [
            union(units[side + kind]) for side in ("Client", "Server") for kind in ("Notification", "Request", "Result")
        ]
        exported.update(
            {
                other: exported[final]
                for other, final in self.superset.aliases.items()
                if final in exported and other in self.spec - set(package.SOURCES)
            }
        )
        exported.update({constant.name: f"{name}.constants" for constant in known})
        exported.update({entry["adapter"]: f"{name}.adapters" for entry in unions})
        exported.update(
            dict.fromkeys(("LATEST_PROTOCOL_VERSION", "DEFAULT_NEGOTIATED_VERSION"), "mcp_surfaces.revisions")
        )
        exported.update({other: f"mcp_surfaces.{module}" for other, module in self.policy["external"].items()})
        exported.update(
            {
                other: JSONRPC
                for other, final in self.superset.aliases.items()
                if self.policy["external"].get(final) == "jsonrpc" and other in self.spec
            }
        )
        exported["jsonrpc_message_adapter"] = JSONRPC
        texts = self.with_aliases(texts, exported, name)
        texts["constants"] = render("constants.py.j2", constants=known)
        found = availability.availability(self.superset, list(self.pins), self.policy["arms"])
        texts["availability"] = render("availability.py.j2", **availability.values(found, list(self.pins)))
        texts["adapters"] = render("adapters.py.j2", unions=unions)
        texts["__init__"] = package.init(self.policy["docs"]["types"], exported, list(self.pins.values()))
        return {SRC / "types" / f"{module}.py": text for module, text in texts.items()}

    def with_aliases(self, texts: dict[str, str], exported: Mapping[str, str], name: str) -> dict[str, str]:
        """`texts` with the other names of constructs assigned in the modules that hold them."""
        result = dict(texts)
        for other, final in sorted(self.superset.aliases.items()):
            module = exported.get(other, "")
            if module.startswith(name + "."):
                topic = module.removeprefix(name + ".")
                result[topic] = result[topic].rstrip("\n").replace("__all__ = [", f'__all__ = ["{other}", ', 1)
                result[topic] += f'\n\n{other} = {final}\n"""Another name of {final}."""\n'
        return result

    @cached_property
    def spec(self) -> set[str]:
        """Every name that some revision itself defines, or the policy gives."""
        return {name for schema in self.amended.values() for name in schema["$defs"]}

    def surface(self, name: str) -> dict[Path, str]:
        """The package of one exact surface: topic modules, facts and the lazy `__init__`."""
        entry = self.surfaces[name]
        newest = entry["revisions"][-1]
        texts, exported, inferred = package.modules(f"mcp_surfaces.{name}", self.refined[name], self.topics)
        self.undecided.extend(line for line in inferred if line not in self.undecided)
        tables.unsupplied(newest, self.named[newest], self.superset, self.policy)
        texts["facts"] = render(
            "facts.py.j2",
            surface={"name": name, "revisions": tuple(entry["revisions"]), "strict": entry["strict"]},
            methods={
                revision: {
                    sender: tables.methods(self.named[revision], sender, self.superset, self.policy)
                    for sender in tables.SENDERS
                }
                for revision in entry["revisions"]
            },
            batches=tuple(revision for revision in entry["revisions"] if tables.has_batches(self.named[revision])),
            bodies=tables.bodies(newest, self.named[newest], self.superset, self.policy["bases"], self.policy),
        )
        exported["SURFACE"] = f"mcp_surfaces.{name}.facts"
        doc = self.policy["docs"]["surface"].format(newest=newest, revisions=", ".join(entry["revisions"]))
        texts["__init__"] = package.init(doc, exported, [self.pins[revision] for revision in entry["revisions"]])
        return {SRC / name / f"{module}.py": text for module, text in texts.items()}

    def show(self, stage: str, revision: str) -> str:
        """The document after `stage` for `revision`, or for the package of that name from `merge` on, as text."""
        documents: Mapping[str, Any] = {
            "pin": lambda: self.pinned,
            "amend": lambda: self.amended,
            "name": lambda: self.named,
            "merge": lambda: {"types": self.superset.defs},
            "annotate": lambda: self.annotated,
            "emit": lambda: self.emitted,
        }
        if stage not in documents:
            raise Problem(stage, "", f"no such stage; there are {', '.join(STAGES)}")
        found = documents[stage]()
        if revision not in found:
            raise Problem(revision, "", f"not at stage {stage}; there are {', '.join(found)}")
        document = found[revision]
        return (
            document
            if isinstance(document, str)
            else json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False)
        )


def union(unit: Unit) -> dict[str, str]:
    """What the adapters template needs of one message union."""
    words = upper(unit.name).lower()
    return {
        "name": unit.name,
        "tagged": assigned(unit)[-1],
        "adapter": f"{words}_adapter",
        "words": words.replace("_", " "),
    }
