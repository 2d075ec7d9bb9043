"""Games in the words of these servers: matches, clocks, rows of lists, how a game has ended."""

from __future__ import annotations

from typing import Final

from protocols.core.model import Clock, Outcome, Reading, Reason, Settings, TimeControl, TimeKind
from protocols.core.notifications import ListedPerson, ListedTable
from protocols.go_words.wish import Wish, komi_of, wish_of
from protocols.igs.reading import STONES

UNRANKED: Final = "NR "
"""The rank of everybody: ratings here are no ranks."""

COLOURS: Final = ("Black", "White")
LETTERS: Final = "BW"

WHO_HEAD: Final = " Info       Name       Idle   Rank |  Info       Name       Idle   Rank"
GAMES_HEAD: Final = "[##]  white name [ rk ]      black name [ rk ] (Move size H Komi BY FR) (###)"
USERS_HEAD: Final = "Name        Info            Country  Rank Won/Lost Obs  Pl Idle Flags Language"


def carries(settings: Settings) -> bool:
    """True of a game that there are words for."""
    return settings.game == "go" and settings.seats == 2 and not settings.start


def minutes(settings: Settings) -> tuple[int, int]:
    """The minutes of a game's clock and of its byo-yomi, or what is nearest to them; 0 0 without one."""
    time = settings.time
    if time is None:
        return 0, 0
    main, extra_s = int(time.main_s // 60), time.period_s
    if time.kind is TimeKind.CANADIAN:
        extra_s *= STONES / max(1, time.moves)
    elif time.kind is TimeKind.BYOYOMI:
        extra_s *= STONES
    extra = max(1, int(extra_s // 60)) if time.period_s else 0
    return (main or (0 if extra else 1)), extra


def plain(settings: Settings) -> bool:
    """True if the words of ``match`` say all of a game: no handicap, and a clock of whole minutes with 25 stones."""
    time, wish = settings.time, wish_of(settings)
    if wish.handicap:
        return False
    if time is None or time.kind is TimeKind.ABSOLUTE:
        return time is None or time.main_s % 60 == 0
    return time.kind is TimeKind.CANADIAN and time.moves == STONES and not (time.main_s % 60 or time.period_s % 60)


def match_words(settings: Settings, name: str, side: int | None) -> str:
    """The command that asks this player for this game, from a side, or takes it: the same words do both."""
    wish, colour = wish_of(settings), "N" if side is None else LETTERS[side]
    if plain(settings) and side is not None:
        main, extra = minutes(settings)
        return f"match {name} {colour} {wish.size} {main} {extra}"
    clock = " ".join(map(str, _clock(settings.time)))
    return f"nmatch {name} {colour} {wish.handicap} {wish.size} {clock} 0 0 0"


def _clock(time: TimeControl | None) -> tuple[int, int, int]:
    """Seconds, those of a period, and its stones: what nmatch can say of a clock."""
    if time is None or not int(time.period_s):
        return (0 if time is None else int(time.main_s)), 0, 0
    return int(time.main_s), int(time.period_s), max(1, time.moves or time.periods)


def same(one: Settings, other: Settings) -> bool:
    """True if two games are told in the same words."""
    games = [wish_of(each) for each in (one, other)]
    return len({(each.size, each.handicap, *_clock(each.time)) for each in games}) == 1


def komi(settings: Settings) -> str:
    return f"{float(komi_of(wish_of(settings))):.1f}"


def rules(wish: Wish) -> str:
    return f"{wish.rules.scoring} counting"


def left(settings: Settings, clock: Clock | None, seat: int, now: float | None) -> tuple[int, int]:
    """The whole seconds that a seat has, and the stones to be played in them: -1 in the main time.

    ``now`` is when it is looked at, None: as the clock was told. Without a clock there are no seconds.
    """
    time = settings.time
    if time is None:
        return 0, -1
    if clock is None or seat >= len(clock.readings):
        return int(time.main_s or time.period_s), -1 if time.main_s else max(1, time.moves)
    reading = clock.readings[seat]
    used = max(0.0, now - clock.since) if now is not None and clock.running == seat else 0.0
    return _left(reading, used, canadian=time.kind is TimeKind.CANADIAN)


def _left(reading: Reading, used: float, *, canadian: bool) -> tuple[int, int]:
    main = reading.main_s - used
    if reading.main_s and main > 0:
        return int(main), -1
    return max(0, int(main + reading.period_s)), max(1, reading.moves) if canadian else 1


def game_row(one: ListedTable, white: str, black: str) -> str:
    """A row of the list of games. Nobody counts those who look on: they are 0."""
    wish = wish_of(one.settings)
    extra = minutes(one.settings)[1]
    how = "I" if one.settings.rated else "FI"
    return (
        f"[{one.table:>3}] {white:>11} [{UNRANKED:>4}] vs. {black:>11} [{UNRANKED:>4}] "
        f"({_moves(one.position, wish.handicap):>3} {wish.size:>4} {wish.handicap:>2} {komi(one.settings):>4} "
        f"{extra:>2} {how:>2}) ({0:>3})"
    )


def _moves(position: str, handicap: int) -> int:
    """The stones that have been played, on the board or taken off it: passes are in no position."""
    board, *rest = position.split(" ")
    taken = sum(map(int, rest[1].split("-"))) if len(rest) > 1 else 0
    return max(0, board.count("X") + board.count("O") + taken - handicap)


def who_cell(one: ListedPerson, name: str, table: int) -> str:
    """Half a row of who is here: X takes no challenges; a game's number is where somebody plays."""
    flags = " " + (" " if one.challenges else "X")
    idle = "10m" if one.idle else "0s"
    return f" {flags}{'--':>3}{table or '--':>5} {name:<10}{idle:>4}    {UNRANKED:>4} "


def user_row(one: ListedPerson, name: str, table: int) -> str:
    """A row of ``userlist``, by columns that programs count."""
    flags = "-" + ("-" if one.challenges else "X")
    idle = "10m" if one.idle else "0s"
    info = "a computer" if one.bot else "" if one.account else "a guest"
    plays = f"{table:>3}" if table else " - "
    who = f"{name:>10}  {info:<14}  {'--':<7}  {UNRANKED.strip():>3}"
    return f"{who} {0:>4}/{0:>4}  -  {plays} {idle:>4}    {flags} default "


def end(outcome: Outcome) -> str:
    """The words behind the names where a game has ended: "White resigns." Clients know these two losses only."""
    if outcome.reason is Reason.VOID:
        return "no result."
    if outcome.winner is None:
        return "Jigo."
    how = "resigns" if outcome.reason is Reason.RESIGNATION else "forfeits on time"
    return f"{COLOURS[outcome.winner == 0]} {how}."
