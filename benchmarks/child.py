"""A fresh process that parses a `tools/list` result of many tools: `python -m benchmarks.child WHO GC (FILE TIMES)...`.

As JSON it prints the processor time of each parse in seconds, by file, and the peak of its resident memory in bytes. It
loads what `WHO` needs (`floor`, `ours`, `peer` or `nothing`) and nothing else.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks.messages import OLDER

REVISION: Final = OLDER[-1]


def floor() -> Callable[[bytes], Any]:
    """One hand-written class, in one pass."""
    from benchmarks.hand_written import ListToolsResult

    return ListToolsResult.model_validate_json


def ours() -> Callable[[bytes], Any]:
    """This package."""
    from mcp_surfaces import types, wire

    result = types.ListToolsResult
    return lambda data: wire.parse_json(result, data, REVISION)


def peer() -> Callable[[bytes], Any]:
    """The peer."""
    from mcp_types.methods import parse_server_result
    from pydantic_core import from_json

    return lambda data: parse_server_result("tools/list", REVISION, from_json(data))


def nothing() -> Callable[[bytes], Any]:
    """Pydantic alone, which parses nothing."""
    from benchmarks.hand_written import ListToolsResult

    return lambda data: ListToolsResult


def peak() -> int | None:
    """The peak of this process's resident memory in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main(who: str, collect: str, *files: str) -> None:
    """Parse each file's bytes as many times as the word after it says, each outcome dropped before the next."""
    parse = {"floor": floor, "ours": ours, "peer": peer, "nothing": nothing}[who]()
    parse(b'{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}')
    if collect == "off":
        gc.disable()
    seconds: dict[str, list[float]] = {}
    for file, times in zip(files[::2], files[1::2], strict=True):
        data = Path(file).read_bytes()
        seconds[file] = []
        for _ in range(int(times)):
            start = time.process_time()
            outcome = parse(data)
            seconds[file].append(time.process_time() - start)
            del outcome
    print(json.dumps({"seconds": seconds, "peak": peak()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
