"""The exact surface of 2025-11-25 under the name of the peer's module."""

# ruff: noqa: F403

from mcp_surfaces import v2025_11_25
from mcp_surfaces.v2025_11_25 import *

from ._own import at_home

globals().update(at_home(v2025_11_25, __name__))
