"""The wheel and the sdist, installed as a user would."""

import subprocess
import sys
import tarfile
import venv
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def test_wheel_and_sdist_install_into_an_empty_environment(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, PROJECT],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    [wheel], [source] = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {"README.md", "CHANGELOG.md", "LICENSE", "src/engram_kb/py.typed"} <= set(names)
    venv.create(tmp_path / "empty", with_pip=True)
    bin_folder = tmp_path / "empty" / ("Scripts" if sys.platform == "win32" else "bin")
    installed = subprocess.run(
        [bin_folder / "python", "-m", "pip", "install", "--quiet", wheel],
        capture_output=True,
        text=True,
    )
    assert installed.returncode == 0, installed.stderr
    code = "import engram_kb; print([getattr(engram_kb, name) for name in engram_kb.__all__])"
    for command in (
        [bin_folder / "python", "-W", "error", "-c", code],
        [bin_folder / "engram-kb", "--version"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout == "engram-kb 0.1.0\n"
