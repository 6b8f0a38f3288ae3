"""A store for LangGraph."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)
from presage_memory import NotFoundError, Presage, records

from .owner import Owner, owner_of
from .store_filter import matches_filter

Namespace = tuple[str, ...]
StoredMemory = records.Memory | records.FetchedMemory

_MOST_RESULTS, _MOST_TOKENS = 100, 1_000_000
"""A fetch answers no more memories, of no more tokens."""
_INDEXED_CHARACTERS = 1_500
"""Words of an item that it is found by stand before its JSON, of which only the beginning is indexed."""
_KIND = "langgraph-item"
_AT_ONCE = 8


class PresageStore(BaseStore):
    """A store whose items are kept in Presage word for word, one memory each, sealed and forgotten like all others. A
    search with a query finds items by their meaning, among the 1,000 newest below its prefix. An item has 256 KiB of
    JSON at most.

    Items belong to the given owner; pass a function where a namespace names the user, such as
    `lambda namespace: {"user_id": namespace[1]}` for `("memories", user_id)`. A search below a prefix asks for the
    owner of the prefix. `abatch` runs in a thread.
    """

    def __init__(self, memory: Presage, owner: Owner | Callable[[Namespace], Owner]) -> None:
        self._memory = memory
        self._owner = owner

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see the state before the batch, and of several writes to one key the last one counts."""
        asked = list(ops)
        results = _together(self._read, asked)
        puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        _together(self._write, list(puts.values()))
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op.namespace, op.key)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        return None

    def _get(self, namespace: Namespace, key: str) -> Item | None:
        owner = self._owner_of(namespace)
        document_id = _document_id_of(namespace, key, owner)
        page = self._memory.memories.list(**owner, document_id=document_id, status="active").first()
        return next((item for memory in page.data if (item := _item_of(memory, owner))), None)

    def _write(self, op: PutOp) -> None:
        owner = self._owner_of(op.namespace)
        document_id = _document_id_of(op.namespace, op.key, owner)
        if op.value is None:
            with suppress(NotFoundError):
                self._memory.documents.forget(document_id, **owner)
            return
        former = self._get(op.namespace, op.key)
        text = "" if op.index is False else "\n".join(_words_of(op.value))[:_INDEXED_CHARACTERS]
        metadata: dict[str, Any] = {
            "kind": _KIND,
            "namespace": list(op.namespace),
            "key": op.key,
            "created_at": (former.created_at if former else datetime.now(UTC)).isoformat(),
            "is_indexed": op.index is not False,
            **({"text": text} if text else {}),
            **_within(op.namespace),
        }
        self._memory.remember(
            json.dumps(op.value, ensure_ascii=False),
            **owner,
            document_id=document_id,
            document_type="document",
            verbatim=True,
            if_exists="replace",
            metadata=metadata,
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        owner = self._owner_of(op.namespace_prefix)
        items = self._found(op.query, op.namespace_prefix, owner) if op.query else self._all(owner)
        depth = len(op.namespace_prefix)
        wanted = [
            item
            for item in items
            if item.namespace[:depth] == op.namespace_prefix
            and (op.filter is None or matches_filter(item.value, op.filter))
        ]
        return wanted[op.offset : op.offset + op.limit]

    def _found(self, query: str, prefix: Namespace, owner: Owner) -> list[SearchItem]:
        context = self._memory.recall(
            query,
            **owner,
            metadata={"kind": _KIND, "is_indexed": True, **_within(prefix)},
            max_results=_MOST_RESULTS,
            context_budget=_MOST_TOKENS,
        )
        return [item for each in context.memories if (item := _item_of(each, owner, each.relevance))]

    def _all(self, owner: Owner) -> list[SearchItem]:
        metadata = json.dumps({"kind": _KIND})
        stored = self._memory.memories.list(**owner, metadata=metadata, status="active", limit=_MOST_RESULTS)
        return [item for memory in stored if (item := _item_of(memory, owner))]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        prefix = next((each.path for each in conditions if each.match_type == "prefix"), ())
        known = prefix[: prefix.index("*")] if "*" in prefix else prefix
        namespaces = {
            item.namespace[: op.max_depth]
            for item in self._all(self._owner_of(tuple(known)))
            if all(_fits(item.namespace, condition) for condition in conditions)
        }
        return sorted(namespaces)[op.offset : op.offset + op.limit]

    def _owner_of(self, namespace: Namespace) -> Owner:
        """Raises where nobody is named: such items would be everybody's, and a search would find everybody's."""
        named = self._owner(namespace) if callable(self._owner) else self._owner
        owner = owner_of(named.get("user_id"), named.get("customer_id"))
        if not owner:
            raise ValueError(f"the namespace {namespace!r} names no owner: a user_id or customer_id is required")
        return owner


def _together(run: Callable[[Any], Any], ops: list[Any]) -> list[Any]:
    if len(ops) < 2:
        return [run(op) for op in ops]
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        return list(pool.map(run, ops))


def _document_id_of(namespace: Namespace, key: str, owner: Owner) -> str:
    """The id of an item's document, which the store for TypeScript makes alike: a digest, since a place may be of any
    length, with the owner in it, since a customer's documents and those of its users are forgotten by the same ids."""
    place = [owner.get("customer_id"), owner.get("user_id"), list(namespace), key]
    text = json.dumps(place, ensure_ascii=False, separators=(",", ":"))
    return f"langgraph/{hashlib.sha256(text.encode()).hexdigest()}"


def _within(namespace: Namespace) -> dict[str, bool]:
    """A namespace as members of metadata that a search of a prefix asks for; `True`, since a text would be found by its
    words."""
    return {f"namespace[{n}] {label}": True for n, label in enumerate(namespace)}


def _item_of(memory: StoredMemory, owner: Owner, score: float | None = None) -> SearchItem | None:
    """The item that a memory is; none where it is no item, or of a wider owner whose memories this one may read too."""
    metadata = memory.metadata or {}
    is_of_owner = (memory.user_id, memory.customer_id) == (owner.get("user_id"), owner.get("customer_id"))
    if not is_of_owner or metadata.get("kind") != _KIND:
        return None
    return SearchItem(
        namespace=tuple(metadata["namespace"]),
        key=metadata["key"],
        value=json.loads(memory.content),
        created_at=datetime.fromisoformat(metadata["created_at"]),
        updated_at=memory.created_at,
        score=score,
    )


def _words_of(value: Any) -> list[str]:
    """The texts within a value, which say what it is about."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return [word for part in parts for word in _words_of(part)]


def _fits(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(label in ("*", own) for label, own in zip(path, part, strict=True))
