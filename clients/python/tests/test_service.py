"""The clients against the real service."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from presage_memory import (
    AsyncPresage,
    AuthenticationError,
    ConnectionFailedError,
    ContextNotFoundError,
    InvalidInputError,
    NotFoundError,
    Presage,
    records,
)
from presage_memory.stream import MemoryStream

from .breakable_proxy import BreakableProxy
from .real_service import RealService
from .test_vectors import ScriptedAsyncClock


@pytest.fixture
def memory(service: RealService) -> Presage:
    return Presage(service.key, base_url=service.url)


def somebody() -> str:
    return f"user-{uuid.uuid4()}"


def test_what_is_remembered_is_recalled(memory: Presage) -> None:
    user_id = somebody()
    ingestion = memory.remember("I am allergic to peanuts.", user_id=user_id)
    assert ingestion.status == "completed" and ingestion.memory_ids
    context = memory.recall("What must I not eat?", user_id=user_id)
    assert context.memories, context.warnings
    assert context.memories[0].content == "I am allergic to peanuts."
    assert context.memories[0].valid_from.tzinfo is not None
    assert context.response.status == 200 and context.response.config_version == 1


def test_what_is_remembered_is_recalled_asynchronously(service: RealService) -> None:
    async def converse() -> tuple[records.Context, str]:
        user_id = somebody()
        async with AsyncPresage(service.key, base_url=service.url) as memory:
            await memory.remember("Always answer in metric units. I live in Leeds.", user_id=user_id)
            recall = memory.recall("Where do I live?", user_id=user_id)
            return await recall, await memory.recall("Where do I live?", user_id=user_id).prompt

    context, prompt = asyncio.run(converse())
    assert "Leeds" in context.memories[0].content
    assert prompt.index("metric") < prompt.index("Leeds")


def test_what_is_forgotten_is_recalled_no_more(memory: Presage) -> None:
    user_id = somebody()
    memory.remember("I keep bees.", user_id=user_id)
    for each in list(memory.memories.list(user_id=user_id)):
        with suppress(NotFoundError):  # it went with another
            receipt = memory.forget(each.id, cascade="evidence").receipt
            assert memory.receipts.get(receipt.receipt_id).memory_ids == receipt.memory_ids
    assert memory.recall("What do I keep?", user_id=user_id).memories == []


def test_a_list_is_read_over_several_pages(memory: Presage) -> None:
    user_id = somebody()
    memory.remember("I live in Leeds. I work at Acme. I like tea. I keep bees.", user_id=user_id)
    ids = [each.id for each in memory.memories.list(user_id=user_id, limit=2)]
    assert ids == [each.id for each in memory.memories.list(user_id=user_id, limit=100).first().data]
    assert len(ids) > 2


def test_a_conversation_is_remembered_exported_and_forgotten(memory: Presage) -> None:
    user_id = somebody()
    name = f"call-{user_id}"
    memory.conversations.start(conversation_id=name, user_id=user_id)
    memory.conversations.say(name, [{"role": "user", "content": "I moved to York."}])
    for ingestion_id in memory.conversations.end(name).ingestion_ids:
        memory.ingestions.get(ingestion_id, wait=30)
    read = memory.conversations.get(name, turns="0").turns
    assert [each.content for each in read or []] == ["I moved to York."]
    memory.compact(name)
    exported = [type(each).__name__ for each in memory.users.export(user_id)]
    assert (exported.count("ExportedMessage"), exported.count("Compaction")) == (1, 1)
    memory.users.forget(user_id)
    assert list(memory.memories.list(user_id=user_id)) == []


def test_a_memory_is_corrected_by_its_words_and_by_its_metadata(memory: Presage) -> None:
    user_id = somebody()
    memory.remember("I live in Leeds.", user_id=user_id)
    first = memory.memories.list(user_id=user_id, q="Leeds").first().data[0]
    corrected = memory.memories.correct(first.id, content="I live in York.", metadata={"by": "hand"})
    assert (corrected.id, corrected.content, corrected.metadata) == (first.id, "I live in York.", {"by": "hand"})
    assert memory.memories.correct(first.id, metadata=None).metadata is None


def test_a_conversation_is_compacted_and_its_versions_are_read(memory: Presage) -> None:
    user_id = somebody()
    name = f"meeting-{user_id}"
    memory.conversations.say(name, {"role": "user", "content": "We decided to launch on Monday."}, user_id=user_id)
    compaction = memory.compact(name, output_format="system_prompt")
    assert "Monday" in (compaction.system_prompt or "")
    assert memory.compactions.get(name, compaction.version).compaction_id == compaction.compaction_id
    assert [each.version for each in memory.compactions.list(name)] == [compaction.version]
    assert memory.compact(name, wait=False).status == "queued"


def test_a_webhook_is_made_changed_tested_and_deleted_and_the_usage_is_read(memory: Presage) -> None:
    webhook = memory.webhooks.create(url="https://example.com/hooks", event_types=["conversation.ended"])
    assert webhook.secret is not None and webhook.secret.startswith("whsec_")
    assert memory.webhooks.rotate_secret(webhook.webhook_id).secret != webhook.secret
    delivery = memory.webhooks.test(webhook.webhook_id)
    assert memory.webhooks.delivery(delivery.delivery_id).event_type == "webhook.test"
    assert [each.delivery_id for each in memory.webhooks.deliveries(webhook.webhook_id)] == [delivery.delivery_id]
    assert memory.webhooks.redeliver(delivery.delivery_id).webhook_id == webhook.webhook_id
    assert memory.webhooks.update(webhook.webhook_id, state="disabled").disabled_reason == "by_hand"
    assert memory.webhooks.delete(webhook.webhook_id).webhook_id == webhook.webhook_id
    with pytest.raises(NotFoundError):
        memory.webhooks.get(webhook.webhook_id)
    assert memory.usage().api_calls > 0


def test_errors_are_of_their_classes(memory: Presage, service: RealService) -> None:
    with pytest.raises(AuthenticationError):
        Presage(f"presage_{'x' * 43}", base_url=service.url).recall("Where?", user_id="ada")
    with pytest.raises(ContextNotFoundError):
        memory.recall("Where?", conversation_id="never")
    with pytest.raises(NotFoundError):
        memory.memories.get("mem_1")
    with pytest.raises(InvalidInputError) as wrong:
        memory.recall("Where?", max_results=1_000)
    assert wrong.value.errors[0]["field"] == "max_results"


def test_where_nobody_answers_the_error_says_where_that_is(service: RealService) -> None:
    nowhere = Presage(service.key, base_url="http://127.0.0.1:9999", max_retries=0)
    with pytest.raises(ConnectionFailedError, match=r"^http://127\.0\.0\.1:9999 could not be reached.*refused.*_URL"):
        nowhere.recall("Where?")


def test_an_empty_key_is_no_key(monkeypatch: pytest.MonkeyPatch, service: RealService) -> None:
    monkeypatch.setenv("PRESAGE_KEY", service.key)
    assert Presage(base_url=service.url).instance().instance_id
    with pytest.raises(InvalidInputError, match="api_key: is missing"):
        Presage("", base_url=service.url)


async def until(holds: Callable[[], bool], what: str) -> None:
    for _ in range(1_200):
        if holds():
            return
        await asyncio.sleep(0.05)
    pytest.fail(f"waited in vain: {what}")


@asynccontextmanager
async def client_of(service: RealService) -> AsyncIterator[AsyncPresage]:
    async with AsyncPresage(service.key, base_url=service.url) as memory:
        yield memory


def said_of(stream: MemoryStream) -> str:
    return " | ".join(each.content for each in stream.memories)


def test_a_stream_keeps_the_set_that_stands(service: RealService) -> None:
    async def converse() -> None:
        user_id = somebody()
        async with client_of(service) as memory:
            ingestion = await memory.remember("Always answer in metric units.", user_id=user_id)
            await memory.remember("I am allergic to peanuts.", user_id=user_id)
            async with MemoryStream(memory, address=service.grpc, user_id=user_id) as stream:
                await until(lambda: "metric" in said_of(stream), "the standing instruction")
                standing = next(each for each in stream.memories if "metric" in each.content)
                assert standing.reason == "standing"
                assert (standing.type, standing.scope, standing.event_start) == ("preferences", "USER", None)
                stream.hears("What can I co")
                await stream.said("user", "What can I cook tonight, without what I am allergic to?")
                recalled = await stream.recall("What can I cook?", patience=30)
                assert "I am allergic to peanuts." in [each.content for each in recalled]
                stream.used([each.id for each in recalled])
                stream.calls("search", {"query": "recipes"})
                for memory_id in ingestion.memory_ids:
                    with suppress(NotFoundError):  # it went with another
                        await memory.forget(memory_id, cascade="evidence")
                await until(lambda: "metric" not in said_of(stream), "the withdrawal")

    asyncio.run(converse())


def test_a_stream_tells_each_change_and_why_it_ends(service: RealService) -> None:
    async def converse() -> None:
        user_id = somebody()
        async with client_of(service) as memory:
            await memory.remember("Always answer in metric units.", user_id=user_id)
            async with MemoryStream(memory, address=service.grpc, user_id=user_id) as stream:
                async for update in stream:
                    assert "metric" in update.memories[0].content and update.withdrawn == ()
                    break
        async with AsyncPresage(f"presage_{'x' * 43}", base_url=service.url) as stranger:
            stream = MemoryStream(stranger, address=service.grpc, user_id=user_id)
            with pytest.raises(AuthenticationError):
                async with stream:
                    async for _ in stream:
                        pass

    asyncio.run(converse())


def test_a_stream_refuses_wrong_input_by_the_name_of_its_field(service: RealService) -> None:
    def field_of(refused: pytest.ExceptionInfo[InvalidInputError]) -> str:
        (error,) = refused.value.errors
        assert str(refused.value) == f"{error['field']}: {error['message']}"
        return error["field"]

    async def converse() -> None:
        user_id = somebody()
        async with client_of(service) as memory:
            wrong: list[dict[str, Any]] = [{"user_id": 5}, {"token_budget": -1}, {"conversation_id": b"c"}]
            for options in wrong:
                with pytest.raises(InvalidInputError) as refused:
                    MemoryStream(memory, **options)
                assert field_of(refused) == next(iter(options))
            async with MemoryStream(memory, address=service.grpc, user_id=user_id) as stream:
                untyped: Any = stream
                calls: dict[str, Callable[[], object]] = {
                    "content": lambda: untyped.hears(None),
                    "name": lambda: untyped.calls(" "),
                    "arguments": lambda: untyped.calls("search", object()),
                    "memory_ids": lambda: untyped.used("mem_1"),
                    "memory_ids[1]": lambda: untyped.used(["mem_1", 1]),
                }
                for field, call in calls.items():
                    with pytest.raises(InvalidInputError) as refused:
                        call()
                    assert field_of(refused) == field
                with pytest.raises(InvalidInputError) as refused:
                    await stream.said("user", "")
                assert field_of(refused) == "content"
                await until(lambda: stream.is_connected, "a stream that goes on")

    asyncio.run(converse())


def test_a_stream_that_the_service_refuses_tells_whoever_speaks_on_and_whoever_leaves(service: RealService) -> None:
    async def converse() -> None:
        async with client_of(service) as memory:
            refuse: dict[str, Any] = {"user_id": "..", "address": service.grpc}
            async with MemoryStream(memory, **refuse) as stream:
                await until(lambda: stream._is_over, "the end of the stream")
                with pytest.raises(InvalidInputError, match=r"session_start\.user_id: must not be"):
                    await stream.said("user", "Hello.")
            with pytest.raises(InvalidInputError, match=r"session_start\.user_id: must not be"):
                async with MemoryStream(memory, **refuse) as stream:
                    await until(lambda: stream._is_over, "the end of the stream")

    asyncio.run(converse())


def test_no_write_is_lost_and_none_is_done_twice(service: RealService) -> None:
    async def converse() -> None:
        user_id = somebody()
        async with BreakableProxy(service.url) as proxy, client_of(service) as memory:
            shaky = AsyncPresage(service.key, base_url=f"http://{proxy.address}", clock=ScriptedAsyncClock())
            async with shaky:
                for place in ("Leeds", "York"):
                    proxy.lose_answers(1)
                    await shaky.remember(f"I went to {place} on holiday.", user_id=user_id)
                proxy.lose_answers(1)
                message = {"role": "user", "content": "Hello there."}
                await shaky.conversations.say(f"c-{user_id}", message, user_id=user_id)  # type: ignore[arg-type]
            assert (await memory.conversations.get(f"c-{user_id}")).message_count == 1
            kept = [each async for each in memory.memories.list(user_id=user_id)]
            for place in ("Leeds", "York"):
                own = [each for each in kept if place in each.content]
                assert len({part.document_id for each in own for part in each.evidence}) == 1

    asyncio.run(converse())


def test_a_stream_resumes_without_what_was_forgotten_meanwhile(service: RealService) -> None:
    async def converse() -> None:
        user_id = somebody()
        async with BreakableProxy(service.grpc) as proxy, client_of(service) as memory:
            ingestion = await memory.remember("Always answer in metric units.", user_id=user_id)
            await memory.remember("Always call me Ada.", user_id=user_id)
            async with MemoryStream(memory, address=proxy.address, user_id=user_id) as stream:
                await until(lambda: "metric" in said_of(stream), "the standing instruction")
                proxy.refuse(True)
                await until(lambda: not stream.is_connected, "the loss of the connection")
                for memory_id in ingestion.memory_ids:
                    with suppress(NotFoundError):  # it went with another
                        await memory.forget(memory_id, cascade="evidence")
                proxy.refuse(False)
                await until(lambda: stream.is_connected and "metric" not in said_of(stream), "the withdrawal")
                assert "Ada" in said_of(stream)

    asyncio.run(converse())


def test_a_killed_process_is_waited_for(service: RealService) -> None:
    async def converse() -> None:
        user_id = somebody()
        async with AsyncPresage(service.key, base_url=service.url, max_retries=30) as memory:
            await memory.remember("Always answer in metric units.", user_id=user_id)
            name = f"k-{user_id}"
            async with MemoryStream(
                memory, address=service.grpc, user_id=user_id, conversation_id=name, remember=True
            ) as stream:
                await until(lambda: "metric" in said_of(stream), "the standing instruction")
                await stream.said("user", "I moved to York.")
                await asyncio.to_thread(service.kill)
                saying = asyncio.create_task(stream.said("user", "I keep bees there."))
                await asyncio.to_thread(service.start)
                await saying
                await until(lambda: stream.is_connected and "metric" in said_of(stream), "the resumed stream")
                assert (await memory.conversations.get(name)).message_count == 2

    asyncio.run(converse())
