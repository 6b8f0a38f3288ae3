"""What the methods take by name: the parameters of the service, and the options of each request."""

from __future__ import annotations

from typing import TypeAlias

from ._generated import parameters as generated
from ._generated.parameters import BatchDocument, NewMessage, Turn
from ._request import Named, RequestOptions

__all__ = ["BatchDocument", "Named", "NewMessage", "RequestOptions", "Turn"]

Document: TypeAlias = str | list[Turn]


class RememberParameters(generated.RememberParameters, RequestOptions):
    pass


class RecallParameters(generated.RecallParameters, RequestOptions):
    pass


class MemoryFilter(generated.MemoryFilter, RequestOptions):
    pass


class UserFilter(generated.UserFilter, RequestOptions):
    pass


class CustomerFilter(generated.CustomerFilter, RequestOptions):
    pass


class ConversationFilter(generated.ConversationFilter, RequestOptions):
    pass


class EntityFilter(generated.EntityFilter, RequestOptions):
    pass


class ReviewFilter(generated.ReviewFilter, RequestOptions):
    pass


class ConversationStart(generated.ConversationStart, RequestOptions):
    pass


class Recording(generated.Transcript, RequestOptions):
    pass


class TokenRequest(generated.BrowserTokenRequest, RequestOptions):
    pass


class Merging(generated.MergeEntities, RequestOptions):
    pass


class Splitting(generated.SplitEntity, RequestOptions):
    pass


class Correcting(generated.Correction, Named):
    pass


class Compacting(generated.CompactParameters, RequestOptions):
    pass


class CompactionFilter(generated.CompactionFilter, RequestOptions):
    pass


class CompactionParameters(generated.CompactionParameters, RequestOptions):
    pass


class CreatingWebhook(generated.NewWebhook, RequestOptions):
    pass


class UpdatingWebhook(generated.WebhookUpdate, RequestOptions):
    pass


class WebhookFilter(generated.WebhookFilter, RequestOptions):
    pass


class DeliveryFilter(generated.DeliveryFilter, RequestOptions):
    pass


class UsageOf(generated.UsageQuery, RequestOptions):
    pass


class WithinCustomer(RequestOptions, total=False):
    customer_id: str


class Waiting(RequestOptions, total=False):
    wait: int


class ReadingConversation(Named, total=False):
    last: int
    turns: str


class Forgetting(Named, total=False):
    cascade: str


class Batching(RequestOptions, total=False):
    fail_fast: bool
