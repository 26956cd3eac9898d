"""Files, keywords and history, for programs that await."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from urllib.parse import urljoin

import anyio.to_thread

from . import _calls, _check, _flows, _folder_calls, _set_calls
from ._async_pages import AsyncPages, save
from ._core import Wait
from ._download import destination
from ._form import Progress, Source, part_of
from ._run import AsyncRunner
from .folders import CheckedFile, Content, Device
from .models import (
    File,
    FileChanges,
    FileLink,
    FileOrigin,
    FileSort,
    FileStatus,
    FileView,
    HistoryEntry,
    HistoryThread,
    Keyword,
    Segment,
    UploadedFile,
    UploadReport,
    Word,
)


class AsyncFiles:
    """Your files."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def upload(
        self,
        source: Source,
        *,
        name: str | None = None,
        keywords: Iterable[str] = (),
        path: str | None = None,
        modified_at: datetime | None = None,
        replaces: File | str | None = None,
        device_id: Device | str | None = None,
        on_progress: Progress | None = None,
        wait: Wait = False,
    ) -> File:
        """Uploads a path, bytes or a file object; with `wait`, until it can be asked about.

        path: where it stands in the folder that it comes from, such as Papers/tax/notice.pdf.
        modified_at: when the file itself was last changed.
        replaces: the file that it was before it was changed, which goes once this one is ready.
        device_id: the registered device that sends it; only its own files are replaced.
        """
        meta = _folder_calls.file_meta(path, modified_at, replaces)
        name = name or meta.get("path", "").rpartition("/")[2] or None
        flow = _flows.upload(
            [part_of(source, name)],
            self._runner.retries,
            keywords=keywords,
            meta=meta,
            device_id=None if device_id is None else _folder_calls.id_of(device_id),
            on_progress=on_progress,
            wait=wait,
        )
        return await self._runner.run(flow)

    async def upload_many(
        self,
        sources: Iterable[Source],
        *,
        keywords: Iterable[str] = (),
        keywords_by_name: Mapping[str, Iterable[str]] | None = None,
        on_progress: Progress | None = None,
        wait: Wait = False,
    ) -> UploadReport:
        """Uploads several files at once, and says what became of each."""
        _check.several(sources, "upload()")
        flow = _flows.upload_many(
            [part_of(source) for source in sources],
            self._runner.retries,
            keywords=keywords,
            keywords_by_name=keywords_by_name,
            on_progress=on_progress,
            wait=wait,
        )
        return await self._runner.run(flow)

    async def check(self, files: Mapping[str, Content]) -> list[CheckedFile]:
        """Which files Engram has already, answered in their order; no bytes are sent.

        files: where each stands in its folder, such as Papers/notice.pdf, and its content: a path
            on disk, bytes, or a `Digest`. A file on disk is hashed a piece at a time.
        """
        entries = [
            await anyio.to_thread.run_sync(_folder_calls.entry_of, path, content)
            for path, content in _folder_calls.contents(files)
        ]
        return await self._runner.run(_folder_calls.check_all(entries, self._runner.retries))

    async def place(
        self,
        file: File | str,
        *,
        path: str,
        device_id: Device | str,
        modified_at: datetime | None = None,
        replaces: File | str | None = None,
    ) -> None:
        """Says where a file stands in its folder now, and which file it took the place of."""
        call = _folder_calls.place(file, path, device_id, modified_at, replaces)
        await self._runner.call(call)

    async def add_text(
        self, text: str, *, keywords: Iterable[str] = (), wait: Wait = False
    ) -> File:
        """Keeps a text of at most 500 words as a file of its own."""
        flow = _flows.upload([], self._runner.retries, text=text, keywords=keywords, wait=wait)
        return await self._runner.run(flow)

    async def wait(self, file: File | str, timeout: float | None = None) -> File:
        """Waits until a file can be asked about."""
        limit = True if timeout is None else timeout
        return await self._runner.run(_flows.wait_for(file, limit, self._runner.retries))

    async def all_ready(self) -> bool:
        """Whether no file is waiting or being read."""
        return await self._runner.call(_calls.search_ready())

    def list(
        self,
        q: str | None = None,
        *,
        archived: bool | None = None,
        keyword: str | None = None,
        folder: str | None = None,
        status: FileStatus | None = None,
        in_content: bool = False,
        kind: str | None = None,
        source: FileOrigin | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        sort: FileSort | None = None,
        offset: int | None = None,
        page_size: int = 100,
    ) -> AsyncPages[File]:
        """The files, newest first; `q` searches their names and paths."""
        return AsyncPages(
            self._runner,
            lambda cursor: _calls.list_files(
                q=q,
                archived=archived,
                keyword=keyword,
                folder=folder,
                status=status,
                in_content=in_content,
                kind=kind,
                source=source,
                since=since,
                until=until,
                sort=sort,
                limit=page_size,
                cursor=cursor,
                offset=offset if cursor is None else None,
            ),
        )

    async def get(self, file: File | str) -> File:
        """A file by its id, as it is now."""
        return await self._runner.call(_calls.get_file(file))

    async def text(self, file: File | str) -> str:
        """The text that was read from a file."""
        return await self._runner.call(_calls.text(file))

    async def segments(
        self, file: File | str, start: int = 0, end: int | None = None
    ) -> list[Segment]:
        """Where in the file the stretches of its text stand."""
        return await self._runner.call(_calls.segments(file, start, end))

    async def view(
        self, file: File | str, start: int = 0, end: int | None = None, path: str | None = None
    ) -> FileView:
        """A file as HTML, or the part between two offsets; `path` names a member of an archive."""
        return await self._runner.call(_calls.view(file, start, end, path))

    async def words(self, file: File | str, page: int = 1, path: str | None = None) -> list[Word]:
        """Where the words recognised on a page stand on it."""
        return await self._runner.call(_calls.words(file, page, path))

    async def link(self, file: File | str) -> FileLink:
        """A link to the bytes that works without a key for some minutes."""
        found = await self._runner.call(_calls.link(file))
        return found.model_copy(update={"url": urljoin(self._runner.base_url, found.url)})

    async def download(
        self,
        file: File | str,
        to: str | os.PathLike[str] = ".",
        *,
        on_progress: Progress | None = None,
    ) -> Path:
        """Writes a file to a path, or into a folder under its own name."""
        whole = file if isinstance(file, File) else await self.get(file)
        path = destination(to, whole.name)
        return await save(await self._runner.call(_calls.open_file(whole)), path, on_progress)

    async def rename(self, file: File | str, name: str) -> File:
        """Gives a file another name; its ending stays."""
        return await self._runner.call(_calls.rename(file, name))

    async def edit_note(self, file: File | str, text: str) -> UploadedFile:
        """Gives a typed text another wording, under a new id; the old answers until it is read."""
        return await self._runner.call(_calls.edit_note(file, text))

    async def tag_many(self, files: Iterable[File | str], keywords: Iterable[str]) -> FileChanges:
        """Adds keywords to several files, at most 1,000; says what became of each."""
        return await self._runner.call(_set_calls.change("tag", files, "set_keywords()", keywords))

    async def untag_many(self, files: Iterable[File | str], keywords: Iterable[str]) -> FileChanges:
        """Takes keywords from several files."""
        return await self._runner.call(
            _set_calls.change("untag", files, "set_keywords()", keywords)
        )

    async def archive_many(self, files: Iterable[File | str]) -> FileChanges:
        """Takes several files out of answers, without deleting them."""
        return await self._runner.call(_set_calls.change("archive", files, "archive()"))

    async def unarchive_many(self, files: Iterable[File | str]) -> FileChanges:
        """Brings several archived files back."""
        return await self._runner.call(_set_calls.change("unarchive", files, "unarchive()"))

    async def retry_many(self, files: Iterable[File | str]) -> FileChanges:
        """Reads several failed files again."""
        return await self._runner.call(_set_calls.change("retry", files, "retry()"))

    async def download_many(
        self,
        files: Iterable[File | str],
        to: str | os.PathLike[str] = ".",
        *,
        on_progress: Progress | None = None,
    ) -> Path:
        """Writes several files as one zip to a path, or into a folder."""
        path = destination(to, "engram-files.zip")
        link = await self._runner.call(_set_calls.zip_link(files))
        return await save(await self._runner.call(_set_calls.read_zip(link.url)), path, on_progress)

    async def archive(self, file: File | str) -> File:
        """Takes a file out of answers, without deleting it."""
        return await self._runner.call(_calls.set_archived(file, True))

    async def unarchive(self, file: File | str) -> File:
        """Brings an archived file back."""
        return await self._runner.call(_calls.set_archived(file, False))

    async def set_keywords(self, file: File | str, keywords: Iterable[str]) -> File:
        """Replaces a file's keywords."""
        return await self._runner.call(_calls.set_keywords(file, keywords))

    async def retry(self, file: File | str) -> File:
        """Reads a failed file again."""
        return await self._runner.call(_calls.retry(file))

    async def delete(self, file: File | str) -> None:
        """Deletes a file and all that was derived from it."""
        await self._runner.call(_calls.delete(file))

    async def delete_many(self, files: Iterable[File | str]) -> list[str]:
        """Deletes several files; answers the ids of those that were there."""
        return await self._runner.call(_set_calls.delete_many(files))

    async def delete_all(self) -> None:
        """Deletes all files."""
        await self._runner.call(_calls.delete_all())


class AsyncKeywords:
    """Your keywords."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def list(self, *, count_files: bool = False) -> list[Keyword]:
        """All keywords, the defaults first; `count_files` counts the files of each."""
        return await self._runner.call(_calls.list_keywords(count_files))

    async def add(self, keyword: str) -> Keyword:
        """Adds a keyword."""
        return await self._runner.call(_calls.add_keyword(keyword))

    async def archive(self, keyword: Keyword | str) -> Keyword:
        """Archives a keyword."""
        return await self._runner.call(_calls.set_keyword_active(keyword, False))

    async def unarchive(self, keyword: Keyword | str) -> Keyword:
        """Brings an archived keyword back."""
        return await self._runner.call(_calls.set_keyword_active(keyword, True))


class AsyncHistory:
    """Your questions and their answers."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    def list(
        self,
        q: str | None = None,
        *,
        archived: bool | None = None,
        saved: bool | None = None,
        brief: bool | None = None,
        page_size: int = 100,
    ) -> AsyncPages[HistoryEntry]:
        """All questions, newest first; `brief` leaves out what was answered."""
        return AsyncPages(
            self._runner,
            lambda cursor: _calls.list_history(
                q=q, archived=archived, saved=saved, brief=brief, limit=page_size, cursor=cursor
            ),
        )

    def threads(
        self,
        q: str | None = None,
        *,
        archived: bool | None = None,
        saved: bool | None = None,
        page_size: int = 100,
    ) -> AsyncPages[HistoryThread]:
        """Questions with those that followed up on them, as one row each, newest first."""
        return AsyncPages(
            self._runner,
            lambda cursor: _calls.list_threads(
                q=q, archived=archived, saved=saved, limit=page_size, cursor=cursor
            ),
        )

    async def thread(self, entry: _calls.Entry) -> list[HistoryEntry]:
        """All questions of the talk that one belongs to, oldest first."""
        return await self._runner.call(_calls.history_thread(entry))

    async def today(self, time_zone: str | None = None) -> list[HistoryEntry]:
        """Today's questions, newest first; where it is today a time zone may say."""
        return await self._runner.call(_calls.todays_history(time_zone))

    async def get(self, entry: _calls.Entry) -> HistoryEntry:
        """One question with its answer."""
        return await self._runner.call(_calls.history_entry(entry))

    async def update(
        self,
        entry: _calls.Entry,
        *,
        saved: bool | None = None,
        archived: bool | None = None,
        whole_thread: bool | None = None,
    ) -> HistoryEntry:
        """Saves or archives a question, or takes that back.

        `whole_thread` does so with all of its talk, and with repeats of it.
        """
        return await self._runner.call(_calls.update_history(entry, saved, archived, whole_thread))

    async def audio(self, entry: _calls.Entry, to: str | os.PathLike[str]) -> Path:
        """Writes an answer, spoken, to a file."""
        path = destination(to, f"{_calls.entry_id(entry)}.mp3")
        return await save(await self._runner.call(_calls.history_audio(entry)), path, None)

    async def delete_all(self) -> None:
        """Deletes all questions and answers, and the links to them."""
        await self._runner.call(_calls.delete_history())
