"""What an older revision accepts, the 2025-11-25 surface accepts at message level, for the members the older defines.

What differs in form alone is set aside first, and computed from the pins: the JSON-RPC envelope that 2025-11-25 folds
into its bodies, definitions under another name, batches, and helpers no message refers to.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests.fidelity.adapter import Model, Package
from tests.fidelity.judge import Judge, amended_schema, pinned_schema
from tests.fidelity.sample import sampled
from tests.fidelity.shapes import Json, Shapes, dumps

pytestmark = pytest.mark.untraced

OLDER = ("2024-11-05", "2025-03-26", "2025-06-18")
NEWER = "2025-11-25"


@cache
def package() -> Package:
    return Package.named("mcp_surfaces.v2025_11_25")


def accepted(revision: str, name: str) -> list[Json]:
    return [case.value for case in sampled(revision, pinned=True)[name] if case.valid]


class Passage:
    """The way from the definitions of an older schema to those of the newer."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.schema = pinned_schema(revision)
        self.old, self.new = Shapes(self.schema), Shapes(amended_schema(NEWER))
        self.judge = Judge(self.new.schema)
        frame, body = (self.new.flat(self.new.of(name)) for name in ("JSONRPCRequest", "Request"))
        self.envelope: set[str] = {*frame["required"]} - {*body["required"]}

    def is_batch(self, name: str) -> bool:
        return all(leaf.get("type") == "array" for leaf in self.old.leaves(self.old.of(name)))

    def renamed(self, name: str) -> str | None:
        """The newer definition, unknown to the older schema, of the same members, that takes all `name` accepts."""
        members = self.old.flat(self.old.of(name)).get("properties", {}).keys()
        values = accepted(self.revision, name)
        found = [
            other
            for other in self.new.definitions.keys() - self.old.definitions.keys()
            if self.new.flat(self.new.of(other)).get("properties", {}).keys() == members
            and all(self.judge.accepts(other, self.folded(other, value)) for value in values)
        ]
        return found[0] if len(found) == 1 else None

    def is_helper(self, name: str) -> bool:
        """Whether no message can hold a `name`."""
        users = [other for other in self.old.definitions if name in self.old.nodes_of(self.old.definitions[other])]
        return not users and not self.envelope & self.old.flat(self.old.of(name)).get("properties", {}).keys()

    def target(self, name: str) -> str | None:
        """The newer definition that takes the place of `name`; None where there need not be one."""
        if name in self.new.definitions:
            return name
        if self.is_batch(name):
            return "JSONRPCMessage"
        return self.renamed(name)

    def folded(self, target: str, value: Json) -> Json:
        """`value` with the envelope members that `target` requires and `value` lacks."""
        if not isinstance(value, dict):
            return value
        leaf = self.new.arm(self.new.of(target), value)
        missing = self.envelope & {*leaf.get("required", ())} - value.keys()
        return {**value, **{member: leaf["properties"][member].get("const", 1) for member in missing}}

    def messages(self, target: str, value: Json) -> list[Json]:
        """What of `value` is to be judged: itself, or the frames of a batch, each with its envelope."""
        batch = isinstance(value, list) and target == "JSONRPCMessage"
        return [self.folded(target, item) for item in (value if batch and isinstance(value, list) else [value])]


@pytest.mark.parametrize("revision", OLDER)
def test_what_the_older_revision_accepts_the_surface_accepts(revision: str) -> None:
    passage = Passage(revision)
    refused: dict[str, str] = {}
    judged = 0
    for name in passage.schema["$defs"]:
        target = passage.target(name)
        if target is None:
            assert passage.is_helper(name), f"{name} has no successor"
            continue
        model: Model | None = package().model(target)
        assert model is not None, target
        for value in accepted(revision, name):
            for message in passage.messages(target, value):
                judged += 1
                verdicts = model.verdicts(message, dumps(message))
                if verdicts != (True, True) or not passage.judge.accepts(target, message):
                    refused[name] = min(refused.get(name, dumps(message)), dumps(message), key=len)
    assert refused == {}
    assert judged > 5_000


def test_the_differences_are_the_known_ones() -> None:
    """A reading aid: what the computation sets aside today."""
    renamed: dict[str, dict[str, str | None]] = {}
    for revision in OLDER:
        passage = Passage(revision)
        gone = passage.old.definitions.keys() - passage.new.definitions.keys()
        renamed[revision] = {name: passage.target(name) for name in sorted(gone)}
    error = {"JSONRPCError": "JSONRPCErrorResponse"}
    reference = {"ResourceReference": "ResourceTemplateReference"}
    assert renamed == {
        "2024-11-05": {"Annotated": None, **error, **reference},
        "2025-03-26": {
            "JSONRPCBatchRequest": "JSONRPCMessage", "JSONRPCBatchResponse": "JSONRPCMessage", **error, **reference,
        },
        "2025-06-18": error,
    }  # fmt: skip
    assert Passage("2024-11-05").envelope == {"jsonrpc", "id"}


def test_a_newer_revision_that_is_not_additive_is_found_out() -> None:
    """The same passage over a newer schema with one more required member, or one narrower, loses something."""
    passage = Passage("2025-06-18")
    name = "Implementation"
    node = passage.new.definitions[name]
    values = accepted("2025-06-18", name)
    assert all(passage.judge.accepts(name, value) for value in values)
    for stricter in (
        {"required": [*node["required"], "title"]},
        {"properties": {**node["properties"], "title": {"const": "x"}}},
    ):
        judge = Judge({**passage.new.schema, "$defs": {**passage.new.definitions, name: {**node, **stricter}}})
        assert not all(judge.accepts(name, value) for value in values)
