from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import httpx
from pydantic import ValidationError

from .._backoff import MOST_PATIENCE, backoff
from .._record import Record
from .._request import ApiRequest, RequestOptions, Settings, chance, info_of, is_retried, json_default, query_of
from ..errors import ApiError, ConnectionFailedError, TimeoutError, error_of

Answer = TypeVar("Answer", bound=Record)
Read = TypeVar("Read")


class AsyncClock:
    """Where time and chance come from; tests bring their own."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def random(self) -> float:
        return chance()


class AsyncConnection:
    """Sends requests to one service with one key, again where that can help."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient | None, clock: AsyncClock | None) -> None:
        self.settings = settings
        self.clock = clock or AsyncClock()
        self._is_own = http is None
        self._http = http or httpx.AsyncClient()

    async def aclose(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def send(self, request: ApiRequest, answer: type[Answer], options: RequestOptions) -> Answer:
        """The record that the service answers, after retries."""

        async def read(response: httpx.Response, attempts: int) -> Answer:
            text = (await response.aread()).decode(errors="replace")
            if not response.is_success:
                raise error_of(response.status_code, response.headers, text, attempts=attempts)
            try:
                record = answer.model_validate_json(text)
            except ValidationError as error:
                message = "the answer is not what was expected: is this address that of Presage?"
                raise ApiError(message, status=response.status_code, attempts=attempts) from error
            record._response = info_of(response, attempts)
            return record

        response, result = await self._retrying(request, options, read)
        await response.aclose()
        return result

    async def lines(self, request: ApiRequest, options: RequestOptions) -> AsyncIterator[str]:
        """The lines of an answer as they come: only its beginning is tried again."""

        async def read(response: httpx.Response, attempts: int) -> int:
            if response.is_success:
                return attempts
            text = (await response.aread()).decode(errors="replace")
            raise error_of(response.status_code, response.headers, text, attempts=attempts)

        response, attempts = await self._retrying(request, options, read)
        try:
            async for line in response.aiter_lines():
                if line:
                    yield line
        except httpx.TimeoutException as error:
            raise TimeoutError(f"{self.settings.base_url} sent no more in time", attempts=attempts) from error
        except httpx.TransportError as error:
            raise ConnectionFailedError("the connection was lost before the end", attempts=attempts) from error
        finally:
            await response.aclose()

    async def _retrying(
        self,
        request: ApiRequest,
        options: RequestOptions,
        read: Callable[[httpx.Response, int], Awaitable[Read]],
    ) -> tuple[httpx.Response, Read]:
        retries = options.get("max_retries", self.settings.max_retries)
        prepared = self._prepare(request, options)
        attempts = 1
        while True:
            try:
                return await self._attempt(prepared, read, attempts)
            except ApiError as error:
                is_worth_it = is_retried(error) and (error.retry_after or 0) <= MOST_PATIENCE
                if not is_worth_it or attempts > retries:
                    raise
                await self.clock.sleep(backoff(attempts, error.retry_after, self.clock.random()))
            attempts += 1

    async def _attempt(
        self,
        prepared: Callable[[], httpx.Request],
        read: Callable[[httpx.Response, int], Awaitable[Read]],
        attempts: int,
    ) -> tuple[httpx.Response, Read]:
        response: httpx.Response | None = None
        try:
            response = await self._http.send(prepared(), stream=True)
            return response, await read(response, attempts)
        except BaseException as error:
            if response is not None:
                await response.aclose()
            if isinstance(error, httpx.TimeoutException):
                raise TimeoutError(f"{self.settings.base_url} gave no answer in time", attempts=attempts) from error
            if isinstance(error, (httpx.TransportError, httpx.StreamError)):
                lost = f"{self.settings.base_url} could not be reached, or the connection was lost"
                reason = f" ({error})" if str(error) else ""
                message = f"{lost}{reason}: base_url or PRESAGE_URL names another address"
                raise ConnectionFailedError(message, attempts=attempts) from error
            raise

    def _prepare(self, request: ApiRequest, options: RequestOptions) -> Callable[[], httpx.Request]:
        """The same request each time, its key included."""
        content = None if request.body is None else json.dumps(request.body, default=json_default).encode()
        headers = self.settings.headers(request, options, str(uuid.uuid4()))
        timeout = options.get("timeout", self.settings.timeout)
        return lambda: self._http.build_request(
            request.method,
            self.settings.base_url + request.path,
            params=query_of(request.query),
            content=content,
            headers=headers,
            timeout=timeout,
        )
