"""An account's owner uses the name, over every protocol, at a running server; a guest gets another and is told why."""

from __future__ import annotations

import base64
import http.client
import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from clients.gamesman import Player
from gateway.store.accounts import SqlAccounts
from tests.conformance.chess_players import Lines
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.servers import fast
from tests.conformance.spec_client import PATIENCE_S, SpecClient
from tests.passwords import hashed
from tests.running import RunningServer, made_record

PASSWORD = "correct horse"
WRONG = "battery staple"
GAME = "tic_tac_toe"
HOMES = (f"127.0.1.{number}" for number in itertools.count(1))
"""Where requests come from, each from another address: tries of one address are limited."""

LISTENERS = ("http", "bogaprot", "miniature", "chess-p2p", "gtp-gui", "gtp-engine,size=9")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record with the accounts "Anna" and "Bert"."""
    folder = tmp_path_factory.mktemp("accounts")
    url = made_record(folder / "boardgate.db")
    with closing(SqlAccounts(url)) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "root")
    return folder


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[RunningServer]:
    with fast(data, *LISTENERS, LOG_WIRE="yes") as server:
        yield server


@pytest.fixture
def ports(running: RunningServer) -> dict[str, int]:
    return dict(zip((name.partition(",")[0] for name in LISTENERS), running.ports, strict=True))


def asked(port: int, method: str, path: str, body: object = None, auth: str = "") -> tuple[int, Any]:
    """A request of the API: status and answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, PATIENCE_S, (next(HOMES), 0))
    try:
        headers = {"Authorization": auth} if auth else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        read = answer.read()
        return answer.status, json.loads(read) if read else None
    finally:
        connection.close()


def basic(name: str, password: str = PASSWORD) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def token(port: int, name: str = "Anna") -> str:
    status, answer = asked(port, "POST", "/api/tokens", auth=basic(name))
    assert status == 201, answer
    assert answer["account"] == name
    return str(answer["token"])


def seat_name(client: SpecClient) -> str:
    """What the client is called at its table."""
    client.until("MSG_PLAYERS")
    return client.players[client.seat][1]


@pytest.mark.parametrize(
    "engine",
    [
        f"{GAME}?name=anna&secret=correct%20horse",
        f"{GAME}?name=ANNA#{PASSWORD}",
        f"{GAME}?name=Anna#TOKEN",
        f"{GAME}#TOKEN",
    ],
)
def test_a_handshake_with_the_password_or_a_token_gets_the_name(ports: dict[str, int], engine: str) -> None:
    client = SpecClient(ports["bogaprot"])
    engine = engine.replace("TOKEN", token(ports["http"])) if "TOKEN" in engine else engine
    assert client.handshake(f"{engine}") == ("RSP_HANDSHAKE", 0)
    assert seat_name(client) == "Anna"
    client.close()


@pytest.mark.parametrize("engine", [f"{GAME}?name=anna&secret=battery%20staple", f"{GAME}?name=anna#{WRONG}"])
def test_a_handshake_with_a_wrong_password_gets_no_seat(ports: dict[str, int], engine: str) -> None:
    client = SpecClient(ports["bogaprot"])
    why = "no password or token for the account 'anna': check name and password"
    assert client.handshake(engine) == ("RSP_HANDSHAKE", 1, why)
    assert client.handshake(f"{GAME}?name=anna#{PASSWORD}") == ("RSP_HANDSHAKE", 0)
    client.close()


def test_a_guest_who_wants_an_accounts_name_is_told_why_it_has_another(ports: dict[str, int]) -> None:
    client = SpecClient(ports["bogaprot"])
    assert client.handshake(f"{GAME}?name=anna&chat=yes") == ("RSP_HANDSHAKE", 0)
    assert seat_name(client) == "anna-2"
    why = "anna is the name of an account, and you have not logged in: you are anna-2"
    assert client.until("MSG_MOVE") == ("MSG_MOVE", -1, -1, f"said -1 {why}")
    client.close()


def test_a_client_that_wants_the_name_or_none_is_asked_for_the_password(ports: dict[str, int]) -> None:
    client = SpecClient(ports["bogaprot"])
    needed = client.handshake(f"{GAME}?name=anna&exact=yes")
    assert needed == ("RSP_HANDSHAKE", 2, "anna is the name of an account: its password is needed")
    assert client.handshake(f"{GAME}?name=nobody-has-this&exact=yes") == ("RSP_HANDSHAKE", 0)
    client.close()


def test_two_connections_of_one_account_have_its_name_at_different_tables(ports: dict[str, int]) -> None:
    clients = [SpecClient(ports["bogaprot"]) for _ in range(3)]
    engine = f"checkers?name=Bert&secret={PASSWORD.replace(' ', '%20')}"
    for client in clients[:2]:
        assert client.handshake(engine) == ("RSP_HANDSHAKE", 0)
        assert seat_name(client) == "Bert"
    assert clients[2].handshake("checkers?name=carl") == ("RSP_HANDSHAKE", 0)
    clients[0].until("MSG_START")
    assert [name for _, name in clients[0].players] == ["Bert", "carl"]
    for client in clients:
        client.close()


def test_miniature_logs_in_by_words_to_the_gateway(ports: dict[str, int]) -> None:
    peer = Lines(ports["miniature"])
    peer.say(f"tell gateway login Anna {WRONG}")
    assert (
        peer.until("error ")
        == "error bad-password no password or token for the account 'Anna': check name and password"
    )
    peer.say(f"tell gateway login anna {PASSWORD}")
    assert peer.until("tell gateway you are") == "tell gateway you are Anna"
    peer.say("seek 5 0")
    assert peer.until("tell gateway table").endswith(": Anna - nobody yet")
    peer.say("tell gateway leave", "tell gateway login", f"tell gateway login {token(ports['http'], 'Bert')}")
    assert peer.until("error ").startswith("error syntax a login is written NAME PASSWORD")
    assert peer.until("tell gateway you are") == "tell gateway you are Bert"
    peer.close()


def test_a_miniature_guest_is_told_why_it_has_another_name(ports: dict[str, int]) -> None:
    peer = Lines(ports["miniature"])
    peer.say("tell gateway name Anna", "seek 7 0")
    why = "Anna is the name of an account, and you have not logged in: you are here as Anna-2"
    assert peer.until("tell gateway Anna is") == f"tell gateway {why}"
    peer.close()


@pytest.mark.parametrize("early", [True, False])
def test_chess_p2p_logs_in_by_a_text_before_its_seat_or_after_it(ports: dict[str, int], *, early: bool) -> None:
    """A program takes a seat as soon as it is there: its user logs in afterwards."""
    peer = Lines(ports["chess-p2p"])
    peer.until("hallo ")
    if not early:
        peer.say("new")
        peer.until("text your ticket")
    if early:
        peer.say(f"text /login Anna {WRONG}")
        why = "no password or token for the account 'Anna': check name and password"
        assert peer.until("text no password") == f"text {why}"
    peer.say(f"text /login anna {PASSWORD}")
    assert peer.until("text you are") == "text you are Anna"
    peer.say("text /login Anna", "new", "level 0 600 0", "go")
    opponent = Lines(ports["chess-p2p"])
    opponent.until("hallo ")
    opponent.say("new", "level 0 600 0", "move e2e4", "go")
    opponent.until("name Anna")
    for end in (peer, opponent):
        end.say("quit")
        end.close()


def test_chess_p2p_logs_in_behind_its_name(ports: dict[str, int]) -> None:
    wrong, right, guest = (Lines(ports["chess-p2p"]) for _ in range(3))
    wrong.say(f"name Bert#{WRONG}", "new")
    refused = wrong.until("text no password")
    assert refused == "text no password or token for the account 'Bert': check name and password"
    wrong.until("quit")
    right.say(f"name Bert#{PASSWORD}", "new", "level 0 660 0", "go")
    right.until("text your game is proposed")
    guest.say("name bert", "new")
    why = "bert is the name of an account, and you have not logged in: you are bert-2"
    assert guest.until("text bert is") == f"text {why}"
    guest.say("level 0 660 0", "move e2e4", "go")
    guest.until("text the game with Bert begins")
    for end in (wrong, right, guest):
        end.close()


def test_a_go_gui_logs_in_by_a_command_and_an_engine_by_its_first_lines(ports: dict[str, int]) -> None:
    gui = OnPort(ports["gtp-gui"])
    assert gui.asks(f"1 boardgate-login Bert {WRONG}").startswith("?1 no password or token for the account 'Bert'")
    assert gui.asks("2 boardgate-login") == '?2 a login is written NAME PASSWORD, "NAME WITH BLANKS" PASSWORD, or TOKEN'
    assert gui.asks(f"3 boardgate-login bert {PASSWORD}") == "=3 you are Bert"
    gui.sets("boardsize 9")
    gui.sends("play b C3")
    with Engine(ports["gtp-engine"], {"genmove": "E5"}, first=f"Anna\n{PASSWORD}\n"):
        assert gui.answer() == "="
        assert gui.asks("genmove w") == "= E5"
        assert "Anna" in gui.asks("boardgate-opponent")
        _, shown = asked(ports["http"], "GET", "/api/tables?game=go")
        assert [seat["name"] for seat in shown["tables"][0]["seats"]] == ["Bert", "Anna"]
    gui.close()


def test_an_engine_may_say_a_password_beside_its_ticket(ports: dict[str, int]) -> None:
    first = f"# ticket {'e' * 22}\n# login {PASSWORD}\nBert\n"
    gui = OnPort(ports["gtp-gui"])
    gui.sends("boardsize 9", "play b C3")
    with Engine(ports["gtp-engine"], {"genmove": "E5"}, first=first):
        assert [gui.answer(), gui.answer()] == ["=", "="]
        assert "Bert" in gui.asks("boardgate-opponent")
    gui.close()


def test_an_engine_with_a_wrong_password_is_told_so_and_let_go(ports: dict[str, int]) -> None:
    with Engine(ports["gtp-engine"], {}, first=f"Anna\n{WRONG}\n", listed=LISTED) as engine:
        assert engine.left.wait(PATIENCE_S)
        assert "no password or token for the account 'Anna': check name and password" in engine.comments


def test_gamesman_logs_in_by_a_header(ports: dict[str, int]) -> None:
    web = ports["http"]
    body = {"game": GAME, "seats": [{"name": "Anna"}, {"name": "dora"}]}
    assert asked(web, "POST", "/api/tables", body, basic("Anna"))[0] == 201
    url = f"http://127.0.0.1:{web}"
    assert error(url, {}) == "Anna is the name of an account: log in, or send its seat's ticket"
    wrong = "no password or token for the account 'Anna': check name and password"
    assert error(url, {"Authorization": basic("Anna", WRONG)}) == wrong
    player = Player(url, "Anna", "dora", token=token(web), patience_s=PATIENCE_S)
    assert player.start() is None


def error(url: str, headers: dict[str, str]) -> str:
    place = url.removeprefix("http://")
    connection = http.client.HTTPConnection(place, timeout=PATIENCE_S, source_address=(next(HOMES), 0))
    try:
        names = {"type": "SendMove", "SrcPlayer": "Anna", "DestPlayer": "dora"}
        connection.request("POST", "/GamesmanServlet", headers={**names, **headers})
        answer = connection.getresponse()
        answer.read()
        return answer.headers.get("error_message", "")
    finally:
        connection.close()


def test_a_token_asks_the_api_until_it_is_ended(ports: dict[str, int]) -> None:
    web = ports["http"]
    assert asked(web, "POST", "/api/tokens", auth=basic("Anna", WRONG))[0] == 401
    assert asked(web, "POST", "/api/tokens")[0] == 401
    bearer = f"Bearer {token(web)}"
    body = {"game": GAME, "seats": [{"name": "Anna"}, "open"]}
    assert asked(web, "POST", "/api/tables", body, bearer)[0] == 201
    assert asked(web, "DELETE", "/api/tokens", auth=bearer) == (204, None)
    assert asked(web, "POST", "/api/tables", body, bearer)[0] == 401
    assert asked(web, "DELETE", "/api/tokens", auth=bearer)[0] == 401


def test_a_program_has_a_token_with_a_name_which_is_listed_and_ended(ports: dict[str, int]) -> None:
    web, mine = ports["http"], basic("Anna")
    wanted = {"name": "my bot", "scopes": ["bot:play", "challenge:read"]}
    status, made = asked(web, "POST", "/api/tokens", wanted, mine)
    assert (status, made["account"], made["expires_at"]) == (201, "Anna", None)
    bearer = f"Bearer {made['token']}"
    assert asked(web, "POST", "/api/tokens", wanted, mine)[0] == 400
    assert asked(web, "POST", "/api/tokens", {"name": "x", "scopes": ["sing"]}, mine)[0] == 400
    assert asked(web, "POST", "/api/tokens", {"name": "x"}, bearer)[0] == 401
    body = {"game": GAME, "seats": [{"name": "Anna"}, "open"]}
    assert asked(web, "POST", "/api/tables", body, bearer)[0] == 201
    for method, path in (("GET", "/api/tokens"), ("GET", "/api/blocks"), ("DELETE", "/api/webhook")):
        status, refused = asked(web, method, path, auth=bearer)
        assert (status, refused["error"], refused["message"]) == (
            403,
            "forbidden",
            "this token is not good for that: it needs all",
        )
    shown = asked(web, "GET", "/api/tokens", auth=mine)[1]["tokens"]
    [listed] = [one for one in shown if one["name"] == "my bot"]
    assert (listed["scopes"], listed["expires_at"]) == (["bot:play", "challenge:read"], None)
    assert listed["used_at"] is not None
    assert asked(web, "DELETE", f"/api/tokens/{listed['id']}", auth=basic("Bert"))[0] == 404
    assert asked(web, "DELETE", f"/api/tokens/{listed['id']}", auth=mine) == (204, None)
    assert asked(web, "POST", "/api/tables", body, bearer)[0] == 401


def test_a_token_for_offers_alone_makes_them_and_takes_no_seat(ports: dict[str, int]) -> None:
    web, wanted = ports["http"], {"name": "offers", "scopes": ["challenge:write"], "until": "2999-12-31"}
    status, made = asked(web, "POST", "/api/tokens", wanted, basic("Bert"))
    assert (status, made["expires_at"]) == (201, "3000-01-01T00:00:00+00:00")
    bearer = f"Bearer {made['token']}"
    status, offer = asked(web, "POST", "/api/offers", {"game": "chess"}, bearer)
    assert status == 201
    assert asked(web, "GET", f"/api/offers/{offer['id']}", auth=bearer)[0] == 200
    assert asked(web, "DELETE", f"/api/offers/{offer['id']}", auth=bearer)[0] == 204
    assert asked(web, "POST", "/api/tables", {"game": GAME, "seats": [{"name": "Bert"}, "open"]}, bearer)[0] == 403
    client = SpecClient(ports["bogaprot"])
    why = "this token is not good for playing: that needs bot:play or board:play"
    assert client.handshake(f"{GAME}#{made['token']}") == ("RSP_HANDSHAKE", 1, why)
    client.close()
    assert asked(web, "DELETE", "/api/tokens", auth=bearer) == (204, None)


def test_tokens_end_with_the_password_and_with_the_account(data: Path, ports: dict[str, int]) -> None:
    web = ports["http"]
    with closing(SqlAccounts(f"sqlite:///{data / 'boardgate.db'}")) as accounts:
        accounts.add("Carl", hashed(PASSWORD), "root")
        ends: list[Callable[[], None]] = [
            partial(accounts.set_password, "Carl", hashed(PASSWORD), "root"),
            partial(accounts.set_disabled, "Carl", True, "root"),
            partial(accounts.revoke, "Carl", "root"),
        ]
        for end in ends:
            accounts.set_disabled("Carl", False, "root")
            bearer = f"Bearer {token(web, 'Carl')}"
            body = {"game": GAME, "seats": [{"name": "Carl"}, "open"]}
            assert asked(web, "POST", "/api/tables", body, bearer)[0] == 201
            end()
            assert asked(web, "POST", "/api/tables", body, bearer)[0] == 401


def test_no_password_and_no_token_is_written_anywhere(
    data: Path, running: RunningServer, ports: dict[str, int]
) -> None:
    """In half messages neither: wire logs, the server's log and the record hold no secret that was sent."""
    secret = token(ports["http"])
    split = SpecClient(ports["bogaprot"])
    whole = b"\0\0\0\x65\0\0\0\x3c" + f"{GAME}?name=Anna#{secret}".encode()
    split.send(whole[:40])
    split.send(whole[40:])
    split.close()
    peer = Lines(ports["miniature"])
    peer.say(f"tell gateway login Anna {PASSWORD}")
    peer.until("tell gateway you are")
    peer.close()
    with Engine(ports["gtp-engine"], {}, first=f"Anna\n{WRONG}\n", listed=LISTED) as engine:
        assert engine.left.wait(PATIENCE_S)
    assert list((data / "wire").iterdir())
    for text in (PASSWORD, WRONG, secret, secret[:20]):
        spelled = [text.encode(), text.encode().hex(" ").encode(), text.replace(" ", "%20").encode()]
        found = [
            file for file in data.rglob("*") if file.is_file() and any(form in file.read_bytes() for form in spelled)
        ]
        assert found == [], text
