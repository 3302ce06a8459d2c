"""The least of the DevTools protocol that a browser test needs, on the standard library alone."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
PATIENCE = 30.0


def executable() -> str | None:
    """Where Chromium is, if it is installed."""
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


class Page:
    """One tab, driven over its WebSocket."""

    def __init__(self, address: str) -> None:
        host, _, path = address.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self._socket = socket.create_connection((name, int(port)), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += self._socket.recv(4096)
        status, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        assert b" 101 " in status.splitlines()[0], status
        self._next = 0

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its result."""
        self._next += 1
        self._send(json.dumps({"id": self._next, "method": method, "params": params}).encode())
        while True:
            message = json.loads(self._receive())
            if message.get("id") == self._next:
                assert "error" not in message, message["error"]
                result: dict[str, Any] = message["result"]
                return result

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def open(self, address: str) -> None:
        """Loads `address` afresh, and waits until its scripts have run."""
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def wait(self, script: str) -> None:
        """Waits until a JavaScript expression holds."""
        deadline = time.monotonic() + PATIENCE
        while not self.evaluate(script):
            assert time.monotonic() < deadline, f"never came true: {script}"
            time.sleep(0.02)

    def close(self) -> None:
        """Hangs up."""
        self._socket.close()

    def _send(self, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        mask = os.urandom(4)
        self._socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

    def _receive(self) -> bytes:
        message = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size >= 126:
                size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
            payload = self._take(size)
            if first & 0x0F in (0, 1):
                message += payload
                if first & 0x80:
                    return message

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            chunk = self._socket.recv(1 << 16)
            assert chunk, "the browser hung up"
            self._buffer += chunk
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken


@contextmanager
def browser(program: str) -> Generator[Page]:
    """A headless browser with one empty tab."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            page = Page(_tab(Path(profile) / "DevToolsActivePort"))
            yield page
            with suppress(AssertionError, OSError):
                page.call("Browser.close")
            page.close()
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _tab(announcement: Path) -> str:
    """The WebSocket address of the first tab, once the browser has written down its port."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError, ValueError, IndexError):
            port = int(announcement.read_text().split()[0])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=5) as answer:
                tabs = [tab for tab in json.load(answer) if tab["type"] == "page"]
            return str(tabs[0]["webSocketDebuggerUrl"])
        time.sleep(0.05)
    raise AssertionError("the browser did not start")
