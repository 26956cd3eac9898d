"""The base classes of the models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    """An object of the API: read by the API's names, frozen, and open for later fields."""

    model_config = ConfigDict(
        alias_generator=to_camel, extra="allow", frozen=True, populate_by_name=True
    )


class LocationText(Model):
    """A location reads as text, such as 'page 3' or '1:01'."""

    def __str__(self) -> str:
        fields: dict[str, Any] = self.model_dump()
        place = ", ".join(
            f"{name} {fields[name]}"
            for name in ("page", "slide", "sheet", "row", "line")
            if fields.get(name) is not None
        )
        if fields.get("start_ms") is not None:
            minutes, seconds = divmod(fields["start_ms"] // 1000, 60)
            place = f"{minutes}:{seconds:02}"
        return ", ".join(part for part in (fields.get("path"), place) if part)


class AnswerText(Model):
    """An answer, whose parts can be read as one text."""

    @property
    def text(self) -> str:
        """The answer in Markdown. ``[1]`` refers to the citation whose ``n`` is 1."""
        answers: list[str] = self.model_dump(include={"answers"})["answers"]
        return "\n\n".join(answers)


class FileState(Model):
    """How far the reading of a file is."""

    @property
    def settled(self) -> bool:
        """Whether reading it has ended, successfully or not."""
        return self.model_dump(include={"stage"})["stage"] in ("ready", "failed")
