"""What several commands take, and the settings that come of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from gateway.config import DEFAULT_FILE, load

T = TypeVar("T")


def with_settings(function: Callable[..., T]) -> Callable[..., T]:
    """Adds --config and --data; ``function`` gets the settings as ``config``. Place it below @click.command.

    An option ``listen``, where the command has one (with_listeners), goes into the settings too.
    """

    @click.option(
        "--config",
        "file",
        type=click.Path(path_type=Path),
        envvar="BOARDGATE_CONFIG",
        help=f"Settings file; without it ./{DEFAULT_FILE} where there is one.",
    )
    @click.option("--data", metavar="DIR", help="Directory of the embedded database.")
    @wraps(function)
    def loaded(file: Path | None, data: str | None, listen: tuple[str, ...] = (), **others: Any) -> T:
        return function(config=load(file, os.environ, data=data, listen=listen), **others)

    return loaded


def with_listeners(function: Callable[..., T]) -> Callable[..., T]:
    """Adds --listen, which replaces the default listeners. Place it above with_settings."""
    return click.option(
        "--listen",
        multiple=True,
        metavar="DIALECT=HOST:PORT[,KEY=VALUE...]",
        help="Where to listen, in place of the default listeners; may be given several times. Port 0 is any free one.",
    )(function)
