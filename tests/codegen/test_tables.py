from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.pipeline import Pipeline
from codegen.problems import Problem
from codegen.tables import Body, Methods, answers, bodies, has_batches, methods, newly_required, takes_task, unsupplied
from tests.codegen.schemas import STRING, const, one_of, record, ref
from tests.codegen.small import LEAST, SUPERSET, small

OLD, NEW = "2025-01-01", "2025-06-01"
BASES = '[bases]\n"*Request" = ["Request"]\n"*Notification" = ["Notification"]\n"*Result" = ["Result"]\n'
EXTERNAL = (
    SUPERSET.replace("\n[docs]", 'unions = ["ClientNotification"]\n[docs]', 1)
    + '[external]\nRequest = "base"\nNotification = "base"\n'
    + '[types]\nEmptyResult = { type = "object", properties = {}, required = [] }\n'
)
META = record("key", key=STRING)
FRAME = {"jsonrpc": STRING, "id": STRING}
PARAMS = record("_meta", _meta=ref("Meta"))
DEFS: dict[str, Any] = {
    "Request": record("method", method=STRING),
    "Notification": record("method", method=STRING),
    "Result": record(_meta=STRING),
    "EmptyResult": ref("Result"),
    "Meta": META,
    "AskParams": PARAMS,
    "AskRequest": record("jsonrpc", "id", "method", "params", method=const("ask"), params=ref("AskParams"), **FRAME),
    "AskResult": record("kind", kind=STRING),
    "PingRequest": record("method", method=const("ping")),
    "DoneNotification": record("method", method=const("done")),
    "ClientRequest": one_of(ref("AskRequest"), ref("PingRequest")),
    "ClientNotification": record("method", method=const("done")),
    "ServerRequest": ref("PingRequest"),
}


def pipeline(place: Path, defs: Mapping[str, Any] | None = None, lenient: bool = False, surfaces: str = "") -> Pipeline:
    policy = 'caller = [\n    "key",\n]\n' + LEAST["surfaces"] + '[inject]\n"*.kind" = "done"\n'
    return small(
        place,
        {OLD: {**DEFS, **(defs or {})}},
        bases=BASES,
        superset=EXTERNAL,
        surfaces=surfaces or policy,
        lenient=lenient,
    )


def test_methods_by_sender(tmp_path: Path) -> None:
    run = pipeline(tmp_path)
    client = methods(run.named[OLD], "client", run.superset, run.policy)
    assert client == Methods(
        {"ask": "AskRequest", "ping": "PingRequest"},
        {"ask": ("AskResult",), "ping": ("EmptyResult",)},
        {"done": "DoneNotification"},
    )
    server = methods(run.named[OLD], "server", run.superset, run.policy)
    assert server == Methods({"ping": "PingRequest"}, {"ping": ("EmptyResult",)}, {})


def test_arms_without_a_method_are_no_messages(tmp_path: Path) -> None:
    odd = {"ClientRequest": ref("AskResult"), "ClientNotification": one_of(ref("AskResult"), STRING)}
    run = pipeline(tmp_path, odd)
    assert methods(run.named[OLD], "client", run.superset, run.policy) == Methods()


def test_answers(tmp_path: Path) -> None:
    frame = record("result", jsonrpc=STRING, result=one_of(ref("AskResult"), ref("EmptyResult"), STRING))
    task = record("_meta", _meta=ref("Meta"), task=STRING)
    run = pipeline(tmp_path, {"AskResultResponse": frame, "AskParams": task, "CreateTaskResult": record(t=STRING)})
    run.policy.files["superset"]["variants"] = {"AskResultTwo": {"of": "AskResult", "properties": {}}}
    run.policy.home["variants"] = "superset"
    assert answers(run.named[OLD], "AskRequest", run.policy) == (
        "AskResult",
        "AskResultTwo",
        "EmptyResult",
        "CreateTaskResult",
    )


def test_a_task_may_be_asked_for_by_an_arm_of_the_params() -> None:
    defs = {
        "One": record(),
        "Two": record(task=STRING),
        "Both": one_of(ref("One"), ref("Inner")),
        "Inner": one_of(ref("Both"), ref("Two")),
        "Circle": one_of(ref("Circle"), ref("One")),
    }
    asked = {name for name in defs if takes_task(defs, ref(name))}
    assert asked == {"Two", "Both", "Inner"}
    assert not takes_task(defs, {})


def test_what_each_body_must_hold(tmp_path: Path) -> None:
    run = pipeline(tmp_path)
    run.superset.defs["AskResultTwo"] = run.superset.defs["Lost"] = run.superset.defs["AskResult"]
    run.superset.sources.update({"AskResultTwo": "AskResult", "Lost": "Gone"})
    run.policy["bases"]["AskResultTwo"] = ["Result"]
    found = bodies(OLD, run.named[OLD], run.superset, run.bases, run.policy)
    results, messages = (
        {"AskResult", "AskResultTwo", "EmptyResult", "Result"},
        {"Notification", "PingRequest", "Request"},
    )
    assert set(found) == {"AskRequest", "DoneNotification", *results, *messages}
    assert found["AskRequest"] == Body("AskRequest", "request", True, {}, {}, ("key",))
    assert found["AskResult"] == Body("AskResult", "result", False, {"kind": "done"}, {}, ())
    assert found["AskResultTwo"] == found["AskResult"]
    assert found["EmptyResult"].definition == "EmptyResult"
    assert found["PingRequest"] == Body("PingRequest", "request", False, {}, {}, ())


def test_a_meta_object_without_a_name_requires_no_keys(tmp_path: Path) -> None:
    params = {"AskParams": record("_meta", _meta={"type": "object"})}
    run = pipeline(tmp_path, params)
    assert bodies(OLD, run.named[OLD], run.superset, run.bases, run.policy)["AskRequest"].caller_meta == ()


def test_meta_keys_are_the_wires_or_the_callers(tmp_path: Path) -> None:
    wire = LEAST["surfaces"] + '[inject_meta]\nkey = "$version"\n'
    run = pipeline(tmp_path / "wire", surfaces=wire)
    body = bodies(OLD, run.named[OLD], run.superset, run.bases, run.policy)["AskRequest"]
    assert (body.inject_meta, body.caller_meta) == ({"key": "$version"}, ())
    run = pipeline(tmp_path / "nobody", surfaces=LEAST["surfaces"])
    fault = r"2025-01-01#/\$defs/AskParams/properties/_meta: `_meta` must hold key: .* add \"key\" to caller"
    with pytest.raises(Problem, match=fault):
        bodies(OLD, run.named[OLD], run.superset, run.bases, run.policy)
    run = pipeline(tmp_path / "lenient", surfaces=LEAST["surfaces"], lenient=True)
    body = bodies(OLD, run.named[OLD], run.superset, run.bases, run.policy)["AskRequest"]
    assert body.caller_meta == ("key",)


def required(
    place: Path, old: Any, new: Any, surfaces: str = LEAST["surfaces"], lenient: bool = False, bases: str = "[bases]\n"
) -> Pipeline:
    common = {"E": STRING, "Result": record(_meta=STRING)}
    revisions = {OLD: {"A": old, **common}, NEW: {"A": new, **common}}
    return small(place, revisions, surfaces=surfaces, lenient=lenient, bases=bases)


def test_a_member_that_becomes_required_is_never_guessed(tmp_path: Path) -> None:
    fault = r"2025-06-01#/\$defs/A/required: requires x, .* -> in surfaces\.toml: add \"A\.x\" to caller"
    for name, old in (("optional", record(x=STRING)), ("absent", record(y=STRING))):
        for lenient in (False, True):
            run = required(tmp_path / name / str(lenient), old, record("x", x=STRING), lenient=lenient)
            with pytest.raises(Problem, match=fault):
                unsupplied(NEW, run.named[NEW], run.superset, run.bases, run.policy)


def test_a_member_that_was_always_required_is_the_callers(tmp_path: Path) -> None:
    run = required(tmp_path, record("x", x=STRING), record(x=STRING), lenient=True)
    unsupplied(OLD, run.named[OLD], run.superset, run.bases, run.policy)
    assert [undecided.line.path for undecided in run.policy.undecided] == [("caller", "A.x")]


def test_a_constant_that_becomes_required_is_no_guess(tmp_path: Path) -> None:
    for base, line in (("", ("caller", "A.x")), ("Result", ("inject", "A.x"))):
        new, bases = record("x", x=const("one")), f'[bases]\nA = ["{base}"]\n' if base else "[bases]\n"
        run = required(tmp_path / base, record(x=const("one")), new, lenient=True, bases=bases)
        unsupplied(NEW, run.named[NEW], run.superset, run.bases, run.policy)
        [undecided] = run.policy.undecided
        assert (undecided.line.path, undecided.value) == (line, "one" if base else None)


def test_the_envelope_is_nobodys_to_supply(tmp_path: Path) -> None:
    old = record("id", "jsonrpc", "method", method=const("a"), **FRAME)
    run = required(tmp_path, old, record("method", method=const("a"), id=STRING))
    unsupplied(OLD, run.named[OLD], run.superset, run.bases, run.policy)


INJECTED = LEAST["surfaces"] + '[inject]\n"A.x" = 1\n'


def test_members_that_somebody_supplies(tmp_path: Path) -> None:
    surfaces = 'caller = ["A.y"]\n' + INJECTED
    new = record("x", "y", "_meta", "params", x=STRING, y=STRING, _meta=STRING, params=STRING)
    run = required(
        tmp_path, record(x=STRING, y=STRING, params=STRING), new, surfaces, bases='[bases]\nA = ["Result"]\n'
    )
    unsupplied(NEW, run.named[NEW], run.superset, run.bases, run.policy)
    assert [line for line in run.policy.idle if line.file == "surfaces"] == []
    assert not newly_required(NEW, "x", {})


def test_the_wire_supplies_members_of_results_alone(tmp_path: Path) -> None:
    new = record("x", x=STRING)
    fault = "requires x, which the superset may leave unset: only the caller can supply it, is that so?"
    for surfaces in (INJECTED, LEAST["surfaces"]):
        run = required(tmp_path / str(len(surfaces)), record(x=STRING), new, surfaces)
        with pytest.raises(Problem) as caught:
            unsupplied(NEW, run.named[NEW], run.superset, run.bases, run.policy)
        assert str(caught.value).startswith(f"2025-06-01#/$defs/A/required: {fault}")
        assert "inject" not in str(caught.value)
    run = required(tmp_path / "result", record(x=STRING), new, bases='[bases]\nA = ["Result"]\n')
    with pytest.raises(Problem, match=r"caller, or a value under \[inject\]\?"):
        unsupplied(NEW, run.named[NEW], run.superset, run.bases, run.policy)
    run = required(tmp_path / "caller", record(x=STRING), new, 'caller = ["A.x"]\n' + INJECTED)
    unsupplied(NEW, run.named[NEW], run.superset, run.bases, run.policy)


def test_batches() -> None:
    assert has_batches({"JSONRPCBatchRequest": {}})
    assert not has_batches({})
