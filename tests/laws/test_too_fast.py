"""A move that is refused for its address's sake is refused in the words of every dialect, and costs nobody the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from gateway import registry
from protocols.core.commands import PlayMove
from protocols.core.dialect import Dialect
from protocols.core.errors import Why
from protocols.core.notifications import Rejected
from protocols.core.text import read
from tests.transcripts import replay as transcripts

TEXT: Final = "too much of your address is stored just now; try again in 3 s"

SILENT: Final = {"ggzboard"}
"""Dialects that have no word for a refused move."""


def after_a_move(name: str) -> Iterator[Dialect]:
    """Peers of this dialect that have just asked for a move, and heard nothing of it."""
    for path in transcripts.files(name):
        dialect = transcripts.spoken(path)
        script = transcripts.parse(dialect, path.read_text())
        peer = dialect(script.options)
        peer.connected()
        for step in script.steps():
            if step.told:
                transcripts.tell(peer, read(step.told))
                asked = peer.prompted()
            elif step.wire is None:
                asked = transcripts.resumed(peer).commands
            else:
                asked = transcripts.arrive(peer, [step.wire], held=step.held).commands
            transcripts.drained(peer)
            if len(asked) == 1 and isinstance(asked[0], PlayMove):
                yield peer
                break


@pytest.mark.parametrize("name", sorted(registry.dialects()))
def test_a_move_that_comes_too_fast_is_refused_in_words_and_the_game_goes_on(name: str) -> None:
    peers = list(after_a_move(name))
    assert peers
    for peer in peers:
        peer.send(Rejected(Why.TOO_FAST, TEXT))
        wire = transcripts.drained(peer) + (transcripts.resumed(peer).wire if peer.held else b"")
        told = wire.decode(errors="replace")
        assert (TEXT in told) != (name in SILENT), told
        assert peer.prompted() == []
        assert not peer.closing
