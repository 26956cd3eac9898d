"""What takes more than one call, as flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from . import _calls, _check
from ._core import Call, Flow, Page, Retries, Sleep, Wait, make
from ._form import Part, Progress
from .errors import (
    ArgumentError,
    FileFailedError,
    NotFoundError,
    UploadRejectedError,
    WaitTimeoutError,
)
from .models import File, UploadReport

POLL_SECONDS = 0.5
LONGEST_POLL = 5.0


def find_file(file_id: str, name: str, retries: Retries) -> Flow[File]:
    """A file by its id among those of its name."""
    cursor: str | None = None
    while True:
        call: Call[Page[File]] = _calls.list_files(q=name[:300], cursor=cursor, limit=1000)
        page = yield from make(call, retries)
        for file in page.rows:
            if file.id == file_id:
                return file
        cursor = page.next_cursor
        if cursor is None:
            raise NotFoundError("There is no such file.", status=404, code="artifact_not_found")


def settle(file_id: str, name: str, wait: Wait, retries: Retries) -> Flow[File]:
    """A file once its reading has come to an end."""
    waited, pause = 0.0, POLL_SECONDS
    while True:
        file = yield from find_file(file_id, name, retries)
        if file.settled or wait is False:
            return file
        if wait is not True and waited + pause > wait:
            raise WaitTimeoutError(f"{name} is still being read.", code="wait_timeout")
        yield Sleep(pause)
        waited += pause
        pause = min(LONGEST_POLL, pause * 1.5)


def wait_for(file: File | str, wait: Wait, retries: Retries) -> Flow[File]:
    """A file once it is ready; FileFailedError where it never will be."""
    _check.wait(wait)
    name = file.name if isinstance(file, File) else None
    if name is None:
        name = (yield from make(_calls.link(file), retries)).file_name
    settled = yield from settle(_calls.id_of(file), name, wait, retries)
    if settled.status == "FAILED":
        raise FileFailedError(settled)
    return settled


def upload_many(
    parts: Sequence[Part],
    retries: Retries,
    *,
    keywords: Iterable[str] = (),
    keywords_by_name: Mapping[str, Iterable[str]] | None = None,
    text: str = "",
    meta: Mapping[str, str] | None = None,
    device_id: str | None = None,
    on_progress: Progress | None = None,
    wait: Wait = False,
) -> Flow[UploadReport]:
    """Uploads files, and says what became of each."""
    _check.wait(wait)
    if not parts and not text.strip():
        raise ArgumentError("There is nothing to upload.", code="nothing")
    call = _calls.upload(
        parts,
        keywords=keywords,
        keywords_by_name=keywords_by_name,
        text=text,
        meta=meta,
        device_id=device_id,
        on_progress=on_progress,
    )
    report = yield from make(call, retries)
    files: list[File] = []
    for taken in report.uploaded:
        name = taken.name
        if taken.duplicate:
            # It is kept under the name that its bytes first came with.
            name = (yield from make(_calls.link(taken.id), retries)).file_name
        files.append((yield from settle(taken.id, name, wait, retries)))
    return report.model_copy(update={"files": files})


def upload(
    parts: Sequence[Part],
    retries: Retries,
    *,
    keywords: Iterable[str] = (),
    text: str = "",
    meta: Mapping[str, str] | None = None,
    device_id: str | None = None,
    on_progress: Progress | None = None,
    wait: Wait = False,
) -> Flow[File]:
    """Uploads one file."""
    report = yield from upload_many(
        parts,
        retries,
        keywords=keywords,
        text=text,
        meta=meta,
        device_id=device_id,
        on_progress=on_progress,
        wait=wait,
    )
    if report.rejected:
        raise UploadRejectedError(report.rejected[0])
    file = report.files[0]
    if wait is not False and file.status == "FAILED":
        raise FileFailedError(file)
    return file
