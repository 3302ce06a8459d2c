"""What the official SDK's types package offers, ours offers: `nox -s parity`. Its differences have a reason each."""

from __future__ import annotations

import fnmatch
import importlib
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from mcp_surfaces import types
from tests.parity.differences import DIFFERENCES

pytestmark = pytest.mark.untraced

theirs: Any = pytest.importorskip("mcp_types")

NAMES: list[str] = sorted(theirs.__all__)


def kind(value: object) -> str:
    if isinstance(value, type):
        return "model" if issubclass(value, BaseModel) else "class"
    return "adapter" if isinstance(value, TypeAdapter) else "constant" if is_constant(value) else "type"


def is_constant(value: object) -> bool:
    return isinstance(value, str | int | frozenset | tuple | list)


def unexcused(table: str, names: set[str]) -> set[str]:
    """The differences that no line of differences.py gives a reason for."""
    return {name for name in names if not any(fnmatch.fnmatchcase(name, line) for line in DIFFERENCES[table])}


def names_of(wanted: str) -> list[str]:
    return [name for name in NAMES if kind(getattr(theirs, name)) == wanted]


MODELS = names_of("model")


def own_names(model: type[BaseModel]) -> Iterator[str]:
    """Public attributes that its package, not pydantic, gives a model, members aside."""
    for base in model.__mro__:
        if base.__module__.startswith("mcp_types"):
            yield from (n for n in vars(base) if not n.startswith("_") and n != "model_config")


def default(info: FieldInfo) -> object:
    return "required" if info.is_required() else info.get_default(call_default_factory=True, validated_data={})


def kinds() -> set[str]:
    """Names that are another kind of thing."""
    return {name for name in NAMES if kind(getattr(theirs, name)) != kind(getattr(types, name))}


def members(name: str) -> set[str]:
    """Members of a model that have another default."""
    there, here = getattr(theirs, name).model_fields, getattr(types, name).model_fields
    return {f"{name}.{member}" for member, info in there.items() if default(info) != default(here[member])}


def modules() -> set[str]:
    """Public names of its other modules that `types` has not."""
    names = {module: importlib.import_module(f"mcp_types.{module}").__all__ for module in ("jsonrpc", "version")}
    return {f"{module}.{name}" for module in names for name in names[module] if name not in types.__all__}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_exists_and_is_public(name: str) -> None:
    assert name in types.__all__
    assert hasattr(types, name)


@pytest.mark.parametrize("name", MODELS)
def test_every_member_has_the_same_names(name: str) -> None:
    there, here = getattr(theirs, name).model_fields, getattr(types, name).model_fields
    assert {member: info.alias or member for member, info in there.items()}.items() <= {
        member: info.alias or member for member, info in here.items()
    }.items()


@pytest.mark.parametrize("name", MODELS)
def test_every_member_has_the_same_default(name: str) -> None:
    assert not unexcused("members", members(name))


@pytest.mark.parametrize("name", MODELS)
def test_every_method_and_class_variable_exists(name: str) -> None:
    there, here = getattr(theirs, name), getattr(types, name)
    wanted = set(own_names(there)) - set(there.model_fields)
    assert not {attribute for attribute in wanted if not hasattr(here, attribute)}


@pytest.mark.parametrize("name", MODELS)
def test_class_variables_have_the_same_values(name: str) -> None:
    there, here = getattr(theirs, name), getattr(types, name)
    for variable in there.__class_vars__:
        assert getattr(here, variable) == getattr(there, variable)


@pytest.mark.parametrize("name", MODELS)
def test_every_base_class_is_one(name: str) -> None:
    def bases(model: type) -> set[str]:
        return {base.__name__.split("[")[0] for base in model.__mro__} & set(MODELS)

    assert bases(getattr(theirs, name)) <= bases(getattr(types, name))


@pytest.mark.parametrize("name", names_of("constant"))
def test_every_constant_is_equal(name: str) -> None:
    if name == "LATEST_PROTOCOL_VERSION" or not hasattr(types, name):
        return
    assert getattr(types, name) == getattr(theirs, name)


@pytest.mark.parametrize("name", names_of("adapter"))
def test_every_adapter_validates(name: str) -> None:
    adapter = getattr(types, name)
    assert isinstance(adapter, TypeAdapter)
    with pytest.raises(ValidationError):
        adapter.validate_python(1)


@pytest.mark.parametrize("name", names_of("type"))
def test_every_alias_has_at_least_the_same_arms(name: str) -> None:
    assert arms(getattr(theirs, name)) <= arms(getattr(types, name))


def arms(alias: Any) -> frozenset[object]:
    """The classes by name, and the literal values, that a union, literal or mapping is made of."""
    if get_origin(alias) is Literal:
        return frozenset(get_args(alias))
    if isinstance(alias, type) and not get_args(alias):
        return frozenset({alias.__name__})
    found: frozenset[object] = frozenset()
    return found.union(*(arms(part) for part in get_args(alias) if isinstance(part, type) or get_args(part)))


def test_metadata_of_requests_reads_like_the_typed_dict() -> None:
    there = theirs.RequestParamsMeta(progress_token=1)
    here = types.RequestParamsMeta(progress_token=1)
    assert here["progress_token"] == there["progress_token"] == here.progress_token
    assert set(theirs.RequestParamsMeta.__annotations__) <= set(types.RequestParamsMeta.model_fields)
    assert here.get("absent") is None
    assert "progress_token" in here


@pytest.mark.parametrize("package", [theirs, types], ids=["theirs", "ours"])
class TestCustomMethods:
    def test_a_request_subclass(self, package: Any) -> None:
        class Params(package.RequestParams):
            page: int

        class Pages(package.Request[Params, Literal["acme/pages"]]):
            method: Literal["acme/pages"] = "acme/pages"
            params: Params

        request: Any = Pages(params=Params(page=1))
        assert isinstance(request, package.Request)
        assert request.model_dump(by_alias=True, exclude_none=True) == {"method": "acme/pages", "params": {"page": 1}}
        with pytest.raises(ValidationError):
            Pages()

    def test_a_paginated_request_and_its_result(self, package: Any) -> None:
        class List(package.PaginatedRequest[Literal["acme/list"]]):
            method: Literal["acme/list"] = "acme/list"

        class Listed(package.PaginatedResult):
            names: list[str]

        request: Any = List(params=package.PaginatedRequestParams(cursor="a"))
        assert request.params.cursor == "a"
        assert List().params is None
        assert Listed(names=[], next_cursor="b").model_dump(by_alias=True, exclude_none=True) == {
            "names": [],
            "nextCursor": "b",
        }

    def test_a_notification_subclass(self, package: Any) -> None:
        class Changed(package.Notification[dict[str, Any] | None, Literal["acme/changed"]]):
            method: Literal["acme/changed"] = "acme/changed"
            params: dict[str, Any] | None = None

        changed: Any = Changed()
        assert changed.params is None
        assert isinstance(changed, package.Notification)

    def test_generic_bases_are_subscriptable(self, package: Any) -> None:
        request = package.Request[dict[str, Any], str](method="x", params={"a": 1})
        assert request.params == {"a": 1}
        assert package.Request[dict[str, Any] | None, Literal["m"]](method="m", params=None).params is None
        with pytest.raises(ValidationError):
            package.Request[dict[str, Any] | None, Literal["m"]](method="n", params=None)

    def test_name_param_is_overridden_by_assignment(self, package: Any) -> None:
        class Named(package.Request[dict[str, Any] | None, Literal["m"]]):
            name_param = "uri"

        assert package.Request.name_param is None
        assert Named.name_param == "uri"


@pytest.mark.parametrize("package", [theirs, types], ids=["theirs", "ours"])
def test_content_as_list(package: Any) -> None:
    block = package.TextContent(text="x")
    assert package.SamplingMessage(role="user", content=block).content_as_list == [block]
    assert package.SamplingMessage(role="user", content=[block]).content_as_list == [block]
    result = package.CreateMessageResultWithTools(role="assistant", content=[block], model="m")
    assert result.content_as_list == [block]


@pytest.mark.parametrize("package", [theirs, types], ids=["theirs", "ours"])
def test_metadata_goes_in_as_a_plain_object(package: Any) -> None:
    for given in ({"progress_token": 1, "x": None}, {"progressToken": 1, "x": None}):
        params = package.RequestParams(_meta=given)
        assert params.model_dump(by_alias=True) == {"_meta": {"progressToken": 1, "x": None}}


def test_the_other_differences_are_known() -> None:
    assert not unexcused("kinds", kinds())
    assert not unexcused("modules", modules())


def test_no_reason_is_left_over() -> None:
    found = {"kinds": kinds(), "modules": modules(), "members": {m for name in MODELS for m in members(name)}}
    idle = {
        f"{table}: {line}"
        for table, lines in DIFFERENCES.items()
        for line in lines
        if not any(fnmatch.fnmatchcase(name, line) for name in found[table])
    }
    assert not idle
