"""Files, history and devices, for programs that await."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin

import anyio.to_thread
import httpx2

from . import _check, _devices
from ._api import (
    CHECK_ARTIFACTS,
    HISTORY_AUDIO,
    ZIP_ARTIFACTS,
    AsyncDevicesCalls,
    AsyncFilesCalls,
    AsyncHistoryCalls,
    CheckedFile,
    Device,
    DeviceReport,
    File,
    FileLink,
    UploadedFile,
)
from ._core import Wait
from ._download import Target, destination
from ._form import Progress, Source, part_of
from ._spec import Ref, call_of, id_of
from ._uploads import (
    Content,
    Upload,
    UploadReport,
    batches_of,
    bytes_of,
    contents_of,
    entry_of,
    name_in,
    web_content,
    zip_of,
)
from .errors import FileFailedError, StreamBrokenError, UploadRejectedError, WaitTimeoutError

POLL_SECONDS = 0.5
MAX_POLL_SECONDS = 5.0


async def _save(response: httpx2.Response, path: Path, on_progress: Progress | None) -> Path:
    length = response.headers.get("content-length")
    target = await anyio.to_thread.run_sync(Target, path)
    try:
        async for chunk in response.aiter_bytes():
            await anyio.to_thread.run_sync(target.write, chunk)
            if on_progress:
                on_progress(target.written, int(length) if length else None)
        return await anyio.to_thread.run_sync(target.commit)
    except httpx2.RequestError as error:
        raise StreamBrokenError("The download was cut off.") from error
    finally:
        target.discard()
        await response.aclose()


class AsyncFiles(AsyncFilesCalls):
    """The files of the user."""

    async def upload(
        self,
        source: Source,
        *,
        name: str | None = None,
        keywords: Iterable[str] = (),
        path: str | None = None,
        modified_at: datetime | None = None,
        replaces: Ref | None = None,
        device_id: Ref | None = None,
        on_progress: Progress | None = None,
        wait: Wait = False,
    ) -> File:
        """Uploads a path, bytes or a file object. `wait` waits until it is searchable.

        path: its path in a synced folder, such as Papers/tax/notice.pdf.
        modified_at: when the file itself was last changed.
        replaces: its previous version, deleted once this one is ready.
        device_id: the registered device that sends it. Only its own files are replaced.
        """
        upload = Upload(
            parts=[part_of(source, name or name_in(path))],
            keywords=keywords,
            path=path,
            modified_at=modified_at,
            replaces=replaces,
            device_id=device_id,
            on_progress=on_progress,
            wait=wait,
        )
        return await self._upload_one(upload)

    async def upload_many(
        self,
        sources: Iterable[Source],
        *,
        keywords: Iterable[str] = (),
        keywords_by_name: Mapping[str, Iterable[str]] | None = None,
        on_progress: Progress | None = None,
        wait: Wait = False,
    ) -> UploadReport:
        """Uploads several files in one call, and reports the result of each."""
        _check.list_of(sources, "sources")
        upload = Upload(
            parts=[part_of(source) for source in sources],
            keywords=keywords,
            keywords_by_name=keywords_by_name,
            on_progress=on_progress,
            wait=wait,
        )
        return await self._upload(upload)

    async def add_text(
        self, text: str, *, keywords: Iterable[str] = (), wait: Wait = False
    ) -> File:
        """Stores a text of up to 500 words as a file."""
        upload = Upload(text=text, keywords=keywords, wait=wait)
        return await self._upload_one(upload)

    async def save_web_content(
        self,
        url: str,
        content: Source,
        *,
        name: str | None = None,
        keywords: Iterable[str] = (),
    ) -> UploadedFile:
        """Saves what was fetched from a web address, and replaces what was saved from there before.

        content: a page as HTML in UTF-8, or a file. Bytes are a page unless `name` says otherwise.
        """
        part = part_of(content, name or ("page.html" if isinstance(content, bytes) else None))
        return await self._runner.call(web_content(url, part, keywords))

    async def check(self, files: Mapping[str, Content]) -> builtins.list[CheckedFile]:
        """Checks which files Engram already has, without sending bytes.

        files: the content of each file by its path in the folder, such as Papers/notice.pdf: a path
                on disk, bytes, or a `Digest`. Files on disk are hashed as a stream.
        """
        entries = [
            await anyio.to_thread.run_sync(entry_of, *content) for content in contents_of(files)
        ]
        answers: builtins.list[CheckedFile] = []
        for batch in batches_of(entries):
            answers += await self._runner.call(call_of(CHECK_ARTIFACTS, {"files": batch}))
        return answers

    async def wait(self, file: Ref, timeout: float | None = None) -> File:
        """Waits until a file is searchable, up to `timeout` seconds if given."""
        settled = await self._settle(file, True if timeout is None else timeout)
        if settled.status == "FAILED":
            raise FileFailedError(settled)
        return settled

    async def link(self, artifact_id: Ref) -> FileLink:
        """A link to the bytes that works without a key for a few minutes."""
        link = await super().link(artifact_id)
        url = urljoin(self._runner.base_url, link.url)
        return link.model_copy(update={"url": url})

    async def download(
        self,
        file: File | str,
        to: str | os.PathLike[str] = ".",
        *,
        on_progress: Progress | None = None,
    ) -> Path:
        """Writes a file to a path, or into a folder under its own name."""
        stored = file if isinstance(file, File) else await self.get(file)
        path = destination(to, stored.name)
        return await _save(await self._runner.call(bytes_of(stored)), path, on_progress)

    async def download_many(
        self,
        files: Iterable[Ref],
        to: str | os.PathLike[str] = ".",
        *,
        on_progress: Progress | None = None,
    ) -> Path:
        """Writes several files as one zip to a path, or into a folder."""
        path = destination(to, "engram-files.zip")
        link = await self._runner.call(call_of(ZIP_ARTIFACTS, {"ids": files}))
        return await _save(await self._runner.call(zip_of(link.url)), path, on_progress)

    async def _upload(self, upload: Upload) -> UploadReport:
        report = await self._runner.call(upload.call())
        files = [await self._settle(stored.id, upload.wait) for stored in report.uploaded]
        return report.model_copy(update={"files": files})

    async def _upload_one(self, upload: Upload) -> File:
        report = await self._upload(upload)
        if report.rejected:
            raise UploadRejectedError(report.rejected[0])
        file = report.files[0]
        if upload.wait is not False and file.status == "FAILED":
            raise FileFailedError(file)
        return file

    async def _settle(self, file: Ref, wait: Wait) -> File:
        """Waits until a file is ready or has failed. Without `wait` it returns immediately."""
        _check.wait(wait)
        waited, pause = 0.0, POLL_SECONDS
        while True:
            current = await self.get(file)
            if wait is False or current.status in ("SUCCESS", "FAILED"):
                return current
            if wait is not True and waited + pause > wait:
                message = f"{current.name} is still being read."
                raise WaitTimeoutError(message, code="wait_timeout")
            await self._runner.sleep(pause)
            waited += pause
            pause = min(MAX_POLL_SECONDS, pause * 1.5)


class AsyncHistory(AsyncHistoryCalls):
    """The questions of the user and their answers."""

    async def audio(self, entry: Ref, to: str | os.PathLike[str]) -> Path:
        """Writes an answer as speech to an MP3 file."""
        path = destination(to, f"{id_of(entry)}.mp3")
        return await _save(
            await self._runner.call(call_of(HISTORY_AUDIO, {"id": entry})), path, None
        )


class AsyncDevices(AsyncDevicesCalls):
    """The devices that sync folders."""

    async def register(
        self, name: str, *, platform: str, version: str, report: DeviceReport | None = None
    ) -> Device:
        """Registers a device. Call it once and store the ID. `version` is your program's."""
        return await self._runner.call(_devices.register(name, platform, version, report))

    async def report(
        self,
        device: Device | str,
        report: DeviceReport | None = None,
        *,
        name: str | None = None,
        platform: str | None = None,
        version: str | None = None,
    ) -> Device:
        """Reports the progress of a device. Returns it with the user's requests, such as a pause.

        An ID instead of a device requires `name`, `platform` and `version`. Raises a
        NotFoundError if the user ended the device.
        """
        return await self._runner.call(_devices.report(device, report, name, platform, version))
