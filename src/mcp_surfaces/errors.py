"""The errors the wire raises about versions, methods and what a version has no form for.

All of them share `WireError`. No text contains payload values, and each is bounded. Data that does not parse is
pydantic's `ValidationError` instead, made safe by `located`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

__all__ = [
    "PLACE_LENGTH",
    "Finding",
    "UnknownMethodError",
    "UnknownProtocolVersionError",
    "UnsupportedAtVersionError",
    "WireError",
    "pointer",
    "printable",
    "shortened",
]

_NAME_LENGTH = 40
_MEMBER_LENGTH = 100
PLACE_LENGTH: Final = 1_000
"""How long the place of one defect may be."""

_FINDINGS_IN_TEXT = 10


def pointer(loc: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of a location; the whole document is the empty string."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in loc)


def shortened(loc: Sequence[str | int], most: int = PLACE_LENGTH) -> tuple[str | int, ...]:
    """`loc` with its names of bounded length, and all of it `most` long; `…` stands for what was cut."""
    parts = tuple(p if isinstance(p, int) or len(p) <= _MEMBER_LENGTH else p[: _MEMBER_LENGTH - 1] + "…" for p in loc)
    length = 0
    for index, part in enumerate(parts):
        length += 1 + len(str(part))
        if length > most:
            return (*parts[:index], "…")
    return parts


def printable(text: object, length: int = _NAME_LENGTH) -> str:
    """`text` as it may stand in a message: at most `length` characters, what cannot be printed replaced by `?`.

    Anything but a string is given by its type.
    """
    if not isinstance(text, str):
        return type(text).__name__
    shown = text if len(text) <= length else text[: length - 1] + "…"
    return shown if shown.isprintable() else "".join(c if c.isprintable() else "?" for c in shown)


class Finding(NamedTuple):
    """One thing that is wrong with a message: where, which kind of error, and in words."""

    pointer: str
    """JSON Pointer into the body; empty for the body itself, and with `…` for what is cut from a very long one."""

    type: str
    """The error type, pydantic's where pydantic found it."""

    message: str


class WireError(Exception):
    """Base of the errors of this module. `version` is the negotiated one, `method` the method concerned, if known."""

    def __init__(self, version: str, findings: Iterable[Finding] = (), method: str | None = None) -> None:
        self.version = version
        self.findings = tuple(findings)
        self.method = method
        super().__init__(version, self.findings, method)

    @property
    def pointers(self) -> tuple[str, ...]:
        """Where the findings are, as JSON Pointers, in order."""
        return tuple(finding.pointer for finding in self.findings)

    def __str__(self) -> str:
        subject = f"{printable(self.method)} " if self.method else ""
        return f"{subject}at {printable(self.version)}{self._listed()}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def _listed(self) -> str:
        shown = self.findings[:_FINDINGS_IN_TEXT]
        lines = [f"{printable(f.pointer, 200) or 'the message'}: {printable(f.message, 400)}" for f in shown]
        if len(self.findings) > len(shown):
            lines.append(f"and {len(self.findings) - len(shown):,} more")
        return "".join(f"\n  {line}" for line in lines)


class UnknownProtocolVersionError(WireError, ValueError):
    """The version is none of those known, so no wire shape is known for it. `known` lists them, oldest first."""

    def __init__(self, version: str, known: Iterable[str] = ()) -> None:
        super().__init__(version)
        self.known = tuple(known)
        self.args = (version, self.known)

    def __str__(self) -> str:
        return f"unknown protocol version {printable(self.version)!r}; known: {', '.join(self.known)}"


class UnsupportedAtVersionError(WireError, ValueError):
    """The message has no valid form at the version. `findings` lists what is wrong, in the order of the message."""

    def __str__(self) -> str:
        subject = f"{printable(self.method)} has" if self.method else "this has"
        return f"{subject} no valid form at {printable(self.version)}{self._listed()}"


class UnknownMethodError(WireError, LookupError):
    """The version has no such method in that direction. `sender` is who would have sent it."""

    def __init__(self, method: str, version: str, sender: str) -> None:
        super().__init__(version, (), method)
        self.sender = sender
        self.args = (method, version, sender)

    def __str__(self) -> str:
        return f"no method {printable(self.method)!r} from the {self.sender} at {printable(self.version)}"
