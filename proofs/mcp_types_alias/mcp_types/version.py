"""The revisions, as the peer divides them: those with a handshake, and those without."""

from typing import Final

from mcp_surfaces import wire
from mcp_surfaces.wire import KNOWN_PROTOCOL_VERSIONS

__all__ = [
    "HANDSHAKE_PROTOCOL_VERSIONS",
    "KNOWN_PROTOCOL_VERSIONS",
    "LATEST_HANDSHAKE_VERSION",
    "LATEST_MODERN_VERSION",
    "LATEST_PROTOCOL_VERSION",
    "MODERN_PROTOCOL_VERSIONS",
    "OLDEST_SUPPORTED_VERSION",
    "SUPPORTED_PROTOCOL_VERSIONS",
    "is_version_at_least",
]

HANDSHAKE_PROTOCOL_VERSIONS: Final = tuple(
    version for version in KNOWN_PROTOCOL_VERSIONS if "initialize" in wire.CLIENT_REQUEST_METHODS[version]
)
MODERN_PROTOCOL_VERSIONS: Final = tuple(
    version for version in KNOWN_PROTOCOL_VERSIONS if version not in HANDSHAKE_PROTOCOL_VERSIONS
)
SUPPORTED_PROTOCOL_VERSIONS = KNOWN_PROTOCOL_VERSIONS
LATEST_PROTOCOL_VERSION: Final = KNOWN_PROTOCOL_VERSIONS[-1]
LATEST_HANDSHAKE_VERSION: Final = HANDSHAKE_PROTOCOL_VERSIONS[-1]
LATEST_MODERN_VERSION: Final = MODERN_PROTOCOL_VERSIONS[-1]
OLDEST_SUPPORTED_VERSION: Final = KNOWN_PROTOCOL_VERSIONS[0]


def is_version_at_least(version: str, minimum: str) -> bool:
    """Whether `version` is known and not older than `minimum`, which must be known."""
    if minimum not in KNOWN_PROTOCOL_VERSIONS:
        raise ValueError(f"unknown minimum {minimum!r}")
    order = KNOWN_PROTOCOL_VERSIONS
    return version in order and order.index(version) >= order.index(minimum)
