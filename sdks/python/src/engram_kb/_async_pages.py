"""Lists that are fetched page by page, for programs that await."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Generic, TypeVar

from ._async_run import AsyncRunner
from ._core import Page
from ._spec import Spec, page_of

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """A list that is fetched page by page during iteration.

    The first page is fetched once, when it is first needed. `bool()` cannot fetch it: ask
    `await pages.is_empty()`.
    """

    def __init__(self, runner: AsyncRunner, spec: Spec[T], values: Mapping[str, object]) -> None:
        self._runner = runner
        self._spec, self._values = spec, values
        # Raises an ArgumentError here, and not at the first iteration.
        self._first_call = page_of(spec, values, None)
        self._first: Page[T] | None = None

    def __bool__(self) -> bool:
        raise TypeError("Use 'await pages.is_empty()': bool() cannot fetch the first page.")

    async def is_empty(self) -> bool:
        """Whether the list has no rows."""
        return not (await self._first_page()).rows

    async def _first_page(self) -> Page[T]:
        if self._first is None:
            self._first = await self._runner.call(self._first_call)
        return self._first

    async def pages(self) -> AsyncIterator[Page[T]]:
        """The pages, each with its rows and the total of all."""
        page = await self._first_page()
        yield page
        while page.next_cursor is not None:
            page = await self._runner.call(page_of(self._spec, self._values, page.next_cursor))
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for row in page.rows:
                yield row
