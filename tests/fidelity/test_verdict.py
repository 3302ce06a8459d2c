"""The verdict of emission is the exact model's own, over the sample."""

from __future__ import annotations

from importlib import import_module

import pytest

from mcp_surfaces.built import validator
from mcp_surfaces.routing import SURFACE_BY_REVISION
from mcp_surfaces.verdict import verdict
from tests.fidelity.sample import sampled
from tests.test_verdict import REVISIONS, accepts, accepts_value

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_verdict_is_the_models_own(revision: str) -> None:
    module = import_module(SURFACE_BY_REVISION[revision].package)
    different: list[tuple[str, str]] = []
    asked = valid = 0
    for name, cases in sampled(revision).items():
        model = validator(getattr(module, name))
        quick = verdict(module.__name__, name)
        for case in cases:
            verdicts = accepts(model, case.text), accepts(quick, case.text), accepts_value(quick, case.text)
            asked, valid = asked + 1, valid + verdicts[0]
            if len({*verdicts}) > 1:
                different.append((name, case.text))
    assert different == []
    assert 1_000 < valid < asked
