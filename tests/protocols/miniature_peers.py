"""Two Miniature clients at one table, alice and bob, and the positions that tests of them need."""

from __future__ import annotations

from protocols.core.dialect import Dialect
from protocols.miniature.dialect import Miniature
from tests.protocols.duel import Duel
from tests.protocols.talk import heard

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
E4_E5_NF3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


class Two(Duel):
    """``alice`` sits down first; both are at the table, and neither has sought a game."""

    def __init__(self) -> None:
        super().__init__()
        self.alice, self.bob = self.come(Miniature()), self.come(Miniature())
        self.ask(self.alice, "tell gateway name alice", "seek 1 0 r w")
        self.ask(self.bob, "tell gateway name bob", "seek 99 0 r w")
        heard(self.alice)

    def both(self, peer: Dialect, *lines: str) -> tuple[list[str], list[str]]:
        """Return the lines to the asking peer, and those to the other."""
        own = self.ask(peer, *lines)
        return own, heard(self.bob if peer is self.alice else self.alice)

    def lines(self, peer: Dialect, *lines: str) -> tuple[list[str], list[str]]:
        """The same without the gateway's own words."""
        own, others = self.both(peer, *lines)
        return draft(own), draft(others)


def draft(lines: list[str]) -> list[str]:
    """Return those of these lines that are in the draft."""
    return [line for line in lines if not line.startswith("tell gateway ")]


def playing(*moves: str, seek: str = "seek 0 0 u w") -> Two:
    """A game that alice plays White in, after these moves, without a clock unless the seek sets one."""
    two = Two()
    two.both(two.alice, seek)
    two.both(two.bob, "play")
    for ply, move in enumerate(moves):
        two.both(two.bob if ply % 2 else two.alice, f"move {move}")
    return two
