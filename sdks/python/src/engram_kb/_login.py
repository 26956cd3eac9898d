"""Signing in without a key: the OAuth device flow, and the tokens that it leaves.

RFC 8414 says where things are, RFC 7591 registers this program where the server wants that,
RFC 8628 has a person confirm in a browser. Tokens are kept in the user's config folder.
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
"""The name of this program where the server registers none."""
MARGIN = 60.0
"""Seconds before its end from which on a token is renewed."""

Fields = dict[str, Any]


def config_folder() -> Path:
    """The user's folder for settings of this program."""
    if os.name == "nt":
        base = os.environ.get("APPDATA")
        return Path(base) / "engram-kb" if base else Path.home() / "AppData/Roaming/engram-kb"
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "engram-kb"


@contextmanager
def _locked(path: Path) -> Generator[None]:
    """Holds the lock of a file; a rotating token may be used by one process only."""
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
    """The tokens of all servers, in one file that only its user may read."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or config_folder()) / "tokens.json"

    def lock(self) -> Any:
        """Keeps other processes from changing tokens meanwhile."""
        return _locked(self._path.with_suffix(".lock"))

    def _all(self) -> dict[str, Fields]:
        try:
            kept: object = json.loads(self._path.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return cast("dict[str, Fields]", kept) if isinstance(kept, dict) else {}

    def read(self, base_url: str) -> Fields | None:
        """What is kept for a server."""
        return self._all().get(base_url)

    def write(self, base_url: str, login: Fields) -> None:
        """Keeps a login; call it within the lock."""
        text = json.dumps(self._all() | {base_url: login}, indent=2)
        handle, beside = tempfile.mkstemp(dir=self._path.parent)  # Made with mode 0600.
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            # A refresh token that is lost is a sign-in that is lost.
            os.fsync(file.fileno())
        os.replace(beside, self._path)


def _sent(client: httpx2.Client, method: str, url: str, **body: Any) -> tuple[int, Fields]:
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


def _refused(what: str, fields: Fields) -> LoginError:
    code = str(fields.get("error") or "")
    reason = fields.get("error_description") or code or "the server gave no reason"
    return LoginError(f"{what}: {reason}.", code=code)


def discover(client: httpx2.Client, base_url: str) -> Fields:
    """Where the server's endpoints are."""
    parts = urlsplit(base_url)
    # RFC 8414, section 3.1: the well-known part stands before the path of the issuer.
    url = f"{parts.scheme}://{parts.netloc}/.well-known/oauth-authorization-server{parts.path}"
    status, metadata = _sent(client, "GET", url)
    if status != 200 or not isinstance(metadata.get("token_endpoint"), str):
        raise LoginError(
            f"{base_url} does not offer signing in from here. Use an API key instead.",
            code="no_oauth",
        )
    if str(metadata.get("issuer", "")).rstrip("/") != base_url:
        # RFC 8414, section 3.3: else another server could pass itself off as this one.
        raise LoginError(
            f"The server calls itself {metadata.get('issuer')!r}: use that as the address.",
            code="issuer",
        )
    return metadata


def register(client: httpx2.Client, metadata: Fields) -> str:
    """The id of this program at the server."""
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
    status, fields = _sent(client, "POST", endpoint, json=body)
    if status not in (200, 201) or not isinstance(fields.get("client_id"), str):
        raise _refused("This program could not be registered", fields)
    return fields["client_id"]


def _kept(fields: Fields, client_id: str, endpoint: str, before: str, now: float) -> Fields:
    if not isinstance(fields.get("access_token"), str):
        raise LoginError("The server's answer has no token.", code="no_token")
    return {
        "client_id": client_id,
        "token_endpoint": endpoint,
        "access_token": fields["access_token"],
        "refresh_token": fields.get("refresh_token") or before,
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
    """Signs in: `show` gets the page to open, the code to type there, and a page that has both."""
    base_url = _check.base_url(base_url)
    store = store or Store()
    client = http_client or httpx2.Client(timeout=30)
    try:
        metadata = discover(client, base_url)
        device_endpoint = metadata.get("device_authorization_endpoint")
        if not isinstance(device_endpoint, str):
            raise LoginError("The server knows no sign-in by a code.", code="no_device_flow")
        client_id = register(client, metadata)
        body = {"client_id": client_id, "scope": SCOPE}
        status, device = _sent(client, "POST", device_endpoint, data=body)
        if status != 200 or not all(
            isinstance(device.get(name), str)
            for name in ("device_code", "user_code", "verification_uri")
        ):
            raise _refused("Signing in could not begin", device)
        show(
            device["verification_uri"], device["user_code"], device.get("verification_uri_complete")
        )
        endpoint: str = metadata["token_endpoint"]
        fields = _poll(client, endpoint, client_id, device, sleep, now)
    finally:
        if http_client is None:
            client.close()
    with store.lock():
        store.write(base_url, _kept(fields, client_id, endpoint, "", now()))


def _poll(
    client: httpx2.Client,
    endpoint: str,
    client_id: str,
    device: Fields,
    sleep: Callable[[float], object],
    now: Callable[[], float],
) -> Fields:
    """Asks for the token until the person has decided."""
    pause = float(device.get("interval") or 5)
    end = now() + float(device.get("expires_in") or 900)
    body = {
        "grant_type": DEVICE_GRANT,
        "device_code": device["device_code"],
        "client_id": client_id,
    }
    while now() < end:
        sleep(pause)
        try:
            status, fields = _sent(client, "POST", endpoint, data=body)
        except LoginError:
            # RFC 8628, section 3.5: who does not get through asks less often.
            pause *= 2
            continue
        if status == 200:
            return fields
        match fields.get("error"):
            case "authorization_pending":
                continue
            case "slow_down":
                pause += 5
            case "expired_token":
                break
            case _:
                raise _refused("Signing in ended", fields)
    raise LoginError("The code was not confirmed in time.", code="expired_token")


class LoginTokens:
    """The token of a login, renewed before its end: by one process at a time."""

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
        """Whether somebody has signed in."""
        return self._store.read(self._base_url) is not None

    def token(self) -> str:
        """A token that has a minute left at least."""
        login = self._read()
        if login["expires_at"] - MARGIN <= self._now():
            login = self._renewed(login["access_token"])
        self._used = login["access_token"]
        return self._used

    def renew(self) -> bool:
        """Renews a token that the server refused. Raises LoginError if the login has ended."""
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
            # Another process may have renewed it while this one waited for the lock.
            if login["access_token"] != stale and login["expires_at"] - MARGIN > self._now():
                return login
            body = {
                "grant_type": "refresh_token",
                "refresh_token": login["refresh_token"],
                "client_id": login["client_id"],
            }
            client = self._client or httpx2.Client(timeout=30)
            try:
                status, fields = _sent(client, "POST", login["token_endpoint"], data=body)
            finally:
                if self._client is None:
                    client.close()
            if status in (400, 401):
                raise LoginError("Your login has ended: run engram-kb login.", code="login_ended")
            if status != 200:
                raise _refused("The login could not be renewed", fields)
            renewed = _kept(
                fields,
                login["client_id"],
                login["token_endpoint"],
                login["refresh_token"],
                self._now(),
            )
            self._store.write(self._base_url, renewed)
            return renewed
