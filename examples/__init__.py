"""Examples of use: an MCP server and a client, over stdio and over Streamable HTTP, at every revision.

Run them from the folder above: `python -m examples.client 2025-06-18 python -m examples.server`.
"""
