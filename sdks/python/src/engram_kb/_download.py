"""Writes downloads under a temporary name, so an incomplete file never has the final one."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from pathlib import Path
from typing import IO


def destination(to: str | os.PathLike[str], name: str) -> Path:
    """The path of a download: `to`, or in that folder the last part of the file's name.

    Raises FileNotFoundError if the folder is missing.
    """
    path = Path(to)
    if path.is_dir():
        # The name comes from the server and must not lead to another folder.
        file_name = re.split(r"[/\\]", name)[-1].replace("\0", "")
        path /= file_name if file_name not in ("", ".", "..") else "file"
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    return path


class Target:
    """A file that is written completely or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        handle, self._temporary = tempfile.mkstemp(prefix=".engram-", dir=path.parent)
        self._file: IO[bytes] = os.fdopen(handle, "wb")
        self.written = 0

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)
        self.written += len(chunk)

    def commit(self) -> Path:
        """Moves the file to its path."""
        self._file.close()
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(self._temporary, 0o666 & ~umask)
        os.replace(self._temporary, self.path)
        return self.path

    def discard(self) -> None:
        """Removes an unfinished file."""
        self._file.close()
        Path(self._temporary).unlink(missing_ok=True)
