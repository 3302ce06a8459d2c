"""Loading modules when a name of theirs is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


class Later:
    """A module that is loaded when a name of it is first used; from then on the name is an attribute like any other."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._module), name)
        setattr(self, name, value)
        return value


def attach(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A module `__getattr__` and `__dir__` for `package`, whose public names live in `modules`.

    `modules` maps a name to its module, or to `module:name` where it is called otherwise there.

    A name that is looked up is kept in the package, so the next look-up costs nothing. An unknown name raises
    AttributeError.
    """

    def load(name: str) -> Any:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, own = module.partition(":")
        value = getattr(import_module(module), own or name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted(modules)

    return load, names
