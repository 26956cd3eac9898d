"""An authorization server that follows RFC 8414, 7591, 8628 and 6749, over a socket."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass
class OAuth:
    url: str = ""
    registers: bool = True
    pending_errors: list[str] = field(default_factory=list[str])
    """The errors that the token endpoint returns to a device before a token."""
    clients: set[str] = field(default_factory=set[str])
    refresh_token: str = "refresh-0"
    issued: int = 0
    refreshes: int = 0
    accepted: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def issue(self) -> tuple[int, dict[str, Any]]:
        self.issued += 1
        self.accepted = f"access-{self.issued}"
        self.refresh_token = f"refresh-{self.issued}"
        return 200, {
            "access_token": self.accepted,
            "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": self.refresh_token,
        }

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if form.get("client_id") not in self.clients:
            return 401, {"error": "invalid_client"}
        if form["grant_type"] == DEVICE:
            if form.get("device_code") != "device-1":
                return 400, {"error": "invalid_grant"}
            if self.pending_errors:
                return 400, {"error": self.pending_errors.pop(0)}
            return self.issue()
        with self.lock:
            self.refreshes += 1
            if form.get("refresh_token") != self.refresh_token:
                return 400, {"error": "invalid_grant", "error_description": "Used before"}
            return self.issue()

    def answer(self, path: str, body: bytes, authorization: str) -> tuple[int, dict[str, Any]]:
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        match path:
            case "/.well-known/oauth-authorization-server":
                metadata = {
                    "issuer": self.url,
                    "token_endpoint": f"{self.url}/oauth/token",
                    "device_authorization_endpoint": f"{self.url}/oauth/device",
                }
                if self.registers:
                    metadata["registration_endpoint"] = f"{self.url}/oauth/register"
                return 200, metadata
            case "/oauth/register":
                metadata = json.loads(body)
                assert metadata["token_endpoint_auth_method"] == "none"
                assert DEVICE in metadata["grant_types"]
                self.clients.add("client-1")
                return 201, {"client_id": "client-1"}
            case "/oauth/device":
                assert form["scope"] == "files:read files:write"
                return 200, {
                    "device_code": "device-1",
                    "user_code": "WDJB-MJHT",
                    "verification_uri": f"{self.url}/device",
                    "verification_uri_complete": f"{self.url}/device?user_code=WDJB-MJHT",
                    "expires_in": 600,
                    "interval": 5,
                }
            case "/oauth/token":
                return self.token(form)
            case _ if path.startswith("/v1/") and authorization != f"Bearer {self.accepted}":
                return 401, {"message": "Sign in again.", "code": "invalid_token"}
            case "/v1/suggestions":
                return 200, {"message": "OK", "data": ["signed in"]}
            case _:
                return 404, {"message": "No such call.", "code": "not_found"}


@contextmanager
def serve() -> Generator[OAuth]:
    oauth = OAuth()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            status, answer = oauth.answer(self.path, body, self.headers.get("authorization", ""))
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        oauth.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield oauth
        finally:
            listening.shutdown()
            thread.join()
