"""The real server on a port of its own, and a server that returns given replies."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from engram_kb import Engram

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT: dict[str, Any] = json.loads((ROOT / "packages/contract/openapi.json").read_text())
SLOW = 180.0


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SLOW
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@dataclass
class RealServer:
    url: str
    lines: queue.Queue[str]

    def read_code(self) -> str:
        while True:
            found = re.search(r"\b(\d{6}) is your", self.lines.get(timeout=SLOW))
            if found:
                return found[1]

    def logged(self, request_id: str) -> dict[str, Any]:
        """The next log line about a request."""
        while True:
            line = self.lines.get(timeout=SLOW)
            if line.startswith("{") and request_id in line:
                return json.loads(line)

    def sign_in(self, email: str) -> str:
        """Signs a new user in by a mailed code, and returns the token of the session."""
        with httpx2.Client(base_url=f"{self.url}/v1", timeout=SLOW) as http:
            response = http.post("/auth/otp/generate", json={"email": email})
            assert response.is_success, response.text
            body = {"email": email, "code": self.read_code()}
            return http.post("/auth/otp/validate", json=body).json()["data"]["token"]

    def call(self, token: str, path: str, body: dict[str, str]) -> httpx2.Response:
        """Calls the server as the web app does."""
        headers = {"authorization": f"Bearer {token}"}
        answer = httpx2.post(f"{self.url}/v1{path}", headers=headers, json=body, timeout=SLOW)
        assert answer.is_success, answer.text
        return answer

    def new_key(self, email: str) -> str:
        """Signs a new user in, and creates a key."""
        created = self.call(self.sign_in(email), "/api/keys/generate/tests", {})
        return created.json()["data"]["apiKey"]


@pytest.fixture(scope="session")
def server() -> Iterator[RealServer]:
    server_process = json.loads((ROOT / "scripts/server-process.json").read_text())
    node = ROOT / "node_modules/.bin/node"
    folder = tempfile.mkdtemp(prefix="engram-python-")
    environment = {
        **os.environ,
        **server_process["environment"],
        "PORT": "0",
        "ENGRAM_DATA_DIR": folder,
        "ENGRAM_EMBEDDINGS": "none",
        "ENGRAM_LLM": "none",
        "ENGRAM_RATE_LIMITS": "off",
        # At this level refusals are logged too.
        "ENGRAM_LOG_LEVEL": "debug",
    }
    environment.pop("SMTP_URL", None)
    process = subprocess.Popen(
        [
            str(node) if node.exists() else shutil.which("node") or "node",
            *server_process["flags"],
            "apps/server/src/main.ts",
        ],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    output = process.stdout
    lines: queue.Queue[str] = queue.Queue()

    def listen() -> None:
        for line in output:
            lines.put(line)

    threading.Thread(target=listen, daemon=True).start()
    try:
        while True:
            ready = re.match(r"Engram is ready on (\S+)", lines.get(timeout=SLOW))
            if ready:
                yield RealServer(ready[1], lines)
                break
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=SLOW)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def key(server: RealServer, request: pytest.FixtureRequest) -> str:
    """The key of a user that no other module uses."""
    return server.new_key(f"{request.path.stem}@example.org".replace("_", "-"))


@pytest.fixture
def engram(server: RealServer, key: str) -> Iterator[Engram]:
    with Engram(server.url, key, timeout=SLOW) as connected:
        yield connected


@dataclass
class RecordedRequest:
    line: str
    headers: dict[str, str]
    body: bytes


Reply = bytes | Callable[[socket.socket], None]


@dataclass
class OddServer:
    """Sends the next of its replies to each request, and closes the connection."""

    url: str
    replies: list[Reply] = field(default_factory=list[Reply])
    requests: list[RecordedRequest] = field(default_factory=list[RecordedRequest])


def http(status: str, body: str | bytes = b"", **headers: str) -> bytes:
    content = body.encode() if isinstance(body, str) else body
    lines = {"content-length": str(len(content)), "connection": "close"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + content


def file_fields(**changes: object) -> dict[str, Any]:
    """A file as the server sends it."""
    schema = DOCUMENT["components"]["schemas"]["File"]
    known: dict[str, Any] = {
        "artifactFileSize": 1,
        "artifactArchived": False,
        "artifactCreatedDate": "2026-01-02T03:04:05Z",
        "artifactUpdatedDate": "2026-01-02T03:04:05Z",
        "progress": 3,
        "durationMs": None,
        "keywords": [],
        "isVectorReady": True,
        "needsPassword": False,
        "modifiedAt": None,
    }
    return {name: "x" for name in schema["required"]} | known | changes


def read_request(link: socket.socket) -> RecordedRequest:
    with link.makefile("rb") as stream:
        line = stream.readline().decode().strip()
        headers: dict[str, str] = {}
        while entry := stream.readline().decode().strip():
            name, _, value = entry.partition(": ")
            headers[name.lower()] = value
        body = stream.read(int(headers.get("content-length", 0)))
    return RecordedRequest(line, headers, body)


@pytest.fixture
def odd() -> Iterator[OddServer]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = OddServer(f"http://127.0.0.1:{listening.getsockname()[1]}")

        def serve() -> None:
            while True:
                try:
                    link, _ = listening.accept()
                except OSError:
                    return
                with link:
                    server.requests.append(read_request(link))
                    reply = server.replies.pop(0)
                    if isinstance(reply, bytes):
                        link.sendall(reply)
                    else:
                        reply(link)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=10)
