"""Opens what the pages of people keep in the database beside the record: sessions, reports, the log of acts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from gateway.store.acts import ActLog
from gateway.store.reports import Reports
from gateway.store.sessions import Sessions
from gateway.web.sessions import WebSessions


@dataclass(frozen=True, slots=True)
class Kept:
    sessions: WebSessions
    reports: Reports
    acts: ActLog


@contextmanager
def kept(url: str, banned: Callable[[str], str], hosts: Collection[str] = ()) -> Iterator[Kept]:
    """All of it, as long as the block; ``banned`` and ``hosts`` as in WebSessions."""
    with closing(Sessions(url)) as sessions, closing(Reports(url)) as reports, closing(ActLog(url)) as acts:
        yield Kept(WebSessions(sessions, banned, hosts), reports, acts)
