"""Everything that can go wrong, as classes below `EngramError`.

EngramError
  ArgumentError             a wrong argument, found before anything was sent; a ValueError too
  ClientClosedError         the client was closed before the call
  TransportError            no whole answer came
    ConnectionFailedError   the server cannot be reached, or the connection broke
    TimedOutError           the server took too long
    StreamBrokenError       a stream or a download ended before its end
  MalformedResponseError    what came is not what the API describes
  APIError                  the server refused; one class for each status
    BadRequestError 400, AuthenticationError 401, PaymentRequiredError 402,
    PermissionDeniedError 403, NotFoundError 404, ConflictError 409, GoneError 410,
    TooLargeError 413, UnsupportedTypeError 415, RangeNotSatisfiableError 416,
    RateLimitError 429
    ServerError 5xx: ServiceUnavailableError 503, InsufficientStorageError 507
  AnswerFailedError         the server began an answer and could not end it
  UploadRejectedError       the server did not take a file
  FileFailedError           a file that was waited for cannot be read
  WaitTimeoutError          a file that was waited for takes longer
  LoginError                signing in did not end well

A file on disk that is missing or cannot be read raises Python's own FileNotFoundError or OSError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._api import File, RejectedFile


class EngramError(Exception):
    """Whatever goes wrong here; its text is a sentence for a person."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """A sentence for a person."""
        self.code = code
        """A word that stays the same, for programs; empty where there is none."""
        self.retry_after = retry_after
        """Seconds to wait before another try, where the server said so."""
        self.request_id = request_id
        """The request as the server's log names it (`X-Request-Id`), where it was answered."""


class ArgumentError(EngramError, ValueError):
    """An argument is wrong. Nothing was sent."""


class ClientClosedError(EngramError):
    """The client was closed, so it sends nothing more."""


class TransportError(EngramError):
    """No whole answer came back."""

    def __init__(self, message: str, *, reached: bool = True) -> None:
        super().__init__(message)
        self.reached = reached
        """False where the server cannot have seen anything of the request."""


class ConnectionFailedError(TransportError):
    """The server cannot be reached, or the connection broke."""


class TimedOutError(TransportError):
    """The server took longer than the timeout allows."""


class StreamBrokenError(TransportError):
    """A streamed answer or a download ended before its end."""


class MalformedResponseError(EngramError):
    """What came back is not what the API describes; is this an Engram server?"""


class APIError(EngramError):
    """The server refused a request. Each status has a class of its own."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str = "http",
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message, code=code, retry_after=retry_after, request_id=request_id)
        self.status = status
        """The HTTP status."""


class BadRequestError(APIError):
    """400: the server cannot make sense of the request."""


class AuthenticationError(APIError):
    """401: the key or token is missing, wrong, expired or revoked."""


class PaymentRequiredError(APIError):
    """402: the plan has expired, or what it allows is used up."""


class PermissionDeniedError(APIError):
    """403: the key or token does not open this call."""


class NotFoundError(APIError):
    """404: there is no such thing, or it is somebody else's."""


class ConflictError(APIError):
    """409: the call does not go with what is there already."""


class GoneError(APIError):
    """410: it was there, and is no more."""


class TooLargeError(APIError):
    """413: a file or a field is too large, or there are too many."""


class UnsupportedTypeError(APIError):
    """415: Engram does not read this type."""


class RangeNotSatisfiableError(APIError):
    """416: the range lies outside of the file."""


class RateLimitError(APIError):
    """429: too many calls; `retry_after` says how long to wait."""


class ServerError(APIError):
    """5xx: something went wrong on the server."""


class ServiceUnavailableError(ServerError):
    """503: the server is busy, or something it needs is down."""


class InsufficientStorageError(ServerError):
    """507: the disk of the server is nearly full."""


class AnswerFailedError(EngramError):
    """The server began an answer and could not end it; `code` and `message` say why."""


class UploadRejectedError(EngramError):
    """The server did not take a file; `code` and `message` say why."""

    def __init__(self, rejected: RejectedFile) -> None:
        super().__init__(rejected.message, code=rejected.code)
        self.rejected = rejected
        """The file, and why it was not taken."""


class FileFailedError(EngramError):
    """A file that was waited for cannot be read."""

    def __init__(self, file: File) -> None:
        reason = file.status_reason or "The file cannot be read."
        super().__init__(f"{file.name}: {reason}", code="file_failed")
        self.file = file
        """The file as it is now."""


class WaitTimeoutError(EngramError, TimeoutError):
    """A file that was waited for is still being read. It goes on without anybody waiting."""


class LoginError(EngramError):
    """Signing in did not end well; `code` is the OAuth error where there is one."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: TooLargeError,
    415: UnsupportedTypeError,
    416: RangeNotSatisfiableError,
    429: RateLimitError,
    503: ServiceUnavailableError,
    507: InsufficientStorageError,
}


def class_for(status: int) -> type[APIError]:
    """The class of a status."""
    return _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
