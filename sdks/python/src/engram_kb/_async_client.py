"""The client for programs that await."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Self

import httpx2

from . import _calls
from ._async_resources import AsyncFiles, AsyncHistory, AsyncKeywords
from ._core import request_id_of
from ._devices import AsyncDevices
from ._form import Source, part_of
from ._run import (
    DEFAULT_TIMEOUT,
    AsyncRunner,
    Settings,
    TokenSource,
    default_async_sleep,
    transport_error,
)
from .errors import MalformedResponseError, StreamBrokenError
from .events import Done, Event, read_event
from .models import Answer, File, HistoryEntry, Profile


class AsyncAnswerStream:
    """An answer as it comes: iterate over its events; `answer()` is the whole of it.

    Leaving the `async with` block, or calling `aclose()`, stops the server's work.
    """

    def __init__(self, response: httpx2.Response, url: str) -> None:
        self._response = response
        self._url = url
        self._answer: Answer | None = None
        self._events = self._read()

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events

    async def _read(self) -> AsyncIterator[Event]:
        try:
            async for sent in httpx2.EventSource(self._response):
                event = read_event(sent, request_id_of(self._response))
                if isinstance(event, Done):
                    self._answer = event.answer
                if event is not None:
                    yield event
                if self._answer is not None:
                    return
        except httpx2.SSEError as error:
            raise MalformedResponseError("The answer is no stream of events.") from error
        except httpx2.TimeoutException as error:
            raise transport_error(error, self._url) from error
        except (httpx2.RequestError, httpx2.StreamError) as error:
            raise StreamBrokenError("The answer broke off before its end.") from error
        finally:
            await self.aclose()
        raise StreamBrokenError("The answer broke off before its end.")

    async def answer(self) -> Answer:
        """The whole answer; reads what has not been read yet."""
        async for _ in self._events:
            pass
        if self._answer is None:
            raise StreamBrokenError("The answer broke off before its end.")
        return self._answer

    async def aclose(self) -> None:
        """Stops listening."""
        await self._response.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncEngram:
    """A connection to an Engram server, and what can be asked of it."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        token: str | Callable[[], str | Awaitable[str]] | TokenSource | None = None,
        timeout: float | httpx2.Timeout | None = DEFAULT_TIMEOUT,
        max_retries: int = 2,
        http_client: httpx2.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[object]] = default_async_sleep,
    ) -> None:
        """Connects to a server.

        base_url: its address; else ENGRAM_BASE_URL, else http://localhost:3000.
        api_key: a key of yours; else ENGRAM_API_KEY.
        token: a bearer token instead of a key, or a function, sync or async, that returns one. It
            is called for each request, and again when the server answers 401. A sync function runs
            in a thread.
        timeout: seconds for each read and write; None for no end.
        max_retries: how often a call is sent again that may be.
        http_client: sends the requests, with proxies and certificates of your own and its own
            timeout; closing it is up to you.
        sleep: waits between tries.
        """
        settings = Settings(base_url, api_key, token, timeout, max_retries)
        self.base_url = settings.base_url
        self._runner = AsyncRunner(settings, http_client, sleep)
        self.files = AsyncFiles(self._runner)
        self.keywords = AsyncKeywords(self._runner)
        self.history = AsyncHistory(self._runner)
        self.devices = AsyncDevices(self._runner)

    async def ask(
        self,
        text: str,
        *,
        keywords: Iterable[str] = (),
        files: Iterable[File | str] = (),
        after: Answer | HistoryEntry | str | None = None,
        explain: bool = False,
        audio: bool = False,
    ) -> Answer:
        """Asks a question.

        `keywords` and `files` narrow it to some files, `after` follows up on another question.
        """
        return await self._runner.call(
            _calls.ask(
                text, keywords=keywords, files=files, after=after, explain=explain, audio=audio
            )
        )

    async def ask_stream(
        self,
        text: str,
        *,
        keywords: Iterable[str] = (),
        files: Iterable[File | str] = (),
        after: Answer | HistoryEntry | str | None = None,
        explain: bool = False,
        audio: bool = False,
    ) -> AsyncAnswerStream:
        """Asks a question and hands on the answer as it comes."""
        call = _calls.ask(
            text,
            keywords=keywords,
            files=files,
            after=after,
            explain=explain,
            audio=audio,
            streams=True,
        )
        return AsyncAnswerStream(await self._runner.call(call), self.base_url)

    async def transcribe(self, recording: Source, *, name: str | None = None) -> str:
        """Writes down a spoken question: a recording of at most 2 minutes and 25 MB."""
        return (await self._runner.call(_calls.transcribe(part_of(recording, name)))).text

    async def suggestions(self) -> list[str]:
        """What a question may be completed to."""
        return await self._runner.call(_calls.suggestions())

    async def recommendations(self) -> list[str]:
        """Questions that your own files answer."""
        return await self._runner.call(_calls.recommendations())

    async def profile(self) -> Profile:
        """Whose files these are."""
        return await self._runner.call(_calls.profile())

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._runner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
