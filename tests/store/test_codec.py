"""Events to rows and back, and the chain as its documentation lays it out."""

from __future__ import annotations

import hashlib
import math
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.store import codec
from protocols.core import events as ev
from protocols.core import model
from protocols.core import proposals as pr

WHOLE = st.integers(-(2**53), 2**53)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value that a field of this type may have."""
    simple: dict[Any, st.SearchStrategy[Any]] = {
        int: WHOLE,
        float: FINITE,
        str: st.text(max_size=8),
        bool: st.booleans(),
        type(None): st.none(),
    }
    if hint in simple:
        return simple[hint]
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if hint is ev.Declined:
        return st.builds(hint, WHOLE, st.sampled_from([one.__name__ for one in get_args(pr.Proposal)]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, msgspec.Struct)):
        return st.builds(hint, **{name: values(found) for name, found in get_type_hints(hint).items()})
    inner = get_args(hint)
    if get_origin(hint) is not tuple:
        return st.one_of([values(one) for one in inner])
    if inner[-1] is Ellipsis:
        return st.lists(values(inner[0]), max_size=4).map(tuple)
    return st.tuples(*(values(one) for one in inner))


EVENTS = values(ev.Event)


@given(EVENTS)
def test_every_event_comes_back_as_it_was(event: ev.Event) -> None:
    kind, body = codec.encode(event)
    assert codec.decode(kind, body) == event
    assert codec.encode(codec.decode(kind, body)) == (kind, body)


def test_a_table_that_came_of_no_offer_is_written_and_read_as_in_older_records() -> None:
    settings = model.Settings("chess", "normal", 8, 8, 2)
    kind, body = codec.encode(ev.TableOpened(settings, model.HouseRules()))
    assert "offered" not in body
    assert codec.decode(kind, body) == ev.TableOpened(settings, model.HouseRules())
    assert codec.decode(*codec.encode(ev.TableOpened(settings, model.HouseRules(offered=True)))).house.offered is True  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "proposal", [pr.Draw(), pr.Takeback(2), pr.Adjourn(), pr.Abort(), pr.Resume(), pr.Rematch(), pr.Score((1,))]
)
def test_a_proposal_keeps_its_class(proposal: pr.Proposal) -> None:
    for event in (ev.Proposed(1, proposal), ev.Agreed(proposal)):
        decoded = codec.decode(*codec.encode(event))
        assert decoded == event
        assert type(getattr(decoded, "proposal")) is type(proposal)  # noqa: B009


def test_enumerations_come_back_as_their_members() -> None:
    taken = codec.decode(*codec.encode(ev.SeatTaken(0, model.SeatKind.PLAYER, "ann")))
    ended = codec.decode(*codec.encode(ev.GameEnded(model.Outcome(0, model.Reason.TIME))))
    assert isinstance(taken, ev.SeatTaken)
    assert isinstance(ended, ev.GameEnded)
    assert taken.kind is model.SeatKind.PLAYER
    assert ended.outcome.reason is model.Reason.TIME


def test_a_body_is_plain_json_with_the_fields_by_name() -> None:
    move = ev.MoveMade(1, model.Move(8, 17), 2, "b4", ((8, None), (17, "x")), "...")
    assert codec.encode(move) == (
        "MoveMade",
        '{"seat":1,"move":{"source":8,"target":17,"piece":""},"ply":2,"changes":[[8,null],[17,"x"]]}',
    )
    assert codec.encode(ev.Proposed(0, pr.Takeback(3))) == (
        "Proposed",
        '{"seat":0,"proposal":["Takeback",{"plies":3}]}',
    )


def test_a_move_of_format_1_is_read_with_its_texts() -> None:
    """ "Format 1 has both texts, format 2 neither." """
    body = (
        '{"seat":1,"move":{"source":8,"target":17,"piece":""},"ply":2,"notation":"b4",'
        '"changes":[[8,null],[17,"x"]],"position":"..."}'
    )
    move = codec.decode("MoveMade", body)
    assert move == ev.MoveMade(1, model.Move(8, 17), 2, "b4", ((8, None), (17, "x")), "...")
    assert isinstance(move, ev.MoveMade)
    assert (move.written, move.notation, move.position) == (True, "b4", "...")


BAD = [
    ("MoveMade", '{"seat":0,"move":{"source":1,"target":2},"ply":1,"notation":"b4","changes":[]}', "stand together"),
    ("MoveMade", '{"seat":0,"move":{"source":1,"target":2},"ply":1}', "missing required field `changes`"),
    ("Nonsense", "{}", "Nonsense: there is no 'Nonsense'"),
    ("Said", "", "Said: "),
    ("Said", "{", "Said: "),
    ("Said", '{"seat":0,"to":"all"}', "missing required field `text`"),
    ("Said", '{"seat":"0","to":"all","text":"x"}', "Expected `int | null`, got `str`"),
    ("Said", '{"seat":0,"to":"all","text":"x"} x', "Said: "),
    ("DiceRolled", '{"seat":0,"number":1,"value":1.5}', "Expected `int`, got `float`"),
    ("SeatTaken", '{"seat":0,"kind":77,"name":""}', "Invalid enum value 77"),
    (
        "MoveMade",
        '{"seat":0,"move":{"source":1,"target":2},"ply":1,"notation":"","changes":[[1]],"position":""}',
        "length 2",
    ),
    ("Proposed", '{"seat":0,"proposal":["Bribe",{}]}', "there is no 'Bribe'"),
    ("Proposed", '{"seat":0,"proposal":["Takeback",{"plies":"all"}]}', "Expected `int`, got `str`"),
    ("Agreed", '{"proposal":["Draw",{}],"seat":1}', "unknown field `seat`"),
]


def test_a_claim_has_the_words_that_old_records_have() -> None:
    """The first game that was scored by agreement was Go, and its records say dead."""
    body = '{"seat":1,"proposal":["Score",{"dead":[3,4],"program":true}]}'
    assert codec.encode(ev.Proposed(1, pr.Score((3, 4), program=True))) == ("Proposed", body)
    assert codec.decode("Proposed", body) == ev.Proposed(1, pr.Score((3, 4), program=True))


@pytest.mark.parametrize(("kind", "body", "reason"), BAD)
def test_a_bad_body_is_a_value_error_that_names_the_kind(kind: str, body: str, reason: str) -> None:
    with pytest.raises(ValueError, match=rf"^{kind}: ") as raised:
        codec.decode(kind, body)
    assert reason in str(raised.value)


def test_an_error_shows_the_beginning_of_a_long_body_only() -> None:
    with pytest.raises(ValueError, match=r"^Said: ") as raised:
        codec.decode("Said", "x" * 100_000)
    assert 200 <= len(str(raised.value)) < 400


@given(st.text(max_size=8), st.text(max_size=8))
def test_whatever_is_decoded_is_an_event_or_a_value_error(kind: str, body: str) -> None:
    for name in (kind, "MoveMade", "Proposed"):
        with pytest.raises(ValueError, match=r".+"):
            codec.decode(name, body)


def test_a_number_that_json_cannot_hold_is_refused_where_a_table_would_be_lost_by_it() -> None:
    settings = model.Settings("chess", "normal", 8, 8, 2)
    with pytest.raises(ValueError, match="TableOpened"):
        codec.encode(ev.TableOpened(settings, model.HouseRules(grace_s=math.inf)))
    with pytest.raises(ValueError, match="without loss"):
        codec.encode(ev.TableOpened(settings, model.HouseRules(bot_after_s=math.inf)))


def test_the_digest_is_that_of_the_documented_bytes() -> None:
    previous = bytes(range(32))
    content = (
        previous
        + bytes.fromhex("0000000000000007")
        + bytes.fromhex("0000000000000102")
        + bytes.fromhex("0000000000989680")  # ten million microseconds
        + b"Said\x00"
        + b'{"text":"\xc3\xa9"}'
    )
    assert codec.link(previous, 7, 258, 10.0, "Said", '{"text":"é"}') == hashlib.sha256(content).digest()


def test_nothing_can_move_from_one_field_of_the_digest_to_another() -> None:
    digests = {
        codec.link(codec.GENESIS, 1, 2, 3.0, "Said", "{}"),
        codec.link(codec.GENESIS, 2, 1, 3.0, "Said", "{}"),
        codec.link(codec.GENESIS, 1, 2, 3.000001, "Said", "{}"),
        codec.link(codec.GENESIS, 1, 2, 3.0, "Sai", "d{}"),
        codec.link(codec.GENESIS, 1, 2, 3.0, "Said{", "}"),
        codec.link(bytes(31) + b"\x01", 1, 2, 3.0, "Said", "{}"),
    }
    assert len(digests) == 6


def test_rows_are_numbered_on_and_chained() -> None:
    first, second = codec.rows(codec.GENESIS, 5, 8, 1.5, [ev.TableClosed(), ev.GameResumed()])
    assert (first.seq, first.at, first.kind, first.body) == (9, 1.5, "TableClosed", "{}")
    assert first.digest == codec.link(codec.GENESIS, 5, 9, 1.5, "TableClosed", "{}")
    assert (second.seq, second.digest) == (10, codec.link(first.digest, 5, 10, 1.5, "GameResumed", "{}"))


def test_the_kinds_are_the_classes_of_the_vocabulary() -> None:
    declared = {
        name
        for name, cls in vars(ev).items()
        if isinstance(cls, type) and cls.__module__ == ev.__name__
        if is_dataclass(cls) or issubclass(cls, msgspec.Struct)
    }
    assert declared == codec.KINDS


def test_no_float_of_an_event_is_stored_unproved_but_moments_and_clocks() -> None:
    """Settings and house rules come from configuration and may be infinite; clocks are made from proved settings."""

    def floats(cls: Any) -> bool:
        hints = " ".join(map(str, get_type_hints(cls).values()))
        return any(word in hints for word in ("float", "Settings", "HouseRules", "Proposal"))

    unproved = {cls.__name__ for cls in get_args(ev.Event) if floats(cls) and cls not in codec.PROVED}
    assert unproved <= {"SeatTaken"}
