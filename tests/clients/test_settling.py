"""Games of Go are told by the real dialect to their end: captures, passes, dead stones."""

from __future__ import annotations

from random import Random

import pytest

from clients.client_state import ClientState, Phase
from clients.joining import Wish
from clients.session import Session
from gateway.games.go.rules import Go
from protocols.bogaprot.dialect import Bogaprot
from protocols.core import events as ev
from protocols.core.commands import MarkDead, Propose
from protocols.core.model import PASS, Move
from protocols.core.proposals import Resume, Score
from tests.clients.tables import ToldGame
from tests.clients.test_mirror_follows import agrees, hear

GO = Go()
NINE = {"size": "9"}
LONGEST = 400

Heard = list[tuple[Session, Bogaprot]]


def sit_down(table: ToldGame, seat: int) -> tuple[Session, Bogaprot]:
    options = dict(table.settings.options)
    wish = Wish("go", variant=table.settings.variant, options=tuple(options.items()))
    session = Session(wish, ClientState(GO, wish.variant, options=options))
    return session, table.listen(session.opening(), seat)


def stopped(moves: str, variant: str = "area", options: dict[str, str] | None = None) -> tuple[ToldGame, Heard]:
    """A game in which these moves were made, by vertices, then two passes."""
    table = ToldGame(GO, variant, 2, seed=0, options=options or NINE)
    heard = [sit_down(table, seat) for seat in (0, 1)]
    table.start()
    for text in [*moves.split(), "pass", "pass"]:
        table.play(GO.parse(table.position, text))
    all_hear(heard)
    return table, heard


def all_hear(heard: Heard) -> None:
    for session, dialect in heard:
        hear(session, dialect)


def texts(session: Session) -> list[str]:
    said = [line.text for line in session.client_state.news]
    session.client_state.news.clear()
    return said


def say_dead(table: ToldGame, heard: Heard, seat: int, word: str) -> None:
    """A player proposes; the server words it for both."""
    session, dialect = heard[seat]
    (command,) = dialect.receive_data(session.propose(word))
    assert isinstance(command, MarkDead)
    table.propose(seat, Score(GO.claimed(table.position, command.points)))
    all_hear(heard)


@pytest.mark.parametrize("variant", ["area", "territory"])
@pytest.mark.parametrize("options", [{"size": "9"}, {"size": "7", "ko": "simple"}, {"size": "9", "handicap": "3"}])
def test_whole_games_with_captures_and_passes_are_followed_to_the_settling(
    variant: str, options: dict[str, str]
) -> None:
    table = ToldGame(GO, variant, 2, seed=4, options=options)
    heard = [sit_down(table, seat) for seat in (0, 1)]
    table.start()
    lots = Random(5)
    captured = 0
    while not GO.settling(table.position) and table.ply < LONGEST:
        all_hear(heard)
        assert all(agrees(session, table) for session, _ in heard)
        before = len(GO.board(table.position))
        stones = [move for move in GO.worth_trying(table.position) if move != PASS]
        table.play(lots.choice(stones) if stones and table.ply < 150 else PASS)
        captured += len(GO.board(table.position)) < before
    all_hear(heard)
    assert captured > 0
    for session, _ in heard:
        assert session.client_state.settling.going_on
        assert (session.client_state.turn, session.client_state.position) == (None, table.position)
        assert session.client_state.settling.worth() == GO.scored(table.position, ()).detail


def test_a_mark_on_a_stone_marks_its_string_and_a_second_one_takes_it_away() -> None:
    _, heard = stopped("D5 E5 D4 F5")
    settling = heard[0][0].client_state.settling
    settling.turn(GO.parse(GO.start(GO.settings(options=NINE)), "D4").target or 0)
    assert settling.marked == {39, 48}
    assert settling.word() == "dead 39 48"
    settling.turn(0)
    assert settling.marked == {39, 48}
    settling.turn(39)
    assert settling.marked == frozenset()
    assert settling.word() == "dead"


def test_the_worth_of_the_board_changes_with_the_marks() -> None:
    _, heard = stopped("E5")
    settling = heard[0][0].client_state.settling
    assert settling.worth() == "B+73.5"
    settling.turn(40)
    assert settling.worth() == "W+7.5"


def test_what_the_other_side_says_is_shown_and_the_same_word_agrees() -> None:
    table, heard = stopped("D5 E5 D4 F5")
    (black, _), (white, _) = heard
    texts(black), texts(white)
    say_dead(table, heard, 0, "dead 40")
    assert texts(black) == ["You say: 2 stones are dead."]
    assert texts(white) == ["The other side says: 2 stones are dead: y accepts, n declines."]
    assert white.client_state.settling.marked == {40, 41}
    say_dead(table, heard, 1, white.client_state.offers.theirs)
    worth = GO.scored(table.position, (40, 41)).detail
    assert texts(white) == texts(black) == ["The marking is agreed to.", f"That makes it {worth}."]
    table.tell(ev.GameEnded(GO.scored(table.position, (40, 41))))
    all_hear(heard)
    assert (white.client_state.phase, white.client_state.winner, white.client_state.settling.going_on) == (
        Phase.OVER,
        0,
        False,
    )


def test_a_different_word_is_an_answer_but_no_agreement() -> None:
    table, heard = stopped("D5 E5 D4 F5")
    say_dead(table, heard, 0, "dead 40 41")
    say_dead(table, heard, 1, "dead")
    black, white = heard[0][0].client_state, heard[1][0].client_state
    assert (black.offers.theirs, white.offers.theirs) == ("dead", "dead 40 41")
    assert black.settling.marked == frozenset()


def test_one_side_plays_on_and_the_one_that_did_not_pass_last_moves() -> None:
    table, heard = stopped("D5 E5")
    session, dialect = heard[1]
    texts(heard[0][0]), texts(session)
    assert dialect.receive_data(session.propose("resume")) == [Propose(Resume())]
    table.propose(1, Resume())
    table.play_on()
    all_hear(heard)
    assert texts(heard[0][0]) == ["The other side plays on."]
    assert texts(session) == ["You play on."]
    table.play(Move(None, 0, "black"))
    all_hear(heard)
    assert all(agrees(session, table) and not session.client_state.settling.going_on for session, _ in heard)
    for _ in range(2):
        table.play(PASS)
    all_hear(heard)
    assert all(session.client_state.settling.worth() for session, _ in heard)


def test_a_pass_taken_back_ends_the_settling() -> None:
    table, heard = stopped("D5 E5")
    for seat in (1, 0):
        session, dialect = heard[seat]
        (command,) = dialect.receive_data(session.propose("takeback 1"))
        assert isinstance(command, Propose)
        table.propose(seat, command.proposal)
        all_hear(heard)
    table.take_back(1)
    all_hear(heard)
    assert all(agrees(session, table) and not session.client_state.settling.going_on for session, _ in heard)


@pytest.mark.parametrize("options", [{"size": "9"}, {}])
def test_who_comes_back_while_it_is_settled_can_settle(options: dict[str, str]) -> None:
    table, heard = stopped("D5 E5 D4 F5", options=options)
    session, _ = heard[0]
    session.client_state.lost()
    hear(session, table.listen(session.opening(), 0))
    assert session.client_state.settling.going_on
    assert session.client_state.board == GO.board(table.position)
    assert session.client_state.settling.worth() == GO.scored(table.position, ()).detail


def test_who_was_away_when_play_stopped_settles_with_everything_known() -> None:
    table = ToldGame(GO, "area", 2, seed=0, options=NINE)
    session, dialect = sit_down(table, 0)
    table.start()
    table.play(Move(None, 40, "black"))
    hear(session, dialect)
    session.client_state.lost()
    for _ in range(2):
        table.play(PASS)
    hear(session, table.listen(session.opening(), 0))
    assert session.client_state.settling.worth() == "B+73.5"


def test_a_newcomer_can_settle_but_is_told_no_score_that_may_be_wrong() -> None:
    table, _ = stopped("D5 E5 D4 F5", "territory")
    session, dialect = sit_down(table, 1)
    hear(session, dialect)
    settling = session.client_state.settling
    assert settling.going_on
    settling.turn(40)
    assert settling.marked == {40, 41}
    assert settling.worth() == ""


def test_without_the_rules_a_stone_is_marked_alone_and_the_server_makes_it_a_string() -> None:
    client_state = ClientState(None, size=(9, 9))
    client_state.started()
    client_state.moved(Move(None, 40, "black"))
    client_state.moved(Move(None, None, "settle"))
    client_state.settling.turn(40)
    assert (client_state.settling.word(), client_state.settling.worth()) == ("dead 40", "")
