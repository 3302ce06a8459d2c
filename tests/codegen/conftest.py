"""A build of the repository, once a session, and small repositories to break."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.canonical import Schema
from codegen.emit import emit
from codegen.pipeline import Pipeline

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session", autouse=True)
def generator_asked_once() -> Iterator[None]:
    """What the generator makes of a document is kept: most tests change few of those that others have given it."""
    known: dict[str, str] = {}

    def kept(document: Schema, where: str, options: dict[str, Any]) -> str:
        asked = json.dumps([document, where, options])
        if asked not in known:
            known[asked] = emit(document, where, options)
        return known[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("codegen.emit.emit", kept)
        yield


@pytest.fixture(scope="session")
def pipeline() -> Pipeline:
    """The pipeline over the repository's own schemas; stages are computed when first asked for, once."""
    return Pipeline()


@pytest.fixture(scope="session")
def built(pipeline: Pipeline) -> dict[Path, bytes]:
    """Every generated file of the repository."""
    return pipeline.files()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with the schemas of this one, and nothing else."""
    shutil.copytree(ROOT / "schemas", tmp_path / "repo" / "schemas")
    return tmp_path / "repo"


@pytest.fixture
def schemas(repo: Path) -> Path:
    """The `schemas/` of that repository."""
    return repo / "schemas"
