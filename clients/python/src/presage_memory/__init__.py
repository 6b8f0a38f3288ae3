"""Remember and recall with Presage, the memory for AI agents.

Installed as `presage-memory`, imported as `presage_memory`:

    from presage_memory import Presage

    memory = Presage()  # PRESAGE_KEY and PRESAGE_URL of the environment
    memory.remember("I live in Leeds and I am allergic to peanuts.", user_id="ada")
    print(memory.recall("What must Ada not eat?", user_id="ada").memories[0].content)
"""

from ._async.client import AsyncPresage
from ._async.connection import AsyncClock
from ._async.pages import AsyncPages
from ._generated import records
from ._recall import AsyncRecall
from ._record import Record, ResponseInfo
from ._sync.client import Presage
from ._sync.connection import Clock
from ._sync.pages import Pages
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    ContextNotFoundError,
    DuplicateDocumentError,
    IngestionFailedError,
    InvalidInputError,
    NotFoundError,
    PresageError,
    RateLimitError,
    ServiceUnavailableError,
    TimeoutError,
)

__all__ = [
    "ApiError",
    "AsyncClock",
    "AsyncPages",
    "AsyncPresage",
    "AsyncRecall",
    "AuthenticationError",
    "Clock",
    "ConflictError",
    "ConnectionFailedError",
    "ContextNotFoundError",
    "DuplicateDocumentError",
    "IngestionFailedError",
    "InvalidInputError",
    "NotFoundError",
    "Pages",
    "Presage",
    "PresageError",
    "RateLimitError",
    "Record",
    "ResponseInfo",
    "ServiceUnavailableError",
    "TimeoutError",
    "records",
]
