"""The library compared with openapi.json: every name of the API is a method of both clients."""

from __future__ import annotations

import inspect
import json
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

import pytest
from conftest import DOCUMENT, OddServer, file_fields, http

from engram_kb import AsyncEngram, Engram, File, Location

ID = "0b2f1c9e-6a53-4d5e-9f3e-111111111111"


def names() -> list[str]:
    """The methods that the API names, in Python's spelling."""
    camel = [
        name
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        for name in operation.get("x-sdk", {})
    ]
    return ["".join(f"_{c.lower()}" if c.isupper() else c for c in name) for name in camel]


def test_every_name_of_the_api_is_a_method_with_the_same_arguments_in_both_clients() -> None:
    assert len(names()) > 40
    for name in names():
        method, awaited = (
            attrgetter(name)(client("http://localhost:1", "k")) for client in (Engram, AsyncEngram)
        )
        assert callable(method)
        assert list(inspect.signature(method).parameters) == list(
            inspect.signature(awaited).parameters
        )


def test_values_are_sent_where_the_api_expects_them(odd: OddServer) -> None:
    odd.replies = [http("200 OK", '{"message": "OK", "data": []}')] * 3
    with Engram(odd.url, "k") as engram:
        since = datetime(2026, 1, 2, tzinfo=UTC)
        pages = engram.files.list("a b", archived=False, in_="content", since=since)
        assert list(pages) == []
        engram.files.delete_many([ID])
        engram.keywords.list(count_files=True)
    assert [sent.line for sent in odd.requests] == [
        "GET /v1/artifacts?limit=100&q=a+b&in=content&since=2026-01-02T00%3A00%3A00%2B00%3A00"
        "&archived=false HTTP/1.1",
        "DELETE /v1/artifacts/bulk HTTP/1.1",
        "GET /v1/keywords?files=true HTTP/1.1",
    ]
    assert json.loads(odd.requests[1].body) == [ID]


def test_unknown_fields_are_preserved_and_unknown_values_accepted() -> None:
    file = File.model_validate(file_fields(uploadStatus="RESTING", color="green"))
    assert (file.status, file.model_extra) == ("RESTING", {"color": "green"})
    assert file.created_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"page": 3}, "page 3"),
        ({"sheet": "Costs", "row": 4}, "sheet Costs, row 4"),
        ({"startMs": 61_000, "endMs": 62_000, "path": "a.zip/b.mp3"}, "a.zip/b.mp3, 1:01"),
    ],
)
def test_a_location_has_a_text_form(fields: dict[str, Any], text: str) -> None:
    assert str(Location.model_validate(fields)) == text
