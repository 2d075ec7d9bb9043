"""The side panel's texts: players and seats, the turn, the die, the pieces to place, and the waiting screen.

Pure: each function makes one text of the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from textual.content import Content

from clients.client_state import ClientState, Phase
from clients.countdown import Shown
from clients.drawing import INK
from clients.joining import Address, Wish
from clients.news import News, Tone
from gateway.games.base import Game
from gateway.games.look import Piece, belongs
from protocols.core.model import Seat, SeatKind, Tally

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
"""The style of a line of news, by its kind."""


def players(client_state: ClientState, width: int) -> Content:
    """A line a seat, ``width`` columns: whose turn, its look, its holder, its side and how its pieces stand.

    A second one has what the seat has taken and what counts there, where the rules tally something.
    """
    lines = []
    for seat in client_state.players:
        tally = _tally(client_state, seat.index)
        lines.append(_player(client_state, seat, width, tally))
        if tally.taken or tally.text:
            lines.append(_tallied(client_state, tally))
    return Content("\n").join(lines)


def _player(client_state: ClientState, seat: Seat, width: int, tally: Tally) -> Content:
    side, moving = client_state.side(seat.index), client_state.turn == seat.index
    count = _count(client_state, side)
    said = bool(count) and count in tally.text.split()
    tail = f" {side} {'' if said else count}".rstrip()
    kind = "you" if seat.index == client_state.seat else KINDS.get(seat.kind, "")
    kind = f" ({kind})" if kind else ""
    name = "" if seat.kind is SeatKind.OPEN else seat.name
    room = max(0, width - MARK_COLUMNS - len(tail) - len(kind))
    if len(name) > room:
        name = name[: room - 1] + "…"
    gap = " " * (room - len(name))
    return Content.assemble(
        ("▶" if moving else " ", "bold $text-warning"),
        emblem(client_state, side),
        (f" {name}", "bold" if moving else ""),
        (kind + gap, "dim"),
        tail,
    )


def clocks(client_state: ClientState, shown: Sequence[Shown]) -> Content:
    """Every seat's clock by the name of its side, a mark before the one that runs; two and two on a line."""
    texts = [
        Content.assemble(
            ("▶ " if clock.running else "  ", "bold $text-warning"),
            f"{client_state.side(seat)} ",
            (clock.text, "bold $text-error" if clock.short else "bold" if clock.running else ""),
        )
        for seat, clock in enumerate(shown)
    ]
    return Content("\n").join([Content("  ").join(texts[at : at + 2]) for at in range(0, len(texts), 2)])


def emblem(client_state: ClientState, side: str) -> Content:
    """A small patch that shows this side's pieces as they are on the board."""
    look = client_state.look
    pieces = [*look.pieces, *client_state.board.values(), *client_state.first_board.values()]
    shown = look.piece(next((piece for piece in pieces if belongs(piece, side)), side))
    return Content.styled(f" {shown.glyph} ", f"{shown.colour} on {look.patch}")


def _tally(client_state: ClientState, seat: int) -> Tally:
    """``Game.tally`` of a seat; nothing where the position is not known."""
    game, position = client_state.game, client_state.position
    found = game.tally(position) if game is not None and position is not None else ()
    return found[seat] if seat < len(found) else Tally()


def _tallied(client_state: ClientState, tally: Tally) -> Content:
    """The pieces taken, each with their number from two on, and the text: " ♟ 2 ♞  +3"."""
    look, parts = client_state.look, [Content(" " * (MARK_COLUMNS - 1))]
    for words, many in tally.taken.items():
        piece = look.piece(words)
        parts.append(Content.styled(f" {piece.glyph} ", f"{piece.colour} on {look.patch}"))
        parts.append(Content(str(many) if many > 1 else ""))
    return Content.assemble(*parts, f" {tally.text}" if tally.text else "")


def _count(client_state: ClientState, side: str) -> str:
    goal = client_state.look.goals.get(side)
    if goal is not None:
        return f"{sum(client_state.board.get(at) == side for at in goal)}/{len(goal)}"
    count = sum(belongs(piece, side) for piece in client_state.board.values())
    return str(count) if count else ""


def state(client_state: ClientState, connected: bool) -> Content:
    """The turn, and what the player can do, in one or two short lines."""
    if client_state.phase is Phase.OVER:
        return _result(client_state)
    if not connected and client_state.displaced:
        return Content.styled("Another client has your seat\nb: take it back  q: quit", "bold $text-error")
    if not connected:
        return Content.styled("Connection lost, trying again…", "bold $text-error")
    if client_state.phase is not Phase.PLAYING:
        return Content.styled("Waiting for players…", "dim")
    if client_state.adjourned:
        keys = "" if client_state.seat is None else "\na: go on   q: quit"
        return Content.assemble((" Adjourned ", f"bold {INK} on #c9ccd3"), (keys, "dim"))
    if client_state.settling.going_on:
        return _settling(client_state)
    if client_state.pending is not None:
        return Content.styled("Sent, the server answers…", "dim")
    if client_state.turn is None:
        return Content.styled(_waits(client_state), "dim")
    check = "" if client_state.checked is None else " Check! "
    again, note = _again(client_state)
    if client_state.turn != client_state.seat:
        whose = Content.from_markup(
            "[b]$name[/b] is to move$again", name=client_state.who(client_state.turn), again=again
        )
        return Content.assemble(whose, check.rstrip(), note)
    return Content.assemble((f" Your move{again} ", f"bold {INK} on #35c4f0"), (check, "bold $text-error"), note)


def _again(client_state: ClientState) -> tuple[str, Content]:
    """Remark when a seat moves twice, because another seat is passed over."""
    if client_state.passed is None:
        return "", Content("")
    stuck = (
        "you cannot move"
        if client_state.passed == client_state.seat
        else f"{client_state.who(client_state.passed)} cannot move"
    )
    return " again", Content.styled(f"\n{stuck}", "dim")


def _waits(client_state: ClientState) -> str:
    """Text while no seat is to move: the game waits for players who have lost their connection."""
    away = [seat.name for seat in client_state.players if seat.kind is SeatKind.RESERVED]
    return f"Waiting for {' and '.join(away)}…" if away else "…"


def _settling(client_state: ClientState) -> Content:
    worth = client_state.settling.worth()
    return Content.assemble(
        (" Play has stopped ", f"bold {INK} on #c9ccd3"),
        (f" {worth}" if worth else "", "bold"),
        ("" if client_state.seat is None else "\ns: propose  o: play on", "dim"),
    )


def _result(client_state: ClientState) -> Content:
    if client_state.winner is None:
        said, ground = " Void " if client_state.void else " Drawn ", "#c9ccd3"
    elif client_state.winner == client_state.seat:
        said, ground = " You win! ", "#7bd88f"
    else:
        said, ground = f" {client_state.who(client_state.winner)} wins ", "#ff9f43"
    return Content.assemble((said, f"bold {INK} on {ground}"), f"\n{client_state.why}" if client_state.why else "")


def hint(client_state: ClientState, selected: bool, movable: int, targets: int) -> str:
    """The next key to press; "" for none."""
    if client_state.settling.going_on and client_state.seat is not None:
        return f"{len(client_state.settling.marked)} marked as dead (Enter)"
    if not client_state.my_turn:
        return ""
    if client_state.position is None:
        return "Any move: the server judges."
    if selected:
        return "Where to? Esc: another piece"
    return f"{movable} can move" if movable else f"{targets} squares free to choose"


def under_cursor(client_state: ClientState, cursor: int) -> str:
    """The name of the square and what stands there; "" before the game."""
    if client_state.phase not in (Phase.PLAYING, Phase.OVER):
        return ""
    name = client_state.look.name(cursor, client_state.width, client_state.height)
    return f"{name} {client_state.board.get(cursor, '')}".strip()


def die(client_state: ClientState) -> Content | None:
    """The last roll, as large as a die should be, and whose it was; None before the first."""
    roll = client_state.roll
    if roll is None:
        return None
    side = client_state.side(roll.seat) if roll.seat is not None else ""
    look = client_state.look.piece(side) if side else Piece("disc", INK, "●")
    face = PIPS.get(roll.value, ("       ", f"{roll.value:^7}", "       "))
    whose = ("", f"  {client_state.who(roll.seat)}" if roll.seat is not None else "", f"  rolled {roll.value}")
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


def waiting(client_state: ClientState, wish: Wish, address: Address) -> Content:
    """The players who are here or expected, and how to join from another terminal."""
    title = client_state.game.title if client_state.game else wish.game
    lines = [Content.styled(title, "bold"), Content("")]
    for seat in client_state.players:
        open_seat = seat.kind is SeatKind.OPEN
        kind = "you" if seat.index == client_state.seat else KINDS.get(seat.kind, "")
        holder = Content.styled("waiting for a player…", "dim italic") if open_seat else Content(seat.name)
        lines.append(
            Content.assemble(
                emblem(client_state, client_state.side(seat.index)),
                f"  {client_state.side(seat.index):<10}",
                holder,
                (f" ({kind})" if kind and not open_seat else "", "dim"),
            )
        )
    if client_state.seat is not None:
        lines += [Content(""), Content.styled("To join from another terminal:", "dim")]
        lines.append(Content(_invitation(wish, address)))
    return Content("\n").join(lines)


def _invitation(wish: Wish, address: Address) -> str:
    options = f" --variant {wish.variant}" if wish.variant else ""
    options += f" --seats {wish.seats}" if wish.seats else ""
    options += f" --time {wish.time}" if wish.time else ""
    return f"boardgate play {wish.game} {address}{options}{wish.choices()}"


def remaining(game: Game[object], position: object) -> dict[str, int]:
    """The number of pieces of each kind that the seat to move can still place, by playing them out.

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
