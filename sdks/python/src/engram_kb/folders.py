"""What the calls that keep a folder in step take and answer."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from .models import Model

ContentState = Literal["known", "new", "deleted", "refused"]
"""What Engram knows of a file's bytes."""
FolderState = Literal["current", "syncing", "paused", "missing", "waiting"]
"""How far a folder is."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands for a file's bytes where they were hashed already."""

    sha256: str
    """In hexadecimal."""
    size: int


Content = str | os.PathLike[str] | bytes | Digest
"""The bytes of a file: a path on disk, the bytes themselves, or their digest."""


class CheckedFile(Model):
    """Whether Engram has the bytes of a file."""

    sha256: str
    state: ContentState | str
    file_id: str | None = Field(alias="artifactId")
    """The file in Engram that has these bytes, where there is one."""
    reason: str | None
    """Why they are refused, in a sentence."""


class FolderReport(Model):
    """How far a folder is."""

    name: str
    """The folder's own name, as the paths of its files begin."""
    state: FolderState | str
    files: int
    """Files that are in Engram."""
    waiting: int
    """Files that are still to be sent."""
    refused: int
    """Files that were left out or refused."""


class RefusedFile(Model):
    """A file that was left out or refused, and why."""

    path: str
    reason: str


class DeviceReport(Model):
    """How far a device is with its folders."""

    folders: list[FolderReport]
    refused: list[RefusedFile] = Field(default_factory=list[RefusedFile])
    """Some of the files that were refused, at most 100."""
    current_at: datetime | None = None
    """When everything was last in step; None while it never was."""


class Device(Model):
    """A device that keeps folders in step."""

    id: str
    name: str
    platform: str
    """The operating system, such as Windows 11."""
    version: str
    """That of the program on it."""
    created_at: datetime
    last_seen_at: datetime
    report: DeviceReport | None
    paused: bool
    """Whether the person wants nothing to be sent for now."""
    sync_asked_at: datetime | None
    """When the person last asked it to look at its folders at once."""
