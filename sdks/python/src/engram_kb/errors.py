"""The errors of this package, all subclasses of `EngramError`.

A file on disk that is missing or cannot be read raises Python's own FileNotFoundError or OSError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._api import File, RejectedFile


class EngramError(Exception):
    """The base class of all errors of this package."""

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
        """For users."""
        self.code = code
        """A stable code for programs, or an empty string."""
        self.retry_after = retry_after
        """Seconds to wait before a retry, if the server sent it."""
        self.request_id = request_id
        """The request's `X-Request-Id`, which is in the server's log."""


class ArgumentError(EngramError, ValueError):
    """An argument is wrong. Nothing was sent."""


class ClientClosedError(EngramError):
    """The client was closed before the call."""


class TransportError(EngramError):
    """No complete response arrived."""

    def __init__(self, message: str, *, reached: bool = True) -> None:
        super().__init__(message)
        self.reached = reached
        """False if the server cannot have received the request."""


class ConnectionFailedError(TransportError):
    """The server cannot be reached, or the connection broke."""


class TimedOutError(TransportError):
    """The server took longer than the timeout allows."""


class StreamBrokenError(TransportError):
    """A streamed answer or a download was cut off."""


class MalformedResponseError(EngramError):
    """The response does not match the API. Is this an Engram server?"""


class APIError(EngramError):
    """The server refused a request with a status other than 2xx. Each status has its own class."""

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
    """400: the request is invalid."""


class AuthenticationError(APIError):
    """401: the key or token is missing, wrong, expired or revoked."""


class PaymentRequiredError(APIError):
    """402: the plan has expired, or its limits are used up."""


class PermissionDeniedError(APIError):
    """403: the key or token does not permit this call."""


class NotFoundError(APIError):
    """404: it does not exist, or belongs to another user."""


class ConflictError(APIError):
    """409: the call conflicts with the current state."""


class GoneError(APIError):
    """410: it no longer exists."""


class TooLargeError(APIError):
    """413: a file or a field is too large, or there are too many."""


class UnsupportedTypeError(APIError):
    """415: the file type is not supported."""


class RangeNotSatisfiableError(APIError):
    """416: the range lies outside of the file."""


class RateLimitError(APIError):
    """429: too many calls. `retry_after` says how long to wait."""


class ServerError(APIError):
    """5xx: something went wrong on the server."""


class ServiceUnavailableError(ServerError):
    """503: the server is busy, or something it needs is down."""


class InsufficientStorageError(ServerError):
    """507: the disk of the server is nearly full."""


class AnswerFailedError(EngramError):
    """The server could not complete an answer. `code` and `message` say why."""


class UploadRejectedError(EngramError):
    """The server rejected a file. `code` and `message` say why."""

    def __init__(self, rejected: RejectedFile) -> None:
        super().__init__(rejected.message, code=rejected.code)
        self.rejected = rejected
        """The file and the reason."""


class FileFailedError(EngramError):
    """A file cannot be read."""

    def __init__(self, file: File) -> None:
        reason = file.status_reason or "The file cannot be read."
        super().__init__(f"{file.name}: {reason}", code="file_failed")
        self.file = file
        """The file as it is now."""


class WaitTimeoutError(EngramError, TimeoutError):
    """A file is still being read after the timeout. Reading continues."""


class LoginError(EngramError):
    """Signing in failed. `code` is the OAuth error, if there is one."""


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
    """The error class of a status."""
    return _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
