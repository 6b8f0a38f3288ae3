import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_STANDING: _ClassVar[Reason]
    REASON_DUE: _ClassVar[Reason]
    REASON_CONTEXT: _ClassVar[Reason]
    REASON_LEARNED: _ClassVar[Reason]

class MemoryType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_TYPE_UNSPECIFIED: _ClassVar[MemoryType]
    MEMORY_TYPE_FACTS: _ClassVar[MemoryType]
    MEMORY_TYPE_PREFERENCES: _ClassVar[MemoryType]
    MEMORY_TYPE_EPISODES: _ClassVar[MemoryType]
    MEMORY_TYPE_EMOTIONS: _ClassVar[MemoryType]
    MEMORY_TYPE_TEMPORAL_EVENTS: _ClassVar[MemoryType]

class Scope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCOPE_UNSPECIFIED: _ClassVar[Scope]
    SCOPE_USER: _ClassVar[Scope]
    SCOPE_CUSTOMER: _ClassVar[Scope]
    SCOPE_CLIENT: _ClassVar[Scope]
    SCOPE_WORLD: _ClassVar[Scope]
REASON_UNSPECIFIED: Reason
REASON_STANDING: Reason
REASON_DUE: Reason
REASON_CONTEXT: Reason
REASON_LEARNED: Reason
MEMORY_TYPE_UNSPECIFIED: MemoryType
MEMORY_TYPE_FACTS: MemoryType
MEMORY_TYPE_PREFERENCES: MemoryType
MEMORY_TYPE_EPISODES: MemoryType
MEMORY_TYPE_EMOTIONS: MemoryType
MEMORY_TYPE_TEMPORAL_EVENTS: MemoryType
SCOPE_UNSPECIFIED: Scope
SCOPE_USER: Scope
SCOPE_CUSTOMER: Scope
SCOPE_CLIENT: Scope
SCOPE_WORLD: Scope

class Signal(_message.Message):
    __slots__ = ("session_start", "message", "ping", "session_end", "partial_message", "tool_call", "context_used")
    SESSION_START_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    SESSION_END_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_USED_FIELD_NUMBER: _ClassVar[int]
    session_start: SessionStart
    message: Message
    ping: Ping
    session_end: SessionEnd
    partial_message: PartialMessage
    tool_call: ToolCall
    context_used: ContextUsed
    def __init__(self, session_start: _Optional[_Union[SessionStart, _Mapping]] = ..., message: _Optional[_Union[Message, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., session_end: _Optional[_Union[SessionEnd, _Mapping]] = ..., partial_message: _Optional[_Union[PartialMessage, _Mapping]] = ..., tool_call: _Optional[_Union[ToolCall, _Mapping]] = ..., context_used: _Optional[_Union[ContextUsed, _Mapping]] = ...) -> None: ...

class SessionStart(_message.Message):
    __slots__ = ("user_id", "customer_id", "conversation_id", "token_budget", "session_id", "last_sequence", "keeps_bundle", "remember")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CUSTOMER_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KEEPS_BUNDLE_FIELD_NUMBER: _ClassVar[int]
    REMEMBER_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    customer_id: str
    conversation_id: str
    token_budget: int
    session_id: str
    last_sequence: int
    keeps_bundle: bool
    remember: bool
    def __init__(self, user_id: _Optional[str] = ..., customer_id: _Optional[str] = ..., conversation_id: _Optional[str] = ..., token_budget: _Optional[int] = ..., session_id: _Optional[str] = ..., last_sequence: _Optional[int] = ..., keeps_bundle: bool = ..., remember: bool = ...) -> None: ...

class Message(_message.Message):
    __slots__ = ("role", "content")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    role: str
    content: str
    def __init__(self, role: _Optional[str] = ..., content: _Optional[str] = ...) -> None: ...

class PartialMessage(_message.Message):
    __slots__ = ("role", "content")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    role: str
    content: str
    def __init__(self, role: _Optional[str] = ..., content: _Optional[str] = ...) -> None: ...

class ToolCall(_message.Message):
    __slots__ = ("name", "arguments")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    arguments: str
    def __init__(self, name: _Optional[str] = ..., arguments: _Optional[str] = ...) -> None: ...

class ContextUsed(_message.Message):
    __slots__ = ("memory_ids",)
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    memory_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, memory_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SessionEnd(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Update(_message.Message):
    __slots__ = ("bundle", "pong", "withdrawal", "throttle")
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWAL_FIELD_NUMBER: _ClassVar[int]
    THROTTLE_FIELD_NUMBER: _ClassVar[int]
    bundle: Bundle
    pong: Pong
    withdrawal: Withdrawal
    throttle: Throttle
    def __init__(self, bundle: _Optional[_Union[Bundle, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ..., withdrawal: _Optional[_Union[Withdrawal, _Mapping]] = ..., throttle: _Optional[_Union[Throttle, _Mapping]] = ...) -> None: ...

class Bundle(_message.Message):
    __slots__ = ("bundle_id", "sequence", "memories", "total_tokens", "snapshot", "signals_heard")
    BUNDLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_HEARD_FIELD_NUMBER: _ClassVar[int]
    bundle_id: str
    sequence: int
    memories: _containers.RepeatedCompositeFieldContainer[Memory]
    total_tokens: int
    snapshot: bool
    signals_heard: int
    def __init__(self, bundle_id: _Optional[str] = ..., sequence: _Optional[int] = ..., memories: _Optional[_Iterable[_Union[Memory, _Mapping]]] = ..., total_tokens: _Optional[int] = ..., snapshot: bool = ..., signals_heard: _Optional[int] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Withdrawal(_message.Message):
    __slots__ = ("sequence", "memory_ids")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    memory_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, sequence: _Optional[int] = ..., memory_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class Throttle(_message.Message):
    __slots__ = ("retry_after_ms",)
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    retry_after_ms: int
    def __init__(self, retry_after_ms: _Optional[int] = ...) -> None: ...

class Memory(_message.Message):
    __slots__ = ("id", "type", "category", "content", "confidence", "score", "scope", "entities", "event_start", "event_end", "evidence", "event_precision", "reason", "held")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    EVENT_START_FIELD_NUMBER: _ClassVar[int]
    EVENT_END_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    EVENT_PRECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    id: str
    type: MemoryType
    category: str
    content: str
    confidence: float
    score: float
    scope: Scope
    entities: _containers.RepeatedCompositeFieldContainer[Entity]
    event_start: _timestamp_pb2.Timestamp
    event_end: _timestamp_pb2.Timestamp
    evidence: _containers.RepeatedCompositeFieldContainer[Evidence]
    event_precision: str
    reason: Reason
    held: bool
    def __init__(self, id: _Optional[str] = ..., type: _Optional[_Union[MemoryType, str]] = ..., category: _Optional[str] = ..., content: _Optional[str] = ..., confidence: _Optional[float] = ..., score: _Optional[float] = ..., scope: _Optional[_Union[Scope, str]] = ..., entities: _Optional[_Iterable[_Union[Entity, _Mapping]]] = ..., event_start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., event_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., evidence: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ..., event_precision: _Optional[str] = ..., reason: _Optional[_Union[Reason, str]] = ..., held: bool = ...) -> None: ...

class Entity(_message.Message):
    __slots__ = ("id", "name", "kind")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    kind: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., kind: _Optional[str] = ...) -> None: ...

class Evidence(_message.Message):
    __slots__ = ("document_id", "turns", "quote")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    turns: _containers.RepeatedScalarFieldContainer[int]
    quote: str
    def __init__(self, document_id: _Optional[str] = ..., turns: _Optional[_Iterable[int]] = ..., quote: _Optional[str] = ...) -> None: ...
