"""Rendering: jinja2 lays out what Python has decided, and fails on anything left undefined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2

TEMPLATES = Path(__file__).resolve().parent / "templates"

_environment = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=jinja2.select_autoescape(("html.j2", "svg.j2"), default=False),
)
_environment.filters["literal"] = repr


def render(template: str, **values: Any) -> str:
    """The text of `template` (a file name under templates/) with `values`."""
    return _environment.get_template(template).render(values)
