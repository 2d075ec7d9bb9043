"""The settings, each with its default and the reason for it. A name ending in ``_s`` is seconds.

In files and in the environment a duration is written without that ending: ``grace = "60s"`` is ``grace_s`` 60.0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from msgspec import UNSET

from gateway.config.listeners import DEFAULT_LISTENERS, Listen
from protocols.core.model import HouseRules

DATA_PREFIX: Final = "sqlite:///DATA/"

LISTS: Final = ("listen", "bot")
"""Lists of a file: each entry stands under a line [[listen]] or [[bot]]; the rest are sections."""

T = TypeVar("T")


def setting(default: T, reason: str, least: float = 0, most: float = math.inf) -> T:
    """A field with its default, its reason in one line, and the least and the greatest number it may be."""
    found: Any = field(default=default, metadata={"reason": reason, "least": least, "most": most})
    return found  # type: ignore[no-any-return]


def live(default: T, reason: str, least: float = 0, most: float = math.inf) -> T:
    """The same, of a setting that a running server takes over at SIGHUP; the others are for the next start."""
    found: Any = field(default=default, metadata={"reason": reason, "least": least, "most": most, "live": True})
    return found  # type: ignore[no-any-return]


def optional(reason: str, *, live: bool = False) -> str:
    """A field whose text may be empty, as it is by default, with its reason in one line. ``live``: at SIGHUP, too."""
    found: Any = field(default="", metadata={"reason": reason, "optional": True, "live": live})
    return found  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Server:
    name: str = setting("Boardgate", "what the server calls itself, on its pages and in its log")
    database: str = setting(
        "sqlite:///DATA/boardgate.db",
        "where games are kept; DATA is the directory below; or postgresql+psycopg://user@host/name",
    )
    database_password_file: str = optional("the file whose first line is that user's password; read at the start")
    data: str = setting("boardgate-data", "the directory of the embedded database; serve creates it")
    public_host: str = setting(
        "localhost", "the host name it has for clients: commands on its pages have it, and it counts as our own"
    )
    api_origins: str = optional(
        'web sites whose pages may ask the API, as "https://example.org https://example.net"; "*" all; empty: none',
        live=True,
    )
    words_file: str = optional(
        "a file of words, one a line, that are starred in what people say, and that no guest or new account is called",
        live=True,
    )
    trusted_proxies: str = live(
        "127.0.0.0/8 ::1", "networks of proxies that listeners with proxy_protocol=yes believe; others are hung up on"
    )
    proxy_certificate: str = optional(
        "the certificate file of a proxy that ends TLS before this server, PEM: metrics and log say when it ends"
    )
    broken_plugins: Literal["skip", "stop"] = setting(
        "skip",
        'a game or dialect that does not load is named in the log and left out ("skip"), or ends the start ("stop")',
    )
    workers: int = setting(
        1, "processes that serve, one for each core that the machine can spare; more than one need PostgreSQL", 1, 256
    )


@dataclass(frozen=True, slots=True)
class Limits:
    connections: int = live(10_000, "all connections at once; each costs a file descriptor and up to 25 KiB", 1)
    connections_per_address: int = live(
        64, "connections of one address, so that one host cannot take every place; a club behind one router fits in", 1
    )
    open_tables_per_address: int = live(
        32, "tables opened from one address that wait for players: half of those who may connect from there", 1
    )
    left_games_per_address: int = live(
        100, "games begun from one address that nobody sits at, adjourned ones among them: they are kept for days", 1
    )
    tables: int = live(
        20_000,
        "tables that run; each holds a task and its position in memory. Tables that rest in the record do not count",
        1,
    )
    observers: int = live(
        200, "observers of one table; each costs every move one more send, some microseconds, and a connection", 0
    )
    receive_bytes: int = setting(
        4096, "read from a client at a time; board-game messages are shorter, every waiting read may cost this much", 64
    )
    messages_per_second: float = live(
        50.0, "commands a client may send in the long run; no person and few programs move faster", 0.1
    )
    messages_burst: int = live(
        200,
        "commands a client may send at once before the rate counts: a set-up of pieces fits in, and a short script",
        1,
    )
    sayings_per_second: float = live(
        0.5, "what a client may say to others in the long run; nobody reads a line in less than two seconds", 0.01
    )
    sayings_burst: int = live(
        20, "what it may say at once before that rate counts: a long text of several lines, a lively moment", 1
    )
    everybody_per_minute: float = live(
        6.0, "lines that one address, and one account, may say to everybody who listens; 0 switches that off for all", 0
    )
    stored_per_minute: int = live(
        4_194_304,
        "bytes that clients of one address add to the record in a minute: some 15,000 moves, a club's hour of blitz",
        4096,
    )
    unknown_tickets: int = live(
        3,
        "unknown tickets from one address that cost no time: a slip of the finger; each further one doubles a wait",
        1,
    )
    handshake_s: float = setting(
        30.0, "from connecting to asking for a seat; long enough for a person at telnet, short for a port scanner", 0.05
    )
    lobby_s: float = live(
        1800.0, "the same in dialects of people, who look round or set a game up before they sit down", 0.05
    )
    idle_s: float | None = live(
        43_200.0, "without a byte from a client; a correspondence player thinks for hours, a dead peer is found by TCP"
    )
    unread_s: float = setting(
        30.0, "how long bytes may wait for a client that does not read; a mobile network is back by then, or gone", 0.05
    )
    unread_bytes: int = live(
        262_144,
        "bytes that may wait for such a client; a long game's whole record fits, a forgotten client costs no more",
        4096,
    )
    shutdown_s: float = setting(
        3.0, "for telling everybody and storing the rest after SIGTERM; the process is gone within 5 s", 0.05
    )


@dataclass(frozen=True, slots=True)
class Seats:
    grace_s: float = live(60.0, "a lost connection keeps its seat so long, its clock running; a router restarts in it")
    adjourned_s: float = live(
        604_800.0, "a game whose players are all gone waits so long for those who have tickets; then it is void", 1
    )
    bot_after_s: float | None = live(
        10.0, 'an open seat is given to a house bot so long after the first player sat down; "never" waits for people'
    )
    round_s: float = live(
        5.0,
        "engines that play game after game are paired so often; two who met last meet again after four rounds",
        0.05,
    )
    registered_s: float = live(
        604_800.0, "a registered table waits so long for its game to begin; people agree on a day within a week", 1
    )
    abandoned: Literal["bot", "loss"] = live(
        "bot", 'after the grace the seat goes to a house bot ("bot") or loses the game ("loss")'
    )
    deserted: Literal["adjourn", "loss"] = live(
        "adjourn",
        'the last person leaves a game: it waits for the seat\'s ticket ("adjourn", as on FICS) or is lost ("loss")',
    )
    first_move_s: float | None = live(
        None,
        'no clock runs in a player\'s first turn, and the game is aborted after so long; "never": clocks run at once',
        1,
    )
    observers_speak: bool = live(
        False, "those who look on may speak to the players; else they talk among themselves, and can spoil no game"
    )


@dataclass(frozen=True, slots=True)
class Registering:
    who: Literal["anybody", "accounts", "admin"] = live(
        "anybody", 'who may register tables: "anybody", those who have "accounts", or whoever has the "admin" token'
    )
    accounts: Literal["open", "invitation", "closed"] = live(
        "open",
        'who may make an account on the pages: anybody ("open"), who has an "invitation", or nobody ("closed")',
    )
    admin_token: str = optional(
        "the host's secret for the API, at least 22 characters; better kept in a file", live=True
    )
    admin_token_file: str = optional(
        "the file whose first line is that secret; read at the start and at SIGHUP", live=True
    )
    host_accounts: str = optional(
        'accounts whose password opens the host\'s pages, as "anna bob"; only the command line makes such accounts',
        live=True,
    )
    tables_per_address: int = live(
        64, "unfinished tables that guests of one address may have registered; each waits for days", 1
    )
    tables_per_account: int = live(
        512, "unfinished tables that one account may have registered: a large tournament's round", 1
    )
    logins_at_once: int = live(
        2,
        "passwords that are checked at the same time; each takes some 150 ms of a processor and 64 MB of memory",
        1,
        64,
    )


LEVELS: Final = (1, 2, 3)
"""Levels of house bots."""


@dataclass(frozen=True, slots=True)
class Bots:
    workers: int = setting(1, "processes that think for the house bots, beside the server's own; 0 has no house bots")
    pause_s: float = live(0.6, "at least so long a house bot takes for a move, so that people can follow")
    level: int = live(
        2, "how well house bots play: 1 is for beginners, 3 thinks longest; players may ask for another", 1, max(LEVELS)
    )


@dataclass(frozen=True, slots=True)
class EngineBot:
    """One [[bot]]: a program that plays one game for the house. ``game`` and ``command`` must be given."""

    game: str = setting(
        "", "what it plays, a name from `boardgate games`; needed; of several for one game the first is the usual one"
    )
    command: str = setting("", "how it is started, written as for a shell, but run without one; needed")
    protocol: str = setting(
        "auto", 'how it is talked to: "uci", "cecp", "gtp"; "auto" tries those that have words for the game'
    )
    processes: int = setting(
        4, "how many may run, one for each game; further games share them. Each takes up to 150 MB of memory", 1, 64
    )
    move_time_s: float = setting(
        0.5,
        "thought for a move, less when many wait or the clock is short; half a second is within bots.pause",
        0.01,
    )
    options: Mapping[str, str] = field(
        default_factory=dict,
        metadata={"reason": "the program's own options, by name; one that it does not have is a warning in the log"},
    )
    name: str = optional("what players choose it by, as in --against NAME; the program's own name otherwise")


@dataclass(frozen=True, slots=True)
class Relay:
    rooms: int = live(
        2000, "codes at once, waiting or in use; each pair takes two file descriptors, a one-time port one more", 1
    )
    rooms_per_address: int = live(16, "codes of one address, so that one host cannot take every code and port", 1)
    ports: str = setting(
        "any", 'one-time ports: "any" free one, "none", or a range a firewall can let through, such as "5040-5099"'
    )
    expires_s: float = live(
        600.0, "a code that two have not met by until then is void; time to read it out over the telephone", 1
    )
    grace_s: float = live(60.0, "a side that lost its connection may come back so long; a router restarts in it", 0.05)
    idle_s: float | None = live(
        21_600.0, "a joined pair without a byte either way is parted; a long think is shorter, a forgotten pair is not"
    )
    bytes_per_second: int = live(
        12_500_000,
        "of one pair, both ways together, in the long run: 100 Mbit/s, so that none takes the whole line",
        1000,
    )
    recordings: int = live(
        100, "recorded pairs that are kept as wire logs, the oldest goes first; 0 records none, whoever asks"
    )
    recorded_bytes: int = live(1_048_576, "of a pair that is recorded, then the recording ends; a game is shorter", 1)


@dataclass(frozen=True, slots=True)
class Metrics:
    who: Literal["local", "admin", "anybody"] = live(
        "local",
        'who may read /metrics: "local" is this machine and who has the admin token, "admin" who has it, or "anybody"',
    )


@dataclass(frozen=True, slots=True)
class Record:
    delete_after_s: float | None = live(
        None, 'finished games are deleted so long after their last event; "never" keeps them, they are small', 86_400
    )
    least_free: int = live(
        104_857_600,
        "bytes free on the disk below which the server is not ready, while there is time to make room; 0 does not look",
    )


@dataclass(frozen=True, slots=True)
class Noticing:
    push: bool = setting(
        True, "browsers whose owners wish so are told of their games while no page is open, by Web Push"
    )
    webhooks: bool = setting(True, "accounts may have a program of theirs told at an address, by a signed request")
    contact: str = optional(
        "where push services reach the host, mailto:HOST@DOMAIN or https://...; empty: the address of public_host",
        live=True,
    )
    per_hour: int = live(30, "notices that are sent to one person in an hour; more are not sent", 1)
    private_services: bool = setting(
        False, "push services may be in private networks and without TLS: for tests, and hosts that run their own"
    )


@dataclass(frozen=True, slots=True)
class Mail:
    host: str = optional("the SMTP server that takes this server's messages; empty: no mail is sent")
    port: int = setting(587, "its port: 587 for programs with a user, 465 with TLS from the first byte, 25", 1, 65_535)
    security: Literal["starttls", "tls", "none"] = setting(
        "starttls",
        'encryption of the way there: "starttls", "tls" from the first byte, or "none", for a server on this machine',
    )
    user: str = optional("the user to log in as there; empty: it takes messages without")
    password_file: str = optional("the file whose first line is that user's password; read at the start and at SIGHUP")
    sender: str = optional("the address that messages come from, as boardgate@example.org; needed")
    pages: str = optional(
        "where links in messages lead, as https://games.example.org; empty: https:// and server.public_host"
    )
    notices_per_hour: int = live(10, "notices that are mailed to one person in an hour; more are not sent", 1)


@dataclass(frozen=True, slots=True)
class OpenId:
    issuer: str = optional(
        "the OpenID Connect provider whose people may log in here, as https://login.example.org/realm; empty: none"
    )
    client_id: str = optional("what the provider calls this server; needed")
    client_secret_file: str = optional("the file whose first line is this server's secret at the provider; needed")
    name: str = setting("OpenID", "what pages call the provider, as in the button Log in with NAME")
    scopes: str = setting("openid profile", "what is asked for: the name that a person has there is suggested here")
    pages: str = optional("where the provider sends browsers back, as https://games.example.org; empty: as mail.pages")


@dataclass(frozen=True, slots=True)
class Reporting:
    mail: str = optional("where the host is told of reports that people make, as you@example.org; needs [mail]")
    webhook: str = optional(
        "an address that is told of them by a signed request; it may be in a private network, and without TLS"
    )
    webhook_secret_file: str = optional(
        "the file whose first line is the secret that signs them: 24 bytes or more in base64; needed with webhook"
    )
    every_s: float = setting(
        600.0, "a way tells once in so long: of the first report at once, then of all that have come meanwhile", 1
    )


@dataclass(frozen=True, slots=True)
class Cluster:
    node: str = optional("the name of this server among several on one PostgreSQL; empty: the host's name")
    lease_s: float = setting(3.0, "a server that is silent for so long is dead: the others take its games over", 1, 60)
    patience_s: float = setting(
        20.0, "the database is silent for so long: players are hung up on, and may find a server that reaches it", 5
    )
    linger_s: float = setting(
        3600.0, "a draining server has given its games away; so long its players may stay connected to it"
    )
    bus: str = setting(
        "postgres", 'how servers talk to each other: "postgres" is the database itself, or "nats://HOST:4222"'
    )
    relay: str = optional(
        "HOST:PORT where the others call this server for callers of the relay whose code is of here; empty: nowhere"
    )


@dataclass(frozen=True, slots=True)
class Log:
    level: Literal["debug", "info", "warning", "error"] = live("info", "the least serious line that is written")
    format: Literal["auto", "text", "json"] = live(
        "auto", '"text" is key=value, "json" an object a line, "auto" colours on a terminal and text elsewhere'
    )
    slow_move_s: float | None = live(
        0.1, 'a move that takes longer is a line with the time of each stage; nobody notices less; "never" writes none'
    )
    wire: bool = live(False, "write every connection's bytes as a transcript: for finding faults, not for every day")


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a host chose. ``listen`` given anywhere replaces the default listeners.

    ``bot`` None: nothing is said of engines, and those that are installed play.
    """

    server: Server = Server()
    limits: Limits = Limits()
    seats: Seats = Seats()
    registration: Registering = Registering()
    bots: Bots = Bots()
    relay: Relay = Relay()
    record: Record = Record()
    metrics: Metrics = Metrics()
    notices: Noticing = Noticing()
    mail: Mail = Mail()
    openid: OpenId = OpenId()
    reports: Reporting = Reporting()
    cluster: Cluster = Cluster()
    log: Log = Log()
    listen: tuple[Listen, ...] = DEFAULT_LISTENERS
    bot: tuple[EngineBot, ...] | None = None

    @property
    def house_rules(self) -> HouseRules:
        """The house rules of tables whose listener does not set its own."""
        seats, bots = self.seats, self.bots.workers > 0
        return HouseRules(
            seats.grace_s,
            seats.bot_after_s if bots else None,
            seats.abandoned if bots else "loss",
            seats.adjourned_s,
            deserted=seats.deserted,
            observers_speak=seats.observers_speak,
            first_move_s=seats.first_move_s or UNSET,
        )

    @property
    def database_url(self) -> str:
        """The database's URL with DATA replaced by the data directory. Creates nothing."""
        if not self.server.database.startswith(DATA_PREFIX):
            return self.server.database
        return f"sqlite:///{Path(self.server.data) / self.server.database.removeprefix(DATA_PREFIX)}"

    def make_data_directory(self) -> None:
        """Create the data directory where the database is in it; others may not look inside. OSError as it comes."""
        if self.server.database.startswith(DATA_PREFIX):
            Path(self.server.data).mkdir(mode=0o700, parents=True, exist_ok=True)
