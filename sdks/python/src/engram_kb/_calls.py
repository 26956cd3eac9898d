"""Every call that an API key opens, as data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, get_args
from urllib.parse import quote

import httpx2

from . import _check
from ._core import Call, Page, Repeat, as_nothing, as_response, as_text, in_envelope, in_page
from ._form import Form, Part, Progress
from .errors import ArgumentError
from .models import (
    Answer,
    File,
    FileLink,
    FileOrigin,
    FileSort,
    FileStatus,
    FileView,
    HistoryEntry,
    HistoryThread,
    Keyword,
    Profile,
    Segment,
    Transcript,
    UploadedFile,
    UploadReport,
    Word,
)

SOURCES: tuple[str, ...] = get_args(FileOrigin)
STATUSES: tuple[str, ...] = get_args(FileStatus)
SORTS: tuple[str, ...] = get_args(FileSort)
LARGEST_PAGE = 1000


Entry = HistoryEntry | HistoryThread | Answer | str


def id_of(file: File | str) -> str:
    """The id of a file, or of what is one already."""
    return _check.identifier(file.id if isinstance(file, File) else file)


def _query(**values: object) -> dict[str, str]:
    """Only what was given; a bool as the API writes it."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in values.items()
        if value is not None
    }


def ask(
    text: str,
    *,
    keywords: Iterable[str] = (),
    files: Iterable[File | str] = (),
    after: Answer | HistoryEntry | str | None = None,
    explain: bool = False,
    audio: bool = False,
    streams: bool = False,
) -> Call[Any]:
    """A question. It may be counted, so it is sent again only where it was not seen."""
    body: dict[str, Any] = {
        "text": _check.question(text),
        "keywords": _check.keywords(keywords, _check.QUESTION_KEYWORDS),
        "explain": explain,
        "audio": audio,
    }
    if chosen := _check.chosen([id_of(file) for file in files]):
        body["artifactIds"] = chosen
    if after is not None:
        body["after"] = _check.identifier(after if isinstance(after, str) else after.id)
    accept = "text/event-stream" if streams else "application/json"
    read = as_response if streams else in_envelope(Answer)
    return Call("POST", "/search", read, None, body, None, accept, Repeat.UNSEEN, streams)


def transcribe(part: Part) -> Call[Transcript]:
    """A spoken question."""
    repeat = Repeat.UNSEEN if part.again else Repeat.NEVER
    form = Form({}, [part])
    return Call("POST", "/search/transcribe", in_envelope(Transcript), form=form, repeat=repeat)


def _moment(given: datetime | date | None) -> str | None:
    """A day, or a moment in UTC; one without a zone is meant as it is here."""
    if isinstance(given, datetime):
        return given.astimezone(UTC).isoformat()
    return None if given is None else given.isoformat()


def list_files(
    *,
    q: str | None = None,
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
    limit: int = 100,
    cursor: str | None = None,
    offset: int | None = None,
) -> Call[Page[File]]:
    """A page of the files."""
    if status is not None and status not in STATUSES:
        raise ArgumentError(f"status is one of {', '.join(STATUSES)}.", code="status")
    if sort is not None and sort not in SORTS:
        raise ArgumentError(f"sort is one of {', '.join(SORTS)}.", code="sort")
    if source is not None and source not in SOURCES:
        raise ArgumentError(f"source is one of {', '.join(SOURCES)}.", code="source")
    query = _query(
        **{"in": "content" if in_content else None},
        kind=kind,
        source=source,
        since=_moment(since),
        until=_moment(until),
        limit=_check.at_most(limit, 1, LARGEST_PAGE, "page_size"),
        cursor=cursor,
        q=q,
        offset=offset,
        archived=archived,
        keyword=None if keyword is None else _check.keyword(keyword),
        folder=folder,
        status=status,
        sort=sort,
    )
    return Call("GET", "/artifacts", in_page(File), query)


def upload(
    parts: Sequence[Part],
    *,
    keywords: Iterable[str] = (),
    keywords_by_name: Mapping[str, Iterable[str]] | None = None,
    text: str = "",
    meta: Mapping[str, str] | None = None,
    device_id: str | None = None,
    on_progress: Progress | None = None,
) -> Call[UploadReport]:
    """Files, or a text. The same bytes are one file, so they may be sent again.

    `meta` is what is said of the first file beside its bytes.
    """
    words = _check.keywords(keywords, _check.FILE_KEYWORDS)
    by_name = {
        name: _check.keywords(some, _check.FILE_KEYWORDS)
        for name, some in (keywords_by_name or {}).items()
    }
    fields = {"keywords": json.dumps(words), "filesKeywords": json.dumps(by_name)}
    if text:
        fields["artifactText"] = text
    if meta:
        fields["meta"] = json.dumps([meta])
    if device_id is not None:
        fields["deviceId"] = device_id
    form = Form(fields, parts, on_progress=on_progress)
    repeat = Repeat.ALWAYS if form.again else Repeat.NEVER
    read = in_envelope(UploadReport)
    return Call("POST", "/artifacts/upload", read, form=form, repeat=repeat)


def get_file(file: File | str) -> Call[File]:
    """One file."""
    return Call("GET", f"/artifacts/{id_of(file)}", in_envelope(File))


def rename(file: File | str, name: str) -> Call[File]:
    """Give a file another name."""
    return Call("PUT", f"/artifacts/{id_of(file)}/name", in_envelope(File), body={"name": name})


def edit_note(file: File | str, text: str) -> Call[UploadedFile]:
    """Give a typed text another wording. A second try would find the old note gone."""
    path, body = f"/artifacts/{id_of(file)}/note", {"text": text}
    return Call("PUT", path, in_envelope(UploadedFile), body=body, repeat=Repeat.UNSEEN)


def search_ready() -> Call[bool]:
    """Whether no file is waiting or being read."""
    return Call("GET", "/artifacts/search_ready", in_envelope(bool))


def text(file: File | str) -> Call[str]:
    """The text of a file."""
    return Call("GET", f"/artifacts/{id_of(file)}/text", as_text, accept="text/plain")


def segments(file: File | str, start: int, end: int | None) -> Call[list[Segment]]:
    """Where the stretches of its text stand."""
    query = {"from": str(start)} | _query(to=end)
    return Call("GET", f"/artifacts/{id_of(file)}/segments", in_envelope(list[Segment]), query)


def view(file: File | str, start: int, end: int | None, path: str | None) -> Call[FileView]:
    """A file as HTML."""
    query = _query(**{"from": start, "to": end, "path": path})
    return Call("GET", f"/artifacts/{id_of(file)}/view", in_envelope(FileView), query)


def words(file: File | str, page: int, path: str | None) -> Call[list[Word]]:
    """Where recognised words stand."""
    query = _query(page=page, path=path)
    return Call("GET", f"/artifacts/{id_of(file)}/words", in_envelope(list[Word]), query)


def link(file: File | str) -> Call[FileLink]:
    """A link to the bytes."""
    return Call("GET", f"/artifacts/{id_of(file)}/link", in_envelope(FileLink))


def open_file(file: File) -> Call[httpx2.Response]:
    """The bytes, as an open response."""
    path = f"/artifacts/{id_of(file)}/{_check.identifier(file.user_id)}/{quote(file.name, safe='')}"
    return Call("POST", path, as_response, accept="*/*", streams=True)


def set_archived(file: File | str, archived: bool) -> Call[File]:
    """Archive a file, or bring it back."""
    return Call("POST", f"/artifacts/{id_of(file)}/{str(archived).lower()}", in_envelope(File))


def set_keywords(file: File | str, keywords: Iterable[str]) -> Call[File]:
    """Replace a file's keywords."""
    some = _check.keywords(keywords, _check.FILE_KEYWORDS)
    body = {"artifactId": id_of(file), "keywords": some}
    return Call("PUT", "/artifacts/keywords", in_envelope(File), body=body)


def retry(file: File | str) -> Call[File]:
    """Read a failed file again."""
    path = f"/artifacts/{id_of(file)}/retry"
    return Call("POST", path, in_envelope(File), repeat=Repeat.UNSEEN)


def delete(file: File | str) -> Call[None]:
    """Delete a file. A second try would find none, so there is one only where it was not seen."""
    return Call("DELETE", f"/artifacts/{id_of(file)}", as_nothing, repeat=Repeat.UNSEEN)


def delete_all() -> Call[None]:
    """Delete all files."""
    return Call("DELETE", "/artifacts/all", as_nothing)


def list_keywords(count_files: bool) -> Call[list[Keyword]]:
    """All keywords."""
    query = _query(files=True if count_files else None)
    return Call("GET", "/keywords", in_envelope(list[Keyword]), query)


def add_keyword(word: str) -> Call[Keyword]:
    """Add a keyword."""
    body = {"keyword": _check.keyword(word)}
    return Call("POST", "/keywords/add", in_envelope(Keyword), body=body, repeat=Repeat.UNSEEN)


def set_keyword_active(keyword: Keyword | str, active: bool) -> Call[Keyword]:
    """Archive a keyword, or bring it back."""
    keyword_id = _check.identifier(keyword if isinstance(keyword, str) else keyword.id)
    return Call("PUT", f"/keywords/{keyword_id}/{str(active).lower()}", in_envelope(Keyword))


def list_history(
    *,
    q: str | None = None,
    archived: bool | None = None,
    saved: bool | None = None,
    brief: bool | None = None,
    limit: int = 100,
    cursor: str | None = None,
) -> Call[Page[HistoryEntry]]:
    """A page of the history."""
    query = _query(
        limit=_check.at_most(limit, 1, LARGEST_PAGE, "page_size"),
        cursor=cursor,
        q=q,
        archived=archived,
        saved=saved,
        brief=brief,
    )
    return Call("GET", "/search/history/all", in_page(HistoryEntry), query)


def list_threads(
    *,
    q: str | None = None,
    archived: bool | None = None,
    saved: bool | None = None,
    limit: int = 100,
    cursor: str | None = None,
) -> Call[Page[HistoryThread]]:
    """A page of the talks."""
    query = _query(
        limit=_check.at_most(limit, 1, LARGEST_PAGE, "page_size"),
        cursor=cursor,
        q=q,
        archived=archived,
        saved=saved,
    )
    return Call("GET", "/search/history/threads", in_page(HistoryThread), query)


def history_thread(entry: Entry) -> Call[list[HistoryEntry]]:
    """All questions of one talk."""
    query = {"id": entry_id(entry)}
    return Call("GET", "/search/history/thread", in_envelope(list[HistoryEntry]), query)


def entry_id(entry: Entry) -> str:
    """The id of an entry of the history."""
    return _check.identifier(entry if isinstance(entry, str) else entry.id)


def todays_history(time_zone: str | None) -> Call[list[HistoryEntry]]:
    """Today's questions."""
    query = _query(timeZone=time_zone)
    return Call("GET", "/search/history/today", in_envelope(list[HistoryEntry]), query)


def history_entry(entry: Entry) -> Call[HistoryEntry]:
    """One question with its answer."""
    return Call("GET", "/search/history/1", in_envelope(HistoryEntry), {"id": entry_id(entry)})


def update_history(
    entry: Entry, saved: bool | None, archived: bool | None, whole_thread: bool | None = None
) -> Call[HistoryEntry]:
    """Save or archive a question."""
    changes = {"isBookmark": saved, "isArchived": archived, "wholeThread": whole_thread}
    body = {"historyId": entry_id(entry)} | {k: v for k, v in changes.items() if v is not None}
    return Call("POST", "/search/history/update", in_envelope(HistoryEntry), body=body)


def delete_history() -> Call[None]:
    """Delete all questions and answers."""
    return Call("DELETE", "/search/history/delete", as_nothing)


def history_audio(entry: Entry) -> Call[httpx2.Response]:
    """An answer, spoken, as an open response."""
    path = f"/search/history/{entry_id(entry)}/audio"
    return Call("GET", path, as_response, accept="*/*", streams=True)


def suggestions() -> Call[list[str]]:
    """What a question may be completed to."""
    return Call("GET", "/suggestions", in_envelope(list[str]))


def recommendations() -> Call[list[str]]:
    """Questions that the files answer."""
    return Call("GET", "/questions/recommendations", in_envelope(list[str]))


def profile() -> Call[Profile]:
    """The person."""
    return Call("GET", "/user/profile", in_envelope(Profile))
