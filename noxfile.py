"""Everything there is to run; `nox -l` lists it. What runs by default changes no file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"

PYPROJECT = nox.project.load_toml("pyproject.toml")
PARALLEL = ["-n", "auto", "--dist", "worksteal"]
GENERATED = ":(attr:linguist-generated)"


def install(session: nox.Session, *groups: str, package: bool = True) -> None:
    """Install dependency groups of pyproject.toml, and the package itself, editable, unless told otherwise."""
    wanted = [*nox.project.dependency_groups(PYPROJECT, *groups)]
    session.install(*(["-e", "."] if package else []), *wanted)


# --- Checks, run by default.


@nox.session
def lint(session: nox.Session) -> None:
    """Style and layout of all code, generated code too."""
    install(session, "lint", package=False)
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def typing(session: nox.Session) -> None:
    """Types: pyright and mypy, both strict, over all code; user code must get the errors it expects, and no others."""
    install(session, "typing")
    session.run("pyright")
    session.run("mypy")
    session.run("python", "-m", "tests.typing.check")


@nox.session
def check(session: nox.Session) -> None:
    """Drift: what is committed is, byte for byte, what the pins give."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "check")


@nox.session
def standalone(session: nox.Session) -> None:
    """The wheel, built from the sdist, in an empty environment: it needs pydantic only, and all of it imports."""
    install(session, "build", package=False)
    folder = Path(session.create_tmp()).resolve()
    shutil.rmtree(folder)
    session.run("python", "-m", "build", "--outdir", str(folder / "dist"))
    session.run("python", "-m", "venv", str(folder / "empty"))
    python = str(folder / "empty" / ("Scripts" if os.name == "nt" else "bin") / "python")
    (wheel,) = (folder / "dist").glob("*.whl")
    session.run(python, "-m", "pip", "install", "--quiet", str(wheel), external=True)
    program = str(Path("tests/standalone.py").resolve())
    with session.chdir(folder):
        session.run(python, "-I", program, str(wheel), external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """The test suite, with full coverage of hand-written code. Arguments go to pytest, then without coverage."""
    install(session, "test")
    if session.posargs:
        session.run("pytest", *session.posargs)
        return
    coverage = ["--cov", "--cov-report=term-missing:skip-covered"]
    # Many tests start Python; where no bytecode may be written, each would compile the package anew.
    session.run("pytest", *PARALLEL, *coverage, "--durations=10", env={"PYTHONDONTWRITEBYTECODE": ""})


# --- Run on request.


@nox.session(default=False)
def first(session: nox.Session) -> None:
    """Regenerate the packages, show that they are what is committed, and send a message of each revision through."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "generate")
    if Path(".git").exists() and shutil.which("git"):
        session.run("git", "diff", "--exit-code", "--stat", "HEAD", "--", GENERATED, external=True)
    session.run("python", "-m", "codegen", "check")
    session.run("python", "-m", "tests.demo")


@nox.session(default=False, tags=["write"])
def generate(session: nox.Session) -> None:
    """Write the packages anew from the pins."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "generate")


@nox.session(default=False, tags=["write"])
def pin(session: nox.Session) -> None:
    """Pin an upstream schema: `nox -s pin -- REVISION PATH [--commit FULL_SHA]`."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "pin", *session.posargs)


@nox.session(default=False, tags=["write"])
def bump(session: nox.Session) -> None:
    """Pin, regenerate, check and report in one: `nox -s bump -- REVISION PATH [--commit FULL_SHA] [--dry-run]`."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "bump", *session.posargs)


@nox.session(default=False, tags=["write"])
def docs(session: nox.Session) -> None:
    """Write the generated pages of docs/ anew."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "docs")


@nox.session(default=False, tags=["write"])
def goldens(session: nox.Session) -> None:
    """Write the expected files of the tests anew; review the difference."""
    install(session, "test")
    # No other file is read: after a bump, some need fixtures that are not written yet.
    files = [str(file) for file in Path("tests").rglob("test_*.py") if "UPDATE_GOLDENS" in file.read_text("utf-8")]
    session.run("pytest", "-q", *(session.posargs or [*sorted(files), "-k", "golden"]), env={"UPDATE_GOLDENS": "1"})


@nox.session(default=False)
def build(session: nox.Session) -> None:
    """Build sdist and wheel into dist/."""
    install(session, "build", package=False)
    session.run("python", "-m", "build")


@nox.session(default=False)
def floor(session: nox.Session) -> None:
    """The test suite on the oldest releases of what the package depends on."""
    install(session, "test", "floor")
    session.run("pytest", *(session.posargs or PARALLEL))


@nox.session(default=False)
def parity(session: nox.Session) -> None:
    """Names, members and constants of PyPI's mcp-types against ours."""
    install(session, "test")
    session.run("pytest", "tests/parity", *session.posargs)


@nox.session(default=False, tags=["proof"])
def fidelity(session: nox.Session) -> None:
    """The surfaces against an independent JSON Schema validator."""
    install(session, "test")
    session.run("python", "-m", "tests.fidelity.run", *session.posargs)


@nox.session(default=False, tags=["proof"])
def fuzz(session: nox.Session) -> None:
    """The wire boundary under random and hostile bytes, for a bounded time."""
    install(session, "fuzz")
    session.run("python", "-m", "tests.fuzz", *session.posargs)


@nox.session(default=False, tags=["proof"])
def bench(session: nox.Session) -> None:
    """Time and memory against pydantic itself and against the peers."""
    install(session, "test")
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session(default=False, tags=["proof"])
def history(session: nox.Session) -> None:
    """States of a schema replayed as bumps: lines changed, lines merely moved. `nox -s history -- FOLDER`."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "history", *session.posargs)


@nox.session(default=False, tags=["proof"])
def interop(session: nox.Session) -> None:
    """Live sessions of the examples with other SDKs, every frame checked."""
    install(session, "examples")
    session.run("python", "-m", "proofs.interop", *session.posargs)


@nox.session(default=False, tags=["proof"])
def conformance(session: nox.Session) -> None:
    """The official conformance suite against the examples."""
    install(session, "examples")
    session.run("python", "-m", "proofs.conformance", *session.posargs)


@nox.session(default=False, tags=["proof"])
def dropin(session: nox.Session) -> None:
    """The official SDK's own tests, with its types and with ours."""
    install(session, "examples")
    session.run("python", "-m", "proofs.dropin", *session.posargs)
