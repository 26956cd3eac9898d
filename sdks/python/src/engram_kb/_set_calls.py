"""Calls about several files at once, as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import httpx2

from . import _check
from ._calls import id_of
from ._core import Call, Repeat, as_response, in_envelope
from .errors import ArgumentError
from .models import File, FileChanges, ZipLink

DELETE_LIMIT = 10_000
BULK_LIMIT = 1_000


def _ids(files: Iterable[File | str], single: str) -> list[str]:
    _check.several(files, single)
    ids = [id_of(file) for file in files]
    if not 1 <= len(ids) <= BULK_LIMIT:
        raise ArgumentError(f"From 1 to {BULK_LIMIT} files can be named at once.", code="files")
    return ids


def change(
    verb: str, files: Iterable[File | str], single: str, keywords: Iterable[str] | None = None
) -> Call[FileChanges]:
    """The same done with several files."""
    body: dict[str, Any] = {"verb": verb, "ids": _ids(files, single)}
    if keywords is not None:
        body["keywords"] = _check.keywords(keywords, _check.FILE_KEYWORDS)
    # A second reading would be refused, so there is a second try only where the first was not seen.
    repeat = Repeat.UNSEEN if verb == "retry" else Repeat.ALWAYS
    return Call("POST", "/artifacts/bulk", in_envelope(FileChanges), body=body, repeat=repeat)


def zip_link(files: Iterable[File | str]) -> Call[ZipLink]:
    """A link to several files as one zip."""
    body = {"ids": _ids(files, "download()")}
    return Call("POST", "/artifacts/zip", in_envelope(ZipLink), body=body)


def read_zip(url: str) -> Call[httpx2.Response]:
    """The zip behind a link, as an open response."""
    path = f"/zips/{url.rpartition('/')[2]}"
    return Call("GET", path, as_response, accept="*/*", streams=True)


def delete_many(files: Iterable[File | str]) -> Call[list[str]]:
    """Delete several files."""
    _check.several(files, "delete()")
    ids = [id_of(file) for file in files]
    if not 1 <= len(ids) <= DELETE_LIMIT:
        raise ArgumentError(f"From 1 to {DELETE_LIMIT} files can be deleted at once.", code="files")
    read = in_envelope(list[str])
    return Call("DELETE", "/artifacts/bulk", read, body=ids, repeat=Repeat.UNSEEN)
