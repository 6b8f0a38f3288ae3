from __future__ import annotations

from collections.abc import Iterator, Callable, Sequence
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")
Item_co = TypeVar("Item_co", covariant=True)


class Page(Protocol[Item_co]):
    """A page of a list."""

    @property
    def data(self) -> Sequence[Item_co]: ...

    @property
    def next_cursor(self) -> str | None: ...


class Pages(Generic[Item]):
    """A list: iterate it for all its records, or ask for its `first` page. A page is asked for when it is needed."""

    def __init__(self, read: Callable[[str | None], Page[Item]]) -> None:
        self._read = read

    def first(self) -> Page[Item]:
        return self._read(None)

    def pages(self) -> Iterator[Page[Item]]:
        """Page after page."""
        cursor: str | None = None
        while True:
            page = self._read(cursor)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page.data:
                yield item
