"""A session for the OpenAI Agents SDK."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents import RunConfig
from agents.items import TResponseInputItem
from agents.memory import Session, SQLiteSession
from agents.memory.session import SessionABC
from agents.run import CallModelData, ModelInputData
from presage_memory import AsyncPresage, PresageError

from .owner import owner_of
from .turns import RecallOptions, Turns, warn

_MOST_MESSAGES = 100
"""The service answers no more of a conversation at once."""


class PresageSession(SessionABC):
    """A session whose messages are kept in a conversation of Presage and become memories by themselves. Run with
    `run_config=session.run_config()`, and what bears on the user's message stands before it, as a message of data.

    `history` keeps every item for the run, calls of tools too: by default in this process, where it begins with the
    messages of the conversation, so that a session goes on after a restart. Another session of the SDK may be given.
    What is cleared or popped there stays remembered: forget the user, or a memory, for that.
    """

    def __init__(
        self,
        memory: AsyncPresage,
        session_id: str,
        *,
        user_id: str | None = None,
        customer_id: str | None = None,
        history: Session | None = None,
        recall: RecallOptions | None = None,
        on_unavailable: Callable[[PresageError], None] = warn,
    ) -> None:
        self.session_id = session_id
        owner = owner_of(user_id, customer_id)
        self._history = history or SQLiteSession(session_id)
        self._is_begun = history is not None
        self._turns = Turns(memory, owner, conversation_id=session_id, recall=recall, on_unavailable=on_unavailable)
        self._last: tuple[str, str] | None = None

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        await self._begin()
        return await self._history.get_items(limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await self._begin()
        await self._history.add_items(items)
        await self._turns.keep(*[turn for item in items if (turn := _turn_of(item))])

    async def pop_item(self) -> TResponseInputItem | None:
        await self._begin()
        return await self._history.pop_item()

    async def clear_session(self) -> None:
        self._is_begun = True
        await self._history.clear_session()

    def run_config(self, **settings: Any) -> RunConfig:
        """The settings of a run, with memories."""
        return RunConfig(**settings, call_model_input_filter=self.with_memories)

    async def with_memories(self, data: CallModelData[Any]) -> ModelInputData:
        """A `call_model_input_filter`: the input with the block of memories before the last message of the user."""
        items = data.model_data.input
        at = next((n for n in reversed(range(len(items))) if _role_of(items[n]) == "user"), None)
        block = await self._block_for(items, at) if at is not None else ""
        if block:
            offered: TResponseInputItem = {"role": "user", "content": block}
            items = [*items[:at], offered, *items[at:]]
        return ModelInputData(input=items, instructions=data.model_data.instructions)

    async def _block_for(self, items: list[TResponseInputItem], at: int) -> str:
        """While the model calls tools, its steps share one block: the prompt's prefix stays as it was."""
        question = _text_of(items[at])
        if self._last is None or self._last[0] != question or at == len(items) - 1:
            self._last = question, await self._turns.block(question)
        return self._last[1]

    async def _begin(self) -> None:
        if self._is_begun:
            return
        self._is_begun = True
        turns = await self._turns.said(_MOST_MESSAGES)
        said: list[Any] = [
            {"role": role, "content": content} for role, content in turns if role in ("user", "assistant")
        ]
        await self._history.add_items(said)


def _role_of(item: Any) -> str | None:
    return item.get("role") if isinstance(item, dict) else None


def _text_of(item: Any) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or [] if isinstance(part.get("text"), str))


def _turn_of(item: Any) -> tuple[str, str] | None:
    """Calls of tools and their results belong to the run, and are not said by anybody."""
    role = _role_of(item)
    return (role, _text_of(item)) if role in ("user", "assistant") else None
