"""The gateway's own words in Miniature: joining and leaving, questions to the gateway, odd input."""

from __future__ import annotations

import pytest

from protocols.core.commands import Enter, Inquire, Join, Leave, Propose, Watch
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.events import GameAdjourned, GameEnded, Said, SeatTaken, SeatWithdrawn, TableClosed
from protocols.core.model import Outcome, Reason, SeatKind, Settings
from protocols.core.notifications import Answered, Rejected, Seated
from protocols.core.proposals import Resume
from protocols.miniature.dialect import Miniature
from protocols.miniature.wire import LONGEST_LINE
from tests.protocols.miniature_peers import E4, E4_E5, Two, draft, playing
from tests.protocols.talk import ask, begun, heard, opened, tell

CHESS = Settings("chess", "normal", 8, 8, 2)


def test_the_gateway_is_asked_for_seats_by_name_ticket_and_opponent() -> None:
    ticket = "tell gateway seat 0123456789abcdef"
    assert ask(Miniature(), "tell gateway name alice", ticket) == [
        Enter("alice"),
        Join("chess", "alice", "0123456789abcdef", ready=False, kept=True),
    ]
    assert ask(Miniature(), "tell gateway match bob b") == [Join("chess", wishes=(("opponent", "bob b"),), ready=False)]


def test_the_gateway_is_asked_who_is_here_and_what_is_played() -> None:
    peer = Miniature()
    assert ask(peer, "tell gateway who", "tell gateway tables") == [Inquire("who"), Inquire("tables")]
    assert tell(peer, Answered(("alice: table 1", "bob\nresult 1-0"))) == [
        "tell gateway alice: table 1",
        "tell gateway bob result 1-0",
    ]


def test_the_gateway_is_asked_to_look_on_at_a_table_or_a_player_s() -> None:
    assert ask(Miniature(), "tell gateway observe 7") == [Watch(table=7)]
    assert ask(Miniature(), "tell gateway name carol", "tell gateway observe alice") == [
        Enter("carol"),
        Watch(whom="alice", name="carol"),
    ]


@pytest.mark.parametrize("line", ["seat", "seat two words", "match", "observe"])
def test_a_question_without_its_word_is_an_error(line: str) -> None:
    peer = Miniature()
    assert ask(peer, f"tell gateway {line}") == []
    (error,) = tell(peer)
    assert error.startswith("error syntax ")


def test_a_refused_seat_is_told_once_and_can_be_asked_for_again() -> None:
    peer = Miniature()
    assert len(ask(peer, "tell gateway seat x", "seek 5 0")) == 2
    refused = Rejected(Why.BAD_TICKET, "no such ticket"), Rejected(Why.NOT_SEATED, "take a seat first")
    assert tell(peer, *refused) == ["error bad-ticket no such ticket"]
    assert isinstance(ask(peer, "seek 5 0")[0], Join)


def test_the_ticket_is_told_and_how_it_is_used() -> None:
    peer = Miniature()
    assert tell(peer, Seated(3, 0, opened(CHESS, "alice"), "abc")) == [
        "tell gateway table 3: alice - nobody yet",
        'tell gateway your ticket is abc; "tell gateway seat abc" takes this seat back',
        "tell gateway nobody else is here yet; seek 5 0 proposes a game",
    ]


def test_who_has_sought_a_game_is_not_told_how() -> None:
    peer = Miniature()
    assert len(ask(peer, "seek 5 0")) == 2
    assert tell(peer, Seated(3, 0, opened(CHESS, "alice"))) == [
        "tell gateway table 3: alice - nobody yet",
        "tell gateway nobody else is here yet",
    ]


@pytest.mark.parametrize("line", ["seat abc", "name alice", "match bob", "observe 9"])
def test_what_is_for_players_without_a_seat_is_refused_for_that_reason(line: str) -> None:
    peer = Miniature()
    tell(peer, Seated(3, 0, opened(CHESS, "alice")))
    assert ask(peer, f"tell gateway {line}") == []
    assert heard(peer) == [f"error not-now no {line.split()[0]} now: you have a seat"]


def test_who_comes_back_to_a_game_is_told_where_it_stands() -> None:
    two = playing("e2-e4", seek="seek 5 0 u w")
    two.drop(two.bob)
    back = two.come(Miniature())
    heard(back)
    assert two.ask(back, "tell gateway seat 1") == [
        "tell gateway table 1",
        "tell gateway alice (White) - bob (Black): chess, 5:00, unrated; you are Black",
        f"move e2-e4; fen {E4}",
        "tell gateway Black to move, clock 5:00 - 5:00",
    ]
    assert heard(two.alice)[-1] == "tell gateway bob is back"


def test_who_comes_back_after_seats_were_exchanged_has_the_colour_it_plays() -> None:
    two = playing(seek="seek 5 0 u b")
    two.both(two.bob, "e2-e4")
    two.drop(two.alice)
    back = two.come(Miniature())
    heard(back)
    told = two.ask(back, "tell gateway seat 1", "e7-e5")
    assert told[1] == "tell gateway bob (White) - alice (Black): chess, 5:00, unrated; you are Black"
    assert heard(two.bob)[-2:] == [f"move e7-e5; fen {E4_E5}", "tell gateway clock 5:00 - 5:00"]


def test_who_comes_back_to_an_adjourned_game_is_asked_to_say_play() -> None:
    two = playing("e2-e4")
    two.both(two.alice, "adjourn")
    two.both(two.bob, "adjourn")
    two.drop(two.bob)
    two.ask(two.alice, "play")
    back = two.come(Miniature())
    told = two.ask(back, "tell gateway seat 1")
    assert told[-5:] == [
        f"move e2-e4; fen {E4}",
        "tell gateway Black to move",
        "tell gateway the game is adjourned; it goes on when both have said play",
        "play",
        "tell gateway alice wants to go on; play begins it",
    ]
    assert two.ask(back, "play") == ["tell gateway the game goes on"]


def test_the_play_that_brings_somebody_back_is_no_error() -> None:
    two = playing("e2-e4")
    two.drop(two.bob)
    back = two.come(Miniature())
    heard(back)
    assert two.ask(back, "tell gateway seat 1", "play")[-1] == "tell gateway Black to move"
    peer = Miniature()
    ask(peer, "play")
    tell(peer, Seated(1, 0, (*begun(CHESS, {}, "alice", "bob"), GameAdjourned())))
    assert tell(peer, Rejected(Why.NOT_NOW, "no start now: the table is adjourned")) == [
        "tell gateway this is the game that was adjourned; play again, and you are ready to go on"
    ]
    assert ask(peer, "play") == [Propose(Resume())]


def test_who_comes_back_after_the_end_is_told_the_result() -> None:
    peer = Miniature()
    past = (*begun(CHESS, {}, "alice", "bob"), GameEnded(Outcome(None, Reason.AGREEMENT)))
    assert tell(peer, Seated(1, 0, past))[-1] == "result 1/2-1/2 {draw by agreement}"


def test_who_comes_back_to_a_takeback_is_told_the_position() -> None:
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "takeback 1")
    two.both(two.bob, "takeback 1")
    back = two.come(Miniature())
    assert draft(two.ask(back, "tell gateway seat 1"))[1:] == [f"sync error; fen {E4}"]


def test_who_leaves_a_table_can_sit_down_again() -> None:
    two = Two()
    own, others = two.both(two.bob, "tell gateway leave")
    assert (own, others) == (["tell gateway you have left the table"], ["tell gateway bob has left"])
    assert two.both(two.bob, "seek 3 0 r b")[1][-1] == "seek 3 0 r b"


def test_house_bots_and_those_who_stay_away_are_told() -> None:
    two = playing("e2-e4")
    two.drop(two.bob)
    two.wait(1000)
    assert "tell gateway bob does not come back" in heard(two.alice)
    assert tell(two.alice, SeatTaken(1, SeatKind.BOT, "bot-2")) == ["tell gateway bot-2 (a house bot) sits down"]


def test_a_table_of_another_game_is_shown_in_words() -> None:
    peer = Miniature()
    told = tell(peer, Seated(1, None, begun(Settings("ludo", "maedn", 11, 11, 4), {}, "a", "b", "c", "d")))
    assert told[1].startswith("tell gateway a (White) - b (Black) - c (side 3) - d (side 4): ludo")
    assert tell(peer, SeatWithdrawn(2, (), "")) == []


def test_a_closed_table_ends_the_conversation() -> None:
    two = playing()
    assert tell(two.alice, TableClosed()) == ["tell gateway the table is closed"]
    assert two.alice.closing


def test_the_house_is_heard_before_a_seat_is_taken() -> None:
    assert tell(Miniature(), Said(None, "all", "we are closing"), TableClosed()) == ["tell gateway we are closing"]


def test_every_line_that_cannot_be_understood_is_one_error_and_the_connection_stays() -> None:
    peer = Miniature()
    assert peer.receive_data(b"pl\0ay\n\xe9\nshout\n\n  \nseek x\nerror x\nwelcome\nresult *\n") == []
    assert [line.split()[1] for line in heard(peer)] == ["syntax", "syntax", "unknown-command", "syntax"]
    assert not peer.closing


def test_a_line_without_end_is_answered_and_breaks_the_protocol() -> None:
    peer = Miniature()
    with pytest.raises(RemoteProtocolError, match="2048"):
        peer.receive_data(b"x" * (LONGEST_LINE + 1))
    assert heard(peer) == ["error too-long a line of more than 2048 bytes"]
    assert peer.closing


def test_what_was_asked_before_a_line_without_end_still_counts() -> None:
    peer = Miniature()
    assert peer.receive_data(b"tell gateway who\n" + b"x" * (LONGEST_LINE + 1)) == [Inquire("who")]
    with pytest.raises(RemoteProtocolError, match="2048"):
        peer.resume()
    assert peer.closing


def test_half_a_line_asks_nothing_when_the_peer_closes() -> None:
    two = playing()
    assert two.alice.receive_data(b"resign") == []
    assert two.alice.receive_data(b"") == [Leave(lost=True)]
    assert Miniature().receive_data(b"") == []


def test_who_ends_lines_with_both_characters_is_answered_so() -> None:
    peer = Miniature()
    peer.receive_data(b"shout\r\n")
    assert peer.data_to_send() == b"error unknown-command 'shout'; type: tell gateway help\r\n"
