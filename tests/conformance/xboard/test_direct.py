"""Two XBoards without a server: one adapter listens, the other calls, as the protocol was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.free_port import free_port
from tests import peers
from tests.conformance.xboard.programs import MATCH, adapter, any_move, assert_same, engine, said, xboard

pytestmark = peers.needed


@pytest.mark.parametrize(("white", "black"), [("hoichess", "stockfish"), ("stockfish", "hoichess")])
def test_two_engines_play_a_whole_game_and_both_xboards_exit(
    display: str, tmp_path: Path, white: str, black: str
) -> None:
    """In automatic play the game starts, is played and ends by itself; both records are the same."""
    address = f"127.0.0.1:{free_port()}"
    with (
        xboard(
            display, tmp_path / "white", *MATCH, first=engine(white), second=adapter("--listen", address)
        ) as listens,
        xboard(display, tmp_path / "black", *MATCH, first=adapter(address), second=engine(black)) as calls,
    ):
        games = listens.ends_by_itself(), calls.ends_by_itself()
    assert_same(*games)
    shown = [line.split()[0] for line in said(calls.log, "gui >")]
    assert "telluser" not in shown[shown.index("move") :], "nobody reads windows in automatic play"


@pytest.mark.parametrize("variant", ["crazyhouse", "fischerandom"])
def test_a_variant_is_played_with_its_own_moves(display: str, tmp_path: Path, variant: str) -> None:
    """Drops and Chess960's castling cross as they are."""
    start = tmp_path / "start.fen"
    start.write_text("qnrkrbbn/pppppppp/8/8/8/8/PPPPPPPP/QNRKRBBN w KQkq - 0 1\n")
    address, chosen = f"127.0.0.1:{free_port()}", [*MATCH, "-variant", variant]
    if variant == "fischerandom":
        chosen += ["-loadPositionFile", str(start)]
    with (
        xboard(display, tmp_path / "white", *chosen, first=any_move(1), second=adapter("--listen", address)) as listens,
        xboard(display, tmp_path / "black", *chosen, first=adapter(address), second=any_move(2)) as calls,
    ):
        games = listens.ends_by_itself(), calls.ends_by_itself()
    assert_same(*games)
    assert games[0].headers["Variant"] == variant
    special = "@" if variant == "crazyhouse" else "O-O"
    assert any(special in line for line in said(calls.log, "peer >")), f"no {special} was played"
