"""Runs a PostgreSQL server for tests, made for one run and thrown away after it; bench/postgresql.py starts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.postgresql import Cluster, NotInstalled, cluster_in, run_outside
from bench.postgresql import cluster as made
from tests import peers

__all__ = ["Cluster", "cluster", "run_outside"]

SETTINGS: Final = ("fsync = off", "max_connections = 50")
"""No wait for the disk, for nothing here outlives the run."""


@contextmanager
def cluster(*settings: str, folder: Path | None = None) -> Iterator[Cluster]:
    """A running server, in a ``folder`` that the caller removes if one is given. Skips or fails the test where
    PostgreSQL is missing."""
    words = (*SETTINGS, *settings)
    try:
        with made(*words) if folder is None else cluster_in(folder, *words) as running:
            yield running
    except NotInstalled as missing:
        peers.missing(str(missing))
