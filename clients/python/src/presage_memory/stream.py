"""The memories likely to be needed next in a conversation. Needs `pip install "presage-memory[stream]"`."""

from __future__ import annotations

import asyncio
import json
import os
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

try:
    import grpc

    from ._generated import anticipation_pb2 as messages
except ImportError as missing:  # pragma: no cover
    raise ImportError('the stream needs more packages: pip install "presage-memory[stream]"') from missing

from ._async.client import AsyncPresage
from ._backoff import backoff
from ._generated.records import Evidence, FetchedMemory, MentionedEntity
from .errors import ApiError, AuthenticationError, ContextNotFoundError, InvalidInputError, unsendable

__all__ = ["MemoryStream", "StreamMemory", "StreamUpdate"]

_method = "/presage.anticipation.v1.Anticipation/Anticipate"
_SILENT = 60.0
"""The server says something every 30 s; a stream that is silent for twice as long is lost."""
_LEAVING = 1.0
"""How many seconds the end of a session may take."""
_UNSENT_AT_MOST = 20
"""Signals that are kept for the server while it cannot be reached."""
_LONGEST_PAUSE_AT = 4
"""Each wait before a call is opened again is longer, up to the fourth."""


@dataclass(frozen=True)
class StreamMemory:
    """A memory as the stream sends it, in the words of the REST interface."""

    id: str
    type: str
    category: str
    content: str
    confidence: float
    provenance: str
    score: float
    scope: str
    entities: tuple[MentionedEntity, ...]
    event_start: datetime | None
    event_end: datetime | None
    event_precision: str | None
    evidence: tuple[Evidence, ...]
    possibly_outdated_by: str | None
    """The memory that may have replaced it; of a passage: that replaced a statement in it."""
    reason: str
    """`standing`, `due`, `context` or `learned`; `fetched`: the stream was away, and a fetch found it."""


@dataclass(frozen=True)
class StreamUpdate:
    """What changed since the update before. Updates that nobody took meanwhile are told as one."""

    memories: tuple[StreamMemory, ...]
    """The whole current set: standing memories first, then the others, best first."""
    withdrawn: tuple[str, ...]
    """Memories that must not be used any more."""
    sequence: int


@dataclass
class _CurrentSet:
    """The memories that stand, as bundles and withdrawals change them."""

    memories: dict[str, StreamMemory] = field(default_factory=dict)
    withdrawn: dict[str, None] = field(default_factory=dict)
    sequence: int = 0
    has_news: bool = False

    def replace(self, bundle: messages.Bundle) -> None:
        """A bundle is the whole set; a memory that stood before travels by its id."""
        held = {} if bundle.snapshot else self.memories
        following: dict[str, StreamMemory] = {}
        for memory in bundle.memories:
            known = held.get(memory.id) if memory.held else None
            if known is not None:
                following[memory.id] = replace(known, **_changing_fields_of(memory))
            elif not memory.held:  # else it was withdrawn while the bundle was on its way
                following[memory.id] = _from_message(memory)
        if bundle.snapshot:  # nobody tells what was withdrawn while the connection was lost
            self.withdrawn.update(dict.fromkeys(self.memories.keys() - following.keys()))
        for memory_id in following:
            self.withdrawn.pop(memory_id, None)
        self.memories = following
        self._take(bundle.sequence)

    def withdraw(self, withdrawal: messages.Withdrawal) -> None:
        for memory_id in withdrawal.memory_ids:
            self.memories.pop(memory_id, None)
            self.withdrawn[memory_id] = None
        self._take(withdrawal.sequence)

    def news(self) -> StreamUpdate | None:
        """What changed since it was asked last."""
        if not self.has_news:
            return None
        update = StreamUpdate(tuple(self.memories.values()), tuple(self.withdrawn), self.sequence)
        self.withdrawn, self.has_news = {}, False
        return update

    def _take(self, sequence: int) -> None:
        self.sequence, self.has_news = sequence, True


class MemoryStream:
    """The memories that a conversation calls for, at hand before the model is asked. It keeps the set that stands, and
    itself connected: after a loss it resumes its session, so that nothing is missed and nothing stale is kept. Iterate
    it to hear of each change; whoever reads slowly gets the newest set. Enter it with `async with`."""

    def __init__(
        self,
        client: AsyncPresage,
        *,
        address: str | None = None,
        user_id: str | None = None,
        customer_id: str | None = None,
        conversation_id: str | None = None,
        token_budget: int = 0,
        remember: bool = False,
        root_certificates: bytes | None = None,
    ) -> None:
        """`address`: `host:port`; default: the environment's `PRESAGE_GRPC`, else port 50051 of the client's host.
        `remember`: what is said becomes memories; it is also sent to the conversation, again where needed, and kept
        once."""
        if remember and not conversation_id:
            raise unsendable("conversation_id", "is required with remember")
        named = {"user_id": user_id, "customer_id": customer_id, "conversation_id": conversation_id}
        for name, value in named.items():
            if value is not None:
                _require_text(name, value)
        if not isinstance(token_budget, int) or not 0 <= token_budget < 2**32:
            raise unsendable("token_budget", "must be a whole number, 0 or more")
        self._client = client
        self._connection = client._connection
        url = urlsplit(self._connection.settings.base_url)
        self._address = address or os.environ.get("PRESAGE_GRPC") or f"{url.hostname}:50051"
        self._is_secure = url.scheme == "https"
        self._root_certificates = root_certificates
        self._about = {
            name: value for name, value in (("user_id", user_id), ("customer_id", customer_id)) if value is not None
        }
        self._conversation_id = conversation_id
        self._token_budget = token_budget
        self._remember = remember
        self._session_id = str(uuid.uuid4())
        self._current = _CurrentSet()
        self._outgoing: asyncio.Queue[messages.Signal | None] | None = None
        self._unsent: list[messages.Signal] = []
        self._changed = asyncio.Condition()
        self._keeping = asyncio.Lock()
        self._keepers: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._quiet_until = 0.0
        self._is_closing = False
        self._is_behind = False
        self._has_told_error = False
        self._sent = self._last_words = self._answered = 0
        self._lost: BaseException | None = None

    @property
    def memories(self) -> tuple[StreamMemory, ...]:
        """The memories that matter now: standing ones first, then the others, best first."""
        return tuple(self._current.memories.values())

    @property
    def is_connected(self) -> bool:
        return self._outgoing is not None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
        if error is None and not self._has_told_error:
            self._tell_error()

    async def __aiter__(self) -> AsyncIterator[StreamUpdate]:
        """Each change, until the stream is closed. Raises when it can never be open again, such as by a revoked key."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._current.has_news or self._is_over)
                update = self._current.news()
            if update is None:
                break
            yield update
        self._tell_error()

    def hears(self, content: str, role: str = "user") -> None:
        """Words so far of a turn that is being typed or spoken: all of them each time. Dropped where they cannot be
        sent."""
        _require_text("content", content)
        _require_text("role", role)
        self._tell_error()
        if self.is_connected and time.monotonic() >= self._quiet_until:
            self._send(messages.Signal(partial_message=messages.PartialMessage(role=role, content=content)))

    async def said(self, role: str, content: str) -> None:
        """A whole turn, of the user or of the agent. Returns, with `remember`, when it is kept."""
        _require_text("role", role)
        _require_text("content", content, is_blank_allowed=False)
        self._is_behind = True  # until it is sent
        self._tell(messages.Signal(message=messages.Message(role=role, content=content)))
        if not self._remember or self._conversation_id is None:
            return
        keeper = asyncio.create_task(self._keep(role, content))
        self._keepers.add(keeper)
        keeper.add_done_callback(self._keepers.discard)
        await asyncio.shield(keeper)  # what was said is kept, also when nobody waits for it any more

    def calls(self, name: str, arguments: Any = "") -> None:
        """A tool that the agent calls."""
        _require_text("name", name, is_blank_allowed=False)
        try:
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        except (TypeError, ValueError) as error:
            raise unsendable("arguments", "must be a string or what JSON can hold") from error
        self._tell(messages.Signal(tool_call=messages.ToolCall(name=name, arguments=text)))

    def used(self, memory_ids: Sequence[str]) -> None:
        """Which memories went into the last answer: from this the service learns."""
        if isinstance(memory_ids, str):
            raise unsendable("memory_ids", "must be a list of ids, not one id")
        for n, memory_id in enumerate(memory_ids):
            _require_text(f"memory_ids[{n}]", memory_id)
        if memory_ids:
            self._tell(messages.Signal(context_used=messages.ContextUsed(memory_ids=memory_ids)))

    async def recall(self, question: str, *, patience: float = 0.05) -> tuple[StreamMemory, ...]:
        """The memories for an answer to what was just said: the set that answers it, when it is here or comes within
        `patience` seconds; else the one that stands. Where the stream has not heard it or sent nothing yet, those of a
        fetch."""
        self._tell_error()
        if not self.is_connected or self._is_behind:
            return await self._fetch(question)
        wanted = self._last_words

        def is_answered() -> bool:
            return self._answered >= wanted or not self.is_connected

        with suppress(asyncio.TimeoutError):
            async with asyncio.timeout(patience), self._changed:
                await self._changed.wait_for(is_answered)
        has_set = self.is_connected and self._answered > 0
        return self.memories if has_set else await self._fetch(question)

    async def aclose(self) -> None:
        """Ends the session. Raises when something that was said could not be kept."""
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self._is_closing = True
        if self._outgoing is not None:
            self._send(messages.Signal(session_end=messages.SessionEnd()))
            self._outgoing.put_nowait(None)
        if self._running is not None:
            await asyncio.wait({self._running}, timeout=_LEAVING if self.is_connected else 0)
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        if self._lost is not None:
            raise self._lost

    @property
    def _is_over(self) -> bool:
        return self._running is None or self._running.done()

    def _tell_error(self) -> None:
        if self._running is not None and self._running.done() and not self._running.cancelled():
            error = self._running.exception()
            if error is not None:
                self._has_told_error = True
                raise error

    async def _keep(self, role: str, content: str) -> None:
        async with self._keeping:  # in their order
            try:
                said = {"role": role, "content": content}
                await self._client.conversations.say(self._conversation_id or "", said, **self._about)  # type: ignore[arg-type]
            except Exception as error:
                self._lost = self._lost or error  # `aclose` tells of the first
                raise

    def _send(self, signal: messages.Signal) -> None:
        assert self._outgoing is not None
        self._outgoing.put_nowait(signal)
        self._sent += 1
        if signal.WhichOneof("kind") == "message":
            self._is_behind = False
        if signal.WhichOneof("kind") in ("message", "partial_message"):
            self._last_words = self._sent

    def _tell(self, signal: messages.Signal) -> None:
        """What is said in a remembered conversation reaches the session by that way too, when it is resumed. Raises why
        the stream ended for good, since nobody would hear it."""
        self._tell_error()
        if self.is_connected:
            self._send(signal)
        elif not (signal.WhichOneof("kind") == "message" and self._remember):
            self._unsent = [*self._unsent, signal][-_UNSENT_AT_MOST:]

    async def _stay_connected(self) -> None:
        failures = 0
        try:
            async with self._channel() as channel:
                while not self._is_closing:
                    before = self._current.sequence
                    end = await self._converse(channel)
                    if self._is_closing:
                        return
                    error = _error_of(end) if end is not None else None
                    if error is not None:
                        raise error
                    was_good = self._current.sequence > before
                    failures = 1 if was_good else min(failures + 1, _LONGEST_PAUSE_AT)
                    pause = backoff(failures, _retry_after_of(end), self._connection.clock.random())
                    await self._connection.clock.sleep(pause)
        finally:
            asyncio.get_running_loop().call_soon(self._wake_all)

    def _channel(self) -> grpc.aio.Channel:
        options = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 5_000)]
        if not self._is_secure:
            return grpc.aio.insecure_channel(self._address, options)
        return grpc.aio.secure_channel(self._address, grpc.ssl_channel_credentials(self._root_certificates), options)

    async def _converse(self, channel: grpc.aio.Channel) -> grpc.aio.AioRpcError | None:
        """One connection, from its first signal to its end."""
        open_call: Callable[..., Any] = channel.stream_stream(
            _method,
            request_serializer=messages.Signal.SerializeToString,
            response_deserializer=messages.Update.FromString,
        )
        outgoing: asyncio.Queue[messages.Signal | None] = asyncio.Queue()

        async def signals() -> AsyncIterator[messages.Signal]:
            while (signal := await outgoing.get()) is not None:
                yield signal

        metadata = (("authorization", f"Bearer {self._connection.settings.api_key}"),)
        outgoing.put_nowait(messages.Signal(session_start=self._start()))
        self._sent, self._last_words, self._answered = 1, 0, 0
        call = open_call(signals(), metadata=metadata)
        try:
            async with asyncio.timeout(_SILENT):
                await call.initial_metadata()
            self._outgoing = outgoing  # the server is there
            unsent, self._unsent = self._unsent, []
            for signal in unsent:
                self._send(signal)
            while True:
                async with asyncio.timeout(_SILENT):
                    update = await call.read()
                if update is grpc.aio.EOF:
                    await call.code()
                    return None
                await self._take(update)
        except grpc.aio.AioRpcError as end:
            return end
        except builtin_timeout:
            return None
        finally:
            self._outgoing = None
            outgoing.put_nowait(None)  # who sends has nothing to wait for any more
            call.cancel()
            await self._notify()

    def _start(self) -> messages.SessionStart:
        return messages.SessionStart(
            user_id=self._about.get("user_id", ""),
            customer_id=self._about.get("customer_id", ""),
            conversation_id=self._conversation_id or "",
            token_budget=self._token_budget,
            session_id=self._session_id,
            last_sequence=self._current.sequence,
            keeps_bundle=True,
        )

    async def _take(self, update: messages.Update) -> None:
        kind = update.WhichOneof("kind")
        if kind == "withdrawal":
            self._current.withdraw(update.withdrawal)
        elif kind == "bundle":
            self._current.replace(update.bundle)
            self._answered = update.bundle.signals_heard
        elif kind == "throttle":
            self._quiet_until = time.monotonic() + update.throttle.retry_after_ms / 1000
        if kind in ("withdrawal", "bundle"):
            await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _wake_all(self) -> None:
        """Once the task is over, which those who wait look at."""
        waking = asyncio.ensure_future(self._notify())
        self._keepers.add(waking)
        waking.add_done_callback(self._keepers.discard)

    async def _fetch(self, question: str) -> tuple[StreamMemory, ...]:
        where = {"conversation_id": self._conversation_id} if self._conversation_id else {}
        context = await self._client.recall(question, **self._about, **where)  # type: ignore[arg-type]
        return tuple(_from_fetched(memory) for memory in context.memories)


def _require_text(field: str, value: object, *, is_blank_allowed: bool = True) -> None:
    """Protobuf refuses other types without the name of the field, and the service ends a stream for a blank turn."""
    if not isinstance(value, str):
        raise unsendable(field, "must be a string")
    if not is_blank_allowed and not value.strip():
        raise unsendable(field, "must not be blank")


builtin_timeout = TimeoutError
"""Of asyncio; this package has an error of the same name."""


def _word_of(kind: Any, prefix: str, value: int) -> str:
    """`MEMORY_TYPE_FACTS` is `facts`. A value that this copy of the description does not know comes as its number."""
    known = kind.values()
    return str(kind.Name(value)).removeprefix(prefix).lower() if value in known else str(value)


def _changing_fields_of(memory: messages.Memory) -> dict[str, Any]:
    """The fields that are sent again with each bundle."""
    return {
        "score": memory.score,
        "reason": _word_of(messages.Reason, "REASON_", memory.reason),
        "possibly_outdated_by": memory.possibly_outdated_by or None,
    }


def _time_of(memory: messages.Memory, name: str) -> datetime | None:
    return getattr(memory, name).ToDatetime(tzinfo=UTC) if memory.HasField(name) else None


def _from_message(memory: messages.Memory) -> StreamMemory:
    return StreamMemory(
        id=memory.id,
        type=_word_of(messages.MemoryType, "MEMORY_TYPE_", memory.type),
        category=memory.category,
        content=memory.content,
        confidence=memory.confidence,
        provenance=_word_of(messages.Provenance, "PROVENANCE_", memory.provenance),
        scope=_word_of(messages.Scope, "SCOPE_", memory.scope).upper(),
        entities=tuple(MentionedEntity(entity_id=each.id, name=each.name, kind=each.kind) for each in memory.entities),
        event_start=_time_of(memory, "event_start"),
        event_end=_time_of(memory, "event_end"),
        event_precision=memory.event_precision or None,
        evidence=tuple(
            Evidence(
                document_id=each.document_id,
                turns=list(each.turns),
                conversation_id=None,
                conversation_turns=None,
                quote=each.quote,
            )
            for each in memory.evidence
        ),
        **_changing_fields_of(memory),
    )


def _from_fetched(memory: FetchedMemory) -> StreamMemory:
    return StreamMemory(
        id=memory.id,
        type=memory.type,
        category=memory.category,
        content=memory.content,
        confidence=memory.confidence,
        provenance=memory.provenance,
        score=memory.score,
        scope=memory.scope,
        entities=tuple(memory.entities),
        event_start=memory.event_start,
        event_end=memory.event_end,
        event_precision=memory.event_precision,
        evidence=tuple(memory.evidence),
        possibly_outdated_by=memory.possibly_outdated_by,
        reason="fetched",
    )


_hopeless: dict[grpc.StatusCode, type[ApiError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidInputError,
    grpc.StatusCode.UNAUTHENTICATED: AuthenticationError,
    grpc.StatusCode.PERMISSION_DENIED: AuthenticationError,
    grpc.StatusCode.NOT_FOUND: ContextNotFoundError,
    grpc.StatusCode.FAILED_PRECONDITION: ApiError,
    grpc.StatusCode.UNIMPLEMENTED: ApiError,
}
"""The ends of a call after which another would end alike."""


def _metadata_of(end: grpc.aio.AioRpcError | None) -> list[tuple[str, str]]:
    if end is None:
        return []
    return [(str(key), value if isinstance(value, str) else value.decode()) for key, value in end.trailing_metadata()]


def _error_of(end: grpc.aio.AioRpcError) -> ApiError | None:
    told = _metadata_of(end)
    first = dict(reversed(told))
    code = first.get("presage-error-code")
    kind = InvalidInputError if code == "payload_too_large" else _hopeless.get(end.code())
    if kind is None:
        return None
    message = end.details() or "the stream ended"
    errors = [
        {"field": value, "message": message.removeprefix(f"{value}: ")}
        for key, value in told
        if key == "presage-error-field"
    ]
    return kind(message, code=code, errors=errors, correlation_id=first.get("x-correlation-id"), attempts=1)


def _retry_after_of(end: grpc.aio.AioRpcError | None) -> float | None:
    """What a call that was refused for its rate asks for, in seconds."""
    seconds = dict(_metadata_of(end)).get("retry-after", "")
    return float(seconds) if seconds.isdigit() else None
