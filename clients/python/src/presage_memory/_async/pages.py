from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")
Item_co = TypeVar("Item_co", covariant=True)


class Page(Protocol[Item_co]):
    """A page of a list."""

    @property
    def data(self) -> Sequence[Item_co]: ...

    @property
    def next_cursor(self) -> str | None: ...


class AsyncPages(Generic[Item]):
    """A list: iterate it for all its records, or ask for its `first` page. A page is asked for when it is needed."""

    def __init__(self, read: Callable[[str | None], Awaitable[Page[Item]]]) -> None:
        self._read = read

    async def first(self) -> Page[Item]:
        return await self._read(None)

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Page after page."""
        cursor: str | None = None
        while True:
            page = await self._read(cursor)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item
