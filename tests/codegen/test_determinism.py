"""The same bytes under another hash seed, locale and working directory, and with every object of the pins shuffled."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.conftest import ROOT

pytestmark = pytest.mark.untraced

SCRIPT = """
import hashlib, random
from codegen.pin import load_all
from codegen.pipeline import Pipeline

def shuffled(node):
    if isinstance(node, list):
        return [shuffled(item) for item in node]
    if not isinstance(node, dict):
        return node
    keys = random.Random(7).sample(list(node), len(node))
    return {key: shuffled(node[key]) for key in keys}

pipeline = Pipeline()
vars(pipeline)["pinned"] = {revision: shuffled(schema) for revision, schema in load_all().items()}
assert list(pipeline.pinned["2026-07-28"]["$defs"]) != list(load_all()["2026-07-28"]["$defs"])
for path, data in sorted(pipeline.files().items()):
    print(path.as_posix(), hashlib.sha256(data).hexdigest())
"""


def test_the_same_bytes_everywhere(built: dict[Path, bytes], tmp_path: Path) -> None:
    locales = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    turkish = next((name for name in locales if name.startswith("tr_TR")), "C")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))},
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "4711",
        "PYTHONUTF8": "0",
        "LC_ALL": turkish,
    }
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert run.returncode == 0, run.stderr
    here = [f"{path.as_posix()} {hashlib.sha256(data).hexdigest()}" for path, data in sorted(built.items())]
    assert run.stdout.splitlines() == here


def test_the_repository_has_no_drift(built: dict[Path, bytes]) -> None:
    assert [path for path, data in built.items() if (ROOT / path).read_bytes() != data] == []
