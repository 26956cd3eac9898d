"""Calls as data, how their responses are read, and when they are retried."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import httpx2
from pydantic import TypeAdapter, ValidationError

from .errors import (
    APIError,
    ConnectionFailedError,
    MalformedResponseError,
    TimedOutError,
    TransportError,
    class_for,
)

if TYPE_CHECKING:
    from ._form import Form

T = TypeVar("T")

Wait = bool | float
"""Whether to wait until files are read. A number is the longest wait in seconds."""

MAX_RETRY_AFTER = 60.0
"""Seconds. If the server asks for a longer wait, the call is not retried."""
FIRST_BACKOFF = 0.5
MAX_BACKOFF = 8.0


class Repeat(Enum):
    """When a call may be retried."""

    ALWAYS = "always"
    """The call is idempotent."""
    UNPROCESSED = "unprocessed"
    """Only if the server was not reached, or answered 429."""
    NEVER = "never"
    """The body can be read only once."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A call of the API, and how its response is read."""

    method: str
    path: str
    read: Callable[[httpx2.Response], T]
    query: Mapping[str, str] | None = None
    body: object = None
    form: Form | None = None
    accept: str = "application/json"
    repeat: Repeat = Repeat.ALWAYS
    streams: bool = False


def in_envelope(shape: type[T] | Any) -> Callable[[httpx2.Response], T]:
    """Reads `{message, data}`, `data` as a shape."""
    return lambda response: _read(shape, envelope(response).get("data"))


@lru_cache(maxsize=64)
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def _read(shape: Any, data: object) -> Any:
    try:
        return _adapter(shape).validate_python(data)
    except ValidationError as error:
        raise MalformedResponseError(
            f"The response does not match the API: {error.errors()[0]['msg']}."
        ) from error


def envelope(response: httpx2.Response) -> dict[str, Any]:
    """The JSON object of an answer."""
    try:
        answer: object = json.loads(response.content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise MalformedResponseError("The response is not a JSON object. Is this an Engram server?")
    return cast("dict[str, Any]", answer)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list."""

    rows: list[T]
    next_cursor: str | None
    total: int | None


def in_page(shape: type[T]) -> Callable[[httpx2.Response], Page[T]]:
    """Reads a page of a list."""

    def read(response: httpx2.Response) -> Page[T]:
        answer = envelope(response)
        rows = _read(list[shape], answer.get("data"))
        return Page(rows, answer.get("nextCursor"), answer.get("total"))

    return read


def as_text(response: httpx2.Response) -> str:
    return response.text


def as_nothing(response: httpx2.Response) -> None:
    pass


def as_response(response: httpx2.Response) -> httpx2.Response:
    return response


def _seconds(value: str | None) -> float | None:
    """Retry-After: seconds, or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def request_id_of(response: httpx2.Response) -> str | None:
    """The ID of the request in the server's log."""
    return response.headers.get("x-request-id")


def result_of(call: Call[T], response: httpx2.Response) -> T:
    """What a response contains. Raises MalformedResponseError."""
    try:
        return call.read(response)
    except MalformedResponseError as error:
        error.request_id = request_id_of(response)
        raise


def error_of(response: httpx2.Response) -> APIError:
    """The error of a response whose body has been read."""
    try:
        body = envelope(response)
    except MalformedResponseError:
        body = {}
    status = response.status_code
    return class_for(status)(
        str(body.get("message") or f"The server answered with status {status}."),
        status=status,
        code=str(body.get("code") or "http"),
        retry_after=_seconds(response.headers.get("retry-after")),
        request_id=request_id_of(response),
    )


def transport_error(error: httpx2.RequestError, where: str) -> TransportError:
    """The error of a request without a response."""
    not_sent = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
    if isinstance(error, httpx2.TimeoutException):
        return TimedOutError(f"{where} took too long to answer.", reached=not not_sent)
    if not_sent:
        return ConnectionFailedError(f"{where} cannot be reached.", reached=False)
    return ConnectionFailedError(f"The connection to {where} broke: {error}")


def backoff(attempt: int, retry_after: float | None) -> float:
    """Seconds before the next retry: the server's Retry-After, or exponential backoff."""
    # Jitter, so that clients do not all retry at the same time.
    jitter = random.random()
    if retry_after is not None:
        return retry_after + 0.25 * jitter
    return min(MAX_BACKOFF, FIRST_BACKOFF * 2**attempt) * (0.5 + 0.5 * jitter)


_BUSY = frozenset({429, 502, 503, 504})


def may_repeat(call: Call[Any], error: TransportError | APIError) -> bool:
    """Whether a call may be sent again after an error."""
    if call.repeat is Repeat.NEVER:
        return False
    if isinstance(error, TransportError):
        return call.repeat is Repeat.ALWAYS or not error.reached
    if error.retry_after is not None and error.retry_after > MAX_RETRY_AFTER:
        return False
    return error.status == 429 or (call.repeat is Repeat.ALWAYS and error.status in _BUSY)
