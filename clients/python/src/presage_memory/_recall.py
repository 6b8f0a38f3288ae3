from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeAlias

from ._generated.records import Context

Recall: TypeAlias = Context


class AsyncRecall:
    """A recall that has not been asked yet: await it for its context, or its `prompt` for a text."""

    def __init__(self, send: Callable[[str], Awaitable[Context]], form: str) -> None:
        self._send = send
        self._form = form

    def __await__(self) -> Generator[Any, None, Context]:
        return self._send(self._form).__await__()

    @property
    def prompt(self) -> Awaitable[str]:
        """What was recalled, as a text for the prompt of a model."""
        return self._prompt()

    async def _prompt(self) -> str:
        return (await self._send("prompt")).prompt or ""


def begin_recall_async(send: Callable[[str], Awaitable[Context]], form: str) -> AsyncRecall:
    return AsyncRecall(send, form)


def begin_recall(send: Callable[[str], Context], form: str) -> Context:
    return send(form)
