"""Ask your own files: the Python SDK of Engram, a personal knowledge base.

from engram_kb import Engram

engram = Engram()
print(engram.ask("How much notice do I have to give?").text)
"""

# The modules are loaded when a name of theirs is first used: to import this package costs next to
# nothing, which a command that only prints its help is glad of.
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._api import *  # noqa: F403
    from ._async_client import AsyncAnswerStream as AsyncAnswerStream
    from ._async_client import AsyncEngram as AsyncEngram
    from ._async_pages import AsyncPages as AsyncPages
    from ._client import AnswerStream as AnswerStream
    from ._client import Engram as Engram
    from ._core import Page as Page
    from ._core import Wait as Wait
    from ._form import Progress as Progress
    from ._form import Source as Source
    from ._pages import Pages as Pages
    from ._run import TokenSource as TokenSource
    from ._spec import Ref as Ref
    from ._uploads import Content as Content
    from ._uploads import Digest as Digest
    from ._uploads import UploadReport as UploadReport
    from .errors import AnswerFailedError as AnswerFailedError
    from .errors import APIError as APIError
    from .errors import ArgumentError as ArgumentError
    from .errors import AuthenticationError as AuthenticationError
    from .errors import BadRequestError as BadRequestError
    from .errors import ClientClosedError as ClientClosedError
    from .errors import ConflictError as ConflictError
    from .errors import ConnectionFailedError as ConnectionFailedError
    from .errors import EngramError as EngramError
    from .errors import FileFailedError as FileFailedError
    from .errors import GoneError as GoneError
    from .errors import InsufficientStorageError as InsufficientStorageError
    from .errors import LoginError as LoginError
    from .errors import MalformedResponseError as MalformedResponseError
    from .errors import NotFoundError as NotFoundError
    from .errors import PaymentRequiredError as PaymentRequiredError
    from .errors import PermissionDeniedError as PermissionDeniedError
    from .errors import RangeNotSatisfiableError as RangeNotSatisfiableError
    from .errors import RateLimitError as RateLimitError
    from .errors import ServerError as ServerError
    from .errors import ServiceUnavailableError as ServiceUnavailableError
    from .errors import StreamBrokenError as StreamBrokenError
    from .errors import TimedOutError as TimedOutError
    from .errors import TooLargeError as TooLargeError
    from .errors import TransportError as TransportError
    from .errors import UnsupportedTypeError as UnsupportedTypeError
    from .errors import UploadRejectedError as UploadRejectedError
    from .errors import WaitTimeoutError as WaitTimeoutError
    from .events import Done as Done
    from .events import Event as Event

__version__ = "0.1.0"

_HOMES = {
    "_client": "AnswerStream Engram",
    "_async_client": "AsyncAnswerStream AsyncEngram",
    "_pages": "Pages",
    "_async_pages": "AsyncPages",
    "_core": "Page Wait",
    "_form": "Progress Source",
    "_run": "TokenSource",
    "errors": """APIError AnswerFailedError ArgumentError AuthenticationError BadRequestError
        ClientClosedError ConflictError ConnectionFailedError EngramError FileFailedError GoneError
        InsufficientStorageError LoginError MalformedResponseError NotFoundError
        PaymentRequiredError PermissionDeniedError RangeNotSatisfiableError RateLimitError
        ServerError ServiceUnavailableError StreamBrokenError TimedOutError TooLargeError
        TransportError UnsupportedTypeError UploadRejectedError WaitTimeoutError""",
    "events": "Done Event",
    "_spec": "Ref",
    "_uploads": "Content Digest UploadReport",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def _names() -> list[str]:
    """Every public name: those above, and the models of the API."""
    return sorted([*_HOME_OF, *import_module("._api", __name__).__all__])


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _names()
    if name not in _HOME_OF and (name.startswith("_") or name not in _names()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{_HOME_OF.get(name, '_api')}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_names()]
