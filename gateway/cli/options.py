"""Options and questions that several commands share: settings, listeners, the trusted authority, passwords."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from gateway.config import DEFAULT_FILE, Config, duration, load

T = TypeVar("T")

TLS_CA: Final = "tls_ca"


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """A duration as settings have it, "7d", in seconds: more than none, and at least ``least_s``, else ``hint``."""

    name = "DURATION"

    def __init__(self, hint: str, least_s: float = 0.0) -> None:
        self._hint = hint
        self._least_s = least_s

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            found_s = duration(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if not found_s or found_s < self._least_s:
            self.fail(self._hint, param, ctx)
        return found_s


@dataclass(frozen=True, slots=True)
class Written:
    """The places where the settings of a command are written: a file, the environment, and options that go over both.

    ``file`` None: ./boardgate.toml where there is one.
    """

    file: Path | None
    data: str | None = None
    listen: tuple[str, ...] = ()
    workers: int | None = None

    def load(self) -> Config:
        """The settings, as they are written now. BadSetting, OSError: as by ``gateway.config.load``."""
        return load(self.file, os.environ, data=self.data, listen=self.listen, workers=self.workers)

    def settled(self) -> Written:
        """The same, which misses ./boardgate.toml from now on where that is its file."""
        return replace(self, file=DEFAULT_FILE) if self.file is None and DEFAULT_FILE.exists() else self


def with_settings(function: Callable[..., T]) -> Callable[..., T]:
    """Adds --config and --data; ``function`` gets the settings as ``config``. Place it below @click.command.

    Options ``listen`` and ``workers``, where the command has them (with_listeners), go into the settings too.
    """

    @with_written
    @wraps(function)
    def loaded(written: Written, **others: Any) -> T:
        return function(config=written.load(), **others)

    return loaded


def with_written(function: Callable[..., T]) -> Callable[..., T]:
    """The same for a command that reads its settings more than once: ``function`` gets them as ``written``."""

    @click.option(
        "--config",
        "file",
        type=click.Path(path_type=Path),
        envvar="BOARDGATE_CONFIG",
        help=f"Settings file; without it ./{DEFAULT_FILE} where there is one.",
    )
    @click.option("--data", metavar="DIR", help="Directory of the embedded database.")
    @wraps(function)
    def found(
        file: Path | None, data: str | None, listen: tuple[str, ...] = (), workers: int | None = None, **others: Any
    ) -> T:
        return function(written=Written(file, data, listen, workers), **others)

    return found


def with_listeners(function: Callable[..., T]) -> Callable[..., T]:
    """Adds --listen, which replaces the default listeners. Place it above with_settings."""
    return click.option(
        "--listen",
        multiple=True,
        metavar="DIALECT=HOST:PORT[,KEY=VALUE...]",
        help="Where to listen, in place of the default listeners; may be given several times. Port 0 is any free one.",
    )(function)


def with_tls_ca(function: Callable[..., T]) -> Callable[..., T]:
    """Adds --tls-ca. The command does not get it as an argument: it calls ``trusted``."""
    return click.option(
        "--tls-ca",
        type=click.Path(dir_okay=False),
        default="",
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=_noted,
        help="With TLS: trust this authority's certificate (PEM) instead of those the system trusts.",
    )(function)


def trusted() -> str:
    """The file given as --tls-ca; "" without one."""
    running = click.get_current_context(silent=True)
    return str(running.meta.get(TLS_CA, "")) if running is not None else ""


def _noted(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if not value:
        return
    from gateway.net.calling import context

    try:
        context(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error
    ctx.meta[TLS_CA] = value


def read_password(prompt: str, *, twice: bool = False) -> str:
    """Read a password, unseen at a terminal, where ``twice`` asks again; else the first line of standard input.

    click.Abort: there is no line.
    """
    if sys.stdin.isatty():
        typed: str = click.prompt(prompt, hide_input=True, confirmation_prompt=twice, err=True)
        return typed
    line = sys.stdin.readline()
    if not line:
        raise click.Abort
    return line.rstrip("\r\n")


def operator_name() -> str:
    """The account of this machine that runs the command."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "somebody"
