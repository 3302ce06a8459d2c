from __future__ import annotations

import pytest

from mcp_surfaces.revisions import KNOWN_PROTOCOL_VERSIONS
from tests import demo


def test_every_revision_has_a_message_that_comes_out_as_it_went_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert tuple(demo.MESSAGES) == KNOWN_PROTOCOL_VERSIONS
    assert demo.main() == 0
    assert capsys.readouterr().out.count("in = out") == len(demo.MESSAGES)


def test_a_changed_message_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def through(text: str, version: str) -> tuple[str, dict[str, object]]:
        return version, {"text": text}

    monkeypatch.setattr(demo, "through", through)
    assert demo.main() == 1
