"""The command `engram-kb`."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import __version__
from .errors import AuthenticationError, EngramError, LoginError

if TYPE_CHECKING:
    from ._api import Answer, FoundSection
    from ._client import Engram
    from ._model import Model

BAR_WIDTH = 24


def _parser() -> argparse.ArgumentParser:
    # These work before and after the subcommand. Without defaults, the subcommand does not
    # overwrite the values that came before it.
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument("--version", action="version", version=f"engram-kb {__version__}")
    shared.add_argument("--url", help="the server (default: ENGRAM_BASE_URL or localhost:3000)")
    shared.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser = argparse.ArgumentParser(
        prog="engram-kb", description="Ask your own files.", parents=[shared]
    )
    commands = parser.add_subparsers(dest="command", required=True)

    commands.add_parser("login", parents=[shared], help="sign in by a browser")

    upload = commands.add_parser("upload", parents=[shared], help="upload files")
    upload.add_argument("files", nargs="+", type=Path)
    upload.add_argument("--keyword", action="append", default=[], help="may be repeated")
    upload.add_argument("--wait", action="store_true", help="wait until they are searchable")

    add = commands.add_parser("add", parents=[shared], help="save a web page")
    add.add_argument("address", help="it begins with https:// or http://")
    add.add_argument("--keyword", action="append", default=[], help="may be repeated")

    ask = commands.add_parser("ask", parents=[shared], help="ask a question")
    ask.add_argument("question")
    ask.add_argument(
        "--keyword", action="append", default=[], help="search only files with this keyword"
    )
    ask.add_argument("--after", help="the id of the answer that this follows up on")

    list_command = commands.add_parser("list", parents=[shared], help="list files")
    list_command.add_argument("q", nargs="?", help="a part of their names")
    list_command.add_argument("--keyword", help="only files with this keyword")
    return parser


def _connect(url: str | None) -> Engram:
    """Connects with the API key from the environment, or with the stored login."""
    from ._client import Engram
    from ._login import LoginTokens
    from ._settings import DEFAULT_URL

    if os.environ.get("ENGRAM_API_KEY"):
        return Engram(url)
    address = url or os.environ.get("ENGRAM_BASE_URL") or DEFAULT_URL
    tokens = LoginTokens(address)
    if not tokens.exists:
        raise EngramError(
            "You are not signed in: run engram-kb login, or set ENGRAM_API_KEY.",
            code="not_signed_in",
        )
    return Engram(address, token=tokens)


class Bar:
    """The progress of an upload, on one line. Shown only in a terminal."""

    def __init__(self, name: str, stream: TextIO | None = None) -> None:
        self._name = name
        self._stream = stream or sys.stderr
        self._shows = self._stream.isatty()
        self._last = -1

    def __call__(self, sent: int, total: int | None) -> None:
        share = 100 * sent // total if total else 100
        if not self._shows or share == self._last:
            return
        self._last = share
        bar = ("#" * (BAR_WIDTH * share // 100)).ljust(BAR_WIDTH, ".")
        self._stream.write(f"\r{bar} {share:3}% {self._name}" + ("\n" if share == 100 else ""))
        self._stream.flush()


def _print_models(models: Sequence[Model]) -> None:
    print(json.dumps([model.model_dump(mode="json") for model in models], indent=2))


def _login(args: argparse.Namespace) -> int:
    from ._login import log_in
    from ._settings import DEFAULT_URL

    url = args.url or os.environ.get("ENGRAM_BASE_URL") or DEFAULT_URL

    def show(page: str, code: str, whole: str | None) -> None:
        print(f"Open {whole or page} and confirm the code {code}.", file=sys.stderr, flush=True)

    log_in(url, show)
    print(json.dumps({"signed_in": True, "url": url}) if args.json else f"Signed in to {url}.")
    return 0


def _upload(args: argparse.Namespace) -> int:
    """Uploads one file after another, each with its own progress bar and error."""
    results: list[dict[str, object]] = []
    failed = False
    with _connect(args.url) as engram:
        for path in args.files:
            try:
                file = engram.files.upload(
                    path, keywords=args.keyword, on_progress=Bar(path.name), wait=args.wait
                )
            except (EngramError, OSError) as error:
                if isinstance(error, LoginError):
                    raise
                failed = True
                code, message = _explain(error)
                results.append({"name": str(path), "code": code, "message": message})
                print(f"{path}: {message}", file=sys.stderr)
            else:
                results.append(file.model_dump(mode="json"))
                if not args.json:
                    print(f"{file.id}  {file.status:<10}  {file.name}")
    if args.json:
        print(json.dumps(results, indent=2))
    return 1 if failed else 0


def _add(args: argparse.Namespace) -> int:
    with _connect(args.url) as engram:
        saved = engram.files.save_web_page(args.address, keywords=args.keyword)
    if args.json:
        print(json.dumps(saved.model_dump(mode="json"), indent=2))
    else:
        print(_printable(f"{saved.id}  {saved.name}{'  (unchanged)' if saved.duplicate else ''}"))
    return 0


def _printable(text: str) -> str:
    """Removes control characters, because a file must not control the terminal."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", text)


def _print_section(section: FoundSection) -> None:
    newer = f" (newer: {section.newer.file_name})" if section.newer else ""
    print(_printable(f"[{section.n}] {section.file_name}, {section.location}{newer}"))
    print(textwrap.indent(_printable(section.text.strip()), "    "), end="\n\n")


def _print_answer(answer: Answer, shown: str) -> None:
    """Prints the rest of an answer of which `shown` was printed."""
    text = answer.text
    quoted = {citation.n for citation in answer.citations or answer.nearest}
    sections = [section for section in answer.found if section.n in quoted]
    if answer.mode == "found" and sections:
        if shown:
            print(end="\n\n")
        if not answer.grounded:
            print(f"{text} The nearest passages:", end="\n\n")
        for section in sections:
            _print_section(section)
        return
    # A written answer is verified at the end, so it may differ from what was shown.
    is_continued = text.startswith(shown)
    print(_printable(text[len(shown) :] if is_continued else f"\n{text}"))
    for citation in answer.citations:
        print(_printable(f"[{citation.n}] {citation.file_name}, {citation.location}"))


def _ask(args: argparse.Namespace) -> int:
    from .events import Delta

    with (
        _connect(args.url) as engram,
        engram.ask_stream(args.question, keywords=args.keyword, after=args.after) as stream,
    ):
        if args.json:
            print(json.dumps(stream.answer.model_dump(mode="json"), indent=2))
            return 0
        # A found answer is one delta and is printed by its sections, so the last delta waits.
        shown = last = ""
        for event in stream:
            if isinstance(event, Delta):
                print(_printable(last), end="", flush=True)
                shown += last
                last = event.text
        answer = stream.answer
    _print_answer(answer, shown)
    if answer.notice:
        print(answer.notice, file=sys.stderr)
    return 0


def _list(args: argparse.Namespace) -> int:
    with _connect(args.url) as engram:
        files = engram.files.list(args.q, keyword=args.keyword, page_size=1000)
        if args.json:
            _print_models(list(files))
            return 0
        for file in files:
            keywords = f"  ({', '.join(file.keywords)})" if file.keywords else ""
            size, name = file.size, file.name
            print(f"{file.id}  {file.status:<10}  {size:>12,}  {name}{keywords}")
    return 0


def _explain(error: EngramError | OSError) -> tuple[str, str]:
    """A stable code for programs, and a message."""
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno or 0, "os_error"), error.strerror or str(error)
    if isinstance(error, AuthenticationError) and not os.environ.get("ENGRAM_API_KEY"):
        return error.code, f"{error.message} Run engram-kb login."
    return error.code, error.message


_COMMANDS = {"login": _login, "upload": _upload, "add": _add, "ask": _ask, "list": _list}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit code."""
    args = _parser().parse_args(arguments, argparse.Namespace(url=None, json=False))
    try:
        return _COMMANDS[args.command](args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (EngramError, OSError) as error:
        code, message = _explain(error)
        if args.json:
            print(json.dumps({"code": code, "message": message}))
        print(f"engram-kb: {message}", file=sys.stderr)
        return 1
