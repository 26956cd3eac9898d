"""The library against openapi.json: every call that a key opens, every field that comes back."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from typing import Any, get_args

import pytest
from conftest import ROOT
from pydantic import BaseModel

from engram_kb import Event, File, folders, models
from engram_kb import _calls as calls
from engram_kb import _folder_calls as folder_calls
from engram_kb import _set_calls as set_calls
from engram_kb._core import Call
from engram_kb._form import part_of

DOCUMENT: dict[str, Any] = json.loads((ROOT / "packages/contract/openapi.json").read_text())


def resolve(node: dict[str, Any]) -> dict[str, Any]:
    """The shape that a reference names, else the node itself."""
    name = str(node.get("$ref", "")).rpartition("/")[2]
    return json.loads(
        json.dumps(DOCUMENT["components"]["schemas"].get(name, node)), object_hook=_deeper
    )


def _deeper(node: dict[str, Any]) -> dict[str, Any]:
    return resolve(node) if "$ref" in node else node


CONTRACT: dict[str, Any] = json.loads(json.dumps(DOCUMENT), object_hook=_deeper)
ID = "0b2f1c9e-6a53-4d5e-9f3e-111111111111"
NOTE = part_of(io.BytesIO(b"note"), "a.txt")
A_FILE = File.model_construct(id=ID, user_id=ID, name="a.txt")

MADE: list[tuple[Call[Any], type[BaseModel] | None]] = [
    (calls.ask("When?"), models.Answer),
    (calls.transcribe(NOTE), models.Transcript),
    (calls.list_files(), models.File),
    (calls.upload([NOTE]), models.UploadReport),
    (
        folder_calls.check([folder_calls.entry_of("Papers/a.txt", b"note")]),
        folders.CheckedFile,
    ),
    (folder_calls.place(ID, "Papers/a.txt", ID), None),
    (folder_calls.register("Home-PC", "Linux", "1.0.0"), folders.Device),
    (folder_calls.list_devices(), folders.Device),
    (folder_calls.end(ID), None),
    (calls.get_file(ID), models.File),
    (calls.rename(ID, "Lease"), models.File),
    (calls.edit_note(ID, "Three months."), models.UploadedFile),
    (set_calls.change("tag", [ID], "set_keywords()", ["Home"]), models.FileChanges),
    (set_calls.zip_link([ID]), models.ZipLink),
    (calls.search_ready(), None),
    (calls.text(ID), None),
    (calls.segments(ID, 0, None), models.Segment),
    (calls.view(ID, 0, None, None), models.FileView),
    (calls.words(ID, 1, None), models.Word),
    (calls.link(ID), models.FileLink),
    (calls.open_file(A_FILE), None),
    (calls.set_archived(ID, True), models.File),
    (calls.set_keywords(ID, ["Home"]), models.File),
    (calls.retry(ID), models.File),
    (calls.delete(ID), None),
    (set_calls.delete_many([ID]), None),
    (calls.delete_all(), None),
    (calls.list_keywords(True), models.Keyword),
    (calls.add_keyword("Home"), models.Keyword),
    (calls.set_keyword_active(ID, True), models.Keyword),
    (calls.list_history(), models.HistoryEntry),
    (calls.list_threads(), models.HistoryThread),
    (calls.history_thread(ID), models.HistoryEntry),
    (calls.todays_history(None), models.HistoryEntry),
    (calls.history_entry(ID), models.HistoryEntry),
    (calls.update_history(ID, True, None), models.HistoryEntry),
    (calls.delete_history(), None),
    (calls.history_audio(ID), None),
    (calls.suggestions(), None),
    (calls.recommendations(), None),
    (calls.profile(), models.Profile),
]

# The second word of the API for the status: `stage` of a file, `state` of a list of files.
SAME_AS_STATUS = {"stage", "state"}

# A second way to what another call does.
SAME_AS_ANOTHER = {"keywords.addKeyword", "keywords.setKeywordActiveByPost"}


def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in CONTRACT["paths"].items()
        for method, operation in methods.items()
        if any("apiKey" in way for way in operation.get("security", []))
    }


def operation_of(call: Call[Any]) -> str:
    """The operation that a server would choose: the address with the fewest parameters."""
    fitting = [
        (path.count("{"), name)
        for name, (method, path, _) in operations().items()
        if method == call.method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), call.path)
    ]
    return min(fitting)[1]


def test_every_call_that_a_key_opens_is_there() -> None:
    assert {operation_of(call) for call, _ in MADE} == set(operations()) - SAME_AS_ANOTHER


def check_fields(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """Every property of a schema is a field of the model, and so on below."""
    by_alias = {field.alias or name: field for name, field in model.model_fields.items()}
    for variant in [schema, *schema.get("anyOf", [])]:
        for name, inner in variant.get("properties", {}).items():
            if name in SAME_AS_STATUS - set(by_alias):
                continue
            assert name in by_alias, f"{model.__name__} has no {name}"
            for below in models_in(by_alias[name].annotation):
                check_fields(items_of(inner), below)


def items_of(schema: dict[str, Any]) -> dict[str, Any]:
    if "items" in schema:
        return items_of(schema["items"])
    for variant in schema.get("anyOf", []):
        if "properties" in variant and len(schema["anyOf"]) == 2:
            return variant
    return schema


def models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type(BaseModel)):
        return [annotation]
    return [model for part in get_args(annotation) for model in models_in(part)]


@pytest.mark.parametrize(("call", "model"), [made for made in MADE if made[1]])
def test_every_field_of_an_answer_is_in_its_model(call: Call[Any], model: type[BaseModel]) -> None:
    _, _, operation = operations()[operation_of(call)]
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    check_fields(items_of(answer["properties"]["data"]), model)


@pytest.mark.parametrize("call", [call for call, _ in MADE if call.query])
def test_what_is_sent_in_a_query_is_known(call: Call[Any]) -> None:
    _, _, operation = operations()[operation_of(call)]
    known = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
    assert set(call.query or {}) <= known


def test_every_parameter_of_the_lists_can_be_given() -> None:
    everything = [
        calls.list_files(
            q="a",
            archived=True,
            keyword="a",
            folder="a",
            status="FAILED",
            sort="name",
            in_content=True,
            kind="pdf",
            source="Web",
            since=date(2026, 1, 1),
            until=date(2026, 2, 1),
            cursor="c",
            offset=1,
        ),
        calls.list_history(q="a", archived=True, saved=True, brief=True, cursor="c"),
        calls.list_threads(q="a", archived=True, saved=True, cursor="c"),
        calls.todays_history("Europe/Berlin"),
        calls.view(ID, 0, 9, "a"),
        calls.words(ID, 1, "a"),
        calls.segments(ID, 0, 9),
    ]
    for call in everything:
        _, _, operation = operations()[operation_of(call)]
        known = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
        assert set(call.query or {}) == known - SAME_AS_STATUS


def test_the_events_of_a_stream_are_those_of_the_contract() -> None:
    content = operations()["search.search"][2]["responses"]["200"]["content"]
    told = json.dumps(content["text/event-stream"])
    for kind in Event.__args__:
        assert kind.__name__.lower() in told


def words_at(name: str, operation: dict[str, Any]) -> set[tuple[str, ...]]:
    """The words to choose from wherever a parameter or a field has this name."""
    place = rf'"{name}"(?:: |, [^{{}}]*"schema": ){{"type": "string", "enum": (\[[^\]]*\])'
    return {tuple(json.loads(found)) for found in re.findall(place, json.dumps(operation))}


@pytest.mark.parametrize(
    ("operation", "name", "words"),
    [
        ("artifacts.listArtifacts", "status", models.FileStatus),
        ("artifacts.listArtifacts", "sort", models.FileSort),
        ("artifacts.listArtifacts", "uploadStatus", models.FileStatus),
        ("artifacts.listArtifacts", "source", models.FileOrigin),
        ("artifacts.getArtifactSegments", "kind", models.SegmentKind),
        ("search.search", "mode", models.AnswerMode),
        ("artifacts.checkArtifacts", "state", folders.ContentState),
        ("devices.reportDevice", "state", folders.FolderState),
    ],
)
def test_the_known_words_are_those_of_the_contract(operation: str, name: str, words: Any) -> None:
    assert words_at(name, operations()[operation][2]) == {get_args(words)}


def test_a_word_that_is_not_known_yet_is_read_all_the_same() -> None:
    segment: dict[str, Any] = {
        "start": 0,
        "end": 1,
        "location": {"page": 1},
        "kind": "formula",
        "headings": [],
    }
    assert models.Segment.model_validate(segment).kind == "formula"


def test_new_fields_are_kept_beside_the_known_ones() -> None:
    found = models.Location.model_validate({"page": 3, "column": 2})
    assert (found.page, found.model_extra, str(found)) == (3, {"column": 2}, "page 3")
