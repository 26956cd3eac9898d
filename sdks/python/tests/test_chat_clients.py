"""Clients of OpenAI's protocol against the real server."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SLOW, RealServer
from openai import AuthenticationError, OpenAI

from engram_kb import Engram

QUESTION = "How much notice does the lease need?"


@pytest.fixture(scope="module")
def base_url(server: RealServer) -> str:
    return f"{server.url}/v1/openai"


@pytest.fixture(autouse=True)
def lease(engram: Engram) -> None:
    """Uploads the lease. The same text is stored once."""
    text = b"The lease ends with three months notice. Ruth signed it."
    engram.files.upload(io.BytesIO(text), name="Lease.txt", wait=True)


def test_the_library_gets_an_answer_with_links_complete_and_streamed(
    base_url: str, key: str
) -> None:
    client = OpenAI(base_url=base_url, api_key=key, timeout=SLOW, max_retries=0)
    assert [model.id for model in client.models.list()] == ["engram"]
    answer = client.chat.completions.create(
        model="engram", messages=[{"role": "user", "content": QUESTION}]
    )
    message = answer.choices[0].message
    assert message.content is not None
    assert "three months notice" in message.content
    assert message.annotations is not None
    cited = message.annotations[0].url_citation
    assert message.content[cited.start_index : cited.end_index] == "[1]"
    assert f"]({cited.url})" in message.content
    stream = client.chat.completions.create(
        model="engram", messages=[{"role": "user", "content": QUESTION}], stream=True
    )
    assert "".join(part.choices[0].delta.content or "" for part in stream) == message.content


def test_the_library_raises_its_own_error_for_a_wrong_key(base_url: str) -> None:
    client = OpenAI(base_url=base_url, api_key="eg_wrong", timeout=SLOW, max_retries=0)
    with pytest.raises(AuthenticationError):
        client.models.list()


def test_the_command_llm_asks_and_follows_up(base_url: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: engram\n  model_name: engram\n  api_base: {base_url}\n"
        "  api_key_name: engram\n"
    )

    def llm(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "llm", *arguments],
            env={**os.environ, "LLM_USER_PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=SLOW,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    llm("keys", "set", "engram", "--value", key)
    assert "three months notice" in llm("prompt", "-m", "engram", QUESTION)
    followed = llm("prompt", "-c", "Who signed it?")
    assert re.search(r"Ruth signed it[\s\S]*\[Lease\.txt", followed)
