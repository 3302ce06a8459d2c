from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.compare import compare
from codegen.constants import code_name, constants, stated, upper
from codegen.phrases import sentences
from codegen.policy import Policy
from codegen.problems import Problem
from tests.codegen.schemas import INTEGER, STRING, record, ref, schema
from tests.codegen.small import SUPERSET, policy

KEY = "io.modelcontextprotocol/logLevel"


def code(value: Any) -> dict[str, Any]:
    return record(code={"const": value})


def listed(rules: Policy, **revisions: dict[str, Any]) -> list[tuple[str, str, str]]:
    found = constants({name: schema(**defs) for name, defs in revisions.items()}, rules)
    return [(one.name, one.value, one.doc) for one in found]


def test_what_the_schemas_and_the_policy_state(tmp_path: Path) -> None:
    rules = policy(tmp_path, superset=SUPERSET + '[constants.TWO]\ntype = "[int]"\nvalue = "2"\ndoc = "Two."\n')
    defs = {
        "MineErrorObject": code(-1),
        "Meta": record(**{KEY: STRING, "code": INTEGER}),
        "Holder": record(_meta=ref("Meta")),
        "Scalar": STRING,
    }
    found = [(one.name, one.type, one.value) for one in constants({"r": schema(**defs)}, rules)]
    assert found == [
        ("LOG_LEVEL_META_KEY", "", f'"{KEY}"'),
        ("MINE_ERROR", "", "-1"),
        ("TWO", "[int]", "2"),
    ]


def test_names() -> None:
    assert [upper("JSONRPCError"), upper("logLevel"), upper("trace-id.v2"), upper("3d")] == [
        "JSONRPC_ERROR",
        "LOG_LEVEL",
        "TRACE_ID_V2",
        "_3D",
    ]
    assert code_name("HeaderMismatchErrorObject") == "HEADER_MISMATCH"
    inside = {
        "TooBusyError": record(error={"allOf": [record(code=INTEGER), code(-2)]}, details=code(-3)),
        "Ref": record(code=ref("Code")),
        "Code": {"enum": [-4]},
    }
    assert {one.name: one.value for one in stated(schema(**inside))} == {
        "TOO_BUSY": -2,
        "TOO_BUSY_ERROR_DETAILS": -3,
        "REF_ERROR": -4,
    }


def test_what_is_no_constant() -> None:
    codes: list[Any] = [{"const": "text"}, {"const": True}, {"const": 1.5}, {"enum": [1, 2]}, {}, True]
    defs = {f"A{index}": record(code=code) for index, code in enumerate(codes)}
    assert stated(schema(**defs, F=record(**{"a/b": STRING}))) == []


def test_two_values_of_one_constant_are_a_question_for_a_person(tmp_path: Path) -> None:
    revisions = {"old": {"MineError": code(-1)}, "new": {"MineError": code(-2)}}
    with pytest.raises(Problem) as caught:
        listed(policy(tmp_path, lenient=True), **revisions)
    assert str(caught.value) == (
        "new#/$defs/MineError/properties/code: the constant MINE_ERROR has one value for all sessions, and here are "
        "several (-1 at old; -2 at new): which? -> in superset.toml: [values] MINE_ERROR = -2"
    )
    rules = policy(tmp_path, superset=SUPERSET + "[values]\nMINE_ERROR = -2\n")
    assert listed(rules, **revisions) == [("MINE_ERROR", "-2", "Error code: -1 at old; -2 at new.")]
    assert rules.line("values", "MINE_ERROR") in rules.used
    again = policy(tmp_path, superset=SUPERSET + "[values]\nMINE_ERROR = -2\n")
    assert listed(again, new=revisions["new"]) == [("MINE_ERROR", "-2", "Error code.")]
    assert again.line("values", "MINE_ERROR") in again.idle


def test_two_keys_of_one_name(tmp_path: Path) -> None:
    meta = record(**{KEY: STRING, "com.example/log-level": STRING})
    with pytest.raises(Problem, match=r'LOG_LEVEL_META_KEY = "io\.modelcontextprotocol/logLevel"$'):
        listed(policy(tmp_path), only={"A": record(_meta=meta)})


def test_what_comes_of_them_is_in_the_report() -> None:
    old = schema(MineError=code(-1), A=record(_meta=record(**{KEY: STRING})), B=code(-5))
    new = schema(MineError=code(-2), A=record(_meta=record(**{"x/other": STRING})), C=record(error=code(-5)))
    said = {one.text: one.verdict for one in sentences(compare(old, new)) if "constant" in one.text}
    assert said == {
        "the constant `MINE_ERROR = -1` is now `MINE_ERROR = -2`": "breaks our users' code",
        f'the constants `LOG_LEVEL_META_KEY = "{KEY}"` and `B_ERROR = -5` are gone': "breaks our users' code",
        'the constants `OTHER_META_KEY = "x/other"` and `C_ERROR = -5` are new': "harmless",
    }
