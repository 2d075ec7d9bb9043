"""Settings: what a host may choose, where it is read from, and what each choice is for.

model.py        the settings as frozen dataclasses, each with its default and its reason
values.py       reads values: texts of the environment, scalars of a file, durations such as "500ms" and "never"
listeners.py    where the server listens: DIALECT=HOST:PORT[,KEY=VALUE...], and the listeners of a fresh install
engine_bots.py  house bots that are engines: [[bot]], or GAME=COMMAND[,KEY=VALUE...]
source.py       loads: command line over environment over file over defaults, into one Config
listing.py      the same settings as a table of rows and as an annotated boardgate.toml
rereading.py    compares new settings with those of a running server
"""

from gateway.config.listeners import DEFAULT_LISTENERS, Listen, parse_listener
from gateway.config.listing import Described, annotated, describe, describe_engine_bot
from gateway.config.model import (
    LEVELS,
    Bots,
    Cluster,
    Config,
    EngineBot,
    Limits,
    Log,
    Mail,
    Metrics,
    OpenId,
    Record,
    Registering,
    Relay,
    Seats,
    Server,
)
from gateway.config.rereading import Reread, Rereads, reread
from gateway.config.source import DEFAULT_FILE, load
from gateway.config.values import BadSetting, duration, written

__all__ = [
    "DEFAULT_FILE",
    "DEFAULT_LISTENERS",
    "LEVELS",
    "BadSetting",
    "Bots",
    "Cluster",
    "Config",
    "Described",
    "EngineBot",
    "Limits",
    "Listen",
    "Log",
    "Mail",
    "Metrics",
    "OpenId",
    "Record",
    "Registering",
    "Relay",
    "Reread",
    "Rereads",
    "Seats",
    "Server",
    "annotated",
    "describe",
    "describe_engine_bot",
    "duration",
    "load",
    "parse_listener",
    "reread",
    "written",
]
