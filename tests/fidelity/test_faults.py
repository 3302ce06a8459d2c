"""A deliberate fault in a model is found: models of our own, one exact and others each with one fault."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    create_model,
)

from tests.fidelity.adapter import Package
from tests.fidelity.compare import Plan, Tally, compare
from tests.fidelity.shapes import Shape

pytestmark = pytest.mark.untraced

PLAN = Plan(instances=40, mutations=300, share=60, drawn=5)
SCHEMA: Shape = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "Thing": {
            "type": "object",
            "properties": {
                "kind": {"const": "thing", "type": "string"},
                "mimeType": {"type": "string"},
                "open": {"type": "boolean"},
                "size": {"type": "integer", "minimum": 0},
                "weight": {"type": "number", "maximum": 1, "minimum": 0},
            },
            "required": ["kind", "size"],
        }
    },
}


def whole(value: float) -> float:
    assert value.is_integer()
    return value


Number = StrictInt | StrictFloat
Integer = StrictInt | Annotated[StrictFloat, AfterValidator(whole)]
Unit = Annotated[Number, Field(ge=0, le=1)]
UNSET: Any = object()


class Thing(BaseModel):
    """What the schema says, neither more nor less: the defaults are never validated, so absence is not null."""

    model_config = ConfigDict(populate_by_name=False, strict=True)

    kind: Literal["thing"]
    size: Annotated[Integer, Field(ge=0)]
    mime_type: StrictStr = Field(default=UNSET, alias="mimeType")
    open: StrictBool = UNSET
    weight: Unit = UNSET


NullableOptional = create_model("NullableOptional", __base__=Thing, open=(StrictBool | None, None))


class LaxScalar(Thing):
    open: Annotated[bool, Field(strict=False)] = UNSET


class StringForNumber(Thing):
    weight: Annotated[float, Field(ge=0, le=1, strict=False)] = UNSET


class NoMaximum(Thing):
    weight: Annotated[Number, Field(ge=0)] = UNSET


StrictIntegers = create_model("StrictIntegers", __base__=Thing, size=Annotated[StrictInt, Field(ge=0)])


class NearlyWhole(Thing):
    size: Annotated[StrictInt | Annotated[StrictFloat, Field(multiple_of=1)], Field(ge=0)]


class Fractions(Thing):
    size: Annotated[Number, Field(ge=0)]


AnyKind = create_model("AnyKind", __base__=Thing, kind=StrictStr)


class NotRequired(Thing):
    size: Annotated[Integer, Field(ge=0)] = 0


class PythonNames(Thing):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)


class ClosedObject(Thing):
    model_config = ConfigDict(extra="forbid")


def judged(model: Any) -> Tally:
    class Namespace:
        Thing = model

    return compare(SCHEMA, "none", "Thing", Package(Namespace).model("Thing"), PLAN)


def test_an_exact_model_is_found_exact() -> None:
    tally = judged(Thing)
    assert tally.worst == {}
    assert tally.cases.total() > 1000
    assert 100 < tally.valid < tally.cases.total() - 100


@pytest.mark.parametrize(
    ("fault", "wrongly", "kind"),
    [
        (NullableOptional, "accepted", "null"),
        (LaxScalar, "accepted", "to string"),
        (StringForNumber, "accepted", "to string"),
        (NoMaximum, "accepted", "range"),
        (StrictIntegers, "refused", "number"),
        (NearlyWhole, "accepted", "range"),
        (Fractions, "accepted", "number"),
        (AnyKind, "accepted", "const"),
        (NotRequired, "accepted", "drop required"),
        (PythonNames, "refused", "snake too"),
        (ClosedObject, "refused", "unknown member"),
    ],
)
def test_a_fault_is_found(fault: type[Thing], wrongly: str, kind: str) -> None:
    worst = judged(fault).worst
    assert (kind, wrongly) in worst
    assert all(item.wrongly == wrongly for item in worst.values()) or fault is PythonNames


def test_a_fault_in_one_mode_alone_is_found() -> None:
    class Aliased:
        """A model whose JSON mode is laxer: an integer text for a float is converted there only."""

        def verdicts(self, value: Any, text: str) -> tuple[bool, bool]:
            exact = Package(type("N", (), {"Thing": Thing})).model("Thing")
            assert exact is not None
            taken = exact.verdicts(value, text)
            return True, taken[1]

    model: Any = Aliased()
    tally = compare(SCHEMA, "none", "Thing", model, PLAN)
    assert set(tally.modes) == {"accepted json"}
    assert {item.modes for item in tally.worst.values()} == {"json"}
