"""The setting ``cluster.bus``: makes the bus that it means, and says in words where it means none."""

from __future__ import annotations

import socket
from typing import Final

from sqlalchemy.exc import ArgumentError

from gateway.bus.bus import Bus
from gateway.bus.nats_bus import read_url
from gateway.bus.opening import open_bus
from gateway.config import BadSetting, Config

ANSWERS_S: Final = 3.0
"""Seconds that a NATS server may take to answer a call."""


def is_database(bus: str) -> bool:
    """True for the bus that the database is itself."""
    return bus == "postgres"


def bus_of(config: Config, me: int = 0) -> Bus:
    """The bus of node ``me``, which connects when it runs. BadSetting: there is no such bus."""
    try:
        return open_bus(config.cluster.bus, config.database_url, me)
    except (ValueError, ArgumentError) as error:
        raise BadSetting(f"cluster.bus: {error}") from None


def call_bus(config: Config) -> None:
    """Call the NATS server. BadSetting: the setting names none, or none answers."""
    bus_of(config)
    server = read_url(config.cluster.bus)
    try:
        socket.create_connection((server.host, server.port), ANSWERS_S).close()
    except OSError as error:
        raise BadSetting(f"cluster.bus: nothing answers at {server.host}:{server.port}: {error}") from None
