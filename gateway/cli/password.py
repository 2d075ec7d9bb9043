"""Reads a password: typed unseen at a terminal, or the first line of standard input where that is no terminal."""

from __future__ import annotations

import sys

import click


def read_password(prompt: str, *, twice: bool = False) -> str:
    """The password; ``twice`` asks for it again at a terminal, for a mistyped new one locks its owner out.

    A pipe or file gives its first line without its end, and nothing is printed. click.Abort: there is no line.
    """
    if sys.stdin.isatty():
        typed: str = click.prompt(prompt, hide_input=True, confirmation_prompt=twice, err=True)
        return typed
    line = sys.stdin.readline()
    if not line:
        raise click.Abort
    return line.rstrip("\r\n")
