"""The server is killed in the middle of a game of chess between two dialects: seats, colours and clocks stay."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cli.playing import run
from tests.conformance.chess_bogaprot_player import USUAL, place
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Guest, MiniatureGuest, PeerToPeerGuest, Room, room
from tests.conformance.playing import assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

SECRET: Final = "the-own-secret-of-an-adapter"
AFTER_E5: Final = "fen rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w "

A_FEW_SECONDS = 500
"""In the hundredths of a second that chess clocks are told in."""


def begun(here: Room) -> tuple[PeerToPeerGuest, MiniatureGuest]:
    """Black came first, so that seats were exchanged; White took two half-moves back and began otherwise."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia", SECRET)
    mia.seek("5 0 u b")
    pia.say("text hello")
    pia.until("go")
    pia.go("level 0 300 0", "move e2e4")
    pia.enter()
    pia.until("move e2e4")
    mia.hears("tell gateway game 1:", "move e2-e4")
    mia.say("e5")
    pia.echo("e7e5")
    pia.say("remove")
    mia.until("takeback 2")
    mia.say("takeback 2")
    pia.hears("undo", "undo")
    pia.say("move f2f3", "go")
    pia.enter()
    mia.until("move f2-f3")
    mia.say("e5")
    return pia, mia


def come_back(here: Room, mia: MiniatureGuest) -> list[Guest]:
    """The same two on new connections: the adapter by its own secret, the person by the ticket that it was told."""
    adapter, person = here.p2p("Pia", SECRET), here.miniature("Mia")
    adapter.say("text here I am")
    person.say(f"tell gateway seat {mia.ticket}")
    return [adapter, person]


def test_both_find_their_colour_position_and_clock_and_play_to_the_end(tmp_path: Path) -> None:
    """ "The log of a table is the truth" - "whoever held seat s now holds (s+by) % seats", also after a restart."""
    with fast(tmp_path, *LISTENERS) as first, room(first) as here:
        ports = dict(enumerate(first.ports))
        pia, mia = begun(here)
        clocks = [pia.until("time "), pia.until("otim ")]
        pia.echo("e7e5")
        mia.until("tell gateway clock ")
        first.kill()

    with fast(tmp_path, *LISTENERS, ports=ports) as second, room(second) as here:
        adapter, person = come_back(here, mia)
        adapter.hears("text your game with", "new", "level 0 300 0", "move f2f3", "move e7e5")
        clocks_now = [adapter.until("time "), adapter.until("otim ")]
        assert clocks_now[1] == clocks[1]
        mine, before = (int(line.split()[1]) for line in (clocks_now[0], clocks[0]))
        assert before - A_FEW_SECONDS <= mine <= before  # it runs again while the game is told
        assert adapter.until("go") == "go"
        colours = person.until(f"tell gateway {pia.name} (White) - {mia.name} (Black): chess, 5:00, unrated")
        assert colours.endswith("you are Black")
        assert person.until("move ").startswith(f"move e7-e5; {AFTER_E5}")
        assert person.until("tell gateway White to move").startswith("tell gateway White to move, clock 4:5")

        adapter.say("accepted", "move g2g4")
        person.until("move g2-g4")
        person.say("move Qh4")
        for guest in (adapter, person):
            assert guest.until("result ") == "result 0-1 {Black mates}"

    assert_newest_record_is_whole(tmp_path, moves=6)
    proof = run("verify", 1, data=tmp_path)
    assert (proof.exit_code, "the record is whole" in proof.output) == (0, True)


def test_a_bogaprot_client_whose_seat_was_exchanged_comes_back_to_the_side_it_played(tmp_path: Path) -> None:
    """ "a ticket is a secret for one seat at one table": the seat that its holder has now."""
    engine = f"chess?name=Bo&time=300#{SECRET}"
    with fast(tmp_path, *LISTENERS) as first, room(first) as here:
        ports = dict(enumerate(first.ports))
        bo = bogaprot(first, engine)
        mia = here.miniature("Mia")
        mia.seek("5 0 u w")
        mia.until("tell gateway game 1:")
        mia.say("e4")
        bo.until("MSG_MOVE")
        assert bo.seat == 1
        first.kill()

    with fast(tmp_path, *LISTENERS, ports=ports) as second, room(second) as here:
        back, person = bogaprot(second, engine), here.miniature("Mia")
        person.say(f"tell gateway seat {mia.ticket}")
        assert "you are White" in person.until(f"tell gateway {mia.name} (White) - Bo (Black)")
        assert (back.seat, back.until("REQ_MOVE")) == (1, ("REQ_MOVE", 1))
        back.move(place("e7"), place("e5"))
        assert person.until("move e7").startswith("move e7-e5; ")
        person.say("resign")
        assert back.until("MSG_GAMEOVER") == ("MSG_GAMEOVER", 1)
    assert_newest_record_is_whole(tmp_path, moves=2)


def bogaprot(running: RunningServer, engine: str) -> SpecClient:
    """A Bogaprot client that has been told its seat."""
    client = SpecClient(running.ports[BOGAPROT], USUAL)
    assert client.handshake(engine) == ("RSP_HANDSHAKE", 0)
    client.until("MSG_PLAYERS")
    return client


def test_an_adjourned_game_survives_and_goes_on_only_when_both_agree(tmp_path: Path) -> None:
    """ "the game is stored and resumed by the same two players: on reconnect each is told, and play goes on when both
    have said `play`"."""
    with fast(tmp_path, *LISTENERS) as first, room(first) as here:
        ports = dict(enumerate(first.ports))
        pia, mia = begun(here)
        pia.echo("e7e5")
        mia.say("adjourn")
        pia.until("adjourn")
        pia.say("adjourn")
        pia.until("result * ")
        mia.until("tell gateway the game is adjourned")
        first.kill()

    with fast(tmp_path, *LISTENERS, ports=ports) as second, room(second) as here:
        asker = here.miniature("Olga")
        for question in ("who", "tables"):
            asker.say(f"tell gateway {question}")
            nobody = f"{asker.name} (at no table)" if question == "who" else "nobody is here"
            asker.hears("tell gateway tables kept for players who are not here: 1", f"tell gateway {nobody}")
        adapter, person = come_back(here, mia)
        assert "is adjourned" in adapter.hears("move f2f3", "move e7e5", "text your game with")
        person.hears("move e7-e5", "tell gateway White to move", "tell gateway the game is adjourned")
        person.say("tell gateway tables", "play")
        played = f"{pia.name} (white) - {mia.name} (black), Chess normal, 5:00, unrated"
        assert person.until("tell gateway table 1 ") == f"tell gateway table 1 (adjourned): {played}"
        assert adapter.until("resume", "go") == "resume"
        assert not any("goes on" in line for line in person.told())
        adapter.say("go")

        person.hears("play", "tell gateway the game goes on", "tell gateway clock")
        adapter.until("go")
        adapter.say("accepted", "move g2g4")
        person.until("move g2-g4")
        person.say("Qh4#")
        for guest in (adapter, person):
            assert guest.until("result ") == "result 0-1 {Black mates}"
    assert_newest_record_is_whole(tmp_path, moves=6)


def test_a_server_that_is_stopped_tells_both_in_their_own_words(tmp_path: Path) -> None:
    """ "SIGTERM and SIGINT stop it cleanly within 5 s: players are told, everything told is stored, exit status 0"."""
    with fast(tmp_path, *LISTENERS) as running, room(running) as here:
        pia, mia = here.mixed()
        assert running.stop() == 0
        assert "your seat is kept" in pia.until("text the server is stopping")
        assert "your seat is kept" in mia.until("tell gateway the server is stopping")
