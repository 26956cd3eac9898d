"""The output of `engram-kb ask`."""

import json
from typing import Any

import pytest
from conftest import OddServer, http

from engram_kb._command import main

ID = "0b2f1c9e-6a53-4d5e-9f3e-111111111111"


def place(n: int, content: str, **others: object) -> dict[str, Any]:
    return {
        "n": n,
        "artifactId": ID,
        "fileName": "lease.pdf",
        "path": None,
        "location": {"page": n},
        "start": 0,
        "end": len(content),
        **others,
    }


def section(n: int, text: str, newer: str | None = None) -> dict[str, Any]:
    return place(
        n,
        text,
        text=text,
        highlights=[[0, 3]],
        score=0.9,
        newer=newer and {"artifactId": ID, "fileName": newer},
    )


NOTICE = "The notice is three months.\nIt is given in writing."
FOUND = [section(1, NOTICE, newer="amendment.pdf"), section(2, "The rent is 950 \x1b[2J.")]
CITATIONS = [place(1, NOTICE, quote="The notice is three months.")]


def stream(answer: dict[str, Any], *deltas: str) -> bytes:
    done = {
        "text": "How much notice?",
        "date": "2026-11-28T12:00:00.000Z",
        "recommendations": [],
        "history_id": ID,
        "audio_file": None,
        "similar_vectors": [],
        "citations": [],
        "grounded": True,
        "nearest": [],
        "found": FOUND,
        "unverified": [],
        "notice": None,
        "writtenBy": None,
        **answer,
    }
    sources = {key: done[key] for key in ("history_id", "citations", "found", "similar_vectors")}
    events = [("sources", sources), *(("delta", {"text": text}) for text in deltas), ("done", done)]
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
    return http("200 OK", body, content_type="text/event-stream")


@pytest.mark.parametrize(
    ("answer", "deltas", "printed"),
    [
        (
            {"mode": "found", "answers": ["**lease.pdf** [1]"], "citations": CITATIONS},
            ["**lease.pdf** [1]"],
            "[1] lease.pdf, page 1 (newer: amendment.pdf)\n"
            "    The notice is three months.\n    It is given in writing.\n\n",
        ),
        (
            {
                "mode": "found",
                "answers": ["Your files don't seem to say."],
                "grounded": False,
                "nearest": [place(2, FOUND[1]["text"], quote=FOUND[1]["text"])],
            },
            ["Your files don't seem to say."],
            "Your files don't seem to say. The nearest passages:\n\n"
            "[2] lease.pdf, page 2\n    The rent is 950 [2J.\n\n",
        ),
        (
            {
                "mode": "written",
                "answers": ["Three months. In writing [1]."],
                "citations": CITATIONS,
            },
            ["Three months. ", "In writing [1]."],
            "Three months. In writing [1].\n[1] lease.pdf, page 1\n",
        ),
        (
            {"mode": "written", "answers": ["Three months [1]."], "citations": CITATIONS},
            ["Four months. ", "Three months [1]."],
            "Four months. \nThree months [1].\n[1] lease.pdf, page 1\n",
        ),
        (
            {"mode": "found", "answers": ["**lease.pdf** [1]"], "citations": CITATIONS},
            ["Three ", "months. "],
            "Three \n\n[1] lease.pdf, page 1 (newer: amendment.pdf)\n"
            "    The notice is three months.\n    It is given in writing.\n\n",
        ),
        (
            {
                "mode": "found",
                "answers": ["1 file: lease.pdf [1]"],
                "citations": CITATIONS,
                "found": [],
            },
            ["1 file: lease.pdf [1]"],
            "1 file: lease.pdf [1]\n[1] lease.pdf, page 1\n",
        ),
    ],
    ids=[
        "found",
        "nothing found",
        "written",
        "corrected",
        "a model that failed",
        "a list of files",
    ],
)
def test_the_command_prints_an_answer(
    odd: OddServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: dict[str, Any],
    deltas: list[str],
    printed: str,
) -> None:
    monkeypatch.setenv("ENGRAM_API_KEY", "eg_test")
    odd.replies = [stream(answer, *deltas)]
    assert main(["ask", "How much notice?", "--url", odd.url]) == 0
    assert capsys.readouterr().out == printed


def test_json_has_the_found_sections(
    odd: OddServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ENGRAM_API_KEY", "eg_test")
    answer = {"mode": "found", "answers": ["**lease.pdf** [1]"], "citations": CITATIONS}
    odd.replies = [stream(answer, "**lease.pdf** [1]")]
    assert main(["ask", "How much notice?", "--json", "--url", odd.url]) == 0
    output = json.loads(capsys.readouterr().out)
    first = output["found"][0]
    assert (output["mode"], first["file_name"], first["text"]) == ("found", "lease.pdf", NOTICE)
    assert (first["highlights"], first["newer"]["file_name"]) == ([[0, 3]], "amendment.pdf")


def test_add_saves_a_web_page_with_its_keywords_and_prints_its_name(
    odd: OddServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_API_KEY", "eg_test")
    saved = {"artifactId": ID, "fileName": "The ferry.html", "duplicate": True}
    odd.replies.append(http("200 OK", json.dumps({"message": "Saved.", "data": saved})))
    page = "https://news.example/ferry"
    assert main(["--url", odd.url, "add", page, "--keyword", "Travel"]) == 0
    assert capsys.readouterr().out == f"{ID}  The ferry.html  (unchanged)\n"
    assert odd.requests[0].line == "POST /v1/artifacts/from-url HTTP/1.1"
    assert json.loads(odd.requests[0].body) == {"url": page, "keywords": ["Travel"]}
