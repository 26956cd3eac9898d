"""Measures the overhead of a call, the time of an import, and the memory of a large upload.

python bench/overhead.py [megabytes]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

from engram_kb import Engram
from engram_kb._form import part_of
from engram_kb._run import SyncRunner
from engram_kb._settings import Settings
from engram_kb._uploads import Upload

BODY = b'{"message": "OK", "data": ["When does the lease end?"]}'
REPORT = b'{"message": "OK", "data": {"artifactGroupId": "g", "artifacts": [], "rejected": []}}'
CALLS = 500


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        left = int(self.headers.get("content-length", 0))
        while left > 0:
            left -= len(self.rfile.read(min(left, 1 << 16)))
        body = REPORT if self.path.endswith("upload") else BODY
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass


def duration_ms(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return (time.perf_counter() - begin) * 1000


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    def start(code: str) -> float:
        return duration_ms(lambda: subprocess.run([sys.executable, "-c", code], check=True))

    starts = [(start("pass"), start("import engram_kb")) for _ in range(9)]
    bare_start, with_import = (statistics.median(column) for column in zip(*starts, strict=True))
    print(f"import engram_kb {with_import - bare_start:.1f} ms")

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        with httpx2.Client() as bare, Engram(url, "k") as engram:
            # Alternately, so that other load on the machine affects both equally.
            pairs = [
                (
                    duration_ms(lambda: bare.get(f"{url}/v1/suggestions").json()),
                    duration_ms(engram.suggestions),
                )
                for _ in range(CALLS)
            ]
        plain, with_library = (statistics.median(column) for column in zip(*pairs, strict=True))
        extra = with_library - plain
        print(f"bare request {plain:.3f} ms, library {with_library:.3f} ms, +{extra:.3f} ms")

        size = int(sys.argv[1]) if len(sys.argv) > 1 else 200
        with tempfile.TemporaryDirectory() as folder:
            large = Path(folder) / "large.bin"
            with large.open("wb") as file:
                file.truncate(size << 20)
            before = peak_mb()
            runner = SyncRunner(Settings(url, "k", None, 600, 0), None, time.sleep)
            seconds = duration_ms(lambda: runner.call(Upload([part_of(large)]).call())) / 1000
            print(f"{size} MB uploaded in {seconds:.1f} s, +{peak_mb() - before:.1f} MB of memory")
        server.shutdown()


if __name__ == "__main__":
    main()
