"""The audit proves a record, and names each kind of falsification."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as altered

from gateway.record.audit import verify
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.table import dice
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.model import Move, Outcome, Reason
from protocols.core.proposals import Adjourn, Draw, Rematch, Resume, Takeback
from tests.store.games import TABLE, Played, forged, old_rows, rows, seq_of
from tests.store.steps import AT

WIN = ("a3", "a2", "b3", "b2", "c3")
"""Seat 0 fills the top row."""


@pytest.fixture(scope="module")
def won() -> list[ev.Event]:
    """A game of tic-tac-toe that seat 0 wins in five moves."""
    table = Played("tic_tac_toe")
    table.play(*WIN)
    return table.events


@pytest.fixture(scope="module")
def diced() -> list[ev.Event]:
    """A game of Ludo that is resigned after some forty turns."""
    table = Played("ludo", seats=2)
    table.play_on(40)
    table.does(0, cmd.Resign())
    return table.events


def reason(found: list[EventRow]) -> tuple[int, str]:
    defect = verify(TABLE, found).defect
    assert defect is not None
    return defect.seq, defect.reason


def test_a_whole_game_is_sound(won: list[ev.Event]) -> None:
    found = rows(won)
    report = verify(TABLE, found)
    assert report.defect is None
    assert (report.events, report.games, report.moves, report.rolls) == (len(won), 1, 5, 0)
    assert report.digest == found[-1].digest


def test_a_record_of_format_1_is_sound_and_so_is_one_that_goes_on_in_format_2(won: list[ev.Event]) -> None:
    """ "Format 1 is read as before; a table may have moves of both." """
    old = old_rows(won)
    assert verify(TABLE, old).defect is None
    half = seq_of(won, ev.MoveMade, 3)
    later = codec.rows(old[half - 1].digest, TABLE, half, AT, won[half:])
    report = verify(TABLE, [*old[:half], *later])
    assert (report.defect, report.events, report.moves) == (None, len(won), 5)


REPEATED = {
    "hnefatafl": ("", ("h11-h10", "f8-f9", "h10-h11", "f9-f8"), Outcome(0, Reason.RULES, "perpetual repetition")),
    "checkers": (
        ".B....../......../......../......../......../......../......../......W. 0",
        ("1-5", "32-27", "5-1", "27-32"),
        Outcome(None, Reason.RULES, "third repetition"),
    ),
}
"""Ends that came by themselves at the third occurrence of a position, before they had to be claimed."""


@pytest.mark.parametrize("game", REPEATED)
def test_a_record_that_ends_by_itself_where_players_claim_now_is_sound(game: str) -> None:
    start, shuffle, outcome = REPEATED[game]
    table = Played(game, start=start)
    table.play(*shuffle, *shuffle)
    assert verify(TABLE, rows([*table.events, ev.GameEnded(outcome)])).defect is None
    early = rows([*table.events[: seq_of(table.events, ev.MoveMade, 8) - 1], ev.GameEnded(outcome)])
    assert reason(early)[1].startswith("outcome ")


WALL = "8/8/4k3/1p1p1p1p/1P1P1P2/4K2P/8/8 w - - 0 1"
"""White's last pawn closes it."""


def test_a_game_that_ends_in_a_dead_position_is_sound_and_so_is_an_older_one_that_went_on() -> None:
    table = Played("chess", start=WALL)
    table.play("h4")
    assert table.events[-1] == ev.GameEnded(Outcome(None, Reason.RULES, "dead position"))
    assert verify(TABLE, rows(table.events)).defect is None
    king = ev.MoveMade.unwritten(1, Move(20, 11), 2, ((11, "black king"), (20, None)))
    went_on = [*table.events[:-1], king, ev.GameEnded(Outcome(0, Reason.RESIGNATION))]
    report = verify(TABLE, rows(went_on))
    assert (report.defect, report.moves) == (None, 2)
    early = rows([*table.events[: seq_of(table.events, ev.MoveMade) - 1], table.events[-1]])
    assert reason(early)[1].startswith("outcome ")


def test_an_empty_record_is_sound_and_shows_nothing() -> None:
    report = verify(TABLE, [])
    assert (report.defect, report.events, report.digest) == (None, 0, bytes(32))


def test_takebacks_interruptions_and_rematches_are_followed() -> None:
    table = Played("tic_tac_toe")
    table.play("a3", "a2", "b3")
    table.agree(Takeback(2))
    table.agree(Adjourn())
    table.agree(Resume())
    table.play("b2", "b3", "a2", "c3")
    table.agree(Rematch())
    table.play("b2")
    report = verify(TABLE, rows(table.events))
    assert (report.defect, report.games, report.moves) == (None, 2, 8)


def test_a_draw_of_seats_is_proved_when_the_secret_is_revealed() -> None:
    """Four draw to move three on. A record of before has no draw: they kept their seats."""
    table = Played("ludo", seats=4)
    table.agree(Draw())
    table.agree(Rematch())
    table.agree(Draw())
    drawn = seq_of(table.events, ev.SeatsTurned)
    assert table.events[drawn - 1] == ev.SeatsTurned(3)
    assert verify(TABLE, rows(table.events)).defect is None
    assert reason(forged(table.events, drawn, by=2)) == (drawn, "the seats turned by 2; the secret gives 3")
    assert reason(forged(table.events, drawn, by=4)) == (drawn, "turns 4 seats by 4")
    kept: list[ev.Event] = [event for event in table.events if not isinstance(event, ev.SeatsTurned)]
    assert verify(TABLE, rows(kept)).defect is None


def test_a_changed_body_is_found_where_it_is(won: list[ev.Event]) -> None:
    found = rows(won)
    found[5] = altered(found[5], body=found[5].body.replace("2", "3", 1))
    seq, text = reason(found)
    assert seq == 6
    assert text.startswith("digest ")


@pytest.mark.parametrize("change", [{"at": AT + 0.000001}, {"kind": "Said"}, {"digest": bytes(32)}])
def test_every_column_is_in_the_chain(won: list[ev.Event], change: dict[str, object]) -> None:
    found = rows(won)
    found[3] = altered(found[3], **change)
    assert reason(found)[0] == 4


def test_the_record_of_another_table_is_found_out(won: list[ev.Event]) -> None:
    defect = verify(TABLE + 1, rows(won)).defect
    assert defect is not None
    assert defect.seq == 1


def test_a_missing_event_is_found_out(won: list[ev.Event]) -> None:
    found = rows(won)
    del found[6]
    assert reason(found) == (7, "event 8 where 7 is due")


def test_a_missing_event_is_found_out_when_the_rest_is_renumbered(won: list[ev.Event]) -> None:
    found = rows(won)
    moved = [altered(row, seq=row.seq - 1) for row in found[7:]]
    seq, text = reason(found[:6] + moved)
    assert seq == 7
    assert text.startswith("digest ")


FORGERIES = [
    (ev.MoveMade, 2, {"move": Move(None, 0, "o")}, "square a3 is occupied"),
    (ev.MoveMade, 2, {"seat": 0}, "a move of seat 0; to move is 1"),
    (ev.MoveMade, 2, {"ply": 3}, "ply 3 where 2 is due"),
    (ev.MoveMade, 2, {"notation": "c1"}, "notation 'c1'; it must be 'a2'"),
    (ev.MoveMade, 2, {"position": "xo./.../... 0"}, "it must be 'x../o../... 0'"),
    (ev.MoveMade, 2, {"changes": ((4, "o"),)}, "it must be ((3, 'o'),)"),
    (ev.GameStarted, 1, {"number": 2}, "game 2 where 1 is due"),
    (ev.GameStarted, 1, {"board": ((0, "x"),)}, "board"),
    (ev.TurnStarted, 2, {"seat": 0}, "seat 0 is to move; the rules say 1"),
    (ev.GameEnded, 1, {"outcome": Outcome(1, Reason.RULES, "three in a row")}, "outcome"),
    (ev.SeatTaken, 1, {"seat": 17}, "there is no seat 17"),
]


@pytest.mark.parametrize(("kind", "number", "changed", "text"), FORGERIES)
def test_what_the_rules_do_not_allow_is_found_though_the_chain_is_whole(
    won: list[ev.Event], kind: type, number: int, changed: dict[str, object], text: str
) -> None:
    seq = seq_of(won, kind, number)
    found, told = reason(forged(won, seq, **changed))
    assert text in told
    assert found == seq


def test_a_takeback_of_more_than_was_played_is_found_out() -> None:
    table = Played("tic_tac_toe")
    table.play("a3", "a2", "b3")
    table.agree(Takeback(2))
    seq = seq_of(table.events, ev.MovesTakenBack)
    assert reason(forged(table.events, seq, plies=4)) == (seq, "takes 4 of 3 moves back")
    assert reason(forged(table.events, seq, ply=2)) == (seq, "ply 2 after 2 of 3 are gone")


def test_a_table_of_four_goes_on_without_a_seat_that_gave_up() -> None:
    table = Played("ludo", seats=4)
    table.play_on(20)
    table.does(2, cmd.Resign())
    table.play_on(20)
    assert verify(TABLE, rows(table.events)).defect is None
    seq = seq_of(table.events, ev.SeatWithdrawn)
    assert reason(forged(table.events, seq, seat=9)) == (seq, "there is no seat 9")


def test_a_move_after_the_end_is_found_out(won: list[ev.Event]) -> None:
    again = won[seq_of(won, ev.MoveMade) - 1]
    assert reason(rows([*won, again])) == (len(won) + 1, "the table is over, not playing")


def test_the_first_event_opens_the_table_and_no_other_does(won: list[ev.Event]) -> None:
    assert reason(rows(won[1:])) == (1, "the first event is SeatTaken, not TableOpened")
    assert reason(rows([*won, won[0]])) == (len(won) + 1, "a second TableOpened")


def test_nothing_follows_the_close(won: list[ev.Event]) -> None:
    closed = [*won, ev.TableClosed()]
    assert verify(TABLE, rows(closed)).defect is None
    assert reason(rows([*closed, ev.TableClosed()])) == (len(won) + 2, "follows TableClosed")


def test_the_dice_of_a_finished_game_are_proved(diced: list[ev.Event]) -> None:
    report = verify(TABLE, rows(diced))
    assert report.defect is None
    assert report.rolls > 40
    assert (report.proved, report.unproved) == (report.rolls, 0)


def test_the_dice_of_a_running_game_are_not_yet_provable(diced: list[ev.Event]) -> None:
    report = verify(TABLE, rows(diced[:-1]))
    assert report.defect is None
    assert report.rolls > 40
    assert (report.proved, report.unproved) == (0, report.rolls)


def test_a_roll_that_its_secret_does_not_give_is_found_where_it_was_made(diced: list[ev.Event]) -> None:
    """The last roll, of a seat that could not use it: the rest of the game is as it was."""
    seq = seq_of(diced, ev.DiceRolled, verify(TABLE, rows(diced)).rolls)
    rolled = diced[seq - 1]
    assert isinstance(rolled, ev.DiceRolled)
    lie = rolled.value % 6 + 1
    copy = [*diced[: seq - 1], replace(rolled, value=lie), diced[-1]]
    assert reason(rows(copy)) == (seq, f"roll {rolled.number} shows {lie}; the secret gives {rolled.value}")


def test_another_secret_than_the_one_committed_to_is_found_out(diced: list[ev.Event]) -> None:
    other = dice.game_secret(bytes(32), 1).hex()
    seq, text = reason(forged(diced, len(diced), secret=other))
    assert seq == len(diced)
    assert text.startswith("SHA-256 of the secret")


@pytest.mark.parametrize("secret", ["", "not hexadecimal"])
def test_a_secret_that_is_kept_back_is_found_out(diced: list[ev.Event], secret: str) -> None:
    assert reason(forged(diced, len(diced), secret=secret))[0] == len(diced)


def test_a_game_of_dice_without_a_commitment_is_found_out(diced: list[ev.Event]) -> None:
    seq = seq_of(diced, ev.GameStarted)
    assert reason(forged(diced, seq, commitment="")) == (seq, "no commitment: ''")


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"value": 7}, "a die of 6 sides shows 7"),
        ({"number": 3}, "roll 3 where 2 is due"),
        ({"seat": 5}, "a roll for seat 5"),
    ],
)
def test_a_roll_out_of_place_is_found_out(diced: list[ev.Event], changed: dict[str, object], text: str) -> None:
    seq = seq_of(diced, ev.DiceRolled, 2)
    found, told = reason(forged(diced, seq, **changed))
    assert found == seq
    assert text in told


def test_of_a_game_that_is_not_installed_the_chain_is_proved_and_nothing_else(won: list[ev.Event]) -> None:
    first = won[0]
    assert isinstance(first, ev.TableOpened)
    foreign = forged(won, 1, settings=replace(first.settings, game="quidditch"))
    report = verify(TABLE, foreign)
    assert (report.defect, report.unknown, report.events) == (None, "quidditch", len(foreign))
    assert (report.games, report.moves) == (1, sum(isinstance(event, ev.MoveMade) for event in won))
    changed = verify(TABLE, [*foreign[:3], altered(foreign[3], body=foreign[3].body.replace("0", "1")), *foreign[4:]])
    assert changed.defect is not None
    assert changed.defect.seq == 4


@given(st.data())
def test_a_record_changed_anywhere_is_never_sound_and_never_raises(won: list[ev.Event], data: st.DataObject) -> None:
    found = rows(won)
    at = data.draw(st.integers(0, len(found) - 1))
    column = data.draw(st.sampled_from(["seq", "at", "kind", "body", "digest"]))
    values = {
        "seq": st.integers(-5, 2**70),
        "at": st.floats(),
        "kind": st.text(max_size=12) | st.sampled_from(["Said", "MoveMade", "GameEnded"]),
        "body": st.text(max_size=40),
        "digest": st.binary(max_size=40),
    }
    before = getattr(found[at], column)
    changed = data.draw(values[column].filter(lambda value: value != before))
    found[at] = altered(found[at], **{column: changed})
    defect = verify(TABLE, found).defect
    if defect is None:
        assert column == "at"
        assert abs(changed - before) < 1e-6
    else:
        assert defect.seq == at + 1


@given(st.data())
def test_a_forger_who_makes_the_chain_anew_gets_an_answer_too(won: list[ev.Event], data: st.DataObject) -> None:
    """Events of the game in any order: each is legal where it stands, or it is the defect."""
    order = data.draw(st.lists(st.sampled_from(won[1:]), max_size=12))
    report = verify(TABLE, rows([won[0], *order]))
    assert 1 <= report.events <= len(order) + 1
    assert (report.defect is None) == (report.events == len(order) + 1)
