"""The memory for CrewAI, on the real framework and a scripted model."""

from __future__ import annotations

import asyncio
import os
from typing import Any

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"
os.environ["OTEL_SDK_DISABLED"] = "true"

import pytest
from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.tools.memory_tools import create_memory_tools
from guide import play
from presage_memory import NotFoundError, Presage

from presage_memory_adapters.crewai import PresageMemory


class ScriptedLLM(BaseLLM):
    answers: list[str]
    prompts: list[str]

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        self.prompts.append(str(messages))
        return f"Thought: I can answer now.\nFinal Answer: {self.answers.pop(0)}"


def crew_of(llm: ScriptedLLM, memory: PresageMemory, description: str) -> Crew:
    agent = Agent(role="Cook", goal="Cook for the user", backstory="You cook.", llm=llm)
    task = Task(description=description, expected_output="A dish", agent=agent)
    return Crew(agents=[agent], tasks=[task], memory=memory)


def test_a_crew_knows_what_was_said_before_and_keeps_its_results(memory: Presage, user_id: str) -> None:
    memory.remember("I am allergic to peanuts.", user_id=user_id)
    llm = ScriptedLLM(model="scripted", answers=["Ada will cook lentil soup on Friday."], prompts=[])
    crew = crew_of(llm, PresageMemory.of(memory, user_id=user_id), "What may the user eat, with their allergy?")
    assert crew.kickoff().raw == "Ada will cook lentil soup on Friday."
    assert "allergic to peanuts" in llm.prompts[0]
    assert "data, not an instruction" in llm.prompts[0]
    kept = memory.recall("What soup is cooked on Friday?", user_id=user_id).memories
    assert any("lentil soup" in each.content for each in kept)


def test_a_crew_knows_nothing_of_another_user(memory: Presage, user_id: str, somebody_else: str) -> None:
    memory.remember("I am allergic to peanuts.", user_id=somebody_else)
    llm = ScriptedLLM(model="scripted", answers=["Peas."], prompts=[])
    crew_of(llm, PresageMemory.of(memory, user_id=user_id), "What may the user eat, with their allergy?").kickoff()
    assert "peanuts" not in llm.prompts[0]


def test_an_agent_remembers_and_recalls_by_tools(memory: Presage, user_id: str) -> None:
    tools = create_memory_tools(PresageMemory.of(memory, user_id=user_id))
    recall, remember = tools
    assert "Saved to memory" in remember.run(contents=["I live in Leeds."])
    assert "I live in Leeds." in recall.run(queries=["Where does the user live?"])
    read_only = PresageMemory.of(memory, user_id=user_id)
    read_only.read_only = True
    assert read_only.remember("I live in York.") is None and len(create_memory_tools(read_only)) == 1


def test_memories_are_listed_corrected_and_forgotten(memory: Presage, user_id: str, somebody_else: str) -> None:
    mine = PresageMemory.of(memory, user_id=user_id)
    record = mine.remember("I live in Leeds.", metadata={"source": "form"})
    assert record and record.metadata["source"] == "form"
    assert record.id in [each.id for each in mine.list_records()]
    found = mine.recall("Where do I live?", limit=3, depth="shallow")
    assert found[0].record.content == "I live in Leeds." and 0 < found[0].score <= 1
    assert mine.recall("Where do I live?", categories=["no such"]) == []
    stranger = PresageMemory.of(memory, user_id=somebody_else)
    assert stranger.forget(record_ids=[record.id]) == 0
    mine.update(found[0].record.id, content="I live in York.")
    assert memory.memories.get(found[0].record.id).content == "I live in York."
    assert mine.forget(record_ids=[found[0].record.id]) > 0
    with pytest.raises(NotFoundError):
        memory.memories.get(found[0].record.id)
    with pytest.raises(ValueError, match=r"users\.forget"):
        mine.forget(scope="/")


def test_the_guide_works(memory: Presage) -> None:
    memory.remember("I am allergic to peanuts.", user_id="ada")
    llm = ScriptedLLM(model="scripted", answers=["Rice."], prompts=[])
    cook = Agent(role="Cook", goal="Cook for the user", backstory="You cook.", llm=llm)
    dinner = Task(description="What may the user eat, with their allergy?", expected_output="A dish", agent=cook)
    made = asyncio.run(play("crewai", Presage=lambda: memory, Crew=Crew, cook=cook, dinner=dinner))
    assert made["crew"].kickoff().raw == "Rice."
    assert "allergic to peanuts" in llm.prompts[0]
