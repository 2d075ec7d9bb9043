"""The server of one game's cells, with a listener for every dialect that can play it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gateway import registry
from gateway.record import audit
from gateway.store.views import Views
from tests.conformance.servers import fast
from tests.matrix.client import clients_for

MOST_TABLES = 10_000
"""More than a game's cells have."""


def listeners(game: str) -> list[str]:
    """What a server is started with, HTTP first."""
    rules, kinds = registry.game(game), clients_for(game).values()
    sets = [rules.settings(variant.name) for variant in rules.variants]
    found = [kind.listener_for(settings) for kind in kinds for settings in sets if kind.can(settings)]
    return list(dict.fromkeys(["http", *found]))


@contextmanager
def serving(game: str, data: Path) -> Iterator[dict[str, int]]:
    """The ports of a running server by its listeners."""
    specs = listeners(game)
    with fast(data, *specs) as running:
        yield dict(zip(specs, running.ports, strict=True))
    assert "Traceback" not in (log := running.log.read_text()), log[-3000:]
    assert_records_are_whole(data)


def assert_records_are_whole(data: Path) -> None:
    """Every table's record is one chain, its moves legal, its dice honest."""
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        for view in views.tables(limit=MOST_TABLES):
            report = audit.verify(view.table, views.rows(view.table))
            assert report.defect is None, f"table {view.table}: {report.defect}"
    finally:
        views.close()
