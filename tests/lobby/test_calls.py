"""The lobby calls some players to another table, and leaves the others."""

from __future__ import annotations

from msgspec.structs import replace

from gateway.lobby.party import MOST_CALLS, Party
from protocols.core.commands import Decline, Leave, Propose
from protocols.core.model import HouseRules
from protocols.core.proposals import Start
from tests.lobby.waiting_hall import GO, Hall, firm, open_to_all, settings
from tests.table.tables import Conversation


def test_a_program_that_waits_is_called_to_whoever_opens_a_table_for_another_game() -> None:
    hall, engine, client = Hall(), open_to_all(1), Party(2, "client", Start(settings(13)))
    assert hall.comes(engine) == 1
    assert hall.comes(client, size=13, ready=True) == 2
    assert hall.called == [engine]
    assert hall.goes(engine) == 2


def test_of_several_that_wait_the_one_that_waits_longest_is_called_and_only_that_one() -> None:
    hall = Hall()
    engines = [open_to_all(1, "carl"), open_to_all(2, "client"), open_to_all(3, "client")]
    assert [hall.comes(engine) for engine in engines] == [1, 2, 3]
    hall.comes(Party(4, "client", Start(settings(13))), size=13, ready=True)
    assert hall.called == [engines[1]]


def test_who_waits_for_one_game_is_not_sat_together_with_who_waits_for_another() -> None:
    hall, nine, thirteen = Hall(), firm(9, number=1), firm(13, number=2)
    assert [hall.comes(nine, size=9), hall.comes(thirteen, size=13)] == [1, 2]
    assert hall.called == []
    assert hall.lobby.others(GO, thirteen) == ["firm1 waits for area 9x9"]


def test_who_sets_up_another_game_is_called_to_who_waits_for_that() -> None:
    hall, nine, thirteen = Hall(), firm(9, number=1), firm(13, number=2)
    hall.comes(nine, size=9)
    hall.comes(thirteen, size=13)
    hall.asks(nine, Propose(Start(settings(9), 0)))
    hall.asks(thirteen, Propose(Start(settings(9), 1)))
    assert hall.called == [thirteen], "to the older table"
    assert hall.goes(thirteen, size=9) == 1


def test_the_exact_game_goes_before_an_older_table() -> None:
    hall, engine, nine = Hall(), open_to_all(1, "somebody"), firm(9, number=2)
    hall.comes(engine)
    hall.comes(nine, size=9)
    engine.awaits = ""
    assert hall.comes(firm(9, number=3), size=9) == 2


def test_a_program_leaves_whom_it_has_declined_and_does_not_come_again_for_the_same_game() -> None:
    hall, engine, person = Hall(), open_to_all(1), firm(13, number=2)
    hall.comes(engine)
    assert hall.comes(person, size=13) == 1
    hall.asks(person, Propose(Start(settings(13), 0)))
    hall.asks(engine, Decline("Start"))
    assert hall.called == [engine]
    assert hall.goes(engine) == 2
    assert hall.called == [engine], "it stays where it is"


def test_a_person_who_was_declined_is_called_on_as_soon_as_the_game_is_another() -> None:
    hall, engine, person = Hall(), open_to_all(1), firm(13, number=2)
    hall.comes(engine)
    hall.comes(person, size=13)
    hall.asks(person, Propose(Start(settings(13), 0)))
    hall.asks(engine, Decline("Start"))
    hall.goes(engine)
    hall.asks(person, Propose(Start(settings(9), 0)))
    (first, second) = hall.called
    assert (first.number, second.number) == (1, 1)
    assert hall.goes(second) == 1


def test_nobody_is_called_to_who_does_not_say_what_is_wanted_now() -> None:
    hall, person, engine = Hall(), firm(13, number=1), open_to_all(2)
    hall.comes(person, size=13)
    hall.asks(person, Propose(Start(settings(13), 0)))
    hall.asks(person, Decline("Start"))
    assert person.absent
    assert hall.comes(engine) == 2
    assert hall.called == []
    hall.asks(person, Propose(Start(settings(13), 0)))
    assert hall.called == [engine]


def test_two_programs_that_declined_each_other_part_and_stay_apart() -> None:
    hall, one, other = Hall(), open_to_all(1), open_to_all(2)
    hall.comes(one)
    assert hall.comes(other) == 1
    hall.asks(one, Propose(Start(settings(9))))
    hall.asks(other, Decline("Start"))
    assert hall.called == [], "the first one may agree to what the second one plays"
    hall.asks(other, Propose(Start(settings(13))))
    hall.asks(one, Decline("Start"))
    assert hall.called == [other], "who came last leaves"
    assert hall.goes(other) == 2
    assert hall.called == [other]
    assert hall.comes(open_to_all(3)) == 1


def test_withdrawing_ones_own_proposal_declines_nothing() -> None:
    hall, one, other = Hall(), open_to_all(1), open_to_all(2)
    hall.comes(one)
    hall.comes(other)
    hall.asks(one, Propose(Start(settings(9))))
    hall.asks(other, Propose(Start(settings(13))))
    hall.asks(one, Decline("Start"))
    assert one.refused == {}
    hall.asks(one, Decline("Start"))
    assert len(one.refused) == 1


def test_who_cannot_be_called_stays() -> None:
    hall = Hall()
    clients = [Party(number, f"client{number}", Start(settings(9 + number))) for number in (0, 4)]
    assert [hall.comes(client, size=9 + client.number, ready=True) for client in clients] == [1, 2]
    assert hall.called == []


def test_a_call_is_void_once_nobody_waits_there_any_more() -> None:
    hall, engine, client = Hall(), open_to_all(1), Party(2, "client", Start(settings(13)))
    hall.comes(engine)
    hall.comes(client, size=13, ready=True)
    assert hall.called == [engine]
    hall.asks(client, Leave())
    assert not hall.lobby.waiting.leaves(1, 0)
    assert engine.called is None


def test_who_cannot_say_it_again_is_known_once_who_has_declined_it_has_left() -> None:
    hall, client, engine = Hall(), Party(1, "client", Start(settings(19))), open_to_all(2)
    assert [hall.comes(client, ready=True), hall.comes(engine)] == [1, 1]
    hall.asks(engine, Decline("Start"))
    assert hall.lobby.waiting.lapsed(1) is None
    assert hall.goes(engine) == 2
    assert hall.lobby.waiting.lapsed(1) == (0, Start(settings(19)))
    hall.asks(client, Propose(Start(settings(19))))
    assert hall.lobby.waiting.lapsed(1) is None


def test_nobody_is_called_for_ever() -> None:
    hall, engine, client = Hall(), open_to_all(1), Party(2, "client", Start(settings(13)))
    engine.calls = MOST_CALLS
    hall.comes(engine)
    hall.comes(client, size=13, ready=True)
    assert hall.called == []


def test_tables_that_are_registered_or_private_call_nobody() -> None:
    for hidden in ("registered", "private"):
        hall, engine = Hall(), open_to_all(1)
        hall.comes(engine)
        client = Conversation(GO, options={"size": "9"}, house=HouseRules(private=hidden == "private"))
        client.join("client")
        state = replace(client.state, table=7, registered=("client", "carl") if hidden == "registered" else ("", ""))
        hall.lobby.waiting.sat_down(7, 0, Party(2, "client", Start(settings(9))))
        hall.lobby.report(state, state)
        assert hall.lobby.waiting.calls(7) == []
