"""The events of an answer that comes piece by piece, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

from .errors import AnswerFailedError, MalformedResponseError
from .models import Answer, Citation, FoundSection, Model, RelatedFile

if TYPE_CHECKING:
    from httpx2 import ServerSentEvent


@dataclass(frozen=True, slots=True)
class Sources:
    """What was found, before the answer.

    Where a model writes the answer, it comes again at the end, with the citations.
    """

    citations: list[Citation]
    found: list[FoundSection]
    """Sections of files, best first."""
    related_files: list[RelatedFile]


@dataclass(frozen=True, slots=True)
class Step:
    """What is being looked for, where a model answers."""

    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The whole answer; the last event."""

    answer: Answer


Event = Sources | Step | Delta | Done
"""What a stream yields."""


class _SourcesData(Model):
    citations: list[Citation]
    found: list[FoundSection]
    related_files: list[RelatedFile] = Field(alias="similar_vectors")


class _TextData(Model):
    text: str


class _ErrorData(Model):
    message: str
    code: str


def read_event(event: ServerSentEvent, request_id: str | None = None) -> Event | None:
    """An event as the server sent it; None for one that is not known yet.

    Raises AnswerFailedError for the server's own, MalformedResponseError for what is none.
    """
    try:
        match event.event:
            case "sources":
                sources = _SourcesData.model_validate_json(event.data)
                return Sources(sources.citations, sources.found, sources.related_files)
            case "step":
                return Step(_TextData.model_validate_json(event.data).text)
            case "delta":
                return Delta(_TextData.model_validate_json(event.data).text)
            case "done":
                return Done(Answer.model_validate_json(event.data))
            case "error":
                error = _ErrorData.model_validate_json(event.data)
                raise AnswerFailedError(error.message, code=error.code, request_id=request_id)
            case _:
                return None
    except ValidationError as error:
        raise MalformedResponseError(
            f"The event {event.event!r} is not as the API describes it.", request_id=request_id
        ) from error
