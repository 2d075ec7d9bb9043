"""Results count or not by the history of their players; pins; remarks for the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from gateway.ratings.book import (
    ANNULLED,
    FLAGS,
    NEWCOMER,
    REASONS,
    RELATED,
    REPEATED,
    UPSET,
    Book,
    Standing,
    Step,
    is_provisional,
    is_ranked,
)
from gateway.ratings.glicko2 import PERIODS_A_DAY, SCALE, START
from gateway.ratings.pools import Player
from gateway.store.records import Player as Sat
from gateway.store.records import Result
from tests.ratings.results import DAY_S, drawn, game, sat

ANN, BOB = Player("ann", ""), Player("bob", "")
ENGINE = "expectimax 1 level 2"
POOL = "chess/normal"


def entered(results: Iterable[Result], pins: Mapping[tuple[str, str], float] | None = None) -> tuple[Book, list[Step]]:
    book = Book(pins or {})
    return book, [step for ordinal, result in enumerate(results, 1) for step in book.enter(ordinal, result)]


def whys(results: Iterable[Result]) -> list[str]:
    """The reasons, one a game."""
    return [step.why for step in entered(results)[1] if step.seat == 0]


def settled(games: int = 30) -> list[Result]:
    """Draws of ann and bob with one another, a day apart: both are sure afterwards."""
    return [game(at=day * DAY_S, places=(1, 1)) for day in range(1, games + 1)]


def test_the_first_game_of_two_accounts() -> None:
    book, (won, lost) = entered([game(at=5.0)])
    assert (won.pool, won.player, won.before, won.weight, won.why) == (POOL, ANN, START, 1.0, "")
    assert [round(number, 3) for number in won.after[:2]] == [1741.476, 396.690]
    assert lost.after.rating == pytest.approx(3000.0 - won.after.rating)
    assert book.standings[POOL, ANN] == Standing(*won.after, 5.0, 1)


def test_a_casual_game_leaves_no_step() -> None:
    book, steps = entered([game(rated=False)])
    assert (steps, book.standings) == ([], {})


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (game(why="void"), "void"),
        (game(annulled_at=7.0), ANNULLED),
        (game(why="void", annulled_at=7.0), ANNULLED),
        (game(places=(), why="void"), "void"),
    ],
)
def test_what_does_not_count_whatever_was_before_moves_nobody_and_says_why(result: Result, why: str) -> None:
    book, steps = entered([result])
    assert [(step.why, step.before, step.weight) for step in steps] == [(why, START, 0.0)] * 2
    assert [step.after for step in steps] == [START] * 2
    assert book.standings == {}


def test_a_repeated_line_does_not_count_while_it_is_one_of_the_last_two() -> None:
    line = game(opening=b"e4 e5 Qh5")
    other = replace(line, opening=b"d4 d5 c4")
    assert whys([line, line, line]) == ["", REPEATED, REPEATED]
    assert whys([line, other, line]) == ["", "", REPEATED]
    assert whys([line, other, replace(other, opening=b"c4"), line]) == ["", "", "", ""]


def test_a_line_counts_again_where_the_other_wins_where_it_is_drawn_or_where_it_is_anothers() -> None:
    line = game(opening=b"e4 e5 Qh5")
    assert whys([line, replace(line, places=(2, 1))]) == ["", ""]
    assert whys([line, replace(line, places=(1, 1))]) == ["", ""]
    assert whys([line, replace(line, players=(sat("ann"), sat("eve")))]) == ["", ""]
    assert whys([replace(line, opening=b"")] * 2) == ["", ""]
    turned = replace(line, players=(sat("bob"), sat("ann")), places=(2, 1))
    assert whys([line, turned]) == ["", REPEATED], "the winner is the same player, with the other colour"


def test_a_newcomers_quick_win_over_a_related_player_does_not_count() -> None:
    quick = game(plies=39, lasted_s=89.0, related=True)
    assert whys([quick]) == [NEWCOMER]
    assert whys([replace(quick, plies=40)]) == [""]
    assert whys([replace(quick, started_at=-90.0)]) == [""]
    assert whys([replace(quick, related=False)]) == [""]
    assert whys([replace(quick, places=(1, 1))]) == [""]
    assert whys([*settled(), replace(quick, at=31 * DAY_S, started_at=31 * DAY_S - 89.0)])[-1] == "", (
        "the winner is no newcomer any more"
    )


def test_the_nth_game_of_a_pair_in_a_day_counts_for_its_nth_part() -> None:
    results = [game(at=hour * 3600.0, places=(1, 2) if hour % 2 else (2, 1)) for hour in range(1, 5)]
    weights = [step.weight for step in entered([*results, game(at=3.5 * DAY_S)])[1] if step.seat == 0]
    assert weights == [1.0, 1 / 2, 1 / 3, 1 / 4, 1.0]
    with_another = replace(results[1], players=(sat("ann"), sat("eve")))
    assert [step.weight for step in entered([results[0], with_another])[1]] == [1.0] * 4
    void = replace(results[1], why="void")
    assert [step.weight for step in entered([results[0], void, results[2]])[1][4:]] == [1 / 2] * 2


def test_what_the_host_is_shown_counts_all_the_same() -> None:
    related = entered([game(related=True)])[1]
    assert [(step.flags, step.why) for step in related] == [(RELATED, "")] * 2
    won = [game(at=day * DAY_S, opening=b"%d" % day) for day in range(1, 40)]
    lost = game(at=41 * DAY_S, places=(2, 1), plies=10)
    assert [(step.flags, step.why) for step in entered([*won, lost])[1][-2:]] == [(UPSET, "")] * 2
    assert entered([*won, replace(lost, plies=20)])[1][-1].flags == ""
    assert entered([replace(lost, at=1.0)])[1][-1].flags == ""
    assert {RELATED, UPSET} == set(FLAGS)
    assert {ANNULLED, REPEATED, NEWCOMER} == set(REASONS)


def test_seats_where_nobody_sat_are_no_players() -> None:
    ann, eve, nobody = sat("ann"), sat("eve"), Sat("")
    ludo = game(game="ludo", variant="german", players=(nobody, ann, nobody, eve), places=(0, 2, 0, 1))
    steps = entered([ludo])[1]
    assert [(step.seat, step.pool, step.after.rating > 1500.0) for step in steps] == [
        (1, "ludo/german", False),
        (3, "ludo/german", True),
    ]
    assert entered([replace(ludo, players=(nobody, ann), places=(0, 1))])[1] == []


def test_people_with_engines_and_engines_alone_have_pools_of_their_own() -> None:
    person, engine, other = sat("ann"), sat("", ENGINE), sat("", "expectimax 1 level 1")
    program = sat("bob", "gnugo 3.8")
    pairs = [(person, sat("bob")), (person, engine), (person, program), (engine, other), (engine, program)]
    pools = [entered([game(players=pair)])[1][0].pool for pair in pairs]
    assert pools == [POOL, f"{POOL}/mixed", f"{POOL}/mixed", f"{POOL}/engines", f"{POOL}/engines"]
    go = game(game="go", variant="japanese", width=9)
    assert entered([go])[1][0].pool == "go/9"
    ludo = game(game="ludo", variant="german", players=(person, engine, other), places=(1, 2, 3))
    assert entered([ludo])[1][0].pool == "ludo/german/tables/mixed"


def test_a_pinned_engine_moves_others_and_never_itself() -> None:
    pool = f"{POOL}/mixed"
    pins = {(pool, ENGINE): 1200.0}
    players = (sat("ann"), sat("", ENGINE))
    results = [game(at=day * DAY_S, players=players, places=(1, 2)) for day in range(1, 20)]
    book, steps = entered(results, pins)
    engines = [step for step in steps if step.seat == 1]
    assert {(step.before[:2], step.after[:2]) for step in engines} == {((1200.0, 45.0), (1200.0, 45.0))}
    assert book.standings[pool, Player("", ENGINE)][:2] == (1200.0, 45.0)
    assert book.standings[pool, ANN].rating > 1500.0
    bold = [replace(result, players=(sat("ann"), sat("bob", ENGINE))) for result in results]
    assert entered(bold, pins)[1][1].after.rating < 1500.0, "a program that calls itself so is not the house's"


def test_a_pinned_engine_stays_at_tables_too() -> None:
    pool = "ludo/german/tables/mixed"
    players = (sat("ann"), sat("", ENGINE), sat("bob"))
    ludo = game(game="ludo", variant="german", players=players, places=(2, 1, 3))
    steps = entered([ludo], {(pool, ENGINE): 1600.0})[1]
    assert [step.after.rating == step.before.rating for step in steps] == [False, True, False]


def test_a_deviation_ages_between_games_and_a_clock_that_runs_back_ages_nothing() -> None:
    results = settled()
    book, _ = entered(results)
    was = book.standings[POOL, ANN]
    later = entered([*results, game(at=was.at + 100 * DAY_S)])[1][-2]
    grown = was.rd**2 + 100 * PERIODS_A_DAY * (was.sigma * SCALE) ** 2
    assert later.before.rd == pytest.approx(grown**0.5)
    earlier = entered([*results, game(at=DAY_S)])[1][-2]
    assert (earlier.before, earlier.at) == (was[:3], was.at)


def test_ratings_are_provisional_then_ranked() -> None:
    book, _ = entered(settled(1))
    assert is_provisional(POOL, book.standings[POOL, ANN].rd)
    book, _ = entered([game(at=hour * 1.0, players=(sat("ann"), sat(f"p{hour}")), places=(1, 1)) for hour in range(40)])
    rd = book.standings[POOL, ANN].rd
    assert is_ranked(POOL, rd) or not is_provisional(POOL, rd)
    assert is_provisional("ludo/german/tables", 450.0)
    assert not is_provisional("ludo/german/tables", 350.0)
    assert is_ranked("ludo/german/tables", 250.0)


def test_every_float_is_the_same_for_the_same_results() -> None:
    results = drawn(7, 600)
    assert entered(results)[1] == entered(results)[1]
    found = {step.why for step in entered(results)[1]}
    assert found == {"", "void", "no account", "one account", ANNULLED, REPEATED, NEWCOMER}


@pytest.mark.parametrize("places", [(1, 2), (1, 1), (2, 1)])
def test_the_stakes_of_a_game_are_what_it_comes_to(places: tuple[int, int]) -> None:
    """A draw, a win of each: also of the second game of a day, which counts for its half, and after a month."""
    for past in ([], [game()], settled()):
        book, _ = entered(past)
        last = replace(game(), at=40 * DAY_S if len(past) > 1 else 7200.0, started_at=0.0, places=places, opening=b"?")
        stakes = book.stakes(replace(last, places=(), plies=0))
        steps = book.enter(len(past) + 1, last)
        assert [stake.before for stake in stakes] == [step.before for step in steps]
        ends = [0 if mine < other else 1 if mine == other else 2 for mine, other in (places, places[::-1])]
        assert [stake.after[end] for stake, end in zip(stakes, ends, strict=True)] == [step.after for step in steps]


def test_a_table_of_three_has_ratings_and_no_stakes() -> None:
    three = game(game="ludo", variant="maedn", players=(sat("ann"), sat("bob"), sat("eve")))
    assert [(stake.seat, stake.before, stake.after) for stake in Book({}).stakes(three)] == [
        (seat, START, ()) for seat in range(3)
    ]
    assert Book({}).stakes(replace(three, players=(sat("ann"),))) == []
