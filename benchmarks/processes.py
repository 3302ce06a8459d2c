"""What is measured in fresh processes: imports, the growth of time with size, peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.clock import Effort
from benchmarks.messages import tools
from benchmarks.report import Row

COLD: Final = "cold import"
GROWTH: Final = "growth"
MEMORY: Final = "memory"

_FLOOR: Final = "from pydantic import BaseModel, TypeAdapter"
_ONE_MODEL: Final = f"""\
{_FLOOR}
class Message(BaseModel):
    name: str
    text: str | None = None
assert Message.model_validate_json('{{"name":"a"}}').name == "a"
"""
_META: Final = (
    '"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'
)
_PARAMS: Final = '"name":"echo","arguments":{"text":"hello"}'


def _ours(revision: str, params: str) -> str:
    return f"""\
from mcp_surfaces import types, wire
request = wire.parse_json(types.CallToolRequest, b'{{"method":"tools/call","params":{{{params}}}}}', "{revision}")
assert request.params.name == "echo"
result = types.CallToolResult(content=[types.TextContent(text=request.params.arguments["text"])])
text = wire.dump_json(result, "{revision}")
assert text.startswith(b'{{"content":[{{"text":"hello","type":"text"}}]'), text
"""


def _peer(revision: str, params: str) -> str:
    return f"""\
import mcp_types
from mcp_types.methods import parse_client_request, serialize_server_result
from pydantic_core import from_json, to_json
data = from_json(b'{{"method":"tools/call","params":{{{params}}}}}')
request = parse_client_request(data["method"], "{revision}", data["params"])
assert request.params.name == "echo"
content = [mcp_types.TextContent(type="text", text=request.params.arguments["text"])]
result = mcp_types.CallToolResult(content=content).model_dump(by_alias=True, mode="json", exclude_none=True)
text = to_json(serialize_server_result("tools/call", "{revision}", result))
assert b'"text":"hello"' in text, text
"""


_PROGRAMS: Final[Mapping[str, tuple[str, str | None, float | None]]] = {
    "one pydantic model, used": (_ONE_MODEL, None, None),
    "the types": ("import mcp_surfaces.types", "import mcp_types", 1.45),
    "the wire": ("import mcp_surfaces.wire", "import mcp_types.methods", 1.5),
    "the wire, first tools/call parsed and answered, 2025-11-25": (
        _ours("2025-11-25", _PARAMS),
        _peer("2025-11-25", _PARAMS),
        1.8,
    ),
    "the wire, first tools/call parsed and answered, 2026-07-28": (
        _ours("2026-07-28", f"{_PARAMS},{_META}"),
        _peer("2026-07-28", f"{_PARAMS},{_META}"),
        1.8,
    ),
}
"""By row: the program, the peer's, and the target."""


def cold(effort: Effort, wanted: Callable[[str], bool]) -> Iterator[Row]:
    """Each program in fresh processes, in turn; the time is the processor's, from the start of the interpreter."""
    names = [name for name in _PROGRAMS if wanted(f"{COLD}: {name}")]
    programs: dict[str, str] = {"": _FLOOR}
    for name in names:
        ours, peer, _ = _PROGRAMS[name]
        programs[f"ours {name}"] = ours
        if peer is not None:
            programs[f"peer {name}"] = peer
    times: dict[str, list[float]] = {name: [] for name in programs}
    if not names:
        return
    for number in range(effort.children + 1):
        for name, program in programs.items():
            seconds = float(_run("-c", f"{program}\nimport time\nprint(time.process_time())"))
            if number or effort.children == 1:  # The first round may have to write the bytecode.
                times[name].append(seconds)
        if effort.children == 1:
            break
    middle = {name: median(found) for name, found in times.items()}
    floor = middle[""]
    for name in names:
        _, peer, target = _PROGRAMS[name]
        ours, theirs = f"ours {name}", f"peer {name}"
        yield Row(
            COLD,
            name,
            target,
            f"{floor * 1e3:.0f} ms",
            {"": middle[ours] / floor},
            {"": middle[theirs] / floor} if peer is not None else {},
            {"seconds": {"floor": floor, "ours": middle[ours], "peer": middle.get(theirs)}},
        )


def _run(*arguments: str) -> str:
    """What a fresh process prints; it may write bytecode, as it does where people use it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent,
        env=environment,
    )
    if done.returncode:
        raise RuntimeError(f"A measured process failed:\n{done.stderr}")
    return done.stdout


def lists(effort: Effort, wanted: Callable[[str], bool]) -> Iterator[Row]:
    """How time grows from a list of tools to one ten times as long, and how much memory the long one takes."""
    scaling = [name for name in ("gc off", "gc on") if wanted(f"{GROWTH}: {_scaling(name)}")]
    memory = wanted(f"{MEMORY}: {_MEMORY}")
    with tempfile.TemporaryDirectory() as folder:
        small, large = (Path(folder, name) for name in ("small.json", "large.json"))
        small.write_text(json.dumps(tools(effort.large // 10)), "utf-8")
        large.write_text(json.dumps(tools(effort.large)), "utf-8")
        repeats = max(1, effort.children // 4)
        for name in scaling:
            yield _growth(name, small, large, repeats)
        if memory:
            yield _peak(large, max(1, repeats // 2))


_WHO: Final = ("floor", "ours", "peer")
_MEMORY: Final = "10,000 tools"


def _scaling(name: str) -> str:
    return f"10,000 tools, {name}"


def _children(arguments: Mapping[str, Sequence[str]], repeats: int) -> dict[str, list[Any]]:
    """What each child prints, so many times, in turn."""
    found: dict[str, list[Any]] = {name: [] for name in arguments}
    for _ in range(repeats):
        for name, words in arguments.items():
            found[name].append(json.loads(_run("-m", "benchmarks.child", *words)))
    return found


def _growth(name: str, small: Path, large: Path, repeats: int) -> Row:
    collect = name.removeprefix("gc ")
    found = _children({who: (who, collect, str(small), "9", str(large), "3") for who in _WHO}, repeats)
    seconds = {
        f"{who} {file.stem}": median(_flat(child["seconds"][str(file)] for child in children))
        for who, children in found.items()
        for file in (small, large)
    }
    growth = {who: seconds[f"{who} large"] / seconds["floor small"] / 10 for who in _WHO}
    return Row(
        GROWTH,
        _scaling(name),
        growth["floor"] * 1.05,
        f"{growth['floor']:.2f}",
        {"": growth["ours"]},
        {"": growth["peer"]},
        {"seconds": seconds, "tolerance": 1.05},
    )


def _flat(lists: Iterable[list[float]]) -> list[float]:
    return [value for found in lists for value in found]


def _peak(large: Path, repeats: int) -> Row:
    found = _children({who: (who, "on", str(large), "1") for who in ("nothing", *_WHO)}, repeats)
    peaks = {who: [child["peak"] for child in children] for who, children in found.items()}
    if None in peaks["floor"]:
        return Row(MEMORY, _MEMORY, 1.1, "not known here", {})
    middle = {who: median(values) for who, values in peaks.items()}
    return Row(
        MEMORY,
        _MEMORY,
        1.1,
        f"{middle['floor'] / 1e6:.0f} MB",
        {"": middle["ours"] / middle["floor"]},
        {"": middle["peer"] / middle["floor"]},
        {"bytes": middle},
    )
