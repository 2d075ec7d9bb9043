"""Names that clients have entered are held while they are here, and everybody is listed once."""

from __future__ import annotations

import random
from itertools import pairwise

from msgspec.structs import replace

from gateway import registry
from gateway.lobby.here import MOST, Entry, Here, everybody
from gateway.lobby.names import Names
from gateway.table.state import State, Status
from protocols.core.model import HouseRules, Seat, SeatKind
from tests.seeds import each, in_parts

CHESS = registry.game("chess")

ACCOUNTS = Names()
ACCOUNTS.own(("anna",))


def table(number: int, status: Status, *names: str, private: bool = False) -> State:
    """A table of chess where these sit and are there."""
    seats = tuple(Seat(at, SeatKind.PLAYER if name else SeatKind.OPEN, name) for at, name in enumerate(names))
    nobody = (0.0, 0.0)
    house = HouseRules(private=private)
    return State(number, CHESS, CHESS.settings("", 0, ""), house, b"", seats, nobody, nobody, ("", ""), status=status)


def test_a_name_is_held_while_a_client_of_it_is_here() -> None:
    names = Names()
    here = Here(names)
    here.enter(Entry(1, "anna", False, 10.0))
    assert names.choose("Anna") == "Anna-2"
    here.enter(Entry(1, "bert", False, 20.0))
    assert names.choose("Anna") == "Anna"
    assert names.choose("bert") == "bert-2"
    here.leave(1)
    here.leave(1)
    assert names.choose("bert") == "bert"
    assert not len(here)


def test_several_clients_of_an_account_are_one_name() -> None:
    here = Here(Names())
    for number in (7, 3):
        here.enter(Entry(number, "anna", True, 10.0 * number))
    assert len(here) == 1
    assert [entry.number for entry in here.of("ANNA")] == [7, 3]
    (anna,) = everybody((), here, ACCOUNTS)
    assert (anna.name, anna.account, anna.doing, anna.since, anna.tables) == ("anna", True, "lobby", 30.0, ())


def test_an_account_that_another_process_has_just_made_is_one_when_it_enters() -> None:
    """Not a guest who was called so before there was an account of that name."""
    names = Names()
    Here(names).enter(Entry(1, "anna", True, 10.0))
    assert names.is_account("anna")
    names.own(("anna",))
    assert names.is_account("anna")


def test_a_page_is_here_until_it_has_not_asked_for_a_while() -> None:
    changed: list[int] = []
    here = Here(Names(), changed.append)
    here.stays(Entry(5, "anna", True, 10.0), 60.0)
    here.stays(Entry(5, "anna", True, 40.0), 90.0)
    here.look(60.0)
    assert [entry.since for entry in here.of("anna")] == [10.0]
    here.look(90.0)
    assert here.of("anna") == []
    assert changed == [5, 5]


def test_everybody_is_listed_once_with_what_they_do() -> None:
    here = Here(Names())
    for number, name in enumerate(("anna", "bert", "carl"), 1):
        here.enter(Entry(number, name, False, float(number)))
    states = (
        table(4, Status.OPEN, "Dora", ""),
        table(5, Status.PLAYING, "anna", "Dora"),
        table(6, Status.PLAYING, "bert", "Emil", private=True),
        table(7, Status.OVER, "carl", "Fritz"),
    )
    found = [(one.name, one.doing, one.tables) for one in everybody(states, here, Names())]
    assert found == [
        ("anna", "plays", (5,)),
        ("bert", "plays", ()),  # the table is private, and so is Emil
        ("carl", "lobby", (7,)),
        ("Dora", "plays", (4, 5)),
        ("Fritz", "lobby", (7,)),
    ]


def test_a_name_is_idle_while_all_its_clients_are_and_a_program_if_one_is() -> None:
    changed: list[int] = []
    here = Here(Names(), changed.append)
    anna = Entry(1, "anna", True, 10.0, "miniature", idle=50.0)
    here.enter(anna)
    here.enter(anna)
    here.enter(Entry(2, "Anna", True, 20.0, "web", bot=True))
    (found,) = everybody((), here, ACCOUNTS)
    assert (found.dialects, found.bot, found.idle, found.since) == (("miniature", "web"), True, None, 10.0)
    here.enter(Entry(2, "Anna", True, 20.0, "web", idle=90.0))
    (found,) = everybody((), here, ACCOUNTS)
    assert (found.bot, found.idle) == (False, 90.0)
    assert [entry.number for entry in here.of("anna")] == [1, 2]
    assert changed == [1, 2, 2]


def test_who_sits_with_an_engine_is_a_program() -> None:
    state = replace(table(5, Status.PLAYING, "anna", "gnugo"), programs=("", "GNU Go 3.8"))
    assert [(one.name, one.bot) for one in everybody([state], Here(Names()), Names())] == [
        ("anna", False),
        ("gnugo", True),
    ]


def test_an_account_that_is_a_program_s_is_one_wherever_it_plays() -> None:
    names = Names()
    names.own(("anna", "robot"))
    names.mark(("Robot",))
    here = Here(names)
    here.enter(Entry(1, "anna", True, 10.0, "web"))
    here.enter(Entry(2, "robot", True, 20.0, "web"))
    assert [(one.name, one.bot) for one in everybody((), here, names)] == [("anna", False), ("robot", True)]
    sits = (table(5, Status.PLAYING, "robot", "anna"),)
    assert [(one.name, one.bot) for one in everybody(sits, Here(names), names)] == [("anna", False), ("robot", True)]
    names.mark(())
    assert [one.bot for one in everybody(sits, here, names)] == [False, False]


def test_a_crowd_is_no_list() -> None:
    here = Here(Names())
    for number in range(MOST + 7):
        here.enter(Entry(number, f"p{number:04}", False, 1.0))
    found = [one.name for one in everybody((table(1, Status.OPEN, "zoe", ""),), here, Names())]
    assert (len(found), found[-1]) == (MOST, f"p{MOST - 1:04}")


@in_parts(40, 40_000)
def test_names_are_held_by_those_who_are_here_and_by_nobody_else(seeds: range) -> None:
    """Clients come, change their names, and go in any order: whoever is here holds its name, once."""
    each(seeds, come_and_go)


def come_and_go(seed: int) -> None:
    draw = random.Random(seed)
    names = Names()
    here = Here(names)
    known: dict[int, str] = {}
    for _ in range(200):
        number = draw.randrange(6)
        if draw.random() < 0.4:
            here.leave(number)
            known.pop(number, None)
        else:
            known[number] = name = draw.choice(("anna", "Anna", "bert", "carl"))
            here.enter(Entry(number, name, True, 1.0))
        assert {entry.number: entry.name for entry in here} == known
        for name in ("anna", "bert", "carl"):
            holders = [number for number, held in known.items() if held.casefold() == name]
            assert sorted(entry.number for entry in here.of(name)) == sorted(holders)
            assert not holders or names.in_use(name, but=len(holders) - 1)
            assert not names.in_use(name, but=len(holders))
    listed = [one.name.casefold() for one in everybody((), here, ACCOUNTS)]
    assert all(one < other for one, other in pairwise(listed))
