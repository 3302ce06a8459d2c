"""Reading the policy files: TOML under `schemas/`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from codegen.problems import Problem

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(file: Path) -> dict[str, Any]:
    """The content of `file`. Raises Problem, naming file and line, when it is missing or no TOML."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError:
        raise Problem(f"schemas/{file.name}", "", "the policy file is missing") from None
    except ValueError as error:
        raise Problem(f"schemas/{file.name}", "", f"is not TOML: {error}") from None
