"""Shells complete boardgate's commands and options."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from gateway.cli import main
from gateway.cli.completion import PROGRAM, SHELLS, VARIABLE
from tests import peers
from tests.cli.playing import run

BASH: Final = """
PATH={folder}:$PATH
eval "$(boardgate completion bash)"
COMP_WORDS=({words})
COMP_CWORD={last}
_boardgate_completion boardgate
echo "${{COMPREPLY[@]}}"
"""


def completed(*words: str) -> list[str]:
    """The answer to the last word of fish."""
    asked = {VARIABLE: "fish_complete", "COMP_WORDS": " ".join([PROGRAM, *words]), "COMP_CWORD": words[-1]}
    answer = CliRunner().invoke(main, [], prog_name=PROGRAM, env=asked)
    return [line.split(",", 1)[1].split("\t")[0] for line in answer.output.splitlines() if line.startswith("plain,")]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("se",), ["serve", "settings"]),
        (("nodes", "dr"), ["drain"]),
        (("serve", "--wor"), ["--workers"]),
        (("completion", "f"), ["fish"]),
    ],
)
def test_commands_and_options_are_completed(words: tuple[str, ...], found: list[str]) -> None:
    assert completed(*words) == found


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_printed_asks_the_program_by_its_name(shell: str) -> None:
    printed = run("completion", shell).output
    assert f"{VARIABLE}={shell}_complete" in printed
    assert PROGRAM in printed


@peers.needed
def test_bash_completes_by_what_is_printed() -> None:
    script = BASH.format(folder=Path(sys.executable).parent, words="boardgate se", last=1)
    bash = peers.program("bash")
    said = subprocess.run([bash, "--norc", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert said.stdout.split() == ["serve", "settings"]
