"""The calls of uploads, downloads and checks, which sync and async share."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
from pydantic import Field

from . import _check
from ._api import (
    OPEN_ARTIFACT,
    SET_ARTIFACT_KEYWORDS,
    File,
    Transcript,
    UploadedFile,
    UploadResult,
)
from ._core import Call, Repeat, Wait, as_response, in_envelope
from ._form import Form, Part, Progress, part_of
from ._spec import Ref, call_of, check, id_of
from .errors import ArgumentError

CHECK_LIMIT = 1000
CHECK_BYTES = 900_000
"""The server accepts 1 MB, which fewer than 1,000 long paths can fill."""

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


class UploadReport(UploadResult):
    """The result of an upload."""

    files: list[File] = Field(default_factory=list[File])
    """The stored files, as they are now."""


@dataclass(frozen=True, slots=True)
class Digest:
    """The hash and size of a file."""

    sha256: str
    """In hexadecimal."""
    size: int


Content = str | os.PathLike[str] | bytes | Digest
"""The content of a file: a path on disk, bytes, or a digest."""


@dataclass(frozen=True, slots=True)
class Upload:
    parts: Sequence[Part] = ()
    text: str = ""
    keywords: Iterable[str] = ()
    keywords_by_name: Mapping[str, Iterable[str]] | None = None
    path: str | None = None
    modified_at: datetime | None = None
    replaces: Ref | None = None
    device_id: Ref | None = None
    on_progress: Progress | None = None
    wait: Wait = False

    def _fields(self) -> dict[str, str]:
        by_name = {name: _keywords(words) for name, words in (self.keywords_by_name or {}).items()}
        fields = {
            "keywords": json.dumps(_keywords(self.keywords)),
            "filesKeywords": json.dumps(by_name),
        }
        meta: dict[str, str] = {}
        if self.path is not None:
            meta["path"] = _check.folder_path(self.path)
        if self.modified_at is not None:
            meta["modifiedAt"] = _check.timestamp(self.modified_at, "modified_at")
        if self.replaces is not None:
            meta["replaces"] = id_of(self.replaces)
        if meta:
            fields["meta"] = json.dumps([meta])
        if self.device_id is not None:
            fields["deviceId"] = id_of(self.device_id)
        if self.text:
            fields["artifactText"] = self.text
        return fields

    def call(self) -> Call[UploadReport]:
        """The call. It is idempotent, because the same bytes are one file."""
        _check.wait(self.wait)
        if not self.parts and not self.text.strip():
            raise ArgumentError("There is nothing to upload.", code="nothing")
        form = Form(self._fields(), self.parts, on_progress=self.on_progress)
        repeat = Repeat.ALWAYS if form.repeatable else Repeat.NEVER
        read = in_envelope(UploadReport)
        return Call("POST", "/artifacts/upload", read, form=form, repeat=repeat)


def _keywords(words: Iterable[str]) -> list[str]:
    return check(SET_ARTIFACT_KEYWORDS.fields["keywords"]["schema"], words, "keywords")


def name_in(path: str | None) -> str | None:
    """The name of a file by its path in a folder."""
    return path.rpartition("/")[2] or None if isinstance(path, str) else None


def web_content(url: str, content: Part, keywords: Iterable[str]) -> Call[UploadedFile]:
    """What was fetched from a web address. The call is idempotent, like an upload."""
    form = Form({"url": url, "keywords": json.dumps(_keywords(keywords))}, [content])
    repeat = Repeat.ALWAYS if form.repeatable else Repeat.NEVER
    read = in_envelope(UploadedFile)
    return Call("POST", "/artifacts/from-browser", read, form=form, repeat=repeat)


def transcription(recording: Part) -> Call[Transcript]:
    """Transcribes a spoken question. Not always retried, because it may count against the plan."""
    form = Form({}, [recording])
    repeat = Repeat.UNPROCESSED if form.repeatable else Repeat.NEVER
    return Call("POST", "/search/transcribe", in_envelope(Transcript), form=form, repeat=repeat)


def bytes_of(file: File) -> Call[httpx2.Response]:
    return call_of(
        OPEN_ARTIFACT, {"artifactId": file.id, "userId": file.user_id, "fileName": file.name}
    )


def zip_of(url: str) -> Call[httpx2.Response]:
    path = f"/zips/{url.rpartition('/')[2]}"
    return Call("GET", path, as_response, accept="*/*", streams=True)


def _digest(content: Content) -> Digest:
    if isinstance(content, Digest):
        if not _SHA256.fullmatch(content.sha256):
            raise ArgumentError("This is not a hexadecimal SHA-256.", code="sha256")
        if content.size < 0:
            raise ArgumentError("A size must be a number of bytes.", code="size")
        return content
    if isinstance(content, bytes):
        return Digest(hashlib.sha256(content).hexdigest(), len(content))
    if not isinstance(content, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError("A file is a path, bytes or a Digest.", code="no_source")
    part_of(content)  # Raises the errors of an upload.
    with Path(content).open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        # The size of the hashed bytes, because the file may be growing.
        return Digest(sha256, file.tell())


def entry_of(path: str, content: Content) -> dict[str, Any]:
    """A file to check. Files on disk are hashed as a stream."""
    digest = _digest(content)
    return {"sha256": digest.sha256, "size": digest.size, "path": _check.folder_path(path)}


def contents_of(files: Mapping[str, Content]) -> list[tuple[str, Content]]:
    """The files to check. Their paths are checked before any of them is hashed."""
    if not isinstance(files, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError("files is a dict by path: {'Papers/a.txt': 'a.txt'}.", code="files")
    for path in files:
        _check.folder_path(path)
    return list(files.items())


def batches_of(entries: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Splits entries by the limits of one call."""
    batch: list[dict[str, Any]] = []
    batch_bytes = 0
    for entry in entries:
        size = len(json.dumps(entry, ensure_ascii=False).encode()) + 1
        if batch and (len(batch) == CHECK_LIMIT or batch_bytes + size > CHECK_BYTES):
            yield batch
            batch, batch_bytes = [], 0
        batch.append(entry)
        batch_bytes += size
    if batch:
        yield batch
