"""Types and the wire boundary of the Model Context Protocol, for every revision at once.

`mcp_surfaces.types` holds the public models, `mcp_surfaces.wire` routes every serialize and parse call to the exact
surface of the negotiated revision. Importing this package loads neither.
"""
