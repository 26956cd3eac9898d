"""What takes more than one call, as flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from . import _calls, _check
from ._core import Flow, Retries, Sleep, Wait, make
from ._form import Part, Progress
from .errors import (
    ArgumentError,
    FileFailedError,
    UploadRejectedError,
    WaitTimeoutError,
)
from .models import File, UploadReport

POLL_SECONDS = 0.5
LONGEST_POLL = 5.0


def settle(file: File | str, wait: Wait, retries: Retries) -> Flow[File]:
    """A file once its reading has ended; as it is now where nothing is waited for."""
    waited, pause = 0.0, POLL_SECONDS
    while True:
        now = yield from make(_calls.get_file(file), retries)
        if now.settled or wait is False:
            return now
        if wait is not True and waited + pause > wait:
            raise WaitTimeoutError(f"{now.name} is still being read.", code="wait_timeout")
        yield Sleep(pause)
        waited += pause
        pause = min(LONGEST_POLL, pause * 1.5)


def wait_for(file: File | str, wait: Wait, retries: Retries) -> Flow[File]:
    """A file once it is ready; FileFailedError where it never will be."""
    _check.wait(wait)
    settled = yield from settle(file, wait, retries)
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
        files.append((yield from settle(taken.id, wait, retries)))
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
