"""The floor: what somebody would write by hand with pydantic for the messages that are measured.

Plain models with pydantic's defaults, all members of every revision, and `extra="allow"`, since the package keeps what
it does not know too. Content is discriminated by `type`. Nothing here knows of versions, null as data or NaN.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Meta = Annotated["dict[str, Any] | None", Field(alias="_meta")]


class Open(BaseModel):
    """A model that keeps unknown members."""

    model_config = ConfigDict(extra="allow")


class Icon(Open):
    """A picture of something."""

    src: str
    mime_type: str | None = Field(default=None, alias="mimeType")
    sizes: list[str] | None = None
    theme: str | None = None


class ToolAnnotations(Open):
    """Claims about a tool."""

    title: str | None = None
    read_only_hint: bool | None = Field(default=None, alias="readOnlyHint")
    destructive_hint: bool | None = Field(default=None, alias="destructiveHint")
    idempotent_hint: bool | None = Field(default=None, alias="idempotentHint")
    open_world_hint: bool | None = Field(default=None, alias="openWorldHint")


class ToolExecution(Open):
    """How a tool may be run."""

    task_support: Literal["forbidden", "optional", "required"] | None = Field(default=None, alias="taskSupport")


class Tool(Open):
    """A tool."""

    name: str
    title: str | None = None
    description: str | None = None
    icons: list[Icon] | None = None
    input_schema: dict[str, Any] = Field(alias="inputSchema")
    output_schema: dict[str, Any] | None = Field(default=None, alias="outputSchema")
    annotations: ToolAnnotations | None = None
    execution: ToolExecution | None = None
    meta: Meta = None


class ListToolsResult(Open):
    """Answers `tools/list`."""

    tools: list[Tool]
    next_cursor: str | None = Field(default=None, alias="nextCursor")
    result_type: str | None = Field(default=None, alias="resultType")
    ttl_ms: int | None = Field(default=None, alias="ttlMs")
    cache_scope: Literal["private", "public"] | None = Field(default=None, alias="cacheScope")
    meta: Meta = None


class Annotations(Open):
    """Hints on content."""

    audience: list[str] | None = None
    priority: int | float | None = None
    last_modified: str | None = Field(default=None, alias="lastModified")


class TextContent(Open):
    """A text."""

    type: Literal["text"] = "text"
    text: str
    annotations: Annotations | None = None
    meta: Meta = None


class ImageContent(Open):
    """A picture."""

    type: Literal["image"] = "image"
    data: str
    mime_type: str = Field(alias="mimeType")
    annotations: Annotations | None = None
    meta: Meta = None


class AudioContent(Open):
    """A sound."""

    type: Literal["audio"] = "audio"
    data: str
    mime_type: str = Field(alias="mimeType")
    annotations: Annotations | None = None
    meta: Meta = None


class ResourceLink(Open):
    """A link to a resource."""

    type: Literal["resource_link"] = "resource_link"
    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    icons: list[Icon] | None = None
    mime_type: str | None = Field(default=None, alias="mimeType")
    size: int | None = None
    annotations: Annotations | None = None
    meta: Meta = None


class TextResourceContents(Open):
    """Contents of a resource as text."""

    uri: str
    mime_type: str | None = Field(default=None, alias="mimeType")
    text: str
    meta: Meta = None


class BlobResourceContents(Open):
    """Contents of a resource as base64."""

    uri: str
    mime_type: str | None = Field(default=None, alias="mimeType")
    blob: str
    meta: Meta = None


class EmbeddedResource(Open):
    """Contents of a resource, embedded."""

    type: Literal["resource"] = "resource"
    resource: TextResourceContents | BlobResourceContents
    annotations: Annotations | None = None
    meta: Meta = None


ContentBlock = Annotated[
    TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource, Field(discriminator="type")
]


class CallToolResult(Open):
    """Answers `tools/call`."""

    content: list[ContentBlock]
    structured_content: Any = Field(default=None, alias="structuredContent")
    is_error: bool | None = Field(default=None, alias="isError")
    result_type: str | None = Field(default=None, alias="resultType")
    meta: Meta = None


class Implementation(Open):
    """Name and version of a program."""

    name: str
    version: str
    title: str | None = None
    description: str | None = None
    website_url: str | None = Field(default=None, alias="websiteUrl")
    icons: list[Icon] | None = None


class RootsCapability(Open):
    """What a client can do with roots."""

    list_changed: bool | None = Field(default=None, alias="listChanged")


class SamplingCapability(Open):
    """What a client can do in sampling."""

    context: dict[str, Any] | None = None
    tools: dict[str, Any] | None = None


class ElicitationCapability(Open):
    """What a client can ask its user."""

    form: dict[str, Any] | None = None
    url: dict[str, Any] | None = None


class ClientCapabilities(Open):
    """What a client can do."""

    experimental: dict[str, Any] | None = None
    roots: RootsCapability | None = None
    sampling: SamplingCapability | None = None
    elicitation: ElicitationCapability | None = None
    tasks: dict[str, Any] | None = None
    extensions: dict[str, Any] | None = None


class InitializeRequestParams(Open):
    """Parameters of `initialize`."""

    protocol_version: str = Field(alias="protocolVersion")
    capabilities: ClientCapabilities
    client_info: Implementation = Field(alias="clientInfo")
    meta: Meta = None


class InitializeRequest(Open):
    """Opens a session."""

    method: Literal["initialize"] = "initialize"
    params: InitializeRequestParams


class ProgressNotificationParams(Open):
    """Parameters of `notifications/progress`."""

    progress_token: str | int = Field(alias="progressToken")
    progress: int | float
    total: int | float | None = None
    message: str | None = None
    meta: Meta = None


class ProgressNotification(Open):
    """Tells how far a request has come."""

    method: Literal["notifications/progress"] = "notifications/progress"
    params: ProgressNotificationParams
