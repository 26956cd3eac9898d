"""The calls that keep a folder in step, and the looks at what they are given."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from . import _check
from ._core import Call, Flow, Repeat, Retries, as_nothing, in_envelope, make
from ._form import part_of
from .errors import ArgumentError
from .folders import CheckedFile, Content, Device, DeviceReport, Digest, FolderReport, FolderState
from .models import File

CHECK_LIMIT = 1000
CHECK_BYTES = 900_000
"""The server takes 1 MB; long paths fill that before there are 1,000 of them."""
FOLDER_STATES: tuple[str, ...] = get_args(FolderState)
MOST_FOLDERS = 50
MOST_REFUSED = 100

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


def id_of(thing: File | Device | str) -> str:
    """The id of a file or a device, or of what is one already."""
    return _check.identifier(thing if isinstance(thing, str) else thing.id)


def file_meta(
    path: str | None, modified_at: datetime | None, replaces: File | str | None
) -> dict[str, str]:
    """What is said of a file beside its bytes; only what was given."""
    meta: dict[str, str] = {}
    if path is not None:
        meta["path"] = _check.folder_path(path)
    if modified_at is not None:
        meta["modifiedAt"] = _check.moment(modified_at, "modified_at")
    if replaces is not None:
        meta["replaces"] = id_of(replaces)
    return meta


def _digest(content: Content) -> Digest:
    if isinstance(content, Digest):
        if not _SHA256.fullmatch(content.sha256):
            raise ArgumentError("This is not a SHA-256 in hexadecimal.", code="sha256")
        if content.size < 0:
            raise ArgumentError("A size is a number of bytes.", code="size")
        return content
    if isinstance(content, bytes):
        return Digest(hashlib.sha256(content).hexdigest(), len(content))
    if not isinstance(content, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError("A file is a path, bytes or a Digest.", code="no_source")
    part_of(content)  # Refuses what an upload refuses.
    with Path(content).open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        # The size of what was hashed: the file may be growing.
        return Digest(sha256, file.tell())


def entry_of(path: str, content: Content) -> dict[str, Any]:
    """A file to ask about; one on disk is hashed a piece at a time."""
    place = _check.folder_path(path)
    digest = _digest(content)
    return {"sha256": digest.sha256, "size": digest.size, "path": place}


def contents(files: Mapping[str, Content]) -> list[tuple[str, Content]]:
    """The files to ask about; their paths are looked at before any of them is hashed."""
    if not isinstance(files, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError("Files come by their path: {'Papers/a.txt': 'a.txt'}.", code="files")
    for path in files:
        _check.folder_path(path)
    return list(files.items())


def check(entries: list[dict[str, Any]]) -> Call[list[CheckedFile]]:
    """Which of some files are there already."""
    read = in_envelope(list[CheckedFile])
    return Call("POST", "/artifacts/check", read, body={"files": entries})


def _batches(entries: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    weight = 0
    for entry in entries:
        heavy = len(json.dumps(entry, ensure_ascii=False).encode()) + 1
        if batch and (len(batch) == CHECK_LIMIT or weight + heavy > CHECK_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(entry)
        weight += heavy
    if batch:
        yield batch


def check_all(entries: Iterable[dict[str, Any]], retries: Retries) -> Flow[list[CheckedFile]]:
    """Asks about any number of files, in as few calls as the server allows."""
    answers: list[CheckedFile] = []
    for batch in _batches(entries):
        answers += yield from make(check(batch), retries)
    return answers


def place(
    file: File | str,
    path: str,
    device_id: Device | str,
    modified_at: datetime | None = None,
    replaces: File | str | None = None,
) -> Call[None]:
    """Where a file stands in its folder now."""
    body = file_meta(path, modified_at, replaces) | {"deviceId": id_of(device_id)}
    return Call("PUT", f"/artifacts/{id_of(file)}/place", as_nothing, body=body)


def _folder(folder: FolderReport) -> dict[str, Any]:
    if folder.state not in FOLDER_STATES:
        raise ArgumentError(f"state is one of {', '.join(FOLDER_STATES)}.", code="state")
    counts = {"files": folder.files, "waiting": folder.waiting, "refused": folder.refused}
    if min(counts.values()) < 0:
        raise ArgumentError("files, waiting and refused count from 0.", code="count")
    return {"name": _check.line(folder.name, "name", 200), "state": folder.state, **counts}


def _report(report: DeviceReport) -> dict[str, Any]:
    if len(report.folders) > MOST_FOLDERS:
        raise ArgumentError(f"A report has at most {MOST_FOLDERS} folders.", code="folders")
    if len(report.refused) > MOST_REFUSED:
        raise ArgumentError(f"A report names at most {MOST_REFUSED} files.", code="refused")
    at = report.current_at
    return {
        "folders": [_folder(folder) for folder in report.folders],
        "refused": [
            {
                "path": _check.line(one.path, "path", _check.PATH_LIMIT),
                "reason": _check.line(one.reason, "reason", 500),
            }
            for one in report.refused
        ],
        "currentAt": None if at is None else _check.moment(at, "current_at"),
    }


def register(
    name: str, platform: str, version: str, report: DeviceReport | None = None
) -> Call[Device]:
    """A new device. Sent twice there would be two, so it is sent again only where not seen."""
    body = _device(name, platform, version, report)
    return Call("POST", "/devices", in_envelope(Device), body=body, repeat=Repeat.UNSEEN)


def report(
    device: Device | str,
    how_far: DeviceReport | None = None,
    *,
    name: str | None = None,
    platform: str | None = None,
    version: str | None = None,
) -> Call[Device]:
    """How far a device is; what it is called stays as it was, where the device itself is given."""
    if isinstance(device, Device):
        name, platform, version = (
            device.name if name is None else name,
            device.platform if platform is None else platform,
            device.version if version is None else version,
        )
    if name is None or platform is None or version is None:
        raise ArgumentError(
            "With an id alone a report needs name, platform and version.", code="device"
        )
    body = {"id": id_of(device)} | _device(name, platform, version, how_far)
    return Call("POST", "/devices", in_envelope(Device), body=body)


def _device(name: str, platform: str, version: str, how_far: DeviceReport | None) -> dict[str, Any]:
    given = {"name": name, "platform": platform, "version": version}
    body: dict[str, Any] = {key: _check.line(value, key, 200) for key, value in given.items()}
    return body if how_far is None else body | {"report": _report(how_far)}


def list_devices() -> Call[list[Device]]:
    """All devices."""
    return Call("GET", "/devices", in_envelope(list[Device]))


def end(device: Device | str) -> Call[None]:
    """End a device. A second try would find none, so there is one only where it was not seen."""
    return Call("DELETE", f"/devices/{id_of(device)}", as_nothing, repeat=Repeat.UNSEEN)
