"""Proofs among real peers: live sessions, the official conformance suite, and the official SDK running on our types.

Each is a module to run (`python -m proofs.interop`, `proofs.conformance`, `proofs.dropin`). A run installs the peers it
needs from the package indexes into a cache folder, prints a table, and changes nothing else unless told `--write`.
"""
