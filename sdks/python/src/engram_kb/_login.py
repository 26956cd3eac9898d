"""Signs in without a key, by the OAuth device flow, and stores the tokens.

The endpoints come from RFC 8414 metadata, RFC 7591 registers this program if the server supports
it, and the user confirms in a browser (RFC 8628). Tokens are in the user's configuration folder.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2

from . import _check
from .errors import LoginError

SCOPE = "files:read files:write"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
PUBLIC_CLIENT = "engram-kb"
"""The client ID on servers without registration."""
EXPIRY_MARGIN = 60.0
"""A token is renewed this many seconds before it expires."""

Fields = dict[str, Any]


def config_folder() -> Path:
    if os.name == "nt":
        base = os.environ.get("APPDATA")
        return Path(base) / "engram-kb" if base else Path.home() / "AppData/Roaming/engram-kb"
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "engram-kb"


@contextmanager
def _locked(path: Path) -> Generator[None]:
    """Locks a file, because only one process may use a rotating token."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        if os.name == "nt":
            import msvcrt

            module: Any = msvcrt
            module.locking(file.fileno(), module.LK_LOCK, 1)
            try:
                yield
            finally:
                file.seek(0)
                module.locking(file.fileno(), module.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Store:
    """The tokens of all servers, in a file that only its user can read."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or config_folder()) / "tokens.json"

    def lock(self) -> Any:
        """Locks the tokens against other processes."""
        return _locked(self._path.with_suffix(".lock"))

    def _all(self) -> dict[str, Fields]:
        try:
            stored: object = json.loads(self._path.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return cast("dict[str, Fields]", stored) if isinstance(stored, dict) else {}

    def read(self, base_url: str) -> Fields | None:
        return self._all().get(base_url)

    def write(self, base_url: str, login: Fields) -> None:
        """Stores a login. The caller holds the lock."""
        text = json.dumps(self._all() | {base_url: login}, indent=2)
        handle, temporary = tempfile.mkstemp(dir=self._path.parent)  # Created with mode 0600.
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            # Without its refresh token, the user has to sign in again.
            os.fsync(file.fileno())
        os.replace(temporary, self._path)


def _request_json(client: httpx2.Client, method: str, url: str, **body: Any) -> tuple[int, Fields]:
    try:
        response = client.request(method, url, headers={"accept": "application/json"}, **body)
    except httpx2.RequestError as error:
        raise LoginError(f"{url} cannot be reached: {error}") from error
    try:
        answer: object = response.json()
    except ValueError:
        answer = None
    fields = cast("Fields", answer) if isinstance(answer, dict) else {}
    return response.status_code, fields


def _oauth_error(what: str, fields: Fields) -> LoginError:
    code = str(fields.get("error") or "")
    reason = fields.get("error_description") or code or "the server gave no reason"
    return LoginError(f"{what}: {reason}.", code=code)


def discover(client: httpx2.Client, base_url: str) -> Fields:
    """The metadata of the server, with its endpoints."""
    parts = urlsplit(base_url)
    # RFC 8414, section 3.1: the well-known part precedes the path of the issuer.
    url = f"{parts.scheme}://{parts.netloc}/.well-known/oauth-authorization-server{parts.path}"
    status, metadata = _request_json(client, "GET", url)
    if status != 200 or not isinstance(metadata.get("token_endpoint"), str):
        raise LoginError(
            f"{base_url} does not offer signing in from here. Use an API key instead.",
            code="no_oauth",
        )
    if str(metadata.get("issuer", "")).rstrip("/") != base_url:
        # RFC 8414, section 3.3: otherwise another server could impersonate this one.
        raise LoginError(
            f"The address of this server is {metadata.get('issuer')!r}. Use that one.",
            code="issuer",
        )
    return metadata


def register(client: httpx2.Client, metadata: Fields) -> str:
    """The client ID of this program."""
    endpoint = metadata.get("registration_endpoint")
    if not isinstance(endpoint, str):
        return PUBLIC_CLIENT
    body = {
        "client_name": "engram-kb",
        "grant_types": [DEVICE_GRANT, "refresh_token"],
        "response_types": [],
        "token_endpoint_auth_method": "none",
        "scope": SCOPE,
    }
    status, fields = _request_json(client, "POST", endpoint, json=body)
    if status not in (200, 201) or not isinstance(fields.get("client_id"), str):
        raise _oauth_error("This program could not be registered", fields)
    return fields["client_id"]


def _login_of(
    fields: Fields, client_id: str, endpoint: str, refresh_token: str, now: float
) -> Fields:
    if not isinstance(fields.get("access_token"), str):
        raise LoginError("The server's answer has no token.", code="no_token")
    return {
        "client_id": client_id,
        "token_endpoint": endpoint,
        "access_token": fields["access_token"],
        "refresh_token": fields.get("refresh_token") or refresh_token,
        "expires_at": now + float(fields.get("expires_in") or 3600),
    }


def log_in(
    base_url: str,
    show: Callable[[str, str, str | None], object],
    *,
    store: Store | None = None,
    sleep: Callable[[float], object] = time.sleep,
    now: Callable[[], float] = time.time,
    http_client: httpx2.Client | None = None,
) -> None:
    """Signs in. `show` gets the page to open, the code to enter, and a page that contains both."""
    base_url = _check.base_url(base_url)
    store = store or Store()
    client = http_client or httpx2.Client(timeout=30)
    try:
        metadata = discover(client, base_url)
        device_endpoint = metadata.get("device_authorization_endpoint")
        if not isinstance(device_endpoint, str):
            raise LoginError(
                "The server does not support signing in with a code.", code="no_device_flow"
            )
        client_id = register(client, metadata)
        body = {"client_id": client_id, "scope": SCOPE}
        status, device = _request_json(client, "POST", device_endpoint, data=body)
        if status != 200 or not all(
            isinstance(device.get(name), str)
            for name in ("device_code", "user_code", "verification_uri")
        ):
            raise _oauth_error("Signing in failed", device)
        show(
            device["verification_uri"], device["user_code"], device.get("verification_uri_complete")
        )
        endpoint: str = metadata["token_endpoint"]
        fields = _poll(client, endpoint, client_id, device, sleep, now)
    finally:
        if http_client is None:
            client.close()
    with store.lock():
        store.write(base_url, _login_of(fields, client_id, endpoint, "", now()))


def _poll(
    client: httpx2.Client,
    endpoint: str,
    client_id: str,
    device: Fields,
    sleep: Callable[[float], object],
    now: Callable[[], float],
) -> Fields:
    """Polls for the token until the user has decided."""
    interval = float(device.get("interval") or 5)
    end = now() + float(device.get("expires_in") or 900)
    body = {
        "grant_type": DEVICE_GRANT,
        "device_code": device["device_code"],
        "client_id": client_id,
    }
    while now() < end:
        sleep(interval)
        try:
            status, fields = _request_json(client, "POST", endpoint, data=body)
        except LoginError:
            # RFC 8628, section 3.5: a failed request doubles the interval.
            interval *= 2
            continue
        if status == 200:
            return fields
        match fields.get("error"):
            case "authorization_pending":
                continue
            case "slow_down":
                interval += 5
            case "expired_token":
                break
            case _:
                raise _oauth_error("Signing in failed", fields)
    raise LoginError("The code was not confirmed in time.", code="expired_token")


class LoginTokens:
    """The token of a login. One process at a time renews it."""

    def __init__(
        self,
        base_url: str,
        *,
        store: Store | None = None,
        now: Callable[[], float] = time.time,
        http_client: httpx2.Client | None = None,
    ) -> None:
        self._base_url = _check.base_url(base_url)
        self._store = store or Store()
        self._now = now
        self._client = http_client
        self._used = ""

    @property
    def exists(self) -> bool:
        """Whether the user has signed in."""
        return self._store.read(self._base_url) is not None

    def token(self) -> str:
        """A token that is valid for at least a minute."""
        login = self._read()
        if login["expires_at"] - EXPIRY_MARGIN <= self._now():
            login = self._renewed(login["access_token"])
        self._used = login["access_token"]
        return self._used

    def renew(self) -> bool:
        """Renews a rejected token. Raises LoginError if the login has expired."""
        self._renewed(self._used)
        return True

    def _read(self) -> Fields:
        login = self._store.read(self._base_url)
        if login is None:
            raise LoginError("You are not signed in: run engram-kb login.", code="not_signed_in")
        return login

    def _renewed(self, stale: str) -> Fields:
        with self._store.lock():
            login = self._read()
            # Another process may have renewed it during the wait for the lock.
            if login["access_token"] != stale and login["expires_at"] - EXPIRY_MARGIN > self._now():
                return login
            body = {
                "grant_type": "refresh_token",
                "refresh_token": login["refresh_token"],
                "client_id": login["client_id"],
            }
            client = self._client or httpx2.Client(timeout=30)
            try:
                status, fields = _request_json(client, "POST", login["token_endpoint"], data=body)
            finally:
                if self._client is None:
                    client.close()
            if status in (400, 401):
                raise LoginError("Your login has expired: run engram-kb login.", code="login_ended")
            if status != 200:
                raise _oauth_error("The login could not be renewed", fields)
            renewed = _login_of(
                fields,
                login["client_id"],
                login["token_endpoint"],
                login["refresh_token"],
                self._now(),
            )
            self._store.write(self._base_url, renewed)
            return renewed
