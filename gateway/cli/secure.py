"""``--tls-ca``, for commands that talk to servers. Not here: what it is for (gateway.clients.secure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import click

T = TypeVar("T")

TLS_CA: Final = "tls_ca"


def with_tls_ca(function: Callable[..., T]) -> Callable[..., T]:
    """Adds the option; the command is not given it, but asks ``trusted``."""
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
    """The file that was given, "" where there is none."""
    running = click.get_current_context(silent=True)
    return str(running.meta.get(TLS_CA, "")) if running is not None else ""


def _noted(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if not value:
        return
    from gateway.clients.secure import context

    try:
        context(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error
    ctx.meta[TLS_CA] = value
