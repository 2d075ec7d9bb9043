"""Every log holds at most one unfinished registered game of a kind for two players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from threading import Barrier, Thread

import pytest
import trio

from gateway import registry
from gateway.lobby.registration import Registration
from gateway.store.log import SqlLog
from gateway.store.records import Append, Conflict, PairTaken, pair_of
from protocols.core.errors import Refused
from tests import peers
from tests.hall import Hall, hall
from tests.store.conftest import PATIENCE_S, Desk, hosted
from tests.store.steps import later, opening

PAIR = pair_of(["bob", "ann"])


def registering(table: int, pair: str | None = PAIR, game: str = "tic_tac_toe") -> Append:
    step = opening(table, f"registered for {pair}")
    assert step.opened is not None
    step.opened = replace(step.opened, pair=pair, game=game)
    return step


def test_a_pair_is_the_same_in_either_order() -> None:
    assert pair_of(["ann", "bob"]) == pair_of(["bob", "ann"]) == "ann\nbob"


@pytest.mark.parametrize("names", [[], ["ann"], ["ann", ""], ["a", "b", "c"]])
def test_one_name_or_three_are_no_pair(names: list[str]) -> None:
    assert pair_of(names) is None


def test_a_second_table_of_a_pair_is_refused(desk: Desk) -> None:
    first, second = desk.store(registering(1), registering(2))
    assert (first, type(second)) == (None, PairTaken)
    assert desk.log.read(2) == []


def test_the_same_pair_may_play_another_game(desk: Desk) -> None:
    assert desk.store(registering(1), registering(2, game="chess")) == [None, None]


def test_tables_that_were_not_registered_are_no_pairs(desk: Desk) -> None:
    assert desk.store(registering(1, None), registering(2, None)) == [None, None]


def test_a_pair_may_register_again_when_its_game_is_over(desk: Desk) -> None:
    first = registering(1)
    desk.store(first, later(first, "over", status="over"))
    assert desk.store(registering(2)) == [None]


def test_a_table_whose_pair_is_registered_anew_may_begin_another_game_and_leaves_the_pair_to_the_new_one(
    desk: Desk,
) -> None:
    first, anew = registering(1), registering(2)
    over = later(first, "over", status="over")
    assert desk.store(first, over, anew) == [None, None, None]
    rematch = later(over, "rematch", status="playing")
    assert desk.store(rematch) == [None]
    assert [(row.table, row.status, row.pair) for row in desk.log.claim()] == [(1, "playing", None), (2, "open", PAIR)]


@pytest.mark.parametrize("status", ["playing", "adjourned"])
def test_a_game_that_is_not_over_holds_its_pair(desk: Desk, status: str) -> None:
    first = registering(1)
    desk.store(first, later(first, "on", status=status))
    (error,) = desk.store(registering(2))
    assert isinstance(error, PairTaken)


def test_a_number_that_is_taken_is_not_taken_for_a_pair(desk: Desk) -> None:
    desk.store(registering(1))
    (error,) = desk.store(registering(1, pair_of(["x", "pair"])))
    assert type(error) is Conflict


@peers.needed
def test_of_two_servers_on_one_database_one_registers_a_pair(request: pytest.FixtureRequest) -> None:
    """An SQLite file belongs to one server at a time: there is no server to race with."""
    with hosted(request) as url:
        servers = [Desk(lambda deliver: SqlLog(url, deliver)) for _ in range(2)]
        errors = race(servers)
        for server in servers:
            server.log.close()
    assert sorted(type(error).__name__ for error in errors) == ["NoneType", "PairTaken"]


def race(servers: list[Desk]) -> list[BaseException | None]:
    """Every server registers the same pair at the same moment; what each is answered."""
    together, errors = Barrier(len(servers)), list[BaseException | None]()

    def register(desk: Desk, table: int) -> None:
        together.wait(PATIENCE_S)
        errors.extend(desk.store(registering(table)))

    racers = [Thread(target=register, args=(desk, table)) for table, desk in enumerate(servers, 1)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(PATIENCE_S)
    return errors


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Iterator[str]:
    """A database that two servers may write to."""
    with hosted(request) as url:
        yield url


@peers.needed
async def test_of_two_servers_one_registers_a_pair_and_the_other_says_why_not(shared: str) -> None:
    async with running(shared) as here, running(shared) as there:
        answers = await both(here, there, asking("ann", "bob"), asking("bob", "ann"))
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "int"]
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused.text in [
        "a game between ann and bob is registered already",
        "a game between bob and ann is registered already",
    ]


@peers.needed
async def test_two_servers_never_give_two_tables_the_same_number(shared: str) -> None:
    async with running(shared) as here, running(shared) as there:
        answers = await both(here, there, asking("ann", "bob"), asking("carl", "dora"))
        assert sorted(str(answer) for answer in answers) == ["1", "2"]


def running(url: str) -> AbstractAsyncContextManager[Hall]:
    return hall(log=lambda deliver: SqlLog(url, deliver), blocking=True, patience_s=PATIENCE_S)


def asking(*names: str) -> Registration:
    return Registration(registry.game("tic_tac_toe").settings(), names)


async def both(here: Hall, there: Hall, *asked: Registration) -> list[int | Refused]:
    """Each server is asked for one of these at the same moment; the number of its table, or why not."""
    answers: list[int | Refused] = []

    async def register(serving: Hall, one: Registration) -> None:
        try:
            answers.append((await serving.server.registrar.register(one)).table)
        except Refused as refused:
            answers.append(refused)

    async with trio.open_nursery() as nursery:
        for server, one in zip((here, there), asked, strict=True):
            nursery.start_soon(register, server, one)
    return answers


@peers.needed
async def test_players_of_two_servers_who_open_tables_at_once_are_all_seated(shared: str) -> None:
    async with running(shared) as here, running(shared) as there:
        guests = [serving.dial() for serving in (here, there) for _ in range(10)]
        async with trio.open_nursery() as nursery:
            for number, guest in enumerate(guests):
                nursery.start_soon(guest.joins, f"tic_tac_toe?time={60 + number}")  # a game of its own
        assert sorted((*here.server.tables, *there.server.tables)) == list(range(1, 21))
