"""The envelope under the name of the peer's module."""

# ruff: noqa: F403

from mcp_surfaces.jsonrpc import *
from mcp_surfaces.jsonrpc import __all__ as __all__
