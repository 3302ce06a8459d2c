"""The official conformance suite against our examples: `python -m proofs.conformance [--write]`.

The suite is the client of our Streamable HTTP server, once for each revision's list of required scenarios, and the
server of our client, once for each required client scenario that needs no OAuth (which is no matter of types).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofs import peers

REVISIONS = ("2025-11-25", "2026-07-28")
PACKAGE = "@modelcontextprotocol/conformance"
ADDED = "json-schema-2020-12-preservation"
"""A client scenario younger than the revisions, which the suite runs without counting it; we count it."""
EXPECTED: dict[tuple[str, str], str] = {}
"""Required scenarios that cannot pass: revision and scenario, and the one check that fails with why it must."""


@dataclass
class Scenario:
    """A scenario, and what the suite made of it."""

    revision: str
    role: str
    name: str
    required: bool
    passed: int = 0
    problems: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        """Whether it was run and nothing in it failed."""
        return self.passed > 0 and not self.problems


class Suite:
    """The installed suite."""

    def __init__(self) -> None:
        folder = peers.npm_folder("conformance", peers.CONFORMANCE)
        self.home = folder / "node_modules" / PACKAGE
        self.node = str(peers.node())
        self.version = peers.npm_version(folder, PACKAGE)

    def run(self, *arguments: str) -> str:
        """Run a command of the suite in the project's folder."""
        command = [self.node, str(self.home / "dist" / "index.js"), *arguments]
        run = subprocess.run(command, cwd=peers.ROOT, capture_output=True, text=True, timeout=240, check=False)
        return run.stdout + run.stderr

    def lists(self, revision: str) -> dict[str, list[str]]:
        """The scenarios a revision requires of a server and of a client, and those that are run without counting."""
        text = (self.home / "requirements" / f"{revision}.yaml").read_text(encoding="utf-8")
        found: dict[str, list[str]] = {"server": [], "client": [], "not_scored": []}
        section = ""
        for line in text.splitlines():
            if line and not line.startswith((" ", "#")):
                section = line.rstrip(":")
            elif entry := re.match(r"  - (?:scenario: )?(\S+)$", line):
                found[section].append(entry[1])
        return found


@contextmanager
def server() -> Generator[str, None, None]:
    """Our server, on a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "proofs.conformance_server", str(port)], cwd=peers.ROOT)
    try:
        for _ in range(200):
            if process.poll() is not None:
                raise SystemExit(f"the server ended with {process.returncode}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://localhost:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)


def judge(scenario: Scenario, folder: Path) -> None:
    """Read the suite's checks of a scenario."""
    pattern = re.compile(rf"(server-)?{re.escape(scenario.name)}-\d{{4}}-\d\d-\d\dT.*")
    files = [path for path in folder.glob("*/checks.json") if pattern.fullmatch(path.parent.name)]
    if len(files) != 1:
        scenario.problems.append(f"run {len(files)} times")
        return
    checks: list[dict[str, Any]] = json.loads(files[0].read_text(encoding="utf-8"))
    for check in checks:
        if check["status"] == "SUCCESS":
            scenario.passed += 1
        elif check["status"] in ("FAILURE", "WARNING"):
            scenario.problems.append(f"{check['id']}: {check.get('errorMessage') or check['status']}"[:300])


def run_server(suite: Suite, revision: str, url: str, folder: Path) -> list[Scenario]:
    """Every scenario that a revision has for servers."""
    lists = suite.lists(revision)
    output = suite.run("server", "--url", url, "--requirements", revision, "--output-dir", str(folder))
    scenarios = [Scenario(revision, "server", name, True) for name in lists["server"]]
    optional = [name for name in lists["not_scored"] if re.search(rf"Running scenario: {re.escape(name)} ", output)]
    scenarios += [Scenario(revision, "server", name, False) for name in optional]
    for scenario in scenarios:
        judge(scenario, folder)
    return scenarios


def run_client(suite: Suite, scenario: Scenario, folder: Path) -> Scenario:
    """One scenario for clients."""
    command = f"{sys.executable} -m proofs.conformance_client"
    chosen = ("--scenario", scenario.name, "--spec-version", scenario.revision, "--output-dir", str(folder))
    output = suite.run("client", "--command", command, *chosen)
    judge(scenario, folder)
    if not scenario.good:
        scenario.problems.append(output[-400:])
    return scenario


def figures(scenarios: Sequence[Scenario]) -> list[str]:
    """One line for each revision and role."""
    lines = ["| revision | role | scenarios passed | checks passed | also run, not required |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for revision in REVISIONS:
        for role in ("server", "client"):
            mine = [one for one in scenarios if (one.revision, one.role) == (revision, role)]
            needed = [one for one in mine if one.required]
            extra = [one for one in mine if not one.required]
            good, checks = sum(one.good for one in needed), sum(one.passed for one in needed)
            also = f"{sum(one.good for one in extra)} of {len(extra)} passed" if extra else "none"
            lines.append(f"| {revision} | {role} | {good} of {len(needed)} | {checks} | {also} |")
    return lines


def page(suite: Suite, scenarios: Sequence[Scenario]) -> str:
    """`docs/conformance.md`."""
    lines = [
        "# The official conformance suite",
        "",
        f"Written by `python -m proofs.conformance --write` (`nox -s conformance`) with `{PACKAGE}`",
        f"{suite.version}. The suite judges an example Streamable HTTP server and client built on this library, at",
        "each revision for which it has a list of required scenarios. Client scenarios that need OAuth are left out:",
        "nothing in them depends on types. The suite also validates every message of ours against the specification's",
        "own schema.",
        "",
        *figures(scenarios),
        "",
        "Required scenarios that cannot pass:",
        "",
    ]
    lines += [f"- {name} at {revision}: {why}" for (revision, name), why in EXPECTED.items()] or ["- none"]
    lines += ["", "Not required, and why they do not pass:", ""]
    left = [one for one in scenarios if not one.required and not one.good]
    lines += [f"- {one.name} at {one.revision}: {reason(one)}" for one in left] or ["- none"]
    lines += ["", "Every required scenario:", ""]
    for revision in REVISIONS:
        for role in ("server", "client"):
            mine = [one for one in scenarios if (one.revision, one.role, one.required) == (revision, role, True)]
            names = ", ".join(f"{one.name} ({one.passed})" for one in mine)
            lines += [f"- {revision}, {role}: {names}"]
    return "\n".join([*lines, ""])


def reason(scenario: Scenario) -> str:
    """Why an optional scenario is not passed."""
    if scenario.name.startswith("tasks-"):
        return "the examples do not offer the tasks extension."
    if not scenario.passed and not scenario.problems:
        return "the suite checked nothing."
    return f"{scenario.problems[0] if scenario.problems else 'nothing passed'}"


def main() -> int:
    """Run it all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="update docs/conformance.md")
    options = parser.parse_args()
    started = time.monotonic()
    suite = Suite()
    scenarios: list[Scenario] = []
    os.environ["PATH"] = f"{Path(suite.node).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as temporary:
        with server() as url:
            for revision in REVISIONS:
                scenarios += run_server(suite, revision, url, Path(temporary, f"server-{revision}"))
        wanted: list[Scenario] = []
        for revision in REVISIONS:
            lists = suite.lists(revision)
            wanted += [Scenario(revision, "client", name, True) for name in lists["client"] if "auth/" not in name]
            wanted += [Scenario(revision, "client", ADDED, True)] if ADDED in lists["not_scored"] else []
        with ThreadPoolExecutor(2) as pool:
            folders = [Path(temporary, f"client-{one.revision}-{one.name}") for one in wanted]
            scenarios += pool.map(run_client, [suite] * len(wanted), wanted, folders)
    print("\n".join(figures(scenarios)))
    bad = 0
    for one in scenarios:
        expected = EXPECTED.get((one.revision, one.name))
        if one.required and expected is not None:
            as_expected = len(one.problems) == 1 and expected.partition(":")[0] in one.problems[0]
            bad += not as_expected
            print(f"{'expected' if as_expected else 'STALE'}: {one.revision} {one.role} {one.name}: {one.problems}")
        elif not one.good:
            bad += one.required
            state = "FAILED" if one.required else "not required"
            print(f"{state}: {one.revision} {one.role} {one.name}: {'; '.join(one.problems)[:400]}")
    required = sum(one.required for one in scenarios)
    print(f"{required - bad} passed, {bad} failed")
    print(f"{time.monotonic() - started:.0f} s")
    if options.write:
        (peers.ROOT / "docs" / "conformance.md").write_text(page(suite, scenarios), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
