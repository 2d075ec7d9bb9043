"""Lines about tables tell people the proposal or game, and the open seats."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from gateway import registry
from gateway.lobby.here import Person
from gateway.lobby.table_words import at_no_table_line, kept_line, people_line, settings_words, table_line
from gateway.table.state import State
from protocols.core.commands import Join, Leave, Propose
from protocols.core.model import SeatKind, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from tests.table.tables import Conversation

ONE_MINUTE = TimeControl(TimeKind.ABSOLUTE, 60.0)
ATOMIC = Settings("chess", "atomic", 8, 8, 2, ONE_MINUTE)


def atomic(*sides: int | None) -> Conversation:
    """A table of chess where a player a side sits down and proposes atomic, one minute, as this side."""
    table = Conversation("chess")
    for seat, side in enumerate(sides):
        table.ask(None, Join("chess", ("anna", "bert")[seat], ready=False))
        table.ask(seat, Propose(Start(ATOMIC, side)))
    return table


def seventh(state: State) -> State:
    return replace(state, table=7)


def test_a_waiting_player_s_proposal_is_told_with_rule_set_time_rating_and_colour() -> None:
    """The words of a waiting atomic game of one minute."""
    state = seventh(atomic(0).state)
    proposal = "anna proposes Chess atomic, 1:00, unrated, as white"
    assert table_line(state) == f"table 7 (open): {proposal}"
    assert people_line(state) == f"anna (table 7, open): {proposal}"
    rated = proposal.replace("anna", "anna (1523?)")
    assert table_line(state, ["(1523?)", ""]) == f"table 7 (open): {rated}"
    assert people_line(state, ["(1523?)", ""]) == f"anna (1523?) (table 7, open): {rated}"


def test_who_has_proposed_nothing_or_anything_is_told_so() -> None:
    table = Conversation("chess")
    table.ask(None, Join("chess", "anna", ready=False))
    assert table_line(seventh(table.state)) == (
        "table 7 (open): anna waits at a table of Chess and has proposed nothing"
    )
    table.ask(0, Propose(Start(None, 1)))
    assert table_line(seventh(table.state)) == "table 7 (open): anna takes any game of Chess, as black"


def test_a_seek_that_is_confirmed_by_hand_is_told_with_what_it_offers() -> None:
    table = Conversation("chess")
    table.ask(None, Join("chess", "anna", ready=False))
    table.ask(0, Propose(Start(ATOMIC, 1, confirms=True)))
    assert table_line(seventh(table.state)) == (
        "table 7 (open): anna seeks Chess atomic, 1:00, unrated, as black, and confirms a challenge itself"
    )


def test_a_running_game_is_told_as_it_is_played() -> None:
    state = seventh(atomic(0, 1).state)
    assert table_line(state) == "table 7 (playing): anna (white) - bert (black), Chess atomic, 1:00, unrated"
    rated = "table 7 (playing): anna (1523?) (white) - bert (black), Chess atomic, 1:00, unrated"
    assert table_line(state, ["(1523?)", ""]) == rated
    assert people_line(state) == (
        "anna, bert (table 7, playing): anna (white) - bert (black), Chess atomic, 1:00, unrated"
    )


def test_a_seat_that_is_kept_is_told_with_its_game_and_opponent() -> None:
    table = atomic(0, 1)
    table.ask(0, Leave(lost=True))
    assert kept_line(seventh(table.state), 0) == (
        "a seat is kept for anna at table 7 (playing): Chess atomic, 1:00, unrated against bert"
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("anna", "bert"), "registered for anna (white) and bert (black) only; anna is here"),
        (("anna", ""), "registered for anna (white); anna is here"),
    ],
)
def test_a_registered_table_says_for_whom_it_is(names: tuple[str, ...], said: str) -> None:
    table = Conversation("chess")
    table.ask(None, Join("chess", "anna", ready=False))
    state = replace(seventh(table.state), registered=names)
    if names[1]:
        kept = changed(state.seats[1], kind=SeatKind.RESERVED, name=names[1])
        state = replace(state, seats=(state.seats[0], kept))
    assert table_line(state) == f"table 7 (open): Chess normal, no clock, unrated, {said}"


def test_a_game_s_own_choices_are_told() -> None:
    settings = registry.game("go").settings("territory", options={"size": "9", "komi": "5.5"})
    timed = changed(settings, time=TimeControl(TimeKind.BYOYOMI, 600.0, period_s=30.0, periods=5), rated=True)
    assert settings_words("Go", timed) == "Go territory 9x9, ko simple, komi 5.5, 10:00, then 5 periods of 0:30, rated"


@pytest.mark.parametrize(
    ("bot", "idle", "words"),
    [
        (False, None, "at no table"),
        (True, None, "a program, at no table"),
        (False, 940.0, "at no table, idle for 1 minute"),
        (True, 100.0, "a program, at no table, idle for 15 minutes"),
        (False, -9_000.0, "at no table, idle for 2 hours"),
    ],
)
def test_a_person_at_no_table_is_told_with_how_long_nothing_was_said(bot: bool, idle: float | None, words: str) -> None:
    person = Person("anna", True, "lobby", 0.0, (), ("web",), bot, idle)
    assert at_no_table_line(person, 1000.0) == f"anna ({words})"
