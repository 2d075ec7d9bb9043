"""A viewer of CGOS: told the games that are over and those that are played, and the moves of those it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protocols.cgos import words
from protocols.cgos.game import Game
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.model import Outcome
from protocols.go_words.table import GAME
from protocols.go_words.vertices import COLOURS


class Viewer:
    """The memory of one viewer: the games that are over, until it was told them, those that are played, and those that
    it follows, by number."""

    def __init__(self) -> None:
        self._ended: dict[int, ntf.ListedGame] = {}
        self._listed: dict[int, ntf.ListedTable] = {}
        self._watched: dict[int, Game] = {}

    def is_played(self, number: int) -> bool:
        """True of a game that was played when it was looked for last."""
        return number in self._listed

    def told(self, answer: ntf.Answered) -> Iterator[bytes]:
        """The lines for an answer of the server."""
        match answer.topic:
            case "ended":
                self._ended = {each.table: each for each in answer.games if len(each.names) == len(COLOURS)}
            case "tables":
                yield from self._new(answer)
            case "record":
                yield from self._replayed(answer.games[0], answer.past)

    def _new(self, answer: ntf.Answered) -> Iterator[bytes]:
        """A line for each game that is new, White first; at first for those that are over, the oldest first."""
        playing = {each.table: each for each in answer.tables if _is_shown(each)}
        for number, game in self._ended.items():
            if number not in playing:  # its players have begun another
                yield words.ended(game)
        for number in sorted(playing.keys() - self._listed.keys()):
            yield words.match(number, playing[number])
        self._listed, self._ended = playing, {}

    def _replayed(self, ended: ntf.ListedGame, past: Sequence[ev.Event]) -> Iterator[bytes]:
        """A game that is over: all of its moves, and its end."""
        game = Game()
        game.catch_up(None, past)
        ratings = {seat: str(found) for seat, found in enumerate(ended.ratings) if found is not None}
        names = dict(enumerate(ended.names))
        yield words.setup(game, ended.table, names, game.told(), ratings, dated=words.moment(ended))
        yield self._over(ended.table, game, ended.outcome)

    def step(self, table: int, messages: Iterable[ntf.ToldAside]) -> Iterator[bytes]:
        """The lines of a table's step."""
        for message in messages:
            if isinstance(message, ntf.Unwatched):
                self._watched.pop(table, None)
            elif isinstance(message, ntf.Seated):
                game = self._watched[table] = Game()
                game.catch_up(None, message.past)
                if game.started:
                    yield self._set_up(table, game)
            elif (followed := self._watched.get(table)) is not None:
                followed.fold(message)
                yield from self._happened(table, followed, message)

    def _set_up(self, table: int, game: Game) -> bytes:
        game.untold = len(game.moves)
        known = self._listed[table].ratings if table in self._listed else ()
        ratings = {seat: str(found) for seat, found in enumerate(known) if found is not None}
        names = {seat: game.name(seat) for seat in (0, 1)}
        return words.setup(game, table, names, game.told(), ratings, dated=words.UNDATED)

    def _happened(self, table: int, game: Game, event: ntf.Notification) -> Iterator[bytes]:
        match event:
            case ev.GameStarted() | ev.MovesTakenBack() | ev.GameResumed():
                yield self._set_up(table, game)
            case ev.TurnStarted() | ev.GameSettling():
                yield from self._moves(table, game)
            case ev.GameEnded():
                yield from self._moves(table, game)
                yield self._over(table, game, event.outcome)

    def _over(self, table: int, game: Game, outcome: Outcome) -> bytes:
        left = (words.left(game, game.clock, seat) for seat in (1, 0))
        return words.line("gameover", table, words.outcome(outcome), *left)

    def _moves(self, table: int, game: Game) -> Iterator[bytes]:
        for _, vertex, left in game.news():
            yield words.line("update", table, vertex, left)


def _is_shown(listed: ntf.ListedTable) -> bool:
    return (
        listed.playing
        and not listed.over
        and listed.settings.game == GAME
        and len(listed.names) == len(listed.ratings) == len(COLOURS)
    )
