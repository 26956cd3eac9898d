"""Sends calls and retries them, for programs that wait. Written by `npm run generate` from the asynchronous module."""

from __future__ import annotations

from collections.abc import Iterator, Callable
from typing import Any, TypeVar

import httpx2

from ._core import Call, Repeat, backoff, error_of, may_repeat, result_of, transport_error
from ._form import Form
from ._settings import Settings, check_open
from .errors import APIError, TransportError

T = TypeVar("T")


class SyncRunner:
    """Sends calls and retries them."""

    def __init__(
        self,
        settings: Settings,
        client: httpx2.Client | None,
        sleep: Callable[[float], object],
    ) -> None:
        self._settings = settings
        self.base_url = settings.base_url + "/"
        self._owns = client is None
        self._client = client or httpx2.Client(timeout=settings.timeout)
        self.sleep = sleep

    def call(self, call: Call[T]) -> T:
        """Makes one call, with retries."""
        renewed = False
        attempt = 0
        while True:
            try:
                response = self._send(call)
                if response.is_success:
                    return result_of(call, response)
                raise error_of(response)
            except (TransportError, APIError) as error:
                if isinstance(error, APIError) and error.status == 401 and not renewed:
                    renewed = True
                    has_other = self._settings.renew()
                    if has_other and call.repeat is not Repeat.NEVER:
                        continue
                if attempt >= self._settings.max_retries or not may_repeat(call, error):
                    raise
                pause = backoff(attempt, error.retry_after)
            self.sleep(pause)
            attempt += 1

    def _send(self, call: Call[Any]) -> httpx2.Response:
        check_open(self._client)
        settings = self._settings
        request = self._client.build_request(
            call.method,
            f"{settings.base_url}/v1{call.path}",
            params=call.query,
            headers=settings.headers(call, settings.credential()),
            json=call.body,
            content=_chunks_of(call.form) if call.form else None,
        )
        try:
            response = self._client.send(request, stream=call.streams)
            if call.streams and not response.is_success:
                response.read()
            return response
        except httpx2.RequestError as error:
            raise transport_error(error, settings.base_url) from error

    def close(self) -> None:
        """Closes the connections, unless they belong to the caller."""
        if self._owns:
            self._client.close()


def _chunks_of(form: Form) -> Iterator[bytes]:
    chunks = form.chunks()
    while (chunk := next(chunks, None)) is not None:
        yield chunk
