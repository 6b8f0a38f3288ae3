"""No write is lost and none is done twice, whatever stands between the client and the service."""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from presage_memory import Clock, Presage
from presage_memory._generated.records import Memory

from .real_service import RealService

script = Path(__file__).resolve().parents[2] / "support" / "failing-front.mjs"
places = ["Leeds", "York", "Bath", "Hull", "Ripon", "Derby", "Truro", "Wells"]
SECOND = 1 if os.environ.get("PROOF") == "full" else 0.05
"""A second of the client takes so long: with PROOF=full it is a second."""


class FastClock(Clock):
    def sleep(self, seconds: float) -> None:
        time.sleep(seconds * SECOND)

    def random(self) -> float:
        return random.random()


class FailingFront:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.url = str(self._read()["url"])

    def tell(self, command: str) -> int:
        """`busy N`, `unavailable MS`; returns how many requests it has failed."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return int(str(self._read()["failed"]))

    def _read(self) -> dict[str, object]:
        assert self._process.stdout is not None
        told: dict[str, object] = json.loads(self._process.stdout.readline())
        return told


@pytest.fixture
def front(service: RealService) -> Iterator[FailingFront]:
    command = ["node", str(script), service.url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield FailingFront(process)
        assert process.stdin is not None
        process.stdin.close()


def write_all(front: FailingFront, service: RealService, user_id: str) -> None:
    """Writes of every kind at once, each of which tells its place."""
    with Presage(service.key, base_url=front.url, clock=FastClock()) as client, ThreadPoolExecutor(len(places)) as pool:

        def write(n: int) -> None:
            client.remember(f"I went to {places[n]} on holiday.", user_id=user_id)
            said = f"And {places[n]} was sunny."
            client.conversations.say(f"c-{user_id}-{n}", {"role": "user", "content": said}, user_id=user_id)

        list(pool.map(write, range(len(places))))


def once_there(memory: Presage, user_id: str, words: str) -> list[Memory]:
    """The memories with these words. Where the service is busy, a write is answered before it has become memories."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        kept = memory.memories.list(user_id=user_id, limit=100).first().data
        if own := [each for each in kept if words in each.content]:
            return own
        time.sleep(0.1)
    raise AssertionError(f"no memory says {words}")


def expect_each_once(service: RealService, user_id: str) -> None:
    with Presage(service.key, base_url=service.url) as memory:
        for n in range(len(places)):
            assert memory.conversations.get(f"c-{user_id}-{n}").message_count == 1
        for place in places:
            own = once_there(memory, user_id, f"{place} on holiday")
            assert len({evidence.document_id for each in own for evidence in each.evidence}) == 1


def test_in_a_storm_of_429_half_of_them_answers_to_what_was_done(front: FailingFront, service: RealService) -> None:
    front.tell("busy 20")
    write_all(front, service, "py-storm-1")
    assert front.tell("busy 0") >= 20
    expect_each_once(service, "py-storm-1")


def test_while_the_service_is_unavailable_for_ten_seconds_and_does_half_of_what_it_refuses(
    front: FailingFront, service: RealService
) -> None:
    front.tell(f"unavailable {int(10 * SECOND * 1000)}")
    write_all(front, service, "py-outage-1")
    assert front.tell("unavailable 0") > 0
    expect_each_once(service, "py-outage-1")
