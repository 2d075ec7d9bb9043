"""Tests of the figures: every shape has one, in paths and roles that every client knows."""

from __future__ import annotations

import re

from gateway.games.arimaa.animals import ANIMALS
from gateway.games.figures import HOOP, TURNED, figures
from gateway.games.look import BOX, SHAPES

ROLES = {"shade", "body", "edge", "line", "trace", "fill", "spot", "sheen", "thin"}


def test_every_shape_has_a_figure() -> None:
    assert set(figures()) == SHAPES | {HOOP} | set(TURNED)


def test_parts_are_paths_with_known_roles_that_begin_inside_the_box() -> None:
    for name, parts in {**figures(), **ANIMALS}.items():
        assert parts, name
        for path, role in parts:
            assert role in ROLES
            assert re.fullmatch(r"[MmLlHhVvCcQqSsAaZz0-9 ,.\-]+", path), name
            x, y = map(float, re.findall(r"-?[0-9.]+", path)[:2])
            assert 0 <= x <= BOX
            assert 0 <= y <= BOX


def test_solid_and_open_chess_pieces_differ_and_each_has_a_body() -> None:
    for kind in ("king", "queen", "rook", "bishop", "knight", "pawn"):
        solid, open_one = figures()[kind], figures()[f"open {kind}"]
        assert {role for _, role in solid} >= {"body"} <= {role for _, role in open_one}
    assert "line" in {role for _, role in figures()["king"]}
    assert "line" not in {role for _, role in figures()["open king"]}


def test_the_knights_eye_is_turned_as_its_matrix_says() -> None:
    """(15, 15.5) by matrix(0.866, 0.5, -0.5, 0.866, 9.693, -5.173) is (14.93, 15.75)."""
    assert any(path.startswith("M14.93 15.75A0.5 1.5 30 1 1 ") for path, _ in figures()["knight"])
