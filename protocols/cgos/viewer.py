"""A viewer of CGOS: told the games that are played, and the moves of those that it looks on at, several at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocols.cgos import words
from protocols.cgos.game import Game
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.go_words.table import GAME
from protocols.go_words.vertices import COLOURS


class Viewer:
    """The memory of one viewer: the games that it was told, and those that it follows, by number."""

    def __init__(self) -> None:
        self._listed: dict[int, ntf.ListedTable] = {}
        self._watched: dict[int, Game] = {}

    def listed(self, answer: ntf.Answered) -> Iterator[bytes]:
        """A line for each game that is new, White first."""
        playing = {each.table: each for each in answer.tables if _is_shown(each)}
        for number in sorted(playing.keys() - self._listed.keys()):
            yield words.match(number, playing[number])
        self._listed = playing

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
        return words.setup(game, table, {seat: game.name(seat) for seat in (0, 1)}, game.told(), ratings, dated=True)

    def _happened(self, table: int, game: Game, event: ntf.Notification) -> Iterator[bytes]:
        match event:
            case ev.GameStarted() | ev.MovesTakenBack() | ev.GameResumed():
                yield self._set_up(table, game)
            case ev.TurnStarted() | ev.GameSettling():
                yield from self._moves(table, game)
            case ev.GameEnded():
                yield from self._moves(table, game)
                left = (words.left(game, game.clock, seat) for seat in (1, 0))
                yield words.line("gameover", table, words.outcome(event.outcome), *left)

    def _moves(self, table: int, game: Game) -> Iterator[bytes]:
        for _, vertex, left in game.news():
            yield words.line("update", table, vertex, left)


def _is_shown(listed: ntf.ListedTable) -> bool:
    return listed.playing and listed.settings.game == GAME and len(listed.names) == len(listed.ratings) == len(COLOURS)
