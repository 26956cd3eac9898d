"""The client for programs that await."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Self

import httpx2

from ._api import SEARCH, Answer, AsyncCalls, AsyncKeywordsCalls
from ._async_resources import AsyncDevices, AsyncFiles, AsyncHistory
from ._async_run import AsyncRunner
from ._core import request_id_of, transport_error
from ._form import Source, part_of
from ._settings import DEFAULT_TIMEOUT, Settings, TokenSource, default_async_sleep
from ._spec import Ref, stream_of
from ._uploads import transcription
from .errors import MalformedResponseError, StreamBrokenError
from .events import Done, Event, read_event


class AsyncAnswerStream:
    """A streamed answer: iterate over its events, or call `answer()` for the whole answer.

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
            raise MalformedResponseError("The response is not an event stream.") from error
        except httpx2.TimeoutException as error:
            raise transport_error(error, self._url) from error
        except (httpx2.RequestError, httpx2.StreamError) as error:
            raise StreamBrokenError("The answer was cut off.") from error
        finally:
            await self.aclose()
        raise StreamBrokenError("The answer was cut off.")

    async def answer(self) -> Answer:
        """The whole answer. Reads the remaining events."""
        async for _ in self._events:
            pass
        if self._answer is None:
            raise StreamBrokenError("The answer was cut off.")
        return self._answer

    async def aclose(self) -> None:
        """Stops reading, and the server's work."""
        await self._response.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncEngram(AsyncCalls):
    """A connection to an Engram server."""

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

        base_url: the server's address. Default: ENGRAM_BASE_URL, or http://localhost:3000.
        api_key: an API key. Default: ENGRAM_API_KEY.
        token: a bearer token instead of a key, or a function that returns one. It is called for
            each request, and again when the server answers 401.
        timeout: seconds for each read and write, or None.
        max_retries: the maximum number of retries.
        http_client: sends the requests, with its own proxies, certificates and timeout. The caller
                closes it.
        sleep: waits before a retry.
        """
        settings = Settings(base_url, api_key, token, timeout, max_retries)
        self.base_url = settings.base_url
        super().__init__(AsyncRunner(settings, http_client, sleep))
        self.files = AsyncFiles(self._runner)
        self.keywords = AsyncKeywordsCalls(self._runner)
        self.history = AsyncHistory(self._runner)
        self.devices = AsyncDevices(self._runner)

    async def ask_stream(
        self,
        text: str,
        *,
        keywords: Iterable[str] | None = None,
        files: Iterable[Ref] | None = None,
        after: Ref | None = None,
        explain: bool | None = None,
        audio: bool = False,
    ) -> AsyncAnswerStream:
        """Asks a question and streams the answer."""
        values = {
            "text": text,
            "keywords": keywords,
            "files": files,
            "after": after,
            "explain": explain,
            "audio": audio,
        }
        call = stream_of(SEARCH, values)
        return AsyncAnswerStream(await self._runner.call(call), self.base_url)

    async def transcribe(self, recording: Source, *, name: str | None = None) -> str:
        """Transcribes a spoken question of up to 2 minutes and 25 MB."""
        return (await self._runner.call(transcription(part_of(recording, name)))).text

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._runner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
