"""The example client as the conformance suite runs it: `python -m proofs.conformance_client URL`.

The suite starts a server that misbehaves in its scenario's way, names the scenario and the revision in the environment,
and judges what arrives. The client does the same in every scenario: it connects, looks at everything, and calls every
tool once, with the arguments the suite gave or with something its schema accepts.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from examples.client import fill
from examples.http_client import HttpClient, connect
from examples.session import RpcError
from mcp_surfaces import types

SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
REVISION = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25")
CONTEXT: dict[str, Any] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")


def arguments_for(tool: types.Tool) -> dict[str, Any]:
    """Arguments that a tool's schema accepts."""
    properties: dict[str, dict[str, Any]] = tool.input_schema.get("properties", {})
    return {name: fill(schema) for name, schema in properties.items() if "$ref" not in schema}


async def look_around(client: HttpClient) -> None:
    """Read the first resource and get the first prompt."""
    resources = await client.session.request(types.ListResourcesRequest(), types.ListResourcesResult)
    for resource in resources.resources:
        await client.read(resource.uri)
    prompts = await client.session.request(types.ListPromptsRequest(), types.ListPromptsResult)
    for prompt in prompts.prompts:
        await client.prompt(prompt.name, {argument.name: "x" for argument in prompt.arguments or []})


async def main(url: str) -> None:
    """Run the one scenario."""
    async with connect(url, REVISION) as client:
        hello = await client.connect()
        print(f"{SCENARIO}: connected at {client.session.version}", flush=True)
        tools = await client.tools()
        given = {call["name"]: call["arguments"] for call in CONTEXT.get("toolCalls", [])}
        if SCENARIO == "json-schema-2020-12-preservation":
            given["json_schema_echo"] = {"schema": tools[0].input_schema}
        if SCENARIO != "json-schema-ref-no-deref":
            for tool in tools:
                try:
                    result = await client.call(tool.name, given.get(tool.name, arguments_for(tool)))
                except RpcError as error:
                    print(f"{tool.name}: {error}", flush=True)
                else:
                    print(f"{tool.name}: {result.content}", flush=True)
        if hello.capabilities.resources is not None and hello.capabilities.prompts is not None:
            await look_around(client)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
