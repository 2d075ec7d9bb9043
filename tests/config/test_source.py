"""Settings come from a file, the environment and the command line; wrong ones are refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.config import BadSetting, Config, Listen, load

WHOLE = """
[server]
name = "Club"
data = "/var/lib/club"
public_host = "games.example.org"
[limits]
connections = 500
messages_per_second = 10
idle = "never"
unread = "1.5s"
[seats]
grace = "2m"
bot_after = "never"
abandoned = "loss"
[log]
wire = true
[[listen]]
dialect = "bogaprot"
address = "[::1]:5701"
game = "ludo"
[listen.options]
width = 10
byte_order = "little"
swap = true
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory without a boardgate.toml."""
    monkeypatch.chdir(tmp_path)


def wrote(text: str) -> Path:
    file = Path("club.toml")
    file.write_text(text, encoding="utf-8")
    return file


def test_without_a_file_everything_is_at_its_default() -> None:
    assert load() == Config()


def test_a_file_sets_what_it_names_and_leaves_the_rest() -> None:
    config = load(wrote(WHOLE))
    assert (config.server.name, config.server.public_host) == ("Club", "games.example.org")
    assert (config.limits.connections, config.limits.messages_per_second) == (500, 10.0)
    assert (config.limits.idle_s, config.limits.unread_s) == (None, 1.5)
    assert (config.seats.grace_s, config.seats.bot_after_s, config.seats.abandoned) == (120.0, None, "loss")
    assert config.log.wire is True
    assert config.bots == Config().bots
    assert config.limits.connections_per_address == Config().limits.connections_per_address


def test_a_listener_in_the_file_replaces_the_default_ones_and_its_options_become_texts() -> None:
    options = {"game": "ludo", "width": "10", "byte_order": "little", "swap": "true"}
    assert load(wrote(WHOLE)).listen == (Listen("bogaprot", "::1", 5701, options),)


def test_an_empty_list_of_listeners_is_none_at_all() -> None:
    assert load(wrote("listen = []")).listen == ()


def test_boardgate_toml_of_the_working_directory_is_read_unasked() -> None:
    Path("boardgate.toml").write_text('[server]\nname = "Here"\n', encoding="utf-8")
    assert load().server.name == "Here"


def test_a_file_that_was_asked_for_must_exist() -> None:
    with pytest.raises(FileNotFoundError):
        load(Path("missing.toml"))


def test_the_command_line_wins_over_the_environment_and_that_over_the_file() -> None:
    file = wrote('[server]\nname = "file"\ndata = "file"\npublic_host = "file"\n')
    environ = {"BOARDGATE_SERVER_DATA": "environment", "BOARDGATE_SERVER_PUBLIC_HOST": "environment"}
    server = load(file, environ, data="command").server
    assert (server.name, server.public_host, server.data) == ("file", "environment", "command")


def test_listeners_follow_the_same_order() -> None:
    file = wrote('[[listen]]\ndialect = "file"\naddress = "a:1"\n')
    environ = {"BOARDGATE_LISTEN": "environment=a:1  second=a:2,game=ludo"}
    assert [listener.dialect for listener in load(file).listen] == ["file"]
    assert [listener.dialect for listener in load(file, environ).listen] == ["environment", "second"]
    assert [listener.dialect for listener in load(file, environ, listen=["command=a:3"]).listen] == ["command"]


@pytest.mark.parametrize(
    ("variable", "text", "found"),
    [
        ("LIMITS_CONNECTIONS_PER_ADDRESS", "5000", lambda config: config.limits.connections_per_address == 5000),
        ("LIMITS_MESSAGES_PER_SECOND", "0.5", lambda config: config.limits.messages_per_second == 0.5),
        ("LIMITS_HANDSHAKE", "250ms", lambda config: config.limits.handshake_s == 0.25),
        ("SEATS_BOT_AFTER", "never", lambda config: config.seats.bot_after_s is None),
        ("LOG_WIRE", "yes", lambda config: config.log.wire is True),
        ("LOG_FORMAT", "json", lambda config: config.log.format == "json"),
        ("BOTS_WORKERS", "0", lambda config: config.bots.workers == 0),
    ],
)
def test_a_variable_sets_one_setting(variable: str, text: str, found: Callable[[Config], bool]) -> None:
    assert found(load(environ={f"BOARDGATE_{variable}": text}))


def test_variables_that_name_no_section_are_not_ours() -> None:
    environ = {"BOARDGATE_SERVICE_HOST": "10.0.0.1", "BOARDGATE_PORT": "tcp://10.0.0.1:80", "PATH": "/bin"}
    assert load(environ=environ) == Config()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limits]\nconections = 1", "club.toml: [limits]: there is no setting conections; did you mean connections?"),
        ("[limits]\nzzz = 1", "there are connections, connections_per_address"),
        ("[limit]\nconnections = 1", "club.toml: there is no setting limit; did you mean limits?"),
        (
            "[zzz]\na = 1",
            "there are server, limits, seats, registration, bots, relay, record, metrics, notices, mail, openid",
        ),
        ("limits = 3", "limits is a section; write [limits]"),
        ("[limits]\nconnections = 'many'", "[limits] connections: 'many' is not a whole number"),
        ("[limits]\nconnections = 2.5", "2.5 is not a whole number"),
        ("[limits]\nconnections = true", "True is not a whole number"),
        ("[limits]\nconnections = 0", "0 is less than 1"),
        ("[limits]\nmessages_per_second = nan", "nan is not a number"),
        ("[limits]\nmessages_per_second = inf", "inf is not a number"),
        ("[bots]\nlevel = 4", "[bots] level: 4 is more than 3"),
        ("[seats]\ngrace = 60", "[seats] grace: '60' is no duration"),
        ("[seats]\ngrace = 'never'", '"never" is not possible here'),
        ("[seats]\ngrace = [1]", "is no duration"),
        ("[limits]\nhandshake = '1ms'", "'1ms' is less than 0.05 s"),
        ("[seats]\nabandoned = 'win'", "'win' is none of bot, loss"),
        ("[log]\nwire = 'perhaps'", "'perhaps' is neither true nor false"),
        ("[log]\nwire = 1", "1 is neither true nor false"),
        ("[server]\nname = 5", "5 is not a text in quotes"),
        ("[server]\nname = ''", "'' is not a text in quotes"),
        ("listen = 5", "begin each listener with a line [[listen]]"),
        ("listen = [5]", "begin each listener with a line [[listen]]"),
        ("[[listen]]\ndialect = 'x'", "[[listen]] number 1: dialect and address are needed"),
        ("[[listen]]\ndialect = 'x'\naddress = 5700", "dialect and address are needed, as texts"),
        ("[[listen]]\ndialect = 'x'\naddress = 'here'", "[[listen]] number 1: address 'here'"),
        ("[[listen]]\ndialect = 'x'\nadress = 'a:1'", "there is no setting adress; did you mean address?"),
        ("[[listen]]\ndialect = 'x'\naddress = 'a:1'\noptions = 1", "options is a section"),
        ("[[listen]]\ndialect = 'x'\naddress = 'a:1'\n[listen.options]\na = [1]", "option a is neither"),
        ("[[listen]]\ndialect='x'\naddress='a:1'\ngame='g'\n[listen.options]\ngame='h'", "game is given twice"),
        ("[limits", "club.toml: not TOML"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        load(wrote(text))
    assert said in str(refusal.value)
    assert "club.toml" in str(refusal.value)


def test_a_file_that_is_not_text_is_refused() -> None:
    Path("club.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSetting, match=r"club\.toml: not TOML"):
        load(Path("club.toml"))


def test_a_misspelt_variable_of_a_section_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(
        BadSetting, match=r"BOARDGATE_LIMITS_\*: there is no setting conections; did you mean connections"
    ):
        load(environ={"BOARDGATE_LIMITS_CONECTIONS": "1"})


@pytest.mark.parametrize(
    ("database", "url"),
    [
        ("sqlite:///DATA/boardgate.db", "sqlite:////srv/club/boardgate.db"),
        ("sqlite:////elsewhere/DATA/x.db", "sqlite:////elsewhere/DATA/x.db"),
        ("postgresql+psycopg://DATA@host/name", "postgresql+psycopg://DATA@host/name"),
    ],
)
def test_data_in_the_database_is_the_data_directory(database: str, url: str) -> None:
    environ = {"BOARDGATE_SERVER_DATABASE": database}
    assert load(environ=environ, data="/srv/club").database_url == url


def test_the_data_directory_is_made_for_its_owner_alone_and_only_when_asked() -> None:
    config = load(data="deep/data")
    assert config.database_url == "sqlite:///deep/data/boardgate.db"
    assert not Path("deep").exists()
    config.make_data_directory()
    config.make_data_directory()
    assert Path("deep/data").stat().st_mode & 0o777 == 0o700


def test_no_directory_is_made_for_a_database_elsewhere() -> None:
    load(environ={"BOARDGATE_SERVER_DATABASE": "sqlite:///here.db"}, data="unused").make_data_directory()
    assert not Path("unused").exists()
