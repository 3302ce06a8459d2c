from __future__ import annotations

from typing import Any

import pytest

from codegen.universal import universal_definitions
from tests.codegen.schemas import STRING, one_of, ref

SCALARS = {"type": ["string", "number", "boolean", "null"]}
ARRAY = {"type": "array", "items": ref("Value")}
OBJECT = {"type": "object", "additionalProperties": ref("Value")}


@pytest.mark.parametrize(
    ("defs", "universal"),
    [
        ({"Value": {}}, {"Value"}),
        ({"Value": one_of(SCALARS, ARRAY, OBJECT)}, {"Value"}),
        ({"Value": one_of(SCALARS, ref("Array"), ref("Object")), "Array": ARRAY, "Object": OBJECT}, {"Value"}),
        ({"Value": one_of(SCALARS, ARRAY, {"type": "object", "additionalProperties": True})}, {"Value"}),
        ({"Value": ref("Other"), "Other": ref("Value")}, {"Value", "Other"}),
        ({"Value": one_of({"type": ["string", "number"]}, ARRAY, OBJECT)}, set()),
        ({"Value": one_of(SCALARS, ARRAY, {"type": "object", "additionalProperties": STRING})}, set()),
        ({"Value": one_of(SCALARS, ARRAY, {"type": "object", "required": ["x"]})}, set()),
        ({"Value": one_of(SCALARS, {"type": ["array", "object"], "items": STRING})}, set()),
    ],
)
def test_what_admits_every_value(defs: dict[str, Any], universal: set[str]) -> None:
    assert universal_definitions(defs) == universal
