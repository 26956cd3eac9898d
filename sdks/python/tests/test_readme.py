"""The library, its tests and the examples of the README pass type checks and formatting."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize("tool", [["pyright"], ["ruff", "check"], ["ruff", "format", "--check"]])
def test_library_tests_and_examples_pass_the_checks(tool: list[str], tmp_path: Path) -> None:
    name, *arguments = tool
    targets = ["src", "tests", "bench"] if name == "ruff" else []
    project = README.parent
    command = [sys.executable, "-m", name, *arguments]
    if name == "pyright":
        command += ["--pythonpath", sys.executable]
    done = subprocess.run([*command, *targets], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    if name == "pyright":
        examples = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
        (tmp_path / "examples.py").write_text("\n".join(examples), "utf-8")
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
