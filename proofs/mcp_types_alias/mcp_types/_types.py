"""The superset under the name of the peer's module."""

# ruff: noqa: F403

from mcp_surfaces.types import *
