"""Which offers come to a game, and who may take one; what the list of those that stand tells others."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gateway import registry
from gateway.lobby.offers import MOST_OF_ONE, Offer, Offers, fits, in_line, seats_of, takeable
from protocols.core.errors import Refused, Why

CHESS = registry.game("chess").settings()
RATED = replace(CHESS, rated=True)
ANNA = Offer(12, "Anna", True, CHESS, 0.0, 60.0)
NAMES = ["Anna", "Bert", "Carl"]

offers = st.lists(
    st.builds(
        Offer,
        number=st.just(0),
        by=st.sampled_from(NAMES),
        account=st.booleans(),
        settings=st.sampled_from([CHESS, RATED, registry.game("reversi").settings()]),
        made=st.just(0.0),
        until=st.just(60.0),
        to=st.sampled_from(["", *NAMES]),
        side=st.sampled_from([None, 0, 1]),
        blocks=st.frozensets(st.sampled_from([name.casefold() for name in NAMES]), max_size=1),
        rating=st.sampled_from([1450, 1550, 1650]),
        lowest=st.sampled_from([0, 0, 1500]),
        highest=st.sampled_from([0, 0, 1600]),
    ),
    max_size=8,
).map(lambda found: [structs.replace(offer, number=number) for number, offer in enumerate(found, 1)])


@given(offers)
def test_when_each_offer_has_been_looked_at_no_two_that_stand_come_to_a_game(found: list[Offer]) -> None:
    """The younger takes the older, as each node does with its own: whatever the order in which they are looked at."""
    standing = Offers()
    for offer in found:
        standing.post(offer)
    games = []
    for offer in reversed(found):
        if standing.get(offer.number) is not None and (other := standing.matching(offer)) is not None:
            games.append((other, offer))
            standing.remove(other.number)
            standing.remove(offer.number)
    assert not any(fits(one, other) for one, other in combinations(standing, 2))
    for one, other in games:
        assert one.by != other.by
        assert one.by.casefold() not in other.blocks
        assert other.by.casefold() not in one.blocks
        assert one.settings == other.settings
        assert {one.to, other.to} <= {"", one.by, other.by}
        assert not one.settings.rated or (one.account and other.account)
        assert one.ratings.has(other.rating)
        assert other.ratings.has(one.rating)
        seats = seats_of(one, other.by, other.side, 0)
        for offer in (one, other):
            assert offer.side is None or seats[offer.side] == offer.by


def test_an_offer_to_one_player_is_hers_in_any_letter_case_and_nobody_elses() -> None:
    offer = structs.replace(ANNA, to="Bert Box")
    assert takeable(offer, "bert_box") == ""
    assert takeable(offer, "Carl") == "this offer is made to Bert Box"
    assert takeable(offer, "ANNA") == "this offer is your own"


@pytest.mark.parametrize(
    ("mine", "theirs", "drawn", "seats"),
    [
        (None, None, 0, ("Anna", "Bert")),
        (None, None, 1, ("Bert", "Anna")),
        (1, None, 0, ("Bert", "Anna")),
        (None, 0, 0, ("Bert", "Anna")),
        (0, 0, 1, ("Anna", "Bert")),
    ],
)
def test_sides_are_the_makers_wish_else_the_takers_else_drawn(
    mine: int | None, theirs: int | None, drawn: int, seats: tuple[str, str]
) -> None:
    assert seats_of(structs.replace(ANNA, side=mine), "Bert", theirs, drawn) == seats


def test_offers_of_one_maker_are_bounded() -> None:
    standing = Offers()
    for number in range(MOST_OF_ONE):
        standing.check_room("anna")
        standing.post(structs.replace(ANNA, number=number))
    with pytest.raises(Refused) as refused:
        standing.check_room("ANNA")
    assert refused.value.why is Why.TOO_FAST
    standing.check_room("Bert")


def test_each_is_shown_what_it_may_take_and_its_own() -> None:
    standing = Offers()
    for number, (by, to) in enumerate([("Anna", ""), ("Anna", "Bert"), ("Bert", "Carl")], 1):
        standing.post(structs.replace(ANNA, number=number, by=by, to=to))
    shown = {name: [offer.number for offer in standing.shown_to(name)] for name in (*NAMES, "")}
    assert shown == {"Anna": [1, 2], "Bert": [1, 2, 3], "Carl": [1, 3], "": [1]}


def test_who_is_kept_apart_by_a_block_is_shown_nothing_and_takes_nothing() -> None:
    standing, offer = Offers(), structs.replace(ANNA, blocks=frozenset({"bert box"}))
    standing.post(offer)
    assert [len(standing.shown_to(name)) for name in ("Bert_Box", "Carl")] == [0, 1]
    assert standing.shown_to("Carl", {"anna"}) == ()
    refused = "you and Anna play no games that are offered: one of you has blocked the other"
    assert [takeable(offer, "Bert Box"), takeable(offer, "Carl", {"anna"})] == [refused] * 2
    assert takeable(offer, "Carl") == ""


def test_all_who_are_shown_the_same_are_shown_one_object_until_an_offer_comes_or_goes() -> None:
    standing = Offers()
    for number, (by, to) in enumerate([("Anna", ""), ("Bert", ""), ("Carl", "Dan")], 1):
        standing.post(structs.replace(ANNA, number=number, by=by, to=to))
    before = standing.shown_to("Erna")
    assert standing.shown_to("Anna") is standing.shown_to("") is before
    assert [offer.number for offer in standing.shown_to("Dan")] == [1, 2, 3]
    standing.remove(3)
    assert standing.shown_to("Dan") is before
    standing.remove(1)
    assert [offer.number for offer in standing.shown_to("Erna")] == [2]
    standing.post(structs.replace(ANNA, number=4, by="Fred", blocks=frozenset({"erna"})))
    assert [[offer.number for offer in standing.shown_to(name)] for name in ("Erna", "Dan")] == [[2], [2, 4]]


def test_only_changes_of_this_nodes_offers_are_told_to_others() -> None:
    told: list[int] = []
    heard: list[int] = []
    declined: list[int] = []
    standing = Offers(told.append)
    standing.listen(lambda offer: heard.append(offer.number), lambda offer: declined.append(offer.number))
    standing.post(ANNA)
    for _ in range(2):
        standing.note(structs.replace(ANNA, number=13, node=2))
    standing.remove(13)
    standing.remove(13)
    assert (told, heard) == ([12], [13])
    standing.note(structs.replace(ANNA, number=14, node=2))
    standing.decline(14)  # its own node has to hear of that
    standing.declined_elsewhere(12)
    assert (told, declined, len(standing)) == ([12, 14, 12], [12], 0)


def test_an_offer_is_said_to_its_maker_to_whom_it_is_made_and_to_others() -> None:
    offer = structs.replace(ANNA, to="Bert", side=0)
    assert in_line(offer, "Bert") == "12: Anna offers you chess normal 8x8, and plays white"
    assert in_line(offer, "anna") == "12: you offer Bert chess normal 8x8, and play white"
    ranged = structs.replace(offer, settings=RATED, lowest=1400)
    assert in_line(ranged, "Bert").endswith(
        " offers you chess normal 8x8, rated, for ratings of 1400-, and plays white"
    )
    assert in_line(ANNA, "Bert") == "12: Anna offers everybody chess normal 8x8"
