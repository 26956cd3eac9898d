"""The events of a streamed answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from ._api import Answer, Delta, Sources, Step
from ._model import Model
from .errors import AnswerFailedError, MalformedResponseError

if TYPE_CHECKING:
    from httpx2 import ServerSentEvent


@dataclass(frozen=True, slots=True)
class Done:
    """The last event, with the whole answer."""

    answer: Answer


Event = Sources | Step | Delta | Done


class _Failure(Model):
    message: str
    code: str


def read_event(event: ServerSentEvent, request_id: str | None = None) -> Event | None:
    """Checks an event of the server. Returns None for an unknown one.

    Raises AnswerFailedError if the server reports a failure, and MalformedResponseError for
    anything else.
    """
    try:
        match event.event:
            case "sources":
                return Sources.model_validate_json(event.data)
            case "step":
                return Step.model_validate_json(event.data)
            case "delta":
                return Delta.model_validate_json(event.data)
            case "done":
                return Done(Answer.model_validate_json(event.data))
            case "error":
                error = _Failure.model_validate_json(event.data)
                raise AnswerFailedError(error.message, code=error.code, request_id=request_id)
            case _:
                return None
    except ValidationError as error:
        raise MalformedResponseError(
            f"The event {event.event!r} does not match the API.", request_id=request_id
        ) from error
