"""A plug-in is one file, one entry-point line, and one playthrough or transcript."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway import registry
from gateway.games.base import Game
from protocols.core.dialect import Dialect
from tests.playthroughs import form
from tests.transcripts import replay

RULE_SETS = [
    (name, variant.name)
    for name, game in registry.games().items()
    for variant in (game.variants if game.judged else game.variants[:1])
]
"""Games that do not judge: their rule sets are names and board sizes, and one playthrough shows them."""

PUBLIC = sorted(name for name, dialect in registry.dialects().items() if dialect.public)

GUESSING = '''\
"""Guess the number: one seat, one move."""

from gateway.games.base import Game, Variant
from protocols.core.errors import IllegalMove
from protocols.core.model import Move, Outcome, Reason


class Guessing(Game):
    name = "guessing"
    title = "Guess the Number"
    variants = (Variant("standard", 2, 1, "Which of two squares?"),)
    sides = ("guesser", "watcher")

    def start(self, settings):
        return ""

    def to_move(self, position):
        return None if position else 0

    def play(self, position, move):
        if position or move not in self.legal_moves(position):
            raise IllegalMove("not a guess")
        return "left" if move.target == 0 else "right"

    def outcome(self, position):
        return Outcome(int(position == "left"), Reason.RULES) if position else None

    def legal_moves(self, position):
        return [] if position else [Move(None, 0, "guess"), Move(None, 1, "guess")]

    def board(self, position):
        return {["left", "right"].index(position): "guess"} if position else {}

    def text(self, position):
        return position

    def diagram(self, position):
        return {"": "..", "left": "g.", "right": ".g"}[position]

    def notation(self, position, move):
        return "left" if move.target == 0 else "right"
'''


@pytest.fixture
def unknown_registry() -> Iterator[None]:
    """Clear the registry's caches before and after the test."""
    registry.forget()
    yield
    registry.forget()


@pytest.mark.parametrize(("game", "variant"), RULE_SETS)
def test_every_rule_set_of_every_game_has_a_playthrough(game: str, variant: str) -> None:
    kept = [form.read(path.read_text(encoding="utf-8")).settings() for path in form.files()]
    assert (game, variant) in {(settings.game, settings.variant) for settings in kept}


def test_every_playthrough_is_of_an_installed_game() -> None:
    kept = {form.read(path.read_text(encoding="utf-8")).game for path in form.files()}
    assert kept == set(registry.games())


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_dialect_has_transcripts(name: str) -> None:
    assert replay.files(name)


def test_every_transcript_is_of_an_installed_dialect() -> None:
    assert {path.parent.name for path in replay.files()} <= set(registry.dialects())


@pytest.mark.parametrize("name", registry.games())
def test_a_game_is_registered_under_its_own_name(name: str) -> None:
    game = registry.games()[name]
    assert isinstance(game, Game)
    assert game.name == name
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    assert game.title


@pytest.mark.parametrize("name", registry.games())
def test_rule_sets_have_different_names_and_a_sentence_each(name: str) -> None:
    variants = registry.games()[name].variants
    assert len({variant.name for variant in variants}) == len(variants) > 0
    assert all(variant.text.endswith(".") and "\n" not in variant.text for variant in variants)
    assert all(variant.seats and variant.width > 0 and variant.height > 0 for variant in variants)


@pytest.mark.parametrize("name", registry.games())
def test_every_seat_has_a_side(name: str) -> None:
    game = registry.games()[name]
    assert len(game.sides) >= max(seats for variant in game.variants for seats in variant.seats)


@pytest.mark.parametrize("name", registry.dialects())
def test_a_dialect_is_registered_under_its_own_name(name: str) -> None:
    dialect = registry.dialects()[name]
    assert issubclass(dialect, Dialect)
    assert dialect.name == name
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)
    assert not inspect.isabstract(dialect)


@pytest.mark.parametrize("name", registry.dialects())
def test_every_option_of_a_dialect_has_a_line_of_help(name: str) -> None:
    for option, text in registry.dialects()[name].options.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", option)
        assert text
        assert "\n" not in text


def install(folder: Path, distribution: str, lines: str, **modules: str) -> None:
    """Put a distribution with these entry points and modules into ``folder``."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    installed = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(lines)


@pytest.mark.usefixtures("unknown_registry")
def test_a_game_of_another_distribution_needs_one_file_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "guessing-game", "[boardgate.games]\nguessing = guessing_game:Guessing\n", guessing_game=GUESSING)
    monkeypatch.syspath_prepend(str(tmp_path))
    game = registry.game("Guessing")
    assert list(registry.games()) == sorted(registry.games())
    assert "tic_tac_toe" in registry.games()
    settings = game.settings()
    assert (settings.game, settings.variant, settings.width, settings.seats) == ("guessing", "standard", 2, 2)
    assert game.changes(game.start(settings), game.legal_moves(game.start(settings))[1]) == [(1, "guess")]


@pytest.mark.parametrize(
    ("group", "line", "wrong"),
    [
        ("games", "falls = falling:Falls", "the game 'falls' is left out, falling:Falls of falls 1.0 does not load: "),
        ("games", "falls = absent:Falls", "does not load: ModuleNotFoundError: No module named 'absent'"),
        ("games", "falls = nothing:Absent", "does not load: AttributeError"),
        ("games", "falls = nothing:Other", "does not load: TypeError: nothing:Other is no game called 'falls'"),
        ("dialects", "falls = falling:Falls", "the dialect 'falls' is left out"),
        ("dialects", "falls = nothing:Other", "does not load: TypeError: nothing:Other is no dialect called 'falls'"),
    ],
)
@pytest.mark.usefixtures("unknown_registry")
def test_a_plug_in_that_does_not_load_is_named_in_one_line_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str, line: str, wrong: str
) -> None:
    modules = {"falling": "raise RuntimeError('two\\nlines')\n", "nothing": "class Other:\n    name = 'falls'\n"}
    install(tmp_path, "falls", f"[boardgate.{group}]\n{line}\n", **modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    (said,) = registry.left_out()
    assert wrong in said
    assert "\n" not in said
    assert "falls" not in {*registry.games(), *registry.dialects()}
    assert registry.game("chess").name == "chess"


@pytest.mark.parametrize("group", ["games", "dialects"])
@pytest.mark.usefixtures("unknown_registry")
def test_two_plug_ins_of_one_name_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    install(tmp_path, "one", f"[boardgate.{group}]\nfalls = one:Falls\n")
    install(tmp_path, "other", f"[boardgate.{group}]\nfalls = other:Falls\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(registry.TwoPlugIns, match=r"'falls': one:Falls of one 1.0 and other:Falls of other 1.0"):
        registry.left_out()
