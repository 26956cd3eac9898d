import io
import json
import socket
import threading
from pathlib import Path

import anyio
import anyio.lowlevel
import httpx2
import pytest
from conftest import OddServer, file_fields, http

import engram_kb
from engram_kb import (
    AnswerFailedError,
    APIError,
    ArgumentError,
    AsyncEngram,
    ClientClosedError,
    ConnectionFailedError,
    Engram,
    MalformedResponseError,
    RateLimitError,
    ServiceUnavailableError,
    StreamBrokenError,
    TimedOutError,
    WaitTimeoutError,
)

ID = "0b2f1c9e-6a53-4d5e-9f3e-111111111111"
OK = http("200 OK", '{"message": "OK", "data": ["When does the lease end?"]}')


def connect(odd: OddServer, waits: list[float], **options: float) -> Engram:
    return Engram(odd.url, "eg_test", sleep=waits.append, **options)  # pyright: ignore[reportArgumentType]


STATUSES = {
    400: "BadRequestError",
    401: "AuthenticationError",
    402: "PaymentRequiredError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    409: "ConflictError",
    410: "GoneError",
    413: "TooLargeError",
    415: "UnsupportedTypeError",
    416: "RangeNotSatisfiableError",
    429: "RateLimitError",
    418: "APIError",
    500: "ServerError",
    503: "ServiceUnavailableError",
    507: "InsufficientStorageError",
}


@pytest.mark.parametrize("status", STATUSES)
def test_each_status_has_its_own_error_class(odd: OddServer, status: int) -> None:
    body = json.dumps({"message": "A sentence.", "code": "a_code"})
    odd.replies = [http(f"{status} Odd", body, retry_after="7", x_request_id="r-1")]
    with connect(odd, [], max_retries=0) as engram, pytest.raises(APIError) as caught:
        engram.suggestions()
    error = caught.value
    assert type(error) is getattr(engram_kb, STATUSES[status])
    assert (error.status, error.code, str(error)) == (status, "a_code", "A sentence.")
    assert (error.retry_after, error.request_id) == (7.0, "r-1")


def test_a_malformed_response_is_reported_with_its_request(odd: OddServer) -> None:
    failed = 'event: error\ndata: {"message": "It broke.", "code": "internal"}\n\n'
    odd.replies = [
        http("200 OK", '{"data": 7}', x_request_id="r-2"),
        http("200 OK", failed, content_type="text/event-stream", x_request_id="r-3"),
        http("200 OK", "event: delta\ndata: 7\n\n", content_type="text/event-stream"),
    ]
    with connect(odd, []) as engram:
        with pytest.raises(MalformedResponseError) as malformed:
            engram.suggestions()
        with engram.ask_stream("When?") as stream, pytest.raises(AnswerFailedError) as broken:
            list(stream)
        with (
            engram.ask_stream("When?") as stream,
            pytest.raises(MalformedResponseError) as invalid,
        ):
            list(stream)
    ids = [caught.value.request_id for caught in (malformed, broken, invalid)]
    assert ids == ["r-2", "r-3", None]


def test_an_html_response_of_a_proxy_is_an_api_error(odd: OddServer) -> None:
    odd.replies = [http("404 Not Found", "<h1>nginx</h1>")]
    with connect(odd, []) as engram, pytest.raises(APIError) as caught:
        engram.suggestions()
    assert (caught.value.code, caught.value.status) == ("http", 404)


def test_retries_back_off_and_respect_retry_after(odd: OddServer) -> None:
    waits: list[float] = []
    odd.replies = [http("503 Busy"), http("429 Slow", retry_after="3"), OK]
    with connect(odd, waits) as engram:
        assert engram.suggestions() == ["When does the lease end?"]
    assert 0.25 <= waits[0] <= 0.5
    assert 3.0 <= waits[1] <= 3.25
    odd.replies = [http("503 Busy")] * 3
    with connect(odd, waits) as engram, pytest.raises(ServiceUnavailableError):
        engram.suggestions()
    assert len(odd.requests) == 6


def test_a_retry_after_of_minutes_is_not_waited_for(odd: OddServer) -> None:
    odd.replies = [http("429 Slow", retry_after="600")]
    with connect(odd, []) as engram, pytest.raises(RateLimitError) as caught:
        engram.suggestions()
    assert caught.value.retry_after == 600


def test_a_question_is_retried_only_if_it_was_not_counted(odd: OddServer) -> None:
    waits: list[float] = []
    with connect(odd, waits) as engram:
        odd.replies = [http("503 Busy", retry_after="1")]
        with pytest.raises(ServiceUnavailableError):
            engram.ask("When?")
        odd.replies = [lambda link: link.close()]
        with pytest.raises(ConnectionFailedError):
            engram.ask("When?")
        assert waits == []
        odd.replies = [http("429 Slow", retry_after="1"), http("402 Used up")]
        with pytest.raises(APIError) as caught:
            engram.ask("When?")
    assert (caught.value.status, len(waits), len(odd.requests)) == (402, 1, 4)


def test_a_server_that_is_down_gets_three_attempts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    waits: list[float] = []
    with (
        Engram(f"http://127.0.0.1:{port}", "k", sleep=waits.append) as engram,
        pytest.raises(ConnectionFailedError) as caught,
    ):
        engram.ask("When?")
    assert caught.value.reached is False
    assert len(waits) == 2


def test_a_server_that_does_not_respond_times_out(odd: OddServer) -> None:
    ended = threading.Event()

    def do_not_respond(_: socket.socket) -> None:
        ended.wait(30)

    odd.replies = [do_not_respond]
    with connect(odd, [], timeout=0.2, max_retries=0) as engram, pytest.raises(TimedOutError):
        engram.suggestions()
    ended.set()


def test_a_wait_for_a_file_ends_after_its_time(odd: OddServer) -> None:
    stored = {"artifactId": ID, "fileName": "slow.txt", "duplicate": False}
    uploaded = {"artifactGroupId": ID, "artifacts": [stored], "rejected": []}
    file = file_fields(artifactFileName="slow.txt", uploadStatus="PROCESSING")
    odd.replies = [
        http("200 OK", json.dumps({"message": "OK", "data": data})) for data in (uploaded, file)
    ]
    waits: list[float] = []
    with connect(odd, waits) as engram, pytest.raises(WaitTimeoutError, match=r"slow\.txt"):
        engram.files.upload(b"Never read.", name="slow.txt", wait=0.000_001)
    assert waits == []


@pytest.mark.parametrize("body", ["no json", "[]", '{"data": 7}', '{"message": "OK"}'])
def test_an_invalid_response_is_reported(odd: OddServer, body: str) -> None:
    odd.replies = [http("200 OK", body)]
    with connect(odd, []) as engram, pytest.raises(MalformedResponseError):
        engram.suggestions()


STREAM = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n{}\r\n"
DELTA = 'event: delta\ndata: {"text": "In May."}\n\n'


@pytest.mark.parametrize(
    ("head", "events", "kind"),
    [
        ("", DELTA, StreamBrokenError),
        ("content-length: 9000\r\n", DELTA, StreamBrokenError),
        ("", "event: delta\ndata: {\n\n", MalformedResponseError),
        ("", 'event: done\ndata: {"text": 1}\n\n', MalformedResponseError),
        ("", 'event: error\ndata: {"message": "No.", "code": "busy"}\n\n', AnswerFailedError),
    ],
)
def test_a_stream_that_fails_reports_the_error(
    odd: OddServer, head: str, events: str, kind: type[Exception]
) -> None:
    reply = (STREAM.format(head) + events).encode()

    async def listen() -> None:
        async with AsyncEngram(odd.url, "k") as engram:
            async for _ in await engram.ask_stream("When?"):
                pass

    odd.replies = [reply, reply]
    with connect(odd, []) as engram, pytest.raises(kind):
        list(engram.ask_stream("When?"))
    with pytest.raises(kind):
        anyio.run(listen)


def test_an_unknown_event_is_skipped(odd: OddServer) -> None:
    odd.replies = [(STREAM.format("") + "event: later\ndata: {}\n\n" + DELTA).encode()]
    with connect(odd, []) as engram, engram.ask_stream("When?") as stream:
        assert next(iter(stream)) == engram_kb.Delta(text="In May.")


def test_an_interrupted_download_leaves_no_file(odd: OddServer, tmp_path: Path) -> None:
    odd.replies = [http("200 OK", b"half", content_length="900")]
    with connect(odd, []) as engram, pytest.raises(StreamBrokenError):
        engram.history.audio(ID, tmp_path / "answer.mp3")
    assert list(tmp_path.iterdir()) == []


def test_invalid_arguments_are_refused_before_anything_is_sent(
    odd: OddServer, tmp_path: Path
) -> None:
    with connect(odd, []) as engram:
        wrong = [
            lambda: engram.ask(" "),
            lambda: engram.ask("a" * 301),
            lambda: engram.ask("When?", keywords=["two words"]),
            lambda: engram.ask("When?", keywords="Home"),
            lambda: engram.ask("When?", keywords=["a" * 26]),
            lambda: engram.ask("When?", after="../7"),
            lambda: engram.files.upload(tmp_path),
            lambda: engram.files.upload(b"no name"),
            lambda: engram.files.upload(io.StringIO("text"), name="a.txt"),  # pyright: ignore[reportArgumentType]
            lambda: engram.files.upload_many([]),
            lambda: engram.files.list(status="LOST"),  # pyright: ignore[reportArgumentType]
            lambda: engram.files.list(sort="color"),  # pyright: ignore[reportArgumentType]
            lambda: engram.files.list(page_size=0),
            lambda: engram.files.delete("all"),
            lambda: engram.files.delete_many([]),
            lambda: engram.keywords.add(""),
        ]
        for call in wrong:
            with pytest.raises(ArgumentError):
                call()
    assert odd.requests == []


def test_a_missing_file_raises_the_error_of_python_and_sends_nothing(
    odd: OddServer, tmp_path: Path
) -> None:
    missing = tmp_path / "missing.txt"

    async def upload() -> None:
        async with AsyncEngram(odd.url, "k") as engram:
            await engram.files.upload(missing)

    with connect(odd, []) as engram:
        for call in (
            lambda: engram.files.upload(missing),
            lambda: engram.files.upload_many([str(missing)]),
            lambda: engram.files.check({"Papers/missing.txt": missing}),
            lambda: engram.transcribe(missing),
            lambda: anyio.run(upload),
        ):
            with pytest.raises(FileNotFoundError) as caught:
                call()
            assert caught.value.filename == str(missing)
        with pytest.raises(FileNotFoundError):
            engram.history.audio(ID, tmp_path / "no" / "folder.mp3")
    assert odd.requests == []


def test_a_closed_client_raises_an_error_of_the_sdk(odd: OddServer) -> None:
    engram = connect(odd, [])
    odd.replies = [(STREAM.format("") + DELTA).encode()]
    stream = engram.ask_stream("When?")
    stream.close()
    with pytest.raises(StreamBrokenError):
        list(stream)
    engram.close()
    with pytest.raises(ClientClosedError, match="closed"):
        engram.suggestions()
    with pytest.raises(ClientClosedError):
        engram.ask_stream("When?")

    async def ask() -> None:
        closed = AsyncEngram(odd.url, "k")
        await closed.aclose()
        with pytest.raises(ClientClosedError):
            await closed.ask("When?")

    anyio.run(ask)
    assert len(odd.requests) == 1


def test_a_function_provides_the_token_of_each_request(odd: OddServer) -> None:
    tokens = iter(["first", "expired", "new", "async", ""])
    odd.replies = [OK, http("401 Expired"), OK, OK]
    with Engram(odd.url, token=lambda: next(tokens)) as engram:
        engram.suggestions()
        engram.suggestions()

    async def fetch() -> str:
        await anyio.lowlevel.checkpoint()
        return next(tokens)

    async def ask() -> None:
        async with AsyncEngram(odd.url, token=fetch) as engram:
            await engram.suggestions()
            with pytest.raises(ArgumentError, match="The token is empty"):
                await engram.suggestions()

    anyio.run(ask)
    sent = [request.headers["authorization"] for request in odd.requests]
    assert sent == ["Bearer first", "Bearer expired", "Bearer new", "Bearer async"]
    with (
        Engram(odd.url, token=fetch) as engram,  # pyright: ignore[reportArgumentType]
        pytest.raises(ArgumentError, match="AsyncEngram"),
    ):
        engram.suggestions()


def test_an_unknown_keyword_argument_is_a_type_error(odd: OddServer) -> None:
    with connect(odd, []) as engram:
        for call in (
            lambda: engram.ask("When?", keyword=["Home"]),  # pyright: ignore
            lambda: engram.files.list(limit=3),  # pyright: ignore
            lambda: Engram(odd.url, "k", retries=3),  # pyright: ignore[reportCallIssue]
        ):
            with pytest.raises(TypeError):
                call()
    assert odd.requests == []


def test_invalid_settings_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGRAM_API_KEY", raising=False)
    for wrong in (
        lambda: Engram(),
        lambda: Engram("localhost:3000", "k"),
        lambda: Engram("ftp://localhost", "k"),
        lambda: Engram(api_key="two words"),
        lambda: Engram(api_key="a\r\nb"),
        lambda: Engram(api_key="k", token="t"),
        lambda: Engram(api_key=""),
        lambda: Engram(token=""),
        lambda: Engram("", "k"),
        lambda: Engram(api_key="k", timeout=0),
        lambda: Engram(api_key="k", max_retries=-1),
    ):
        with pytest.raises(ArgumentError):
            wrong()


def test_the_environment_and_a_custom_client_are_used(
    odd: OddServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_BASE_URL", f"{odd.url}/v1/")
    monkeypatch.setenv("ENGRAM_API_KEY", "eg_mine")
    odd.replies = [OK, OK]
    with httpx2.Client(headers={"x-mine": "yes"}) as client:
        Engram(http_client=client).suggestions()
        assert not client.is_closed
    assert odd.requests[0].headers["engram-api-key"] == "eg_mine"
    assert odd.requests[0].headers["x-mine"] == "yes"
    Engram(token="a-token").suggestions()
    assert odd.requests[1].headers["authorization"] == "Bearer a-token"
    assert "engram-api-key" not in odd.requests[1].headers
