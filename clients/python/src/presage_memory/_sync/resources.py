from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from .._generated import records
from .._parameters import (
    ConversationStart,
    EntityFilter,
    Last,
    MemoryFilter,
    Merging,
    Named,
    NewMessage,
    RequestOptions,
    ReviewFilter,
    Splitting,
    TokenRequest,
    Waiting,
    WithinCustomer,
)
from .._request import ApiRequest, divided, path_of
from .connection import Answer, Connection
from .pages import Pages


class Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _get(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, options = divided(given)
        return self._connection.send(ApiRequest("GET", path, query), answer, options)

    def _delete(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, options = divided(given)
        return self._connection.send(ApiRequest("DELETE", path, query), answer, options)

    def _act(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        query, options = divided(given)
        return self._connection.send(ApiRequest("POST", path, query, is_write=True), answer, options)

    def _post(self, answer: type[Answer], path: str, given: Mapping[str, Any]) -> Answer:
        body, options = divided(given)
        return self._connection.send(ApiRequest("POST", path, body=body, is_write=True), answer, options)


class Memories(Resource):
    """What was remembered."""

    def get(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        return self._get(records.Memory, path_of("/v1/memories/{}", "memory_id", memory_id), about)

    def list(self, **given: Unpack[MemoryFilter]) -> Pages[records.Memory]:
        """Those that every given filter fits."""

        def read(cursor: str | None) -> records.MemoryPage:
            return self._get(records.MemoryPage, "/v1/memories", {**given, "cursor": cursor})

        return Pages(read)

    def restore(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        """Brings back what retention archived."""
        return self._act(records.Memory, path_of("/v1/memories/{}/restore", "memory_id", memory_id), about)

    def undo_supersede(self, memory_id: str, **about: Unpack[Named]) -> records.Memory:
        """Takes back that a memory was replaced."""
        path = path_of("/v1/memories/{}/undo-supersede", "memory_id", memory_id)
        return self._act(records.Memory, path, about)


class Ingestions(Resource):
    """How far documents are that were submitted."""

    def get(self, ingestion_id: str, **given: Unpack[Waiting]) -> records.Ingestion:
        """`wait`: seconds, up to 30, to wait for its end."""
        path = path_of("/v1/memories/{}/status", "ingestion_id", ingestion_id)
        return self._get(records.Ingestion, path, given)


class Batches(Resource):
    def get(self, batch_id: str, **options: Unpack[RequestOptions]) -> records.Batch:
        return self._get(records.Batch, path_of("/v1/memories/batch/{}", "batch_id", batch_id), options)


class Documents(Resource):
    def forget(self, document_id: str, **about: Unpack[Named]) -> records.DocumentDeletion:
        """Forgets a document and all that was learnt from it alone."""
        path = path_of("/v1/documents/{}", "document_id", document_id)
        return self._delete(records.DocumentDeletion, path, about)


class Users(Resource):
    def forget(self, user_id: str, **within: Unpack[WithinCustomer]) -> records.UserDeletion:
        """Forgets all of a user; with `customer_id`, what is within that customer."""
        return self._delete(records.UserDeletion, path_of("/v1/users/{}", "user_id", user_id), within)

    def export(
        self, user_id: str, **within: Unpack[WithinCustomer]
    ) -> Iterator[records.Memory | records.ExportedMessage]:
        """Every memory of a user, then what was said in their conversations."""
        query, options = divided(within)
        request = ApiRequest("GET", path_of("/v1/users/{}/export", "user_id", user_id), query)
        for line in self._connection.lines(request, options):
            value = json.loads(line)
            yield (records.ExportedMessage if "message_id" in value else records.Memory).model_validate(value)


class Customers(Resource):
    def forget(self, customer_id: str, **options: Unpack[RequestOptions]) -> records.CustomerDeletion:
        """Forgets a customer, and its users within it."""
        path = path_of("/v1/customers/{}", "customer_id", customer_id)
        return self._delete(records.CustomerDeletion, path, options)


class Conversations(Resource):
    """What is said in them becomes memories without being asked."""

    def start(self, **given: Unpack[ConversationStart]) -> records.Conversation:
        return self._post(records.Conversation, "/v1/conversations", given)

    def say(
        self, conversation_id: str, said: NewMessage | Sequence[NewMessage], **about: Unpack[Named]
    ) -> records.AddedMessages:
        """Says something in a conversation, which begins when it is not known."""
        messages = [said] if isinstance(said, dict) else list(said)
        path = path_of("/v1/conversations/{}/messages", "conversation_id", conversation_id)
        return self._post(records.AddedMessages, path, {**about, "messages": messages})

    def end(self, conversation_id: str, **about: Unpack[Named]) -> records.EndedConversation:
        """What is not remembered yet becomes memories now."""
        path = path_of("/v1/conversations/{}/end", "conversation_id", conversation_id)
        return self._act(records.EndedConversation, path, about)

    def get(self, conversation_id: str, **given: Unpack[Last]) -> records.ConversationDetail:
        """`last`: how many of its messages."""
        path = path_of("/v1/conversations/{}", "conversation_id", conversation_id)
        return self._get(records.ConversationDetail, path, given)


class Entities(Resource):
    """People, places and things that memories mention."""

    def get(self, entity_id: str, **about: Unpack[Named]) -> records.EntityDetail:
        return self._get(records.EntityDetail, path_of("/v1/entities/{}", "entity_id", entity_id), about)

    def list(self, **given: Unpack[EntityFilter]) -> Pages[records.Entity]:
        def read(cursor: str | None) -> records.EntityPage:
            return self._get(records.EntityPage, "/v1/entities", {**given, "cursor": cursor})

        return Pages(read)

    def merge(self, **given: Unpack[Merging]) -> records.Merged:
        return self._post(records.Merged, "/v1/entities/merge", given)

    def split(self, **given: Unpack[Splitting]) -> records.Divided:
        return self._post(records.Divided, "/v1/entities/split", given)

    def undo_merge(self, merge_id: str, **about: Unpack[Named]) -> records.Unmerged:
        return self._act(records.Unmerged, path_of("/v1/merges/{}/undo", "merge_id", merge_id), about)


class Reviews(Resource):
    """Questions whether two entities are one."""

    def list(self, **given: Unpack[ReviewFilter]) -> Pages[records.Review]:
        def read(cursor: str | None) -> records.ReviewPage:
            return self._get(records.ReviewPage, "/v1/review-queue", {**given, "cursor": cursor})

        return Pages(read)

    def confirm(self, review_id: str, **about: Unpack[Named]) -> records.Merged:
        return self._act(records.Merged, path_of("/v1/review-queue/{}/confirm", "review_id", review_id), about)

    def reject(self, review_id: str, **about: Unpack[Named]) -> records.Review:
        return self._act(records.Review, path_of("/v1/review-queue/{}/reject", "review_id", review_id), about)


class Receipts(Resource):
    def get(self, receipt_id: str, **options: Unpack[RequestOptions]) -> records.Receipt:
        """What was removed by a deletion, and what is left."""
        return self._get(records.Receipt, path_of("/v1/receipts/{}", "receipt_id", receipt_id), options)


class Tokens(Resource):
    def create(self, **given: Unpack[TokenRequest]) -> records.BrowserToken:
        """Makes a short-lived token for a browser, bound to those named."""
        return self._post(records.BrowserToken, "/v1/tokens", given)
