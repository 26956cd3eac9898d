import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import fake_oauth
import pytest
from conftest import OddServer, RealServer, http

from engram_kb import AsyncEngram, Engram, LoginError
from engram_kb._command import main
from engram_kb._login import LoginTokens, Store, config_folder, log_in


class Clock:
    def __init__(self) -> None:
        self.time = 1_000_000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@pytest.fixture
def oauth() -> Iterator[fake_oauth.OAuth]:
    with fake_oauth.serve() as served:
        yield served


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "config")


def sign_in(oauth: fake_oauth.OAuth, store: Store, clock: Clock) -> list[tuple[str, str]]:
    shown: list[tuple[str, str]] = []

    def show(page: str, code: str, whole: str | None) -> None:
        shown.append((whole or page, code))

    log_in(oauth.url, show, store=store, sleep=clock.sleep, now=clock.now)
    return shown


def test_a_user_confirms_and_the_tokens_are_stored(
    oauth: fake_oauth.OAuth, store: Store, tmp_path: Path
) -> None:
    clock = Clock()
    oauth.pending_errors = ["authorization_pending", "slow_down", "authorization_pending"]
    shown = sign_in(oauth, store, clock)
    assert shown == [(f"{oauth.url}/device?user_code=WDJB-MJHT", "WDJB-MJHT")]
    assert clock.slept == [5, 5, 10, 10]
    stored = tmp_path / "config" / "tokens.json"
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    assert json.loads(stored.read_text())[oauth.url]["refresh_token"] == "refresh-1"
    tokens = LoginTokens(oauth.url, store=store, now=clock.now)
    with Engram(oauth.url, token=tokens) as engram:
        assert engram.suggestions() == ["signed in"]


def test_a_server_without_registration_identifies_this_program(
    oauth: fake_oauth.OAuth, store: Store
) -> None:
    oauth.registers = False
    oauth.clients.add("engram-kb")
    sign_in(oauth, store, Clock())
    login = store.read(oauth.url)
    assert login
    assert login["client_id"] == "engram-kb"


@pytest.mark.parametrize("error", ["access_denied", "expired_token"])
def test_a_user_who_denies_access_ends_the_login(
    oauth: fake_oauth.OAuth, store: Store, error: str
) -> None:
    oauth.pending_errors = ["authorization_pending", error]
    with pytest.raises(LoginError) as caught:
        sign_in(oauth, store, Clock())
    assert caught.value.code == error
    assert store.read(oauth.url) is None


def test_the_login_ends_when_the_code_expires(oauth: fake_oauth.OAuth, store: Store) -> None:
    oauth.pending_errors = ["authorization_pending"] * 500
    with pytest.raises(LoginError) as caught:
        sign_in(oauth, store, Clock())
    assert caught.value.code == "expired_token"


def test_a_token_is_renewed_before_its_expiry_by_one_process(
    oauth: fake_oauth.OAuth, store: Store
) -> None:
    clock = Clock()
    sign_in(oauth, store, clock)
    clock.time += 3600 - 59
    # Each store represents another process.
    with ThreadPoolExecutor(8) as pool:
        clients = [LoginTokens(oauth.url, store=store, now=clock.now) for _ in range(8)]
        assert set(pool.map(LoginTokens.token, clients)) == {"access-2"}
    assert oauth.refreshes == 1


def test_a_rejected_token_is_renewed_once(oauth: fake_oauth.OAuth, store: Store) -> None:
    clock = Clock()
    sign_in(oauth, store, clock)
    oauth.accepted = "another"
    tokens = LoginTokens(oauth.url, store=store, now=clock.now)
    with Engram(oauth.url, token=tokens) as engram:
        assert engram.suggestions() == ["signed in"]
    assert oauth.refreshes == 1

    async def listen() -> None:
        oauth.accepted = "another"
        async with AsyncEngram(oauth.url, token=tokens) as engram:
            assert await engram.suggestions() == ["signed in"]

    anyio.run(listen)
    assert oauth.refreshes == 2


def test_an_ended_login_is_reported(oauth: fake_oauth.OAuth, store: Store) -> None:
    clock = Clock()
    sign_in(oauth, store, clock)
    oauth.refresh_token = "revoked"
    clock.time += 4000
    with pytest.raises(LoginError, match="run engram-kb login"):
        LoginTokens(oauth.url, store=store, now=clock.now).token()


def test_the_command_says_how_to_sign_in_when_the_login_has_ended(
    oauth: fake_oauth.OAuth,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("ENGRAM_API_KEY", raising=False)
    clock = Clock()
    clock.time = 4_000_000_000
    sign_in(oauth, Store(), clock)
    oauth.accepted, oauth.refresh_token = "another", "revoked"
    for command in (["list"], ["ask", "When?"], ["upload", __file__]):
        assert main([*command, "--url", oauth.url]) == 1
        assert capsys.readouterr().err == (
            "engram-kb: Your login has expired: run engram-kb login.\n"
        )


def test_flags_work_before_and_after_the_subcommand(
    odd: OddServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("ENGRAM_API_KEY", "eg_test")
    monkeypatch.setenv("ENGRAM_BASE_URL", "http://localhost:1")
    url = ["--url", odd.url]
    for arguments in (
        [*url, "--json", "list"],
        ["list", *url, "--json"],
        ["--json", "list", *url],
        [*url, "list", "--json"],
    ):
        odd.replies = [http("200 OK", '{"data": []}')]
        assert main(arguments) == 0
        assert json.loads(capsys.readouterr().out) == []
    missing = tmp_path / "missing.txt"
    for arguments in (["--json", "upload", str(missing)], ["upload", str(missing), "--json"]):
        assert main([*arguments, *url]) == 1
        output = capsys.readouterr()
        assert json.loads(output.out)[0]["code"] == "ENOENT"
        assert output.err == f"{missing}: No such file or directory\n"
    for arguments in (["--version"], ["list", "--version"]):
        with pytest.raises(SystemExit) as done:
            main(arguments)
        assert done.value.code == 0


def test_a_server_without_login_and_another_service_are_reported(
    odd: OddServer, store: Store
) -> None:
    odd.replies = [http("404 Not Found")]
    with pytest.raises(LoginError) as caught:
        log_in(odd.url, lambda page, code, whole: None, store=store)
    assert caught.value.code == "no_oauth"
    odd.replies = [http("200 OK", '{"issuer": "http://other", "token_endpoint": "http://other/t"}')]
    with pytest.raises(LoginError) as caught:
        log_in(odd.url, lambda page, code, whole: None, store=store)
    assert caught.value.code == "issuer"


def test_the_command_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("ENGRAM_API_KEY", raising=False)
    assert config_folder() == tmp_path / "engram-kb"
    assert main(["list", "--json"]) == 1
    output = capsys.readouterr()
    assert json.loads(output.out)["code"] == "not_signed_in"
    assert "engram-kb login" in output.err


def test_the_command_uses_a_login(
    oauth: fake_oauth.OAuth,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("ENGRAM_API_KEY", raising=False)
    store = Store()
    clock = Clock()
    clock.time = 4_000_000_000
    sign_in(oauth, store, clock)
    assert main(["list", "--url", oauth.url]) == 1
    assert "No such call." in capsys.readouterr().err


def test_importing_the_package_loads_neither_library() -> None:
    code = "import sys, engram_kb; print([m for m in ('httpx2', 'pydantic') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == "[]"


def test_the_real_server_authorizes_the_command_and_renews_its_token(
    server: RealServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.delenv("ENGRAM_API_KEY", raising=False)
    token = server.sign_in("login@example.org")

    def allow(page: str, code: str, whole: str | None) -> None:
        assert page == f"{server.url}/device"
        server.call(token, "/connect/device/allow", {"userCode": code})

    store = Store()
    log_in(server.url, allow, store=store, sleep=lambda seconds: None)
    note = tmp_path / "gate.txt"
    note.write_text("The gate code is 4711.")
    assert main(["upload", str(note), "--wait", "--url", server.url]) == 0
    assert main(["ask", "What is the gate code?", "--url", server.url]) == 0
    assert "4711" in capsys.readouterr().out

    before = store.read(server.url)
    assert before
    store.write(server.url, {**before, "expires_at": 0})
    assert main(["list", "--json", "--url", server.url]) == 0
    assert "gate.txt" in capsys.readouterr().out
    after = store.read(server.url)
    assert after
    assert after["refresh_token"] != before["refresh_token"]
