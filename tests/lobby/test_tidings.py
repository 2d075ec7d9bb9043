"""The board of tidings keeps what is new of public games and of people until it is taken."""

from __future__ import annotations

import random

from msgspec.structs import replace

from gateway import registry
from gateway.lobby.here import Entry
from gateway.lobby.lobby import Lobby
from gateway.lobby.tidings import CROWD, News, TidingsBoard
from gateway.table.state import State, Status, opened
from protocols.core.model import HouseRules, Outcome, Reason, Seat, SeatKind
from protocols.core.notifications import GameNews

CHESS = registry.game("chess")
WON = Outcome(0, Reason.RESIGNATION)
MANY = 10_000


def table(number: int, status: Status, *names: str, private: bool = False, outcome: Outcome | None = None) -> State:
    """A table of chess where these sit; a name in brackets is of somebody who has lost the line."""
    state = opened(number, CHESS, CHESS.settings(), HouseRules(private=private), b"")
    kinds = [SeatKind.RESERVED if name.startswith("(") else SeatKind.PLAYER for name in names]
    seats = tuple(Seat(at, kind, name.strip("()")) for at, (kind, name) in enumerate(zip(kinds, names, strict=True)))
    return replace(state, seats=(*seats, *state.seats[len(names) :]), status=status, outcome=outcome)


def changes(news: News) -> list[tuple[int, str]]:
    return [(game.table, game.change) for game in news.games]


def test_a_game_is_told_once_when_it_begins_and_once_when_it_ends_by_the_names_with_which_it_began() -> None:
    board = TidingsBoard()
    board.report(table(7, Status.OPEN, "Anna"))
    assert board.take(MANY).games == ()
    playing = table(7, Status.PLAYING, "Anna", "Bert")
    for state in (playing, replace(playing, ply=3), table(7, Status.PLAYING, "Anna", "(Bert)")):
        board.report(state)
    begun = GameNews(7, playing.settings, ("Anna", "Bert"), "begins")
    assert board.take(MANY).games == (begun,)
    board.report(table(7, Status.OVER, "Anna", outcome=WON))
    board.report(table(7, Status.CLOSED, outcome=WON))
    assert board.take(MANY).games == (GameNews(7, playing.settings, ("Anna", "Bert"), "ends", WON),)
    assert not board


def test_a_short_game_and_a_rematch_are_told_in_their_order() -> None:
    board = TidingsBoard()
    for status in (Status.PLAYING, Status.OVER, Status.PLAYING):
        board.report(table(7, status, "Anna", "Bert"))
    assert changes(board.take(MANY)) == [(7, "begins"), (7, "ends"), (7, "begins")]


def test_an_adjourned_game_waits_and_goes_on_and_so_does_one_of_the_record() -> None:
    board = TidingsBoard()
    for status in (Status.PLAYING, Status.ADJOURNED, Status.ADJOURNED, Status.PLAYING):
        board.report(table(7, status, "Anna", "Bert"))
    board.report(replace(table(8, Status.PLAYING, "Carl", "Dora"), ply=12))
    assert changes(board.take(MANY)) == [(7, "begins"), (7, "waits"), (7, "goes on"), (8, "goes on")]


def test_a_private_table_is_no_news() -> None:
    board = TidingsBoard()
    for status in (Status.PLAYING, Status.OVER, Status.CLOSED):
        board.report(table(7, status, "Anna", "Bert", private=True, outcome=WON))
    assert board.take(MANY) == News()


def test_a_table_that_is_gone_has_ended_and_one_that_another_node_takes_over_has_not() -> None:
    lobby = Lobby()
    for number in (7, 8):
        lobby.heard(table(number, Status.PLAYING, f"Anna {number}", f"Bert {number}"), (), ())
    lobby.tidings.take(MANY)
    lobby.dropped(7)
    lobby.dropped(8, again=True)
    lobby.heard(table(8, Status.PLAYING, "Anna 8", "Bert 8"), (), ())
    assert changes(lobby.tidings.take(MANY)) == [(7, "ends")]


def test_people_come_with_their_first_client_or_seat_and_go_with_their_last() -> None:
    lobby = Lobby()
    board = lobby.tidings
    lobby.here.enter(Entry(1, "Anna", False, 10.0))
    lobby.report(table(7, Status.OPEN, "anna", "Bert"), None, ("", ""))
    assert board.take(MANY) == News(came=("Anna", "Bert"))
    lobby.here.leave(1)
    lobby.report(table(7, Status.PLAYING, "anna", "(Bert)"), None, ("", ""))
    assert board.take(MANY).went == ("Bert",)
    lobby.report(table(7, Status.PLAYING, "anna", "Bert"), None, ("", ""))
    assert board.take(MANY) == News(came=("Bert",))
    lobby.report(table(7, Status.CLOSED, "anna", "Bert"), None, ("", ""))
    assert board.take(MANY).went == ("anna", "Bert")


def test_who_comes_and_goes_between_two_rounds_is_not_told_and_who_changes_seats_is_here() -> None:
    board = TidingsBoard()
    board.came("Anna")
    board.went("ANNA")
    assert not board
    board.report(table(7, Status.OPEN, "Anna"))
    board.take(MANY)
    board.report(table(7, Status.OPEN, "Bert", "Anna"))
    board.report(table(7, Status.OPEN, "Bert"))
    board.report(table(8, Status.OPEN, "Anna"))
    assert board.take(MANY) == News(came=("Bert",))


def test_in_a_crowd_a_game_that_has_begun_and_ended_meanwhile_is_told_to_nobody() -> None:
    board = TidingsBoard()
    for number in range(2 * CROWD):
        board.report(table(number, Status.PLAYING, "Anna", "Bert"))
    for number in range(CROWD):
        board.report(table(number, Status.OVER, "Anna", "Bert"))
    news = changes(board.take(MANY))
    assert len(news) == CROWD + 2 * (news[-1][1] == "ends")
    assert {number for number, _ in news} >= set(range(CROWD, 2 * CROWD))


def test_who_has_taken_all_news_knows_the_games_and_the_people_of_now() -> None:
    """Listeners know in the end who is here, whatever happens, and however few are told at once."""
    dice, board = random.Random(4711), TidingsBoard()
    games: set[int] = set()
    people: set[str] = set()
    now: dict[int, State] = {}
    for _ in range(3000):
        number = dice.randrange(9)
        names = dice.sample(["Anna", "Bert", "Carl", "(Dora)", "(Anna)"], 2)
        now[number] = table(number, dice.choice(list(Status)), *names)
        board.report(now[number])
        if dice.random() < 0.3:
            _learn(board.take(dice.randrange(3)), games, people)
    while board:
        _learn(board.take(2), games, people)
    assert games == {number for number, state in now.items() if state.status is Status.PLAYING}
    seats = [seat for state in now.values() if state.status is not Status.CLOSED for seat in state.seats]
    assert people == {seat.name for seat in seats if seat.kind is SeatKind.PLAYER}


def _learn(news: News, games: set[int], people: set[str]) -> None:
    for game in news.games:
        assert (game.table in games) == (game.change in ("waits", "ends"))
        (games.discard if game.table in games else games.add)(game.table)
    assert not people & set(news.came)
    assert people >= set(news.went)
    people |= set(news.came)
    people -= set(news.went)
