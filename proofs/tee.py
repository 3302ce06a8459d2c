"""Stand between an MCP client and a stdio server and write down every frame: `tee.py LOG COMMAND...`.

The server runs in the project's folder, wherever the client was started. The log has a JSON object a line: who sent it
and the text of the frame. It needs nothing but Python itself, so that any client can start it.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, TextIO

ROOT = Path(__file__).resolve().parent.parent


def relay(source: IO[bytes], target: IO[bytes], sender: str, log: TextIO, lock: threading.Lock) -> None:
    """Copy lines from one end to the other until the source ends."""
    for line in iter(source.readline, b""):
        if line.strip():
            with lock:
                log.write(
                    json.dumps({"sender": sender, "frame": line.decode("utf-8", "surrogateescape").strip()}) + "\n"
                )
                log.flush()
        try:
            target.write(line)
            target.flush()
        except (BrokenPipeError, ValueError):
            return


def main(path: str, command: list[str]) -> int:
    """Run the server and relay until it ends."""
    lock = threading.Lock()
    with open(path, "a", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def upstream() -> None:
            relay(sys.stdin.buffer, stdin, "client", log, lock)
            with contextlib.suppress(BrokenPipeError):
                stdin.close()

        threading.Thread(target=upstream, daemon=True).start()
        relay(stdout, sys.stdout.buffer, "server", log, lock)
        try:
            return process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            return 1


if __name__ == "__main__":
    # os._exit: a reader still blocked on stdin must not hold up the end.
    import os

    code = main(sys.argv[1], sys.argv[2:])
    sys.stdout.flush()
    os._exit(code)
