"""``boardgate completion``: prints what makes a shell complete boardgate's commands and options."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

PROGRAM: Final = "boardgate"
VARIABLE: Final = "_BOARDGATE_COMPLETE"
"""The variable by which a shell asks; click makes the name of the program's."""

SHELLS: Final = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command()
@click.argument("shell", type=click.Choice([*SHELLS]))
def completion(shell: str) -> None:
    """Print what makes bash, zsh or fish complete commands and options.

    bash must be 4.4 or later. The shell asks the program itself, so what an update adds is completed, too.

    \b
    bash, for yourself; and for everybody on a machine:
      boardgate completion bash >> ~/.bashrc
      boardgate completion bash > /etc/bash_completion.d/boardgate
    zsh:
      boardgate completion zsh >> ~/.zshrc
    fish:
      boardgate completion fish > ~/.config/fish/completions/boardgate.fish
    """
    found = SHELLS[shell](click.Command(PROGRAM), {}, PROGRAM, VARIABLE)
    click.echo(ShellComplete.source(found))  # not bash's own, which starts a bash to see how old it is
