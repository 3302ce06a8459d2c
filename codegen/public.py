"""The superset package: topic modules, constants, adapters, availability and the lazy `__init__`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codegen import availability, package
from codegen.constants import Constant, upper
from codegen.merge import Superset
from codegen.pin import Pin
from codegen.policy import Policy
from codegen.refine import Unit, assigned
from codegen.render import render
from codegen.topics import Topic

PACKAGE = "mcp_surfaces.types"
JSONRPC = "mcp_surfaces.jsonrpc"
REVISIONS = "mcp_surfaces.revisions"
MESSAGES = tuple(side + kind for side in ("Client", "Server") for kind in ("Notification", "Request", "Result"))


def files(
    units: Mapping[str, Unit],
    order: Sequence[Topic],
    known: Sequence[Constant],
    spec: set[str],
    superset: Superset,
    policy: Policy,
    pins: Mapping[str, Pin],
) -> dict[str, str]:
    """The modules of the package by name.

    `known` are its constants, `spec` the names that some revision itself defines.
    """
    texts, exported = package.modules(PACKAGE, units, order)
    unions = [union(units[name]) for name in MESSAGES if name in units]
    exported.update(aliased(exported, spec, superset, policy))
    exported.update({constant.name: f"{PACKAGE}.constants" for constant in known})
    exported.update({entry["adapter"]: f"{PACKAGE}.adapters" for entry in unions})
    exported.update(dict.fromkeys(("LATEST_PROTOCOL_VERSION", "DEFAULT_NEGOTIATED_VERSION"), REVISIONS))
    exported["jsonrpc_message_adapter"] = JSONRPC
    exported.update({name: f"{JSONRPC}:{model}" for name, model in superset.frames.items() if name in spec})
    found = availability.availability(superset, list(pins), policy["arms"])
    return {
        **with_aliases(texts, exported, superset),
        "constants": render("constants.py.j2", constants=known),
        "availability": render("availability.py.j2", **availability.values(found, list(pins))),
        "adapters": render("adapters.py.j2", unions=unions),
        "__init__": package.init(policy["docs"]["types"], exported, list(pins.values())),
    }


def aliased(exported: Mapping[str, str], spec: set[str], superset: Superset, policy: Policy) -> dict[str, str]:
    """The module of each name modelled by hand, and of each other name that the specification has for a construct."""
    external: Mapping[str, str] = policy["external"]
    result = {name: f"mcp_surfaces.{module}" for name, module in external.items()}
    for other, final in superset.aliases.items():
        if other in spec and other not in package.SOURCES:
            if final in exported:
                result[other] = exported[final]
            elif external.get(final) == "jsonrpc":
                result[other] = JSONRPC
    return result


def with_aliases(texts: Mapping[str, str], exported: Mapping[str, str], superset: Superset) -> dict[str, str]:
    """`texts` with the other names of constructs assigned in the modules that hold them."""
    result = dict(texts)
    for other, final in sorted(superset.aliases.items()):
        module = exported.get(other, "")
        if module.startswith(PACKAGE + "."):
            topic = module.removeprefix(PACKAGE + ".")
            result[topic] = result[topic].rstrip("\n").replace("__all__ = [", f'__all__ = ["{other}", ', 1)
            result[topic] += f'\n\n{other} = {final}\n"""Another name of {final}."""\n'
    return result


def union(unit: Unit) -> dict[str, str]:
    """What the adapters template needs of one message union."""
    words = upper(unit.name).lower()
    return {
        "name": unit.name,
        "tagged": assigned(unit)[-1],
        "adapter": f"{words}_adapter",
        "words": words.replace("_", " "),
    }
