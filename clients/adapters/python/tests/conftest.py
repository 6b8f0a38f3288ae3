from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from presage_memory import AsyncPresage, Presage
from presage_memory._async.connection import AsyncClock

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "python" / "tests"))
from real_service import RealService, real_service


class Instant(AsyncClock):
    async def sleep(self, seconds: float) -> None:
        pass


@pytest.fixture(scope="session")
def service() -> Iterator[RealService]:
    with real_service() as running:
        yield running


@pytest.fixture
def memory(service: RealService) -> Iterator[Presage]:
    with Presage(service.key, base_url=service.url) as client:
        yield client


@pytest.fixture
def connect(service: RealService) -> Callable[[], AsyncPresage]:
    """A client of the running loop."""
    return lambda: AsyncPresage(service.key, base_url=service.url)


@pytest.fixture
def away() -> AsyncPresage:
    """A client of a service that nobody serves, asked again without pauses."""
    return AsyncPresage("presage_x", base_url="http://127.0.0.1:9", clock=Instant())


@pytest.fixture
def user_id() -> str:
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def somebody_else() -> str:
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def said(memory: Presage) -> Callable[[str], list[str]]:
    """What a conversation is known to hold."""

    def read(conversation_id: str) -> list[str]:
        messages = memory.conversations.get(conversation_id).recent_messages
        return [f"{each.role}: {each.content}" for each in messages]

    return read
