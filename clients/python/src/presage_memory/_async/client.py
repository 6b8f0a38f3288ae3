from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self, Unpack, overload

import httpx

from .._generated import records
from .._parameters import (
    BatchDocument,
    Batching,
    Compacting,
    Document,
    Forgetting,
    RecallParameters,
    RememberParameters,
    RequestOptions,
    UsageOf,
)
from .._recall import AsyncRecall, begin_recall_async
from .._record import Record
from .._request import ApiRequest, divided, path_of, settings_of
from ..errors import DuplicateDocumentError, IngestionFailedError
from . import resources
from .connection import AsyncClock, AsyncConnection

LONGEST_WAIT = 30
"""The service waits no longer at once."""


class Progress(records.AcceptedIngestion):
    """An ingestion of which no more may be known than that it was accepted."""


class AsyncPresage:
    """A memory that an agent shares with the service. One for a process is enough. This client is asynchronous."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 5,
        http_client: httpx.AsyncClient | None = None,
        clock: AsyncClock | None = None,
    ) -> None:
        """Default of `api_key` and `base_url`: the environment's `PRESAGE_KEY` and `PRESAGE_URL`. `timeout`: seconds,
        for each attempt. Five retries take 12 to 16 seconds. `clock`: for tests."""
        connection = AsyncConnection(settings_of(api_key, base_url, timeout, max_retries), http_client, clock)
        self._connection = connection
        self.memories = resources.AsyncMemories(connection)
        self.ingestions = resources.AsyncIngestions(connection)
        self.batches = resources.AsyncBatches(connection)
        self.documents = resources.AsyncDocuments(connection)
        self.users = resources.AsyncUsers(connection)
        self.customers = resources.AsyncCustomers(connection)
        self.conversations = resources.AsyncConversations(connection)
        self.entities = resources.AsyncEntities(connection)
        self.reviews = resources.AsyncReviews(connection)
        self.receipts = resources.AsyncReceipts(connection)
        self.tokens = resources.AsyncTokens(connection)
        self.compactions = resources.AsyncCompactions(connection)
        self.webhooks = resources.AsyncWebhooks(connection)

    async def remember(self, document: Document, **given: Unpack[RememberParameters]) -> records.Ingestion:
        """Remembers a text, or the turns of a conversation, and returns when it can be recalled: after `wait` seconds
        (30) at the latest, with the status that it has by then. Raises `IngestionFailedError` when it could not be
        ingested.

        A document without an id gets one here: when the answer to it is lost and it is sent again, the service knows it
        by that, also after a restart."""
        parameters, options = divided(given)
        wait = parameters.pop("wait", LONGEST_WAIT)
        has_own_id = "document_id" not in parameters and "idempotency_key" not in options
        body = {
            "document_type": "ai-chat-conversation",
            **parameters,
            **({"document_id": str(uuid.uuid4())} if has_own_id else {}),
            "document": document,
            "wait": min(wait, LONGEST_WAIT),
        }
        request = ApiRequest("POST", "/v1/memories", body=body, is_write=not has_own_id)
        asked: RequestOptions = {**options}
        asked.pop("idempotency_key", None)  # it is of the document, and not of the question how far it is
        try:
            ingestion = _ingestion(await self._connection.send(request, Progress, options))
        except DuplicateDocumentError as error:
            if not has_own_id or error.ingestion_id is None:
                raise
            ingestion = await self.ingestions.get(error.ingestion_id, wait=min(wait, LONGEST_WAIT), **asked)
        left = wait - LONGEST_WAIT
        while left > 0 and ingestion.status not in ("completed", "failed"):
            ingestion = await self.ingestions.get(ingestion.ingestion_id, wait=min(left, LONGEST_WAIT), **asked)
            left -= LONGEST_WAIT
        if ingestion.status == "failed":
            raise IngestionFailedError(ingestion)
        return ingestion

    async def remember_all(self, documents: Sequence[BatchDocument], **given: Unpack[Batching]) -> records.Batch:
        """Remembers up to 1,000 documents; one that is refused is reported in its place. Does not wait for their
        memories."""
        parameters, options = divided(given)
        typed = [{"document_type": "ai-chat-conversation", **document} for document in documents]
        request = ApiRequest("POST", "/v1/memories/batch", body={"documents": typed, **parameters}, is_write=True)
        return await self._connection.send(request, records.Batch, options)

    def recall(self, query: str | Sequence[str], **given: Unpack[RecallParameters]) -> AsyncRecall:
        """The memories that answer the query, or several, best first; with `format="prompt"` also as a text for a
        model. Without a query (`[]`), those that matter whatever is asked."""
        parameters, options = divided(given)
        form = parameters.pop("format", "json")

        async def send(wanted: str) -> records.Context:
            queries = [query] if isinstance(query, str) else list(query)
            body = {
                **({"search_queries": queries} if queries else {}),
                **parameters,
                **({"format": wanted} if wanted == "prompt" else {}),
            }
            return await self._connection.send(
                ApiRequest("POST", "/v1/context/fetch", body=body), records.Context, options
            )

        return begin_recall_async(send, form)

    async def forget(self, memory_id: str, **given: Unpack[Forgetting]) -> records.MemoryDeletion:
        """Forgets a memory for good; with `cascade="evidence"` also all else that the turns which say it say."""
        query, options = divided(given)
        request = ApiRequest("DELETE", path_of("/v1/memories/{}", "memory_id", memory_id), query)
        return await self._connection.send(request, records.MemoryDeletion, options)

    @overload
    async def compact(
        self, conversation_id: str, *, wait: Literal[False], **given: Unpack[Compacting]
    ) -> records.QueuedCompaction: ...
    @overload
    async def compact(
        self, conversation_id: str, *, wait: Literal[True] = True, **given: Unpack[Compacting]
    ) -> records.Compaction: ...
    async def compact(
        self, conversation_id: str, *, wait: bool | None = None, **given: Unpack[Compacting]
    ) -> records.Compaction | records.QueuedCompaction:
        """Condenses what was said in a conversation, and keeps instructions, decisions and exact values word for word.
        With `wait=False` it is made in the background, and the answer has the status `queued`."""
        parameters, options = divided(given)
        body = {"conversation_id": conversation_id, **parameters, **({} if wait is None else {"wait": wait})}
        request = ApiRequest("POST", "/v1/context/compact", body=body, is_write=True)
        if wait is False:
            return await self._connection.send(request, records.QueuedCompaction, options)
        return await self._connection.send(request, records.Compaction, options)

    async def usage(self, **given: Unpack[UsageOf]) -> records.Usage:
        """What the instance used in a month (`2026-11`; default: the present one): calls, tokens, memories."""
        query, options = divided(given)
        return await self._connection.send(ApiRequest("GET", "/v1/analytics/usage", query), records.Usage, options)

    async def instance(self, **options: Unpack[RequestOptions]) -> records.Instance:
        """The instance that the key opens."""
        return await self._connection.send(ApiRequest("GET", "/v1/instance"), records.Instance, options)

    async def aclose(self) -> None:
        await self._connection.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


_nothing_yet: Mapping[str, Any] = {
    "stage": None,
    "started_at": None,
    "completed_at": None,
    "memories_created": 0,
    "memory_ids": [],
    "discarded": 0,
    "warnings": [],
    "error": None,
}


def _ingestion(progress: Record) -> records.Ingestion:
    """What is only accepted has nothing yet."""
    ingestion = records.Ingestion.model_validate({**_nothing_yet, **progress.model_dump()})
    ingestion._response = progress._response
    return ingestion
