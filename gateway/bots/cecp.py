"""CECP, the protocol of XBoard's engines: the GUI's side, as lines and without I/O.

Each question is set up as a position and the moves since; "new" says that another game begins. The engine is in force
mode between its moves. It is told "st", seconds for a move, and the table's clock instead where that is short.
Pondering and draw offers are not supported. Messages for GUIs are in protocols.cecp.
Source: Chess Engine Communication Protocol, version 2, by Tim Mann and H.G. Muller.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar, Final

from gateway.bots.conversation import Conversation, Question, Resigned, Unsuited
from gateway.bots.uci import FRUGAL, HASH_MB, PAST, letters
from gateway.games.base import Game
from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.model import Move, Reading, TimeControl, TimeKind

PROMOTED: Final = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}

STANDARD: Final = "normal"
"""The rule set that every engine knows. The others are called by the same letters there as here."""

DEPTHS: Final = {1: 1, 2: 4}
"""By level, plies of search. The highest level has no bound but time: CECP has no word for strength."""

FEATURES_MAX: Final = 500
"""Features an engine may name; the richest have some fifty, one of them for each option."""

_FEATURE: Final = re.compile(r'(\w+)=("[^"]*"|\S+)')
_MOVE: Final = re.compile(r"(?:move|My move is ?:|\d+\. ?\.\.\.)\s+(\S+).*")
_STRANGER: Final = re.compile(r"(?i)(?:error|unknown|illegal)\b.*\b(?:xboard|protover)\b.*")


class State(Enum):
    """The last thing said."""

    GREETED = "protover"
    IDLE = "nothing: it can be asked"
    POSITION = "ping, after the position"
    GO = "go"


class Cecp(Conversation):
    """The conversation with one process that speaks CECP."""

    games: ClassVar[tuple[str, ...]] = ("chess",)
    may_be_silent: ClassVar[bool] = True

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._features: dict[str, str] = {}
        self._offered: dict[str, str] = {}
        self._rules = ""
        self._fresh = True
        self._variant = ""
        self._known: Any = None
        """The position on the engine's board after its last move; None where that is not known."""
        self._pings = 0
        self._state = State.GREETED
        self._say("xboard")
        self._say("protover 2")

    def ask(self, question: Question) -> None:
        if self._state is not State.IDLE:
            raise LocalProtocolError(f"asked an engine that is not idle but at {self._state.name}")
        self._begin(question)
        if self._features.get("setboard") == "1":
            self._set_up(question)
        else:
            self._follow(question)
        self._known = None
        self._time(question)
        self._question, self.answer, self.ready = question, None, False
        if self._features.get("ping") == "1":
            self._pings += 1
            self._say(f"ping {self._pings}")
            self._state = State.POSITION
        else:
            self._go()

    def receive_line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self._state is State.GREETED:
            if _STRANGER.fullmatch(line):
                raise RemoteProtocolError(f"it does not speak CECP: {line[:60]!r}")
            if word == "feature":
                self._names_features(rest)
        elif self._state is State.POSITION and word == "pong" and rest.strip() == str(self._pings):
            self._go()
        elif word.lower() == "illegal" and self._question is not None:
            raise RemoteProtocolError(f"it refuses a legal position or move: {line[:60]!r}")
        elif self._state is State.GO:
            self._answers(line)

    def hurry(self) -> None:
        """Move now; an engine that has not answered the greeting by now speaks the first version, without features."""
        if self._state is State.GO:
            self._say("?")
        elif self._state is State.GREETED and self._features.get("done") != "0":
            self._introduced()

    def _names_features(self, rest: str) -> None:
        for name, value in _FEATURE.findall(rest):
            text = value.strip('"')
            self._say(f"accepted {name}")
            if name == "option":
                option, _, kind = text.partition(" -")
                self._offered[option.lower()] = f"{option} -{kind}"
            else:
                self._features[name] = text
            if len(self._features) + len(self._offered) > FEATURES_MAX:
                raise RemoteProtocolError(f"more than {FEATURES_MAX} features")
        self.called = self._features.get("myname", self.called)
        if self._features.get("done") == "1":
            self._introduced()

    def _introduced(self) -> None:
        """The engine has said everything of itself: set what is to be set."""
        if self._features.get("memory") == "1":
            self._say(f"memory {HASH_MB}")
        if self._features.get("smp") == "1":
            self._say(f"cores {FRUGAL['Threads']}")
        for name, value in self.options.items():
            if name.lower() in self._offered:
                self._say(f"option {self._offered[name.lower()].partition(' -')[0]}={value}")
            else:
                self.remarks.append(f"there is no option {name!r}")
        self._state, self.ready = State.IDLE, True

    def _begin(self, question: Question) -> None:
        """Another game, or the same one. Unsuited: the engine does not have these rules."""
        rules, known = question.position.rules, self._features.get("variants", STANDARD).split(",")
        named = next((name for name in known if letters(name) == letters(rules)), None)
        if named is None and rules != STANDARD:
            raise Unsuited(f"{self.who} does not play {rules}")
        self._fresh = question.bot_context is None or question.bot_context != self._bot_context or rules != self._rules
        if self._fresh:
            self._known, self._variant = None, named or ""
            self._new()
        self._bot_context, self._rules = question.bot_context, rules
        self._say("force")

    def _new(self) -> None:
        """The first position of these rules; "force" follows."""
        self._say("new")
        if self._variant not in ("", STANDARD):
            self._say(f"variant {self._variant}")
        self._say("easy")
        self._say("nopost")

    def _set_up(self, question: Question) -> None:
        now, _, past = question.game.text(question.position).partition(PAST)
        shuffled = question.position.rules == "fischerandom"  # castling has other words there: it is set up afterwards
        fen, _, moves = (now if shuffled or not past else past).partition(" moves ")
        self._say(f"setboard {fen}")
        for move in moves.split():
            self._move(move)

    def _follow(self, question: Question) -> None:
        """The opponent's move since the last answer, or the first one; else the board piece by piece.

        "edit" knows neither whose turn it is nor what may be castled. A move of White before it makes it Black's turn.
        """
        game, now = question.game, question.position
        first = game.start(game.settings(now.rules))
        for before in (self._known, first):
            if before is not None and (self._fresh or before is self._known):
                step = _step(game, before, game.brief(now))
                if step is not None:
                    self._moves(step)
                    return
        if not self._fresh:
            self._new()
            self._say("force")
        if question.seat:
            self._move("a2a3")
        for line in edited(game.brief(now)):
            self._say(line)

    def _moves(self, moves: str) -> None:
        for move in moves.split():
            self._move(move)

    def _move(self, move: str) -> None:
        self._say(f"usermove {move}" if self._features.get("usermove") == "1" else move)

    def _time(self, question: Question) -> None:
        """Seconds for this move; or the clock, where a move may not take so long, and CECP has words for it."""
        if question.level in DEPTHS:
            self._say(f"sd {DEPTHS[question.level]}")
        words = None if question.time is None else session_words(question.time)
        if words is None or not question.pressed:
            self._say(f"st {max(1, math.floor(question.brief_s))}")
            return
        own, other = question.readings[question.seat], question.readings[1 - question.seat]
        self._say(f"level {words}")
        self._say(f"time {_centiseconds(own)}")
        self._say(f"otim {_centiseconds(other)}")

    def _go(self) -> None:
        self._say("go")
        self._state = State.GO

    def _answers(self, line: str) -> None:
        """Take in a move or a resignation; all else that it says while it thinks is passed over."""
        if line.strip().lower() == "resign" or line.startswith(("0-1", "1-0")):
            self._rests()
            raise Resigned(f"{self.who} resigns")
        found = _MOVE.fullmatch(line)
        if found is None or self._question is None:
            return
        self.answer, self._known = self._played("move", found[1])
        self._rests()

    def _rests(self) -> None:
        self._say("force")
        self._question, self._state, self.ready = None, State.IDLE, True


def _step(game: Game[Any], before: Any, now: str) -> str | None:
    """The move that leads from ``before`` to the FEN ``now``, "" where that is there already; None: no single one."""
    if game.brief(before) == now:
        return ""
    for move in game.legal_moves(before) if game.to_move(before) is not None else ():
        after = game.play(before, move)
        if game.brief(after) == now:
            return written(move)
    return None


def written(move: Move) -> str:
    """A move of the usual pieces as CECP has it: e2e4, e7e8q."""
    squares = "".join(f"{'abcdefgh'[at % 8]}{8 - at // 8}" for at in (move.source, move.target) if at is not None)
    return squares + PROMOTED.get(move.piece.rpartition(" ")[2], "")


def edited(fen: str) -> list[str]:
    """The lines of "edit" that make this board: White's pieces, "c", Black's."""
    pieces: dict[bool, list[str]] = {True: [], False: []}
    for row, rank in enumerate(fen.partition(" ")[0].split("/")):
        column = 0
        for letter in rank:
            if letter.isdigit():
                column += int(letter)
                continue
            pieces[letter.isupper()].append(f"{letter.upper()}{'abcdefgh'[column]}{8 - row}")
            column += 1
    return ["edit", "#", *pieces[True], "c", *pieces[False], "."]


def session_words(control: TimeControl) -> str | None:
    """The words of "level": moves a session, minutes and seconds, increment. None: CECP has none for such a clock."""
    minutes, seconds = divmod(int(control.main_s), 60)
    match control.kind:
        case TimeKind.ABSOLUTE | TimeKind.FISCHER:
            return f"0 {minutes}:{seconds:02} {control.increment_s:g}"
        case TimeKind.MOVES:
            return f"{control.moves} {minutes}:{seconds:02} {control.increment_s:g}"
        case _:
            return None


def _centiseconds(reading: Reading) -> int:
    return max(1, round(reading.main_s * 100))
