"""Every way to end a game leaves its result in the database, with its last event: accounts of a real server play."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing

import pytest

from gateway.config import Seats
from gateway.record.ended import NOT_COUNTED, backfill
from gateway.store.log import SqlLog
from gateway.store.rating_schema import result_players, results
from gateway.store.records import Player, Result
from gateway.store.results import Results
from gateway.store.views import Views
from gateway.table import seating
from protocols.core.events import GameEnded, GameStarted
from protocols.core.model import SeatKind
from tests.hall import FirstMove, Guest, Hall, config, hall
from tests.passwords import hashed
from tests.store.accounts_memory import MemoryAccounts
from tests.store.conftest import connected

PATIENCE_S = 30.0
ANNA, BERT = Player("Anna", "anna"), Player("bert", "bert")
GRACE_S = 0.05


@pytest.fixture
def stored(url: str) -> Iterator[Results]:
    with closing(Results(url)) as made:
        yield made


@asynccontextmanager
async def server(url: str, *, bots: FirstMove | None = None, grace_s: float = GRACE_S) -> AsyncIterator[Hall]:
    accounts = MemoryAccounts()
    for name in ("Anna", "bert"):
        accounts.add(name, hashed("pw"), "root")
    settings = config(seats=Seats(grace_s=grace_s, bot_after_s=None, abandoned="bot"))
    log = lambda tell: SqlLog(url, tell)  # noqa: E731
    async with hall(settings, log=log, blocking=True, bots=bots, accounts=accounts, patience_s=PATIENCE_S) as here:
        yield here


async def seated(here: Hall, game: str = "tic_tac_toe", rated: str = "yes", **addresses: str) -> list[Guest]:
    """Anna and bert, at one table, each from an address of its own."""
    guests = []
    for number, name in enumerate(("Anna", "bert")):
        guests.append(here.dial(addresses.get(name, f"192.0.2.{number}")))
        await guests[-1].joins(f"{game}{'&' if '?' in game else '?'}name={name}&secret=pw&rated={rated}")
    return guests


async def played(guests: list[Guest], *squares: int) -> None:
    for turn, square in enumerate(squares):
        assert await guests[turn % 2].puts(square) == (0,)


async def ended(here: Hall, stored: Results, table: int = 1) -> Result:
    """The only result of this table, as soon as it is there; it is that of the table's last GameEnded."""
    await here.until(lambda: bool(stored.of_table(table)))
    (found,) = stored.of_table(table)
    events = {event.seq: event for event in here.server.commits.log.read(table)}
    end = events[found.seq]
    assert isinstance(end.event, GameEnded)
    began = next(event for event in events.values() if isinstance(event.event, GameStarted))
    assert (found.at, found.digest, found.started_at) == (end.at, end.digest, began.at)
    return found


async def test_a_rated_game_of_accounts_counts(url: str, stored: Results) -> None:
    async with server(url) as here:
        guests = await seated(here)
        await played(guests, 0, 3, 1, 4, 2)
        found = await ended(here, stored)
    assert (found.table, found.number, found.game, found.variant, found.width) == (
        1,
        1,
        "tic_tac_toe",
        "standard",
        3,
    )
    assert (found.players, found.places, found.reason) == ((ANNA, BERT), (1, 2), "rules")
    assert (found.plies, found.fewest, found.rated, found.why) == (5, 2, True, "")
    assert (found.related, found.ordinal, found.annulled_at) == (False, None, None)
    assert stored.of_player("ANNA", 9) == stored.of_player("bert", 9) == [found]


async def test_a_draw_and_a_resignation_count(url: str, stored: Results) -> None:
    async with server(url) as here:
        guests = await seated(here)
        await played(guests, 0, 1, 2, 3)
        for guest in guests:
            await guest.say("MSG_MOVE", -1, -1, "draw")
        drawn = await ended(here, stored)
        for guest in guests:
            await guest.leaves()
        await here.until(lambda: not here.server.tables)
        guests = await seated(here)
        await played(guests, 0, 1, 2, 3)
        await guests[0].say("MSG_MOVE", -1, -1, "resign")
        resigned = await ended(here, stored, 2)
    assert (drawn.places, drawn.reason, drawn.why) == ((1, 1), "agreement", "")
    assert (resigned.places, resigned.reason, resigned.why) == ((2, 1), "resignation", "")
    assert drawn.opening == resigned.opening, "both began alike"


async def test_who_stays_away_from_a_rated_game_loses_it_and_no_house_bot_plays_on(url: str, stored: Results) -> None:
    async with server(url, bots=FirstMove()) as here:
        guests = await seated(here)
        await played(guests, 0, 3, 1, 4)
        await guests[0].leaves()
        found = await ended(here, stored)
    assert (found.players, found.places, found.reason, found.why) == ((ANNA, BERT), (2, 1), "abandonment", "")


async def test_an_unrated_game_does_not_count(url: str, stored: Results) -> None:
    async with server(url) as here:
        await played(await seated(here, rated="no"), 0, 3, 1, 4, 2)
        found = await ended(here, stored)
    assert (found.players, found.places, found.rated, found.why) == ((ANNA, BERT), (1, 2), False, "unrated")


async def test_a_game_that_the_host_ends_is_void_and_does_not_count(url: str, stored: Results) -> None:
    async with server(url) as here:
        await played(await seated(here), 0, 3, 1, 4)
        await here.server.tables[1].end(lambda state, now: seating.end_by_host(state, now, "closing time"))
        found = await ended(here, stored)
    assert (found.reason, found.why) == ("void", "void")


async def test_a_game_with_fewer_than_two_moves_of_a_side_does_not_count(url: str, stored: Results) -> None:
    async with server(url) as here:
        guests = await seated(here)
        await played(guests, 0, 3, 1)
        await guests[1].say("MSG_MOVE", -1, -1, "resign")
        found = await ended(here, stored)
    assert (found.plies, found.fewest, found.why) == (3, 1, "short")


async def test_a_game_with_a_takeback_does_not_count(url: str, stored: Results) -> None:
    async with server(url) as here:
        guests = await seated(here)
        await played(guests, 0, 3)
        for guest in guests:
            await guest.say("MSG_MOVE", -1, -1, "takeback 1")
        await here.until(lambda: here.state().ply == 1)
        await played(guests[::-1], 3, 1, 4, 2)
        found = await ended(here, stored)
    assert (found.plies, found.why) == (5, "takeback")


async def test_a_game_that_a_house_bot_played_on_is_marked_so(url: str, stored: Results) -> None:
    async with server(url, bots=FirstMove()) as here:
        guests = await seated(here, rated="no")
        await played(guests, 0)
        await guests[1].leaves()
        await here.until(lambda: here.state().seats[1].kind is SeatKind.BOT)
        assert here.state().spoiled == "bot"
        await guests[0].say("MSG_MOVE", -1, -1, "resign")
        found = await ended(here, stored)
    assert found.players == (ANNA, BERT), "the seat is its player's still"


@pytest.mark.parametrize(
    ("wish", "mover", "game", "why"), [("open", 0, "open", "unjudged"), ("go?size=9&handicap=3", 1, "go", "handicap")]
)
async def test_a_game_without_rules_or_with_handicap_stones_does_not_count(
    url: str, stored: Results, wish: str, mover: int, game: str, why: str
) -> None:
    async with server(url) as here:
        guests = await seated(here, wish)
        await here.until(lambda: here.state().turn == mover)
        await guests[0].say("MSG_MOVE", -1, -1, "resign")
        found = await ended(here, stored)
    assert (found.game, found.why) == (game, why)


async def test_an_account_plays_rated_against_a_house_bot_which_is_known_by_name_version_and_level(
    url: str, stored: Results
) -> None:
    async with server(url, bots=FirstMove()) as here:
        anna = here.dial()
        await anna.joins("tic_tac_toe?name=Anna&secret=pw&rated=yes&against=bot")
        for square in (4, 6, 2):
            await here.until(lambda: here.state().turn == 0)
            assert await anna.puts(square) == (0,)
        found = await ended(here, stored)
    assert (found.rated, found.why) == (True, "")
    assert found.players == (ANNA, Player("bot-2", "", "first 1 level 1"))
    assert stored.of_player("first 1 level 1", 9) == [found]


async def test_players_from_one_address_are_related_and_so_are_those_of_a_private_table(
    url: str, stored: Results
) -> None:
    async with server(url) as here:
        await played(await seated(here, Anna="192.0.2.9", bert="192.0.2.9"), 0, 3, 1, 4, 2)
        found = await ended(here, stored)
    assert (found.related, found.why) == (True, "")


async def test_a_game_that_another_process_ends_has_one_result(url: str, stored: Results) -> None:
    """When it began was told by the process before."""
    async with server(url, grace_s=60.0) as here:  # its tables have this grace in the next process, too
        guests = await seated(here)
        await played(guests, 0, 3, 1, 4)
    async with server(url) as here:
        await here.woken()
        await here.server.tables[1].end(lambda state, now: seating.end_by_host(state, now, "closing time"))
        found = await ended(here, stored)
    assert (found.players, found.plies, found.rated, found.why) == ((ANNA, BERT), 4, True, "void")


async def test_rated_games_of_records_from_before_get_their_results_once(url: str, stored: Results) -> None:
    async with server(url) as here:
        await played(await seated(here), 0, 3, 1, 4, 2)
        made = await ended(here, stored)
    with connected(url) as connection, connection.begin():
        connection.execute(results.delete())
        connection.execute(result_players.delete())
    with closing(Views(url)) as views:
        told: list[tuple[int, int]] = []
        assert backfill(views, stored, lambda looked, kept: told.append((looked, kept))) == 1
        assert told == [(1, 1)]
        assert stored.one(1, 1) == made
        assert stored.of_player("anna", 9) == [made]
        assert backfill(views, stored) == 0


def test_each_reason_has_words() -> None:
    assert all(words[0].islower() and not words.endswith(".") for words in NOT_COUNTED.values())
