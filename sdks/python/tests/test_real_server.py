"""The clients against the real server."""

import io
import threading
from pathlib import Path

import anyio
import httpx2
import pytest
from conftest import SLOW, RealServer

from engram_kb import (
    AsyncEngram,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    Done,
    Engram,
    NotFoundError,
    Sources,
    UnsupportedTypeError,
)


def test_a_file_is_uploaded_changed_and_deleted(engram: Engram, tmp_path: Path) -> None:
    progress: list[tuple[int, int | None]] = []
    content = b"The lease ends in May.\n" * 9000
    file = engram.files.upload(
        io.BytesIO(content),
        name='lease (old) ä "1".txt',
        keywords=["Home"],
        on_progress=lambda sent, total: progress.append((sent, total)),
        wait=True,
    )
    assert (file.status, file.searchable, file.keywords, file.source) == (
        "SUCCESS", True, ["Home"], "API",
    )  # fmt: skip
    assert (file.stage, file.settled) == ("ready", True)
    assert progress[-1] == (len(content), len(content))
    assert len(progress) > 1
    assert engram.files.text(file).startswith("The lease ends in May.")
    assert engram.files.segments(file)[0].location.line == 1
    assert engram.files.words(file) == []
    assert engram.files.link(file).size == len(content)
    assert engram.files.download(file.id, tmp_path).read_bytes() == content
    assert engram.files.set_keywords(file, ["Home", "Old"]).keywords == ["Home", "Old"]
    assert engram.files.archive(file).archived
    assert not engram.files.unarchive(file).archived
    with pytest.raises(ConflictError):
        engram.files.retry(file)
    engram.files.delete(file)
    with pytest.raises(NotFoundError):
        engram.files.get(file.id)
    assert engram.files.delete_many([file]) == []


def test_lists_continue_over_pages(engram: Engram) -> None:
    for number in range(5):
        content = f"Page {number} of many.".encode()
        engram.files.upload(content, name=f"many-{number}.txt", wait=True)
    names = [file.name for file in engram.files.list("many-", sort="name", page_size=2)]
    assert names == [f"many-{number}.txt" for number in range(5)]
    first = next(engram.files.list("many-", page_size=2).pages())
    assert (len(first.rows), first.total) == (2, 5)
    found = engram.files.list("many-", sort="name", offset=3)
    assert [file.name for file in found] == names[3:]
    assert (len(found), len(engram.files.list("many-", page_size=2))) == (2, 5)
    assert engram.files.list("many-", status="SUCCESS")
    assert not engram.files.list("no such name")
    assert not engram.history.list()


def test_an_async_list_says_whether_it_is_empty(server: RealServer, key: str) -> None:
    async def check() -> None:
        async with AsyncEngram(server.url, key, timeout=SLOW) as engram:
            pages = engram.files.list("no such name")
            assert await pages.is_empty()
            assert [file async for file in pages] == []
            with pytest.raises(TypeError, match="is_empty"):
                bool(pages)

    anyio.run(check)


def test_files_that_the_server_rejects_are_reported(engram: Engram, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedTypeError):
        engram.files.upload(b"MZ\x00\x01" * 50, name="program.exe")
    (tmp_path / "program.exe").write_bytes(b"MZ\x00\x01" * 60)
    (tmp_path / "note.txt").write_text("The gate is shut at nine.")
    report = engram.files.upload_many(
        [tmp_path / "program.exe", tmp_path / "note.txt"],
        keywords_by_name={"note.txt": ["Gate"]},
        wait=True,
    )
    assert [file.name for file in report.rejected] == ["program.exe"]
    assert [(file.name, file.keywords) for file in report.files] == [("note.txt", ["Gate"])]


def test_a_file_is_waited_for_after_its_upload(engram: Engram) -> None:
    file = engram.files.upload(b"Waited for later.", name="later.txt")
    assert engram.files.wait(file).status == "SUCCESS"
    assert engram.files.all_ready() in (True, False)


def test_questions_the_history_and_other_calls_work(engram: Engram) -> None:
    engram.files.add_text("The boathouse is painted green.", wait=True)
    answer = engram.ask("How is the boathouse painted?", explain=True)
    assert answer.grounded
    assert (answer.mode, answer.found[0].text) == ("found", "The boathouse is painted green.")
    assert answer.found[0].file_id == answer.citations[0].file_id
    assert "The boathouse is painted green." in answer.text
    assert answer.explain
    assert answer.explain.passages
    with engram.ask_stream("How is the boathouse painted?", after=answer) as stream:
        events = list(stream)
    assert isinstance(events[0], Sources)
    assert events[0].citations == stream.answer.citations != []
    assert events[0].found == stream.answer.found != []
    assert events[-1] == Done(stream.answer)
    entry = engram.history.get(stream.answer)
    assert (entry.after, entry.text) == (answer.id, stream.answer.text)
    assert (entry.mode, entry.found) == ("found", stream.answer.found)
    assert engram.history.update(entry, saved=True).saved
    assert [saved.id for saved in engram.history.list(saved=True)] == [entry.id]
    assert len(engram.history.today("Europe/Berlin")) <= 2
    assert engram.profile().email.endswith("@example.org")
    assert isinstance(engram.suggestions(), list)
    assert isinstance(engram.recommendations(), list)
    with pytest.raises(NotFoundError):
        engram.ask("And?", after="0b2f1c9e-6a53-4d5e-9f3e-0123456789ab")
    engram.history.delete_all()
    assert list(engram.history.list()) == []


def test_keywords_are_added_listed_and_archived(engram: Engram) -> None:
    boats = engram.keywords.add("Boats")
    with pytest.raises(ConflictError):
        engram.keywords.add("boats")
    assert not engram.keywords.archive(boats).active
    assert engram.keywords.unarchive(boats).active
    listed = {keyword.keyword: keyword.files for keyword in engram.keywords.list(count_files=True)}
    assert listed["Boats"] == 0


def test_an_invalid_key_is_reported(server: RealServer) -> None:
    with (
        Engram(server.url, "eg_none") as client,
        pytest.raises(AuthenticationError) as caught,
    ):
        client.profile()
    assert caught.value.code == "invalid_api_key"


def test_an_error_has_the_request_id_of_the_log(server: RealServer, key: str) -> None:
    answered: list[httpx2.Response] = []
    with httpx2.Client(timeout=SLOW, event_hooks={"response": [answered.append]}) as client:
        engram = Engram(server.url, key, http_client=client)
        with pytest.raises(NotFoundError) as caught:
            engram.files.get("0b2f1c9e-6a53-4d5e-9f3e-0123456789ab")
    request_id = caught.value.request_id
    assert request_id
    assert request_id == answered[-1].headers["x-request-id"]
    line = server.logged(request_id)
    assert (line["reqId"], line["status"], line["code"]) == (request_id, 404, caught.value.code)


def test_invalid_values_that_only_the_server_detects_are_reported(engram: Engram) -> None:
    with pytest.raises(BadRequestError):
        engram.history.today("Nowhere/Land")


def test_the_async_client_does_the_same(server: RealServer, key: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncEngram(server.url, key, timeout=SLOW) as engram:
            await engram.files.delete_all()
            lines = [f"Row {n} of a long log.\n" for n in range(9000)]
            content = "".join(lines).encode()
            (tmp_path / "log.txt").write_bytes(content)
            progress: list[int] = []
            file = await engram.files.upload(
                tmp_path / "log.txt", on_progress=lambda sent, _: progress.append(sent), wait=True
            )
            assert progress[-1] == len(content)
            assert len(progress) > 1
            assert [listed.id async for listed in engram.files.list(page_size=1)] == [file.id]
            saved = await engram.files.download(file.id, tmp_path / "copy.txt")
            assert saved.read_bytes() == content
            await engram.files.add_text("The boathouse is painted green.", wait=True)
            async with await engram.ask_stream("How is the boathouse painted?") as stream:
                events = [event async for event in stream]
            assert events[-1] == Done(await stream.answer())
            answer = await engram.ask("How is the boathouse painted?")
            assert "The boathouse is painted green." in answer.text
            with pytest.raises(NotFoundError):
                await engram.files.get("0b2f1c9e-6a53-4d5e-9f3e-0123456789ab")

    anyio.run(main)


def test_files_are_read_in_threads(server: RealServer, key: str) -> None:
    readers: set[int] = set()

    class Watched(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            readers.add(threading.get_ident())
            return super().read(size)

    async def main() -> None:
        async with AsyncEngram(server.url, key, timeout=SLOW) as engram:
            await engram.files.upload(Watched(b"Read in a thread."), name="thread.txt")

    anyio.run(main)
    assert readers
    assert threading.get_ident() not in readers


def test_the_same_bytes_with_another_name_return_the_first_file(engram: Engram) -> None:
    first = engram.files.upload(b"Kept once.", name="first.txt")
    second = engram.files.upload(b"Kept once.", name="second.txt", keywords=["Twice"])
    assert (second.id, second.name, second.keywords) == (first.id, "first.txt", ["Twice"])
