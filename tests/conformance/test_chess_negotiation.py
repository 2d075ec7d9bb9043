"""How a game of chess comes about between clients of all dialects: proposals and counters, colours, next games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.conformance.chess_bogaprot_player import USUAL
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import PLAYER, SpecClient
from tests.running import RunningServer

BOTS = count(1)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("negotiation"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def bogaprot(here: Room, wishes: str) -> SpecClient:
    """A Bogaprot client who waits for an opponent."""
    client = SpecClient(here.running.ports[BOGAPROT], USUAL)
    assert client.handshake(f"chess?name=Bo{next(BOTS)}{wishes}") == ("RSP_HANDSHAKE", 0)
    client.until("MSG_PLAYERS")
    return client


def test_a_second_go_that_does_not_match_is_a_counter_proposal_and_one_that_does_begins_the_game(here: Room) -> None:
    """ "When the second `go` finds other states it is a counter-proposal: the first player's own game start is void,
    and it is for him to match or to counter again."""
    anna, bert = here.p2p("Anna"), here.p2p("Bert")
    anna.go("level 0 300 0", "move e2e4")
    anna.until("text your game is proposed to whoever comes")
    bert.say("text hello")
    assert bert.until(f"text {anna.name} proposes").count("300 s, you play Black") == 1
    bert.hears("new", "level 0 300 0")
    bert.go("level 0 600 0")
    bert.until(f"text your game is proposed to {anna.name}")

    assert anna.until(f"text {bert.name} proposes").count("600 s, you play White") == 1
    anna.hears("new", "level 0 600 0", "go")
    anna.go("level 0 600 0", "move e2e4")
    anna.enter()
    anna.until("move e2e4")
    bert.hears("text the game with", "move e2e4", "go")
    bert.say("accepted", "move e2e4", "move e7e5")
    bert.until("move e7e5")
    assert anna.hears("time ", "move e7e5") == "move e7e5"


def test_two_who_want_the_same_colour_are_both_told_so_and_nothing_begins(here: Room) -> None:
    """ "Compatible = opposite colours, same variant, same start position, same forced moves, same level."""
    anna, bert = here.p2p("Anna"), here.p2p("Bert")
    anna.go("level 0 300 0", "move e2e4")
    anna.until("text your game is proposed")
    bert.go("level 0 300 0", "move d2d4")
    bert.until(f"text your game is proposed to {anna.name}")

    assert "you play Black" in anna.until(f"text {bert.name} proposes")
    told = [*anna.told(), *bert.told()]
    assert [line for line in told if line in ("go", "accepted") or "begins" in line] == []

    bert.go("level 0 300 0")
    for guest in (anna, bert):
        guest.until("text the game with")


def test_a_seek_and_a_go_with_another_time_are_two_proposals_and_play_takes_the_other_s(here: Room) -> None:
    """ "P2 ignores seek: P2 can now send a seek; P1 accepts seek: send "play"."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia")
    mia.seek("5 0 u w")
    pia.say("text hello")
    pia.hears(f"text {mia.name} proposes a game, 300 s, you play Black", "level 0 300 0")
    pia.go("level 0 120 2")
    assert mia.until("seek ") == "seek 2 2 u b"
    assert not any("game 1" in line for line in mia.told())

    mia.say("play")
    assert "2:00 and 2 s a move, unrated; you are White" in mia.until("tell gateway game 1:")
    pia.hears("text the game with", "level 0 120 2")
    mia.say("move e2-e4")
    pia.hears("move e2e4", "go")


def test_who_is_proposed_a_game_may_answer_with_the_same_seek(here: Room) -> None:
    """ "A seek is accepted by sending the same seek back (with the exception of color choosing, where "any" always
    matches)."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia")
    pia.go("level 0 300 0")
    pia.until("text your game is proposed")
    mia.say("seek 5 0 u any")
    assert mia.until("seek ") == "seek 5 0 u b"
    assert "you are White" in mia.until("tell gateway game 1:")
    pia.until("text the game with")


def test_a_manual_seek_begins_nothing_before_its_seeker_has_confirmed_the_challenge(here: Room) -> None:
    """ "`manual`: the seeker confirms the challenge by `play`"."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia")
    mia.seek("5 0 u w manual")
    pia.go("level 0 300 0")
    pia.until(f"text your game is proposed to {mia.name}")
    assert mia.until("play") == "play"
    mia.until(f"tell gateway {pia.name} takes your seek")
    assert not any("begins" in line for line in pia.told())

    mia.say("play")
    mia.until("tell gateway game 1:")
    pia.until("text the game with")


def test_a_challenge_to_a_manual_seek_can_be_declined(here: Room) -> None:
    """ "P2 using manual as seek parameter declines the offer to play from P1 -> 1"."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia")
    mia.seek("5 0 u w manual")
    pia.go("level 0 300 0")
    mia.until("play")
    mia.say("tell gateway decline")
    assert pia.until(f"text {mia.name} declines").startswith(
        f"text {mia.name} declines to play this game: start another"
    )
    pia.until(f"text {mia.name} proposes a game, 300 s")  # for the seek stands
    mia.say("seek 10 0 u w")
    assert "600 s, you play Black" in pia.until(f"text {mia.name} proposes")


@pytest.mark.parametrize("seek", ["seek 5 0 u b", "seek 5 0 u a", "play"])
def test_a_miniature_client_that_proposes_what_a_bogaprot_client_wished_for_plays_it(here: Room, seek: str) -> None:
    """A Bogaprot client holds a standing proposal: what it wished for, any side."""
    bo, mia = bogaprot(here, "&time=300"), here.miniature("Mia")
    mia.say(seek)
    assert "5:00, unrated; you are Black" in mia.until("tell gateway game 1:")
    bo.until("MSG_START")
    assert (bo.seat, bo.players[0][0], bo.players[1]) == (0, PLAYER, (PLAYER, mia.name))


def test_a_miniature_client_that_wants_white_exchanges_the_seats_with_a_bogaprot_client_that_waits(here: Room) -> None:
    """ "It is accepted by `play` **or** by the same seek back, `any` matching every colour, with the colours
    complementary."""
    bo, mia = bogaprot(here, "&time=300"), here.miniature("Mia")
    mia.say("seek 5 0 u w")
    assert "you are White" in mia.until("tell gateway game 1:")
    bo.until("MSG_START")
    assert bo.seat == 1
    assert bo.players[0] == (PLAYER, mia.name)


def test_an_adapter_with_another_time_than_a_bogaprot_client_wished_for_is_told_which_and_can_match_it(
    here: Room,
) -> None:
    """ "This can only be checked on the second 'go'": the first is what the Bogaprot client wished for."""
    bo, pia = bogaprot(here, "&time=600"), here.p2p("Pia")
    pia.go("level 0 300 0")
    pia.until("text Bo")  # who has just come hears who waits
    assert "600 s, you play either colour" in pia.until("text Bo")
    pia.until("text your game is proposed to Bo")
    assert "text the game with" not in " ".join(pia.told())

    pia.go("level 0 600 0")
    pia.until("text the game with Bo")
    bo.until("MSG_START")
    assert bo.seat == 0


def test_a_player_can_be_challenged_by_name_wherever_he_waits(here: Room) -> None:
    """ "`tell gateway ...` talks to the gateway (help, who, seat TICKET, name NAME, match NICK, observe N)"."""
    first, second, mia = here.p2p("First"), here.p2p("Second"), here.miniature("Mia")
    first.go("level 0 300 0")
    first.until("text your game is proposed to whoever comes")
    third = here.p2p("Third")
    third.say("text hello")  # sits down with the first, who waits longest
    third.until("go")
    second.go("level 0 180 0")
    second.until("text your game is proposed to whoever comes")

    mia.say(f"tell gateway match {second.name.upper()}")
    assert mia.hears("tell gateway table ", "seek ") == "seek 3 0 u b"
    mia.say("play")
    assert f"{mia.name} (White) - {second.name} (Black): chess, 3:00" in mia.until("tell gateway game 1:")


def test_a_challenge_to_somebody_who_does_not_wait_is_an_error_and_another_can_follow(here: Room) -> None:
    mia = here.miniature("Mia")
    mia.say("tell gateway match Nobody")
    assert mia.until("error ") == "error not-now nobody called 'Nobody' waits for chess"
    mia.seek("5 0")


def test_the_next_game_at_the_same_table_may_have_other_colours_and_settings(here: Room) -> None:
    """ "GUIs send `new` and `level` before the peer is there" - and after a game, for the next one."""
    pia, mia = here.mixed()
    mia.say("resign")
    assert pia.until("result ").startswith("result 1-0 ")
    pia.go("level 0 60 1")
    assert mia.hears("result 1-0", "seek ") == "seek 1 1 u b"
    mia.say("seek 1 1 u w")
    assert f"{mia.name} (White) - {pia.name} (Black): chess, 1:00 and 1 s a move" in mia.until("tell gateway game 2:")
    mia.say("d4")
    pia.hears("text the game with", "time ", "move d2d4", "go")
    pia.say("accepted", "move d2d4", "move d7d5")
    assert mia.until("move d7").startswith("move d7-d5; fen ")


def test_a_rematch_is_the_same_game_with_colours_exchanged_and_words_agree_to_it(here: Room) -> None:
    """ "Negotiation, takeback, draw, adjourn, resume, rematch, start all through the one agreement rule; what one
    dialect cannot say is put in words (`text`, `tell`) and answered in words."""
    pia, mia = here.mixed()
    mia.say("resign")
    pia.until("result ")
    mia.say("tell gateway rematch")
    assert "text accept" in pia.until(f"text {mia.name} wants another game")
    pia.say("text accept")
    assert f"{mia.name} (White) - {pia.name} (Black): chess, 5:00" in mia.until("tell gateway game 2:")
    assert "you play Black" in pia.until("text the game with")
    pia.until("new")
    mia.say("e4")
    pia.hears("move e2e4", "go")
    pia.say("accepted", "move e2e4", "move e7e5")
    assert mia.until("move e7").startswith("move e7-e5; fen ")


def test_a_variant_without_rules_here_is_played_at_an_open_table_even_by_who_sat_down_for_chess(here: Room) -> None:
    """ "Other XBoard variants: a table without rules (`open`), where both peers' echoes must agree"."""
    pia, quin = here.p2p("Pia"), here.p2p("Quin")
    for guest in (pia, quin):
        guest.say("text hello")
        guest.hears("text ")
    pia.go("variant xiangqi", "level 0 300 0")
    pia.until("text your game is proposed to whoever comes")
    quin.go("variant xiangqi", "level 0 300 0", "move h2e2")
    quin.enter()
    quin.until("move h2e2")
    pia.hears("text the game with", "variant xiangqi", "move h2e2", "go")
    pia.say("accepted", "move h2e2", "move h9g7")
    quin.echo("h9g7")
    quin.say("move b2b4")
    pia.until("move b2b4")
    pia.say("move b2b5")
    for guest in (pia, quin):
        assert "move 3 is not accepted" in guest.until("result ")
