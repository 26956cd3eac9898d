"""The two runners, which alone send and sleep."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol, TypeVar

import anyio
import anyio.to_thread
import httpx2

from . import __version__, _check
from ._core import Call, Flow, Renew, Retries, Send, Sleep, make, transport_error
from ._form import Form
from .errors import ArgumentError, ClientClosedError

T = TypeVar("T")

KEY_HEADER = "ENGRAM-API-KEY"
DEFAULT_URL = "http://localhost:3000"
DEFAULT_TIMEOUT = 60.0
CONNECT_SECONDS = 10.0


class TokenSource(Protocol):
    """Gets and renews bearer tokens, such as those of a login."""

    def token(self) -> str:
        """The current token."""
        ...

    def renew(self) -> bool:
        """Replaces a token that the server refused; False if there is no other."""
        ...


@dataclass(frozen=True)
class _Function:
    """A function as a source of tokens: after a refusal it is called again."""

    token: Callable[[], str | Awaitable[str]]

    def renew(self) -> bool:
        return True


class Settings:
    """What both clients are made with."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        token: str | Callable[[], str | Awaitable[str]] | TokenSource | None,
        timeout: float | httpx2.Timeout | None,
        max_retries: int,
    ) -> None:
        if base_url is None:
            base_url = os.environ.get("ENGRAM_BASE_URL") or DEFAULT_URL
        self.base_url = _check.base_url(base_url)
        if api_key is not None and token is not None:
            raise ArgumentError("Pass api_key= or token=, not both.", code="two_credentials")
        if api_key is None and token is None:
            api_key = os.environ.get("ENGRAM_API_KEY") or None
            if api_key is None:
                raise ArgumentError(
                    "There is no API key: pass api_key=, or set ENGRAM_API_KEY.", code="no_api_key"
                )
        self._fixed: tuple[str, str] | None = None
        self._source: _Function | TokenSource | None = None
        if api_key is not None:
            self._fixed = KEY_HEADER, _check.credential(api_key, "API key")
        elif isinstance(token, str):
            self._fixed = _bearer(token)
        elif callable(token):
            self._source = _Function(token)
        else:
            self._source = token
        if timeout is not None and not isinstance(timeout, httpx2.Timeout):
            if timeout <= 0:
                raise ArgumentError("timeout is a number of seconds above 0.", code="timeout")
            timeout = httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))
        self.timeout = timeout
        self.retries = Retries(most=_check.at_most(max_retries, 0, 100, "max_retries"))

    def credential(self) -> tuple[str, str]:
        """The header that authorizes a call."""
        if self._source is None:
            assert self._fixed
            return self._fixed
        token = self._source.token()
        if isawaitable(token):
            if isinstance(token, Coroutine):
                token.close()
            raise ArgumentError("An async function as token needs AsyncEngram.", code="token")
        return _bearer(token)

    async def async_credential(self) -> tuple[str, str]:
        """The same. A source may read a file or call a server, so it runs in a thread."""
        if self._source is None:
            return self.credential()
        token = await anyio.to_thread.run_sync(self._source.token)
        return _bearer(await token if isawaitable(token) else token)

    def renew(self) -> bool:
        """Whether there is another token after the last one was refused."""
        return self._source is not None and self._source.renew()

    def headers(self, call: Call[Any], credential: tuple[str, str]) -> dict[str, str]:
        """The headers of a call."""
        name, value = credential
        headers = {
            "accept": call.accept,
            "user-agent": f"engram-kb/{__version__}",
            name: value,
        }
        return headers if call.form is None else headers | call.form.headers()


def _bearer(token: str) -> tuple[str, str]:
    return "authorization", f"Bearer {_check.credential(token, 'token')}"


def _check_open(client: httpx2.Client | httpx2.AsyncClient) -> None:
    if client.is_closed:
        raise ClientClosedError("This client was closed.", code="closed")


class SyncRunner:
    """Runs flows, and waits for them."""

    def __init__(
        self, settings: Settings, client: httpx2.Client | None, sleep: Callable[[float], object]
    ) -> None:
        self._settings = settings
        self.base_url = settings.base_url + "/"
        self._owns = client is None
        self._client = client or httpx2.Client(timeout=settings.timeout)
        self._sleep = sleep
        self.retries = settings.retries

    def call(self, call: Call[T]) -> T:
        """Makes one call."""
        return self.run(make(call, self.retries))

    def run(self, flow: Flow[T]) -> T:
        """Does what a flow says until it has a result."""
        try:
            step = next(flow)
            while True:
                try:
                    came = self._perform(step)
                except Exception as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(came)
        except StopIteration as end:
            return end.value

    def _perform(self, step: Send | Sleep | Renew) -> object:
        if isinstance(step, Send):
            return self._send(step.call)
        if isinstance(step, Sleep):
            return self._sleep(step.seconds)
        return self._settings.renew()

    def _send(self, call: Call[Any]) -> httpx2.Response:
        _check_open(self._client)
        settings = self._settings
        url = f"{settings.base_url}/v1{call.path}"
        request = self._client.build_request(
            call.method,
            url,
            params=call.query,
            headers=settings.headers(call, settings.credential()),
            json=call.body,
            content=call.form.pieces() if call.form else None,
        )
        try:
            response = self._client.send(request, stream=call.streams)
            if call.streams and not response.is_success:
                response.read()
            return response
        except httpx2.RequestError as error:
            raise transport_error(error, settings.base_url) from error

    def close(self) -> None:
        """Closes the connections, where they are its own."""
        if self._owns:
            self._client.close()


class AsyncRunner:
    """Runs flows without holding anybody up."""

    def __init__(
        self,
        settings: Settings,
        client: httpx2.AsyncClient | None,
        sleep: Callable[[float], Awaitable[object]],
    ) -> None:
        self._settings = settings
        self.base_url = settings.base_url + "/"
        self._owns = client is None
        self._client = client or httpx2.AsyncClient(timeout=settings.timeout)
        self._sleep = sleep
        self.retries = settings.retries

    async def call(self, call: Call[T]) -> T:
        """Makes one call."""
        return await self.run(make(call, self.retries))

    async def run(self, flow: Flow[T]) -> T:
        """Does what a flow says until it has a result."""
        try:
            step = next(flow)
            while True:
                try:
                    came = await self._perform(step)
                except Exception as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(came)
        except StopIteration as end:
            return end.value

    async def _perform(self, step: Send | Sleep | Renew) -> object:
        if isinstance(step, Send):
            return await self._send(step.call)
        if isinstance(step, Sleep):
            return await self._sleep(step.seconds)
        return await anyio.to_thread.run_sync(self._settings.renew)

    async def _send(self, call: Call[Any]) -> httpx2.Response:
        _check_open(self._client)
        settings = self._settings
        request = self._client.build_request(
            call.method,
            f"{settings.base_url}/v1{call.path}",
            params=call.query,
            headers=settings.headers(call, await settings.async_credential()),
            json=call.body,
            content=_in_threads(call.form) if call.form else None,
        )
        try:
            response = await self._client.send(request, stream=call.streams)
            if call.streams and not response.is_success:
                await response.aread()
            return response
        except httpx2.RequestError as error:
            raise transport_error(error, settings.base_url) from error

    async def aclose(self) -> None:
        """Closes the connections, where they are its own."""
        if self._owns:
            await self._client.aclose()


async def _in_threads(form: Form) -> AsyncIterator[bytes]:
    """The pieces of a form, each read in a thread: a slow disk holds up nobody else."""
    pieces = form.pieces()
    while (piece := await anyio.to_thread.run_sync(next, pieces, None)) is not None:
        yield piece


default_sleep = time.sleep
default_async_sleep = anyio.sleep
