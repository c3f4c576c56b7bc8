"""The Python code of docs/PYTHON.md runs, from the first block to the last."""

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[3] / "docs" / "PYTHON.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
# What needs another package, or a program that does not exist.
SKIPPED = ("import ray", "torch.", "bot-in-another-language")


def test_the_code_of_the_document_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    ran = 0
    for block in BLOCKS:
        if any(word in block for word in SKIPPED[:2]):
            continue
        lines = [line for line in block.splitlines() if SKIPPED[2] not in line]
        # The documents' thousand games are a few here.
        source = "\n".join(lines).replace("games=1000", "games=10")
        exec(compile(source, DOCUMENT.name, "exec"), names)
        ran += 1
    assert ran >= 4 and "bcts" in capsys.readouterr().out
    assert names["envs"].num_envs == 1024


@pytest.mark.parametrize("word", SKIPPED)
def test_what_is_skipped_is_in_the_document(word):
    assert any(word in block for block in BLOCKS)
