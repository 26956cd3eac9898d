"""The settings of a client, and the credentials of its calls."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol

import anyio
import anyio.to_thread
import httpx2

from . import __version__, _check
from ._core import Call
from .errors import ArgumentError, ClientClosedError

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
        """Replaces a rejected token. Returns False if there is no other."""
        ...


@dataclass(frozen=True)
class _FunctionSource:
    """A function as a token source, which is called again after a 401."""

    token: Callable[[], str | Awaitable[str]]

    def renew(self) -> bool:
        return True


class Settings:
    """The checked options of a client."""

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
        self._header: tuple[str, str] | None = None
        self._source: _FunctionSource | TokenSource | None = None
        if api_key is not None:
            self._header = KEY_HEADER, _check.credential(api_key, "API key")
        elif isinstance(token, str):
            self._header = _bearer(token)
        elif callable(token):
            self._source = _FunctionSource(token)
        else:
            self._source = token
        if timeout is not None and not isinstance(timeout, httpx2.Timeout):
            if timeout <= 0:
                raise ArgumentError("timeout must be a number of seconds above 0.", code="timeout")
            timeout = httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))
        self.timeout = timeout
        self.max_retries = _check.within(max_retries, 0, 100, "max_retries")

    def credential(self) -> tuple[str, str]:
        """The header that authorizes a call."""
        if self._source is None:
            assert self._header
            return self._header
        token = self._source.token()
        if isawaitable(token):
            if isinstance(token, Coroutine):
                token.close()
            raise ArgumentError("An async function as token needs AsyncEngram.", code="token")
        return _bearer(token)

    async def async_credential(self) -> tuple[str, str]:
        """The same, in a thread, because a source may read a file or call a server."""
        if self._source is None:
            return self.credential()
        token = await anyio.to_thread.run_sync(self._source.token)
        return _bearer(await token if isawaitable(token) else token)

    def renew(self) -> bool:
        """Replaces a rejected token. Returns whether there is another one."""
        return self._source is not None and self._source.renew()

    def headers(self, call: Call[Any], credential: tuple[str, str]) -> dict[str, str]:
        name, value = credential
        headers = {
            "accept": call.accept,
            "user-agent": f"engram-kb/{__version__}",
            name: value,
        }
        return headers if call.form is None else headers | call.form.headers()


def _bearer(token: str) -> tuple[str, str]:
    return "authorization", f"Bearer {_check.credential(token, 'token')}"


def check_open(client: httpx2.Client | httpx2.AsyncClient) -> None:
    """Raises ClientClosedError if a client was closed."""
    if client.is_closed:
        raise ClientClosedError("This client was closed.", code="closed")


default_sleep = time.sleep
default_async_sleep = anyio.sleep
