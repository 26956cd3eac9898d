"""Builds calls from their specification, with checked values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar, cast
from urllib.parse import quote

import httpx2
from pydantic import StringConstraints, TypeAdapter, ValidationError

from . import _check
from ._core import Call, Page, Repeat, as_nothing, as_response, as_text, in_envelope, in_page
from ._model import Model
from .errors import ArgumentError

T = TypeVar("T")


class HasFileId(Protocol):
    @property
    def file_id(self) -> str: ...


class HasArtifactId(Protocol):
    @property
    def artifact_id(self) -> str: ...


class HasId(Protocol):
    @property
    def id(self) -> str: ...


Ref = str | HasFileId | HasArtifactId | HasId
"""An ID, or an object that has one."""

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spec(Generic[T]):
    """A call of the API: the place of each value, and the shape of the response."""

    method: str
    path: str
    fields: Mapping[str, Mapping[str, Any]]
    """The place of each value (path, query, body, or whole for a body that is not an object),
    whether it is required, and its schema."""
    shape: Any = None
    kind: Literal["json", "text", "file"] = "json"
    repeat: Repeat = Repeat.ALWAYS


def id_of(value: object, name: str = "id") -> str:
    """The ID of an object, or the ID itself."""
    for attribute in ("file_id", "artifact_id", "id"):
        value = getattr(value, attribute, value)
    return _check.identifier(value, name)


@lru_cache(maxsize=64)
def _pattern(pattern: str) -> TypeAdapter[str]:
    return TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])


def _argument_error(name: str, reason: str) -> ArgumentError:
    return ArgumentError(f"{name} {reason}.", code=name)


def _within(schema: Schema, value: float, name: str, unit: str, minimum: str, maximum: str) -> None:
    low, high = schema.get(minimum, -math.inf), schema.get(maximum, math.inf)
    if not low <= value <= high:
        raise _argument_error(name, f"needs {low} to {high}{unit}")


def _text(schema: Schema, value: object, name: str) -> str:
    if isinstance(value, bool):
        value = str(value).lower()
    if not isinstance(value, str):
        raise _argument_error(name, "must be text")
    # As on the server.
    text = _check.well_formed(value.strip())
    choices: list[str] | None = schema.get("enum")
    if choices is not None and text not in choices:
        raise _argument_error(name, f"must be one of {', '.join(choices)}")
    _within(schema, len(text), name, " characters", "minLength", "maxLength")
    if pattern := schema.get("pattern"):
        try:
            _pattern(pattern).validate_python(text)
        except ValidationError as error:
            raise _argument_error(name, f"cannot be {text!r}") from error
    return text


def _list(schema: Schema, value: object, name: str) -> list[Any]:
    _check.list_of(value, name)
    items: Schema = schema.get("items", {})
    checked = [check(items, item, name) for item in cast("Iterable[object]", value)]
    _within(schema, len(checked), name, " entries", "minItems", "maxItems")
    return checked


def _object(schema: Schema, value: object, name: str) -> dict[str, Any]:
    if isinstance(value, Model):
        fields = type(value).model_fields
        value = {fields[key].alias or key: getattr(value, key) for key in fields}
    if not isinstance(value, Mapping):
        raise _argument_error(name, "must be an object")
    values = cast("Mapping[str, object]", value)
    properties: dict[str, Schema] = schema.get("properties", {})
    for key in schema.get("required", []):
        if key not in values:
            raise _argument_error(f"{name}.{key}", "is missing")
    return {
        key: check(properties[key], item, f"{name}.{key}") if key in properties else item
        for key, item in values.items()
    }


def _union(options: Iterable[Schema], value: object, name: str) -> Any:
    failure: ArgumentError | None = None
    for option in options:
        try:
            return check(option, value, name)
        except ArgumentError as error:
            failure = failure or error
    raise failure or _argument_error(name, "is not valid")


def check(schema: Schema, value: object, name: str) -> Any:
    """Checks a value and returns it in the form that is sent. Raises ArgumentError."""
    if options := schema.get("anyOf"):
        return _union(options, value, name)
    match schema.get("format"):
        case "uuid":
            return id_of(value, name)
        case "folder-path":
            return _check.folder_path(value)
        case _:
            pass
    if isinstance(value, datetime):
        return _check.timestamp(value, name)
    if isinstance(value, date):
        return value.isoformat()
    match schema.get("type"):
        case "string":
            return _text(schema, value, name)
        case "integer" | "number":
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise _argument_error(name, "must be a number")
            _within(schema, value, name, "", "minimum", "maximum")
            return value
        case "boolean":
            if not isinstance(value, bool):
                raise _argument_error(name, "must be True or False")
            return value
        case "null":
            if value is not None:
                raise _argument_error(name, "must be None")
            return None
        case "array":
            return _list(schema, value, name)
        case _:
            return _object(schema, value, name)


def _request(spec: Spec[Any], values: Mapping[str, object]) -> dict[str, Any]:
    """The path, query and body of a call."""
    path, query, body = spec.path, dict[str, str](), cast("object", None)
    for name, field in spec.fields.items():
        if field["place"] == "body":
            body = body or dict[str, object]()
        value = values.get(name)
        wire: str = field.get("wire", name)
        if value is None:
            if field.get("required"):
                raise _argument_error(name, "is missing")
            continue
        checked = check(field["schema"], value, name)
        match field["place"]:
            case "path":
                path = path.replace(f"{{{wire}}}", quote(str(checked), safe=""))
            case "query":
                query[wire] = str(checked)
            case "body":
                cast("dict[str, object]", body)[wire] = checked
            case _:
                body = checked
    return {"path": path, "query": query or None, "body": body}


def call_of(spec: Spec[T], values: Mapping[str, object]) -> Call[T]:
    """A call with its values. Raises ArgumentError."""
    if spec.kind == "file":
        return cast("Any", _open_call(spec, values, "*/*"))
    request = _request(spec, values)
    if spec.kind == "text":
        read = cast("Any", as_text)
        return Call(spec.method, read=read, accept="text/plain", repeat=spec.repeat, **request)
    read = cast("Any", as_nothing) if spec.shape is None else in_envelope(spec.shape)
    return Call(spec.method, read=read, repeat=spec.repeat, **request)


def _open_call(spec: Spec[Any], values: Mapping[str, object], accept: str) -> Call[httpx2.Response]:
    """A call that returns the open response."""
    request = _request(spec, values)
    read = as_response
    return Call(spec.method, read=read, accept=accept, streams=True, repeat=spec.repeat, **request)


def stream_of(spec: Spec[Any], values: Mapping[str, object]) -> Call[httpx2.Response]:
    """A call that streams events. Returns the open response. Raises ArgumentError."""
    return _open_call(spec, values, "text/event-stream")


def page_of(spec: Spec[T], values: Mapping[str, object], cursor: str | None) -> Call[Page[T]]:
    """A page of a list. A cursor continues after the previous page, without an offset."""
    if cursor is not None:
        values = {**values, "offset": None, "cursor": cursor}
    return Call(spec.method, read=in_page(spec.shape), **_request(spec, values))
