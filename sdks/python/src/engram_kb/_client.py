"""The client for programs that wait. Written by `npm run generate` from the asynchronous module."""

from __future__ import annotations

from collections.abc import Iterator, Callable, Iterable
from typing import Self

import httpx2

from ._api import SEARCH, Answer, Calls, KeywordsCalls
from ._resources import Devices, Files, History
from ._run import SyncRunner
from ._core import request_id_of, transport_error
from ._form import Source, part_of
from ._settings import DEFAULT_TIMEOUT, Settings, TokenSource, default_sleep
from ._spec import Ref, stream_of
from ._uploads import transcription
from .errors import MalformedResponseError, StreamBrokenError
from .events import Done, Event, read_event


class AnswerStream:
    """A streamed answer: iterate over its events, or call `answer` for the whole answer.

    Leaving the `with` block, or calling `close()`, stops the server's work.
    """

    def __init__(self, response: httpx2.Response, url: str) -> None:
        self._response = response
        self._url = url
        self._answer: Answer | None = None
        self._events = self._read()

    def __iter__(self) -> Iterator[Event]:
        return self._events

    def _read(self) -> Iterator[Event]:
        try:
            for sent in httpx2.EventSource(self._response):
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
            self.close()
        raise StreamBrokenError("The answer was cut off.")

    @property
    def answer(self) -> Answer:
        """The whole answer. Reads the remaining events."""
        for _ in self._events:
            pass
        if self._answer is None:
            raise StreamBrokenError("The answer was cut off.")
        return self._answer

    def close(self) -> None:
        """Stops reading, and the server's work."""
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Engram(Calls):
    """A connection to an Engram server."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        token: str | Callable[[], str] | TokenSource | None = None,
        timeout: float | httpx2.Timeout | None = DEFAULT_TIMEOUT,
        max_retries: int = 2,
        http_client: httpx2.Client | None = None,
        sleep: Callable[[float], object] = default_sleep,
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
        super().__init__(SyncRunner(settings, http_client, sleep))
        self.files = Files(self._runner)
        self.keywords = KeywordsCalls(self._runner)
        self.history = History(self._runner)
        self.devices = Devices(self._runner)

    def ask_stream(
        self,
        text: str,
        *,
        keywords: Iterable[str] | None = None,
        files: Iterable[Ref] | None = None,
        after: Ref | None = None,
        explain: bool | None = None,
        audio: bool = False,
    ) -> AnswerStream:
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
        return AnswerStream(self._runner.call(call), self.base_url)

    def transcribe(self, recording: Source, *, name: str | None = None) -> str:
        """Transcribes a spoken question of up to 2 minutes and 25 MB."""
        return (self._runner.call(transcription(part_of(recording, name)))).text

    def close(self) -> None:
        """Closes the connections."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
