"""Every snippet of the README, run against the real server and held to strict types."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, RealServer
from pdf import pdf

README = Path(__file__).parents[1] / "README.md"
SHOWN = ROOT / "apps/web/src/features/documentation/python-sdk.json"


def snippets(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def write_files(folder: Path) -> None:
    lease = pdf("You have to give three months notice.", "The rent is due on the first Monday.")
    (folder / "lease.pdf").write_bytes(lease)
    (folder / "notes.txt").write_text("The spare key hangs in the shed.\n")


def run(code: str, folder: Path, server: RealServer, key: str) -> str:
    (folder / "program.py").write_text(code, "utf-8")
    environment = {**os.environ, "ENGRAM_BASE_URL": server.url, "ENGRAM_API_KEY": key}
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_snippets_run_one_after_the_other(server: RealServer, key: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    told = run("\n".join(snippets("python")), tmp_path, server, key)
    assert re.search(r"three months.*\[1\] lease\.pdf page 1", told)
    assert re.search(r"^404 \w+ ", told, re.MULTILINE)
    assert "sent Papers/boat.txt" in told
    assert "Nothing was sent: Please enter a question." in told
    assert (tmp_path / "copy.pdf").read_bytes() == (tmp_path / "lease.pdf").read_bytes()


def test_the_lines_of_the_command_run(server: RealServer, key: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    *_, commands = snippets("sh")
    environment = {**os.environ, "ENGRAM_BASE_URL": server.url, "ENGRAM_API_KEY": key}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    lines = [line for line in commands.splitlines() if line != "engram-kb login"]
    told = [
        subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        for line in lines
    ]
    assert [one.returncode for one in told] == [0, 0, 0], [one.stderr for one in told]
    assert "SUCCESS" in told[0].stdout
    assert "three months" in told[1].stdout
    assert "[1] lease.pdf, page 1" in told[1].stdout
    assert [file["name"] for file in json.loads(told[2].stdout)] == ["lease.pdf"]


def test_the_snippets_of_the_web_app_run(server: RealServer, key: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    shown: dict[str, str] = json.loads(SHOWN.read_text("utf-8"))
    for code in shown.values():
        assert run(code, tmp_path, server, key)


@pytest.mark.parametrize("tool", [["pyright"], ["ruff", "check"], ["ruff", "format", "--check"]])
def test_library_tests_and_snippets_pass_the_checks(tool: list[str], tmp_path: Path) -> None:
    name, *arguments = tool
    targets = ["src", "tests", "bench"] if name == "ruff" else []
    project = README.parent
    command = [sys.executable, "-m", name, *arguments]
    if name == "pyright":
        command += ["--pythonpath", sys.executable]
    done = subprocess.run([*command, *targets], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    if name == "pyright":
        (tmp_path / "snippets.py").write_text("\n".join(snippets("python")), "utf-8")
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
