"""Pins: one canonical schema per revision under `schemas/`, and `pins.json`, their provenance."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from codegen.canonical import Schema, check_refs, digest, dump, parse
from codegen.problems import Problem

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"


@dataclass(frozen=True)
class Pin:
    """Provenance of one revision's canonical schema; digests are SHA-256 in hexadecimal."""

    revision: str
    repository: str
    path: str
    commit: str
    """Empty where it was not stated."""
    upstream_sha256: str
    sha256: str


def pins(folder: Path = SCHEMAS) -> dict[str, Pin]:
    """Every pin by revision, oldest first. Raises Problem when `pins.json` is missing or malformed."""
    file = folder / "pins.json"
    try:
        entries = [Pin(**entry) for entry in json.loads(file.read_bytes())["pins"]]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Problem(f"schemas/{file.name}", "", f"unreadable provenance ({type(error).__name__})") from None
    return {entry.revision: entry for entry in entries}


def load(pin: Pin, folder: Path = SCHEMAS) -> Schema:
    """The canonical schema of `pin`. Raises Problem when its bytes are not the pinned ones.

    What has the pinned digest was checked against its meta-schema when it was pinned.
    """
    name = f"{pin.revision}.json"
    try:
        data = (folder / name).read_bytes()
    except OSError:
        raise Problem(f"schemas/{name}", "", "the pinned file is missing") from None
    if digest(data) != pin.sha256:
        raise Problem(
            f"schemas/{name}",
            "",
            f"does not match its pin (sha256 {digest(data)[:12]}…, pinned {pin.sha256[:12]}…)",
            f"nox -s pin -- {pin.revision} PATH",
        )
    schema: Schema = json.loads(data)
    check_refs(schema, pin.revision)
    return schema


def load_all(folder: Path = SCHEMAS) -> dict[str, Schema]:
    """Every pinned schema by revision, oldest first."""
    return {revision: load(pin, folder) for revision, pin in pins(folder).items()}


def pinned(revision: str, upstream: bytes, commit: str | None, folder: Path = SCHEMAS) -> dict[Path, bytes]:
    """The files that pin `upstream` (a verbatim `schema.json`, or a canonical one) as `revision`. Writes nothing.

    `commit` is the upstream commit; None keeps the pinned one for the bytes it was pinned with, and records none for
    any others. A revision not pinned yet takes its place by date. Raises Problem for a name that is no date, a commit
    that is no full hash, and bytes that are no schema.
    """
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", revision):
        raise Problem(revision, "", "a revision is named by its date, as in 2025-11-25")
    if commit is not None and not re.fullmatch(r"[0-9a-fA-F]{40}", commit):
        raise Problem(revision, "", f"{commit!r} is no commit: give its full hash, 40 hexadecimal digits")
    known = pins(folder)
    data = dump(parse(upstream, revision))
    pin = known.get(revision) or Pin(
        revision, "modelcontextprotocol/modelcontextprotocol", f"schema/{revision}/schema.json", "", "", ""
    )
    if commit is None:
        commit = pin.commit if pin.upstream_sha256 == digest(upstream) else ""
    pin = replace(pin, upstream_sha256=digest(upstream), sha256=digest(data), commit=commit.lower())
    known[revision] = pin
    provenance = json.dumps({"pins": [asdict(known[name]) for name in sorted(known)]}, indent=2) + "\n"
    return {folder / f"{revision}.json": data, folder / "pins.json": provenance.encode()}
