"""Tells the host of reports while ``serve`` runs: counts them for the figures, sends them as the settings say."""

from __future__ import annotations

from contextlib import closing
from typing import Final

import trio

from gateway.config import Config
from gateway.ops.server import GameServer
from gateway.push.sender import Sender
from gateway.push.to_host import HostWays, ReportsByMail, ReportsByWebhook, ways_to_host
from gateway.store.report_news import NewsOfReports, ReportNews
from gateway.store.reports import Reports

LOOK_S: Final = 15.0
"""Seconds between two looks at the reports that wait: as often as Prometheus usually asks."""


async def tell_host(config: Config, server: GameServer) -> None:
    """Until cancelled. One node of all sends; each counts."""
    ways = ways_to_host(config)
    with closing(Reports(config.database_url)) as reports, closing(NewsOfReports(config.database_url)) as news:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.open_reports.run, reports.open, "reports", LOOK_S)
            for sender in _senders(config, server, ways, news):
                nursery.start_soon(sender.run)


def _senders(config: Config, server: GameServer, ways: HostWays, news: NewsOfReports) -> list[Sender[ReportNews]]:
    may, found = server.node.is_janitor, list[Sender[ReportNews]]()
    if ways.server is not None:
        by_mail = ReportsByMail(news, ways.server, config.server.name, ways.mail, ways.every_s)
        server.rereads(by_mail)
        found.append(Sender(by_mail, may))
    if ways.hook is not None:
        found.append(Sender(ReportsByWebhook(news, ways.hook, ways.every_s), may))
    return found
