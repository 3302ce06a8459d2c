"""A build of the repository, once a session, and small repositories to break."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen.pipeline import Pipeline

ROOT = Path(__file__).resolve().parents[2]


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
