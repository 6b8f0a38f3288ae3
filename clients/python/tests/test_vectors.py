"""The vectors that all clients pass, on the asynchronous and on the synchronous client."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import presage_memory
from presage_memory import (
    ApiError,
    AsyncClock,
    AsyncPresage,
    Clock,
    IngestionFailedError,
    Presage,
    PresageError,
    Record,
)

from .scripted_server import Received, scripted_server

Vector = dict[str, Any]
folder = Path(__file__).resolve().parents[2] / "vectors"
vectors: list[tuple[str, Vector]] = [
    (f"{path.stem}: {vector['name']}", vector)
    for path in sorted(folder.glob("*.json"))
    for vector in json.loads(path.read_text())
]
uuid = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class ScriptedAsyncClock(AsyncClock):
    def __init__(self) -> None:
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def random(self) -> float:
        return 0.5


class ScriptedClock(Clock):
    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def random(self) -> float:
        return 0.5


def test_every_error_of_the_package_has_a_vector() -> None:
    assert len(vectors) >= 60
    seen = {vector["error"]["class"] for _, vector in vectors if "error" in vector}
    own = {name for name in presage_memory.__all__ if name.endswith("Error") and name != "PresageError"}
    assert own <= seen


@pytest.mark.parametrize("vector", [vector for _, vector in vectors], ids=[name for name, _ in vectors])
@pytest.mark.parametrize("kind", ["asynchronous", "synchronous"])
def test_vector(kind: str, vector: Vector) -> None:
    with scripted_server(vector["exchanges"]) as server:
        settings = vector.get("client", {})
        options: dict[str, Any] = {"base_url": server.url, "max_retries": settings.get("max_retries", 5)}
        options["timeout"] = settings.get("timeout_ms", 60_000) / 1000
        clock: ScriptedClock | ScriptedAsyncClock = ScriptedClock() if kind == "synchronous" else ScriptedAsyncClock()

        def run() -> Any:
            if isinstance(clock, ScriptedClock):
                with Presage("presage_test", clock=clock, **options) as client:
                    return call_sync(client, vector)
            return asyncio.run(call_async(AsyncPresage("presage_test", clock=clock, **options), vector))

        if "error" in vector:
            with pytest.raises(PresageError) as raised:
                run()
            expect_error(raised.value, vector["error"])
        else:
            expect_part(run(), vector["result"])
        expect_requests(server.received, vector["exchanges"])
        assert [round(seconds * 1000, 3) for seconds in clock.pauses] == vector.get("pauses_ms", [])


def method_of(client: object, call: dict[str, Any]) -> Any:
    found: Any = client
    for name in call["method"].split("."):
        found = getattr(found, name)
    return found


def given_to(call: dict[str, Any]) -> dict[str, Any]:
    options = dict(call.get("options", {}))
    if "timeout_ms" in options:
        options["timeout"] = options.pop("timeout_ms") / 1000
    return {**call.get("params", {}), **options}


def taken(answer: Any, take: str | None) -> Any:
    if take == "response":
        names = ("status", "correlation_id", "config_version", "attempts")
        return {name: getattr(answer.response, name) for name in names}
    return answer


def call_sync(client: Presage, vector: Vector) -> Any:
    call, take = vector["call"], vector.get("take")
    given = given_to(call)
    if take == "prompt":
        return method_of(client, call)(*call.get("args", []), **given, format="prompt").prompt
    answer = method_of(client, call)(*call.get("args", []), **given)
    if take == "ids":
        return [each.id for each in answer]
    return answer.first() if take == "page" else taken(answer, take)


async def call_async(client: AsyncPresage, vector: Vector) -> Any:
    call, take = vector["call"], vector.get("take")
    async with client:
        answer = method_of(client, call)(*call.get("args", []), **given_to(call))
        if take == "ids":
            return [each.id async for each in answer]
        if take == "page":
            return await answer.first()
        if take == "prompt":
            return await answer.prompt
        assert isinstance(answer, Awaitable)
        return taken(await answer, take)


def expect_part(result: Any, expected: Any) -> None:
    """Every member that is expected is there; times are compared as times."""
    if isinstance(result, Record):
        result = result.model_dump(exclude_none=False)
    if isinstance(result, datetime):
        assert result == datetime.fromisoformat(expected)
    elif isinstance(expected, dict):
        for name, value in expected.items():
            assert name in result, name
            expect_part(result[name], value)
    elif isinstance(expected, list):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            expect_part(one, other)
    else:
        assert result == expected


def expect_error(error: PresageError, expected: dict[str, Any]) -> None:
    assert type(error).__name__ == expected["class"]
    for name in ["PresageError", *expected.get("is", [])]:
        assert isinstance(error, getattr(presage_memory, name))
    for name in expected.get("not", []):
        assert not isinstance(error, getattr(presage_memory, name))
    assert "presage_test" not in f"{error!r} {error}"
    if "fields" in expected:
        assert isinstance(error, ApiError)
        assert [each["field"] for each in error.errors] == expected["fields"]
    if "message" in expected:
        assert str(error) == expected["message"]
    if isinstance(error, IngestionFailedError) and "ingestion" in expected:
        expect_part(error.ingestion, expected["ingestion"])
    for name in expected.keys() - {"class", "is", "not", "fields", "message", "ingestion"}:
        assert getattr(error, name) == expected[name], name


def expect_requests(received: list[Received], exchanges: list[dict[str, Any]]) -> None:
    assert len(received) == len(exchanges), [f"{each.method} {each.path}" for each in received]
    for n, (sent, exchange) in enumerate(zip(received, exchanges, strict=True)):
        request = exchange.get("request")
        if request is None:
            if n > 0:
                assert essence(sent) == essence(received[n - 1])
            continue
        assert (sent.method, sent.path) == (request["method"], request["path"])
        assert sent.query == request.get("query", {})
        assert with_any_uuid(sent.body, request.get("body"))
        for name, value in request.get("headers", {}).items():
            assert with_any_uuid(sent.headers.get(name), value), name


def essence(sent: Received) -> tuple[Any, ...]:
    return sent.method, sent.path, sent.query, sent.body, sent.headers.get("idempotency-key")


def with_any_uuid(sent: Any, expected: Any) -> bool:
    if expected == "$uuid":
        return isinstance(sent, str) and uuid.fullmatch(sent) is not None
    if isinstance(expected, dict) and isinstance(sent, dict):
        return sent.keys() == expected.keys() and all(with_any_uuid(sent[name], expected[name]) for name in expected)
    return bool(sent == expected)
