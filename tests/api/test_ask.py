"""The command `ask`: one sentence without a server, and one line on whatever is wrong with the home file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ha_assist_addon.__main__ import main


def test_it_says_what_would_be_done_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "turn on the kitchen light", "--language", "en"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("calls  intent__HassTurnOn ")
    assert "[exact_match, en, 0 model calls, " in printed


@pytest.mark.parametrize(
    "content",
    [
        b"[1]",
        b"\xff\xfe",
        b"a: [",
        b"a: !!bool x",
        b"entities: [3]",
        b'{"messages": 3}',
        b'{"messages": ["x"]}',
        b'{"messages": [{"role": "system", "content": {}}]}',
    ],
    ids=repr,
)
def test_a_home_file_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    home = tmp_path / "home.yaml"
    home.write_bytes(content)
    assert main(["ask", "turn on the kitchen light", "--home", str(home)]) == 2
    assert capsys.readouterr().out.startswith("The home file cannot be used: ")
