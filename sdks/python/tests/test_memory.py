"""A large upload and download in a separate process, whose memory is measured."""

import subprocess
import sys
from pathlib import Path

from conftest import RealServer

MEGABYTES = 96
CODE = """
import resource, sys
from pathlib import Path
from engram_kb import Engram

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

with Engram(sys.argv[1], sys.argv[2], timeout=300) as engram:
    small = engram.files.upload(b"Warm.", name="warm.txt")
    engram.files.download(small, "warm.txt")
    before = peak()
    file = engram.files.upload("large.txt")
    engram.files.download(file, "copy.txt")
    print(peak() - before)
    engram.files.delete(file)
"""


def test_a_large_file_needs_little_memory(server: RealServer, key: str, tmp_path: Path) -> None:
    line = b"A line of a long file that says nothing in particular, again and again.\n"
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        for _ in range(MEGABYTES):
            file.write(line * ((1 << 20) // len(line)))
    done = subprocess.run(
        [sys.executable, "-c", CODE, server.url, key],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 30
    assert (tmp_path / "copy.txt").stat().st_size == large.stat().st_size
