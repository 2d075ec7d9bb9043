"""The dialect of pages: what events look like, who asks for legal moves, numbers of the record, what is too much."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.store import codec
from protocols.core import events as ev
from protocols.core.commands import Join, ListMoves, Login, PlayMove, Watch
from protocols.core.errors import RemoteProtocolError, Why, naming
from protocols.core.events import Event
from protocols.core.model import Clock, HouseRules, Move, Outcome, Reading, Reason, SeatKind, Settings, Tally
from protocols.core.notifications import (
    CalledAway,
    Choice,
    MovesListed,
    Notice,
    Noticed,
    Notification,
    Rejected,
    Seated,
)
from protocols.core.proposals import Start
from protocols.web.dialect import MOST_MISSED, Web
from tests.laws.conversations import values
from tests.web_client import masked
from tests.web_messages import was_told

CHESS = Settings("chess", "normal", 8, 8, 2)
SITTING = (
    ev.TableOpened(CHESS, HouseRules()),
    ev.SeatTaken(0, SeatKind.PLAYER, "anna"),
    ev.SeatTaken(1, SeatKind.PLAYER, "bert"),
)
SEATED = Seated(4, 0, SITTING, "", 3)
E4 = ev.MoveMade(0, Move(52, 36), 1, "e4", ((36, "white pawn"), (52, None)))


class Beside:
    """A writer of a move that knows what stands beside the board."""

    def __init__(self, hands: tuple[Mapping[str, int], ...], alarm: int | None) -> None:
        self._hands, self._alarm = hands, alarm

    def notation(self) -> str:
        return "N@f7#"

    def position(self) -> str:
        return ""

    def hands(self) -> tuple[Mapping[str, int], ...]:
        return self._hands

    def alarm(self) -> int | None:
        return self._alarm

    def tally(self) -> tuple[Tally, ...]:
        return (Tally({"black queen": 1}, "+9"), Tally())


def said(web: Web) -> list[dict[str, Any]]:
    """What the page is sent: messages, and close frames as {"close": code}."""
    lines = Web.wire_to_text(b"".join(iter(web.data_to_send, b"")), sent=True, options={})
    return [_shown(line) for line in lines]


def _shown(line: str) -> dict[str, Any]:
    if line.startswith("close "):
        return {"close": int(line.split()[1])}
    text = json.loads(line.removeprefix("text "))  # in quotes where a letter in it does not print
    message: dict[str, Any] = text if isinstance(text, dict) else json.loads(text)
    was_told(message)
    return message


def hears(web: Web, **message: Any) -> list[Any]:
    return list(web.receive_data(masked(json.dumps(message).encode())))


def greeted(**more: Any) -> Web:
    web = Web()
    hears(web, type="hello", v=1, **more)
    said(web)
    return web


def at_table(seated: Seated = SEATED) -> Web:
    web = greeted()
    web.send(seated)
    said(web)
    return web


def told(web: Web, *messages: Notification, seq: int | None = None) -> list[dict[str, Any]]:
    web.seq = seq
    for message in messages:
        web.send(message)
    return said(web)


@given(event=st.one_of([values(kind) for kind in get_args(Event)]))
def test_an_event_has_the_kind_and_the_body_of_the_record(event: Event) -> None:
    web = at_table()
    try:
        kind, body = codec.encode(event)
    except ValueError:
        return  # text that cannot be stored
    shown = told(web, event)[0]
    if isinstance(event, ev.TurnStarted):
        assert (shown["type"], shown["seat"]) == ("turn", event.seat)
    else:
        assert (shown["kind"], shown["body"]) == (kind, json.loads(body))


def test_an_event_is_framed_once_for_all_pages() -> None:
    first, second, other = at_table(), at_table(), at_table(Seated(4, 1, SITTING, "", 2))
    move = ev.MoveMade(0, Move(52, 36), 1, "e4", ((36, "white pawn"),))
    for web in (first, second, other):
        web.send(move)
    frames = [web.data_to_send() for web in (first, second, other)]
    assert frames[0] is frames[1]
    assert frames[2] != frames[0]  # its number is another one


def test_hands_and_check_stand_beside_a_move_where_there_are_some() -> None:
    web = at_table()
    move = ev.MoveMade.unwritten(0, Move(None, 13, "knight"), 1, ((13, "white knight"),))
    move.written_by(Beside(({"pawn": 2}, {}), 4))
    plain = ev.MoveMade.unwritten(1, Move(1, 18), 2, ())
    plain.written_by(Beside((), None))
    shown = told(web, move, plain)
    assert (shown[0]["notation"], shown[0]["hands"], shown[0]["alarm"]) == ("N@f7#", [{"pawn": 2}, {}], 4)
    assert shown[0]["tally"] == [{"taken": {"black queen": 1}, "text": "+9"}, {}]
    assert "hands" not in shown[1]
    assert "alarm" not in shown[1]


def test_a_start_position_and_a_takeback_have_them_too() -> None:
    web = at_table()
    begun = ev.GameStarted(CHESS, 1, ((4, "black king"),), "")
    back = ev.MovesTakenBack(1, 0, (), "")
    for event in (begun, back):
        event.read_by(Beside(({}, {"queen": 1}), 60))
    assert [(event["hands"], event["alarm"]) for event in told(web, begun, back)] == [([{}, {"queen": 1}], 60)] * 2


def test_legal_moves_are_asked_for_when_the_turn_of_the_page_begins() -> None:
    web = at_table()
    told(web, ev.TurnStarted(1))
    assert web.prompted() == []
    told(web, ev.TurnStarted(0))
    assert web.prompted() == [ListMoves()]


def test_a_program_that_knows_the_rules_is_told_the_legal_moves_when_it_asks() -> None:
    web = Web()
    hears(web, type="hello", v=1, moves=False)
    told(web, SEATED, ev.TurnStarted(0))
    assert web.prompted() == []
    assert hears(web, type="moves", id=7) == [ListMoves()]


def test_a_page_that_comes_back_at_its_turn_is_told_the_turn_and_the_moves() -> None:
    web = greeted()
    now = ev.ClockSet(Clock((Reading(60.0), Reading(55.5)), 1, 9.0))
    shown = told(web, Seated(4, 1, (*SITTING, now), "", 3))
    assert shown[-1] == {
        "type": "turn",
        "seat": 1,
        "ply": 0,
        "clock": {"left": [60.0, 55.5], "running": 1, "now": 9.0},
    }
    assert web.prompted() == [ListMoves()]


def test_the_number_of_a_request_for_moves_comes_back_once() -> None:
    web = at_table()
    assert hears(web, type="moves", id=7) == [ListMoves()]
    listed = MovesListed(2, (Choice(52, (36,)),))
    assert [message.get("id") for message in told(web, listed, listed)] == [7, None]


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        (Choice(52, (36, 44)), {"from": 52, "to": [36, 44]}),
        (Choice(8, (0,), ("queen", "knight")), {"from": 8, "to": [0], "as": ["queen", "knight"]}),
        (Choice(9, (None,)), {"from": 9, "to": [None]}),
        (Choice(None, (3, 4), ("o",)), {"piece": "o", "to": [3, 4]}),
        (Choice(None, (), ("o",), others=True), {"piece": "o", "to": "*"}),
        (Choice(None, (8,), ("o",), others=True), {"piece": "o", "to": "*", "but": [8]}),
    ],
)
def test_legal_moves_are_written_short(choice: Choice, shown: dict[str, Any]) -> None:
    web = at_table()
    (message,) = told(web, MovesListed(0, (choice,), True, Outcome(None, Reason.CLAIM, "fifty moves")))
    assert message == {"type": "moves", "ply": 0, "claim": "fifty moves", "legal": [shown], "pass": True}


def test_a_game_that_its_player_may_claim_is_told_with_its_winner() -> None:
    (message,) = told(at_table(), MovesListed(8, (), False, Outcome(0, Reason.CLAIM, "perpetual repetition")))
    claim = {"claim": "perpetual repetition", "claim_winner": 0}
    assert message == {"type": "moves", "ply": 8, **claim, "legal": [], "pass": False}


def test_who_has_turned_to_another_seat_is_asked_there() -> None:
    web = at_table()
    told(web, ev.SeatsTurned(1), ev.GameStarted(CHESS, 1, (), ""), ev.TurnStarted(0))
    assert web.prompted() == []
    told(web, ev.TurnStarted(1))
    assert web.prompted() == [ListMoves()]


def test_numbers_are_those_of_the_record_and_what_is_not_stored_has_none() -> None:
    web = at_table()
    words = ev.Said(None, "all", "the server stops soon")
    assert [shown.get("seq") for shown in told(web, words, seq=0)] == [None]
    shown = told(web, E4, ev.TurnStarted(1), ev.SeatLeft(1, SeatKind.OPEN), seq=6)
    assert [(event["type"], event.get("seq"), event.get("kind")) for event in shown] == [
        ("event", 4, "Hidden"),
        ("event", 5, "Hidden"),
        ("event", 6, "MoveMade"),
        ("turn", None, None),
        ("event", 7, "SeatLeft"),
    ]


def back(web: Web, seq: int, table: int = 4) -> list[dict[str, Any]]:
    """A page is seated at a table where ``seq`` events have happened; what it is told."""
    past: tuple[Event, ...] = (*SITTING, *(ev.Declined(0, "Draw") for _ in range(seq - 3)))
    return told(web, Seated(table, None, past, "", seq))


def test_a_page_that_missed_a_little_is_told_that_and_one_that_missed_much_everything() -> None:
    hello = {"table": 4, "after": 3}
    shown = back(greeted(**hello), 5)
    assert (shown[0]["seq"], shown[0]["events"]) == (3, [])
    assert [event["seq"] for event in shown[1:]] == [4, 5]
    assert len(back(greeted(**hello), 3 + MOST_MISSED)) == 1 + MOST_MISSED
    (whole,) = back(greeted(**hello), 4 + MOST_MISSED)
    assert len(whole["events"]) == whole["seq"] == 4 + MOST_MISSED


@pytest.mark.parametrize(
    ("hello", "table"), [({"table": 4, "after": 9}, 4), ({"table": 5, "after": 3}, 4), ({"table": 4}, 4)]
)
def test_a_page_whose_last_event_is_not_here_begins_anew(hello: dict[str, int], table: int) -> None:
    (whole,) = back(greeted(**hello), 5, table)
    assert [event["seq"] for event in whole["events"]] == [1, 2, 3, 4, 5]


def test_what_a_page_says_first_leads_it_to_its_table() -> None:
    assert hears(Web(), type="hello", v=1) == []
    assert hears(Web(), type="hello", v=1, table=4) == [Watch(4)]
    assert hears(Web(), type="hello", v=1, table=4, ticket="t") == [Join("", "", "t", ready=False, kept=True)]


def test_seeks_wait_for_the_first_message() -> None:
    web = Web()
    anna, bert = Notice("anna", "chess", Start(CHESS, 0)), Notice("bert", "go", Start())
    web.send(Noticed((anna, bert)))
    web.send(Noticed((), (anna,)))
    assert said(web) == []
    hears(web, type="hello", v=1)
    assert [[seek["name"] for seek in message["put"]] for message in said(web) if message["type"] == "seeks"] == [
        ["bert"]
    ]


def test_a_ping_is_answered_while_a_message_waits_for_its_answer() -> None:
    web = at_table()
    web.heard = 17.25
    assert hears(web, type="play", move={"source": 52, "target": 36}) == [PlayMove(Move(52, 36))]
    web.hold(masked(b'{"type":"resign"}') + masked(b'{"type":"ping","n":5}'))
    assert said(web) == [{"type": "pong", "n": 5, "now": 17.25}]
    assert web.held == 1


def test_a_move_is_spelt_as_in_the_record_or_as_an_array() -> None:
    for spelt in ({"source": None, "target": 4, "piece": "x"}, [None, 4, "x"]):
        assert hears(at_table(), type="play", move=spelt) == [PlayMove(Move(None, 4, "x"))]


def test_a_refusal_names_squares_as_the_game_does() -> None:
    (refused,) = told(at_table(), Rejected(Why.ILLEGAL, naming("square {} is occupied", "abc".__getitem__, 1)))
    assert refused["text"] == "square b is occupied"


def test_a_refusal_of_what_the_dialect_asks_itself_has_no_number() -> None:
    web = at_table()
    hears(web, type="propose", what="start", id=3)
    told(web, CalledAway())
    assert web.prompted()[0] == Join("", "")
    (refused,) = told(web, Rejected(Why.OVERLOAD))
    assert "id" not in refused


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"play","move":[52,36]}',
        '{"type":"play","move":[-1,36,""]}',
        '{"type":"play","move":{"source":52}}',
        '{"type":"play","move":[52,36,""],"ply":1e400}',
        '{"type":"play","ply":99999999999999999999999}',
        '{"type":"propose","what":"end"}',
        '{"type":"propose","what":"takeback","plies":0}',
        '{"type":"propose","what":"start","settings":{"game":"chess","time":{"kind":"absolute","main_s":-1}}}',
        '{"type":"join","options":{"size":[9]}}',
        '{"type":"join","name":"' + "a" * 65 + '"}',
        '{"type":"say","to":"all","text":"\\ud800"}',
        '{"type":"resign"}{"type":"resign"}',
        '{"type":"resign","type":"dance"}',
        '{"x":' + "[" * 4000 + ',"type":"resign"}',
        '{"type":' + "[" * 4000,
        "[" * 8000,
        '"resign"',
        "null",
        "",
    ],
)
def test_a_message_that_is_none_ends_the_conversation_with_words(text: str) -> None:
    web = at_table()
    with pytest.raises(RemoteProtocolError):
        web.receive_data(masked(text.encode()))
    goodbye, closed = said(web)
    assert (goodbye["type"], goodbye["why"], closed) == ("goodbye", "error", {"close": 1008})
    assert web.closing


def test_an_option_may_be_a_number_and_an_unknown_field_is_passed_over() -> None:
    web = Web()
    web.connected()
    web.receive_data(masked(b'{"type":"hello","v":1,"client":"of tomorrow"}'))
    (join,) = web.receive_data(masked(b'{"type":"join","game":"go","options":{"size":9,"komi":6.5},"colour":"red"}'))
    assert isinstance(join, Join)
    assert dict(join.wishes) == {"size": "9", "komi": "6.5"}
    assert not web.closing


def test_what_came_before_a_broken_message_is_served_before_the_goodbye() -> None:
    web = at_table()
    assert web.receive_data(masked(b'{"type":"play","text":"e4"}') + masked(b"{")) == [PlayMove(None, "e4")]
    assert said(web) == []
    with pytest.raises(RemoteProtocolError):
        web.resume()
    assert said(web)[0]["type"] == "goodbye"


def test_a_secret_is_known_when_it_comes_though_its_message_waits() -> None:
    web = greeted()
    web.hold(masked(b'{"type":"login","name":"anna","secret":"battery staple"}'))
    assert web.taken_secrets() == ["battery staple"]
    assert web.resume() == [Login("anna", "battery staple")]


@given(secret=st.text(min_size=4, max_size=20), mask=st.binary(min_size=4, max_size=4), ascii_only=st.booleans())
def test_a_secret_is_hidden_under_any_mask_however_it_is_escaped(secret: str, mask: bytes, ascii_only: bool) -> None:
    data = json.dumps({"type": "login", "secret": secret}, ensure_ascii=ascii_only).encode()
    hidden = Web.hide(masked(data, mask=mask), secret)
    (line,) = Web.wire_to_text(hidden, sent=False, options={})
    assert len(hidden) == len(masked(data))
    shown = line.partition("{")[2]
    assert shown.startswith('"type": "login", "secret": "*')
    assert set(shown.rpartition(": ")[2]) == {'"', "*", "}"}
