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
    from .events import Delta as Delta
    from .events import Done as Done
    from .events import Event as Event
    from .events import Sources as Sources
    from .events import Step as Step
    from .folders import CheckedFile as CheckedFile
    from .folders import Content as Content
    from .folders import ContentState as ContentState
    from .folders import Device as Device
    from .folders import DeviceReport as DeviceReport
    from .folders import Digest as Digest
    from .folders import FolderReport as FolderReport
    from .folders import FolderState as FolderState
    from .folders import RefusedFile as RefusedFile
    from .models import Answer as Answer
    from .models import AnswerMode as AnswerMode
    from .models import ChosenFile as ChosenFile
    from .models import Citation as Citation
    from .models import ExplainedPassage as ExplainedPassage
    from .models import ExplainedStage as ExplainedStage
    from .models import Explanation as Explanation
    from .models import File as File
    from .models import FileChanges as FileChanges
    from .models import FileLink as FileLink
    from .models import FileOrigin as FileOrigin
    from .models import FileSort as FileSort
    from .models import FileStatus as FileStatus
    from .models import FileView as FileView
    from .models import FoundSection as FoundSection
    from .models import HistoryEntry as HistoryEntry
    from .models import HistoryThread as HistoryThread
    from .models import Keyword as Keyword
    from .models import Location as Location
    from .models import NewerFile as NewerFile
    from .models import Profile as Profile
    from .models import RejectedFile as RejectedFile
    from .models import RelatedFile as RelatedFile
    from .models import Segment as Segment
    from .models import SegmentKind as SegmentKind
    from .models import UploadedFile as UploadedFile
    from .models import UploadReport as UploadReport
    from .models import Word as Word

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
    "events": "Delta Done Event Sources Step",
    "folders": """CheckedFile Content ContentState Device DeviceReport Digest FolderReport
        FolderState RefusedFile""",
    "models": """Answer AnswerMode ChosenFile Citation ExplainedPassage ExplainedStage
        Explanation File FileChanges FileLink FileOrigin FileSort FileStatus FileView FoundSection
        HistoryEntry HistoryThread Keyword Location NewerFile Profile RejectedFile
        RelatedFile Segment SegmentKind UploadReport UploadedFile Word""",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_HOME_OF]
