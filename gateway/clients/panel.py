"""The side panel's texts: who sits where, whose turn it is, the die, the pieces to place, and the waiting screen.

Not here: widgets (player_app.py). Pure: each function makes one text of the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from textual.content import Content

from gateway.clients.countdown import Shown
from gateway.clients.drawing import INK
from gateway.clients.joining import Address, Wish
from gateway.clients.mirror import Mirror, Phase
from gateway.clients.news import News, Tone
from gateway.games.base import Game
from gateway.games.look import Piece, belongs
from protocols.core.model import Seat, SeatKind

PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
"""The faces of a die."""

KINDS = {
    SeatKind.OPEN: "open",
    SeatKind.BOT: "bot",
    SeatKind.RESERVED: "away",
    SeatKind.ABANDONED: "gone",
    SeatKind.NONE: "none",
}

MARK_COLUMNS = 5
"""Columns before a player's name: the mark of the turn, the emblem, a blank."""

TONES = {
    Tone.MOVE: "",
    Tone.PEOPLE: "$text-accent",
    Tone.REFUSAL: "$text-error",
    Tone.GAME: "bold",
    Tone.CHAT: "italic $text-accent",
}
"""How a line of news is written, by its kind."""


def players(mirror: Mirror, width: int) -> Content:
    """A line a seat, ``width`` columns: whose turn, its look, its holder, its side and how its pieces stand."""
    return Content("\n").join([_player(mirror, seat, width) for seat in mirror.players])


def _player(mirror: Mirror, seat: Seat, width: int) -> Content:
    side, moving = mirror.side(seat.index), mirror.turn == seat.index
    tail = f" {side} {_count(mirror, side)}".rstrip()
    kind = "you" if seat.index == mirror.seat else KINDS.get(seat.kind, "")
    kind = f" ({kind})" if kind else ""
    name = "" if seat.kind is SeatKind.OPEN else seat.name
    room = max(0, width - MARK_COLUMNS - len(tail) - len(kind))
    if len(name) > room:
        name = name[: room - 1] + "…"
    gap = " " * (room - len(name))
    return Content.assemble(
        ("▶" if moving else " ", "bold $text-warning"),
        emblem(mirror, side),
        (f" {name}", "bold" if moving else ""),
        (kind + gap, "dim"),
        tail,
    )


def clocks(mirror: Mirror, shown: Sequence[Shown]) -> Content:
    """Every seat's clock by the name of its side, a mark before the one that runs; two and two on a line."""
    texts = [
        Content.assemble(
            ("▶ " if clock.running else "  ", "bold $text-warning"),
            f"{mirror.side(seat)} ",
            (clock.text, "bold $text-error" if clock.short else "bold" if clock.running else ""),
        )
        for seat, clock in enumerate(shown)
    ]
    return Content("\n").join([Content("  ").join(texts[at : at + 2]) for at in range(0, len(texts), 2)])


def emblem(mirror: Mirror, side: str) -> Content:
    """A small patch that shows this side's pieces as they are on the board."""
    look = mirror.look
    pieces = [*look.pieces, *mirror.board.values(), *mirror.first_board.values()]
    shown = look.piece(next((piece for piece in pieces if belongs(piece, side)), side))
    return Content.styled(f" {shown.glyph} ", f"{shown.colour} on {look.patch}")


def _count(mirror: Mirror, side: str) -> str:
    goal = mirror.look.goals.get(side)
    if goal is not None:
        return f"{sum(mirror.board.get(at) == side for at in goal)}/{len(goal)}"
    count = sum(belongs(piece, side) for piece in mirror.board.values())
    return str(count) if count else ""


def state(mirror: Mirror, connected: bool) -> Content:
    """Whose turn it is and what the player can do, in one or two short lines."""
    if mirror.phase is Phase.OVER:
        return _result(mirror)
    if not connected and mirror.displaced:
        return Content.styled("Another client has your seat\nb: take it back  q: quit", "bold $text-error")
    if not connected:
        return Content.styled("Connection lost, trying again…", "bold $text-error")
    if mirror.phase is not Phase.PLAYING:
        return Content.styled("Waiting for players…", "dim")
    if mirror.adjourned:
        keys = "" if mirror.seat is None else "\na: go on   q: quit"
        return Content.assemble((" Adjourned ", f"bold {INK} on #c9ccd3"), (keys, "dim"))
    if mirror.settling.going_on:
        return _settling(mirror)
    if mirror.pending is not None:
        return Content.styled("Sent, the server answers…", "dim")
    if mirror.turn is None:
        return Content.styled(_waits(mirror), "dim")
    check = "" if mirror.checked is None else " Check! "
    again, note = _again(mirror)
    if mirror.turn != mirror.seat:
        whose = Content.from_markup("[b]$name[/b] is to move$again", name=mirror.who(mirror.turn), again=again)
        return Content.assemble(whose, check.rstrip(), note)
    return Content.assemble((f" Your move{again} ", f"bold {INK} on #35c4f0"), (check, "bold $text-error"), note)


def _again(mirror: Mirror) -> tuple[str, Content]:
    """What is said besides of the turn of somebody who has just moved, for another seat is passed over."""
    if mirror.passed is None:
        return "", Content("")
    stuck = "you cannot move" if mirror.passed == mirror.seat else f"{mirror.who(mirror.passed)} cannot move"
    return " again", Content.styled(f"\n{stuck}", "dim")


def _waits(mirror: Mirror) -> str:
    """What is said while nobody is to move: the game waits for players who have lost their connection."""
    away = [seat.name for seat in mirror.players if seat.kind is SeatKind.RESERVED]
    return f"Waiting for {' and '.join(away)}…" if away else "…"


def _settling(mirror: Mirror) -> Content:
    worth = mirror.settling.worth()
    return Content.assemble(
        (" Play has stopped ", f"bold {INK} on #c9ccd3"),
        (f" {worth}" if worth else "", "bold"),
        ("" if mirror.seat is None else "\ns: propose  o: play on", "dim"),
    )


def _result(mirror: Mirror) -> Content:
    if mirror.winner is None:
        said, ground = " Void " if mirror.void else " Drawn ", "#c9ccd3"
    elif mirror.winner == mirror.seat:
        said, ground = " You win! ", "#7bd88f"
    else:
        said, ground = f" {mirror.who(mirror.winner)} wins ", "#ff9f43"
    return Content.assemble((said, f"bold {INK} on {ground}"), f"\n{mirror.why}" if mirror.why else "")


def hint(mirror: Mirror, selected: bool, movable: int, targets: int) -> str:
    """What to press next; "" when there is nothing to press."""
    if mirror.settling.going_on and mirror.seat is not None:
        return f"{len(mirror.settling.marked)} marked as dead (Enter)"
    if not mirror.my_turn:
        return ""
    if mirror.position is None:
        return "Any move: the server judges."
    if selected:
        return "Where to? Esc: another piece"
    return f"{movable} can move" if movable else f"{targets} squares free to choose"


def under_cursor(mirror: Mirror, cursor: int) -> str:
    """The name of the square and what stands there; "" before the game."""
    if mirror.phase not in (Phase.PLAYING, Phase.OVER):
        return ""
    name = mirror.look.name(cursor, mirror.width, mirror.height)
    return f"{name} {mirror.board.get(cursor, '')}".strip()


def die(mirror: Mirror) -> Content | None:
    """The last roll, as large as a die should be, and whose it was; None before the first."""
    roll = mirror.roll
    if roll is None:
        return None
    side = mirror.side(roll.seat) if roll.seat is not None else ""
    look = mirror.look.piece(side) if side else Piece("disc", INK, "●")
    face = PIPS.get(roll.value, ("       ", f"{roll.value:^7}", "       "))
    whose = ("", f"  {mirror.who(roll.seat)}" if roll.seat is not None else "", f"  rolled {roll.value}")
    rows = [
        Content.assemble((row, f"bold {look.colour} on #fbfaf5"), (said, ""))
        for row, said in zip(face, whose, strict=True)
    ]
    return Content("\n").join(rows)


def stock(pieces: dict[str, int], chosen: str) -> Content | None:
    """The kinds of pieces still to be placed, by number key; None when there is nothing to choose."""
    if len(pieces) < 2:
        return None
    lines = [Content.styled("Place (1-9, or click; s: all):", "dim")]
    for at, (piece, count) in enumerate(pieces.items(), 1):
        mark = "▶" if piece == chosen else " "
        text = f"{mark}{at} {piece}" + (f" ×{count}" if count else "")
        weight = "b" if piece == chosen else "not bold"
        lines.append(Content.from_markup(f"[{weight} @click=app.choose({at})]$text[/]", text=text))
    return Content("\n").join(lines)


def news(line: News) -> Content:
    """One line of the log."""
    return Content.styled(line.text, TONES[line.tone])


def waiting(mirror: Mirror, wish: Wish, address: Address) -> Content:
    """Who is here and who is still to come, and how to join from another terminal."""
    title = mirror.game.title if mirror.game else wish.game
    lines = [Content.styled(title, "bold"), Content("")]
    for seat in mirror.players:
        open_seat = seat.kind is SeatKind.OPEN
        kind = "you" if seat.index == mirror.seat else KINDS.get(seat.kind, "")
        holder = Content.styled("waiting for a player…", "dim italic") if open_seat else Content(seat.name)
        lines.append(
            Content.assemble(
                emblem(mirror, mirror.side(seat.index)),
                f"  {mirror.side(seat.index):<10}",
                holder,
                (f" ({kind})" if kind and not open_seat else "", "dim"),
            )
        )
    if mirror.seat is not None:
        lines += [Content(""), Content.styled("To join from another terminal:", "dim")]
        lines.append(Content(_invitation(wish, address)))
    return Content("\n").join(lines)


def _invitation(wish: Wish, address: Address) -> str:
    options = f" --variant {wish.variant}" if wish.variant else ""
    options += f" --seats {wish.seats}" if wish.seats else ""
    options += f" --time {wish.time}" if wish.time else ""
    return f"boardgate play {wish.game} {address}{options}{wish.choices()}"


def remaining(game: Game[object], position: object) -> dict[str, int]:
    """How many pieces of each kind the seat to move can still place, by playing them out.

    0 where a placement ends the turn while there are other moves: how many are left cannot be seen so.
    """
    turn = game.to_move(position)
    kinds = Counter[str]()
    legal = game.legal_moves(position)
    placements = [m for m in legal if m.source is None and m.target is not None]
    unclear = len(placements) < len(legal)
    for piece in dict.fromkeys(m.piece for m in placements):
        if unclear:
            kinds[piece] = 0
            continue
        now = position
        while game.to_move(now) == turn:
            move = next((m for m in game.legal_moves(now) if m.source is None and m.piece == piece), None)
            if move is None:
                break
            kinds[piece] += 1
            now = game.play(now, move)
    return dict(kinds)
