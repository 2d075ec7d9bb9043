"""UCI, the protocol of most chess engines: the GUI's side, as lines and without I/O.

Each question is a position on its own, so that any process can answer for any table; that another game begins is said
with "ucinewgame". Before a question the engine is asked whether it is ready: what it says until then belongs to
something that is over. It is told the table's clock, and "movetime" beside it, which bounds it. Pondering is not
supported.
Source: Description of the Universal Chess Interface, April 2006, by Stefan Meyer-Kahlen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Final

from gateway.bots.conversation import Conversation, Question, Unsuited
from gateway.bots.verdict import Verdict
from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.model import Reading, TimeControl, TimeKind

HASH_MB: Final = 16
"""Memory for positions it has seen: in half a second a fast engine fills about that."""

FRUGAL: Final = {"Threads": "1", "Hash": str(HASH_MB)}
"""Set where the engine has it and the host did not say otherwise: the machine is the players'."""

SKILL: Final = "Skill Level"

SHARE: Final = {1: 0.0, 2: 0.25, 3: 1.0}
"""By level, how much of the range of SKILL is used. Stockfish's own scale: some 1350, 1900 and 2850 Elo."""

PAST: Final = " from "
"""In the text of a position: behind it stands how it came about, a FEN and moves, in UCI's own form."""

VARIANT: Final = "uci_variant"
SHUFFLED: Final = "uci_chess960"
"""Names of options in lower case: letter case does not distinguish options."""

STANDARD: Final = "chess"
"""The choice of UCI_Variant for the rules that every engine knows."""

CHESS960: Final = "fischerandom"
"""The rule set for which UCI_Chess960 is set."""

COMMON_RULES: Final = ("normal", CHESS960)
"""Rule sets that are standard chess to UCI_Variant. The others are called by the same letters there as here."""

OPTIONS_MAX: Final = 500
"""Options an engine may have; the richest have some hundred."""

_STRANGER: Final = re.compile(r"(?i)(?:error|unknown|illegal)\b.*\buci\b.*")
_OPTION: Final = re.compile(r"name\s+(?P<name>.+?)\s+type\s+(?P<type>\w+)(?P<rest>.*)")
_WORDED: Final = re.compile(r"\b(default|min|max|var)\s+(.*?)(?=\s+(?:default|min|max|var)\s|$)")


_SCORE: Final = re.compile(
    r"(?:\bmultipv (?P<first>\d{1,4})\b.*)?"
    r"\bscore (?P<unit>cp|mate) (?P<number>-?\d{1,9})\b(?P<bound> (?:low|upp)erbound)?"
)


class State(Enum):
    """The last thing said."""

    GREETED = "uci"
    SET = "isready, after the options"
    IDLE = "nothing: it can be asked"
    POSITION = "isready, after the position"
    GO = "go"


@dataclass(frozen=True, slots=True)
class Option:
    """One that the engine offers. ``least`` and ``most`` are of a "spin", ``choices`` of a "combo"."""

    name: str
    type: str
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()

    def objection(self, value: str) -> str:
        """Why this cannot be its value; "" when it can."""
        if self.type == "spin" and not (re.fullmatch(r"-?\d{1,18}", value) and self.least <= int(value) <= self.most):
            return f"{value!r} is not a number from {self.least} to {self.most}"
        if self.type == "check" and value not in ("true", "false"):
            return f"{value!r} is neither true nor false"
        if self.type == "combo" and value not in self.choices:
            return f"{value!r} is none of {', '.join(self.choices)}"
        return ""


class Uci(Conversation):
    """The conversation with one process that speaks UCI."""

    games: ClassVar[tuple[str, ...]] = ("chess",)

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._offered: dict[str, Option] = {}
        self._set: dict[str, str] = {}
        self._state = State.GREETED
        self._weighed: Verdict | None = None
        self._say("uci")

    def ask(self, question: Question) -> None:
        if self._state is not State.IDLE:
            raise LocalProtocolError(f"asked an engine that is not idle but at {self._state.name}")
        now, _, past = question.game.text(question.position).partition(PAST)
        self._play_by(question.position.rules)
        if (skill := self._offered.get(SKILL.lower())) and SKILL.lower() not in map(str.lower, self.options):
            self._option(skill, str(skill.least + round(SHARE[question.level] * (skill.most - skill.least))))
        if question.bot_context is not None and question.bot_context != self._bot_context:
            self._bot_context = question.bot_context
            self._say("ucinewgame")
        self._question, self.answer = question, None
        self._say(f"position fen {past or now}")
        self._wait(State.POSITION)

    def weigh(self, question: Question) -> None:
        self.verdict, self._weighed = None, Verdict(None, None, None)
        self.ask(question)

    def receive_line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self._state is State.GREETED and _STRANGER.fullmatch(line):
            raise RemoteProtocolError(f"it does not speak UCI: {line[:60]!r}")
        step = _STEPS.get((self._state, word))
        if step is not None:
            step(self, rest.strip())

    def _wait(self, state: State) -> None:
        self._say("isready")
        self._state, self.ready = state, False

    def _play_by(self, rules: str) -> None:
        """Set the rules. Unsuited: the engine does not have them."""
        wanted = STANDARD if rules in COMMON_RULES else letters(rules)
        variant, shuffled = self._offered.get(VARIANT), self._offered.get(SHUFFLED)
        named = next((name for name in variant.choices if letters(name) == wanted), None) if variant else None
        if (named is None and wanted != STANDARD) or (shuffled is None and rules == CHESS960):
            raise Unsuited(f"{self.who} does not play {rules}")
        if variant is not None and named is not None:
            self._option(variant, named)
        if shuffled is not None:
            self._option(shuffled, str(rules == CHESS960).lower())

    def _named(self, rest: str) -> None:
        if rest.startswith("name "):
            self.called = rest.removeprefix("name ").strip()

    def _offers(self, rest: str) -> None:
        option = offered(rest)
        if option is not None:
            self._offered[option.name.lower()] = option
        if len(self._offered) > OPTIONS_MAX:
            raise RemoteProtocolError(f"more than {OPTIONS_MAX} options")

    def _introduced(self, rest: str) -> None:
        """The engine has said everything of itself: set what is to be set."""
        chosen = {name.lower() for name in self.options}
        for name, value in FRUGAL.items():
            option = self._offered.get(name.lower())
            if option is not None and name.lower() not in chosen and not option.objection(value):
                self._option(option, value)
        for name, value in self.options.items():
            self._choose(name, value)
        self._wait(State.SET)

    def _choose(self, name: str, value: str) -> None:
        """Set what the host wants; what cannot be is remarked on."""
        option = self._offered.get(name.lower())
        if option is None:
            known = ", ".join(option.name for option in self._offered.values())
            self.remarks.append(f"there is no option {name!r}; there are {known or 'none'}")
        elif objection := option.objection(value):
            self.remarks.append(f"{option.name}: {objection}")
        else:
            self._option(option, value)

    def _option(self, option: Option, value: str) -> None:
        if self._set.get(option.name) != value:
            self._set[option.name] = value
            self._say(f"setoption name {option.name}" + ("" if option.type == "button" else f" value {value}"))

    def _idle(self, rest: str) -> None:
        self._state, self.ready = State.IDLE, True

    def _go(self, rest: str) -> None:
        assert self._question is not None
        question = self._question
        clock = [] if question.time is None else clock_words(question.time, question.readings, question.seat)
        self._say(" ".join(["go", *clock, f"movetime {_ms(question.brief_s)}"]))
        self._state = State.GO

    def hurry(self) -> None:
        if self._state is State.GO:
            self._say("stop")

    def _moves(self, rest: str) -> None:
        self.answer, _ = self._played("bestmove", rest.partition(" ")[0])
        if self._weighed is not None:
            self.verdict, self._weighed = replace(self._weighed, best=self.answer), None
        self._idle(rest)

    def _tells(self, rest: str) -> None:
        """The score of the best line so far. A bound alone says less than the score before it."""
        found = _SCORE.search(rest)
        if self._weighed is None or found is None or found["bound"] or found["first"] not in (None, "1"):
            return
        number = int(found["number"])
        self._weighed = Verdict(float(number), None) if found["unit"] == "cp" else Verdict(None, number)


def clock_words(control: TimeControl, readings: Sequence[Reading], seat: int) -> list[str]:
    """The clocks of White and Black, and of how many moves of ``seat`` they are, as "go" has them.

    UCI has no overtime: in it a clock shows what is left of the period. Time for one move alone is "movetime".
    """
    if control.kind is TimeKind.PER_MOVE or not readings:
        return []
    words = [f"{side}time {_ms(_left_s(control, reading))}" for side, reading in zip("wb", readings, strict=True)]
    if control.increment_s:
        words += [f"{side}inc {_ms(control.increment_s)}" for side in "wb"]
    own = readings[seat]
    if control.kind is TimeKind.MOVES or (control.kind is TimeKind.CANADIAN and own.main_s <= 0):
        words.append(f"movestogo {max(1, own.moves)}")
    elif control.kind is TimeKind.BYOYOMI and own.main_s <= 0:
        words.append("movestogo 1")
    return words


def _left_s(control: TimeControl, reading: Reading) -> float:
    overtime = control.kind in (TimeKind.CANADIAN, TimeKind.BYOYOMI) and reading.main_s <= 0
    return reading.period_s if overtime else reading.main_s


def _ms(seconds: float) -> int:
    """Milliseconds, at least one: nothing left is a fallen flag."""
    return max(1, round(seconds * 1000))


def letters(name: str) -> str:
    """A rule set's name as it is compared: "king_of_the_hill" and "kingofthehill" are one."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def offered(rest: str) -> Option | None:
    """The option written after the word "option"; None where none is to be found."""
    found = _OPTION.fullmatch(rest)
    if found is None:
        return None
    words = _WORDED.findall(found["rest"])
    bounds = {word: int(text) for word, text in words if word in ("min", "max") and re.fullmatch(r"-?\d{1,18}", text)}
    choices = tuple(text for word, text in words if word == "var")
    return Option(found["name"], found["type"], bounds.get("min", 0), bounds.get("max", 0), choices)


_STEPS: Final[dict[tuple[State, str], Callable[[Uci, str], None]]] = {
    (State.GREETED, "id"): Uci._named,
    (State.GREETED, "option"): Uci._offers,
    (State.GREETED, "uciok"): Uci._introduced,
    (State.SET, "readyok"): Uci._idle,
    (State.POSITION, "readyok"): Uci._go,
    (State.GO, "info"): Uci._tells,
    (State.GO, "bestmove"): Uci._moves,
}
"""The meaning of the engine's words; all others are passed over, as the document wants."""
