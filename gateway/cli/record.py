"""Shared by the commands that read a database: opening it, finding a table in it, and writing about it safely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Protocol, TypeVar

from gateway.cli.logs import start_logging
from gateway.config import Config
from gateway.store.views import TableView, Views, moment
from migrations import require_usable
from protocols.core.errors import BoardgateError


class Kept(Protocol):
    """An object that is opened by a database's URL, and closed."""

    def close(self) -> None:
        """The record is not used any more."""


AnyKept = TypeVar("AnyKept", bound=Kept)


class NoRecord(BoardgateError):
    """No such table is in the record, or there is no database to look in."""


@contextmanager
def opened(config: Config) -> Iterator[Views]:
    """The record of these settings, for reading. migrations.NotUsable; creates nothing."""
    url = config.database_url
    require_usable(url)
    views = Views(url)
    try:
        yield views
    finally:
        views.close()


@contextmanager
def kept(config: Config, make: Callable[[str], AnyKept]) -> Iterator[AnyKept]:
    """Another part of the database, opened by ``make``, with a log. migrations.NotUsable."""
    start_logging(config.log.level, config.log.format)
    require_usable(config.database_url)
    with closing(make(config.database_url)) as opened_here:
        yield opened_here


def found(views: Views, table: int) -> TableView:
    """One table. NoRecord when there is none of this id."""
    view = views.table(table)
    if view is None:
        raise NoRecord(f"there is no table {table}; boardgate tables lists them")
    return view


def second(at: float) -> str:
    """Unix time for people: "2026-11-20 18:30:00", UTC."""
    return moment(at)[:19].replace("T", " ")
