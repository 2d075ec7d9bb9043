"""Matching finds the waiting players that can play each other."""

from __future__ import annotations

from dataclasses import replace as replaced

import pytest
from msgspec.structs import replace

from gateway.lobby.join_options import JoinOptions
from gateway.lobby.lobby import Destination, Lobby
from gateway.lobby.matching import Waiting
from gateway.lobby.party import MOST_REFUSED, Fit, Party, fit, in_words
from protocols.core.events import Declined
from protocols.core.model import HouseRules, Seat, SeatKind, Settings
from protocols.core.proposals import Start
from tests.lobby.waiting_hall import GO, Hall, firm, open_to_all, settings
from tests.table.tables import Conversation


def test_those_who_insist_on_the_same_game_and_not_on_the_same_side_fit() -> None:
    assert fit(firm(9), firm(9)) > Fit.NEVER
    assert fit(firm(9, 0), firm(9, 1)) > Fit.NEVER
    assert fit(firm(9, 0), firm(9, 0)) is Fit.NEVER
    assert fit(firm(9), firm(13)) is Fit.NEVER


def test_who_may_agree_to_anything_fits_everybody_until_one_of_both_has_declined() -> None:
    engine, other, person = open_to_all(1), open_to_all(2), firm(9, number=3)
    assert fit(engine, person) > Fit.NEVER
    engine.refuse(person)
    assert fit(engine, person) is Fit.NEVER
    person.wants = Start(settings(13))
    assert fit(engine, person) > Fit.NEVER, "that is another game"
    engine.refuse(other)
    assert fit(engine, other) > Fit.NEVER, "the other one may agree to what this one plays"
    other.refuse(engine)
    assert fit(engine, other) is Fit.NEVER


def test_who_awaits_one_opponent_fits_nobody_else() -> None:
    """Programs whose names are one word write blanks as underscores."""
    engine = open_to_all(awaits="BOB_B")
    assert fit(firm(9), engine) is Fit.NEVER
    assert fit(Party(2, "bob b", Start(settings(9))), engine) > Fit.NEVER


def test_a_rated_wish_fits_accounts_only() -> None:
    """Rated games are between accounts: a guest who takes any game is not seated with one who seeks a rated one."""
    rated = Party(1, "anna", Start(replaced(settings(9), rated=True)), roams=True)
    takes, guest = Party(2, "bert", None, firm=False), Party(3, "gus", None, firm=False, guest=True)
    for party in (takes, guest):
        party.offer = Start()
    assert fit(rated, takes) is Fit.MATCH
    assert fit(rated, guest) is Fit.NEVER
    assert fit(firm(9), guest) is Fit.MATCH


def test_only_so_many_refusals_are_kept() -> None:
    engine = open_to_all()
    others = [firm(9, number=number) for number in range(2, MOST_REFUSED + 3)]
    for other in others:
        engine.refuse(other)
    assert fit(engine, others[0]) > Fit.NEVER
    assert fit(engine, others[1]) is Fit.NEVER


def test_what_was_declined_once_stays_so_after_a_game_and_the_wish_is_open_again() -> None:
    before, person = open_to_all(1), firm(13, number=2)
    before.refuse(person)
    before.wants, before.calls = Start(settings(9)), 7
    later = open_to_all(1)
    later.goes_on(before)
    assert fit(later, person) is Fit.NEVER
    assert (later.wants, later.calls) == (None, 0)


def test_nobody_is_sat_beside_whoever_is_on_the_way_to_another_game() -> None:
    lobby = Lobby()
    table = Conversation(GO)
    opened = replace(table.state, table=4)
    lobby.report(opened, opened)
    wanted, first, second = JoinOptions(settings(9), HouseRules(), False, True), firm(9, number=1), firm(13, number=2)
    lobby.comes(4, first)
    assert lobby.room(wanted, second) == Destination(None)
    lobby.waiting.arrived(4, first)
    assert lobby.room(wanted, second) == Destination(4)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (settings(19), "area 19x19"),
        (settings(9, 600.0), "area 9x9, time 600"),
        (replaced(settings(9), rated=True, options=(("komi", "5.5"), ("size", "9"))), "area 9x9, komi 5.5, rated"),
    ],
)
def test_settings_are_told_in_words(said: Settings, words: str) -> None:
    assert in_words(said) == words


def test_who_declines_at_a_table_that_the_lobby_does_not_know_changes_nothing() -> None:
    table = Conversation(GO)
    table.join("anna")
    Lobby().declined(table.state, [Declined(0, "Start")])
    assert table.state.seats[0] == Seat(0, SeatKind.PLAYER, "anna")


def test_who_cannot_be_called_sits_down_beside_nobody_whom_it_cannot_play() -> None:
    """The one that it came for has gone meanwhile: the two would fill the table for good."""
    waiting = Waiting()
    sitter, stays, goes = firm(9), firm(13, number=2), firm(13, number=3)
    stays.roams = False
    waiting.comes(1, sitter, "go", 2)
    waiting.sat_down(1, 0, sitter)
    assert waiting.strays(1, stays, "go")
    assert not waiting.strays(1, goes, "go")
    assert not waiting.strays(2, stays, "go")


def test_who_cannot_be_called_does_not_wait_for_two_who_sit_and_hesitate() -> None:
    """It would be sent to their full table again and again, and be refused; it opens a table of its own."""
    hall = Hall()
    anna, bert, carl = (firm(9, number=number) for number in (1, 2, 3))
    carl.roams = False
    table = hall.comes(anna, size=9)
    assert hall.comes(bert, size=9) == table
    wanted = JoinOptions(settings(9), HouseRules(), False, True)
    assert hall.lobby.room(wanted, carl) == Destination(None)


def test_no_more_are_on_the_way_to_a_table_than_it_has_seats() -> None:
    """A crowd of newcomers was sent to one table, and refused there again and again."""
    hall = Hall()
    anna, *crowd = (firm(9, number=number) for number in range(1, 12))
    table = hall.comes(anna, size=9)
    wanted = JoinOptions(settings(9), HouseRules(), False, True)
    for party in crowd:
        party.roams = False
        hall.lobby.room(wanted, party)
    assert list(hall.lobby.waiting.at(table)) == [anna, crowd[0]]
