"""How an adapter takes part in the turns of a conversation: it recalls before the model is asked, and keeps what was
said."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypedDict, TypeVar

from presage_memory import AsyncPresage, ContextNotFoundError, PresageError, RateLimitError, ServiceUnavailableError

from .owner import Owner

Answer = TypeVar("Answer")
logger = logging.getLogger("presage_memory_adapters")

_LONGEST_QUESTION = 2_000
"""The service takes no longer question; its end says most."""
_IMPATIENCE: dict[str, Any] = {"timeout": 5, "max_retries": 1}
"""Somebody waits for an answer, and would wait minutes for all that the client tries by itself."""


class RecallOptions(TypedDict, total=False):
    """How memories are recalled."""

    context_budget: int
    max_results: int
    min_relevance: float
    mode: str
    types: list[str]


def warn(error: PresageError) -> None:
    logger.warning("memories are left out: %s", error)


class Turns:
    """While the service is away or asks for patience, the agent goes on without memories, and `on_unavailable` is told;
    every other error, such as a wrong key, is raised."""

    def __init__(
        self,
        memory: AsyncPresage,
        owner: Owner,
        *,
        conversation_id: str | None = None,
        recall: RecallOptions | None = None,
        on_unavailable: Callable[[PresageError], None] = warn,
    ) -> None:
        """Without `conversation_id` nothing that is said is kept."""
        self._memory = memory
        self._owner = owner
        self._conversation_id = conversation_id
        self._recall = recall or {}
        self._on_unavailable = on_unavailable

    async def block(self, question: str) -> str:
        """What bears on a question, as a block of text that marks its items as data; empty when nothing does, or the
        service is away. It is meant for a message of the user's: what somebody once said must not speak with the voice
        of the system."""
        query = question.strip()[-_LONGEST_QUESTION:]
        # A conversation that never was is no error where its owner is named.
        known = {"conversation_id": self._conversation_id} if self._owner and self._conversation_id else {}

        async def ask() -> str:
            asked = self._memory.recall(query or [], **self._recall, **self._owner, **known, **_IMPATIENCE)  # type: ignore[arg-type]
            return await asked.prompt

        return await self._unless_away(ask) or ""

    async def keep(self, *turns: tuple[str, str]) -> None:
        """Keeps turns (role, content) in the conversation, in their order. Blank ones are left out."""
        said = [{"role": role, "content": content} for role, content in turns if content.strip()]
        conversation_id = self._conversation_id
        if conversation_id is None or not said:
            return

        async def say() -> None:
            await self._memory.conversations.say(conversation_id, said, **self._owner, **_IMPATIENCE)  # type: ignore[arg-type]

        await self._unless_away(say)

    async def said(self, last: int) -> list[tuple[str, str]]:
        """The last turns of the conversation (role, content), oldest first; none where nothing was said yet, or the
        service is away."""
        conversation_id = self._conversation_id
        if conversation_id is None:
            return []

        async def read() -> list[tuple[str, str]]:
            try:
                conversation = await self._memory.conversations.get(
                    conversation_id, last=last, **self._owner, **_IMPATIENCE
                )
            except ContextNotFoundError:
                return []
            return [(each.role, each.content) for each in conversation.recent_messages]

        return await self._unless_away(read) or []

    async def _unless_away(self, call: Callable[[], Awaitable[Answer]]) -> Answer | None:
        try:
            return await call()
        except (ServiceUnavailableError, RateLimitError) as error:
            self._on_unavailable(error)
            return None
