"""Games in the words of FICS: kinds and speeds, clocks, ratings, how a game has ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from protocols.chess_words.text import result_words
from protocols.core.model import Outcome, Reason, Settings, TimeControl, TimeKind
from protocols.core.notifications import GameNews, Points

_KINDS: Final[Mapping[str, str]] = {
    "fischerandom": "wild/fr",
    "crazyhouse": "crazyhouse",
    "suicide": "suicide",
    "atomic": "atomic",
}

LIGHTNING_S: Final = 180
BLITZ_S: Final = 900
"""Below so many seconds, of the clock and forty increments."""

ADJOURNED: Final = "Game adjourned by mutual agreement} *"

GUESTS: Final = "++++"
UNKNOWN: Final = "----"
UNRATED: Final = "UNR"


def carries(settings: Settings) -> bool:
    """True of a game that FICS has a word for."""
    return settings.game == "chess" and settings.seats == 2 and (settings.variant in ("normal", *_KINDS))


def kind(settings: Settings) -> str:
    """The kind of a game: its rule set, or how fast it is."""
    if settings.variant != "normal":
        return _KINDS.get(settings.variant, "nonstandard")
    if settings.start:
        return "nonstandard"
    return speed(settings.time)


def speed(time: TimeControl | None) -> str:
    if time is None:
        return "untimed"
    whole = time.main_s + 40 * time.increment_s
    if time.kind in (TimeKind.PER_MOVE, TimeKind.CANADIAN, TimeKind.BYOYOMI):
        whole += 40 * time.period_s / max(1, time.moves)
    return "lightning" if whole < LIGHTNING_S else "blitz" if whole < BLITZ_S else "standard"


def clock(settings: Settings) -> tuple[int, int]:
    """The minutes of a game's clock and the seconds that a move adds, or what is nearest to it."""
    time = settings.time
    if time is None:
        return 0, 0
    if time.kind is TimeKind.PER_MOVE:
        return 0, int(time.period_s)
    minutes = int(time.main_s // 60)
    return minutes or (0 if time.increment_s else 1), int(time.increment_s)


def rated(settings: Settings) -> str:
    return "rated" if settings.rated else "unrated"


def points(rating: Points | None, *, account: bool) -> str:
    """A rating as it stands beside a name: ++++ is a guest's, ---- that of an account without one."""
    if rating is not None:
        return f"{rating.rating}{'P' if rating.provisional else ''}"
    return UNKNOWN if account else GUESTS


def match_words(settings: Settings) -> str:
    """ "unrated blitz 5 0", as challenges and headings say it."""
    return f"{rated(settings)} {kind(settings)} {' '.join(map(str, clock(settings)))}"


def challenge_words(settings: Settings) -> str:
    """The same as a challenge says it: a kind that begins from other squares stands behind, and there is no 0 0."""
    words = match_words(settings)
    if settings.time is None:
        return words.removesuffix(" 0 0")
    named = kind(settings)
    return f"{words.replace(named, 'wild')} Loaded from {named}" if named.startswith("wild/") else words


def end(outcome: Outcome, white: str, black: str) -> str:
    """The words behind the names where a game has ended: "alice resigns} 1-0"."""
    return f"{_reason(outcome, (white, black))}}} {result_words(outcome)}"


def begins(settings: Settings, *, again: bool) -> str:
    """The words behind the names where a game begins, or goes on: "Creating unrated blitz match.}"."""
    return f"{'Continuing' if again else 'Creating'} {rated(settings)} {kind(settings)} match.}}"


def note(game: int, white: str, black: str, words: str) -> str:
    """A line about a game of this number, with the words behind its players' names."""
    return f"{{Game {game} ({white} vs. {black}) {words}"


def news(game: GameNews, white: str, black: str) -> str:
    """The line that a game of others begins, goes on, is adjourned or ends."""
    match game.change:
        case "waits":
            words = ADJOURNED
        case "ends":
            words = "Game ended} *" if game.outcome is None else end(game.outcome, white, black)
        case "begins" | "goes on":
            words = begins(game.settings, again=game.change == "goes on")
    return note(game.table, white, black, words)


def unsigned(rating: str) -> str:
    """A rating as the head of a list of moves has it: XBoard takes its dashes for the line's own."""
    return UNRATED if rating in (GUESTS, UNKNOWN) else rating


def moment(at: float) -> str:
    """A time of Unix in UTC, as "Mon Nov 30, 05:46 UTC 2026"."""
    return datetime.fromtimestamp(at, UTC).strftime("%a %b %d, %H:%M UTC %Y")


def letters(settings: Settings) -> str:
    """A game's kind and whether it is rated, in the two letters of lists."""
    named = kind(settings)
    return f"{_LETTERS.get(named, named[0])}{rated(settings)[0]}"


_LETTERS: Final[Mapping[str, str]] = {"crazyhouse": "z", "suicide": "S", "atomic": "x"}


def end_letters(outcome: Outcome) -> str:
    """How a game has ended, in a list of past games."""
    if outcome.reason is Reason.TIME and outcome.winner is None:
        return "TM"
    return _ENDS.get(outcome.detail) or _REASONS.get(outcome.reason, "Adj")


_ENDS: Final[Mapping[str, str]] = {
    "checkmate": "Mat",
    "stalemate": "Sta",
    "insufficient material": "NM",
    "threefold repetition": "Rep",
    "fivefold repetition": "Rep",
    "fifty moves": "50",
    "seventy-five moves": "50",
}
_REASONS: Final[Mapping[Reason, str]] = {
    Reason.RESIGNATION: "Res",
    Reason.TIME: "Fla",
    Reason.ABANDONMENT: "Dis",
    Reason.AGREEMENT: "Agr",
}


def _reason(outcome: Outcome, names: tuple[str, str]) -> str:
    if outcome.reason is Reason.VOID:
        return "Game aborted by mutual agreement"
    if outcome.winner is None:
        return _drawn(outcome)
    winner, loser = names[outcome.winner != 0], names[outcome.winner == 0]
    if outcome.detail == "checkmate":
        return f"{loser} checkmated"
    return _WON.get(outcome.reason, _won_by_rules)(winner, loser, outcome.detail)


def _won_by_rules(winner: str, loser: str, detail: str) -> str:
    return f"{winner} wins by {detail}" if detail else f"{winner} wins"


_WON: Final[Mapping[Reason, Callable[[str, str, str], str]]] = {
    Reason.RESIGNATION: lambda winner, loser, detail: f"{loser} resigns",
    Reason.TIME: lambda winner, loser, detail: f"{loser} forfeits on time",
    Reason.ABANDONMENT: lambda winner, loser, detail: f"{loser} forfeits by disconnection",
    Reason.FORFEIT: lambda winner, loser, detail: f"{loser} forfeits",
}


def _drawn(outcome: Outcome) -> str:
    if outcome.reason is Reason.AGREEMENT:
        return "Game drawn by mutual agreement"
    if outcome.reason is Reason.TIME:
        return "Game drawn because one side ran out of time and the other has no material to mate"
    return _DRAWS.get(outcome.detail, "Game drawn")


_DRAWS: Final[Mapping[str, str]] = {
    "stalemate": "Game drawn by stalemate",
    "insufficient material": "Game drawn because neither player has mating material",
    "threefold repetition": "Game drawn by repetition",
    "fivefold repetition": "Game drawn by repetition",
    "fifty moves": "Game drawn by the 50 move rule",
    "seventy-five moves": "Game drawn by the 50 move rule",
}
