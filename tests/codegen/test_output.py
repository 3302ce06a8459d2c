from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegen.output import HEADER, changes, drift, write

FILES = {
    Path("src/pkg/a.py"): HEADER + b"\nA = 1\n",
    Path("src/pkg/sub/b.py"): HEADER + b"\nB = 1\n",
    Path("docs/page.md"): b"page\n",
}


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_writing_and_drift(tmp_path: Path) -> None:
    assert drift(tmp_path, FILES) == [
        "missing: docs/page.md",
        "missing: src/pkg/a.py",
        "missing: src/pkg/sub/b.py",
    ]
    assert changes(tmp_path, FILES) == sorted(FILES)
    assert write(tmp_path, FILES) == sorted(FILES)
    assert drift(tmp_path, FILES) == []
    assert write(tmp_path, FILES) == []
    (tmp_path / "src/pkg/a.py").write_bytes(b"edited")
    assert drift(tmp_path, FILES) == ["differs: src/pkg/a.py"]
    assert changes(tmp_path, FILES) == [Path("src/pkg/a.py")]
    assert (tmp_path / "src/pkg/a.py").read_bytes() == b"edited"


def test_what_is_generated_no_more_goes_and_what_is_written_by_hand_stays(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "src/pkg/hand.py").write_bytes(b'"""Mine."""\n')
    (tmp_path / "src/pkg/old").mkdir()
    (tmp_path / "src/pkg/old/c.py").write_bytes(HEADER)
    (tmp_path / "src/pkg/old/data.json").write_bytes(b"{}")
    (tmp_path / "src/pkg/sub/d.py").write_bytes(HEADER)
    old = ["src/pkg/old/c.py", "src/pkg/old/data.json", "src/pkg/sub/d.py"]
    assert drift(tmp_path, FILES) == [f"left over: {path}" for path in old]
    assert write(tmp_path, FILES) == [Path(path) for path in old]
    assert not (tmp_path / "src/pkg/old").exists()
    assert (tmp_path / "src/pkg/hand.py").exists()


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    before = tree(tmp_path)
    real, calls = os.fdopen, iter([True, False])

    def full(handle: int, mode: str) -> object:
        if next(calls):
            return real(handle, mode)
        os.close(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path, {path: data + b"more" for path, data in FILES.items()})
    assert tree(tmp_path) == before
