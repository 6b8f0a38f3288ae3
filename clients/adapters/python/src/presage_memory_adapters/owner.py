"""Whose memories an adapter reads and writes."""

from __future__ import annotations

from typing import TypedDict


class Owner(TypedDict, total=False):
    """What names neither belongs to the whole client, and all its users see it."""

    user_id: str
    customer_id: str


def owner_of(user_id: str | None, customer_id: str | None) -> Owner:
    owner: Owner = {}
    if user_id is not None:
        owner["user_id"] = user_id
    if customer_id is not None:
        owner["customer_id"] = customer_id
    return owner
