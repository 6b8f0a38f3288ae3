"""The adapters for LangChain, on the real framework and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from guide import play
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables.history import RunnableWithMessageHistory
from presage_memory import Presage

from presage_memory_adapters.langchain import PresageChatMessageHistory, PresageRetriever


def test_a_retriever_answers_memories_as_documents_in_a_chain(memory: Presage, user_id: str) -> None:
    memory.remember("I am allergic to peanuts. I live in Leeds.", user_id=user_id)
    retriever = PresageRetriever(memory=memory, user_id=user_id, recall={"max_results": 3})
    documents = retriever.invoke("What must I not eat?")
    assert "peanuts" in documents[0].page_content
    assert (documents[0].id or "").startswith("mem_") and documents[0].metadata["user_id"] == user_id
    assert (retriever | (lambda found: len(found))).invoke("Where do I live?") <= 3
    assert asyncio.run(retriever.ainvoke("What must I not eat?"))[0].page_content == documents[0].page_content


def test_a_retriever_finds_nothing_of_another_user(memory: Presage, user_id: str, somebody_else: str) -> None:
    memory.remember("I am allergic to peanuts.", user_id=somebody_else)
    assert PresageRetriever(memory=memory, user_id=user_id).invoke("peanuts") == []


def test_a_history_is_read_before_and_written_after_each_run_and_becomes_memories(
    memory: Presage, user_id: str
) -> None:
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{input}")])
    chat = RunnableWithMessageHistory(
        prompt | FakeListChatModel(responses=["How nice.", "In York."]),
        lambda session_id: PresageChatMessageHistory(memory, session_id, user_id=user_id),
        input_messages_key="input",
        history_messages_key="history",
    )
    name = f"c-{user_id}"
    config = {"configurable": {"session_id": name}}
    chat.invoke({"input": "I moved to York."}, config)
    assert chat.invoke({"input": "Where do I live?"}, config).content == "In York."
    history = PresageChatMessageHistory(memory, name, user_id=user_id)
    assert [(each.type, each.content) for each in history.messages] == [
        ("human", "I moved to York."),
        ("ai", "How nice."),
        ("human", "Where do I live?"),
        ("ai", "In York."),
    ]
    for ingestion_id in memory.conversations.end(name).ingestion_ids:
        memory.ingestions.get(ingestion_id, wait=30)
    assert "York" in memory.recall("Where do I live?", user_id=user_id).memories[0].content


def test_an_unknown_history_is_empty_and_calls_of_tools_are_left_out(
    memory: Presage, user_id: str, said: Callable[[str], list[str]]
) -> None:
    history = PresageChatMessageHistory(memory, f"t-{user_id}", user_id=user_id)
    assert history.messages == []
    history.add_messages(
        [
            HumanMessage("What is the time?"),
            AIMessage("", tool_calls=[{"name": "clock", "args": {}, "id": "1"}]),
            ToolMessage("12:00", tool_call_id="1"),
            AIMessage("Noon."),
        ]
    )
    assert said(f"t-{user_id}") == ["user: What is the time?", "assistant: Noon."]
    with pytest.raises(NotImplementedError, match="begin another conversation_id"):
        history.clear()


def test_the_guide_works(memory: Presage) -> None:
    memory.remember("I am allergic to peanuts.", user_id="ada")

    class Graph:
        """As the guide's own, whose tests are those of LangGraph."""

        def compile(self, store: object) -> object:
            return store

    made = asyncio.run(play("langchain", memory=memory, graph=Graph()))
    assert made["retriever"].invoke("What must I not eat?")[0].page_content == "I am allergic to peanuts."
    made["history"].add_messages([HumanMessage("What can I cook tonight?")])
    assert made["history"].messages[-1].content == "What can I cook tonight?"
