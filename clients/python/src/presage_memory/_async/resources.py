from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Unpack

from .._generated import records
from .._parameters import (
    CompactionFilter,
    CompactionParameters,
    ConversationFilter,
    ConversationStart,
    Correcting,
    CreatingWebhook,
    CustomerFilter,
    DeliveryFilter,
    EntityFilter,
    MemoryFilter,
    Merging,
    Named,
    NewMessage,
    ReadingConversation,
    Recording,
    RequestOptions,
    ReviewFilter,
    Splitting,
    TokenRequest,
    UpdatingWebhook,
    UserFilter,
    Waiting,
    WebhookFilter,
    WithinCustomer,
)
from .._request import ApiRequest, divided, path_of, update_of
from .connection import Answer, AsyncConnection
from .pages import AsyncPages


class AsyncResource:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def _get(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, options = divided(given)
        return await self._connection.send(ApiRequest("GET", path, query), answer, options)

    async def _delete(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, options = divided(given)
        return await self._connection.send(ApiRequest("DELETE", path, query), answer, options)

    async def _act(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, options = divided(given)
        return await self._connection.send(ApiRequest("POST", path, query, is_write=True), answer, options)

    async def _post(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        body, options = divided(given)
        return await self._connection.send(ApiRequest("POST", path, body=body, is_write=True), answer, options)

    async def _patch(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, body, options = update_of(given)
        return await self._connection.send(ApiRequest("PATCH", path, query, body), answer, options)


class AsyncMemories(AsyncResource):
    """What was remembered."""

    async def get(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        return await self._get(records.Memory, path_of("/v1/memories/{}", "memory_id", memory_id), about)

    def list(self, **given: Unpack[MemoryFilter]) -> AsyncPages[records.Memory]:
        """Those that every given filter fits."""

        async def read(cursor: str | None) -> records.MemoryPage:
            return await self._get(records.MemoryPage, "/v1/memories", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def correct(self, memory_id: str, **given: Unpack[Correcting]) -> records.Memory:
        """Gives a memory other words, another type, other times or other metadata; it keeps its id.

        `None` as `event_start` says that it tells of no event, as `event_end` that its end is not told, and as
        `metadata` that there is none.
        """
        return await self._patch(records.Memory, path_of("/v1/memories/{}", "memory_id", memory_id), given)

    async def restore(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        """Brings back what retention archived."""
        return await self._act(records.Memory, path_of("/v1/memories/{}/restore", "memory_id", memory_id), about)

    async def undo_supersede(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        """Takes back that a memory was replaced."""
        path = path_of("/v1/memories/{}/undo-supersede", "memory_id", memory_id)
        return await self._act(records.Memory, path, about)

    async def confirm_outdated(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        """Confirms that a newer memory has the place of one that was possibly outdated."""
        path = path_of("/v1/memories/{}/confirm-outdated", "memory_id", memory_id)
        return await self._act(records.Memory, path, about)

    async def reject_outdated(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        """Answers that a memory still holds that was possibly outdated."""
        path = path_of("/v1/memories/{}/reject-outdated", "memory_id", memory_id)
        return await self._act(records.Memory, path, about)


class AsyncIngestions(AsyncResource):
    """How far documents are that were submitted."""

    async def get(self, ingestion_id: str, **given: Unpack[Waiting]) -> records.Ingestion:
        """`wait`: seconds, up to 30, to wait for its end."""
        path = path_of("/v1/memories/{}/status", "ingestion_id", ingestion_id)
        return await self._get(records.Ingestion, path, given)


class AsyncBatches(AsyncResource):
    async def get(self, batch_id: str, **options: Unpack[RequestOptions]) -> records.Batch:
        return await self._get(records.Batch, path_of("/v1/memories/batch/{}", "batch_id", batch_id), options)


class AsyncDocuments(AsyncResource):
    async def forget(self, document_id: str, **about: Unpack[Named]) -> records.DocumentDeletion:
        """Forgets a document and all that was learnt from it alone."""
        path = path_of("/v1/documents/{}", "document_id", document_id)
        return await self._delete(records.DocumentDeletion, path, about)


class AsyncUsers(AsyncResource):
    def list(self, **given: Unpack[UserFilter]) -> AsyncPages[records.User]:
        """Everybody who was heard of, in the order of their ids; with `customer_id`, its users."""

        async def read(cursor: str | None) -> records.UserPage:
            return await self._get(records.UserPage, "/v1/users", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def profile(self, user_id: str, **within: Unpack[WithinCustomer]) -> records.UserProfile:
        """Who a user is, made of what is remembered of them; with `customer_id`, within that customer."""
        return await self._get(records.UserProfile, path_of("/v1/profiles/{}", "user_id", user_id), within)

    async def forget(self, user_id: str, **within: Unpack[WithinCustomer]) -> records.UserDeletion:
        """Forgets all of a user; with `customer_id`, what is within that customer."""
        return await self._delete(records.UserDeletion, path_of("/v1/users/{}", "user_id", user_id), within)

    async def export(
        self, user_id: str, **within: Unpack[WithinCustomer]
    ) -> AsyncIterator[records.Memory | records.ExportedMessage | records.Compaction]:
        """Every memory of a user, then what was said in their conversations, then what these were condensed to."""
        query, options = divided(within)
        request = ApiRequest("GET", path_of("/v1/users/{}/export", "user_id", user_id), query)
        async for line in self._connection.lines(request, options):
            yield exported(json.loads(line))


def exported(line: Mapping[str, Any]) -> records.Memory | records.ExportedMessage | records.Compaction:
    """A line of an export, by the id that only its kind has."""
    if "message_id" in line:
        return records.ExportedMessage.model_validate(line)
    if "compaction_id" in line:
        return records.Compaction.model_validate(line)
    return records.Memory.model_validate(line)


class AsyncCustomers(AsyncResource):
    def list(self, **given: Unpack[CustomerFilter]) -> AsyncPages[records.Customer]:
        """In the order of their ids."""

        async def read(cursor: str | None) -> records.CustomerPage:
            return await self._get(records.CustomerPage, "/v1/customers", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def forget(self, customer_id: str, **options: Unpack[RequestOptions]) -> records.CustomerDeletion:
        """Forgets a customer, and its users within it."""
        path = path_of("/v1/customers/{}", "customer_id", customer_id)
        return await self._delete(records.CustomerDeletion, path, options)


class AsyncConversations(AsyncResource):
    """What is said in them becomes memories without being asked."""

    async def start(self, **given: Unpack[ConversationStart]) -> records.Conversation:
        return await self._post(records.Conversation, "/v1/conversations", given)

    async def say(
        self, conversation_id: str, said: NewMessage | Sequence[NewMessage], **about: Unpack[Named]
    ) -> records.AddedMessages:
        """Says something in a conversation, which begins when it is not known."""
        messages = [said] if isinstance(said, dict) else list(said)
        path = path_of("/v1/conversations/{}/messages", "conversation_id", conversation_id)
        return await self._post(records.AddedMessages, path, {**about, "messages": messages})

    async def record_transcript(self, conversation_id: str, **given: Unpack[Recording]) -> records.RecordedTranscript:
        """Tells a conversation as a whole: its `turns` become memories now, and it ends. What was told before is kept
        once; what differs from it is a `ConflictError`."""
        path = path_of("/v1/conversations/{}/transcript", "conversation_id", conversation_id)
        return await self._post(records.RecordedTranscript, path, given)

    async def end(self, conversation_id: str, **about: Unpack[Named]) -> records.EndedConversation:
        """What is not remembered yet becomes memories now."""
        path = path_of("/v1/conversations/{}/end", "conversation_id", conversation_id)
        return await self._act(records.EndedConversation, path, about)

    def list(self, **given: Unpack[ConversationFilter]) -> AsyncPages[records.Conversation]:
        """The newest first; those that every given filter fits."""

        async def read(cursor: str | None) -> records.ConversationPage:
            return await self._get(records.ConversationPage, "/v1/conversations", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def get(self, conversation_id: str, **given: Unpack[ReadingConversation]) -> records.ConversationDetail:
        """`last`: how many of its messages; `turns`: those to read back, such as `"3,8-12"`."""
        path = path_of("/v1/conversations/{}", "conversation_id", conversation_id)
        return await self._get(records.ConversationDetail, path, given)


class AsyncCompactions(AsyncResource):
    """What conversations were condensed to."""

    def list(self, conversation_id: str, **given: Unpack[CompactionFilter]) -> AsyncPages[records.Compaction]:
        """Every version of a conversation, the newest first."""

        async def read(cursor: str | None) -> records.CompactionPage:
            path = path_of("/v1/conversations/{}/compactions", "conversation_id", conversation_id)
            return await self._get(records.CompactionPage, path, {**given, "cursor": cursor})

        return AsyncPages(read)

    async def get(
        self, conversation_id: str, version: int, **given: Unpack[CompactionParameters]
    ) -> records.Compaction:
        """`version`: from 1."""
        path = path_of("/v1/conversations/{}/compactions", "conversation_id", conversation_id)
        return await self._get(records.Compaction, f"{path}/{int(version)}", given)


class AsyncEntities(AsyncResource):
    """People, places and things that memories mention."""

    async def get(self, entity_id: str, **about: Unpack[Named]) -> records.EntityDetail:
        return await self._get(records.EntityDetail, path_of("/v1/entities/{}", "entity_id", entity_id), about)

    def list(self, **given: Unpack[EntityFilter]) -> AsyncPages[records.Entity]:
        async def read(cursor: str | None) -> records.EntityPage:
            return await self._get(records.EntityPage, "/v1/entities", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def merge(self, **given: Unpack[Merging]) -> records.EntityMergeResult:
        return await self._post(records.EntityMergeResult, "/v1/entities/merge", given)

    async def split(self, **given: Unpack[Splitting]) -> records.EntitySplitResult:
        return await self._post(records.EntitySplitResult, "/v1/entities/split", given)

    async def undo_merge(self, merge_id: str, **about: Unpack[Named]) -> records.EntityUnmergeResult:
        return await self._act(records.EntityUnmergeResult, path_of("/v1/merges/{}/undo", "merge_id", merge_id), about)


class AsyncReviews(AsyncResource):
    """Questions whether two entities are one."""

    def list(self, **given: Unpack[ReviewFilter]) -> AsyncPages[records.EntityMatchReview]:
        async def read(cursor: str | None) -> records.EntityMatchReviewPage:
            return await self._get(records.EntityMatchReviewPage, "/v1/review-queue", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def confirm(self, review_id: str, **about: Unpack[Named]) -> records.EntityMergeResult:
        path = path_of("/v1/review-queue/{}/confirm", "review_id", review_id)
        return await self._act(records.EntityMergeResult, path, about)

    async def reject(self, review_id: str, **about: Unpack[Named]) -> records.EntityMatchReview:
        path = path_of("/v1/review-queue/{}/reject", "review_id", review_id)
        return await self._act(records.EntityMatchReview, path, about)


class AsyncReceipts(AsyncResource):
    async def get(self, receipt_id: str, **options: Unpack[RequestOptions]) -> records.DeletionReceipt:
        """What was removed by a deletion, and what is left."""
        return await self._get(records.DeletionReceipt, path_of("/v1/receipts/{}", "receipt_id", receipt_id), options)


class AsyncTokens(AsyncResource):
    async def create(self, **given: Unpack[TokenRequest]) -> records.BrowserToken:
        """Makes a short-lived token for a browser, bound to those named."""
        return await self._post(records.BrowserToken, "/v1/tokens", given)


class AsyncWebhooks(AsyncResource):
    """URLs that events are sent to. For the operator of an agent: a browser token cannot call these."""

    async def create(self, **given: Unpack[CreatingWebhook]) -> records.WebhookWithSecret:
        """Its `secret`, by which a receiver checks signatures, is returned only here."""
        return await self._post(records.WebhookWithSecret, "/v1/webhooks", given)

    def list(self, **given: Unpack[WebhookFilter]) -> AsyncPages[records.Webhook]:
        """The newest first, disabled ones too."""

        async def read(cursor: str | None) -> records.WebhookPage:
            return await self._get(records.WebhookPage, "/v1/webhooks", {**given, "cursor": cursor})

        return AsyncPages(read)

    async def get(self, webhook_id: str, **options: Unpack[RequestOptions]) -> records.Webhook:
        return await self._get(records.Webhook, self._path_of(webhook_id), options)

    async def update(self, webhook_id: str, **given: Unpack[UpdatingWebhook]) -> records.Webhook:
        """Changes, disables or enables it; what is left out stays as it is."""
        return await self._patch(records.Webhook, self._path_of(webhook_id), given)

    async def delete(self, webhook_id: str, **options: Unpack[RequestOptions]) -> records.DeletedWebhook:
        """With its deliveries."""
        return await self._delete(records.DeletedWebhook, self._path_of(webhook_id), options)

    async def rotate_secret(self, webhook_id: str, **options: Unpack[RequestOptions]) -> records.WebhookWithSecret:
        """Makes another secret; the present one signs too for 24 hours."""
        return await self._act(records.WebhookWithSecret, f"{self._path_of(webhook_id)}/rotate-secret", options)

    async def test(self, webhook_id: str, **options: Unpack[RequestOptions]) -> records.WebhookDelivery:
        """Sends an event `webhook.test`."""
        return await self._act(records.WebhookDelivery, f"{self._path_of(webhook_id)}/test", options)

    def deliveries(self, webhook_id: str, **given: Unpack[DeliveryFilter]) -> AsyncPages[records.WebhookDelivery]:
        """The newest first, of the last 30 days, each with its attempts."""

        async def read(cursor: str | None) -> records.WebhookDeliveryPage:
            path = f"{self._path_of(webhook_id)}/deliveries"
            return await self._get(records.WebhookDeliveryPage, path, {**given, "cursor": cursor})

        return AsyncPages(read)

    async def delivery(self, delivery_id: str, **options: Unpack[RequestOptions]) -> records.WebhookDelivery:
        path = path_of("/v1/webhooks/deliveries/{}", "delivery_id", delivery_id)
        return await self._get(records.WebhookDelivery, path, options)

    async def redeliver(self, delivery_id: str, **options: Unpack[RequestOptions]) -> records.WebhookDelivery:
        """Delivers once more, whether it succeeded before or not."""
        path = path_of("/v1/webhooks/deliveries/{}/redeliver", "delivery_id", delivery_id)
        return await self._act(records.WebhookDelivery, path, options)

    def _path_of(self, webhook_id: str) -> str:
        return path_of("/v1/webhooks/{}", "webhook_id", webhook_id)
