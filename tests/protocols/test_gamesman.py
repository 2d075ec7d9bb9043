"""A GAMESMAN player's end handles interruptions, limits, and connections that end without a word."""

from __future__ import annotations

import pytest

from protocols.core import events as ev
from protocols.core.commands import ClaimEnd, Command, Join, PlayMove, Propose, Resign
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.http_binding import Fields
from protocols.core.model import HouseRules, Move, Outcome, Reason, SeatKind, Settings
from protocols.core.notifications import Notification, Rejected, Seated
from protocols.core.proposals import Resume, Score, Start
from protocols.gamesman import wire
from protocols.gamesman.answers import MOST_WAITING
from protocols.gamesman.dialect import Gamesman
from protocols.gamesman.wire import LONGEST_SET, write_set

OPEN = Settings("open", "any", 8, 8, 2)
OPENED = ev.TableOpened(OPEN, HouseRules())
BOTH = (ev.SeatTaken(0, SeatKind.PLAYER, "first"), ev.SeatTaken(1, SeatKind.PLAYER, "second"))
STARTED = ev.GameStarted(OPEN, 1, (), "")


class End:
    """A dialect and its peer; ``told`` are the answers that were not looked at yet."""

    def __init__(self, seat: int, *past: ev.Event) -> None:
        self.dialect = Gamesman()
        self.seat = seat
        self.past = (OPENED, *past)
        self.number = 0
        self.joined = False

    def asks(self, kind: str, move: str | None = None, turn: int | None = None, number: int = 0) -> list[Command]:
        """Return the commands of a request; its player is seated first if it is not yet."""
        self.number += 1
        fields: list[tuple[str, bytes]] = [("request", str(number or self.number).encode()), ("type", kind.encode())]
        fields += [] if move is None else [("Move", move.encode())]
        fields += [("SrcPlayer", b"me"), ("DestPlayer", b"you")]
        fields += [] if turn is None else [("Turn", str(turn).encode())]
        commands = self.dialect.receive_data(write_set(tuple(fields)))
        if self.joined:
            return commands
        self.joined = True
        assert commands == [Join("", "me", "", (("opponent", "you"),), ready=False)]
        return self.hears(Seated(1, self.seat, self.past))

    def says(self, name: str, number: int) -> None:
        """Something else about a request of this number."""
        self.dialect.receive_data(write_set((("request", str(number).encode()), (name, b"yes"))))

    def hears(self, *messages: Notification) -> list[Command]:
        for message in messages:
            self.dialect.send(message)
        return self.dialect.prompted()

    def answers(self) -> dict[int, dict[str, bytes]]:
        """Return the answers since the last call, by request."""
        data = b"".join(iter(self.dialect.data_to_send, b""))
        found: dict[int, dict[str, bytes]] = {}
        for (_, number), *fields in wire.Sets().split(data):
            assert int(number) not in found
            found[int(number)] = dict(fields)
        return found


def moved(seat: int, ply: int, text: str) -> ev.MoveMade:
    return ev.MoveMade(seat, Move(None, None, text), ply, text, (), "")


def turn(seat: int) -> ev.TurnStarted:
    return ev.TurnStarted(seat)


def ended(winner: int | None, reason: Reason) -> ev.GameEnded:
    return ev.GameEnded(Outcome(winner, reason))


def sent(text: str) -> dict[str, bytes]:
    return {"type": b"SendMove", "Move": text.encode(), "SrcPlayer": b"you", "DestPlayer": b"me"}


def waiting_first() -> End:
    """The first player after its first move, which waits as request 1."""
    end = End(0, *BOTH, STARTED, turn(0))
    assert end.asks("SendMove", "m1") == [PlayMove(text="m1", ply=0)]
    end.hears(moved(0, 1, "m1"), turn(1))
    assert end.answers() == {}
    return end


def test_an_interrupted_game_goes_on_before_anything_is_judged() -> None:
    end = End(0, *BOTH, STARTED, ev.GameAdjourned(9.0))
    assert end.asks("SendMove", "m1") == [Propose(Resume())]
    assert end.hears(ev.GameResumed(), turn(0)) == [PlayMove(text="m1", ply=0)]


BACK = (ev.SeatLeft(0, SeatKind.RESERVED, 1.0), ev.SeatTaken(0, SeatKind.PLAYER, "first"))
"""The first player's connection has ended, which ends its proposals, and it is there again."""

REFUSED = Rejected(Why.OVERLOAD, "could not be stored, try again")
ERROR = {"error_code": b"1", "error_message": b"could not be stored, try again"}


def test_a_first_player_who_was_away_before_the_game_began_is_ready_again() -> None:
    end = End(0, *BOTH, ev.Proposed(0, Start(side=0)), *BACK)
    assert end.asks("SendMove", "m1") == [Propose(Start(side=0))]


def test_a_first_player_whose_wish_to_begin_stands_does_not_say_it_again() -> None:
    end = End(0, *BOTH, *BACK, ev.Proposed(0, Start(side=0)))
    assert end.asks("SendMove", "m1") == []
    assert end.answers() == {1: {"warning": b"the game has not been initialized"}}


def test_a_second_player_who_was_away_before_the_game_began_is_ready_with_the_next_request() -> None:
    """The initialization is sent again: "it takes up the wait"."""
    left = ev.SeatLeft(1, SeatKind.RESERVED, 1.0), ev.SeatTaken(1, SeatKind.PLAYER, "second")
    end = End(1, *BOTH, ev.Proposed(1, Start(side=1)), *left)
    assert end.asks("SendMove") == [Propose(Start(side=1))]
    assert end.hears(ev.Proposed(1, Start(side=1)), STARTED, turn(0), moved(0, 1, "m1"), turn(1)) == []
    assert end.answers() == {1: sent("m1")}


def test_an_initialization_that_is_counted_and_comes_again_waits_too() -> None:
    """Its player may have lost the connection before the server notices: "the same turn is always the same request"."""
    end = End(1, *BOTH)
    assert end.asks("SendMove", turn=0) == [Propose(Start(side=1))]
    assert end.asks("SendMove", turn=0) == []
    end.says("gone", 1)
    end.hears(ev.Proposed(1, Start(side=1)), STARTED, turn(0), moved(0, 1, "m1"), turn(1))
    assert end.answers() == {2: sent("m1")}


def test_a_wish_to_begin_that_was_refused_is_said_again_with_the_next_request() -> None:
    for seat, move in ((0, "m1"), (1, None)):
        end, start = End(seat, *BOTH), Propose(Start(side=seat))
        assert end.asks("SendMove", move) == [start]
        assert end.hears(REFUSED) == []
        assert end.answers() == {1: ERROR}
        assert end.asks("SendMove", move) == [start]
        end.hears(ev.Proposed(seat, Start(side=seat)))
        assert end.asks("SendMove", "m1") == []


def test_a_game_that_is_adjourned_anew_is_to_go_on_still() -> None:
    """As when its table goes to another node: the proposals of before are void."""
    end = End(0, *BOTH, STARTED, turn(0), ev.GameAdjourned(9.0))
    assert end.asks("SendMove", "m1") == [Propose(Resume())]
    assert end.hears(ev.Proposed(0, Resume()), ev.GameAdjourned(12.0)) == [Propose(Resume())]
    assert end.hears(ev.Proposed(0, Resume()), ev.GameResumed(), turn(0)) == [PlayMove(text="m1", ply=0)]


def test_a_wish_to_go_on_that_was_refused_is_said_again_with_the_next_request() -> None:
    end = End(0, *BOTH, STARTED, turn(0), ev.GameAdjourned(9.0))
    assert end.asks("SendMove", "m1") == [Propose(Resume())]
    assert end.hears(REFUSED) == []
    assert end.answers() == {1: ERROR}
    assert end.asks("SendMove", "m1") == [Propose(Resume())]
    assert end.hears(ev.Proposed(0, Resume()), ev.GameResumed(), turn(0)) == [PlayMove(text="m1", ply=0)]


@pytest.mark.parametrize("reason", [Reason.TIME, Reason.ABANDONMENT, Reason.FORFEIT, Reason.RESIGNATION])
def test_who_wins_because_the_other_is_gone_hears_a_resignation(reason: Reason) -> None:
    end = waiting_first()
    end.hears(ended(0, reason))
    assert end.answers() == {1: {"type": b"Resign", "SrcPlayer": b"you", "DestPlayer": b"me"}}


@pytest.mark.parametrize(
    ("winner", "reason"),
    [(1, Reason.TIME), (0, Reason.RULES), (None, Reason.RULES), (0, Reason.CLAIM), (None, Reason.VOID)],
)
def test_any_other_end_is_a_move_of_four_letters(winner: int | None, reason: Reason) -> None:
    end = waiting_first()
    end.hears(ended(winner, reason))
    assert end.answers() == {1: sent("null")}


def test_a_move_that_comes_too_late_for_its_clock_is_answered_with_the_end() -> None:
    end = waiting_first()
    end.hears(moved(1, 2, "m2"), turn(0))
    assert end.answers() == {1: sent("m2")}
    end.asks("SendMove", "m3")
    end.hears(ended(1, Reason.TIME))
    assert end.answers() == {2: sent("null")}


def test_a_resignation_that_crosses_the_opponents_is_told_as_it_ended() -> None:
    end = waiting_first()
    assert end.asks("Resign") == [Resign()]
    end.hears(ended(0, Reason.RESIGNATION))
    end.hears(Rejected(Why.NOT_PLAYING, "no game is being played"))
    resigned = {"type": b"Resign", "SrcPlayer": b"you", "DestPlayer": b"me"}
    assert end.answers() == {1: resigned, 2: resigned}


def test_requests_that_come_while_one_is_judged_wait_in_order() -> None:
    end = waiting_first()
    end.hears(moved(1, 2, "m2"), turn(0))
    assert end.asks("SendMove", "bad") == [PlayMove(text="bad", ply=2)]
    assert end.asks("SendMove", "m3") == []
    assert end.hears(Rejected(Why.ILLEGAL, "no")) == [PlayMove(text="m3", ply=2)]
    assert end.answers() == {1: sent("m2"), 2: {"error_code": b"1", "error_message": b"no"}}


def test_a_turn_that_comes_late_is_not_played_again() -> None:
    """ "The same turn is then always the same request", also behind the turns after it."""
    end = End(0, *BOTH, STARTED, moved(0, 1, "m1"), moved(1, 2, "m2"), turn(0))
    assert end.asks("SendMove", "m3", turn=2) == [PlayMove(text="m3", ply=2)]
    end.hears(moved(0, 3, "m3"), turn(1), moved(1, 4, "m4"), turn(0))
    assert end.asks("SendMove", "m1", turn=1) == []
    assert end.asks("SendMove", "m3", turn=2) == []
    assert end.answers() == {1: sent("m4"), 2: {"warning": b"turn 1 was played before"}, 3: sent("m4")}
    assert end.asks("SendMove", "m5", turn=3) == [PlayMove(text="m5", ply=4)]


def test_the_rest_of_a_turn_is_the_same_turn_or_the_next() -> None:
    for rest in (1, 2):
        end = End(0, *BOTH, STARTED, moved(0, 1, "9x18"), turn(0))
        assert end.asks("SendMove", "18x25", turn=rest) == [PlayMove(text="18x25", ply=1)]


def test_no_more_than_a_few_wait_to_be_judged() -> None:
    end = waiting_first()
    end.hears(moved(1, 2, "m2"), turn(0))
    end.answers()
    end.asks("SendMove", "m3")
    for _ in range(MOST_WAITING):
        assert end.asks("GameOver") == []
    end.asks("GameOver")
    assert list(end.answers()) == [3 + MOST_WAITING]


def test_of_the_same_request_no_more_than_a_few_wait() -> None:
    end = waiting_first()
    for _ in range(MOST_WAITING):
        end.asks("SendMove", "m1")
    assert end.answers() == {1: {"warning": b"the same request has come too often"}}
    end.hears(moved(1, 2, "m2"), turn(0))
    assert end.answers() == {number: sent("m2") for number in range(2, MOST_WAITING + 2)}


def test_who_still_waits_is_only_heard_of() -> None:
    end = waiting_first()
    end.says("still", 1)
    end.hears(moved(1, 2, "m2"), turn(0))
    assert end.answers() == {1: sent("m2")}


def test_a_move_whose_sender_has_gone_is_played_all_the_same() -> None:
    end = End(0, *BOTH, STARTED, turn(0))
    end.joined = True
    end.dialect.receive_data(write_set((("request", b"1"), ("type", b"SendMove"), ("Move", b"m1"))))
    end.says("gone", 1)
    assert end.hears(Seated(1, 0, end.past)) == [PlayMove(text="m1", ply=0)]
    end.hears(moved(0, 1, "m1"), turn(1), moved(1, 2, "m2"), turn(0))
    assert end.answers() == {}
    end.asks("SendMove", "m1", number=2)
    assert end.answers() == {2: sent("m2")}


def test_the_record_tells_a_turn_of_two_steps_from_two_turns() -> None:
    lost = (ev.SeatLeft(0, SeatKind.RESERVED, 60.0), ev.SeatTaken(0, SeatKind.PLAYER, "first"), turn(1))
    played = (moved(0, 1, "a"), moved(1, 2, "b"), moved(0, 3, "c"), moved(0, 4, "d"))
    end = End(0, *BOTH, STARTED, *played, *lost)
    assert end.asks("SendMove", "c d", turn=1) == []
    assert end.answers() == {1: {"warning": b"it is not this player's turn"}}
    end.asks("SendMove", "c d", turn=2)
    assert end.answers() == {}
    end.hears(moved(1, 5, "e"), turn(0))
    assert end.answers() == {2: sent("e")}


def test_the_second_player_who_has_not_moved_takes_its_initialization_up_again() -> None:
    lost = (ev.SeatLeft(1, SeatKind.RESERVED, 60.0), moved(0, 1, "a"), ev.SeatTaken(1, SeatKind.PLAYER, "second"))
    end = End(1, *BOTH, STARTED, *lost, turn(1))
    end.asks("SendMove")
    assert end.answers() == {1: sent("a")}


def test_what_had_reached_the_player_is_not_told_again_for_another_move() -> None:
    """The move was told before the restart: the player has thought since, and this is a new one."""
    lost = (ev.SeatLeft(1, SeatKind.RESERVED, 60.0), ev.SeatTaken(1, SeatKind.PLAYER, "second"), turn(1))
    end = End(1, *BOTH, STARTED, moved(0, 1, "a"), moved(1, 2, "go"), moved(0, 3, "b"), *lost)
    assert end.asks("SendMove", "go") == [PlayMove(text="go", ply=3)]


def test_stones_that_are_being_settled_are_alive_after_a_restart_too() -> None:
    end = End(1, *BOTH, STARTED, moved(0, 1, "pass"), moved(1, 2, "pass"), ev.GameSettling())
    assert end.asks("SendMove", "pass") == [Propose(Score())]
    end.hears(ended(0, Reason.RULES))
    assert end.answers() == {1: sent("null")}


def test_a_program_s_list_of_dead_stones_is_objected_to_for_it_waits_for_an_answer() -> None:
    end = End(0, *BOTH, STARTED, moved(0, 1, "pass"), turn(1))
    end.asks("SendMove", "pass")
    assert end.hears(moved(1, 2, "pass"), ev.GameSettling()) == [Propose(Score())]
    assert end.hears(ev.Proposed(1, Score((), program=True)), ev.Proposed(1, Score((3,)))) == []
    assert end.hears(ev.Proposed(1, Score((3,), program=True))) == [Propose(Score())]


def test_an_end_that_the_opponent_does_not_accept_is_none() -> None:
    end = End(0, *BOTH, STARTED, moved(0, 1, "pass"), turn(1))
    end.asks("SendMove", "pass")
    end.hears(moved(1, 2, "pass"), ev.GameSettling())
    assert end.answers() == {1: sent("pass")}
    assert end.asks("GameOver") == []
    end.hears(ev.GameResumed(), turn(0))
    assert end.answers()[2]["error_message"] == b"the game is not over: the opponent plays on"


def test_who_is_moved_to_the_other_seat_plays_from_there() -> None:
    end = End(0, *BOTH)
    end.asks("SendMove", "m1")
    end.hears(ev.Proposed(0, Start(side=0)), ev.SeatsTurned(1), STARTED, turn(0))
    assert end.answers() == {1: {"warning": b"it is not this player's turn"}}
    end.hears(moved(0, 1, "a"), turn(1))
    assert end.asks("GameOver") == [ClaimEnd(0)]


def test_a_line_that_is_no_header_breaks_the_protocol() -> None:
    for data in (b"no colon\r\n\r\n", b": no name\r\n\r\n", b"\xff: x\r\n\r\n", b"type: x\r\n\r\n", b"\r\n\r\n"):
        with pytest.raises(RemoteProtocolError):
            Gamesman().receive_data(data)
    with pytest.raises(RemoteProtocolError, match=f"more than {LONGEST_SET} bytes"):
        Gamesman().receive_data(b"x" * (LONGEST_SET + 1))


def test_no_value_ends_its_line() -> None:
    fields: Fields = (("Move", b"a\r\nEvil: b\0\x7f"), ("type", b""))
    assert write_set(fields) == b"Move: a  Evil: b\r\ntype: \r\n\r\n"


def test_an_error_fits_a_header_whatever_it_is_about() -> None:
    (_, code), (_, message) = wire.error("é" * 1000 + "\ud800")
    assert (code, message) == (b"1", ("é" * 255).encode())


@pytest.mark.parametrize("text", ["type:x", "type: ", "no header", " type: x", "type:  x\n"])
def test_text_that_shows_no_header_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a header"):
        wire.to_wire([text])
