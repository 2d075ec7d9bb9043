"""The notes of ``gin`` and ``pin`` in the dialect ics: which lines say them, to whom, and what is remembered."""

from __future__ import annotations

import re

import pytest

from protocols.core.aliases import PLAIN, SPELT
from protocols.core.commands import Inquire
from protocols.core.events import GameEnded, GameStarted, SeatTaken, TableOpened, TurnStarted
from protocols.core.model import HouseRules, Outcome, Reason, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.notifications import Answered, Change, GameNews, ListedPerson, Named, Points, Seated, Tidings
from protocols.ics.dialect import Ics
from protocols.ics.names import Names
from tests.transcripts.replay import drained

BLITZ = Settings("chess", "normal", 8, 8, 2, TimeControl(TimeKind.ABSOLUTE, 300.0))
RATED_FR = Settings("chess", "fischerandom", 8, 8, 2, TimeControl(TimeKind.ABSOLUTE, 300.0), "", True)
WON = Outcome(0, Reason.RESIGNATION)

ADDED = re.compile(
    r"\{Game (\d+) \(([A-Za-z]+) vs\. ([A-Za-z]+)\) (?:Creating|Continuing) (u?n?rated) ([^ ]+) match\.\}$", re.I
)
REMOVED = re.compile(
    r"\{Game (\d+) \(([A-Za-z]+) vs\. ([A-Za-z]+)\) ([A-Za-z']+ .+)\} (\*|1/2-1/2|1-0|0-1)$", re.IGNORECASE
)
"""Patterns that PyChess 1.0.3 looks for (pychess/ic/managers/HelperManager.py)."""


def here(*lines: str) -> Ics:
    """A guest who is here and has said these lines."""
    peer = Ics()
    peer.connected()
    peer.receive_data(b"guest\n\n")
    peer.send(Named("guest-1", ""))
    peer.resume()
    for line in lines:
        peer.receive_data(f"{line}\n".encode())
    drained(peer)
    return peer


def lines(peer: Ics) -> list[str]:
    return [line for line in drained(peer).decode().replace("\r", "").split("\n") if line not in ("", "fics% ")]


def game(change: Change, *, table: int = 7, outcome: Outcome | None = None, settings: Settings = BLITZ) -> GameNews:
    return GameNews(table, settings, ("amy-2", "guest-2"), change, outcome)


def told(peer: Ics, *games: GameNews) -> list[str]:
    peer.send(Tidings(games))
    return lines(peer)


@pytest.mark.parametrize(
    ("news", "line"),
    [
        (game("begins"), "{Game 7 (amyC vs. GuestAAAC) Creating unrated blitz match.}"),
        (game("goes on", settings=RATED_FR), "{Game 7 (amyC vs. GuestAAAC) Continuing rated wild/fr match.}"),
        (game("waits"), "{Game 7 (amyC vs. GuestAAAC) Game adjourned by mutual agreement} *"),
        (game("ends", outcome=WON), "{Game 7 (amyC vs. GuestAAAC) GuestAAAC resigns} 1-0"),
        (game("ends", outcome=Outcome(None, Reason.VOID)), "{Game 7 (amyC vs. GuestAAAC) Game aborted by mutual agr"),
        (game("ends"), "{Game 7 (amyC vs. GuestAAAC) Game ended} *"),
    ],
)
def test_gin_tells_of_each_game_in_a_line_that_pychess_reads(news: GameNews, line: str) -> None:
    (said,) = told(here("set gin 1"), news)
    assert said.startswith(line)
    assert bool(ADDED.match(said)) == (news.change in ("begins", "goes on"))
    assert bool(REMOVED.match(said)) == (news.change in ("waits", "ends"))


def test_who_has_not_set_gin_or_has_reset_it_is_told_of_no_game_and_is_no_listener() -> None:
    for peer in (here(), here("set gin 1", "set gin 0"), here("set pin 1"), here("iset pin 1")):
        assert told(peer, game("begins")) == []
    assert [here(*said).hears_tidings for said in ((), ("set gin 1",), ("set gin 1", "set gin 0"))] == [0, 1, 0]
    assert here("set pin 1").hears_tidings
    assert here("iset pin 1").hears_tidings


def test_games_that_fics_has_no_word_for_are_no_news() -> None:
    assert told(here("set gin 1"), game("begins", settings=Settings("chess", "horde", 8, 8, 2))) == []


def sits(*said: str) -> Ics:
    """A guest who plays at table 7."""
    peer = here(*said)
    taken = [SeatTaken(0, SeatKind.PLAYER, "guest-1", 0.0), SeatTaken(1, SeatKind.PLAYER, "guest-2", 0.0)]
    peer.send(Seated(7, 0, (TableOpened(BLITZ, HouseRules()), *taken)))
    peer.send(GameStarted(BLITZ, 1, (), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    peer.send(TurnStarted(0))
    drained(peer)
    return peer


def test_ones_own_game_is_told_once_at_its_table() -> None:
    peer = sits("set gin 1")
    assert told(peer, game("begins"), game("begins", table=8)) == [
        "{Game 8 (amyC vs. GuestAAAC) Creating unrated blitz match.}"
    ]
    peer.send(GameEnded(WON))
    assert lines(peer)[0] == "{Game 7 (GuestAAAB vs. GuestAAAC) GuestAAAC resigns} 1-0"
    peer.receive_data(b"seek 5 0\n")  # it has left the table before the news comes
    peer.send(Answered((), "offers", offers=()))
    peer.resume()
    drained(peer)
    assert told(peer, game("ends", outcome=WON)) == []
    assert len(told(peer, game("begins"), game("ends", outcome=WON))) == 2, "a later game of others at that table"


PEOPLE = Tidings(
    came=(
        ListedPerson("guest-1"),
        ListedPerson("guest-2"),
        ListedPerson("anna", True, Points(1523)),
        ListedPerson("deep", True, bot=True, playing=True),
    ),
    went=("guest-1", "bert"),
)


def test_pin_tells_people_who_comes_and_goes_and_programs_by_iset_pin() -> None:
    """The fields behind ``<wa>`` are those of ``who I``, which PyChess asks for first. Nobody is told of itself."""
    peer = here("set pin 1")
    peer.send(PEOPLE)
    assert lines(peer) == [
        "[GuestAAAC has connected.]",
        "[anna has connected.]",
        "[deep has connected.]",
        "[bert has disconnected.]",
    ]
    peer = here("set pin 1", "iset pin 1")
    peer.send(PEOPLE)
    rest = "0P" * 8
    assert lines(peer) == [
        f"<wa> GuestAAAC 010P{rest}",
        f"<wa> anna 001523P{rest}",
        f"<wa> deep^020P{rest}",
        "<wd> bert",
    ]


def test_news_stands_behind_an_answer_that_is_being_given() -> None:
    peer = here("set gin 1", "iset block 1")
    assert peer.receive_data(b"7 date\n") == [Inquire("time")]
    assert told(peer, game("begins")) == []
    peer.send(Answered(("noon",), "time"))
    peer.resume()
    answer, news = lines(peer)
    assert answer.endswith("\x17")
    assert ADDED.match(news)


def test_a_connection_that_hears_of_everybody_for_days_has_no_list_of_them() -> None:
    """Names that their letters tell are remembered for a while, others longer; each is still understood."""
    peer, known = here("set gin 1", "iset pin 1"), Names()
    for number in range(2 * SPELT):
        word = "".join(chr(97 + int(digit)) for digit in f"{number:05}")
        peer.send(Tidings((GameNews(7, BLITZ, (f"guest-{number}", word), "begins"),), (ListedPerson(word),), (word,)))
        known.shown(f"{word}-7")
        drained(peer)
    names = peer._desk.names
    assert len(names._plain) == PLAIN
    assert (len(names._shown), len(names._meant)) == (0, 0)
    assert (len(peer._desk.ratings), len(peer._desk.accounts)) == (0, 0)
    assert (len(known._shown), len(known._meant), len(known._plain)) == (SPELT, SPELT, 0)
    assert [names.meant(word) for word in ("GuestAAAC", "aaaab")] == ["guest-2", "aaaab"]
    assert known.meant("ABJJJH") == "abjjj-7"


def test_one_s_letters_are_not_given_to_another_who_is_met_soon() -> None:
    names = Names()
    assert [names.shown(name) for name in ("aliceC", "alice-2", "aliceC")] == ["aliceC", "aliceCB", "aliceC"]
    assert [names.meant(word) for word in ("alicec", "alicecb")] == ["aliceC", "alice-2"]
