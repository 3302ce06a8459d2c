"""The official SDK running on our types: `python -m proofs.dropin [--write]`.

The source distribution of `mcp` 2.3.0 carries its tests. They run twice in one virtual environment: as it is, and with
`mcp_types` replaced by the thin alias in `mcp_types_alias/`, which stands in front on the path. Both counts are
reported, and every test that passes with their types and not with ours is put down to a cause by what it says; one that
fits no cause is a failure of this proof.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from proofs import peers

SDK = "mcp==2.3.0"
NEEDED = (
    SDK,
    "typer",
    "python-dotenv",
    "rich",
    "pydantic-settings",
    "pytest>=8.4",
    "trio>=0.26.2",
    "pytest-flakefinder",
    "pytest-xdist>=3.6.1",
    "pytest-examples",
    "inline-snapshot>=0.23",
    "dirty-equals>=0.9",
    "pillow>=12",
    "logfire>=3",
    "opentelemetry-sdk>=1.39.1",
    "blockbuster>=1.5.27",
    "coverage>=7.10.7",
    "pyyaml>=6",
    "jinja2>=3.1",
)
"""What the SDK's tests need; its development group, without type checkers, linters and the documentation's tools."""

OPTIONS = ("-n", "2", "-vv", "--color=no", "-o", "log_cli=false", "--tb=native", "--ignore=tests/docs")
"""`tests/docs` tests the building of the SDK's documentation, and needs its tools."""

DECISION, INTERNAL, FAULT = "decision", "their package", "fault"
ABSENT = "an absent member stays absent and reads as None; mcp-types fills in a default"
UNKNOWN = "unknown members are kept; mcp-types drops them"
TABLES = "a test of mcp-types' own tables and generated modules, which the alias has not in that form"
SEVERITY = "the order of LoggingLevel's values is that of severity"
CAUSES: tuple[tuple[str, str, str], ...] = (
    (r"test_serialize_server_result_drops_an_unknown|test_snake_case_dict_result", DECISION, UNKNOWN),
    (r"request_frame_carries|notification_frame_has", DECISION, "members come in the schema's order"),
    (r"^tests\.types\.", INTERNAL, TABLES),
    (r"test_log_messages_at_every|test_log_delivery|test_send_log_message", FAULT, SEVERITY),
    (r"Server returned InputRequiredResult", DECISION, "`resultType` is the open string that the schema has"),
    (r"validation error for Root", DECISION, "a URI is a string, no pydantic Url"),
    (r"^[^\n]*roots[^\n]*\n.*Invalid request parameters", DECISION, "a URI is a string, no pydantic Url"),
    (r"validation error for ToolResultContent", DECISION, "what every revision's schema requires is required"),
    (r"lone_surrogate", DECISION, "a lone surrogate is refused in and out"),
    (r"ErrorData\(.*data=MISSING\) == ErrorData\(.*data=None\)", DECISION, "null is data: it is not an absent member"),
    (r"test_a_boolean_inbound_ttl", DECISION, "values are not coerced: true is no number"),
    (r"test_input_required_result_requires_at_least_one", DECISION, "it is refused when emitted, not when built"),
    (r"test_extract_meta", DECISION, "a `_meta` object has its wire names (progressToken)"),
    (r"TestAnnotationsValidation", DECISION, "ranges are on the exact surfaces"),
    (r"result_type='\w+'.*result_type=None|result_type=None.*result_type='\w+'", DECISION, ABSENT),
    (r"mode=None.*mode='form'|error_handling.*is_error=None", DECISION, ABSENT),
    (r"'?isError'?: False|\"isError\": ?false|is_error=False|None is False|None == False", DECISION, ABSENT),
    (r"None == '(complete|form|private)'|None == 0|\(None, None\)", DECISION, ABSENT),
    (r"KeyError\(?:? ?'(resultType|ttlMs|mode)'", DECISION, ABSENT),
    (r"ttl_ms=0.*ttl_ms=None|ttl_ms=None.*ttl_ms=0", DECISION, ABSENT),
)
"""A pattern of a failing test's name and text, the kind of the cause, and the cause; the first that fits is it."""
WANTED = 95.0


@dataclass(frozen=True)
class Run:
    """One run of the SDK's tests: state and text by test."""

    tests: dict[str, tuple[str, str]]
    seconds: float

    def passed(self) -> set[str]:
        """The tests that passed."""
        return {name for name, (state, _) in self.tests.items() if state == "passed"}


def source() -> Path:
    """The unpacked source distribution, from the package index."""
    folder = peers.CACHE / f"sdist-{SDK.replace('==', '-')}"
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "mcp"]
        done = subprocess.run([*command, "--dest", str(folder), SDK], capture_output=True, text=True, check=False)
        archives = list(folder.glob("*.tar.gz"))
        if not archives:
            raise SystemExit(f"no source distribution of {SDK}:\n{done.stderr[-3000:]}")
        with tarfile.open(archives[0]) as archive:
            archive.extractall(folder, filter="data")
        (folder / "complete").touch()
    return next(path for path in folder.iterdir() if path.is_dir())


def run_tests(python: Path, home: Path, path: list[Path], report: Path) -> Run:
    """Run the SDK's tests with these folders in front of the path."""
    began = time.monotonic()
    report.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*path, home / "examples"]))}
    environment.pop("PYTHONHOME", None)
    command = [str(python), "-m", "pytest", *OPTIONS, f"--junitxml={report}"]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    if not report.exists():
        raise SystemExit(f"the tests did not run:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return Run(read_report(report), time.monotonic() - began)


def read_report(report: Path) -> dict[str, tuple[str, str]]:
    """State and text of each test."""
    tests: dict[str, tuple[str, str]] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        state, text = "passed", ""
        for kind in ("failure", "error", "skipped"):
            if (found := case.find(kind)) is not None:
                state, text = kind, f"{found.get('message') or ''}\n{found.text or ''}"
                break
        if tests.get(name, ("passed", ""))[0] == "passed":
            tests[name] = (state, text)
    return tests


def cause(name: str, text: str) -> tuple[str, str] | None:
    """Why a test does not pass with ours."""
    for pattern, kind, why in CAUSES:
        if re.search(pattern, f"{name}\n{text}", re.DOTALL):
            return kind, why
    return None


def installed() -> Path:
    """A folder with our package alone, as this interpreter has it, so that nothing else of ours gets in front."""
    import mcp_surfaces

    folder = peers.CACHE / "dropin-ours"
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(mcp_surfaces.__file__).resolve().parent, folder / "mcp_surfaces", ignore=ignored)
    return folder


def page(theirs: Run, ours: Run, lost: dict[str, tuple[str, str] | None]) -> str:
    """`docs/dropin.md`."""
    both = len(theirs.passed()) - len(lost)
    lines = [
        "# The official SDK on our types",
        "",
        f"Written by `python -m proofs.dropin --write` (`nox -s dropin`). The tests of `{SDK}` run twice, once with",
        "its own `mcp-types` and once with `mcp_types` replaced by a thin alias of `mcp_surfaces`: module names, and",
        "the method-keyed parse and serialize functions of the SDK written over `wire`. Those validate what arrives,",
        "at 2026-07-28 strictly, and drop what only other revisions define from what a server sends, as the SDK",
        "expects of them; `wire` itself drops nothing. `tests/docs`, which tests the building of the SDK's pages, is",
        "left out.",
        "",
        "| tests that pass | |",
        "| --- | --- |",
        f"| with their types | {len(theirs.passed())} |",
        f"| of these, with ours | {both} ({100 * both / len(theirs.passed()):.1f}%) |",
        "",
        "The rest, by cause:",
        "",
        "| tests | kind | cause |",
        "| --- | --- | --- |",
    ]
    counts = Counter(found or ("unexplained", "unexplained") for found in lost.values())
    lines += [
        f"| {count} | {kind} | {why} |" for (kind, why), count in sorted(counts.items(), key=lambda item: -item[1])
    ]
    return "\n".join([*lines, ""])


def main() -> int:
    """Run it all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update docs/dropin.md")
    parser.add_argument("--reuse", action="store_true", help="judge the reports of the last run again")
    options = parser.parse_args()
    started = time.monotonic()
    reports = peers.CACHE / "dropin-reports"
    reports.mkdir(parents=True, exist_ok=True)
    if options.reuse:
        theirs, ours = (Run(read_report(reports / f"{name}.xml"), 0) for name in ("theirs", "ours"))
    else:
        home = source()
        python = peers.python_with("dropin", NEEDED)
        print(f"SDK and its tests installed after {time.monotonic() - started:.0f} s", flush=True)
        theirs = run_tests(python, home, [], reports / "theirs.xml")
        print(f"with their types: {len(theirs.passed())} passed in {theirs.seconds:.0f} s", flush=True)
        alias = Path(__file__).resolve().parent / "mcp_types_alias"
        ours = run_tests(python, home, [alias, installed()], reports / "ours.xml")
        print(f"with ours: {len(ours.passed())} passed in {ours.seconds:.0f} s", flush=True)
    lost = {
        name: cause(name, ours.tests.get(name, ("missing", "not run"))[1])
        for name in sorted(theirs.passed() - ours.passed())
    }
    share = 100 * (1 - len(lost) / len(theirs.passed()))
    for (kind, why), count in Counter(found for found in lost.values() if found is not None).most_common():
        print(f"{count:4} {kind}: {why}")
    unexplained = [name for name, found in lost.items() if found is None]
    for name in unexplained:
        print(f"UNEXPLAINED {name}: {ours.tests.get(name, ('', 'not run'))[1].strip().splitlines()[:1]}")
    faults = sum(found is not None and found[0] == FAULT for found in lost.values())
    counted = f"{faults} faults, {len(unexplained)} unexplained"
    print(f"{share:.2f}% of {len(theirs.passed())} tests pass with our types; {counted}")
    print(f"{len(theirs.passed()) - len(lost)} passed, {len(lost)} failed")
    print(f"{time.monotonic() - started:.0f} s")
    if options.write:
        (peers.ROOT / "docs" / "dropin.md").write_text(page(theirs, ours, lost), encoding="utf-8")
    return 0 if share >= WANTED and not unexplained and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
