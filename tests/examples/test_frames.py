"""The check of recorded frames finds what it is there to find, on our side, and only counts it on the peer's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proofs.frames import Check, Side

GOOD = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1, "b": 1.0}}}


def check(sender: Side, *frames: dict[str, Any] | str) -> Check:
    """Check frames of one sender, as if `client` were our side."""
    checked = Check("client", "2025-06-18")
    for frame in frames:
        checked.frame(sender, frame if isinstance(frame, str) else json.dumps(frame))
    return checked


def test_a_good_frame_is_counted_and_no_more() -> None:
    tally = check("client", GOOD).tally
    assert (tally.frames, tally.bodies, tally.ours, tally.faults) == (1, 1, 1, [])


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        ("{", "is no JSON"),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, "frame refused"),
        ({**GOOD, "params": {"name": 5}}, "refused"),
        ({**GOOD, "params": {"name": "add", "task": {"ttl": 1}}}, "audited"),
        ({**GOOD, "method": "tasks/list"}, "does not exist"),
        ({**GOOD, "method": "completion/complete", "params": {"ref": {"type": "ref/prompt"}}}, "refused"),
    ],
)
def test_a_fault_of_ours_is_found(frame: dict[str, Any] | str, what: str) -> None:
    (fault,) = check("client", frame).tally.faults
    assert what in fault


def test_a_result_is_checked_by_what_it_answers() -> None:
    checked = Check("server", "2025-06-18")
    checked.frame("client", json.dumps(GOOD))
    checked.frame("server", json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"content": 5}}))
    (fault,) = checked.tally.faults
    assert "tools/call at 2025-06-18 refused" in fault


def test_what_is_newer_is_only_counted_on_the_other_side() -> None:
    checked = Check("server", "2025-06-18")
    checked.frame("client", json.dumps({**GOOD, "params": {"name": "add", "task": {"ttl": 1}}}))
    assert (checked.tally.peer_audit, checked.tally.faults) == (1, [])
