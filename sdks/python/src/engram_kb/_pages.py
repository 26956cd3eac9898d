"""Lists that are fetched page by page, for programs that wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Generic, TypeVar, cast

from ._core import Page
from ._run import SyncRunner
from ._spec import Spec, page_of

T = TypeVar("T")


class Pages(Generic[T]):
    """A list that is fetched page by page during iteration. It is false if it is empty.

    The first page is fetched once, when it is first needed.
    """

    def __init__(self, runner: SyncRunner, spec: Spec[T], values: Mapping[str, object]) -> None:
        self._runner = runner
        self._spec, self._values = spec, values
        self._offset = cast("int", values.get("offset") or 0)
        # Raises an ArgumentError here, and not at the first iteration.
        self._first_call = page_of(spec, values, None)

    @cached_property
    def _first(self) -> Page[T]:
        return self._runner.call(self._first_call)

    def __bool__(self) -> bool:
        return bool(self._first.rows)

    def __len__(self) -> int:
        if self._first.total is None:
            return sum(1 for _ in self)
        return max(0, self._first.total - self._offset)

    def pages(self) -> Iterator[Page[T]]:
        """The pages, each with its rows and the total of all."""
        page = self._first
        yield page
        while page.next_cursor is not None:
            page = self._runner.call(page_of(self._spec, self._values, page.next_cursor))
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.rows
