"""What can go wrong, in the words of the specification."""

from __future__ import annotations

import email.utils
import json
import math
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from httpx import Headers

    from ._generated.records import Ingestion


class PresageError(Exception):
    """Every error of this package."""


class ApiError(PresageError):
    """A request that did not succeed, after all retries."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        errors: list[dict[str, str]] | None = None,
        correlation_id: str | None = None,
        retry_after: float | None = None,
        attempts: int = 0,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status; None when there was no answer."""
        self.code = code
        """The code of the service, such as `invalid_input`."""
        self.errors = errors or []
        """The fields that are wrong, each with its `field` and `message`."""
        self.correlation_id = correlation_id
        """Quote it to report a fault."""
        self.retry_after = retry_after
        """Seconds after which the service asks to be called again."""
        self.attempts = attempts
        """How often the request was sent."""


class InvalidInputError(ApiError):
    """400, 405, 406, 413, 415: the request is wrong, and `errors` names the fields."""


class AuthenticationError(ApiError):
    """401, 403: the key is missing, wrong or revoked, or may not do that."""


class NotFoundError(ApiError):
    """404: there is no such thing, or it belongs to somebody else."""


class ContextNotFoundError(NotFoundError):
    """404 of a conversation or of its context."""


class ConflictError(ApiError):
    """409: the state of things does not allow it."""


class DuplicateDocumentError(ConflictError):
    """409: a document with this id was submitted before."""

    ingestion_id: str | None = None
    """The first ingestion of the document."""


class RateLimitError(ApiError):
    """429: too many requests; `retry_after` tells when to go on."""


class ServiceUnavailableError(ApiError):
    """500, 502, 503, 504: the service failed or is away."""


class ConnectionFailedError(ServiceUnavailableError):
    """There was no answer: the service could not be reached, or the connection was lost."""


class TimeoutError(ConnectionFailedError):
    """There was no answer in time."""


class IngestionFailedError(PresageError):
    """A document was accepted, and could not be made into memories."""

    def __init__(self, ingestion: Ingestion) -> None:
        super().__init__(f"the ingestion {ingestion.ingestion_id} failed: {ingestion.error or 'no reason was given'}")
        self.ingestion = ingestion


def unsendable(field: str, message: str) -> InvalidInputError:
    """Input that cannot be sent: refused here, with the name of the field."""
    errors = [{"field": field, "message": message}]
    return InvalidInputError(f"{field}: {message}", code="invalid_input", errors=errors)


_class_of_status: dict[int, type[ApiError]] = {
    **dict.fromkeys((400, 405, 406, 413, 415), InvalidInputError),
    **dict.fromkeys((401, 403), AuthenticationError),
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
    **dict.fromkeys((500, 502, 503, 504), ServiceUnavailableError),
}


def error_of(status: int, headers: Headers, text: str, *, attempts: int) -> ApiError:
    """The error of an answer that is none of success."""
    problem = _problem_of(text)
    code = problem.get("code")
    kind = _class_of_status.get(status, ApiError)
    if code == "duplicate_document":
        kind = DuplicateDocumentError
    elif code == "context_not_found":
        kind = ContextNotFoundError
    after = retry_after_of(headers)
    error = kind(
        problem.get("detail") or f"the service answered {status}",
        status=status,
        code=code,
        errors=problem.get("errors"),
        correlation_id=problem.get("correlation_id") or headers.get("x-correlation-id"),
        retry_after=problem.get("retry_after") if after is None else after,
        attempts=attempts,
    )
    if isinstance(error, DuplicateDocumentError):
        error.ingestion_id = problem.get("ingestion_id")
    return error


def _problem_of(text: str) -> dict[str, Any]:
    """Nothing when the answer is no problem document, such as a page of a proxy."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def retry_after_of(headers: Headers) -> float | None:
    """Seconds, or a date."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return int(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0, math.ceil(moment.timestamp() - time.time()))
