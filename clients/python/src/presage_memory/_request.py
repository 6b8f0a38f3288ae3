from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict
from urllib.parse import quote, urlsplit

from httpx import Headers, Response

from ._record import ResponseInfo
from .errors import ApiError, ConnectionFailedError, unsendable


class RequestOptions(TypedDict, total=False):
    """How one request is sent."""

    timeout: float
    """Seconds, for each attempt."""
    max_retries: int
    idempotency_key: str
    """The service does the request once for all that carry the same key. Default: a new one for each write."""
    correlation_id: str
    """Found in the service's log, and in the answer."""


class Named(RequestOptions, total=False):
    """Whom a request is about."""

    user_id: str
    customer_id: str


@dataclass(frozen=True)
class ApiRequest:
    method: str
    path: str
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    is_write: bool = False
    """It changes something: sent twice, it must be done once."""


_option_names = frozenset(RequestOptions.__annotations__)


def divided(given: Mapping[str, Any]) -> tuple[dict[str, Any], RequestOptions]:
    """The parameters of a call, and the options of its request."""
    options = RequestOptions(**{name: value for name, value in given.items() if name in _option_names})  # type: ignore[typeddict-item]
    parameters = {name: value for name, value in given.items() if name not in _option_names and value is not None}
    return parameters, options


def update_of(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], RequestOptions]:
    """Whom an update is about, the update, and the options of its request. `None` clears what was there."""
    named, options = divided({name: value for name, value in given.items() if name in Named.__annotations__})
    return named, {name: value for name, value in given.items() if name not in Named.__annotations__}, options


def path_of(template: str, field: str, value: str) -> str:
    """`/v1/memories/{}` with the id in its place. What could lead to another path is refused."""
    if not isinstance(value, str) or not value:
        raise unsendable(field, "must not be empty")
    if value in (".", ".."):
        raise unsendable(field, 'must not be "." or "..": it stands in the path')
    return template.replace("{}", quote(value, safe="", errors="replace"))


def query_of(query: Mapping[str, Any] | None) -> dict[str, str]:
    return {name: _text(value) for name, value in (query or {}).items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def json_default(value: object) -> str:
    """Times are sent as ISO 8601 with their offset."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise unsendable("time", "needs a time zone: use datetime.now(timezone.utc) or another aware time")
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


@dataclass(frozen=True)
class Settings:
    """What a client is told at its beginning."""

    api_key: str
    base_url: str
    timeout: float
    max_retries: int

    def headers(self, request: ApiRequest, options: RequestOptions, new_key: str) -> dict[str, str]:
        key = options.get("idempotency_key") or (new_key if request.is_write else None)
        correlation_id = options.get("correlation_id")
        return {
            "authorization": f"Bearer {self.api_key}",
            **({"content-type": "application/json"} if request.body is not None else {}),
            **({"idempotency-key": key} if key else {}),
            **({"x-correlation-id": correlation_id} if correlation_id else {}),
        }

    def __repr__(self) -> str:
        return f"Settings({self.base_url!r})"


def settings_of(api_key: str | None, base_url: str | None, timeout: float, max_retries: int) -> Settings:
    key = os.environ.get("PRESAGE_KEY", "") if api_key is None else api_key
    url = base_url or os.environ.get("PRESAGE_URL") or "http://127.0.0.1:8080"
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise unsendable("api_key", "is missing: pass it, or set PRESAGE_KEY")
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise unsendable("base_url", "must be a URL that begins with http:// or https://")
    return Settings(key, url.rstrip("/"), timeout, max_retries)


def is_retried(error: ApiError) -> bool:
    """409 with a time: the first request with its idempotency key is still under way."""
    return (
        isinstance(error, ConnectionFailedError)
        or error.status in (429, 500, 502, 503, 504)
        or (error.status == 409 and error.retry_after is not None)
    )


def info_of(response: Response, attempts: int) -> ResponseInfo:
    headers: Headers = response.headers
    version = headers.get("x-config-version")
    return ResponseInfo(
        status=response.status_code,
        headers=headers,
        correlation_id=headers.get("x-correlation-id"),
        config_version=None if version is None else int(version),
        attempts=attempts,
    )


def chance() -> float:
    return random.random()
