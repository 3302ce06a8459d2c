"""Bytes chosen by coverage, with atheris where it is installed: `python -m tests.fuzz.guided SECONDS`."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

ALWAYS = ("JSONRPCMessage", "ClientRequest", "ServerResult", "CallToolResult", "InputRequiredResult", "ContentBlock")


def main() -> None:
    """Never returns: libFuzzer ends the process, with 0 if nothing was found."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["mcp_surfaces"]):
        for module in ("parsing", "emission", "jsonrpc", "located", "places", "strict_json", "registry", "audit"):
            importlib.import_module(f"mcp_surfaces.{module}")
        check = importlib.import_module("tests.fuzz.check")
    from tests.fuzz.mutate import seeds
    from tests.fuzz.run import report

    names = [*ALWAYS, *sorted(set(check.TARGETS) - set(ALWAYS))]

    def one(data: bytes) -> None:
        if len(data) < 2:
            return
        name, version = names[data[0] % len(names)], check.VERSIONS[data[1] % len(check.VERSIONS)]
        if wrong := check.fault(name, version, data[2:]):
            report(wrong)
            raise AssertionError(wrong.what)

    with tempfile.TemporaryDirectory() as folder:
        for number, (name, version, text) in enumerate(seeds()[::9]):
            head = bytes([names.index(name) % 256, check.VERSIONS.index(version)])
            (Path(folder) / str(number)).write_bytes(head + text.encode())
        options = [
            f"-max_total_time={sys.argv[1]}",
            "-rss_limit_mb=2048",
            "-timeout=20",
            "-verbosity=0",
            "-max_len=65536",
        ]
        atheris.Setup([sys.argv[0], *options, "-artifact_prefix=" + folder + "/", folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
