"""Uploads and folders, as calls and flows that sync and async share."""

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
    CHECK_ARTIFACTS,
    GET_ARTIFACT,
    OPEN_ARTIFACT,
    SET_ARTIFACT_KEYWORDS,
    CheckedFile,
    File,
    Transcript,
    UploadResult,
)
from ._core import Call, Flow, Repeat, Retries, Sleep, Wait, as_response, in_envelope, make
from ._form import Form, Part, Progress, part_of
from ._spec import Ref, call_of, check, id_of
from .errors import ArgumentError, FileFailedError, UploadRejectedError, WaitTimeoutError

POLL_SECONDS = 0.5
MAX_POLL_SECONDS = 5.0
CHECK_LIMIT = 1000
CHECK_BYTES = 900_000
"""The server accepts 1 MB, which long paths fill before there are 1,000 of them."""

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


class UploadReport(UploadResult):
    """What became of the files of an upload."""

    files: list[File] = Field(default_factory=list[File])
    """The files that were stored, as they are now."""


@dataclass(frozen=True, slots=True)
class Digest:
    """The hash of some bytes."""

    sha256: str
    """In hexadecimal."""
    size: int


Content = str | os.PathLike[str] | bytes | Digest
"""The bytes of a file: a path on disk, the bytes themselves, or their digest."""


@dataclass(frozen=True, slots=True)
class Upload:
    """What is uploaded, and how."""

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
            meta["modifiedAt"] = _check.moment(self.modified_at, "modified_at")
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
        """The upload. The same bytes are one file, so they may be sent again."""
        _check.wait(self.wait)
        if not self.parts and not self.text.strip():
            raise ArgumentError("There is nothing to upload.", code="nothing")
        form = Form(self._fields(), self.parts, on_progress=self.on_progress)
        repeat = Repeat.ALWAYS if form.again else Repeat.NEVER
        read = in_envelope(UploadReport)
        return Call("POST", "/artifacts/upload", read, form=form, repeat=repeat)


def _keywords(words: Iterable[str]) -> list[str]:
    return check(SET_ARTIFACT_KEYWORDS.fields["keywords"]["schema"], words, "keywords")


def upload_many(upload: Upload, retries: Retries) -> Flow[UploadReport]:
    """Uploads files, and reports what became of each."""
    report = yield from make(upload.call(), retries)
    files: list[File] = []
    for stored in report.uploaded:
        files.append((yield from _settle(stored.id, upload.wait, retries)))
    return report.model_copy(update={"files": files})


def upload_one(upload: Upload, retries: Retries) -> Flow[File]:
    """Uploads one file."""
    report = yield from upload_many(upload, retries)
    if report.rejected:
        raise UploadRejectedError(report.rejected[0])
    file = report.files[0]
    if upload.wait is not False and file.status == "FAILED":
        raise FileFailedError(file)
    return file


def name_in(path: str | None) -> str | None:
    """The name of a file by its path in a folder."""
    return path.rpartition("/")[2] or None if isinstance(path, str) else None


def _settle(file: Ref, wait: Wait, retries: Retries) -> Flow[File]:
    """A file once it is ready or has failed; as it is now where nothing is waited for."""
    waited, pause = 0.0, POLL_SECONDS
    while True:
        now = yield from make(call_of(GET_ARTIFACT, {"artifactId": file}), retries)
        if wait is False or now.status in ("SUCCESS", "FAILED"):
            return now
        if wait is not True and waited + pause > wait:
            message = f"{now.name} is still being read."
            raise WaitTimeoutError(message, code="wait_timeout")
        yield Sleep(pause)
        waited += pause
        pause = min(MAX_POLL_SECONDS, pause * 1.5)


def wait_for(file: Ref, timeout: float | None, retries: Retries) -> Flow[File]:
    """A file once it is ready. Raises FileFailedError if it cannot be read."""
    wait: Wait = True if timeout is None else timeout
    _check.wait(wait)
    settled = yield from _settle(file, wait, retries)
    if settled.status == "FAILED":
        raise FileFailedError(settled)
    return settled


def transcription(recording: Part) -> Call[Transcript]:
    """A spoken question. It may be counted, so it is sent again only where it was not seen."""
    form = Form({}, [recording])
    repeat = Repeat.UNSEEN if form.again else Repeat.NEVER
    return Call("POST", "/search/transcribe", in_envelope(Transcript), form=form, repeat=repeat)


def bytes_of(file: File) -> Call[httpx2.Response]:
    """The bytes of a file."""
    values = {
        "artifactId": file.id,
        "userId": file.user_id,
        "fileName": file.name,
    }
    return call_of(OPEN_ARTIFACT, values)


def zip_of(url: str) -> Call[httpx2.Response]:
    """The zip behind a link."""
    path = f"/zips/{url.rpartition('/')[2]}"
    return Call("GET", path, as_response, accept="*/*", streams=True)


def _digest(content: Content) -> Digest:
    if isinstance(content, Digest):
        if not _SHA256.fullmatch(content.sha256):
            raise ArgumentError("This is not a SHA-256 in hexadecimal.", code="sha256")
        if content.size < 0:
            raise ArgumentError("A size is a number of bytes.", code="size")
        return content
    if isinstance(content, bytes):
        return Digest(hashlib.sha256(content).hexdigest(), len(content))
    if not isinstance(content, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError("A file is a path, bytes or a Digest.", code="no_source")
    part_of(content)  # Refuses what an upload refuses.
    with Path(content).open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        # The size of what was hashed: the file may be growing.
        return Digest(sha256, file.tell())


def entry_of(path: str, content: Content) -> dict[str, Any]:
    """A file to ask about; one on disk is hashed a piece at a time."""
    digest = _digest(content)
    return {"sha256": digest.sha256, "size": digest.size, "path": _check.folder_path(path)}


def contents_of(files: Mapping[str, Content]) -> list[tuple[str, Content]]:
    """The files to ask about; their paths are checked before any of them is hashed."""
    if not isinstance(files, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError("Files come by their path: {'Papers/a.txt': 'a.txt'}.", code="files")
    for path in files:
        _check.folder_path(path)
    return list(files.items())


def _batches(entries: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
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


def check_all(entries: Iterable[dict[str, Any]], retries: Retries) -> Flow[list[CheckedFile]]:
    """Asks about any number of files, in as few calls as the server allows."""
    answers: list[CheckedFile] = []
    for batch in _batches(entries):
        answers += yield from make(call_of(CHECK_ARTIFACTS, {"files": batch}), retries)
    return answers
