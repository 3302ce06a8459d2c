"""The exact surface of 2026-07-28 under the name of the peer's module, with its names for results of two forms."""

# ruff: noqa: F403

from typing import TYPE_CHECKING

from mcp_surfaces import v2026_07_28
from mcp_surfaces.v2026_07_28 import *

from ._own import at_home

if TYPE_CHECKING:
    from mcp_surfaces.v2026_07_28 import CallToolResult, GetPromptResult, InputRequiredResult, ReadResourceResult
else:
    globals().update(at_home(v2026_07_28, __name__))

AnyCallToolResult = CallToolResult | InputRequiredResult
AnyGetPromptResult = GetPromptResult | InputRequiredResult
AnyReadResourceResult = ReadResourceResult | InputRequiredResult
