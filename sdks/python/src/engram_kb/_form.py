"""Streams files as multipart/form-data, without loading them into memory."""

from __future__ import annotations

import io
import mimetypes
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .errors import ArgumentError

CHUNK_BYTES = 128 * 1024

Source = str | os.PathLike[str] | bytes | BinaryIO
"""A file to send: a path, bytes, or a file opened in binary mode."""

Progress = Callable[[int, int | None], object]
"""Called with the sent bytes and their total, or None if it is unknown."""

_ESCAPES = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A"})


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a form."""

    name: str
    size: int | None
    open: Callable[[], BinaryIO]
    closes: bool
    repeatable: bool
    """Whether it can be read again, for a retry."""


def part_of(source: Source, name: str | None = None) -> Part:
    """A file to send. Raises FileNotFoundError or another OSError if it cannot be read."""
    if isinstance(source, bytes):
        if not name:
            raise ArgumentError("Bytes need a name: upload(data, name='lease.pdf').", code="name")
        return Part(name, len(source), lambda: io.BytesIO(source), True, True)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            raise ArgumentError(f"{str(path)!r} is not a file.", code="no_file")
        # An unreadable file raises an error before anything is sent.
        path.open("rb").close()
        return Part(name or path.name, info.st_size, lambda: path.open("rb"), True, True)
    return _part_of_open(source, name)


def _part_of_open(file: BinaryIO, name: str | None) -> Part:
    if not hasattr(file, "read"):
        raise ArgumentError(
            "A file is a path, bytes, or a file opened in binary mode.", code="no_source"
        )
    if isinstance(file, io.TextIOBase):
        raise ArgumentError("A file object must be opened in binary mode.", code="text_mode")
    file_name = getattr(file, "name", None)
    name = name or (Path(file_name).name if isinstance(file_name, str) else None)
    if not name:
        raise ArgumentError("This file object needs a name: upload(file, name=…).", code="name")
    if not file.seekable():
        return Part(name, None, lambda: file, False, False)
    start = file.tell()
    size = file.seek(0, os.SEEK_END) - start

    def reopen() -> BinaryIO:
        file.seek(start)
        return file

    reopen()
    return Part(name, size, reopen, False, True)


class Form:
    """Fields and files. They are written again for each attempt."""

    def __init__(
        self,
        fields: dict[str, str],
        parts: Sequence[Part],
        on_progress: Progress | None = None,
    ) -> None:
        self._boundary = secrets.token_hex(16)
        self._parts = parts
        self._on_progress = on_progress
        # Fields come first, so the server has them when the files' bytes arrive.
        self._fields = b"".join(
            self._head(f'name="{name}"') + value.encode() + b"\r\n"
            for name, value in fields.items()
        )
        self._end = f"--{self._boundary}--\r\n".encode()

    @property
    def repeatable(self) -> bool:
        """Whether the form can be sent again."""
        return all(part.repeatable for part in self._parts)

    def headers(self) -> dict[str, str]:
        """The headers, with the length if it is known."""
        headers = {"content-type": f"multipart/form-data; boundary={self._boundary}"}
        total = self._total()
        if total is not None:
            overhead = sum(len(self._head_of(part)) + 2 for part in self._parts)
            length = len(self._fields) + overhead + total + len(self._end)
            headers["content-length"] = str(length)
        return headers

    def chunks(self) -> Iterator[bytes]:
        sent, total = 0, self._total()
        if self._fields:
            yield self._fields
        for part in self._parts:
            yield self._head_of(part)
            file = part.open()
            try:
                while chunk := file.read(CHUNK_BYTES):
                    yield chunk
                    sent += len(chunk)
                    if self._on_progress:
                        self._on_progress(sent, total)
            finally:
                if part.closes:
                    file.close()
            yield b"\r\n"
        yield self._end

    def _total(self) -> int | None:
        sizes = [part.size for part in self._parts]
        return None if None in sizes else sum(size or 0 for size in sizes)

    def _head(self, disposition: str, headers: str = "") -> bytes:
        head = (
            f"--{self._boundary}\r\nContent-Disposition: form-data; {disposition}\r\n{headers}\r\n"
        )
        return head.encode()

    def _head_of(self, part: Part) -> bytes:
        name = part.name.translate(_ESCAPES)
        kind = mimetypes.guess_type(part.name)[0] or "application/octet-stream"
        return self._head(f'name="files"; filename="{name}"', f"Content-Type: {kind}\r\n")
