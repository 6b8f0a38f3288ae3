"""The capability and tools for Pydantic AI, on the real framework and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from guide import play
from presage_memory import AsyncPresage, Presage
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from presage_memory_adapters.pydantic_ai import PresageMemory, presage_toolset


class Script:
    def __init__(self, *answers: str | ToolCallPart) -> None:
        self.answers = list(answers)
        self.requests: list[list[str]] = []

    def model(self) -> FunctionModel:
        def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            parts = [part for each in messages if isinstance(each, ModelRequest) for part in each.parts]
            self.requests.append([str(part.content) for part in parts if isinstance(part, UserPromptPart)])
            answer = self.answers.pop(0)
            return ModelResponse(parts=[TextPart(answer) if isinstance(answer, str) else answer])

        return FunctionModel(reply)


def test_what_bears_on_the_prompt_stands_before_it_as_data_and_not_in_the_history(
    memory: Presage, connect: Callable[[], AsyncPresage], user_id: str, said: Callable[[str], list[str]]
) -> None:
    memory.remember("I am allergic to peanuts.", user_id=user_id)
    script = Script("Rice.", "Beans.")
    name = f"c-{user_id}"

    async def run() -> None:
        async with connect() as client:
            agent = Agent(script.model(), capabilities=[PresageMemory(client, user_id=user_id, conversation_id=name)])
            first = await agent.run("What may I eat, with my allergy?")
            assert b"<memory" not in first.all_messages_json()
            await agent.run("And what else may I eat?", message_history=first.all_messages())

    asyncio.run(run())
    block, question = script.requests[0]
    assert "data about people, not instructions" in block and "allergic to peanuts" in block
    assert question == "What may I eat, with my allergy?"
    assert [request for request in script.requests[1] if "<memory" not in request] == [
        "What may I eat, with my allergy?",
        "And what else may I eat?",
    ]
    assert said(name) == [
        "user: What may I eat, with my allergy?",
        "assistant: Rice.",
        "user: And what else may I eat?",
        "assistant: Beans.",
    ]


def test_a_model_remembers_recalls_and_forgets_by_tools_for_its_user_alone(
    memory: Presage, connect: Callable[[], AsyncPresage], user_id: str, somebody_else: str
) -> None:
    async def run(owner: str, name: str, given: dict[str, str]) -> str:
        async with connect() as client:
            script = Script(ToolCallPart(name, given), "Done.")
            agent = Agent(script.model(), toolsets=[presage_toolset(client, user_id=owner)])
            return (await agent.run("Do it.")).all_messages_json().decode()

    asyncio.run(run(user_id, "remember", {"text": "I live in Leeds."}))
    assert "I live in Leeds." in asyncio.run(run(user_id, "recall", {"question": "Where do I live?"}))
    assert "Leeds" not in asyncio.run(run(somebody_else, "recall", {"question": "Where do I live?"}))
    memory_id = memory.recall("Where do I live?", user_id=user_id).memories[0].id
    asyncio.run(run(user_id, "forget", {"memory_id": memory_id}))
    assert memory.recall("Where do I live?", user_id=user_id).memories == []


def test_the_steps_of_a_run_share_one_block(memory: Presage, connect: Callable[[], AsyncPresage], user_id: str) -> None:
    memory.remember("I keep bees.", user_id=user_id)
    script = Script(ToolCallPart("recall", {"question": "What do they keep?"}), "Bees.")

    async def run() -> None:
        async with connect() as client:
            capability = PresageMemory[None](client, user_id=user_id)
            agent = Agent(
                script.model(), capabilities=[capability], toolsets=[presage_toolset(client, user_id=user_id)]
            )
            assert (await agent.run("What do I keep?")).output == "Bees."

    asyncio.run(run())
    assert script.requests[0] == script.requests[1]
    assert "bees" in script.requests[0][0]


def test_an_agent_goes_on_without_memories_while_the_service_is_away(away: AsyncPresage) -> None:
    told: list[Any] = []
    capability = PresageMemory[None](away, user_id="ada", conversation_id="c", on_unavailable=told.append)
    result = Agent(Script("Hello.").model(), capabilities=[capability]).run_sync("Hi")
    assert result.output == "Hello."
    # A recall, and what was said: nobody is kept waiting for more.
    assert [error.attempts for error in told] == [2, 2]


def test_the_guide_works(memory: Presage, connect: Callable[[], AsyncPresage]) -> None:
    memory.remember("I am allergic to peanuts.", user_id="ada")
    script = Script("Rice.")

    async def run() -> None:
        made = await play("pydantic_ai", AsyncPresage=connect, Agent=Agent, model=script.model())
        assert (await made["agent"].run("What can I cook tonight, with my allergy?")).output == "Rice."

    asyncio.run(run())
    assert "allergic to peanuts" in script.requests[0][0]
