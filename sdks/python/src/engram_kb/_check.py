"""Arguments are looked at before anything is sent; what is wrong is said in a sentence."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import urlsplit

from .errors import ArgumentError

QUESTION_LIMIT = 300
KEYWORD_LIMIT = 25
FILE_KEYWORDS = 50
QUESTION_KEYWORDS = 100
CHOSEN_FILES = 100
PATH_LIMIT = 4000


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"{what} is a text.", code="not_a_text")
    return value.strip()


def wait(value: object) -> None:
    """Whether to wait, and how long: looked at before anything is sent."""
    if not isinstance(value, bool | int | float) or value < 0:
        raise ArgumentError("wait is True, False or a number of seconds.", code="wait")


def several(values: object, alone: str) -> None:
    """Several things; a text or a path alone is most likely a slip."""
    if isinstance(values, str | bytes | os.PathLike):
        raise ArgumentError(f"Several come as a list; for one there is {alone}.", code="not_a_list")


_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def question(text: object) -> str:
    """A question without spaces around it."""
    text = _text(text, "A question")
    if not text:
        raise ArgumentError("Please enter a question.", code="empty_question")
    if len(text) > QUESTION_LIMIT:
        raise ArgumentError(
            f"A question can have at most {QUESTION_LIMIT} characters.", code="long_question"
        )
    return text


def identifier(value: object) -> str:
    """An id as the server makes them; it becomes part of an address."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ArgumentError(f"{value!r} is not a valid id.", code="invalid_id")
    return value


def keyword(word: object) -> str:
    """A keyword without spaces around it."""
    word = _text(word, "A keyword")
    if not word:
        raise ArgumentError("A keyword needs at least one letter or digit.", code="keyword")
    if len(word) > KEYWORD_LIMIT:
        raise ArgumentError(
            f"A keyword can have at most {KEYWORD_LIMIT} characters.", code="keyword"
        )
    if any(unicodedata.category(letter)[0] not in "LMN" for letter in word):
        raise ArgumentError("A keyword can only contain letters and digits.", code="keyword")
    return word


def keywords(words: Iterable[str], most: int) -> list[str]:
    """Several keywords; one alone is most likely a slip."""
    if isinstance(words, str):
        raise ArgumentError("Keywords come as a list, such as ['Home'].", code="keyword")
    checked = [keyword(word) for word in words]
    if len(checked) > most:
        raise ArgumentError(f"There can be at most {most} keywords.", code="keyword")
    return checked


def chosen(ids: list[str]) -> list[str]:
    """The files that a question is asked of."""
    if len(ids) > CHOSEN_FILES:
        raise ArgumentError(f"At most {CHOSEN_FILES} files can be chosen.", code="files")
    return ids


def base_url(url: str) -> str:
    """The address of a server without a slash at its end, and without /v1."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ArgumentError(
            f"{url!r} is not the address of a server, such as http://localhost:3000.",
            code="base_url",
        )
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


def credential(value: str, what: str) -> str:
    """A key or a token, which becomes part of a header."""
    code = what.lower().replace(" ", "_")
    if not value:
        raise ArgumentError(f"The {what} is empty.", code=code)
    if not isinstance(value, str) or not re.fullmatch(r"[!-~]+", value):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(f"This is not a valid {what}: it is one word of ASCII.", code=code)
    return value


def at_most(value: int, least: int, most: int, name: str) -> int:
    """A number within bounds."""
    if not least <= value <= most:
        raise ArgumentError(f"{name} is a number from {least} to {most}.", code=name)
    return value


def _well_formed(text: str) -> str:
    """Halves of characters, as some disks allow in names, become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def folder_path(path: object) -> str:
    """Where a file stands in its folder, in NFC; looked at as the server does."""
    if not isinstance(path, str):
        raise ArgumentError("A path is a text.", code="path")
    # The server counts in UTF-16.
    if len(path.encode("utf-16-le", "surrogatepass")) // 2 > PATH_LIMIT:
        raise ArgumentError(f"A path can have at most {PATH_LIMIT} characters.", code="path")
    path = unicodedata.normalize("NFC", _well_formed(path))
    plain = all(part not in ("", ".", "..") for part in path.split("/"))
    if not plain or any(sign == "\\" or unicodedata.category(sign) == "Cc" for sign in path):
        raise ArgumentError(
            "A path is names joined by /, such as Papers/tax/2025/notice.pdf.", code="path"
        )
    return path


def moment(time: object, name: str) -> str:
    """A time as the API writes it; one without a zone could be any of many."""
    if not isinstance(time, datetime) or time.utcoffset() is None:
        raise ArgumentError(
            f"{name} is a datetime with a time zone, such as datetime.now(UTC).", code=name
        )
    try:
        return time.astimezone(UTC).isoformat()
    except OverflowError as error:
        raise ArgumentError(f"{name} lies in the years 1 to 9999.", code=name) from error


def line(text: object, name: str, most: int) -> str:
    """A text of some length without spaces around it."""
    text = _well_formed(_text(text, name))
    if not 1 <= len(text) <= most:
        raise ArgumentError(f"{name} has from 1 to {most} characters.", code=name)
    return text
