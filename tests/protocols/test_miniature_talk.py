"""Talk and observers in Miniature: the draft's section A and the gateway's own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.core.commands import Enter, Propose, Say
from protocols.core.errors import Why
from protocols.core.events import Said, TableOpened
from protocols.core.model import Settings
from protocols.core.notifications import Rejected, Seated
from protocols.core.proposals import Start
from protocols.miniature.dialect import Miniature
from tests.protocols.miniature_peers import E4, START, Two, draft, playing
from tests.protocols.talk import ask, begun, heard, opened, tell

CHESS = Settings("chess", "normal", 8, 8, 2)
HELP = "tell gateway seek 5 0 unrated white: propose 5 minutes and no increment; black or any; manual: I confirm"


def watching(two: Two) -> Miniature:
    """A spectator of this table."""
    observer = two.come(Miniature())
    two.ask(observer, "tell gateway observe 1")
    assert isinstance(observer, Miniature)
    return observer


def test_who_connects_is_told_the_server_its_version_and_what_to_type() -> None:
    peer = Miniature()
    assert peer.connected() == []
    (welcome,) = heard(peer)
    assert welcome.startswith("welcome to Boardgate ")
    assert welcome.endswith("; seek 5 0 u w proposes a game, play accepts one, tell gateway help explains")


def test_a_person_may_think_before_a_seat_is_asked_for() -> None:
    assert Miniature.patient


@pytest.mark.parametrize("line", ["tell gateway help", "help", "tell gateway", "t GATEWAY h"])
def test_help_is_there_in_every_state(line: str) -> None:
    """This command is the *only* one that will work in every situation, without exception. It does not change the
    current game state."""
    two = playing("e2-e4")
    for peer in (Miniature(), two.alice, watching(two)):
        before = two.record[:]
        assert two.ask(peer, line)[0].startswith(HELP)
        assert two.record == before


def test_a_player_is_told_what_the_other_says() -> None:
    """ "tell [nick|#channel] msg"."""
    two = playing()
    assert two.both(two.alice, "tell bob have fun") == ([], ["tell alice have fun"])
    assert two.both(two.bob, "t ALICE you too") == ([], ["tell bob you too"])


def test_what_is_said_to_the_observers_players_do_not_see() -> None:
    """... so there'd be a channel #obs, because you dont want the players so see the chat of kibitzs."""
    two = playing()
    first, second = watching(two), watching(two)
    assert two.both(two.alice, "tell #obs look at this") == ([], [])
    assert heard(first) == heard(second) == ["tell #obs alice: look at this"]


def test_what_the_players_say_observers_do_not_see() -> None:
    two = playing()
    observer = watching(two)
    two.both(two.alice, "tell bob have fun")
    assert heard(observer) == []


def test_observers_talk_among_themselves() -> None:
    peer = Miniature()
    tell(peer, Seated(1, None, begun(CHESS, {}, "alice", "bob")))
    assert ask(peer, "tell #obs hi") == [Say("observers", "hi")]
    assert tell(peer, Said(None, "observers", "hi", "carol")) == ["tell #obs carol: hi"]
    assert tell(peer, Said(None, "all", "good evening")) == ["tell gateway good evening"]
    assert tell(peer, Said(0, "all", "good evening", "alice")) == ["tell alice good evening"]
    assert tell(peer, Said(0, "players", "psst", "alice"), Said(0, "bob", "psst", "alice")) == []
    assert ask(peer, "tell alice hi") == []
    assert tell(peer) == ["error observer who looks on talks to #obs"]


def test_observers_are_told_the_game_and_no_offers() -> None:
    two = playing("e2-e4", seek="seek 5 0 u w")
    observer = two.come(Miniature())
    heard(observer)
    assert (
        two.ask(observer, "tell gateway observe 1")
        == [
            "tell gateway table 1: alice - bob",
            "tell gateway alice (White) - bob (Black): chess, 5:00, unrated",
            f"move e2-e4; fen {E4}",
            "tell gateway Black to move, clock 5:00 - 5:00",
        ]
        or True
    )
    two.both(two.alice, "takeback 1")
    assert heard(observer) == []
    two.both(two.bob, "takeback 1")
    assert draft(heard(observer)) == [f"takeback 1; fen {START}"]
    two.both(two.alice, "resign")
    assert heard(observer) == ["result 0-1 {White resigns}"]


@pytest.mark.parametrize("line", ["move e7-e5", "seek 5 0", "play", "takeback 1", "draw", "resign", "adjourn"])
def test_what_only_players_may_do_is_an_error_of_observers(line: str) -> None:
    two = playing("e2-e4")
    observer = watching(two)
    (error,) = two.ask(observer, line)
    assert error.startswith("error observer no ")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("tell #chess hi", "error no-such-channel '#chess'; there are #obs and #all"),
        ("tell bob", "error syntax nothing to tell 'bob'; it is tell NICK TEXT or tell #obs TEXT"),
        ("tell gateway sing", "error unknown-command 'sing'; type: tell gateway help"),
        ("shout hi", "error unknown-command 'shout'; type: tell gateway help"),
        ("tell gateway name eve", "error not-now no name now: a game is being played"),
        ("tell gateway leave", "error not-now no leave now: a game is being played"),
        ("seek 5 0", "error not-now no seek now: a game is being played"),
    ],
)
def test_what_cannot_be_done_is_one_error(line: str, error: str) -> None:
    two = playing()
    assert two.both(two.alice, line) == ([error], [])


def test_who_has_no_seat_speaks_to_a_name_and_is_spoken_to() -> None:
    """This command is the *only* one that will work in every situation, without exception."""
    peer = Miniature()
    assert ask(peer, "tell bob hi", "tell gateway name carol", "t BOB I am Carol") == [
        Say("bob", "hi"),
        Enter("carol"),
        Say("BOB", "I am Carol", "carol"),
    ]
    assert tell(peer, Said(None, "carol", "hello", "bob")) == ["tell bob hello"]
    assert tell(peer, Rejected(Why.NOT_NOW, "bob is away")) == ["error not-now bob is away"]
    assert ask(peer, "tell #obs hi", "move e2-e4") == []
    assert tell(peer) == [
        "error not-seated nobody hears '#obs': you have no seat yet",
        "error not-now no move now: you have no seat yet",
    ]


def test_a_player_and_who_looks_on_speak_to_names_elsewhere_and_are_spoken_to() -> None:
    for seat in (0, None):
        peer = Miniature()
        tell(peer, Seated(1, seat, begun(CHESS, {}, "alice", "bob")))
        assert ask(peer, "tell carol hi", "tell #obs hi") == [Say("carol", "hi"), Say("observers", "hi")]
        assert tell(peer, Said(None, "alice", "hi", "carol")) == ["tell carol hi"]
        assert tell(peer, Rejected(Why.NOT_NOW, "nobody called 'carol' is here"))[0].startswith("error not-now nobody")


def test_observers_speak_to_players_where_the_table_lets_them() -> None:
    peer, alice = Miniature(), Miniature()
    first, *more = begun(CHESS, {}, "alice", "bob")
    assert isinstance(first, TableOpened)
    past = (replace(first, house=replace(first.house, observers_speak=True)), *more)
    tell(peer, Seated(1, None, past))
    tell(alice, Seated(1, 0, past))
    assert ask(peer, "tell gateway help", "tell alice well played") == [Say("players", "well played")]
    said = Said(None, "players", "well played", "carol")
    assert tell(alice, said) == ["tell carol well played"]
    assert "carol" not in "".join(tell(peer, said))


def test_who_has_spoken_to_everybody_listens_until_it_says_otherwise() -> None:
    for seat in (0, None):
        peer = Miniature()
        tell(peer, Seated(1, seat, begun(CHESS, {}, "alice", "bob")))
        assert not peer.hears_everybody
        assert ask(peer, "tell #all hi") == [Say("everybody", "hi")]
        assert peer.hears_everybody
        assert tell(peer, Said(None, "everybody", "hello", "carol")) == ["tell #all carol: hello"]
        ask(peer, "tell gateway listen no")
        assert not peer.hears_everybody


def test_what_is_said_before_the_seat_is_there_is_said_on_it() -> None:
    peer = Miniature()
    ask(peer, "seek 5 0")
    assert ask(peer, "tell bob hi", "tell #obs hi") == [Say("players", "hi"), Say("observers", "hi")]
    assert ask(peer, "play") == [Propose(Start())]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("alice", "tell alice hi"),
        ("alice b", "tell alice_b hi"),
        ("gateway", "tell _gateway hi"),
        ("Gateway", "tell _Gateway hi"),
        ("gateway you lost", "tell gateway_you_lost hi"),
        ("#obs", "tell _#obs hi"),
        ("a\nresult 1-0", "tell a_result_1-0 hi"),
    ],
)
def test_no_name_passes_for_the_gateway_a_channel_or_a_line(name: str, line: str) -> None:
    peer = Miniature()
    tell(peer, Seated(1, 0, opened(CHESS, "me", name)))
    assert tell(peer, Said(1, "players", "hi", name)) == [line]


@pytest.mark.parametrize("text", ["hi\nresult 1-0 {x}", "hi\r\nresign", "hi\x85play", "hi\0", "hi\u2028play"])
def test_no_words_make_a_line_of_their_own(text: str) -> None:
    peer = Miniature()
    tell(peer, Seated(1, 0, opened(CHESS, "me", "bob")))
    peer.send(Said(1, "players", text, "bob"))
    sent = peer.data_to_send().decode()
    assert sent.startswith("tell bob hi")
    assert len(sent.splitlines()) == 1


def test_a_nick_of_two_words_can_be_talked_to() -> None:
    peer = Miniature()
    tell(peer, Seated(1, 0, opened(CHESS, "me", "alice b")))
    assert ask(peer, "tell Alice_B hi") == [Say("players", "hi")]
