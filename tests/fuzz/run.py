"""Fuzz the wire boundary for a bounded time: `python -m tests.fuzz [--seconds N] [--seed N]`.

Three ways in turn: mutated messages and bytes at random, a JSON grammar with hypothesis, and bytes guided by coverage
where atheris is installed. What is found is kept in tests/corpus/found, and the tests try it again for ever.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.util
import json
import random
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.check import Fault, fault
from tests.fuzz.grammar import search
from tests.fuzz.mutate import case

FOUND = Path(__file__).resolve().parents[1] / "corpus" / "found"


def report(wrong: Fault) -> None:
    """Keep what was found, and say so."""
    kept = {
        "type": wrong.type,
        "version": wrong.version,
        "what": wrong.what,
        "base64": base64.b64encode(wrong.text).decode(),
    }
    name = hashlib.sha256(repr((wrong.type, wrong.version, wrong.text)).encode()).hexdigest()[:16]
    FOUND.mkdir(exist_ok=True)
    (FOUND / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n")
    print(f"FOUND {name}: {wrong.type} at {wrong.version}: {wrong.what}\n  {wrong.text[:300]!r}", flush=True)


def kept() -> list[Fault]:
    """All that was ever found."""
    found = [json.loads(path.read_text()) for path in sorted(FOUND.glob("*.json"))]
    return [Fault(item["type"], item["version"], base64.b64decode(item["base64"]), item["what"]) for item in found]


def at_random(seconds: float, seed: int, limit: int = 20) -> tuple[int, int]:
    """Mutate at random until the time is up; returns how many inputs were tried, and how many faults found."""
    rng = random.Random(seed)
    end, tried, seen = time.monotonic() + seconds, 0, set[tuple[str, str]]()
    while time.monotonic() < end and len(seen) < limit:
        name, version, text = case(rng)
        tried += 1
        wrong = fault(name, version, text)
        if wrong and (wrong.type, wrong.what[:60]) not in seen:
            seen.add((wrong.type, wrong.what[:60]))
            report(wrong)
    return tried, len(seen)


def guided(seconds: float) -> int | None:
    """The exit status of atheris, or None where it is not installed."""
    if importlib.util.find_spec("atheris") is None:
        return None
    command = [sys.executable, "-m", "tests.fuzz.guided", str(max(1, int(seconds)))]
    return subprocess.run(command, timeout=seconds + 120, check=False).returncode


def main(arguments: list[str] | None = None) -> int:
    """0 if nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the wire boundary.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long, all in all")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other inputs")
    options = parser.parse_args(arguments)
    status = 0
    for old in kept():
        if wrong := fault(old.type, old.version, old.text):
            print(f"STILL {wrong.type} at {wrong.version}: {wrong.what}\n  {wrong.text[:300]!r}")
            status = 1
    share = options.seconds / (3 if importlib.util.find_spec("atheris") else 2)
    tried, faults = at_random(share, options.seed)
    print(f"at random: {tried:,} inputs, {faults} faults")
    found: list[Fault] = []

    def note(wrong: Fault) -> None:
        found.append(wrong)
        report(wrong)

    tried = search(share, options.seed * 1_000_003, note)
    print(f"by grammar: {tried:,} inputs, {len(found)} faults")
    exit_status = guided(share)
    print("guided: atheris is not installed" if exit_status is None else f"guided: exit status {exit_status}")
    return 1 if status or faults or found or exit_status else 0


if __name__ == "__main__":
    sys.exit(main())
