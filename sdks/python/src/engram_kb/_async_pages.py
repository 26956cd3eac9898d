"""Lists page by page, and downloads piece by piece, for programs that await."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import anyio.to_thread
import httpx2

from ._core import Page
from ._download import Target
from ._form import Progress
from ._run import AsyncRunner
from ._spec import Spec, page_of
from .errors import StreamBrokenError

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


async def save(response: httpx2.Response, path: Path, on_progress: Progress | None) -> Path:
    """Writes an open response to a file, a piece at a time."""
    length = response.headers.get("content-length")
    target = await anyio.to_thread.run_sync(Target, path)
    try:
        async for piece in response.aiter_bytes():
            await anyio.to_thread.run_sync(target.write, piece)
            if on_progress:
                on_progress(target.written, int(length) if length else None)
        return await anyio.to_thread.run_sync(target.keep)
    except httpx2.RequestError as error:
        raise StreamBrokenError("The download broke off before its end.") from error
    finally:
        target.drop()
        await response.aclose()
