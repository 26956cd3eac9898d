"""Writes downloads under a temporary name first, so that no incomplete file has the final one."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from pathlib import Path
from typing import IO


def destination(to: str | os.PathLike[str], name: str) -> Path:
    """The path of a download. In a folder it has the last part of the file's own name.

    Raises FileNotFoundError if the folder is missing.
    """
    path = Path(to)
    if path.is_dir():
        # The name comes from the server and must not lead to another folder.
        own = re.split(r"[/\\]", name)[-1].replace("\0", "")
        path /= own if own not in ("", ".", "..") else "file"
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    return path


class Target:
    """A file that is written completely or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        handle, self._beside = tempfile.mkstemp(prefix=".engram-", dir=path.parent)
        self._file: IO[bytes] = os.fdopen(handle, "wb")
        self.written = 0

    def write(self, piece: bytes) -> None:
        """Adds a piece."""
        self._file.write(piece)
        self.written += len(piece)

    def keep(self) -> Path:
        """Gives the file its name."""
        self._file.close()
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(self._beside, 0o666 & ~umask)
        os.replace(self._beside, self.path)
        return self.path

    def drop(self) -> None:
        """Removes what was written, unless it was kept."""
        self._file.close()
        Path(self._beside).unlink(missing_ok=True)
