"""The store for LangGraph, on the real framework and a scripted model."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any, TypedDict

import pytest
from guide import play
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, PutOp
from presage_memory import Presage

from presage_memory_adapters.langgraph import PresageStore


@pytest.fixture
def store(memory: Presage, user_id: str) -> PresageStore:
    return PresageStore(memory, {"user_id": user_id})


class State(TypedDict, total=False):
    question: str
    answer: str


def test_it_is_the_memory_of_a_graph_across_threads(memory: Presage, user_id: str) -> None:
    model = FakeListChatModel(responses=["Noted.", "Rice."])
    seen: list[list[Any]] = []

    def reply(state: State, config: RunnableConfig, *, store: BaseStore) -> State:
        namespace = ("memories", config["configurable"]["user_id"])
        seen.append([item.value for item in store.search(namespace, query=state["question"])])
        store.put(namespace, f"note-{len(seen)}", {"text": state["question"]})
        return {"answer": str(model.invoke(state["question"]).content)}

    graph = StateGraph(State).add_node("reply", reply).add_edge(START, "reply").add_edge("reply", END)
    agent = graph.compile(store=PresageStore(memory, lambda namespace: {"user_id": namespace[1]}))
    agent.invoke({"question": "I am allergic to peanuts."}, {"configurable": {"user_id": user_id, "thread_id": "1"}})
    asked: State = {"question": "What may I eat, with my allergy?"}
    answered = agent.invoke(asked, {"configurable": {"user_id": user_id, "thread_id": "2"}})
    assert answered["answer"] == "Rice."
    assert seen == [[], [{"text": "I am allergic to peanuts."}]]


def test_what_was_put_is_got_as_it_was_and_keeps_when_it_was_made(store: PresageStore) -> None:
    value = {"name": "Ada", "langs": ["en", "fr"], "nested": {"deep": [1, None, True]}, "text": "It’s “quoted”\n"}
    store.put(("profiles",), "ada", value)
    first = store.get(("profiles",), "ada")
    assert first and (first.namespace, first.key, first.value) == (("profiles",), "ada", value)
    store.put(("profiles",), "ada", {**value, "name": "Ada L."})
    after = store.get(("profiles",), "ada")
    assert after and after.value["name"] == "Ada L."
    assert after.created_at == first.created_at and isinstance(after.created_at, datetime)
    assert after.updated_at > first.updated_at
    assert store.get(("profiles",), "grace") is None


def test_items_are_kept_apart_whose_values_are_alike_or_contradict_each_other(store: PresageStore) -> None:
    store.put(("a",), "1", {"text": "I live in Leeds."})
    store.put(("a",), "2", {"text": "I live in Leeds."})
    store.put(("b",), "1", {"text": "I live in York."})
    assert sorted((*item.namespace, item.key) for item in store.search(())) == [("a", "1"), ("a", "2"), ("b", "1")]


def test_it_is_searched_by_meaning_prefix_and_filter_in_pages(store: PresageStore) -> None:
    foods = ["peanut soup", "rice with beans", "apple pie", "fish and chips"]
    for n, food in enumerate(foods):
        store.put(("food", "mains" if n < 2 else "others"), str(n), {"food": food, "rank": n})
    best = store.search(("food",), query="a dessert with fruit")[0]
    assert best.value["food"] == "apple pie" and best.score

    def keys(*prefix: str, **given: Any) -> list[str]:
        return sorted(item.key for item in store.search(prefix, **given))

    assert keys("food", "mains") == ["0", "1"]
    assert keys("food", filter={"rank": {"$gte": 1, "$lt": 3}}) == ["1", "2"]
    assert keys("food", filter={"food": "apple pie"}) == ["2"]
    assert keys("foo") == []
    assert [len(keys("food", limit=3)), len(keys("food", limit=3, offset=3))] == [3, 1]
    with pytest.raises(ValueError, match=r"\$in"):
        keys("food", filter={"rank": {"$in": [1]}})


def test_an_item_is_found_among_all_that_its_owner_says_and_that_is_kept_elsewhere(
    memory: Presage, store: PresageStore, user_id: str
) -> None:
    store.put(("food",), "pie", {"food": "apple pie"})
    # As many as a search can answer, and each nearer to the question.
    nearer = [f"A dessert with fruit, of the kind {n}." for n in range(100)]
    batch = memory.remember_all([{"document": each, "verbatim": True, "user_id": user_id} for each in nearer])
    for result in batch.results:
        memory.ingestions.get(str(result.ingestion_id), wait=30)
    store.batch([PutOp(("drinks",), str(n), {"food": food}) for n, food in enumerate(nearer)])
    assert [item.value for item in store.search(("food",), query="a dessert with fruit")] == [{"food": "apple pie"}]
    assert len(store.search(("food",))) == 1


def test_what_is_not_to_be_indexed_is_not_found_by_meaning(store: PresageStore) -> None:
    store.put(("x",), "secret", {"text": "bees"}, index=False)
    assert store.search(("x",), query="bees") == []
    found = store.get(("x",), "secret")
    assert found and found.value == {"text": "bees"}


def test_namespaces_are_listed_by_prefix_suffix_and_depth(store: PresageStore) -> None:
    for namespace in [("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("z",)]:
        store.put(namespace, "k", {"n": 1})
    assert store.list_namespaces(prefix=("a", "b")) == [("a", "b", "c"), ("a", "b", "d")]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("a", "x", "c")]
    assert store.list_namespaces(prefix=("a", "*", "c")) == [("a", "b", "c"), ("a", "x", "c")]
    assert store.list_namespaces(max_depth=1) == [("a",), ("z",)]


def test_several_operations_are_one_batch_also_asynchronously(store: PresageStore) -> None:
    store.put(("n",), "old", {"v": 1})
    ops = [
        GetOp(("n",), "old"),
        PutOp(("n",), "old", None),
        PutOp(("n",), "new", {"v": 2}),
        PutOp(("n",), "new", {"v": 3}),
    ]
    read = asyncio.run(store.abatch(ops))[0]
    assert getattr(read, "value", None) == {"v": 1}
    assert store.get(("n",), "old") is None
    found = store.get(("n",), "new")
    assert found and found.value == {"v": 3}
    store.delete(("n",), "never")


def test_no_owner_sees_what_is_anothers(memory: Presage, store: PresageStore, somebody_else: str) -> None:
    store.put(("shared",), "k", {"text": "I keep bees."})
    stranger = PresageStore(memory, {"user_id": somebody_else})
    assert stranger.get(("shared",), "k") is None
    assert stranger.search(("shared",)) == stranger.search(("shared",), query="bees") == []
    stranger.delete(("shared",), "k")
    assert stranger.list_namespaces() == []
    with pytest.raises(ValueError, match="names no owner"):
        PresageStore(memory, lambda _: {}).search(())


def test_what_belongs_to_a_customer_is_apart_from_what_belongs_to_its_users(memory: Presage, user_id: str) -> None:
    of_user = PresageStore(memory, {"user_id": "bo", "customer_id": user_id})
    of_customer = PresageStore(memory, {"customer_id": user_id})
    of_user.put(("n",), "k", {"text": "I keep bees."})
    assert of_customer.get(("n",), "k") is None and of_customer.search(("n",)) == []
    of_customer.put(("n",), "k", {"text": "We sell bees."})
    assert [item.value for item in of_user.search(("n",), query="bees")] == [{"text": "I keep bees."}]
    of_customer.delete(("n",), "k")
    assert of_user.get(("n",), "k") is not None


def test_the_guide_works(memory: Presage) -> None:
    def keep(state: State, *, store: BaseStore) -> State:
        store.put(("notes", "ada"), "first", {"text": state["question"]})
        return {}

    graph = StateGraph(State).add_node("keep", keep).add_edge(START, "keep").add_edge("keep", END)
    made = asyncio.run(play("langgraph", memory=memory, graph=graph))
    made["agent"].invoke({"question": "I keep bees."})
    assert len(memory.memories.list(user_id="ada", q="bees").first().data) == 1
