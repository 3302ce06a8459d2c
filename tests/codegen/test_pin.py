from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.canonical import digest, dump
from codegen.pin import load, load_all, pinned, pins
from codegen.problems import Problem
from tests.codegen.schemas import STRING, schema
from tests.codegen.small import edit, folder

COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return folder(tmp_path / "schemas", {"2025-01-01": schema(A=STRING), "2025-06-01": schema(A=STRING, B=STRING)})


def test_pins_and_schemas_are_read_oldest_first(place: Path) -> None:
    assert list(pins(place)) == ["2025-01-01", "2025-06-01"]
    assert list(load_all(place)["2025-06-01"]["$defs"]) == ["A", "B"]


@pytest.mark.parametrize("text", ["", "{}", '{"pins": [{"revision": "2025-01-01"}]}', '{"pins": 3}', "[]"])
def test_unreadable_provenance(place: Path, text: str) -> None:
    (place / "pins.json").write_text(text, encoding="utf-8")
    with pytest.raises(Problem, match=r"schemas/pins\.json: unreadable provenance"):
        pins(place)


def test_a_missing_pin_file(place: Path) -> None:
    (place / "pins.json").unlink()
    with pytest.raises(Problem, match="unreadable provenance"):
        pins(place)


def test_a_changed_byte_is_refused(place: Path) -> None:
    edit(place / "2025-01-01.json", '"string"', '"number"')
    with pytest.raises(Problem, match=r"2025-01-01\.json: does not match its pin .* -> nox -s pin -- 2025-01-01 PATH"):
        load_all(place)


def test_a_missing_schema_is_refused(place: Path) -> None:
    (place / "2025-01-01.json").unlink()
    with pytest.raises(Problem, match="the pinned file is missing"):
        load(pins(place)["2025-01-01"], place)


def test_pinning_a_verbatim_schema(place: Path) -> None:
    upstream = json.dumps(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"C": {"type": "string", "description": "…"}},
        }
    ).encode()
    files = pinned("2025-03-01", upstream, COMMIT.upper(), place)
    assert not (place / "2025-03-01.json").exists()
    for path, data in files.items():
        path.write_bytes(data)
    pin = pins(place)["2025-03-01"]
    assert list(pins(place)) == ["2025-01-01", "2025-03-01", "2025-06-01"]
    assert (pin.commit, pin.path, pin.upstream_sha256) == (COMMIT, "schema/2025-03-01/schema.json", digest(upstream))
    assert load(pin, place)["$defs"] == {"C": {"type": "string"}}


def test_pinning_again_keeps_the_commit_unless_one_is_given(place: Path) -> None:
    data = (place / "2025-01-01.json").read_bytes()
    provenance = place / "pins.json"
    assert pinned("2025-01-01", data, None, place)[provenance] == provenance.read_bytes()
    assert f'"commit": "{COMMIT}"'.encode() in pinned("2025-01-01", data, COMMIT, place)[provenance]


def test_other_bytes_are_not_of_the_commit_before(place: Path) -> None:
    for name, data in (
        ("2025-01-01", (place / "2025-06-01.json").read_bytes()),
        ("2025-03-01", dump(schema(A=STRING))),
    ):
        [entry] = [
            entry
            for entry in json.loads(pinned(name, data, None, place)[place / "pins.json"])["pins"]
            if entry["revision"] == name
        ]
        assert (entry["commit"], entry["upstream_sha256"]) == ("", digest(data))


@pytest.mark.parametrize("commit", ["", "abc", COMMIT[1:], COMMIT + "0", COMMIT[1:] + "g", COMMIT + "\n", "main"])
def test_a_commit_is_a_full_hash(place: Path, commit: str) -> None:
    with pytest.raises(Problem, match="is no commit: give its full hash, 40 hexadecimal digits") as caught:
        pinned("2025-01-01", (place / "2025-01-01.json").read_bytes(), commit, place)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("revision", ["draft", "2025-1-1", "../2025-01-01", "2025-01-01\n"])
def test_a_revision_is_a_date(place: Path, revision: str) -> None:
    with pytest.raises(Problem, match="a revision is named by its date"):
        pinned(revision, b"", None, place)
