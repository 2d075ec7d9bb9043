"""Chess moves as people write them: SAN is written, and much more than SAN is read.

Source: the PGN standard (SAN, and what an import should forgive).

Read are SAN with or without its marks, in any letter case; coordinates (e2e4, e2-e4, e7e8q, e7-e8=Q); castling with
letters or zeros; drops (P@e4). A small b first means the file, a capital B the bishop, whichever of them can move. A
pawn that is promoted to nothing becomes a queen.
"""

from __future__ import annotations

import re
from typing import Final

import chess

from gateway.games.chess import end as chess_end
from gateway.games.chess.legal import in_check, theirs
from gateway.games.chess.position import FLIP, KINDS, LETTERS, Position, ours, pushed
from gateway.games.chess.refusal import refusal
from protocols.core.errors import IllegalMove, Why
from protocols.core.model import Move

LONGEST_MOVE: Final = 20
"""Characters: the longest of all these forms, with every mark there is."""

_MARKS: Final = re.compile(r"\s*(?:e\.?p\.?)?\s*[+#!?]*$", re.IGNORECASE)
_PROMOTED: Final = r"(?:[=/]?\(?(?P<promoted>[nbrqk])\)?)?"
_TARGET: Final = r"(?P<target>[a-h][1-8])"
_FORMS: Final = {
    name: re.compile(form, re.IGNORECASE)
    for name, form in {
        "castling": r"[o0]-[o0](?P<long>-[o0])?",
        "drop": rf"(?P<piece>[pnbrqk])?@{_TARGET}",
        "step": rf"(?P<source>[a-h][1-8])[-x:]?{_TARGET}{_PROMOTED}",
        "pawn": rf"p?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?{_TARGET}{_PROMOTED}",
        "piece": rf"(?P<piece>[nbrqk])(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?{_TARGET}",
    }.items()
}
_SYMBOLS: Final = ("", "", "N", "B", "R", "Q", "K")
_BISHOP: Final = re.compile("B(?![1-8][-x:]?[A-H])")
"""A bishop's move begins so; coordinates in capitals do not."""


def san(position: Position, move: chess.Move, after: Position) -> str:
    """A legal move in SAN; ``after`` is the position it leads to. A move that wins by any rule is marked "#"."""
    ended = chess_end.outcome(after)
    if ended is not None and ended.winner is not None:
        return _bare(position.board, move) + "#"
    return _bare(position.board, move) + ("+" if in_check(after) else "")


def _bare(board: chess.Board, move: chess.Move) -> str:
    """SAN without its mark."""
    target = chess.SQUARE_NAMES[move.to_square]
    if move.drop:
        return f"{_SYMBOLS[move.drop]}@{target}"
    if board.is_castling(move):
        return "O-O" if move.to_square > move.from_square else "O-O-O"
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    takes = "x" if board.is_capture(move) else ""
    if kind == chess.PAWN:
        promoted = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
        return f"{chess.FILE_NAMES[move.from_square & 7] if takes else ''}{takes}{target}{promoted}"
    return f"{_SYMBOLS[kind]}{_told_apart(board, move, kind)}{takes}{target}"


def _told_apart(board: chess.Board, move: chess.Move, kind: chess.PieceType) -> str:
    """The file, the rank or both of a piece's square, where others of its kind could go to the same target."""
    source = move.from_square
    twins = board.pieces_mask(kind, board.turn) & ~chess.BB_SQUARES[source]
    if not twins or not (twins := twins & _reaching(board, move.to_square, kind)):
        return ""
    reach = board.generate_legal_moves(twins, chess.BB_SQUARES[move.to_square])
    others = sum({chess.BB_SQUARES[other.from_square] for other in reach})
    if not others:
        return ""
    if not others & chess.BB_FILES[source & 7]:
        return chess.FILE_NAMES[source & 7]
    column = chess.FILE_NAMES[source & 7] if others & chess.BB_RANKS[source >> 3] else ""
    return f"{column}{chess.RANK_NAMES[source >> 3]}"


def _reaching(board: chess.Board, target: chess.Square, kind: chess.PieceType) -> chess.Bitboard:
    """The squares from which such a piece goes to the target."""
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[target]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[target]
    found = chess.BB_EMPTY
    if kind != chess.ROOK:
        found = chess.BB_DIAG_ATTACKS[target][chess.BB_DIAG_MASKS[target] & board.occupied]
    if kind != chess.BISHOP:
        found |= chess.BB_RANK_ATTACKS[target][chess.BB_RANK_MASKS[target] & board.occupied]
        found |= chess.BB_FILE_ATTACKS[target][chess.BB_FILE_MASKS[target] & board.occupied]
    return found


def parse(position: Position, text: str) -> Move:
    """The one legal move that ``text`` means. A text has one meaning, and a move that it could mean is named at most.

    IllegalMove: SYNTAX for what is not the form of a move, otherwise the cause.
    """
    words = _MARKS.sub("", text[: LONGEST_MOVE + 1].strip())
    readings = [reading for form in _FORMS.values() if (reading := form.fullmatch(words))]
    if not readings or len(text.strip()) > LONGEST_MOVE:
        raise IllegalMove(f"{text[:LONGEST_MOVE]!r} is not the form of a move", Why.SYNTAX)
    if chess_end.outcome(position) is not None:
        raise IllegalMove("the game is over", Why.NOT_PLAYING)
    if _BISHOP.match(words):
        readings.sort(key=lambda reading: reading.re is not _FORMS["piece"])
    first, *others = readings
    found = _fitting(position, first)
    if len(found) == 1:
        return found[0]
    if found:
        raise IllegalMove(f"{words!r} may be {_listed(position, found)} here")
    raise _unmeant(position, words, first, [move for reading in others for move in _fitting(position, reading)])


def _unmeant(position: Position, words: str, reading: re.Match[str], near: list[Move]) -> IllegalMove:
    """The error for words that write no legal move; ``near`` are those that the words mean in another reading."""
    error = IllegalMove(f"no legal move here is written {words!r}")
    if reading.re is _FORMS["step"]:
        error = refusal(position, _step(reading))
    return IllegalMove(f"{error.text}; did you mean {_listed(position, near)}?", error.why) if near else error


def _listed(position: Position, moves: list[Move]) -> str:
    """Legal moves in SAN, for people: "Nbd2 or Nfd2"."""
    made = [move for move in (theirs(position, each) for each in moves) if move is not None]
    return " or ".join(sorted({san(position, move, pushed(position, move)) for move in made}))


def meant(position: Position, move: Move) -> Move:
    """The move that a peer means by ``move``: castling in the other notation, a queen where no promotion is said, any
    spelling of a piece. A move without sense comes back as it is."""
    board, (source, target) = position.board, (move.source, move.target)
    if target is None or not 0 <= target < 64 or (source is not None and not 0 <= source < 64):
        return move
    if source is not None and not move.piece and _plain(board, chess.BB_SQUARES[source ^ FLIP], target):
        return move
    word = move.piece.strip().lower().split(" ")[-1]
    piece = LETTERS.get(word, word if word in KINDS else move.piece)
    if source is None:
        return Move(None, target, piece)
    castling = _castled(board, source ^ FLIP, target ^ FLIP)
    if castling is not None and not piece:
        return castling
    kind = board.piece_type_at(source ^ FLIP)
    if kind == chess.PAWN and target // 8 in (0, 7):
        return Move(source, target, piece or "queen")
    return Move(source, target, "" if KINDS.get(piece) == kind else piece)


def _plain(board: chess.Board, source: chess.Bitboard, target: int) -> bool:
    """True if a step is neither castling nor a promotion, whatever else it may be: nothing is unsaid then."""
    if source & board.kings:
        return not board.chess960 and bool(chess.BB_KING_ATTACKS[target ^ FLIP] & source)
    return 8 <= target < 56 or not source & board.pawns


def _castled(board: chess.Board, king: chess.Square, target: chess.Square) -> Move | None:
    """The castling that a king's move to ``target`` means: its rook's square, or where the king will stand."""
    if not board.kings & board.occupied_co[board.turn] & chess.BB_SQUARES[king]:
        return None
    own = board.occupied_co[board.turn] & chess.BB_SQUARES[target]
    if board.is_legal(chess.Move(king, target)) and (board.chess960 or not own):
        return None
    for move in board.generate_castling_moves():
        short = board.is_kingside_castling(move)
        rank = move.to_square & ~7
        rook = move.to_square if board.chess960 else rank | (7 if short else 0)
        if target in (rook, rank | (6 if short else 2)):
            return ours(move)
    return None


def _fitting(position: Position, reading: re.Match[str]) -> list[Move]:
    """The legal moves that one reading may mean."""
    board, said = position.board, {name: word.lower() for name, word in reading.groupdict().items() if word}
    if reading.re is _FORMS["step"]:
        move = meant(position, _step(reading))
        return [move] if theirs(position, move) else []
    if reading.re is _FORMS["castling"]:
        side = board.is_queenside_castling if "long" in said else board.is_kingside_castling
        return [ours(move) for move in board.generate_castling_moves() if side(move)]
    target = chess.BB_SQUARES[chess.parse_square(said["target"])]
    if reading.re is _FORMS["pawn"] and said.get("file") == said["target"][0] and "rank" not in said:
        return []  # SAN names a pawn's file only where it leaves it: "bb4" is nobody's move
    if reading.re is _FORMS["drop"]:
        found = Move(None, chess.msb(target) ^ FLIP, LETTERS[said.get("piece", "p")])
        return [found] if theirs(position, found) else []
    sources = _sources(board, said, pawn=reading.re is _FORMS["pawn"])
    moves = board.generate_legal_moves(sources, target & ~board.occupied_co[board.turn])
    return [ours(move) for move in moves if not move.drop and _promoted(move, said)]


def _sources(board: chess.Board, said: dict[str, str], pawn: bool) -> chess.Bitboard:
    """The squares where the named piece may stand. A pawn without a named file stays on its file."""
    kind = chess.PAWN if pawn else _kind(said["piece"])
    file = said.get("file", said["target"][0] if pawn else "")
    mask = board.pieces_mask(kind, board.turn)
    if file:
        mask &= chess.BB_FILES[chess.FILE_NAMES.index(file)]
    if "rank" in said:
        mask &= chess.BB_RANKS[chess.RANK_NAMES.index(said["rank"])]
    return mask


def _step(reading: re.Match[str]) -> Move:
    """The move that coordinates write, legal or not."""
    source, target = (chess.parse_square(reading[name].lower()) ^ FLIP for name in ("source", "target"))
    return Move(source, target, LETTERS[reading["promoted"].lower()] if reading["promoted"] else "")


def _promoted(move: chess.Move, said: dict[str, str]) -> bool:
    """True if the move's promotion is the one that was said, a queen where nothing was."""
    if move.promotion is None:
        return "promoted" not in said
    return move.promotion == _kind(said.get("promoted", "q"))


def _kind(letter: str) -> int:
    return chess.PIECE_SYMBOLS.index(letter)
