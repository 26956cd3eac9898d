"""The calls and models of the API. Written by `npm run generate` from openapi.json."""

# ruff: noqa: E501
from __future__ import annotations

import builtins
from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal

import httpx2
from pydantic import Field

from ._async_pages import AsyncPages
from ._async_run import AsyncRunner
from ._core import Repeat
from ._model import AnswerText, FileState, LocationText, Model
from ._pages import Pages
from ._run import SyncRunner
from ._spec import Ref, Spec, call_of

__all__ = ["Answer", "AnswerMode", "CheckedFile", "ChosenFile", "Citation", "ContentState", "Delta", "Device", "DeviceReport", "ExplainedPassage", "ExplainedStage", "Explanation", "File", "FileChanges", "FileKind", "FileLink", "FileOrigin", "FileSort", "FileStatus", "FileView", "FolderReport", "FolderState", "FoundSection", "HistoryEntry", "HistoryThread", "Keyword", "Location", "NewerFile", "OpenedFiles", "Passage", "Profile", "ReadingStage", "RefusedChange", "RefusedFile", "RejectedFile", "RelatedFile", "Segment", "SegmentKind", "Sources", "Step", "Transcript", "UploadResult", "UploadedFile", "Word", "ZipLink"]

class Profile(Model):
    """The user whose files these are."""

    id: str
    email: str
    name: str | None
    alt_email: str | None
    phone: str | None
    role: Literal["USER", "ADMIN"] | str
    country: str | None
    profile_image: str | None
    ip: str | None
    device: str | None
    location: str | None
    created_at: datetime = Field(alias="createdDate")
    agreed_terms: bool = Field(alias="isAgreedTerms")
    device_time_zone: bool

FolderState = Literal["current", "syncing", "paused", "missing", "waiting"]
"""The sync state of a folder."""

class FolderReport(Model):
    """The sync progress of a folder."""

    name: str
    state: FolderState | str
    files: int
    waiting: int
    refused: int

class RefusedFile(Model):
    """A rejected file of a folder, with the reason."""

    path: str
    reason: str

class DeviceReport(Model):
    """The sync progress of a device."""

    folders: list[FolderReport]
    refused: list[RefusedFile] = Field(default_factory=list[RefusedFile])
    current_at: datetime | None = Field(default=None)

class Device(Model):
    """A device that syncs folders."""

    id: str
    name: str
    platform: str
    version: str
    created_at: datetime
    last_seen_at: datetime
    report: DeviceReport | None
    paused: bool
    sync_asked_at: datetime | None

FileStatus = Literal["PENDING", "PROCESSING", "FAILED", "SUCCESS"]
"""The processing status of a file. SUCCESS means that it is searchable."""

ReadingStage = Literal["stored", "reading", "indexing", "ready", "failed"]
"""The processing stage of a file."""

FileOrigin = Literal["Web", "Text", "API", "Connector", "Share", "Mail"]
"""The source of a file."""

class File(FileState):
    """A file, or a note that was typed."""

    id: str = Field(alias="artifactId")
    group_id: str = Field(alias="artifactGroupId")
    media_type: str = Field(alias="artifactFileType")
    name: str = Field(alias="artifactFileName")
    size: int = Field(alias="artifactFileSize")
    storage_key: str = Field(alias="artifactFilePathS3")
    archived: bool = Field(alias="artifactArchived")
    created_at: datetime = Field(alias="artifactCreatedDate")
    updated_at: datetime = Field(alias="artifactUpdatedDate")
    created_by: str = Field(alias="artifactCreatedBy")
    updated_by: str = Field(alias="artifactUpdatedBy")
    device: str | None = Field(alias="deviceUsed")
    status: FileStatus | str = Field(alias="uploadStatus")
    status_reason: str | None
    progress: int
    stage: ReadingStage | str
    duration_ms: int | None
    needs_password: bool
    thumbnail_url: str | None
    keywords: list[str]
    user_id: str
    searchable: bool = Field(alias="isVectorReady")
    text_preview: str | None = Field(alias="artifactText")
    source: FileOrigin | str
    path: str | None
    web_address: str | None
    modified_at: datetime | None
    matched_line: str | None = Field(default=None)

class RefusedChange(Model):
    """Files that were not changed, and why."""

    code: str
    message: str
    ids: list[str]

class FileChanges(Model):
    """The results of changes to several files."""

    done: list[str]
    refused: list[RefusedChange]

FileKind = Literal["pdf", "document", "spreadsheet", "slides", "book", "mail", "calendar", "contact", "image", "audio", "video", "archive", "web", "text"]
"""The kind of a file."""

FileSort = Literal["created", "-created", "name", "-name", "size", "-size"]
"""The order of a list of files. A minus reverses it."""

class UploadedFile(Model):
    """A file that the server stored."""

    id: str = Field(alias="artifactId")
    name: str = Field(alias="fileName")
    duplicate: bool

class RejectedFile(Model):
    """A rejected file, with the reason."""

    name: str = Field(alias="fileName")
    message: str
    code: str

class UploadResult(Model):
    """The results of an upload."""

    group_id: str = Field(alias="artifactGroupId")
    uploaded: list[UploadedFile] = Field(alias="artifacts")
    rejected: list[RejectedFile]

class OpenedFiles(Model):
    """The files that a password opens."""

    opened: list[str]

class Location(LocationText):
    """Where in its file a quote is. All numbers count from 1."""

    path: str | None = Field(default=None)
    page: int | None = Field(default=None)
    slide: int | None = Field(default=None)
    sheet: str | None = Field(default=None)
    row: int | None = Field(default=None)
    start_ms: int | None = Field(default=None)
    end_ms: int | None = Field(default=None)
    line: int | None = Field(default=None)

SegmentKind = Literal["prose", "heading", "list", "table", "code", "definition"]
"""The kind of a part of a text."""

class Segment(Model):
    """A part of the text of a file and its location."""

    start: int
    end: int
    location: Location
    kind: SegmentKind | str
    headings: list[str]

class FileView(Model):
    """A file rendered as sanitized HTML."""

    html: str
    complete: bool

class Word(Model):
    """A recognized word, with its box in fractions of the page."""

    start: int
    end: int
    left: float
    top: float
    width: float
    height: float

class FileLink(Model):
    """A link to the bytes of a file that works without a key for a few minutes."""

    url: str = Field(alias="presignedUrl")
    expires_at: datetime
    file_name: str
    media_type: str = Field(alias="fileType")
    size: int
    thumbnail_url: str | None

class ZipLink(Model):
    """A link to several files as one zip."""

    url: str
    expires_at: datetime
    files: int
    bytes: int

ContentState = Literal["known", "new", "deleted", "refused"]
"""Whether Engram has the bytes of a file."""

class CheckedFile(Model):
    """The result of checking a file."""

    sha256: str
    state: ContentState | str
    file_id: str | None = Field(alias="artifactId")
    reason: str | None

class Keyword(Model):
    """A keyword that groups files."""

    id: str
    keyword: str
    active: bool = Field(alias="isActive")
    default: bool = Field(alias="isDefault")
    created_at: datetime = Field(alias="createdDate")
    files: int | None

class Passage(Model):
    """A passage of a file that was found for a question."""

    file_id: str = Field(alias="artifactId")
    file_name: str
    path: str | None
    location: Location
    quote: str
    start: int
    end: int
    text: str
    score: float

class RelatedFile(Model):
    """A file that is related to a question."""

    file_id: str = Field(alias="artifactId")
    group_id: str = Field(alias="artifactGroupId")
    archived: bool = Field(alias="artifactArchived")
    text_preview: str | None = Field(alias="artifact_text")
    created_by: str
    created_at: datetime = Field(alias="createdDate")
    file_name: str
    path: str | None
    storage_key: str = Field(alias="filePathS3")
    media_type: str = Field(alias="fileType")
    url: str = Field(alias="presignedUrl")
    score: float
    size: int
    status: str
    user_id: str

class Citation(Model):
    """A quote from a file that supports a sentence of an answer."""

    n: int
    file_id: str = Field(alias="artifactId")
    file_name: str
    path: str | None
    location: Location
    quote: str
    start: int
    end: int

AnswerMode = Literal["found", "written"]
"""Whether an answer quotes files, or a model wrote it."""

class NewerFile(Model):
    """A document that amends or replaces a file."""

    file_id: str = Field(alias="artifactId")
    file_name: str

class FoundSection(Model):
    """A section of a file that was found for a question."""

    n: int
    file_id: str = Field(alias="artifactId")
    file_name: str
    path: str | None
    location: Location
    start: int
    end: int
    text: str
    highlights: list[tuple[int, int]]
    score: float
    newer: NewerFile | None

class ExplainedPassage(Model):
    """A passage that was considered."""

    file_id: str = Field(alias="artifactId")
    start: int
    end: int
    scores: dict[str, float]

class ExplainedStage(Model):
    """A step of a search, and how long it took."""

    name: str
    ms: float

class Explanation(Model):
    """How an answer was found."""

    passages: list[ExplainedPassage]
    terms: list[str]
    stages: list[ExplainedStage]

class Answer(AnswerText):
    """The answer to a question, with the passages that support it."""

    question: str = Field(alias="text")
    answers: list[str]
    created_at: datetime = Field(alias="date")
    recommendations: list[str]
    id: str = Field(alias="history_id")
    audio: str | None = Field(alias="audio_file")
    related_files: list[RelatedFile] = Field(alias="similar_vectors")
    citations: list[Citation]
    grounded: bool
    nearest: list[Citation]
    mode: AnswerMode | str
    found: list[FoundSection]
    unverified: list[str]
    notice: str | None
    written_by: str | None
    explain: Explanation | None = Field(default=None)

class Sources(Model):
    """The found sections, sent before the answer."""

    id: str = Field(alias="history_id")
    citations: list[Citation]
    found: list[FoundSection]
    related_files: list[RelatedFile] = Field(alias="similar_vectors")

class Step(Model):
    """The current search of the model."""

    text: str

class Delta(Model):
    """The next part of the answer's text."""

    text: str

class Transcript(Model):
    """The text of a recording."""

    text: str

class ChosenFile(Model):
    """A file that a question was limited to."""

    artifact_id: str
    file_name: str

class HistoryEntry(AnswerText):
    """A question that was asked, and its answer."""

    id: str
    question: str = Field(alias="searchText")
    created_at: datetime = Field(alias="date")
    latitude: float | None
    longitude: float | None
    ip: str | None
    device: str | None
    user_id: str
    answers: list[str]
    audio: str | None = Field(alias="audioFile")
    recommendations: list[str]
    related_files: list[RelatedFile] = Field(alias="similarVectors")
    citations: list[Citation]
    grounded: bool
    nearest: list[Citation]
    mode: AnswerMode | str
    found: list[FoundSection]
    unverified: list[str]
    notice: str | None
    after: str | None = Field(alias="follows")
    thread: str
    written_by: str | None
    keywords: list[str]
    files: list[ChosenFile] = Field(alias="chosenFiles")
    saved: bool = Field(alias="isBookmark")
    archived: bool = Field(alias="isArchived")

class HistoryThread(Model):
    """A question with its follow-ups, as one row of a list."""

    id: str
    thread: str
    question: str = Field(alias="searchText")
    created_at: datetime = Field(alias="date")
    turns: int
    times: int
    found: str | None
    saved: bool = Field(alias="isBookmark")
    archived: bool = Field(alias="isArchived")

GET_PROFILE: Spec[Profile] = Spec("GET", "/user/profile", fields={}, shape=Profile)
END_DEVICE: Spec[None] = Spec("DELETE", "/devices/{id}", fields={"id": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=None, repeat=Repeat.UNPROCESSED)
LIST_DEVICES: Spec[list[Device]] = Spec("GET", "/devices", fields={}, shape=list[Device])
REPORT_DEVICE: Spec[Device] = Spec("POST", "/devices", fields={"id": {"place": "body", "schema": {"type": "string", "format": "uuid"}}, "name": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 200}}, "platform": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 200}}, "version": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 200}}, "report": {"place": "body", "schema": {"type": "object", "properties": {"folders": {"maxItems": 50, "type": "array", "items": {"type": "object", "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 200}, "state": {"type": "string", "enum": ["current", "syncing", "paused", "missing", "waiting"]}, "files": {"type": "integer", "minimum": 0, "maximum": 9007199254740991}, "waiting": {"type": "integer", "minimum": 0, "maximum": 9007199254740991}, "refused": {"type": "integer", "minimum": 0, "maximum": 9007199254740991}}, "required": ["name", "state", "files", "waiting", "refused"]}}, "refused": {"maxItems": 100, "type": "array", "items": {"type": "object", "properties": {"path": {"type": "string", "minLength": 1, "maxLength": 4000}, "reason": {"type": "string", "minLength": 1, "maxLength": 500}}, "required": ["path", "reason"]}}, "currentAt": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "null"}]}}, "required": ["folders"]}}}, shape=Device, repeat=Repeat.UNPROCESSED)
DELETE_ALL_ARTIFACTS: Spec[None] = Spec("DELETE", "/artifacts/all", fields={}, shape=None)
DELETE_ARTIFACT: Spec[None] = Spec("DELETE", "/artifacts/{artifactId}", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=None, repeat=Repeat.UNPROCESSED)
GET_ARTIFACT: Spec[File] = Spec("GET", "/artifacts/{artifactId}", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=File)
DELETE_ARTIFACTS: Spec[list[str]] = Spec("DELETE", "/artifacts/bulk", fields={"ids": {"place": "whole", "required": True, "schema": {"minItems": 1, "maxItems": 10000, "type": "array", "items": {"type": "string", "format": "uuid"}}}}, shape=list[str], repeat=Repeat.UNPROCESSED)
CHANGE_ARTIFACTS: Spec[FileChanges] = Spec("POST", "/artifacts/bulk", fields={"ids": {"place": "body", "schema": {"minItems": 1, "maxItems": 1000, "type": "array", "items": {"type": "string", "format": "uuid"}}}, "filter": {"place": "body", "schema": {"type": "object", "properties": {"q": {"type": "string", "maxLength": 300}, "in": {"type": "string", "enum": ["names", "content"]}, "keyword": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}, "folder": {"format": "folder-path", "type": "string", "minLength": 1, "maxLength": 4000}, "status": {"type": "string", "enum": ["PENDING", "PROCESSING", "FAILED", "SUCCESS"]}, "state": {"type": "string", "enum": ["ready", "reading", "failed"]}, "kind": {"type": "string", "enum": ["pdf", "document", "spreadsheet", "slides", "book", "mail", "calendar", "contact", "image", "audio", "video", "archive", "web", "text"]}, "source": {"type": "string", "enum": ["Web", "Text", "API", "Connector", "Share", "Mail"]}, "since": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "string", "format": "date"}]}, "until": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "string", "format": "date"}]}, "archived": {"type": "boolean"}}, "required": []}}, "except": {"place": "body", "schema": {"maxItems": 1000, "type": "array", "items": {"type": "string", "format": "uuid"}}}, "verb": {"place": "body", "required": True, "schema": {"type": "string", "enum": ["tag", "untag", "archive", "unarchive", "retry", "delete"]}}, "keywords": {"place": "body", "schema": {"minItems": 1, "maxItems": 50, "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}}}, shape=FileChanges, repeat=Repeat.UNPROCESSED)
GET_ARTIFACT_TEXT: Spec[str] = Spec("GET", "/artifacts/{artifactId}/text", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, kind="text")
LIST_ARTIFACTS: Spec[File] = Spec("GET", "/artifacts", fields={"pageSize": {"place": "query", "wire": "limit", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}}, "cursor": {"place": "query", "schema": {"type": "string", "maxLength": 500}}, "q": {"place": "query", "schema": {"type": "string", "maxLength": 300}}, "offset": {"place": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 2147483647}}, "in": {"place": "query", "schema": {"type": "string", "enum": ["names", "content"]}}, "keyword": {"place": "query", "schema": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}, "folder": {"place": "query", "schema": {"format": "folder-path", "type": "string", "minLength": 1, "maxLength": 4000}}, "status": {"place": "query", "schema": {"type": "string", "enum": ["PENDING", "PROCESSING", "FAILED", "SUCCESS"]}}, "state": {"place": "query", "schema": {"type": "string", "enum": ["ready", "reading", "failed"]}}, "kind": {"place": "query", "schema": {"type": "string", "enum": ["pdf", "document", "spreadsheet", "slides", "book", "mail", "calendar", "contact", "image", "audio", "video", "archive", "web", "text"]}}, "source": {"place": "query", "schema": {"type": "string", "enum": ["Web", "Text", "API", "Connector", "Share", "Mail"]}}, "since": {"place": "query", "schema": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "string", "format": "date"}]}}, "until": {"place": "query", "schema": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "string", "format": "date"}]}}, "webAddress": {"place": "query", "schema": {"type": "string", "maxLength": 2000}}, "archived": {"place": "query", "schema": {"type": "string", "enum": ["true", "false"]}}, "sort": {"place": "query", "schema": {"type": "string", "enum": ["created", "-created", "name", "-name", "size", "-size"]}}}, shape=File)
OPEN_ARTIFACT: Spec[httpx2.Response] = Spec("POST", "/artifacts/{artifactId}/{userId}/{fileName}", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "userId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "fileName": {"place": "path", "required": True, "schema": {"type": "string", "maxLength": 1000}}}, kind="file")
RENAME_ARTIFACT: Spec[File] = Spec("PUT", "/artifacts/{artifactId}/name", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "name": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 255}}}, shape=File)
RETRY_ARTIFACT: Spec[File] = Spec("POST", "/artifacts/{artifactId}/retry", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=File, repeat=Repeat.UNPROCESSED)
SAVE_WEB_CONTENT: Spec[UploadedFile] = Spec("POST", "/artifacts/from-browser", fields={}, shape=UploadedFile)
SAVE_WEB_PAGE: Spec[UploadedFile] = Spec("POST", "/artifacts/from-url", fields={"url": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 2000}}, "keywords": {"place": "body", "schema": {"maxItems": 50, "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}}}, shape=UploadedFile)
SEARCH_READY: Spec[bool] = Spec("GET", "/artifacts/search_ready", fields={}, shape=bool)
SET_ARTIFACT_ARCHIVED: Spec[File] = Spec("POST", "/artifacts/{artifactId}/{archived}", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "archived": {"place": "path", "required": True, "schema": {"type": "string", "enum": ["true", "false"]}}}, shape=File)
SET_ARTIFACT_KEYWORDS: Spec[File] = Spec("PUT", "/artifacts/keywords", fields={"artifactId": {"place": "body", "required": True, "schema": {"type": "string", "format": "uuid"}}, "keywords": {"place": "body", "required": True, "schema": {"maxItems": 50, "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}}}, shape=File)
UPLOAD_ARTIFACTS: Spec[UploadResult] = Spec("POST", "/artifacts/upload", fields={}, shape=UploadResult)
UNLOCK_ARTIFACT: Spec[OpenedFiles] = Spec("POST", "/artifacts/{artifactId}/password", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "password": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 255}}, "remember": {"place": "body", "schema": {"type": "boolean"}}}, shape=OpenedFiles, repeat=Repeat.UNPROCESSED)
EDIT_NOTE: Spec[UploadedFile] = Spec("PUT", "/artifacts/{artifactId}/note", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "text": {"place": "body", "required": True, "schema": {"type": "string", "maxLength": 100000}}}, shape=UploadedFile, repeat=Repeat.UNPROCESSED)
GET_ARTIFACT_SEGMENTS: Spec[list[Segment]] = Spec("GET", "/artifacts/{artifactId}/segments", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "start": {"place": "query", "wire": "from", "schema": {"type": "integer", "minimum": 0, "maximum": 2147483647}}, "end": {"place": "query", "wire": "to", "schema": {"type": "integer", "minimum": 0, "maximum": 2147483647}}}, shape=list[Segment])
GET_ARTIFACT_VIEW: Spec[FileView] = Spec("GET", "/artifacts/{artifactId}/view", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "start": {"place": "query", "wire": "from", "schema": {"type": "integer", "minimum": 0, "maximum": 2147483647}}, "end": {"place": "query", "wire": "to", "schema": {"type": "integer", "minimum": 0, "maximum": 2147483647}}, "path": {"place": "query", "schema": {"type": "string", "maxLength": 4000}}}, shape=FileView)
GET_ARTIFACT_WORDS: Spec[list[Word]] = Spec("GET", "/artifacts/{artifactId}/words", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "page": {"place": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 2147483647}}, "path": {"place": "query", "schema": {"type": "string", "maxLength": 4000}}}, shape=list[Word])
SIGN_ARTIFACT: Spec[FileLink] = Spec("GET", "/artifacts/{artifactId}/link", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=FileLink)
ZIP_ARTIFACTS: Spec[ZipLink] = Spec("POST", "/artifacts/zip", fields={"ids": {"place": "body", "schema": {"minItems": 1, "maxItems": 1000, "type": "array", "items": {"type": "string", "format": "uuid"}}}, "filter": {"place": "body", "schema": {"type": "object", "properties": {"q": {"type": "string", "maxLength": 300}, "in": {"type": "string", "enum": ["names", "content"]}, "keyword": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}, "folder": {"format": "folder-path", "type": "string", "minLength": 1, "maxLength": 4000}, "status": {"type": "string", "enum": ["PENDING", "PROCESSING", "FAILED", "SUCCESS"]}, "state": {"type": "string", "enum": ["ready", "reading", "failed"]}, "kind": {"type": "string", "enum": ["pdf", "document", "spreadsheet", "slides", "book", "mail", "calendar", "contact", "image", "audio", "video", "archive", "web", "text"]}, "source": {"type": "string", "enum": ["Web", "Text", "API", "Connector", "Share", "Mail"]}, "since": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "string", "format": "date"}]}, "until": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "string", "format": "date"}]}, "archived": {"type": "boolean"}}, "required": []}}, "except": {"place": "body", "schema": {"maxItems": 1000, "type": "array", "items": {"type": "string", "format": "uuid"}}}}, shape=ZipLink)
CHECK_ARTIFACTS: Spec[list[CheckedFile]] = Spec("POST", "/artifacts/check", fields={"files": {"place": "body", "required": True, "schema": {"minItems": 1, "maxItems": 1000, "type": "array", "items": {"type": "object", "properties": {"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "size": {"type": "integer", "minimum": 0, "maximum": 9007199254740991}, "path": {"format": "folder-path", "type": "string", "minLength": 1, "maxLength": 4000}}, "required": ["sha256", "size", "path"]}}}}, shape=list[CheckedFile])
PLACE_ARTIFACT: Spec[None] = Spec("PUT", "/artifacts/{artifactId}/place", fields={"artifactId": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "path": {"place": "body", "required": True, "schema": {"format": "folder-path", "type": "string", "minLength": 1, "maxLength": 4000}}, "modifiedAt": {"place": "body", "schema": {"anyOf": [{"type": "string", "maxLength": 40, "format": "date-time"}, {"type": "null"}]}}, "replaces": {"place": "body", "schema": {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]}}, "deviceId": {"place": "body", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=None)
ADD_KEYWORD_BY_BODY: Spec[Keyword] = Spec("POST", "/keywords/add", fields={"keyword": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}}, shape=Keyword, repeat=Repeat.UNPROCESSED)
LIST_KEYWORDS: Spec[list[Keyword]] = Spec("GET", "/keywords", fields={"countFiles": {"place": "query", "wire": "files", "schema": {"type": "string", "enum": ["true", "false"]}}}, shape=list[Keyword])
SET_KEYWORD_ACTIVE: Spec[Keyword] = Spec("PUT", "/keywords/{id}/{isActive}", fields={"id": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}, "isActive": {"place": "path", "required": True, "schema": {"type": "string", "enum": ["true", "false"]}}}, shape=Keyword)
FIND_PASSAGES: Spec[list[Passage]] = Spec("POST", "/search/passages", fields={"text": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 300}}, "keywords": {"place": "body", "schema": {"maxItems": 100, "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}}}, shape=list[Passage], repeat=Repeat.UNPROCESSED)
SEARCH: Spec[Answer] = Spec("POST", "/search", fields={"text": {"place": "body", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 300}}, "location": {"place": "body", "schema": {"anyOf": [{"type": "object", "properties": {"latitude": {"type": "number", "minimum": -90, "maximum": 90}, "longitude": {"type": "number", "minimum": -180, "maximum": 180}}, "required": ["latitude", "longitude"]}, {"type": "null"}]}}, "ipAddress": {"place": "body", "schema": {"anyOf": [{"type": "string", "maxLength": 100}, {"type": "null"}]}}, "device": {"place": "body", "schema": {"anyOf": [{"type": "string", "maxLength": 100}, {"type": "null"}]}}, "keywords": {"place": "body", "schema": {"maxItems": 100, "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 25, "pattern": "^[\\p{L}\\p{M}\\p{N}]+$"}}}, "files": {"place": "body", "wire": "artifactIds", "schema": {"maxItems": 100, "type": "array", "items": {"type": "string", "format": "uuid"}}}, "audio": {"place": "body", "schema": {"type": "boolean"}}, "explain": {"place": "body", "schema": {"type": "boolean"}}, "after": {"place": "body", "schema": {"type": "string", "format": "uuid"}}}, shape=Answer, repeat=Repeat.UNPROCESSED)
TRANSCRIBE: Spec[Transcript] = Spec("POST", "/search/transcribe", fields={}, shape=Transcript, repeat=Repeat.UNPROCESSED)
RECOMMENDED_QUESTIONS: Spec[list[str]] = Spec("GET", "/questions/recommendations", fields={}, shape=list[str])
SUGGESTIONS: Spec[list[str]] = Spec("GET", "/suggestions", fields={}, shape=list[str])
DELETE_HISTORY: Spec[None] = Spec("DELETE", "/search/history/delete", fields={}, shape=None)
GET_HISTORY_ENTRY: Spec[HistoryEntry] = Spec("GET", "/search/history/1", fields={"id": {"place": "query", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=HistoryEntry)
HISTORY_AUDIO: Spec[httpx2.Response] = Spec("GET", "/search/history/{id}/audio", fields={"id": {"place": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}}, kind="file")
HISTORY_THREAD: Spec[list[HistoryEntry]] = Spec("GET", "/search/history/thread", fields={"id": {"place": "query", "required": True, "schema": {"type": "string", "format": "uuid"}}}, shape=list[HistoryEntry])
LIST_HISTORY: Spec[HistoryEntry] = Spec("GET", "/search/history/all", fields={"pageSize": {"place": "query", "wire": "limit", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}}, "cursor": {"place": "query", "schema": {"type": "string", "maxLength": 500}}, "q": {"place": "query", "schema": {"type": "string", "maxLength": 300}}, "archived": {"place": "query", "schema": {"type": "string", "enum": ["true", "false"]}}, "saved": {"place": "query", "schema": {"type": "string", "enum": ["true", "false"]}}, "brief": {"place": "query", "schema": {"type": "string", "enum": ["true", "false"]}}}, shape=HistoryEntry)
LIST_THREADS: Spec[HistoryThread] = Spec("GET", "/search/history/threads", fields={"pageSize": {"place": "query", "wire": "limit", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}}, "cursor": {"place": "query", "schema": {"type": "string", "maxLength": 500}}, "q": {"place": "query", "schema": {"type": "string", "maxLength": 300}}, "archived": {"place": "query", "schema": {"type": "string", "enum": ["true", "false"]}}, "saved": {"place": "query", "schema": {"type": "string", "enum": ["true", "false"]}}}, shape=HistoryThread)
TODAYS_HISTORY: Spec[list[HistoryEntry]] = Spec("GET", "/search/history/today", fields={"timeZone": {"place": "query", "schema": {"type": "string", "maxLength": 100}}}, shape=list[HistoryEntry])
UPDATE_HISTORY: Spec[HistoryEntry] = Spec("POST", "/search/history/update", fields={"historyId": {"place": "body", "required": True, "schema": {"type": "string", "format": "uuid"}}, "saved": {"place": "body", "wire": "isBookmark", "schema": {"type": "boolean"}}, "archived": {"place": "body", "wire": "isArchived", "schema": {"type": "boolean"}}, "wholeThread": {"place": "body", "schema": {"type": "boolean"}}}, shape=HistoryEntry)

class Calls:
    """The plain calls of `engram`."""

    def __init__(self, runner: SyncRunner) -> None:
        self._runner = runner

    def profile(self) -> Profile:
        """The signed-in user."""
        return self._runner.call(call_of(GET_PROFILE, {}))

    def passages(
        self,
        text: str,
        *,
        keywords: Iterable[str] | None = None,
    ) -> builtins.list[Passage]:
        """Find the passages for a question, without an answer and without the history."""
        return self._runner.call(call_of(FIND_PASSAGES, {"text": text, "keywords": keywords}))

    def ask(
        self,
        text: str,
        *,
        keywords: Iterable[str] | None = None,
        files: Iterable[Ref] | None = None,
        after: Ref | None = None,
        explain: bool | None = None,
        audio: bool = False,
    ) -> Answer:
        """Ask a question."""
        return self._runner.call(call_of(SEARCH, {"text": text, "keywords": keywords, "files": files, "after": after, "explain": explain, "audio": audio}))

    def recommendations(self) -> builtins.list[str]:
        """Questions that the user's files answer."""
        return self._runner.call(call_of(RECOMMENDED_QUESTIONS, {}))

    def suggestions(self) -> builtins.list[str]:
        """Completions of a question: earlier questions, keywords, files and their phrases."""
        return self._runner.call(call_of(SUGGESTIONS, {}))

class DevicesCalls:
    """The plain calls of `engram.devices`."""

    def __init__(self, runner: SyncRunner) -> None:
        self._runner = runner

    def end(self, id: Ref) -> None:
        """Remove a device. Its tokens are revoked, and its files stay."""
        return self._runner.call(call_of(END_DEVICE, {"id": id}))

    def list(self) -> builtins.list[Device]:
        """Devices that sync folders, newest first."""
        return self._runner.call(call_of(LIST_DEVICES, {}))

class FilesCalls:
    """The plain calls of `engram.files`."""

    def __init__(self, runner: SyncRunner) -> None:
        self._runner = runner

    def delete_all(self) -> None:
        """Delete all files."""
        return self._runner.call(call_of(DELETE_ALL_ARTIFACTS, {}))

    def delete(self, artifact_id: Ref) -> None:
        """Delete a file and everything derived from it."""
        return self._runner.call(call_of(DELETE_ARTIFACT, {"artifactId": artifact_id}))

    def get(self, artifact_id: Ref) -> File:
        """One file."""
        return self._runner.call(call_of(GET_ARTIFACT, {"artifactId": artifact_id}))

    def delete_many(self, ids: Iterable[Ref]) -> builtins.list[str]:
        """Delete several files. Missing ones are ignored."""
        return self._runner.call(call_of(DELETE_ARTIFACTS, {"ids": ids}))

    def tag_many(self, ids: Iterable[Ref], keywords: Iterable[str]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "keywords": keywords, "verb": "tag"}))

    def untag_many(self, ids: Iterable[Ref], keywords: Iterable[str]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "keywords": keywords, "verb": "untag"}))

    def archive_many(self, ids: Iterable[Ref]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "verb": "archive"}))

    def unarchive_many(self, ids: Iterable[Ref]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "verb": "unarchive"}))

    def retry_many(self, ids: Iterable[Ref]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "verb": "retry"}))

    def text(self, artifact_id: Ref) -> str:
        """The file's extracted text."""
        return self._runner.call(call_of(GET_ARTIFACT_TEXT, {"artifactId": artifact_id}))

    def list(
        self,
        q: str | None = None,
        *,
        page_size: int = 100,
        offset: int | None = None,
        in_: Literal["names", "content"] | None = None,
        keyword: str | None = None,
        folder: str | None = None,
        status: FileStatus | None = None,
        state: Literal["ready", "reading", "failed"] | None = None,
        kind: FileKind | None = None,
        source: FileOrigin | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        web_address: str | None = None,
        archived: bool | None = None,
        sort: FileSort | None = None,
    ) -> Pages[File]:
        """The files, newest first."""
        return Pages(self._runner, LIST_ARTIFACTS, {"q": q, "pageSize": page_size, "offset": offset, "in": in_, "keyword": keyword, "folder": folder, "status": status, "state": state, "kind": kind, "source": source, "since": since, "until": until, "webAddress": web_address, "archived": archived, "sort": sort})

    def rename(self, artifact_id: Ref, name: str) -> File:
        """Rename a file. Its extension stays."""
        return self._runner.call(call_of(RENAME_ARTIFACT, {"artifactId": artifact_id, "name": name}))

    def retry(self, artifact_id: Ref) -> File:
        """Retry a failed file."""
        return self._runner.call(call_of(RETRY_ARTIFACT, {"artifactId": artifact_id}))

    def save_web_page(self, url: str, *, keywords: Iterable[str] | None = None) -> UploadedFile:
        """Save a web page, a YouTube video with its captions, or a file of the web, by its address."""
        return self._runner.call(call_of(SAVE_WEB_PAGE, {"url": url, "keywords": keywords}))

    def all_ready(self) -> bool:
        """Whether all files are searchable."""
        return self._runner.call(call_of(SEARCH_READY, {}))

    def archive(self, artifact_id: Ref) -> File:
        """Archive (true) or restore (false) a file."""
        return self._runner.call(call_of(SET_ARTIFACT_ARCHIVED, {"artifactId": artifact_id, "archived": "true"}))

    def unarchive(self, artifact_id: Ref) -> File:
        """Archive (true) or restore (false) a file."""
        return self._runner.call(call_of(SET_ARTIFACT_ARCHIVED, {"artifactId": artifact_id, "archived": "false"}))

    def set_keywords(self, artifact_id: Ref, keywords: Iterable[str]) -> File:
        """Replace a file's keywords."""
        return self._runner.call(call_of(SET_ARTIFACT_KEYWORDS, {"artifactId": artifact_id, "keywords": keywords}))

    def unlock(
        self,
        artifact_id: Ref,
        password: str,
        *,
        remember: bool | None = None,
    ) -> OpenedFiles:
        """Read a file with its password, and all others of the user that it opens."""
        return self._runner.call(call_of(UNLOCK_ARTIFACT, {"artifactId": artifact_id, "password": password, "remember": remember}))

    def edit_note(self, artifact_id: Ref, text: str) -> UploadedFile:
        """Edit a note. The old version is searched until the new one is ready."""
        return self._runner.call(call_of(EDIT_NOTE, {"artifactId": artifact_id, "text": text}))

    def segments(
        self,
        artifact_id: Ref,
        *,
        start: int | None = None,
        end: int | None = None,
    ) -> builtins.list[Segment]:
        """The source locations of the extracted text."""
        return self._runner.call(call_of(GET_ARTIFACT_SEGMENTS, {"artifactId": artifact_id, "start": start, "end": end}))

    def view(
        self,
        artifact_id: Ref,
        *,
        start: int | None = None,
        end: int | None = None,
        path: str | None = None,
    ) -> FileView:
        """A file rendered as HTML: headings, lists, tables, links and pictures."""
        return self._runner.call(call_of(GET_ARTIFACT_VIEW, {"artifactId": artifact_id, "start": start, "end": end, "path": path}))

    def words(
        self,
        artifact_id: Ref,
        *,
        page: int | None = None,
        path: str | None = None,
    ) -> builtins.list[Word]:
        """The positions of recognized words on scanned pages and pictures."""
        return self._runner.call(call_of(GET_ARTIFACT_WORDS, {"artifactId": artifact_id, "page": page, "path": path}))

    def link(self, artifact_id: Ref) -> FileLink:
        """A link to the bytes that works without a token for up to 15 minutes."""
        return self._runner.call(call_of(SIGN_ARTIFACT, {"artifactId": artifact_id}))

    def place(
        self,
        artifact_id: Ref,
        *,
        path: str,
        modified_at: datetime | None | None = None,
        replaces: Ref | None | None = None,
        device_id: Ref,
    ) -> None:
        """Set the path of a file in its folder, and the file that it replaces."""
        return self._runner.call(call_of(PLACE_ARTIFACT, {"artifactId": artifact_id, "path": path, "modifiedAt": modified_at, "replaces": replaces, "deviceId": device_id}))

class KeywordsCalls:
    """The plain calls of `engram.keywords`."""

    def __init__(self, runner: SyncRunner) -> None:
        self._runner = runner

    def add(self, keyword: str) -> Keyword:
        """Add a keyword."""
        return self._runner.call(call_of(ADD_KEYWORD_BY_BODY, {"keyword": keyword}))

    def list(self, *, count_files: bool | None = None) -> builtins.list[Keyword]:
        """All keywords, the defaults first."""
        return self._runner.call(call_of(LIST_KEYWORDS, {"countFiles": count_files}))

    def archive(self, id: Ref) -> Keyword:
        """Archive a keyword (false) or make it active again (true)."""
        return self._runner.call(call_of(SET_KEYWORD_ACTIVE, {"id": id, "isActive": "false"}))

    def unarchive(self, id: Ref) -> Keyword:
        """Archive a keyword (false) or make it active again (true)."""
        return self._runner.call(call_of(SET_KEYWORD_ACTIVE, {"id": id, "isActive": "true"}))

class HistoryCalls:
    """The plain calls of `engram.history`."""

    def __init__(self, runner: SyncRunner) -> None:
        self._runner = runner

    def delete_all(self) -> None:
        """Delete all questions and answers, and the links to them."""
        return self._runner.call(call_of(DELETE_HISTORY, {}))

    def get(self, id: Ref) -> HistoryEntry:
        """One question with its answer."""
        return self._runner.call(call_of(GET_HISTORY_ENTRY, {"id": id}))

    def thread(self, id: Ref) -> builtins.list[HistoryEntry]:
        """The questions of a conversation, oldest first, up to the newest 200."""
        return self._runner.call(call_of(HISTORY_THREAD, {"id": id}))

    def list(
        self,
        q: str | None = None,
        *,
        page_size: int = 100,
        archived: bool | None = None,
        saved: bool | None = None,
        brief: bool | None = None,
    ) -> Pages[HistoryEntry]:
        """All questions, newest first."""
        return Pages(self._runner, LIST_HISTORY, {"q": q, "pageSize": page_size, "archived": archived, "saved": saved, "brief": brief})

    def threads(
        self,
        q: str | None = None,
        *,
        page_size: int = 100,
        archived: bool | None = None,
        saved: bool | None = None,
    ) -> Pages[HistoryThread]:
        """Conversations, newest first, one row each."""
        return Pages(self._runner, LIST_THREADS, {"q": q, "pageSize": page_size, "archived": archived, "saved": saved})

    def today(self, time_zone: str | None = None) -> builtins.list[HistoryEntry]:
        """Today's questions, newest first."""
        return self._runner.call(call_of(TODAYS_HISTORY, {"timeZone": time_zone}))

    def update(
        self,
        history_id: Ref,
        *,
        saved: bool | None = None,
        archived: bool | None = None,
        whole_thread: bool | None = None,
    ) -> HistoryEntry:
        """Save or archive a question."""
        return self._runner.call(call_of(UPDATE_HISTORY, {"historyId": history_id, "saved": saved, "archived": archived, "wholeThread": whole_thread}))

class AsyncCalls:
    """The plain calls of `engram`."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def profile(self) -> Profile:
        """The signed-in user."""
        return await self._runner.call(call_of(GET_PROFILE, {}))

    async def passages(
        self,
        text: str,
        *,
        keywords: Iterable[str] | None = None,
    ) -> builtins.list[Passage]:
        """Find the passages for a question, without an answer and without the history."""
        return await self._runner.call(call_of(FIND_PASSAGES, {"text": text, "keywords": keywords}))

    async def ask(
        self,
        text: str,
        *,
        keywords: Iterable[str] | None = None,
        files: Iterable[Ref] | None = None,
        after: Ref | None = None,
        explain: bool | None = None,
        audio: bool = False,
    ) -> Answer:
        """Ask a question."""
        return await self._runner.call(call_of(SEARCH, {"text": text, "keywords": keywords, "files": files, "after": after, "explain": explain, "audio": audio}))

    async def recommendations(self) -> builtins.list[str]:
        """Questions that the user's files answer."""
        return await self._runner.call(call_of(RECOMMENDED_QUESTIONS, {}))

    async def suggestions(self) -> builtins.list[str]:
        """Completions of a question: earlier questions, keywords, files and their phrases."""
        return await self._runner.call(call_of(SUGGESTIONS, {}))

class AsyncDevicesCalls:
    """The plain calls of `engram.devices`."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def end(self, id: Ref) -> None:
        """Remove a device. Its tokens are revoked, and its files stay."""
        return await self._runner.call(call_of(END_DEVICE, {"id": id}))

    async def list(self) -> builtins.list[Device]:
        """Devices that sync folders, newest first."""
        return await self._runner.call(call_of(LIST_DEVICES, {}))

class AsyncFilesCalls:
    """The plain calls of `engram.files`."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def delete_all(self) -> None:
        """Delete all files."""
        return await self._runner.call(call_of(DELETE_ALL_ARTIFACTS, {}))

    async def delete(self, artifact_id: Ref) -> None:
        """Delete a file and everything derived from it."""
        return await self._runner.call(call_of(DELETE_ARTIFACT, {"artifactId": artifact_id}))

    async def get(self, artifact_id: Ref) -> File:
        """One file."""
        return await self._runner.call(call_of(GET_ARTIFACT, {"artifactId": artifact_id}))

    async def delete_many(self, ids: Iterable[Ref]) -> builtins.list[str]:
        """Delete several files. Missing ones are ignored."""
        return await self._runner.call(call_of(DELETE_ARTIFACTS, {"ids": ids}))

    async def tag_many(self, ids: Iterable[Ref], keywords: Iterable[str]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return await self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "keywords": keywords, "verb": "tag"}))

    async def untag_many(self, ids: Iterable[Ref], keywords: Iterable[str]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return await self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "keywords": keywords, "verb": "untag"}))

    async def archive_many(self, ids: Iterable[Ref]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return await self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "verb": "archive"}))

    async def unarchive_many(self, ids: Iterable[Ref]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return await self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "verb": "unarchive"}))

    async def retry_many(self, ids: Iterable[Ref]) -> FileChanges:
        """Tag, untag, archive, restore, retry or delete several files."""
        return await self._runner.call(call_of(CHANGE_ARTIFACTS, {"ids": ids, "verb": "retry"}))

    async def text(self, artifact_id: Ref) -> str:
        """The file's extracted text."""
        return await self._runner.call(call_of(GET_ARTIFACT_TEXT, {"artifactId": artifact_id}))

    def list(
        self,
        q: str | None = None,
        *,
        page_size: int = 100,
        offset: int | None = None,
        in_: Literal["names", "content"] | None = None,
        keyword: str | None = None,
        folder: str | None = None,
        status: FileStatus | None = None,
        state: Literal["ready", "reading", "failed"] | None = None,
        kind: FileKind | None = None,
        source: FileOrigin | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        web_address: str | None = None,
        archived: bool | None = None,
        sort: FileSort | None = None,
    ) -> AsyncPages[File]:
        """The files, newest first."""
        return AsyncPages(self._runner, LIST_ARTIFACTS, {"q": q, "pageSize": page_size, "offset": offset, "in": in_, "keyword": keyword, "folder": folder, "status": status, "state": state, "kind": kind, "source": source, "since": since, "until": until, "webAddress": web_address, "archived": archived, "sort": sort})

    async def rename(self, artifact_id: Ref, name: str) -> File:
        """Rename a file. Its extension stays."""
        return await self._runner.call(call_of(RENAME_ARTIFACT, {"artifactId": artifact_id, "name": name}))

    async def retry(self, artifact_id: Ref) -> File:
        """Retry a failed file."""
        return await self._runner.call(call_of(RETRY_ARTIFACT, {"artifactId": artifact_id}))

    async def save_web_page(
        self,
        url: str,
        *,
        keywords: Iterable[str] | None = None,
    ) -> UploadedFile:
        """Save a web page, a YouTube video with its captions, or a file of the web, by its address."""
        return await self._runner.call(call_of(SAVE_WEB_PAGE, {"url": url, "keywords": keywords}))

    async def all_ready(self) -> bool:
        """Whether all files are searchable."""
        return await self._runner.call(call_of(SEARCH_READY, {}))

    async def archive(self, artifact_id: Ref) -> File:
        """Archive (true) or restore (false) a file."""
        return await self._runner.call(call_of(SET_ARTIFACT_ARCHIVED, {"artifactId": artifact_id, "archived": "true"}))

    async def unarchive(self, artifact_id: Ref) -> File:
        """Archive (true) or restore (false) a file."""
        return await self._runner.call(call_of(SET_ARTIFACT_ARCHIVED, {"artifactId": artifact_id, "archived": "false"}))

    async def set_keywords(self, artifact_id: Ref, keywords: Iterable[str]) -> File:
        """Replace a file's keywords."""
        return await self._runner.call(call_of(SET_ARTIFACT_KEYWORDS, {"artifactId": artifact_id, "keywords": keywords}))

    async def unlock(
        self,
        artifact_id: Ref,
        password: str,
        *,
        remember: bool | None = None,
    ) -> OpenedFiles:
        """Read a file with its password, and all others of the user that it opens."""
        return await self._runner.call(call_of(UNLOCK_ARTIFACT, {"artifactId": artifact_id, "password": password, "remember": remember}))

    async def edit_note(self, artifact_id: Ref, text: str) -> UploadedFile:
        """Edit a note. The old version is searched until the new one is ready."""
        return await self._runner.call(call_of(EDIT_NOTE, {"artifactId": artifact_id, "text": text}))

    async def segments(
        self,
        artifact_id: Ref,
        *,
        start: int | None = None,
        end: int | None = None,
    ) -> builtins.list[Segment]:
        """The source locations of the extracted text."""
        return await self._runner.call(call_of(GET_ARTIFACT_SEGMENTS, {"artifactId": artifact_id, "start": start, "end": end}))

    async def view(
        self,
        artifact_id: Ref,
        *,
        start: int | None = None,
        end: int | None = None,
        path: str | None = None,
    ) -> FileView:
        """A file rendered as HTML: headings, lists, tables, links and pictures."""
        return await self._runner.call(call_of(GET_ARTIFACT_VIEW, {"artifactId": artifact_id, "start": start, "end": end, "path": path}))

    async def words(
        self,
        artifact_id: Ref,
        *,
        page: int | None = None,
        path: str | None = None,
    ) -> builtins.list[Word]:
        """The positions of recognized words on scanned pages and pictures."""
        return await self._runner.call(call_of(GET_ARTIFACT_WORDS, {"artifactId": artifact_id, "page": page, "path": path}))

    async def link(self, artifact_id: Ref) -> FileLink:
        """A link to the bytes that works without a token for up to 15 minutes."""
        return await self._runner.call(call_of(SIGN_ARTIFACT, {"artifactId": artifact_id}))

    async def place(
        self,
        artifact_id: Ref,
        *,
        path: str,
        modified_at: datetime | None | None = None,
        replaces: Ref | None | None = None,
        device_id: Ref,
    ) -> None:
        """Set the path of a file in its folder, and the file that it replaces."""
        return await self._runner.call(call_of(PLACE_ARTIFACT, {"artifactId": artifact_id, "path": path, "modifiedAt": modified_at, "replaces": replaces, "deviceId": device_id}))

class AsyncKeywordsCalls:
    """The plain calls of `engram.keywords`."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def add(self, keyword: str) -> Keyword:
        """Add a keyword."""
        return await self._runner.call(call_of(ADD_KEYWORD_BY_BODY, {"keyword": keyword}))

    async def list(self, *, count_files: bool | None = None) -> builtins.list[Keyword]:
        """All keywords, the defaults first."""
        return await self._runner.call(call_of(LIST_KEYWORDS, {"countFiles": count_files}))

    async def archive(self, id: Ref) -> Keyword:
        """Archive a keyword (false) or make it active again (true)."""
        return await self._runner.call(call_of(SET_KEYWORD_ACTIVE, {"id": id, "isActive": "false"}))

    async def unarchive(self, id: Ref) -> Keyword:
        """Archive a keyword (false) or make it active again (true)."""
        return await self._runner.call(call_of(SET_KEYWORD_ACTIVE, {"id": id, "isActive": "true"}))

class AsyncHistoryCalls:
    """The plain calls of `engram.history`."""

    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner

    async def delete_all(self) -> None:
        """Delete all questions and answers, and the links to them."""
        return await self._runner.call(call_of(DELETE_HISTORY, {}))

    async def get(self, id: Ref) -> HistoryEntry:
        """One question with its answer."""
        return await self._runner.call(call_of(GET_HISTORY_ENTRY, {"id": id}))

    async def thread(self, id: Ref) -> builtins.list[HistoryEntry]:
        """The questions of a conversation, oldest first, up to the newest 200."""
        return await self._runner.call(call_of(HISTORY_THREAD, {"id": id}))

    def list(
        self,
        q: str | None = None,
        *,
        page_size: int = 100,
        archived: bool | None = None,
        saved: bool | None = None,
        brief: bool | None = None,
    ) -> AsyncPages[HistoryEntry]:
        """All questions, newest first."""
        return AsyncPages(self._runner, LIST_HISTORY, {"q": q, "pageSize": page_size, "archived": archived, "saved": saved, "brief": brief})

    def threads(
        self,
        q: str | None = None,
        *,
        page_size: int = 100,
        archived: bool | None = None,
        saved: bool | None = None,
    ) -> AsyncPages[HistoryThread]:
        """Conversations, newest first, one row each."""
        return AsyncPages(self._runner, LIST_THREADS, {"q": q, "pageSize": page_size, "archived": archived, "saved": saved})

    async def today(self, time_zone: str | None = None) -> builtins.list[HistoryEntry]:
        """Today's questions, newest first."""
        return await self._runner.call(call_of(TODAYS_HISTORY, {"timeZone": time_zone}))

    async def update(
        self,
        history_id: Ref,
        *,
        saved: bool | None = None,
        archived: bool | None = None,
        whole_thread: bool | None = None,
    ) -> HistoryEntry:
        """Save or archive a question."""
        return await self._runner.call(call_of(UPDATE_HISTORY, {"historyId": history_id, "saved": saved, "archived": archived, "wholeThread": whole_thread}))
