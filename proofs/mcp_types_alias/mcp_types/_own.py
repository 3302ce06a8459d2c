"""Give the models of a surface a module of the peer's name, where its tests look for them."""

from types import ModuleType

from pydantic import BaseModel

from mcp_surfaces import types


def at_home(surface: ModuleType, module: str) -> dict[str, type[BaseModel]]:
    """A subclass of each model of a surface, the same in all but its module, where the superset has that name too."""
    models = {name: getattr(surface, name) for name in surface.__all__ if is_model(getattr(types, name, None))}
    return {
        name: type(name, (model,), {"__module__": module, "__doc__": model.__doc__})
        for name, model in models.items()
        if is_model(model) and model.__name__ == name
    }


def is_model(thing: object) -> bool:
    """Whether it is a model class."""
    return isinstance(thing, type) and issubclass(thing, BaseModel)
