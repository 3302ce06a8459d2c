"""`mcp_types`, as an alias of `mcp_surfaces`: the names the official SDK imports, for the drop-in proof."""

# ruff: noqa: F403

from mcp_surfaces import types as _superset
from mcp_surfaces import wire as _wire
from mcp_surfaces.types import *

from . import _types, jsonrpc, methods, version

__all__ = [*_superset.__all__]
_modules = (_types, _wire, jsonrpc, methods, version)
