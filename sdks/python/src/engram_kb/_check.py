"""Checks arguments before anything is sent. Raises ArgumentError."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import urlsplit

from .errors import ArgumentError

PATH_LIMIT = 4000


def wait(value: object) -> None:
    if not isinstance(value, bool | int | float) or value < 0:
        raise ArgumentError("wait is True, False or a number of seconds.", code="wait")


def list_of(values: object, name: str) -> None:
    """Rejects single values, such as a string, which are likely mistakes."""
    if isinstance(values, str | bytes | os.PathLike) or not isinstance(values, Iterable):
        raise ArgumentError(f"{name} must be a list.", code="not_a_list")


_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def identifier(value: object, name: str = "id") -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ArgumentError(f"{value!r} is not a valid id.", code=name)
    return value


def base_url(url: str) -> str:
    """The address of a server without a trailing slash or /v1."""
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


def within(value: int, minimum: int, maximum: int, name: str) -> int:
    if not minimum <= value <= maximum:
        raise ArgumentError(f"{name} must be a number from {minimum} to {maximum}.", code=name)
    return value


def well_formed(text: str) -> str:
    """Replaces lone surrogates, which some file systems allow in names, by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def folder_path(path: object) -> str:
    """A path in a folder, in NFC, such as Papers/tax/2025/notice.pdf."""
    if not isinstance(path, str):
        raise ArgumentError("A path must be text.", code="path")
    # The server counts in UTF-16.
    if len(path.encode("utf-16-le", "surrogatepass")) // 2 > PATH_LIMIT:
        raise ArgumentError(f"A path has up to {PATH_LIMIT} characters.", code="path")
    path = unicodedata.normalize("NFC", well_formed(path))
    is_plain = all(part not in ("", ".", "..") for part in path.split("/"))
    if not is_plain or any(
        character == "\\" or unicodedata.category(character) == "Cc" for character in path
    ):
        raise ArgumentError(
            "A path is names joined by /, such as Papers/tax/2025/notice.pdf.", code="path"
        )
    return path


def timestamp(time: object, name: str) -> str:
    """A time in ISO 8601, with a time zone."""
    if not isinstance(time, datetime) or time.utcoffset() is None:
        raise ArgumentError(
            f"{name} must be a datetime with a time zone, such as datetime.now(UTC).", code=name
        )
    try:
        return time.astimezone(UTC).isoformat()
    except OverflowError as error:
        raise ArgumentError(f"{name} must be in the years 1 to 9999.", code=name) from error
