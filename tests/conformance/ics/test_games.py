"""Guests and accounts at a chess server's port of a running server: whole games, with one another and with others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gateway.store.accounts import SqlAccounts
from tests.conformance.chess_players import Lines
from tests.conformance.host import Host
from tests.conformance.ics.clients import Come, IcsClient, challenged, play
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RunningServer, made_record

PASSWORD = "correct horse"
LISTENERS = ("ics", "http", "miniature")
ICS, HTTP, MINIATURE = range(3)

DATE = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [0-9]{2}, [0-9]{2}:[0-9]{2} UTC [0-9]{4}"
MATE = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ics")
    with closing(SqlAccounts(made_record(folder / "boardgate.db"))) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "root")
    return folder


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[RunningServer]:
    with fast(data, *LISTENERS) as server:
        yield server


def host(running: RunningServer, name: str) -> Host:
    """Requests of this account."""
    return Host.of(running.ports[HTTP], name, PASSWORD)


def outcome(running: RunningServer, table: int) -> Any:
    return Host(running.ports[HTTP]).table(table)["outcome"]


def test_a_guest_mates_another_and_both_are_told_every_move(comes: Come, running: RunningServer) -> None:
    """After every move both players get the position, the mover too: the echo is the acceptance."""
    white, black = comes(), comes(seals=True)
    game = challenged(white, black)
    last = play(white, black, MATE)
    assert last[0] == "r-bqkb-r"
    assert last[8] == "B"
    assert last[25:27] == ["4", "Q/h5-f7"]
    assert last[28:] == ["Qxf7#", "0", "0", "0"]
    for each in (white, black):
        each.hears(f"{{Game {game} ({white.name} vs. {black.name}) {black.name} checkmated}} 1-0\n")
        each.hears("No ratings adjustment done.\n")
    assert outcome(running, game) == {"winner": 0, "reason": "rules", "detail": "checkmate"}


@pytest.mark.parametrize(
    ("words", "answer", "end"),
    [
        (("draw",), "accept", "Game drawn by mutual agreement} 1/2-1/2"),
        (("draw",), "draw", "Game drawn by mutual agreement} 1/2-1/2"),
        (("abort",), "abort", "Game aborted by mutual agreement} *"),
        (("resign",), "", "{white} resigns}} 0-1"),
        (("quit",), "", "{white} resigns}} 0-1"),
    ],
)
def test_how_a_game_may_end(comes: Come, words: tuple[str, ...], answer: str, end: str) -> None:
    white, black = comes(), comes()
    challenged(white, black)
    play(white, black, "e2e4 e7e5")
    white.type(*words)
    if answer:
        black.hears(f"{white.name} ")
        black.type(answer)
    black.hears(end.format(white=white.name) if "{white}" in end else end)


def test_a_challenged_game_is_aborted_alone_by_who_has_not_moved(comes: Come) -> None:
    white, black = comes(), comes()
    challenged(white, black)
    black.type("abort")
    for each in (white, black):
        each.hears("Game aborted by mutual agreement} *")


def test_a_takeback_is_asked_for_refused_withdrawn_and_agreed_to(comes: Come) -> None:
    white, black = comes(), comes()
    challenged(white, black)
    play(white, black, "e2e4 e7e5")
    white.asks("takeback 2")
    black.hears(f"{white.name} would like to take back 2 half move(s).")
    black.asks("decline")
    white.hears(f"{black.name} declines the takeback request.")
    white.asks("takeback 2")
    white.asks("withdraw")
    black.hears(f"{white.name} withdraws the takeback request.")
    white.asks("takeback 2")
    black.hears("half move(s).")
    black.type("takeback")
    assert [each.board()[25:27] for each in (white, black)] == [["1", "none"]] * 2


def test_moves_that_cannot_be_made_bring_the_position_back(comes: Come) -> None:
    white, black = comes(), comes()
    challenged(white, black)
    white.type("e2e5")
    white.hears("Illegal move (e2e5).\n<12> rnbqkbnr pppppppp")
    black.type("e7e5")
    black.hears("It is not your move.\n<12> rnbqkbnr pppppppp")


def test_a_seek_is_seen_taken_by_its_number_and_played_in_crazyhouse(comes: Come) -> None:
    white, black = comes(), comes()
    white.asks("seek 3 2 white crazyhouse")
    listed = black.asks("sought")
    assert f"++++ {white.name}" in listed
    assert listed.endswith("1 ad displayed.\n")
    black.type(f"play {listed.split()[0]}")
    for each in (white, black):
        each.hears(f"Creating: {white.name} (++++) {black.name} (++++) unrated crazyhouse 3 2\n")
        each.board()
    play(white, black, "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5")
    white.hears("white [P] black [P]\n")
    play(white, black, "P@e4 P@e5")


def test_an_account_loses_the_line_and_returns_to_its_game_by_name_and_password(tmp_path: Path) -> None:
    """The server is killed in the middle of a rated game; who logs in again sits at the same board."""
    with closing(SqlAccounts(made_record(tmp_path / "boardgate.db"))) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "root")
    with fast(tmp_path, *LISTENERS) as running:
        white, black = (IcsClient(running.ports[ICS]).comes(name, PASSWORD) for name in ("Anna", "Bert"))
        game = challenged(white, black, "5 0 r white")
        play(white, black, "e4 e5 Bc4 Nc6")
        running.kill()
        white.close()
        black.close()
    with fast(tmp_path, *LISTENERS, ports=dict(enumerate(running.ports))) as running:
        white, black = (IcsClient(running.ports[ICS]).comes(name, PASSWORD) for name in ("Anna", "Bert"))
        for each in (white, black):
            assert f"{{Game {game} (Anna vs. Bert) Continuing rated blitz match.}}" in each.text
            each.type("refresh")
        assert white.board()[25:27] == ["3", "N/b8-c6"]
        black.board()
        play(white, black, "Qh5 Nf6 Qxf7#")
        for each in (white, black):
            each.hears("Bert checkmated} 1-0")
            each.hears("No ratings adjustment: a quick win of a new player over somebody at the same address.")
            each.close()


def test_an_account_that_comes_while_its_old_line_still_stands_takes_its_board_over(comes: Come) -> None:
    white, black = comes("Anna", PASSWORD), comes("Bert", PASSWORD)
    game = challenged(white, black, "5 0 u white")
    play(white, black, "e4 e5")
    again = comes("Anna", PASSWORD)
    assert f"{{Game {game} (Anna vs. Bert) Continuing unrated blitz match.}}" in again.text
    again.type("refresh")
    assert again.board()[25:27] == ["2", "P/e7-e5"]
    white.hears("Another client has taken your seat; this connection is closed.")
    play(again, black, "Bc4 Nc6 Qh5 Nf6 Qxf7#")
    for each in (again, black):
        each.hears("Bert checkmated} 1-0")
    for each, row in ((again, r"\+    0 W    0 Bert "), (black, r"-    0 B    0 Anna ")):
        last = each.asks("history").splitlines()[-1]
        assert re.fullmatch(rf" *\d+: {row}+\[ bu  5   0\] --- Mat {DATE}", last)
    assert black.asks("history Anna").splitlines()[-1] == again.asks("history").splitlines()[-1]
    assert black.asks("history nobodyhere") == "nobodyhere has no history games.\n"


def test_a_private_game_is_in_the_history_of_its_players_alone(comes: Come, running: RunningServer) -> None:
    white, black, stranger = comes("Anna", PASSWORD), comes("Bert", PASSWORD), comes()
    before = stranger.asks("history Anna")
    anna, bert = (host(running, name) for name in ("Anna", "Bert"))
    table, (ticket, _) = anna.registers("chess", "Anna", "Bert", time="600", private=True)
    white.type(f"seat {ticket}")
    black.type(f"seat {bert.ask(f'/api/tables/{table}/ticket', {})[1]['ticket']}")
    white.board()
    black.board()
    play(white, black, "f3 e5 g4")
    black.type("Qh4")
    for each in (white, black):
        each.hears("Anna checkmated} 0-1")
    for each, row in ((white, "-    0 W    0 Bert"), (black, "+    0 B    0 Anna")):
        assert f"{row}          [ bu 10   0] --- Mat" in each.asks("history").splitlines()[-1]
    assert stranger.asks("history Anna") == before


def test_a_wrong_password_asks_for_the_name_again_and_a_guest_has_no_account_s(
    comes: Come, running: RunningServer
) -> None:
    who = IcsClient(running.ports[ICS])
    who.hears("login: ")
    who.type("anna")
    who.hears("is a registered name.  If it is yours, type the password.")
    who.hears("password: ")
    who.type("battery staple")
    who.hears("**** Invalid password! ****\n")
    who.hears("login: ")
    who.type("Anna", PASSWORD)
    who.hears("**** Starting FICS session as Anna ****")
    who.close()


def test_an_adjourned_game_is_stored_and_goes_on(comes: Come) -> None:
    white, black = comes("Anna", PASSWORD), comes("Bert", PASSWORD)
    game = challenged(white, black, "20 5 u white")
    play(white, black, "d4 d5")
    white.asks("adjourn")
    black.hears("would like to adjourn the game")
    black.type("adjourn")
    for each in (white, black):
        each.hears(f"{{Game {game} (Anna vs. Bert) Game adjourned by mutual agreement}} *")
    assert white.asks("match Bert").endswith("is adjourned; it goes on when you both want to.\n")
    black.type("stored")
    black.hears("B Anna")
    black.type("match Anna")
    for each in (white, black):
        each.hears(f"{{Game {game} (Anna vs. Bert) Continuing unrated standard match.}}")
        each.board()
    play(white, black, "c4 e6")


def test_two_games_are_looked_on_at_and_their_moves_listed(comes: Come) -> None:
    pairs = [(comes(), comes()) for _ in range(2)]
    games = [challenged(*pair) for pair in pairs]
    who = comes()
    for game in games:
        told = who.asks(f"observe {game}")
        assert told.startswith(f"You are now observing game {game}.\n")
    for game, pair in zip(games, pairs, strict=True):
        play(*pair, "e4 e5")
        assert who.board()[15] == str(game)
        assert who.board()[15] == str(game)
    who.type(f"moves {games[0]}")
    who.hears("  1.  e4       (0:0")
    who.hears("{Still in progress} *\n")
    who.asks(f"unobserve {games[0]}")
    pairs[1][0].asks("kibitz well played")
    who.hears(f"[{games[1]}] kibitzes: well played\n")
    who.type("games")
    who.hears(f"\n{games[0]} ++++")


def test_blocks_answer_programs(comes: Come) -> None:
    """Commands come as ID command; the answer is 0x15 ID 0x16 CODE 0x16 text 0x17, then the prompt."""
    program = comes()
    program.asks("iset block 1")
    assert program.asks("7 nonsense") == "\x157\x16512\x16nonsense: Command not found.\x17\n"
    assert program.asks("8 who").startswith("\x158\x16146\x16")


def test_a_person_of_another_dialect_takes_a_seek_and_is_talked_to(comes: Come, running: RunningServer) -> None:
    white = comes("wanda")
    white.asks("seek 5 0 white")
    with closing(Lines(running.ports[MINIATURE])) as other:
        other.say("tell gateway name Olga", "tell gateway offers")
        number = other.until("tell gateway 1", "tell gateway 2").split()[2].rstrip(":")
        other.say(f"tell gateway take {number}")
        white.hears("Creating: wanda (++++) Olga (++++) unrated blitz 5 0\n")
        assert white.board()[16:19] == ["wanda", "Olga", "1"]
        white.type("e4")
        other.until("move e2-e4")
        other.say("move e7e5")
        assert white.board()[26] == "P/e2-e4"
        assert white.board()[26] == "P/e7-e5"
        other.say("tell Wanda good luck")
        white.hears("says: good luck\n")
        white.asks("say the same to you")
        other.until("tell wanda the same to you", "tell ")
