"""Lines that are wrong, in the wrong state or too many, in either chess dialect: answered, nobody else disturbed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from protocols.chess_p2p.wire import WORDS
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Guest, MiniatureGuest, Room, room
from tests.conformance.servers import fast
from tests.faults.guests import undisturbed
from tests.running import RunningServer

MEGABYTE: Final = 1 << 20
MANY: Final = 10_000

FENS: Final = (
    "",
    "nonsense",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w KQkq - 0 1",
    "9k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/8/8/8/8/8/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 99999999999999999999999 9999999999999999999999",
    "4k3/8/8/8/8/8/8/4K2R x XYZ e9 -1 -1",
    "rnbqkbnr/pppppppp/8/8/4/P/3/8/PPPP1PPP/RNBQKBNR b",
    "4k3/8/8/8/8/8/8/4K2R[QQQQQQQQQQQQQQQQQQQQ] w K - 0 1",
    "k" * 3000,
    "/" * 3000,
)
MOVES: Final = (
    "e2e5",
    "z9z9",
    "e2",
    "e2e4e4",
    "a1a1",
    "e7e8x",
    "P@e4",
    "O-O",
    "0-0-0-0",
    "--",
    "@@@@",
    "\u2654e2",
    "e" * 40,
)

P2P_LINES: Final = (
    *(f"setboard {fen}" for fen in FENS),
    *(f"move {move}" for move in MOVES),
    *("level 0 -5 0", "level -5 5 5", "level 0 99999999 0", "level 9999 99999999 99999999", "level 0 nan inf"),
    *("level 99999999999999999999 1 1", "level 0 0 12", "level -1 0 0", "level", "level 0 1e9 0", "level 0 60"),
    *("takeback 0", "takeback 9999", "takeback -1", "takeback 99999999999999", "takeback x"),
    *(
        "time 99999999999999",
        "otim -5",
        "time",
        "result",
        "result 2-0",
        "ticket",
        f"ticket {'t' * 300}",
        "name",
        "myname",
    ),
    *("", " ", "\t", "foo bar", "GO", "Move e2e4", "text", "text ", "hallo", f"text {'y' * 3900}", "accept", "decline"),
    *("variant nosuchthing", "variant ../../etc/passwd", "variant", "variant a b c", f"variant {'v' * 500}"),
    *("undo", "undo", "undo", "accepted", "remove"),
)
"""None of them asks anything that a game of chess could go on with."""

MINIATURE_LINES: Final = (
    *(f"move e2-e4; fen {fen}" for fen in FENS if len(fen) < 1000),
    *(f"sync error; fen {fen}" for fen in FENS if len(fen) < 1000),
    *(f"move {move}" for move in MOVES),
    *(
        "seek -5 0",
        "seek 5 -1",
        "seek 9999 0",
        "seek 99999999999999999999 1",
        "seek 5 0 x",
        "seek 5 0 r r",
        "seek 5 0 w b",
    ),
    *("takeback 0", "takeback 9999", "takeback -1", "takeback 99999999999999", "takeback x; fen x"),
    *("tell", "tell x", "tell #nowhere hi", "tell gateway nothing", "tell gateway seat a b", "tell gateway observe -1"),
    *("tell gateway seat", "tell gateway name", "tell gateway match", f"tell gateway name {'n' * 500}"),
    *("", " ", "\t", ";", "; fen", "move", "move ; fen", "move e2-e4; not fen", "foo bar", "error error", "result 1-0"),
    *("welcome", "accept", "\u2654\u2655", f"tell nobody {'y' * 1500}"),
)

BYTES: Final = (
    b"\xff\xfe\xfd\n",
    b"move \xc3\x28\n",
    b"text \x00\x01\x02 zero\x00\n",
    b"\x00\n",
    b"\x1b[2J\x1b]0;title\x07\n",
    b"\xff\xfb\x01\xff\xfd\x03\n",
    b"\r\r\r\n",
    "text one\u2028result 1-0\x85resign\u200f\n".encode(),
    "\ud800".encode("utf-8", "surrogatepass") + b"\n",
)

LAST: Final = (
    ("level finally", "text cannot read 'level finally'"),
    ("finally", "error unknown-command 'finally'"),
)
"""By dialect: a line and its answer."""

KNOWN: Final = {word.word for word in WORDS}
SAID: Final = (
    "tell ",
    "error ",
    "sync error; fen ",
    "move ",
    "play",
    "seek ",
    "takeback ",
    "draw",
    "adjourn",
    "result ",
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("hostile"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with undisturbed(running, place=BOGAPROT), room(running) as found:
        yield found


def adjourned(here: Room) -> tuple[Guest, Guest]:
    pia, mia = here.mixed()
    mia.say("adjourn")
    pia.until("text ")
    pia.say("text accept")
    pia.until("result * ")
    mia.until("tell gateway the game is adjourned")
    return pia, mia


def over(here: Room) -> tuple[Guest, Guest]:
    pia, mia = here.mixed()
    mia.say("resign")
    pia.until("result ")
    mia.until("result ")
    return pia, mia


def seated(here: Room) -> tuple[Guest, Guest]:
    pia, mia = here.p2p("Pia"), here.miniature("Mia")
    pia.say("text hello")
    pia.until("text nobody")
    mia.say(f"tell gateway match {pia.name}")
    mia.until("tell gateway table ")
    return pia, mia


def to_move(here: Room) -> tuple[Guest, Guest]:
    """The adapter is to move."""
    pia, mia = here.mixed()
    mia.say("e5")
    pia.echo("e7e5")
    return pia, mia


STATES: Final[dict[str, Callable[[Room], tuple[Guest, Guest]]]] = {
    "before the seat": lambda here: (here.p2p("Pia"), here.miniature("Mia")),
    "before the game": seated,
    "to move": to_move,
    "the other is to move": lambda here: here.mixed(),
    "adjourned": adjourned,
    "over": over,
}


@pytest.mark.parametrize("state", STATES)
def test_an_adapter_that_says_what_makes_no_sense_is_answered_in_its_words(here: Room, state: str) -> None:
    """ "malformed FEN, unknown variants, ... moves in every wrong state: a clear answer, nobody else disturbed"."""
    pia, _ = STATES[state](here)
    for line in P2P_LINES:
        pia.say(line, *(["go"] if line.startswith(("setboard", "level")) and "game" in state else []))
        assert {told.split()[0] for told in pia.told()} <= KNOWN


@pytest.mark.parametrize("state", STATES)
def test_a_person_at_telnet_who_types_nonsense_is_answered_line_by_line(here: Room, state: str) -> None:
    """ "`error <code> <text>` for what cannot be understood (once per line, the connection stays)"."""
    _, mia = STATES[state](here)
    assert isinstance(mia, MiniatureGuest)
    told_now = mia.told if state == "before the seat" else mia.told_at_the_table
    for line in MINIATURE_LINES:
        mia.say(line)
        told = told_now()
        assert [answer for answer in told if not answer.startswith(SAID)] == []
        assert state == "before the seat" or sum(answer.startswith("error ") for answer in told) <= 1


@pytest.mark.parametrize("state", STATES)
def test_bytes_that_are_no_text_are_answered_or_ignored(here: Room, state: str) -> None:
    """NULs, invalid UTF-8, control characters, telnet's own negotiation."""
    for guest in STATES[state](here):
        for data in BYTES:
            guest.send(data)
            assert all(line.isprintable() for line in guest.told())


def test_a_game_goes_on_after_all_of_it(here: Room) -> None:
    """ "moves in every wrong state: a clear answer": the game stands where it stood."""
    pia, mia = here.mixed()
    for line in MINIATURE_LINES:
        if not line.startswith("move e2-e4") and "O-O" not in line:
            mia.say(line)
    mia.told_at_the_table()
    mia.say("e5")
    pia.echo("e7e5")
    pia.say(*(f"move {move}" for move in MOVES), "setboard x", "variant y", "level 0 -1 0", "foo", "text", "")
    assert pia.told_by(mia)
    pia.say("move g1f3")
    assert mia.until("move ").startswith("move g1-f3; fen ")


@pytest.mark.parametrize("place", [0, 1], ids=["chess-p2p", "miniature"])
@pytest.mark.parametrize("size", [5000, MEGABYTE])
def test_a_line_that_does_not_end_is_answered_and_then_hung_up_on(here: Room, place: int, size: int) -> None:
    """ "a named cap on a line"; the one thing after which a connection is of no use."""
    guest = (here.p2p, here.miniature)[place]("Long")
    with contextlib.suppress(OSError):
        guest.send(b"x" * size)
    told = guest.rest()
    assert any("a line of more than" in line for line in told), told


@pytest.mark.parametrize("place", [0, 1], ids=["chess-p2p", "miniature"])
def test_who_sends_a_line_that_does_not_end_during_a_game_may_come_back_to_it(here: Room, place: int) -> None:
    """A broken connection is a lost one: "the seat is kept"."""
    players = here.mixed()
    with contextlib.suppress(OSError):
        players[place].send(b"tell x " + b"x" * MEGABYTE)
    players[place].rest()
    assert "lost the connection" in players[1 - place].until("text ", "tell gateway Pia")
    back = (here.p2p, here.miniature)[place]("Back")
    if isinstance(back, type(players[1])):
        back.say(f"tell gateway seat {players[1].ticket}")
        back.hears("move e2-e4", "tell gateway Black to move")
    else:
        back.say(f"name {players[0].name}#{players[0].told_ticket}", "text here again")
        back.hears("text your game with", "move e2e4")


@pytest.mark.parametrize(
    ("place", "line", "answer"),
    [
        (0, "move e2e4", ""),
        (0, "draw", "text no draw now: the table is open"),
        (0, "level x", "text cannot read 'level x'"),
        (1, "nonsense", "error unknown-command 'nonsense'"),
        (1, "tell gateway rematch", "error not-now no rematch now"),
        (1, "seek 5 0 u w", "error not-now you have proposed that already"),
    ],
)
def test_ten_thousand_lines_at_once_are_answered_one_by_one(here: Room, place: int, line: str, answer: str) -> None:
    """Who reads what comes back is answered to the end; nobody else waits for it."""
    guest = seated(here)[place]
    flood = threading.Thread(target=guest.say, args=[line] * MANY, daemon=True)
    flood.start()
    for _ in range(MANY - 1 if answer else 0):
        assert guest.until(answer)
    flood.join()
    guest.told()


@pytest.mark.parametrize("variant", ["nosuchthing", "a.b", "0", "v" * 40])
def test_a_variant_that_nobody_has_heard_of_is_answered_in_words(here: Room, variant: str) -> None:
    """ "malformed FEN, unknown variants, ...: a clear answer, nobody else disturbed"."""
    pia = here.p2p("Pia")
    pia.go(f"variant {variant}", "level 0 300 0")
    pia.until(f"text the variant {variant} is not known here")
    pia.go("level 0 300 0")
    pia.until("text your game is proposed to whoever comes")
