from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from mcp_surfaces import jsonrpc
from mcp_surfaces.framing import read_batch
from mcp_surfaces.jsonrpc import (
    JSONRPC_VERSION,
    Error,
    ErrorData,
    JSONRPCBatchRequest,
    JSONRPCBatchResponse,
    JSONRPCError,
    JSONRPCErrorResponse,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    JSONRPCResultResponse,
    classify,
    jsonrpc_message_adapter,
    read_frame,
)
from mcp_surfaces.located import located

SHARED = Path(__file__).parents[2] / "shared"


def frame(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


FRAMES: list[tuple[dict[str, Any], type[Any]]] = [
    (frame(id=1, method="ping"), JSONRPCRequest),
    (frame(id="", method="", params={}), JSONRPCRequest),
    (frame(id=0, method="m", params={"a": [1, 1.0, None], "_meta": {}}), JSONRPCRequest),
    (frame(id=2.0, method="m"), JSONRPCRequest),
    (frame(id=2**70, method="m", vendor={"a": None}), JSONRPCRequest),
    (frame(method="m"), JSONRPCNotification),
    (frame(method="m", params={}), JSONRPCNotification),
    (frame(id="1", result={}), JSONRPCResponse),
    (frame(id=1, result={"a": None}, error=None), JSONRPCResponse),
    (frame(id=1, result={}, method=None, params=None), JSONRPCResponse),
    (frame(id=1, error={"code": -32000, "message": "", "data": None}), JSONRPCError),
    (frame(id=1, error={"code": 4001, "message": "m", "data": 0, "retryAfter": 3}), JSONRPCError),
    (frame(id=None, error={"code": 1.0, "message": "m"}), JSONRPCError),
    (frame(error={"code": 1, "message": "m"}, result=None), JSONRPCError),
]


@pytest.mark.parametrize(("data", "kind"), FRAMES)
def test_frames_come_back_as_they_were(data: dict[str, Any], kind: type[Any]) -> None:
    before = copy.deepcopy(data)
    text = json.dumps(data)
    assert classify(data) is kind
    for parsed in (
        read_frame(data),
        jsonrpc_message_adapter.validate_python(data),
        jsonrpc_message_adapter.validate_json(text),
        kind.model_validate(data),
        pickle.loads(pickle.dumps(read_frame(data))),
        copy.deepcopy(read_frame(data)),
    ):
        assert type(parsed) is kind
        expected = {
            name: value for name, value in data.items() if (name, value) != ("params", None) or kind is JSONRPCResponse
        }
        assert json.loads(parsed.model_dump_json()) == parsed.model_dump() == expected
        assert str(parsed.model_dump()["jsonrpc"]) == JSONRPC_VERSION
        assert repr(getattr(parsed, "id", None)) == repr(data.get("id"))
        assert jsonrpc_message_adapter.dump_json(parsed) == parsed.model_dump_json().encode()
        assert read_frame(parsed) is parsed
    assert data == before


def test_null_params_are_absent() -> None:
    parsed = read_frame(frame(method="m", params=None))
    assert parsed.model_dump() == frame(method="m")


def test_absent_and_null_are_told_apart() -> None:
    absent = ErrorData(code=1, message="m")
    null = ErrorData(code=1, message="m", data=None)
    assert (absent.data, null.data) == (None, None)
    assert absent.model_dump() == {"code": 1, "message": "m"}
    assert null.model_dump() == {"code": 1, "message": "m", "data": None}
    assert JSONRPCError(jsonrpc="2.0", error=absent).model_dump() == frame(error={"code": 1, "message": "m"})
    assert JSONRPCError(jsonrpc="2.0", error=absent).id is None
    assert JSONRPCError(jsonrpc="2.0", id=None, error=absent).model_dump()["id"] is None


def faults(error: ValidationError, data: object) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(entry["type"], entry["loc"]) for entry in located(error, data).errors()]


BAD_IDS: tuple[Any, ...] = (True, False, None, 1.5, {}, [], float("inf"), float("nan"))
FAULTS: list[tuple[Any, list[tuple[str, tuple[str | int, ...]]]]] = [
    (frame(id=1, method="m", params=[]), [("dict_type", ("params",))]),
    (frame(id=1, method=5), [("string_type", ("method",))]),
    (frame(id=1, method=None), [("string_type", ("method",))]),
    (frame(method=None), [("string_type", ("method",))]),
    ({"id": 1, "method": "m"}, [("missing", ("jsonrpc",))]),
    ({"jsonrpc": "1.0", "method": "m"}, [("literal_error", ("jsonrpc",))]),
    ({"jsonrpc": 2.0, "id": 1, "result": {}}, [("literal_error", ("jsonrpc",))]),
    (frame(id=1, result=None), [("dict_type", ("result",))]),
    (frame(id=1, result=None, error=None), [("dict_type", ("result",))]),
    (frame(id=1, result=[]), [("dict_type", ("result",))]),
    (frame(result={}), [("missing", ("id",))]),
    (frame(id=1, error=None), [("model_type", ("error",))]),
    (frame(id=1, error="boom"), [("model_type", ("error",))]),
    (frame(id=1, error={"code": True, "message": "m"}), [("int_type", ("error", "code"))]),
    (frame(id=1, error={"code": "1", "message": "m"}), [("int_type", ("error", "code"))]),
    (frame(id=1, error={"code": 1.5, "message": "m"}), [("multiple_of", ("error", "code"))]),
    (frame(id=1, error={"code": 1, "message": 42}), [("string_type", ("error", "message"))]),
    (frame(id=1, error={"code": 1}), [("missing", ("error", "message"))]),
    (frame(id=True, error={"code": 1, "message": ""}), [("int_type", ("id",)), ("string_type", ("id",))]),
    (frame(id=1, result={}, error={"code": 1, "message": "m"}), [("frame_invalid", ())]),
    (frame(id=1, method="m", result={}), [("frame_invalid", ())]),
    (frame(id=1, method="m", error={}), [("frame_invalid", ())]),
    (frame(id=1), [("frame_invalid", ())]),
    ({}, [("frame_invalid", ())]),
    ([], [("frame_invalid", ())]),
    ("ping", [("frame_invalid", ())]),
    (None, [("frame_invalid", ())]),
    (ErrorData(code=1, message=""), [("frame_invalid", ())]),
]


@pytest.mark.parametrize(("data", "expected"), FAULTS)
def test_one_defect_is_one_or_two_errors(data: Any, expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    for read in (read_frame, jsonrpc_message_adapter.validate_python):
        with pytest.raises(ValidationError) as caught:
            read(data)
        assert sorted(faults(caught.value, data)) == sorted(expected)  # typing caches unions in either order


@pytest.mark.parametrize("bad", BAD_IDS)
@pytest.mark.parametrize("rest", [{"method": "m"}, {"result": {}}], ids=["request", "response"])
def test_a_bad_id_is_refused(bad: Any, rest: dict[str, Any]) -> None:
    data = frame(id=bad, **rest)
    with pytest.raises(ValidationError) as caught:
        read_frame(data)
    errors = faults(caught.value, data)
    assert 1 <= len(errors) <= 2
    assert {loc for _, loc in errors} == {("id",)}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
members = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"])


@given(st.dictionaries(members, st.just("2.0") | json_values | st.just({"code": 1, "message": ""})))
def test_any_object_is_one_kind_or_refused(data: dict[str, Any]) -> None:
    try:
        parsed = read_frame(data)
    except ValidationError:
        return
    assert type(parsed) is classify(data)
    given_id = data.get("id", "absent")
    assert isinstance(parsed, JSONRPCNotification) == (given_id == "absent" and data.get("method") is not None)
    dropped = {"params"} if data.get("params") is None and data.get("method") is not None else set[str]()
    assert parsed.model_dump() == {name: value for name, value in data.items() if name not in dropped}


REQUESTS: list[Any] = [frame(id="a", method="ping"), frame(method="notifications/initialized")]
RESPONSES: list[Any] = [frame(id=1, result={}), frame(id=2, error={"code": -32601, "message": "m"})]


@pytest.mark.parametrize(("batch", "alias"), [(REQUESTS, JSONRPCBatchRequest), (RESPONSES, JSONRPCBatchResponse)])
def test_batches(batch: list[Any], alias: Any) -> None:
    frames = read_batch(batch)
    assert [f.model_dump() for f in frames] == batch
    assert [type(f) for f in frames] == [classify(f) for f in batch]
    assert read_batch(frames) == frames
    adapter: TypeAdapter[Any] = TypeAdapter(alias)
    assert adapter.validate_json(json.dumps(batch)) == frames
    assert json.loads(adapter.dump_json(frames)) == batch
    assert read_batch([]) == []


BAD_BATCHES: list[tuple[Any, list[tuple[str, tuple[str | int, ...]]]]] = [
    ([*REQUESTS, *RESPONSES], [("frame_invalid", (2,)), ("frame_invalid", (3,))]),
    ([*RESPONSES, REQUESTS[0]], [("frame_invalid", (2,))]),
    ([REQUESTS[0], 5], [("frame_invalid", (1,))]),
    ([[]], [("frame_invalid", (0,))]),
    ([frame(id=1, method=5)], [("string_type", (0, "method"))]),
    ({}, [("list_type", ())]),
    (None, [("list_type", ())]),
]


@pytest.mark.parametrize(("batch", "expected"), BAD_BATCHES)
def test_bad_batches(batch: Any, expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    with pytest.raises(ValidationError) as caught:
        read_batch(batch)
    assert faults(caught.value, batch) == expected


def test_names() -> None:
    assert (Error, JSONRPCErrorResponse, JSONRPCResultResponse) == (ErrorData, JSONRPCError, JSONRPCResponse)
    assert all(hasattr(jsonrpc, name) for name in jsonrpc.__all__)
    assert jsonrpc.jsonrpc_message_adapter is jsonrpc_message_adapter
    module: Any = jsonrpc
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing


def test_covers_the_peer() -> None:
    peer = pytest.importorskip("mcp_types.jsonrpc")
    assert set(peer.__all__) <= set(jsonrpc.__all__)
    for name in peer.__all__:
        if name.isupper():
            assert getattr(jsonrpc, name) == getattr(peer, name)


def test_json_schema() -> None:
    schema = jsonrpc.jsonrpc_message_adapter.json_schema()
    assert [arm["$ref"].rpartition("/")[2] for arm in schema["anyOf"]] == [
        "JSONRPCRequest",
        "JSONRPCNotification",
        "JSONRPCResponse",
        "JSONRPCError",
    ]


def reported() -> list[Any]:
    path = SHARED / "cases" / "reported.jsonl"
    cases = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [pytest.param(c, id=c["id"]) for c in cases if c["kind"] == "frame" and c["op"] in ("parse", "roundtrip")]


@pytest.mark.parametrize("case", reported())
def test_reported_cases(case: dict[str, Any]) -> None:
    data: Any = case["input"]
    if case.get("raw"):
        pytest.skip("a text: see test_strict_json")
    batch = isinstance(data, list) and case["version"] == "2025-03-26"
    read: Any = read_batch if batch else read_frame
    if case["expect"] == "reject":
        with pytest.raises(ValidationError):
            read(data)
        return
    parsed = read(data)
    dumped = [f.model_dump() for f in parsed] if batch else parsed.model_dump()
    if case["op"] == "roundtrip":
        assert dumped == data


def traffic() -> list[Any]:
    return [pytest.param(path, id=path.stem) for path in sorted((SHARED / "traffic").glob("*.jsonl"))]


@pytest.mark.parametrize("path", traffic())
def test_traffic_comes_back_equal(path: Path) -> None:
    for line in path.read_text().splitlines():
        record = json.loads(line)
        data: Any = record["frame"]
        many = type(record["frame"]) is list
        try:
            parsed = read_batch(data) if many else [read_frame(data)]
        except ValidationError:
            assert "deviates" in record, record
            continue
        for member, sent in zip(parsed, data if many else [data], strict=True):
            expected = {name: value for name, value in sent.items() if (name, value) != ("params", None)}
            assert json.loads(member.model_dump_json()) == expected
