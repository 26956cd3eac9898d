"""Ask your own files: the Python SDK of Engram, a personal knowledge base.

from engram_kb import Engram

engram = Engram()
print(engram.ask("How much notice do I have to give?").text)
"""

# Other modules load on first use, so commands that only print their help start fast.
from importlib import import_module
from typing import TYPE_CHECKING

from . import errors
from .errors import *  # noqa: F403

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
    from ._settings import TokenSource as TokenSource
    from ._spec import Ref as Ref
    from ._uploads import Content as Content
    from ._uploads import Digest as Digest
    from ._uploads import UploadReport as UploadReport
    from .events import Done as Done
    from .events import Event as Event

__version__ = "0.1.0"

_MODULES = {
    "_client": "AnswerStream Engram",
    "_async_client": "AsyncAnswerStream AsyncEngram",
    "_pages": "Pages",
    "_async_pages": "AsyncPages",
    "_core": "Page Wait",
    "_form": "Progress Source",
    "_settings": "TokenSource",
    "events": "Done Event",
    "_spec": "Ref",
    "_uploads": "Content Digest UploadReport",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def _names() -> list[str]:
    """Every public name: those above, the errors, and the models of the API."""
    classes = [name for name, value in vars(errors).items() if isinstance(value, type)]
    return sorted([*_MODULE_OF, *classes, *import_module("._api", __name__).__all__])


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _names()
    if name not in _MODULE_OF and (name.startswith("_") or name not in _names()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{_MODULE_OF.get(name, '_api')}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_names()]
