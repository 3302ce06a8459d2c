"""Type-checks user_code.py with pyright, mypy, and mypy with pydantic's plugin: `python -m tests.typing.check`.

Exit status 1 when a checker reports an error on a line that does not end in `# expect-error`, or none on one that does.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
USER_CODE = HERE / "user_code.py"
MARK = "# expect-error"


def output(*command: str) -> str:
    """What a checker prints."""
    return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False).stdout


def pyright() -> dict[int, str]:
    """Pyright's errors by line."""
    report = json.loads(output("pyright", "--outputjson", "--project", str(HERE / "pyrightconfig.json")))
    found = [entry for entry in report["generalDiagnostics"] if entry["severity"] == "error"]
    return {entry["range"]["start"]["line"] + 1: entry["message"] for entry in found}


def mypy(*options: str) -> dict[int, str]:
    """Mypy's errors by line."""
    lines = output("mypy", "--output", "json", *options, str(USER_CODE)).splitlines()
    found = [entry for entry in map(json.loads, lines) if entry["severity"] == "error"]
    return {entry["line"]: f"{Path(entry['file']).name}: {entry['message']}" for entry in found}


def main() -> int:
    """Run all three; 0 if each says what is expected."""
    wanted = {n for n, line in enumerate(USER_CODE.read_text(encoding="utf-8").splitlines(), 1) if line.endswith(MARK)}
    plugin = mypy("--config-file", str(HERE / "mypy_plugin.toml"))
    status = 0
    for checker, found in {"pyright": pyright(), "mypy": mypy(), "mypy with pydantic's plugin": plugin}.items():
        wrong = [f"  {line}: {text}" for line, text in sorted(found.items()) if line not in wanted]
        wrong += [f"  {line}: no error reported" for line in sorted(wanted - found.keys())]
        status |= bool(wrong)
        print(f"{checker}: {len(wanted & found.keys())} of {len(wanted)} expected errors", *wrong, sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
