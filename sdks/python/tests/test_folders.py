"""A folder that is synced with the real server, and checks before anything is sent."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from conftest import SLOW, OddServer, RealServer, http, wait_until

from engram_kb import (
    ArgumentError,
    AsyncEngram,
    ConflictError,
    Device,
    DeviceReport,
    Digest,
    Engram,
    FolderReport,
    NotFoundError,
    RefusedFile,
)

ID = "0b2f1c9e-6a53-4d5e-9f3e-111111111111"
CHANGED = datetime(2025, 11, 2, 10, tzinfo=UTC)


def digest(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest(), len(content))


def test_a_folder_is_synced_until_its_device_is_removed(engram: Engram, tmp_path: Path) -> None:
    device = engram.devices.register("Home-PC", platform="Linux", version="1.0.0")
    assert [listed.id for listed in engram.devices.list()] == [device.id]
    notice = tmp_path / "notice.txt"
    notice.write_text("The notice is three months.")
    paths = {"Papers/notice.txt": notice, "Papers/other.txt": b"Never sent."}
    assert [checked.state for checked in engram.files.check(paths)] == ["new", "new"]

    file = engram.files.upload(
        notice, path="Papers/notice.txt", modified_at=CHANGED, device_id=device, wait=True
    )
    assert (file.path, file.modified_at, file.source) == (
        "Papers/notice.txt", CHANGED, "Connector",
    )  # fmt: skip
    known, new = engram.files.check(paths)
    assert (known.state, known.file_id, known.reason) == ("known", file.id, None)
    assert new.state == "new"

    engram.files.place(file, path="Papers/tax/2025/notice.txt", device_id=device.id)
    assert [listed.path for listed in engram.files.list(folder="Papers/tax")] == [
        "Papers/tax/2025/notice.txt"
    ]

    changed = engram.files.upload(
        b"The notice is four months now.",
        path="Papers/tax/2025/notice.txt",
        replaces=file,
        device_id=device,
        wait=True,
    )
    assert changed.name == "notice.txt"
    # The server deletes the replaced file shortly after the new one is ready.
    wait_until(lambda: [listed.id for listed in engram.files.list("notice.txt")] == [changed.id])

    engram.files.delete(changed)
    old_notice = b"The notice is four months now."
    [deleted] = engram.files.check({"Papers/notice.txt": digest(old_notice)})
    assert deleted.state == "deleted"
    with pytest.raises(ConflictError) as caught:
        engram.files.upload(old_notice, path="Papers/notice.txt", device_id=device)
    assert caught.value.code == "deleted_by_person"

    engram.devices.end(device)
    with pytest.raises(NotFoundError):
        engram.devices.report(device)


def test_a_device_reports_its_progress(engram: Engram) -> None:
    device = engram.devices.register("Laptop", platform="Linux", version="1.0.0")
    report = DeviceReport(
        folders=[FolderReport(name="Papers", state="current", files=1, waiting=0, refused=1)],
        refused=[RefusedFile(path="Papers/a.exe", reason="This type is not supported.")],
        current_at=CHANGED,
    )
    updated = engram.devices.report(device, report, version="1.0.1")
    assert (updated.id, updated.name, updated.version) == (device.id, "Laptop", "1.0.1")
    assert (updated.report, updated.paused, updated.sync_asked_at) == (report, False, None)
    again = engram.devices.report(device.id, name="Desk", platform="Linux", version="2.0.0")
    assert (again.id, again.name) == (device.id, "Desk")
    engram.devices.end(device.id)


def test_the_async_client_does_the_same(server: RealServer, key: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncEngram(server.url, key, timeout=SLOW) as engram:
            device = await engram.devices.register("Server", platform="Linux", version="1.0.0")
            (tmp_path / "lock.txt").write_text("The lock is by the gate.")
            paths = {"Notes/lock.txt": tmp_path / "lock.txt"}
            assert [checked.state for checked in await engram.files.check(paths)] == ["new"]
            file = await engram.files.upload(
                tmp_path / "lock.txt", path="Notes/lock.txt", device_id=device, wait=True
            )
            await engram.files.place(
                file, path="Notes/Gate/lock.txt", modified_at=CHANGED, device_id=device
            )
            moved = await engram.files.get(file)
            assert (moved.path, moved.modified_at) == ("Notes/Gate/lock.txt", CHANGED)
            assert [checked.file_id for checked in await engram.files.check(paths)] == [file.id]
            assert (await engram.devices.report(device)).report is None
            await engram.devices.end(device)
            assert device.id not in [listed.id for listed in await engram.devices.list()]

    anyio.run(main)


def test_more_files_than_one_call_accepts_are_returned_in_order(engram: Engram) -> None:
    sent = engram.files.upload(b"Somewhere among many.", name="among.txt")
    contents = {f"Many/{n}.txt": f"Number {n}".encode() for n in range(2100)}
    contents["Many/1500.txt"] = b"Somewhere among many."
    answers = engram.files.check(contents)
    assert [answer.sha256 for answer in answers] == [
        digest(content).sha256 for content in contents.values()
    ]
    assert [n for n, answer in enumerate(answers) if answer.file_id == sent.id] == [1500]


def test_long_paths_are_split_into_calls_that_the_server_accepts(engram: Engram) -> None:
    deep = "/".join(["ä" * 200] * 15)
    contents = {f"Deep/{deep}/{n}.txt": Digest(f"{n:064x}", n) for n in range(400)}
    answers = engram.files.check(contents)
    assert [answer.sha256 for answer in answers] == [
        content.sha256 for content in contents.values()
    ]


def test_an_empty_check_makes_no_call(odd: OddServer) -> None:
    with Engram(odd.url, "k") as engram:
        assert engram.files.check({}) == []
    assert odd.requests == []


def test_a_path_is_sent_in_the_form_that_the_server_stores(odd: OddServer) -> None:
    odd.replies = [http("200 OK", '{"message": "OK", "data": []}')]
    with Engram(odd.url, "k") as engram:
        engram.files.check({"Papers/a\u0308\udce4.txt": b""})
    [entry] = json.loads(odd.requests[0].body)["files"]
    assert entry["path"] == "Papers/ä\ufffd.txt"


def test_a_device_of_a_newer_server_is_parsed() -> None:
    device = Device.model_validate(
        {
            "id": ID,
            "name": "Home-PC",
            "platform": "Linux",
            "version": "1.0.0",
            "createdAt": "2025-11-02T10:00:00Z",
            "lastSeenAt": "2025-11-02T10:00:00Z",
            "report": {
                "folders": [
                    {"name": "A", "state": "resting", "files": 0, "waiting": 0, "refused": 0}
                ],
                "refused": [],
                "currentAt": None,
                "speed": 7,
            },
            "paused": False,
            "syncAskedAt": None,
            "color": "green",
        }
    )
    assert device.report
    assert device.report.folders[0].state == "resting"
    assert device.model_extra == {"color": "green"}


WRONG_PATHS = ["", "/a", "a/", "a//b", "a/../b", "./a", "a\\b", "a\nb", "a" * 4001]


@pytest.mark.parametrize("path", WRONG_PATHS)
def test_an_invalid_path_is_refused_before_anything_is_sent(odd: OddServer, path: str) -> None:
    with Engram(odd.url, "k") as engram:
        wrong: list[Callable[[], object]] = [
            lambda: engram.files.check({path: b""}),
            lambda: engram.files.place(ID, path=path, device_id=ID),
            lambda: engram.files.upload(b"a", name="a.txt", path=path),
        ]
        for call in wrong:
            with pytest.raises(ArgumentError):
                call()
    assert odd.requests == []


def a_folder(**changes: Any) -> DeviceReport:
    defaults = {"name": "A", "state": "current", "files": 0, "waiting": 0, "refused": 0}
    return DeviceReport(folders=[FolderReport.model_validate(defaults | changes)])


def test_invalid_arguments_are_refused_before_anything_is_sent(
    odd: OddServer, tmp_path: Path
) -> None:
    refused = [RefusedFile(path="a", reason="No.")] * 101
    reports = [
        a_folder(state="resting"),
        a_folder(files=-1),
        a_folder(name=" "),
        DeviceReport(folders=[], refused=refused),
        DeviceReport(folders=a_folder().folders * 51),
        DeviceReport(folders=[], current_at=datetime(2025, 1, 1)),
    ]
    with Engram(odd.url, "k") as engram:
        wrong = [
            lambda: engram.files.check({"A/a": tmp_path}),
            lambda: engram.files.check({"A/a": Digest("abc", 1)}),
            lambda: engram.files.check({"A/a": Digest("a" * 64, -1)}),
            lambda: engram.files.check({"A/a": 7}),  # pyright: ignore[reportArgumentType]
            lambda: engram.files.check(["a.txt"]),  # pyright: ignore[reportArgumentType]
            lambda: engram.files.place("all", path="A/a", device_id=ID),
            lambda: engram.files.place(ID, path="A/a", device_id="mine"),
            lambda: engram.files.place(ID, path="A/a", device_id=ID, replaces="b"),
            lambda: engram.files.upload(b"a", path="A/a", modified_at=datetime(2025, 1, 1)),
            lambda: engram.files.upload(b"a", path="A/a", device_id="mine"),
            lambda: engram.devices.register("", platform="b", version="c"),
            lambda: engram.devices.register("a", platform="b" * 201, version="c"),
            lambda: engram.devices.report(ID),
            lambda: engram.devices.report("mine", name="a", platform="b", version="c"),
            lambda: engram.devices.end("mine"),
        ]
        for call in wrong:
            with pytest.raises(ArgumentError):
                call()
        for report in reports:
            with pytest.raises(ArgumentError):
                engram.devices.report(ID, report, name="a", platform="b", version="c")
    assert odd.requests == []


HASHING = """
import resource, sys
from engram_kb import Engram
with Engram(sys.argv[1], sys.argv[2], timeout=300) as engram:
    engram.files.check({"A/warm.txt": b"warm"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    engram.files.check({"A/large.bin": "large.bin"})
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_a_large_file_is_hashed_with_little_memory(
    server: RealServer, key: str, tmp_path: Path
) -> None:
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(200 << 20)
    done = subprocess.run(
        [sys.executable, "-c", HASHING, server.url, key],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 20
