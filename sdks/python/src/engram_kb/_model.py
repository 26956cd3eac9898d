"""The base classes of the models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    """An object of the API. It is immutable and accepts unknown fields."""

    model_config = ConfigDict(
        alias_generator=to_camel, extra="allow", frozen=True, populate_by_name=True
    )


class LocationText(Model):
    """A location that converts to text, such as 'page 3' or '1:01'."""

    def __str__(self) -> str:
        fields: dict[str, Any] = self.model_dump()
        location = ", ".join(
            f"{name} {fields[name]}"
            for name in ("page", "slide", "sheet", "row", "line")
            if fields.get(name) is not None
        )
        if fields.get("start_ms") is not None:
            minutes, seconds = divmod(fields["start_ms"] // 1000, 60)
            location = f"{minutes}:{seconds:02}"
        return ", ".join(part for part in (fields.get("path"), location) if part)


class AnswerText(Model):
    """An answer with its text."""

    @property
    def text(self) -> str:
        """The answer in Markdown. ``[1]`` refers to the citation whose ``n`` is 1."""
        answers: list[str] = self.model_dump(include={"answers"})["answers"]
        return "\n\n".join(answers)


class FileState(Model):
    """The processing state of a file."""

    @property
    def settled(self) -> bool:
        """Whether processing has finished or failed."""
        return self.model_dump(include={"stage"})["stage"] in ("ready", "failed")
