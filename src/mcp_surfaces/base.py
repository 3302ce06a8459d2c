"""The base classes every generated model stands on, and the rules of absence they share.

In the superset None means absent: a member whose default is None is left out of every dump while it is None. A member
that is optional and also admits null has the default `MISSING`; it reads as None until it is set, and a None that was
set is emitted as null. Unknown members are kept; an instance of a subclass in a typed member is emitted whole from
pydantic 2.13 on, before that without the subclass' own members. On the exact surfaces `MISSING`
is absence and null is just a value.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Generic, Union, cast, get_args, get_origin

from pydantic import VERSION, AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticKnownError, PydanticUndefined
from pydantic_core.core_schema import CoreSchema, simple_ser_schema, tagged_union_schema
from typing_extensions import TypeVar

if TYPE_CHECKING:
    from pydantic import MISSING as MISSING
    from pydantic.fields import FieldInfo

    from mcp_surfaces.types.content import SamplingMessageContentBlock
else:
    try:
        from pydantic import MISSING
    except ImportError:
        from pydantic.experimental.missing_sentinel import MISSING

__all__ = [
    "AS_IT_IS",
    "MISSING",
    "OLDER_PYDANTIC",
    "ByMember",
    "ContentAsList",
    "ExactModel",
    "Integer",
    "MCPModel",
    "MetaMapping",
    "MethodT",
    "Notification",
    "NotificationParamsT",
    "Number",
    "Request",
    "RequestParamsT",
    "SpecNotification",
    "SpecRequest",
    "Unparametrised",
    "is_none",
    "whole",
]

OLDER_PYDANTIC: Final = VERSION.startswith(("2.12.", "2.13."))
"""Whether pydantic is older than 2.14."""

is_none: Final = functools.partial(operator.is_, None)
"""Why a member whose None means absence is left out of a dump."""


def whole(value: float) -> float:
    """Refuse a fraction, exactly: `multiple_of` has a tolerance, and stands beside this for the JSON Schema only."""
    if not value.is_integer():
        raise PydanticKnownError("multiple_of", {"multiple_of": 1})
    return value


class _AsItIs:
    """Annotation as `SerializeAsAny`, whose module takes a while to load: a value is written as what it is."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        cast("Any", schema)["serialization"] = simple_ser_schema("any")
        return schema


AS_IT_IS: Final = _AsItIs()
"""On a union of models: an instance is written as what it is, which is cheaper than to try the arms."""


if TYPE_CHECKING:
    Integer = int
    """An integer: a JSON number without a fractional part, kept as it was written."""

    Number = int | float
    """Any JSON number, kept as it was written."""
else:
    _Integral = Annotated[float, Field(strict=True, allow_inf_nan=False, multiple_of=1), AfterValidator(whole)]
    Integer = Annotated[Annotated[int, Field(strict=True)] | _Integral, AS_IT_IS]
    Number = Annotated[Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True)], AS_IT_IS]


class _NoneWhileMissing:
    """Reads a member whose stored value is `MISSING` as None; everything else goes straight to the instance."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: BaseModel | None, owner: type[BaseModel]) -> Any:
        if instance is None or self.name not in instance.__dict__:
            raise AttributeError(self.name)
        value = instance.__dict__[self.name]
        return None if value is MISSING else value

    def __set__(self, instance: BaseModel, value: object) -> None:
        """Make this a data descriptor, so that it is asked before the instance; pydantic itself sets members."""
        vars(instance)[self.name] = value

    def __delete__(self, instance: BaseModel) -> None:
        """Make the member absent again."""
        vars(instance)[self.name] = MISSING
        instance.__pydantic_fields_set__.discard(self.name)


if TYPE_CHECKING:

    class MCPModel(BaseModel):
        """Base of every superset model: unknown members are kept, None means absent, names are snake_case."""

        model_config = ConfigDict(extra="forbid")

else:
    _Base = import_module("mcp_surfaces.older_pydantic").BuiltWithItsMembers if OLDER_PYDANTIC else BaseModel

    class MCPModel(_Base):
        """Base of every superset model: unknown members are kept, None means absent, names are snake_case."""

        model_config = ConfigDict(
            alias_generator=to_camel,
            defer_build=True,
            extra="allow",
            polymorphic_serialization=True,
            protected_namespaces=(),
            ser_json_inf_nan="constants",
            strict=True,
            validate_by_alias=True,
            validate_by_name=True,
        )

        @classmethod
        def __pydantic_init_subclass__(cls, **kwargs):
            super().__pydantic_init_subclass__(**kwargs)
            for name, field in cls.__pydantic_fields__.items():
                _settle_absence(cls, name, field)

        def __setattr__(self, name, value):
            super().__setattr__(_attributes(type(self)).get(name, name), value)

        def model_copy(self, *, update=None, deep=False):
            """A copy; `update` takes attributes and wire names."""
            names = _attributes(type(self))
            return super().model_copy(
                update=update and {names.get(name, name): value for name, value in update.items()}, deep=deep
            )


@functools.lru_cache(maxsize=1024)
def _attributes(cls: type[BaseModel]) -> Mapping[str, str]:
    """Wire name to attribute, so that a member set by its wire name is not taken for an unknown one."""
    return {field.alias: name for name, field in cls.__pydantic_fields__.items() if field.alias}


def _settle_absence(cls: type[BaseModel], name: str, field: FieldInfo) -> None:
    if field.default is MISSING:
        setattr(cls, name, _NoneWhileMissing(name))
    elif not field.is_required() and field.exclude_if is None and _admits_none(field.annotation):
        field.exclude_if = is_none


class ExactModel(BaseModel):
    """Base of every exact model: it validates a value if and only if the revision's amended schema accepts it."""

    model_config = ConfigDict(
        defer_build=True,
        extra="allow",
        protected_namespaces=(),
        strict=True,
        validate_by_alias=True,
        validate_by_name=False,
    )


RequestParamsT = TypeVar("RequestParamsT", default=Any)
NotificationParamsT = TypeVar("NotificationParamsT", default=Any)
MethodT = TypeVar("MethodT", bound=str, default=str)


class _Message(MCPModel):
    """What requests and notifications share."""

    if not TYPE_CHECKING:

        @classmethod
        def __pydantic_init_subclass__(cls, **kwargs):
            super().__pydantic_init_subclass__(**kwargs)
            params = cls.__pydantic_fields__["params"]
            arguments = cls.__pydantic_generic_metadata__["args"]
            if arguments and params.default is None and not _admits_none(params.annotation):
                params.default = PydanticUndefined
                params.exclude_if = None


def _admits_none(annotation: Any) -> bool:
    if annotation is None or annotation is type(None) or annotation is Any or isinstance(annotation, TypeVar):
        return True
    origin = get_origin(annotation)
    if origin is Union or origin is UnionType:
        return any(map(_admits_none, get_args(annotation)))
    if origin is Annotated:
        return _admits_none(get_args(annotation)[0])
    return hasattr(annotation, "__value__") and _admits_none(annotation.__value__)


class Request(_Message, Generic[RequestParamsT, MethodT]):
    """A request body: a method and its params, without the JSON-RPC envelope. Every revision.

    Subclass it for a method of your own: `class Ping(Request[PingParams, Literal["acme/ping"]])` with
    `method: Literal["acme/ping"] = "acme/ping"`. Params that do not admit None are required.
    """

    method: MethodT
    if TYPE_CHECKING:
        params: RequestParamsT
    else:
        params: RequestParamsT = None

    name_param: ClassVar[str | None] = None
    """The member of `params` that names what is addressed (a tool, a URI), for transports that route by it."""


class Notification(_Message, Generic[NotificationParamsT, MethodT]):
    """A notification body: a method and its params, without the JSON-RPC envelope. Every revision."""

    method: MethodT
    if TYPE_CHECKING:
        params: NotificationParamsT
    else:
        params: NotificationParamsT = None


class Unparametrised:
    """`generic[...]` that ignores its arguments.

    Generated classes restate the members that a parametrised base would type, so at run time they stand on the plain
    base, which costs half as much; type checkers see the parametrised one.
    """

    __slots__ = ("generic",)

    def __init__(self, generic: type[BaseModel]) -> None:
        self.generic = generic

    def __getitem__(self, arguments: object) -> type[BaseModel]:
        return self.generic


if TYPE_CHECKING:

    class SpecRequest(Request[RequestParamsT, MethodT], Generic[RequestParamsT, MethodT]):
        """Base of the generated requests."""

    class SpecNotification(Notification[NotificationParamsT, MethodT], Generic[NotificationParamsT, MethodT]):
        """Base of the generated notifications."""

else:
    SpecRequest = Unparametrised(Request)
    SpecNotification = Unparametrised(Notification)


class ByMember:
    """Annotation of a union of models told apart by a member that one of them may leave out.

    The arms' own constants for `member` are the tags; `absent` is the one that a missing member stands for. An unknown
    tag is one `union_tag_invalid` error.
    """

    __slots__ = ("absent", "member")

    def __init__(self, member: str, absent: str) -> None:
        self.member, self.absent = member, absent

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {get_args(_constant(arm, self.member))[0]: handler.generate_schema(arm) for arm in get_args(source)}
        return tagged_union_schema(choices, self.tag)

    def tag(self, value: Any) -> Any:
        """The constant of the arm that `value`, a dict or a model, belongs to."""
        found = cast("Any", value).get if isinstance(value, dict) else functools.partial(getattr, value)
        tag: Any = found(self.member, None)
        return self.absent if tag is None else tag


def _constant(model: type[BaseModel], member: str) -> Any:
    """The literal type of a member, without the None that marks it optional."""
    annotation = model.__pydantic_fields__[member].annotation
    return next((arm for arm in get_args(annotation) if get_args(arm)), annotation)


class ContentAsList(MCPModel):
    """Base of what holds one content block or a list of them."""

    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """The content as a list, whether it is one block or a list."""
        content: Any = self.__dict__["content"]
        return cast("list[SamplingMessageContentBlock]", content) if isinstance(content, list) else [content]


class MetaMapping(MCPModel):
    """A `_meta` object that reads like the JSON object it is: `meta["traceparent"]`, `{**meta}`, `meta == {...}`.

    Iteration yields the wire names of the members present; a lookup takes the wire name or the Python name.
    """

    def _fields(self) -> dict[str, str]:
        return {field.alias or name: name for name, field in type(self).__pydantic_fields__.items()}

    def _as_dict(self) -> dict[str, Any]:
        held = self.__dict__
        present = {wire: held[name] for wire, name in self._fields().items() if held.get(name) is not None}
        return {**present, **(self.__pydantic_extra__ or {})}

    def __getitem__(self, key: str) -> Any:
        members = self._as_dict()
        if key not in members:
            members = {name: members[wire] for wire, name in self._fields().items() if wire in members}
        return members[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The member called `key`, or `default`."""
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key, MISSING) is not MISSING

    def __len__(self) -> int:
        return len(self._as_dict())

    # Not compatible on purpose: a mapping iterates over its keys, where pydantic iterates over pairs of any model.
    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        return iter(self._as_dict())

    def keys(self) -> KeysView[str]:
        """The wire names of the members present."""
        return self._as_dict().keys()

    def values(self) -> ValuesView[Any]:
        """The values of the members present."""
        return self._as_dict().values()

    def items(self) -> ItemsView[str, Any]:
        """Wire name and value of the members present."""
        return self._as_dict().items()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MetaMapping):
            return self._as_dict() == other._as_dict()
        return isinstance(other, Mapping) and self._as_dict() == {**other}


if not TYPE_CHECKING:
    Mapping.register(MetaMapping)
