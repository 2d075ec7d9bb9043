"""Writes the parts of docs/games that are made from the rules: squares, pieces, seats, first positions, routes, ends.

They say what ``GET /api/games/NAME`` answers (gateway/web/api_game.py), for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from gateway import registry
from gateway.web.api_game import Beginning, RuleSetTold, WholeGame, whole_game
from tests.playthroughs.form import files, read

FOLDER: Final = Path(__file__).parent.parent / "docs" / "games"

PAGE: Final = """# {title}

<!-- made: game_{name} -->
<!-- made: end -->

## A sample game

<!-- made: sample_{name} -->
<!-- made: end -->
"""
"""What the page of a game begins as; people write the rest of it below."""


def index() -> Iterator[str]:
    """Every game with the link to its page."""
    yield from ("", "| game | name on the wires | |", "|---|---|---|")
    for name, game in registry.games().items():
        yield f"| [{game.title}](games/{name}.md) | `{name}` | {game.guide.goal} |"
    yield ""


def page(name: str) -> Iterator[str]:
    """All that the rules say of a game."""
    game = whole_game(registry.game(name))
    for part in (_rules, _squares, _seats, _pieces, _positions, _routes, _moves, _options, _ends):
        yield from part(game)
    yield ""


def _rules(game: WholeGame) -> Iterator[str]:
    for paragraph in (game.goal, *game.play, *game.end):
        yield from ("", paragraph)
    yield from (
        "",
        "## Rule sets",
        "",
        f"The name on the wires is `{game.game}`; the first rule set is the default.",
        "",
    )
    yield from ("| rule set | | board | seats |", "|---|---|---|---|")
    for rules in game.variants:
        seats = ", ".join(str(beginning.seats) for beginning in rules.beginnings)
        board = f"{rules.width}x{rules.height}"
        yield f"| `{rules.name}` | {rules.title}. {' '.join(rules.text)} | {board} | {seats} |"


def _squares(game: WholeGame) -> Iterator[str]:
    yield from ("", "## Squares", "")
    yield "A square's number is `y * width + x`, from 0 at the top left. It is the same for all seats, and in every"
    yield "dialect that has numbers."
    boards: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for rules in game.variants:
        boards.setdefault((rules.width, tuple(rules.squares)), []).append(rules.name)
    for (width, names), rule_sets in boards.items():
        numbers = [str(at) if name else "" for at, name in enumerate(names)]
        if len(boards) > 1:
            yield from ("", f"{_listed(rule_sets, game)}, {width}x{len(names) // width}:")
        yield from ("", "```", *_drawn(numbers, names, width), "```")
        if not _labels(names, width)[0]:
            yield from ("", "The names of these squares:", "", "```", *_drawn(list(names), names, width), "```")


def _seats(game: WholeGame) -> Iterator[str]:
    tables: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for rules in game.variants:
        for beginning in rules.beginnings:
            names = tuple(side.name for side in beginning.sides)
            tables.setdefault((names, beginning.first), []).append(rules.name)
    yield from ("", "## Seats", "", "| rule sets | seats, from 0 | begins |", "|---|---|---|")
    for (names, first), rule_sets in tables.items():
        begins = f"seat {first}, {names[first]}" + (": the die is rolled for it" if game.dice else "")
        yield f"| {_listed(rule_sets, game)} | {', '.join(names)} | {begins} |"
    turned = {side.name for rules in game.variants for table in rules.beginnings for side in table.sides if side.turned}
    if turned:
        yield from ("", f"Our clients turn the board for {' and '.join(sorted(turned))}. Squares keep their numbers.")


def _pieces(game: WholeGame) -> Iterator[str]:
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for rules in game.variants:
        for piece in rules.pieces:
            found.setdefault((piece.piece, piece.side or "", piece.shape, piece.colour), []).append(rules.name)
    yield from ("", "## Pieces", "")
    if not found:
        yield "The server knows no pieces here."
        return
    letters = _letters(game.game)
    yield from ("| word on the board | side | letter in diagrams | our clients draw |", "|---|---|---|---|")
    for word, side, shape, colour in found:
        letter = f"`{letters[word]}`" if word in letters else ""
        yield f"| `{word}` | {side} | {letter} | {shape}, `{colour}` |"


def _positions(game: WholeGame) -> Iterator[str]:
    yield from ("", "## First position")
    groups: dict[tuple[str, ...], list[tuple[RuleSetTold, Beginning]]] = {}
    for rules in game.variants:
        for beginning in rules.beginnings:
            groups.setdefault(tuple(beginning.diagram), []).append((rules, beginning))
    for diagram, tables in groups.items():
        rules, beginning = tables[0]
        yield from ("", f"{_tables(tables, game)}:", "")
        if game.judged:
            cells = [letter if name else "" for letter, name in zip("".join(diagram), rules.squares, strict=True)]
            yield from ("```", *_drawn(cells, rules.squares, rules.width), "```", "")
        yield from _standing(beginning)
        texts: dict[str, list[tuple[RuleSetTold, Beginning]]] = {}
        for one in tables:
            texts.setdefault(one[1].position, []).append(one)
        for text, same in texts.items():
            of = f" ({_tables(same, game)})" if len(texts) > 1 else ""
            yield f"* as `start` writes it{of}: `{text}`"


def _standing(beginning: Beginning) -> Iterator[str]:
    squares: dict[str, list[int]] = {}
    for one in beginning.board:
        squares.setdefault(one.piece, []).append(one.square)
    for piece, standing in squares.items():
        yield f"* `{piece}`: {', '.join(map(str, standing))}"
    if not squares:
        yield "* no piece stands on the board"
    for seat, hand in enumerate(beginning.hands):
        pieces = ", ".join(f"{count} `{piece}`" for piece, count in hand.items())
        yield f"* in hand, seat {seat}: {pieces or 'nothing'}"


def _routes(game: WholeGame) -> Iterator[str]:
    rules, beginning = max(
        ((rules, beginning) for rules in game.variants for beginning in rules.beginnings),
        key=lambda one: len(one[1].routes),
    )
    if not beginning.routes:
        return
    first = beginning.sides[0].name
    yield from (
        "",
        "## Routes",
        "",
        "All pieces of a side walk the same squares, whatever the rule set and the number of seats.",
    )
    yield from (f"The steps of {first}, from 0:", "", "```")
    steps = {square: str(step) for step, square in enumerate(beginning.routes[0].walks)}
    cells = [steps.get(at, "-" if name else "") for at, name in enumerate(rules.squares)]
    yield from (*_drawn(cells, rules.squares, rules.width), "```")
    longest = beginning.routes[0].home
    yield from (
        "",
        f"The last {longest} steps are the home of the side. The squares of every side:",
    )
    yield from (
        "",
        "| side | waits on | first square | walks on to | home | sent back to |",
        "|---|---|---|---|---|---|",
    )
    for route in beginning.routes:
        ring, home = route.walks[1 : -route.home], route.walks[-route.home :]
        parts = (route.waits, [route.walks[0]], ring, home, route.sent_back)
        yield f"| {beginning.sides[route.seat].name} | {' | '.join(', '.join(map(str, part)) for part in parts)} |"
    yield from (
        "",
        "Pieces leave the squares where they wait in the order shown. One that is sent back goes to the first empty",
    )
    yield "one of the last column."


def _moves(game: WholeGame) -> Iterator[str]:
    yield from (
        "",
        "## Moves",
        "",
        "A move is a square to come from, a square to go to, and a piece; each may be missing.",
    )
    for paragraph in game.moves:
        yield from ("", paragraph)
    yield from ("", "## Notation")
    for paragraph in game.notation:
        yield from ("", paragraph)


def _options(game: WholeGame) -> Iterator[str]:
    if game.options:
        yield from ("", "## Options", "", "| option of a table | | values | if left out |", "|---|---|---|---|")
    for option in registry.game(game.game).options:
        title, usual = f"{option.title}: {option.text}", f"`{option.usual}`" if option.usual else "depends"
        of = f" ({', '.join(f'`{name}`' for name in option.rules)} only)" if option.rules else ""
        yield f"| `{option.name}` | {title}{of} | {option.values} | {usual} |"


def _ends(game: WholeGame) -> Iterator[str]:
    yield from ("", "## Ends", "")
    ends: dict[tuple[str, str, str], list[str]] = {}
    for rules in game.variants:
        for end in rules.ends:
            ends.setdefault((end.detail, end.reason.value, end.text), []).append(rules.name)
    if not ends:
        yield "The rules end no game. [What ends every game](../games.md#ends-of-every-game) does."
        return
    yield from ("`N` is a number. [Other ends](../games.md#ends-of-every-game) are those of every game.", "")
    yield from ("| `detail` | `reason` | | rule sets |", "|---|---|---|---|")
    for (detail, reason, text), rule_sets in ends.items():
        yield f"| `{detail}` | `{reason}` | {text} | {_listed(rule_sets, game)} |"


def _listed(rule_sets: Iterable[str], game: WholeGame) -> str:
    """The names of rule sets; all of them are "all"."""
    names = list(dict.fromkeys(rule_sets))
    if len(names) == len(game.variants) > 1:
        return "all"
    return ", ".join(f"`{name}`" for name in names)


def _tables(tables: Iterable[tuple[RuleSetTold, Beginning]], game: WholeGame) -> str:
    """Rule sets and, where one has several, numbers of seats."""
    found = list(tables)
    several = any(len(rules.beginnings) > 1 for rules in game.variants)
    words: dict[int, list[str]] = {}
    for rules, beginning in found:
        words.setdefault(beginning.seats, []).append(rules.name)
    return "; ".join(
        _listed(names, game) + (f" with {seats} seats" if several else "") for seats, names in words.items()
    )


def _drawn(cells: list[str], names: Iterable[str], width: int) -> Iterator[str]:
    """The cells of a board in rows, with the rows' numbers and the columns' letters where names have them."""
    ranks, columns = _labels(names, width)
    room = max(map(len, cells))
    left = max(map(len, ranks), default=0)
    for row, at in enumerate(range(0, len(cells), width)):
        label = f"{ranks[row]:>{left}}  " if ranks else ""
        yield (label + " ".join(f"{cell:>{room}}" for cell in cells[at : at + width])).rstrip()
    if columns:
        yield " " * (left + 2) + " ".join(f"{letter:>{room}}" for letter in columns)


def _labels(names: Iterable[str], width: int) -> tuple[list[str], list[str]]:
    """The numbers of the rows and the letters of the columns; none where squares have other names."""
    split = [re.fullmatch(r"([a-zA-Z])(\d+)", name) for name in names]
    if not all(found or not name for found, name in zip(split, names, strict=True)):
        return [], []
    ranks, columns = {}, {}
    for at, found in enumerate(split):
        if found is not None:
            columns[at % width], ranks[at // width] = found[1], found[2]
    if not columns:
        return [], []
    return [ranks.get(row, "") for row in range(len(split) // width)], [columns.get(x, "") for x in range(width)]


@cache
def _letters(name: str) -> Mapping[str, str]:
    """By a piece's word, its letter in diagrams, from the positions of the game's playthroughs."""
    found: dict[str, str] = {}
    for path in files():
        played = read(path.read_text(encoding="utf-8"))
        if played.game == name:
            game = played.rules()
            for position in played.positions():
                cells = game.diagram(position).replace("\n", "")
                found |= {word: cells[square] for square, word in game.board(position).items()}
    return found


def missing() -> list[str]:
    """The games without a page."""
    return [name for name in registry.games() if not (FOLDER / f"{name}.md").exists()]


def begin_missing() -> None:
    """Write the pages that are not there yet, with their made parts still empty."""
    for name in missing():
        text = PAGE.format(name=name, title=registry.game(name).title)
        (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
