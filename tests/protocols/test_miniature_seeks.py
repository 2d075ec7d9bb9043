"""Miniature, draft section B: how two players agree on a game. Both sides are real, and so is the table."""

from __future__ import annotations

import pytest

from protocols.core.commands import Join, Leave, Propose
from protocols.core.model import HouseRules, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from protocols.miniature.dialect import Miniature
from tests.protocols.duel import Duel
from tests.protocols.miniature_peers import Two, draft, playing
from tests.protocols.talk import ask, heard

FIVE = TimeControl(TimeKind.ABSOLUTE, 300)


def test_the_first_seek_sits_down_and_proposes() -> None:
    """ "Both of the players can now propose a game mode"; "at any time!"."""
    settings = Settings("chess", "normal", 0, 0, 0, FIVE, rated=True)
    assert ask(Miniature(), "seek 5 0 r w") == [
        Join("chess", ready=False),
        Propose(Start(settings, 0)),
    ]


def test_a_seek_is_accepted_by_play() -> None:
    """A client player (P2) accepts seek: send "play" → 2 game starts."""
    two = Two()
    assert two.lines(two.alice, "seek 5 0 r w") == ([], ["seek 5 0 r w"])
    assert two.lines(two.bob, "play") == ([], ["play"])
    assert (two.seat(two.alice), two.seat(two.bob)) == (0, 1)
    assert two.state.settings.time == FIVE
    assert two.state.settings.rated


@pytest.mark.parametrize(
    ("first", "answer", "alice"),
    [
        ("seek 5 0 r w", "seek 5 0 r b", 0),
        ("seek 5 0 r b", "seek 5 0 r w", 1),
        ("seek 5 0 r w", "seek 5 0 r a", 0),
        ("seek 5 0 r b", "seek 5 0 rated any", 1),
        ("seek 5 0 r a", "seek 5 0 r w", 1),
        ("seek 5 0 r a", "seek 5 0 r b", 0),
        ("seek 5 0 r", "seek 5 0 r", 0),
    ],
)
def test_a_seek_is_accepted_by_the_same_seek_with_a_colour_that_goes_with_it(
    first: str, answer: str, alice: int
) -> None:
    """A seek is accepted by sending the same seek back (with the exception of color choosing, where "any" always
    matches). If the seeker offers "any" colors it means he his indifferent wrt. color choice. Such games the game can
    be accepted by people who had choosen black, white or any."""
    two = Two()
    two.both(two.alice, first)
    two.both(two.bob, answer)
    assert (two.seat(two.alice), two.seat(two.bob)) == (alice, 1 - alice)
    assert two.state.turn == 0


def test_who_left_the_colour_open_is_told_the_colour_that_the_other_got() -> None:
    two = Two()
    assert two.lines(two.alice, "seek 5 0 r a") == ([], ["seek 5 0 r a"])
    assert two.lines(two.bob, "play") == ([], ["seek 5 0 r b"])


def test_who_plays_what_is_put_in_words_too() -> None:
    two = Two()
    two.both(two.alice, "seek 5 3 r b")
    own, others = two.both(two.bob, "play")
    game = "tell gateway game 1: bob (White) - alice (Black): chess, 5:00 and 3 s a move, rated; you are"
    assert own[0] == f"{game} White"
    assert others[:2] == ["play", f"{game} Black"]


def test_the_same_seek_back_with_the_same_colour_does_not_read_as_acceptance() -> None:
    """A seek is accepted by sending the same seek back (with the exception of color choosing, ...)."""
    two = Two()
    two.both(two.alice, "seek 5 0 r w")
    assert two.both(two.bob, "seek 5 0 r w") == (
        ["tell gateway alice has sought White, too: no game begins; play takes Black"],
        ["tell gateway bob seeks the same game, and White, too: no game begins; play takes Black"],
    )
    assert two.state.games == 0
    two.both(two.alice, "play")
    assert (two.seat(two.alice), two.state.turn) == (1, 0)


@pytest.mark.parametrize("line", ["seek", "seek white", "seek r manual", "s u b"])
@pytest.mark.parametrize(("option", "time"), [("none", "no clock"), ("300+5", "5:00 and 5 s a move")])
def test_a_seek_without_time_is_told_what_that_means(line: str, option: str, time: str) -> None:
    peer = Miniature({"time": option})
    ask(peer, line)
    assert heard(peer) == [f"tell gateway you named no time: your game has {time}; seek 5 0 names five minutes"]


def test_a_seek_that_says_that_it_has_no_clock_is_told_nothing() -> None:
    peer = Miniature()
    ask(peer, "seek 0 0 white")
    assert heard(peer) == []


@pytest.mark.parametrize(
    ("line", "word"), [("0.1 0 u w", "0.1"), ("5 0.5", "0.5"), ("5m 0", "5m"), ("u 5 0", "5"), ("-5 0", "-5")]
)
def test_a_seek_that_cannot_be_read_names_the_word(line: str, word: str) -> None:
    two = Two()
    (told,) = two.ask(two.alice, f"seek {line}")
    assert told.startswith(f"error syntax {word!r} in a seek: it is TIME INC, whole minutes and seconds, then rated")


@pytest.mark.parametrize("answer", ["seek 5 0 u b", "seek 5 1 r b", "seek 6 0 r b"])
def test_another_seek_is_a_proposal_of_one_s_own(answer: str) -> None:
    """P2 ignores seek: P2 can now send a seek; P1 accepts seek: send "play" → 2. "Both players could propose game
    modes sending as many seeks as they want, and at any time!" """
    two = Two()
    two.both(two.alice, "seek 5 0 r w")
    assert two.lines(two.bob, answer) == ([], [answer])
    assert two.lines(two.alice, "play") == ([], ["play"])
    assert two.state.turn == 0


def test_a_seek_can_be_ignored() -> None:
    """When the other player receives a seek, he can either accept the offer or ignore it."""
    two = Two()
    two.both(two.alice, "seek 5 0 r w")
    assert two.state.turn is None


def test_play_before_any_seek_takes_the_first_that_comes() -> None:
    two = Two()
    two.ask(two.bob, "tell gateway leave")
    heard(two.alice)
    carol = two.come(Miniature())
    own = two.ask(carol, "tell gateway name carol", "play")
    assert "tell gateway game 1: alice (White) - carol (Black): chess, 1:00, rated; you are Black" in own
    assert draft(heard(two.alice)) == ["play"]


def test_play_with_nothing_on_offer_says_so_and_waits() -> None:
    two = playing("f2-f3", "e7-e5", "g2-g4", "d8-h4")
    own, others = two.both(two.alice, "play")
    assert own == ["tell gateway nobody seeks a game now; you take the next seek"]
    assert others == ["tell gateway alice takes any game; play accepts"]
    assert two.lines(two.bob, "seek 3 0 u w") == ([], ["seek 3 0 u w"])
    assert (two.seat(two.bob), two.state.turn) == (0, 0)


def test_play_that_crosses_the_start_of_the_game_is_nothing() -> None:
    two = playing()
    assert two.both(two.alice, "play") == ([], [])


def test_a_manual_seek_starts_when_its_seeker_has_said_play_as_well() -> None:
    """If the ad calls for a manual start, the other user will be notified that you are challenging him/her to a match;
    he/she then can accept or decline your offer to play that match."""
    two = Two()
    assert two.lines(two.alice, "seek 5 0 r b manual") == ([], ["seek 5 0 r b manual"])
    own, others = two.both(two.bob, "play")
    assert own == []
    assert others == [
        "play",
        "tell gateway bob takes your seek; play begins the game, tell gateway decline refuses",
    ]
    assert two.state.turn is None
    assert two.lines(two.alice, "play") == ([], ["play"])
    assert two.seat(two.bob) == 0
    assert two.state.settings.time == FIVE


def test_a_manual_seek_is_taken_by_the_same_seek_too() -> None:
    two = Two()
    two.both(two.alice, "seek 5 0 r b manual")
    assert two.lines(two.bob, "seek 5 0 r w") == ([], ["play"])
    assert two.state.turn is None


def test_a_challenge_can_be_declined_and_the_seek_stands() -> None:
    """P2 using manual as seek parameter declines the offer to play from P1 → 1."""
    two = Two()
    two.both(two.alice, "seek 5 0 r b manual")
    two.both(two.bob, "play")
    own, others = two.both(two.alice, "tell gateway decline")
    gone = ["tell gateway alice no longer asks for the game", "tell gateway alice declines the game"]
    assert (own, others) == ([], [*gone, "seek 5 0 r b manual"])
    assert [made.seat for made in two.state.proposals] == [two.seat(two.alice)]


def test_a_manual_seek_stands_as_it_was_when_its_challenger_leaves() -> None:
    """P2 using manual as seek parameter accepts the offer to play from P1 but P1 is no more available (for example in
    an other game) → 3 P1 is shown as not ready to play."""
    two = Two()
    two.both(two.alice, "seek 5 0 r b manual")
    stands = two.state.proposals
    two.both(two.bob, "play")
    assert two.both(two.bob, "tell gateway leave")[1] == ["tell gateway bob has left"]
    assert two.both(two.alice, "play")[0] == ["tell gateway nobody takes your seek now; it stands"]
    assert [made.proposal for made in two.state.proposals] == [made.proposal for made in stands if made.seat == 0]
    carol = two.come(Miniature())
    two.ask(carol, "tell gateway name carol", "play")
    assert heard(two.alice)[-2:] == [
        "play",
        "tell gateway carol takes your seek; play begins the game, tell gateway decline refuses",
    ]
    two.ask(two.alice, "play")
    assert two.state.settings.time == FIVE


@pytest.mark.parametrize("first", ["seek 3 0 r w", "seek 3 0 r w manual"])
def test_a_seek_that_is_manual_takes_the_place_of_the_one_before(first: str) -> None:
    two = Two()
    two.both(two.alice, first)
    assert two.both(two.alice, "seek 5 0 r b manual")[1] == ["seek 5 0 r b manual"]
    two.both(two.bob, "play")
    assert (two.state.turn, two.state.games) == (None, 0)
    two.both(two.alice, "play")
    assert (two.state.settings.time, two.seat(two.alice)) == (FIVE, 1)


def test_a_seeker_confirms_a_house_bot_too() -> None:
    two = Duel(house=HouseRules(bot_after_s=10))
    alice = two.come(Miniature())
    two.ask(alice, "seek 5 0 u w manual")
    two.wait(10)
    assert heard(alice)[-2] == "play"
    assert two.state.turn is None
    two.ask(alice, "play")
    assert [two.state.settings.time, two.state.games] == [FIVE, 1]


def test_a_manual_seek_is_shown_to_who_comes_later() -> None:
    two = Two()
    two.both(two.bob, "tell gateway leave")
    two.both(two.alice, "seek 5 0 r b manual")
    carol = two.come(Miniature())
    assert "seek 5 0 r b manual" in two.ask(carol, "tell gateway name carol", "seek 50 0")


def test_a_later_seek_takes_the_place_of_a_manual_one() -> None:
    two = Two()
    two.both(two.alice, "seek 5 0 r b manual", "seek 3 0 r b")
    assert two.lines(two.bob, "play") == ([], ["play"])
    assert two.state.settings.time == TimeControl(TimeKind.ABSOLUTE, 180)


def test_words_that_look_like_a_manual_seek_are_chat_during_a_game() -> None:
    two = playing()
    assert two.both(two.alice, "tell bob seek 5 0 r w manual") == ([], ["tell alice seek 5 0 r w manual"])


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (TimeControl(TimeKind.MOVES, 300, moves=40), "40 moves in 5:00"),
        (TimeControl(TimeKind.PER_MOVE, period_s=10), "0:10 a move"),
        (TimeControl(TimeKind.CANADIAN, 600, moves=25, period_s=300), "10:00, then 25 moves in 5:00"),
        (TimeControl(TimeKind.ABSOLUTE, 90), "1:30"),
    ],
)
def test_a_game_that_no_seek_can_say_is_put_in_words_and_accepted_by_play(time: TimeControl, words: str) -> None:
    two = Two()
    command = Propose(Start(Settings("chess", "normal", 0, 0, 0, time, rated=True), 1))
    two.do(two.bob, [command])
    assert heard(two.alice) == [f"tell gateway bob seeks chess, {words}, rated, and plays Black; play accepts"]
    two.both(two.alice, "play")
    assert (two.seat(two.alice), two.state.settings.time) == (0, time)


def test_a_variant_and_a_set_up_position_are_put_in_words_and_the_position_is_sent() -> None:
    two = Two()
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    two.do(two.bob, [Propose(Start(Settings("chess", "atomic", 0, 0, 0, None, fen)))])
    assert heard(two.alice) == [f"tell gateway bob seeks atomic, no clock, unrated, from {fen}; play accepts"]
    own, _ = two.both(two.alice, "play")
    assert own[1] == f"sync error; fen {fen}"


def test_the_next_game_is_sought_at_the_same_table_or_is_a_rematch() -> None:
    two = playing("f2-f3", "e7-e5", "g2-g4", "d8-h4")
    assert two.lines(two.alice, "seek 3 0 u b") == ([], ["seek 3 0 u b"])
    two.both(two.bob, "play")
    assert two.seat(two.alice) == 1
    two.both(two.alice, "resign")
    assert two.both(two.bob, "tell gateway rematch")[1] == ["tell gateway bob wants to play once more; play accepts"]
    assert two.lines(two.alice, "play") == ([], ["play"])
    assert two.state.games == 3


@pytest.mark.parametrize("line", ["seek 3 0 u w", "play"])
def test_who_is_left_alone_after_a_game_looks_for_another_at_another_table(line: str) -> None:
    two = playing("e2-e4")
    two.ask(two.bob, "resign")
    two.ask(two.bob, "tell gateway leave")
    heard(two.alice)
    assert ask(two.alice, "tell gateway rematch") == []
    assert heard(two.alice)[0].startswith("error not-now nobody is left here to play with")
    leaving, joining, proposing = ask(two.alice, line)
    assert leaving == Leave()
    assert joining == Join("chess", "alice", ready=False)
    assert isinstance(proposing, Propose)


def test_a_rematch_is_agreed_by_asking_for_it_as_well() -> None:
    two = playing("f2-f3", "e7-e5", "g2-g4", "d8-h4")
    two.both(two.alice, "tell gateway rematch")
    assert two.lines(two.bob, "tell gateway rematch") == ([], ["play"])
    assert two.state.games == 2


def test_the_listener_s_clock_is_that_of_a_seek_without_one() -> None:
    peer = Miniature({"time": "300+5"})
    join, propose = ask(peer, "seek r")
    assert join == Join("chess", wishes=(("time", "300+5"),), ready=False)
    assert isinstance(propose, Propose)
    assert isinstance(propose.proposal, Start)
    assert propose.proposal.settings is not None
    assert propose.proposal.settings.time == TimeControl(TimeKind.FISCHER, 300, 5)


def test_a_manual_seek_has_the_listener_s_time_though_no_seek_can_say_it() -> None:
    two = Duel()
    alice, bob = two.come(Miniature({"time": "90"})), two.come(Miniature())
    two.ask(alice, "tell gateway name alice", "seek manual")
    told = two.ask(bob, "seek 5 0")
    assert told[-1] == "tell gateway alice seeks chess, 1:30, unrated, and confirms a challenge; play accepts"


def test_a_listener_s_clock_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="soon"):
        Miniature({"time": "soon"})
