"""What code written for PyPI's mcp-types 2.3.0 finds otherwise in `mcp_surfaces.types`, each with its reason.

A reason that no longer applies fails the test. `*` matches anything.
"""

from __future__ import annotations

WIRE = "A model says what its sender said; the wire supplies this member where the revision demands it."
ABSENT = "No default that the sender did not write: absent stays absent."
NULL = "Null is data here: absent is `MISSING`, which reads as None."
CUSTOM = "A message of one's own without params may leave them out."

DIFFERENCES: dict[str, dict[str, str]] = {
    # Members whose default differs, or that are required on one side only.
    "members": {
        "*.result_type": WIRE,
        "*.ttl_ms": WIRE,
        "*.cache_scope": WIRE,
        "CallToolResult.is_error": ABSENT,
        "ElicitRequestFormParams.mode": ABSENT,
        "*.structured_content": NULL,
        "ErrorData.data": NULL,
        "Request.params": CUSTOM,
        "Notification.params": CUSTOM,
        "JSONRPCError.id": "The final schema lets it be absent.",
        "ToolResultContent.content": "Every revision requires it: leaving it out is a mistake worth an error.",
    },
    # Names that are another kind of thing.
    "kinds": {
        "RequestParamsMeta": "A typed dict there, a model that reads like a mapping here: unknown keys are kept too.",
    },
    # Public names of its other modules that `types` has not.
    "modules": {
        "version.*": "The revisions are in `wire.KNOWN_PROTOCOL_VERSIONS`; an SDK picks which of them it negotiates.",
    },
}
