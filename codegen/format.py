"""Formatting: ruff, once, with the project's own configuration."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from codegen.problems import Problem

ROOT = Path(__file__).resolve().parent.parent


def formatted(files: Mapping[Path, str]) -> dict[Path, bytes]:
    """`files` (path to Python text) with imports sorted and laid out by ruff, in UTF-8.

    Raises Problem, naming where the unformatted text was kept, when ruff cannot read a file.
    """
    folder = Path(tempfile.mkdtemp(prefix="mcp-surfaces-"))
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    ruff: str = import_module("ruff").find_ruff_bin()  # `python -m ruff` would start Python to say the same.
    options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "--quiet", str(folder)]
    for command in (["check", "--select", "I,RUF022,F401", "--fix", "--exit-zero", *options], ["format", *options]):
        run = subprocess.run([ruff, *command], capture_output=True, text=True, cwd=ROOT, check=False)
        if run.returncode:
            raise Problem("format", "", f"ruff failed, the text is kept in {folder}: {run.stderr or run.stdout}")
    result = {path: (folder / path).read_bytes() for path in files}
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    folder.rmdir()
    return result
