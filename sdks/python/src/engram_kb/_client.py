"""The client for programs that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Self

import httpx2

from . import _calls
from ._core import request_id_of
from ._devices import Devices
from ._form import Source, part_of
from ._resources import Files, History, Keywords
from ._run import DEFAULT_TIMEOUT, Settings, SyncRunner, TokenSource, default_sleep, transport_error
from .errors import MalformedResponseError, StreamBrokenError
from .events import Done, Event, read_event
from .models import Answer, File, HistoryEntry, Profile


class AnswerStream:
    """An answer as it comes: iterate over its events; `answer` is the whole of it.

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
            raise MalformedResponseError("The answer is no stream of events.") from error
        except httpx2.TimeoutException as error:
            raise transport_error(error, self._url) from error
        except (httpx2.RequestError, httpx2.StreamError) as error:
            raise StreamBrokenError("The answer broke off before its end.") from error
        finally:
            self.close()
        raise StreamBrokenError("The answer broke off before its end.")

    @property
    def answer(self) -> Answer:
        """The whole answer; reads what has not been read yet."""
        for _ in self._events:
            pass
        if self._answer is None:
            raise StreamBrokenError("The answer broke off before its end.")
        return self._answer

    def close(self) -> None:
        """Stops listening."""
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Engram:
    """A connection to an Engram server, and what can be asked of it."""

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

        base_url: its address; else ENGRAM_BASE_URL, else http://localhost:3000.
        api_key: a key of yours; else ENGRAM_API_KEY.
        token: a bearer token instead of a key, or a function that returns one. It is called for
            each request, and again when the server answers 401.
        timeout: seconds for each read and write; None for no end.
        max_retries: how often a call is sent again that may be.
        http_client: sends the requests, with proxies and certificates of your own and its own
            timeout; closing it is up to you.
        sleep: waits between tries.
        """
        settings = Settings(base_url, api_key, token, timeout, max_retries)
        self.base_url = settings.base_url
        self._runner = SyncRunner(settings, http_client, sleep)
        self.files = Files(self._runner)
        self.keywords = Keywords(self._runner)
        self.history = History(self._runner)
        self.devices = Devices(self._runner)

    def ask(
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
        return self._runner.call(
            _calls.ask(
                text, keywords=keywords, files=files, after=after, explain=explain, audio=audio
            )
        )

    def ask_stream(
        self,
        text: str,
        *,
        keywords: Iterable[str] = (),
        files: Iterable[File | str] = (),
        after: Answer | HistoryEntry | str | None = None,
        explain: bool = False,
        audio: bool = False,
    ) -> AnswerStream:
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
        return AnswerStream(self._runner.call(call), self.base_url)

    def transcribe(self, recording: Source, *, name: str | None = None) -> str:
        """Writes down a spoken question: a recording of at most 2 minutes and 25 MB."""
        return self._runner.call(_calls.transcribe(part_of(recording, name))).text

    def suggestions(self) -> list[str]:
        """What a question may be completed to."""
        return self._runner.call(_calls.suggestions())

    def recommendations(self) -> list[str]:
        """Questions that your own files answer."""
        return self._runner.call(_calls.recommendations())

    def profile(self) -> Profile:
        """Whose files these are."""
        return self._runner.call(_calls.profile())

    def close(self) -> None:
        """Closes the connections."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
