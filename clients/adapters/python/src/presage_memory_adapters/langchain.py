"""A retriever and a chat history for LangChain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.retrievers import BaseRetriever
from presage_memory import ContextNotFoundError, Presage
from pydantic import ConfigDict, Field

from .owner import owner_of

_MOST_MESSAGES = 100
"""The service answers no more of a conversation at once."""


class PresageRetriever(BaseRetriever):
    """Recalls memories as documents: their content, and all else that is known of them as metadata."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    memory: Presage = Field(exclude=True)
    user_id: str | None = None
    customer_id: str | None = None
    recall: dict[str, Any] = Field(default_factory=dict)
    """Further parameters of `recall`, such as `max_results`, `min_relevance` or `mode`."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.memory.recall(query, **self.recall, **owner_of(self.user_id, self.customer_id))
        return [
            Document(id=each.id, page_content=each.content, metadata=each.model_dump(mode="json", exclude={"content"}))
            for each in found.memories
        ]


class PresageChatMessageHistory(BaseChatMessageHistory):
    """The history of a conversation, which becomes memories by itself. It keeps what was said: the text of messages of
    people, of the model and of the system. Calls of tools and their results belong to a run, and are left out."""

    def __init__(
        self,
        memory: Presage,
        conversation_id: str,
        *,
        user_id: str | None = None,
        customer_id: str | None = None,
        last: int = _MOST_MESSAGES,
    ) -> None:
        """`last`: how many messages are read back, 100 at most."""
        self._memory = memory
        self._conversation_id = conversation_id
        self._owner = owner_of(user_id, customer_id)
        self._last = last

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        try:
            conversation = self._memory.conversations.get(self._conversation_id, last=self._last, **self._owner)
        except ContextNotFoundError:  # nothing was said yet
            return []
        return [_to_message(each.role, each.content) for each in conversation.recent_messages]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        said = [
            {"role": _roles[message.type], "content": str(message.text)}
            for message in messages
            if message.type in _roles and str(message.text).strip()
        ]
        if said:
            self._memory.conversations.say(self._conversation_id, said, **self._owner)  # type: ignore[arg-type]

    def clear(self) -> None:
        """Refused: a history that forgot would leave the memories that were made of it."""
        raise NotImplementedError(
            "Presage does not clear a conversation: begin another conversation_id, or forget its user with users.forget"
        )


_roles = {"human": "user", "ai": "assistant", "system": "system"}


def _to_message(role: str, content: str) -> BaseMessage:
    if role == "assistant":
        return AIMessage(content)
    return SystemMessage(content) if role == "system" else HumanMessage(content)
