"""Check every frame of a recorded session against what the library promises of it.

A log is what `tee.py` writes. Of every frame: it parses and comes back equal. Of every body in it: it parses by the
type that `wire` names for its method, and comes back equal. Of our own bodies: they are valid on the revision's exact
surface, and the audit finds nothing in them that the revision does not define.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ValidationError

from mcp_surfaces import types, wire

Side = Literal["client", "server"]
OTHER: dict[Side, Side] = {"client": "server", "server": "client"}
MODERN = {v for v in wire.KNOWN_PROTOCOL_VERSIONS if "initialize" not in wire.CLIENT_REQUEST_METHODS[v]}


@dataclass
class Tally:
    """What the frames of one session came to."""

    frames: int = 0
    bodies: int = 0
    ours: int = 0
    no_json: int = 0
    peer_strict: int = 0
    """Bodies of the peer that the exact surface refuses."""
    peer_audit: int = 0
    """Bodies of the peer with something that the revision does not define."""
    unrouted: int = 0
    """Bodies of the peer whose method the revision does not have."""
    faults: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def add(self, other: Tally) -> None:
        """Add another session's figures."""
        for name in ("frames", "bodies", "ours", "no_json", "peer_strict", "peer_audit", "unrouted"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults
        self.notes += other.notes


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values that tells 1 from 1.0 and from true."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


class Check:
    """The frames of one session, in order."""

    def __init__(self, ours: Side, revision: str) -> None:
        self.ours: Side = ours
        self.version = revision
        self.tally = Tally()
        self._asked: dict[tuple[Side, str | int], tuple[str, str]] = {}

    def frame(self, sender: Side, text: str) -> None:
        """Check one line."""
        self.tally.frames += 1
        try:
            raw = json.loads(text)
        except ValueError:
            self.tally.no_json += 1
            if sender == self.ours:
                self._fault(sender, "is no JSON", text)
            return
        version = self._version_of(raw)
        try:
            frame = wire.parse_json(types.JSONRPCMessage, text, version)
            back = json.loads(wire.dump_json(frame, version))
        except (ValueError, TypeError) as error:
            self._fault(sender, f"frame refused: {brief(error)}", text)
            return
        if not same(raw, back):
            self._fault(sender, f"frame came back as {json.dumps(back)[:300]}", text)
        messages: list[Any] = json.loads(text) if text.startswith("[") else [raw]
        for message in messages:
            self._body(sender, message, self._version_of(message))

    def _version_of(self, message: Any) -> str:
        """The revision a frame speaks: what its own `_meta` says, else the session's."""
        for name in ("params", "_meta", types.PROTOCOL_VERSION_META_KEY):
            message = cast("dict[str, Any]", message).get(name) if isinstance(message, dict) else None
        return str(message) if message in MODERN else self.version

    def _body(self, sender: Side, message: dict[str, Any], version: str) -> None:
        method = message.get("method")
        if method is not None:
            body: dict[str, Any] = {key: message[key] for key in ("method", "params") if key in message}
            is_request = "id" in message
            if is_request:
                self._asked[sender, message["id"]] = (method, version)
            find = wire.request_type if is_request else wire.notification_type
            known = _methods(version, sender, is_request)
            if method not in known:
                self._unrouted(sender, method, version)
                return
            target: Any = find(method, version, sender)
        elif "result" in message:
            body = message["result"]
            method, version = self._asked.pop((OTHER[sender], message["id"]), (None, version))
            if method is None or method not in _methods(version, OTHER[sender], True):
                self.tally.notes.append(f"{sender}: a result that answers nothing: {json.dumps(message)[:200]}")
                return
            if method == "initialize":
                self.version = body.get("protocolVersion", version)
                version = self.version if self.version in wire.KNOWN_PROTOCOL_VERSIONS else version
            target = wire.result_type(method, version, sender)
        else:
            return
        self.tally.bodies += 1
        self._check(sender, target, method, body, version)

    def _check(self, sender: Side, target: Any, method: str, body: dict[str, Any], version: str) -> None:
        try:
            model = wire.parse_as(target, body, version)
            back = cast("dict[str, Any]", wire.serialize_for(model, version, strict=False))
        except (ValueError, TypeError) as error:
            self._fault(sender, f"{method} at {version} refused: {brief(error)}", json.dumps(body))
            return
        if not same(body, back):
            added = {key for key in back if key not in body}
            if sender != self.ours and same(body, {key: value for key, value in back.items() if key not in added}):
                self.tally.notes.append(f"{sender}: {method} at {version} without {sorted(added)}, which it requires")
            else:
                self._fault(sender, f"{method} at {version} came back as {json.dumps(back)[:400]}", json.dumps(body))
        findings = [str(finding) for finding in wire.audit(model, version)]
        refused: str | None = None
        try:
            wire.parse_as(target, body, version, strict=True)
        except ValidationError as error:
            refused = brief(error)
        if sender == self.ours:
            self.tally.ours += 1
            if refused is not None:
                self._fault(sender, f"{method} at {version} is not strict-valid: {refused}", json.dumps(body))
            if findings:
                self._fault(sender, f"{method} at {version} audited: {findings[:3]}", json.dumps(body))
        else:
            self.tally.peer_strict += refused is not None
            self.tally.peer_audit += bool(findings)
            if refused is not None:
                self.tally.notes.append(f"{sender}: {method} at {version} is not strict-valid: {refused}")

    def _unrouted(self, sender: Side, method: str, version: str) -> None:
        self.tally.unrouted += 1
        if sender == self.ours:
            self._fault(sender, f"{method} does not exist at {version}", method)
        else:
            self.tally.notes.append(f"{sender}: {method} does not exist at {version}")

    def _fault(self, sender: Side, what: str, text: str) -> None:
        whose = "ours" if sender == self.ours else "peer"
        self.tally.faults.append(f"{whose} ({sender}): {what}\n      {text[:600]}")


def _methods(version: str, sender: Side, is_request: bool) -> frozenset[str]:
    if is_request:
        return (wire.CLIENT_REQUEST_METHODS if sender == "client" else wire.SERVER_REQUEST_METHODS)[version]
    return (wire.CLIENT_NOTIFICATION_METHODS if sender == "client" else wire.SERVER_NOTIFICATION_METHODS)[version]


def brief(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, ValidationError):
        details = error.errors(include_url=False, include_input=False, include_context=False)
        return "; ".join(f"{'.'.join(map(str, d['loc']))}: {d['type']}" for d in details[:3])
    return f"{type(error).__name__}: {error}"[:300]


def read_log(path: Path) -> Iterator[tuple[Side, str]]:
    """Sender and text of each recorded frame."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield entry["sender"], entry["frame"]


def check_log(path: Path, ours: Side, revision: str) -> Tally:
    """Check a whole recorded session."""
    check = Check(ours, revision)
    for sender, text in read_log(path):
        check.frame(sender, text)
    return check.tally
