"""What superset models have before pydantic 2.14, whatever pydantic the tests run on."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter

from mcp_surfaces import built
from mcp_surfaces.older_pydantic import BuiltWithItsMembers


class Model(BuiltWithItsMembers):
    model_config = ConfigDict(defer_build=True)


class Leaf(Model):
    name: str


class Branch(Model):
    leaves: list[Leaf] | None = None
    branch: Branch | None = None


class Alone(Model):
    value: Any = None


class Pickled(Model):
    name: str


def test_a_class_is_built_with_those_it_refers_to() -> None:
    assert not Leaf.__pydantic_complete__
    branch = Branch.model_validate({"leaves": [{"name": "a"}], "branch": {}})
    assert Leaf.__pydantic_complete__
    assert TypeAdapter[Any](Any).dump_python(branch.leaves) == [{"name": "a"}]
    assert Leaf.model_rebuild() is None
    assert Leaf.model_rebuild(force=True)


def test_a_class_is_built_before_an_instance_is_made_without_validation() -> None:
    assert TypeAdapter[Any](Any).dump_python({"a": Alone.model_construct(value=1)}) == {"a": {"value": 1}}
    pickled = pickle.dumps(Pickled(name="a"))
    assert pickle.loads(pickled) == Pickled(name="a")


def test_many_threads_build_a_class_once() -> None:
    class Fresh(Model):
        leaves: list[Leaf] | None = None

    found: list[Fresh] = []
    threads = [threading.Thread(target=lambda: found.append(Fresh.model_validate({}))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Fresh()] * 16


class One(Model):
    kind: int


class Other(Model):
    name: str


def test_the_arms_of_a_union_are_built_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "OLDER_PYDANTIC", True)
    one = built.validator(One | Other).validate_python({"kind": 1})
    assert Other.__pydantic_complete__
    assert TypeAdapter[Any](Any).dump_python([one]) == [{"kind": 1}]
