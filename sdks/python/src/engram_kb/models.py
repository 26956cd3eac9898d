"""What the server answers, as models. Fields that they do not know yet are kept beside."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

# What the API knows today. A field takes any other word too: a newer server may know more.
FileStatus = Literal["PENDING", "PROCESSING", "FAILED", "SUCCESS"]
"""How far a file is: it waits, is being read and indexed, could not be read, or is ready."""
FileOrigin = Literal["Web", "Text", "API", "Connector", "Share"]
"""Where a file came from."""
FileSort = Literal["created", "-created", "name", "-name", "size", "-size"]
"""What a list of files is sorted by; with a minus from the other end."""
SegmentKind = Literal["prose", "heading", "list", "table", "code", "definition"]
"""What a stretch of a text is."""
AnswerMode = Literal["found", "written"]
"""Whether an answer quotes sections of files, or a model wrote it."""


class Model(BaseModel):
    """An answer: read by the names of the API, unchangeable, open for what comes later."""

    model_config = ConfigDict(
        alias_generator=to_camel, extra="allow", frozen=True, populate_by_name=True
    )


class Location(Model):
    """Where in its file something stands. Numbers count from 1, times are milliseconds."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    row: int | None = None
    line: int | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    path: str | None = None
    """The member of an archive; the other fields are then of that member."""

    def __str__(self) -> str:
        place = ", ".join(
            f"{name} {value}"
            for name in ("page", "slide", "sheet", "row", "line")
            if (value := getattr(self, name)) is not None
        )
        if self.start_ms is not None:
            minutes, seconds = divmod(self.start_ms // 1000, 60)
            place = f"{minutes}:{seconds:02}"
        return ", ".join(part for part in (self.path, place) if part)


class Passage(Model):
    """A part of a file's text."""

    n: int
    """The number that `[n]` in the answer refers to, where the answer cites it."""
    file_id: str = Field(alias="artifactId")
    file_name: str
    path: str | None
    """Where the file is in the folder that it came from; None where it came from none."""
    location: Location
    start: int
    """Where it begins in the file's text, in UTF-16 units."""
    end: int


class Citation(Passage):
    """A quote from a file that supports a sentence of an answer."""

    quote: str
    """Letter for letter in the file's text."""


class NewerFile(Model):
    """A document that amends or replaces a file."""

    file_id: str = Field(alias="artifactId")
    file_name: str


class FoundSection(Passage):
    """A section of a file that was found for a question."""

    text: str
    """Letter for letter in the file's text."""
    highlights: list[tuple[int, int]]
    """Begin and end of the question's words in `text`, in UTF-16 units."""
    score: float
    """How relevant it is for the question, between 0 and 1."""
    newer: NewerFile | None
    """The newest document that amends or replaces the file; None where there is none."""


class RelatedFile(Model):
    """A file that has to do with a question."""

    file_id: str = Field(alias="artifactId")
    group_id: str = Field(alias="artifactGroupId")
    archived: bool = Field(alias="artifactArchived")
    text_preview: str | None = Field(alias="artifact_text")
    created_by: str
    created_at: datetime = Field(alias="createdDate")
    file_name: str
    path: str | None
    """Where the file stands in the folder that it came from; None where it came from none."""
    storage_key: str = Field(alias="filePathS3")
    media_type: str = Field(alias="fileType")
    url: str = Field(alias="presignedUrl")
    """A link to the bytes that works without a key for some minutes."""
    score: float
    """0 to 1, best first."""
    size: int
    status: FileStatus | str
    user_id: str


class ExplainedPassage(Model):
    """A passage that an answer was made from, and what spoke for it."""

    file_id: str = Field(alias="artifactId")
    start: int
    end: int
    scores: dict[str, float]


class ExplainedStage(Model):
    """A stage on the way to an answer, and how long it took."""

    name: str
    ms: float


class Explanation(Model):
    """How an answer was found."""

    passages: list[ExplainedPassage]
    terms: list[str]
    stages: list[ExplainedStage]


class AnswerContent(Model):
    """What an answer and its entry in the history have in common."""

    created_at: datetime = Field(alias="date")
    answers: list[str]
    recommendations: list[str]
    citations: list[Citation]
    grounded: bool
    """False where the files hold no answer."""
    nearest: list[Citation]
    """Where they hold none, the passages that come nearest to one."""
    mode: AnswerMode | str
    """`found` where the answer quotes sections of files, `written` where a model wrote it."""
    found: list[FoundSection]
    """The sections that were found, best first. A model that wrote the answer was given these."""
    unverified: list[str]
    """Sentences of the answer that could not be verified in the files."""
    notice: str | None
    """What a person should know about how the answer came about."""
    written_by: str | None
    """`files` where the answer quotes them, else the model's name; None where not noted."""

    @property
    def text(self) -> str:
        """The answer, in Markdown; `[n]` refers to the citation with that number."""
        return "\n\n".join(self.answers)


class Answer(AnswerContent):
    """The answer to a question, with the passages that support it."""

    question: str = Field(alias="text")
    id: str = Field(alias="history_id")
    """Its entry in the history; hand it to `ask(after=)` to follow up."""
    audio: str | None = Field(alias="audio_file")
    """The spoken answer as base64 of an MP3, where it was asked for."""
    related_files: list[RelatedFile] = Field(alias="similar_vectors")
    explain: Explanation | None = None
    """How it was found, where that was asked for."""


class File(Model):
    """A file, or a note that was typed."""

    id: str = Field(alias="artifactId")
    group_id: str = Field(alias="artifactGroupId")
    """The upload it came with."""
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
    """Why it is not searchable, or what of it is not."""
    progress: int
    """0 to 100."""
    duration_ms: int | None
    thumbnail_url: str | None
    keywords: list[str]
    user_id: str
    searchable: bool = Field(alias="isVectorReady")
    text_preview: str | None = Field(alias="artifactText")
    source: FileOrigin | str
    path: str | None
    """Where it stands in the folder that it came from, that folder's own name first."""
    modified_at: datetime | None
    """When the file itself was last changed."""
    matched_line: str | None = None
    """The line with most of the searched words, in lists that search what files say."""

    @property
    def settled(self) -> bool:
        """Whether its reading has come to an end, a good or a bad one."""
        return self.status in ("SUCCESS", "FAILED")

    @model_validator(mode="before")
    @classmethod
    def _without_stage(cls, fields: dict[str, Any]) -> dict[str, Any]:
        # The API's second word for the status.
        return {name: value for name, value in fields.items() if name != "stage"}


class UploadedFile(Model):
    """A file that the server took."""

    id: str = Field(alias="artifactId")
    name: str = Field(alias="fileName")
    duplicate: bool
    """True where the same bytes were there already; keywords were merged."""


class RejectedFile(Model):
    """A file that the server did not take, and why."""

    name: str = Field(alias="fileName")
    message: str
    code: str


class UploadReport(Model):
    """What became of the files of an upload."""

    group_id: str = Field(alias="artifactGroupId")
    uploaded: list[UploadedFile] = Field(alias="artifacts")
    rejected: list[RejectedFile]
    files: list[File] = []
    """The files that were taken, as they are now."""


class FileLink(Model):
    """A link to a file's bytes that works without a key for some minutes."""

    url: str = Field(alias="presignedUrl")
    expires_at: datetime
    file_name: str
    media_type: str = Field(alias="fileType")
    size: int
    thumbnail_url: str | None


class RefusedChange(Model):
    """Files of which a change is not true, and why."""

    code: str
    """A stable word for the reason."""
    message: str
    ids: list[str]


class FileChanges(Model):
    """What became of several files."""

    done: list[str]
    """Ids of the files of which it is true now."""
    refused: list[RefusedChange]
    """The others, by the reason."""


class ZipLink(Model):
    """A link to several files as one zip."""

    url: str
    expires_at: datetime
    files: int
    """How many there are."""
    size: int = Field(alias="bytes")
    """Bytes of the files together."""


class Segment(Model):
    """A stretch of a file's text and where it stands in the file."""

    start: int
    end: int
    location: Location
    kind: SegmentKind | str
    headings: list[str]


class FileView(Model):
    """A file rendered as sanitized HTML, its pictures as data URLs."""

    html: str
    complete: bool
    """Whether this is all of the file."""


class Word(Model):
    """A recognised word on a page, its box in fractions of the page."""

    start: int
    end: int
    left: float
    top: float
    width: float
    height: float


class Keyword(Model):
    """A keyword that groups files."""

    id: str
    keyword: str
    active: bool = Field(alias="isActive")
    default: bool = Field(alias="isDefault")
    created_at: datetime = Field(alias="createdDate")
    files: int | None
    """How many files carry it, where that was asked for."""


class ChosenFile(Model):
    """A file that a question was limited to."""

    artifact_id: str
    file_name: str


class HistoryEntry(AnswerContent):
    """A question that was asked, and its answer."""

    id: str
    question: str = Field(alias="searchText")
    latitude: float | None
    longitude: float | None
    ip: str | None
    device: str | None
    user_id: str
    audio: str | None = Field(alias="audioFile")
    related_files: list[RelatedFile] = Field(alias="similarVectors")
    thread: str
    """The conversation that it belongs to: the id of its first question."""
    after: str | None = Field(alias="follows")
    """The entry that this question follows up on."""
    keywords: list[str]
    files: list[ChosenFile] = Field(alias="chosenFiles")
    """The files that the question was limited to; none for all."""
    saved: bool = Field(alias="isBookmark")
    archived: bool = Field(alias="isArchived")


class HistoryThread(Model):
    """A question with those that followed up on it, as one row of a list."""

    id: str
    """The newest of its questions that the list was asked for."""
    thread: str
    """The id of its first question."""
    question: str = Field(alias="searchText")
    """Its first question."""
    created_at: datetime = Field(alias="date")
    """When its newest question was asked."""
    turns: int
    times: int
    """How often the same question was asked by itself."""
    found: str | None
    """Where the list is searched, the stretch of the answer with the words."""
    saved: bool = Field(alias="isBookmark")
    archived: bool = Field(alias="isArchived")


class Profile(Model):
    """The person whose files these are."""

    id: str
    email: str
    name: str | None
    alt_email: str | None
    phone: str | None
    role: str
    country: str | None
    profile_image: str | None
    ip: str | None
    device: str | None
    location: str | None
    created_at: datetime = Field(alias="createdDate")
    agreed_terms: bool = Field(alias="isAgreedTerms")
    device_time_zone: bool


class Transcript(Model):
    """What was said in a recording."""

    text: str
