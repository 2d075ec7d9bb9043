"""The rules of chess and its relatives in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import End, Guide, RuleSet
from protocols.core.model import Reason

MATE: Final = ("normal", "fischerandom", "crazyhouse", "atomic", "3check", "kingofthehill", "horde")
WALLED: Final = ("normal", "fischerandom", "3check", "crazyhouse", "kingofthehill", "horde")
COUNTED: Final = (*MATE[:2], *MATE[3:], "suicide", "giveaway", "racingkings")
"""Rule sets with checkmate, with dead positions that are recognised, and with a count of idle moves."""

GUIDE: Final = Guide(
    goal="Attack the enemy king so that it cannot escape: checkmate.",
    play=(
        "White begins, then the players move in turn. A piece takes an enemy piece by moving to its square. Rooks "
        "move along rows and columns, bishops along diagonals, the queen along both, the king one step in any "
        "direction. A knight jumps two squares one way and one to the side.",
        "A pawn moves one square forward, from its first square also two, and takes diagonally forward. One that "
        "passes an enemy pawn by its double step can be taken as if it had made one step (en passant). A pawn on the "
        "last row becomes a queen, rook, bishop or knight.",
        "Once in a game the king castles: it moves two squares towards a rook, which jumps over it. Neither may have "
        "moved, and the king may not be in check, pass through one or end in one.",
    ),
    end=(
        "Checkmate wins. A player who cannot move and is not in check has a draw by stalemate. So has a game in "
        "which neither side can mate any more, in which a position comes back five times, or in which 75 moves pass "
        "without a capture or a pawn's move. After three times, or 50 moves, either player may claim the draw.",
    ),
    rules={
        "normal": RuleSet("Standard", ("Chess as the world federation FIDE plays it.",)),
        "fischerandom": RuleSet(
            "Chess960",
            (
                "The pieces of the first row are shuffled: one of 960 orders, the same for both sides. The king "
                "stands between the rooks. Castling ends on the usual squares; move the king onto its own rook.",
            ),
        ),
        "crazyhouse": RuleSet(
            "Crazyhouse",
            (
                "A piece that you take is yours. Instead of a move you may put one of them on an empty square. Pawns "
                "are not put on the first or last row, and a promoted piece becomes a pawn again when it is taken.",
            ),
        ),
        "atomic": RuleSet(
            "Atomic",
            (
                "Every capture explodes: the taken piece, the piece that takes and all pieces around are gone; only "
                "pawns next to it stay. A player whose king explodes has lost. Kings may stand side by side.",
            ),
        ),
        "3check": RuleSet("Three checks", ("The third check wins, and so does checkmate.",)),
        "suicide": RuleSet(
            "Suicide",
            (
                "Lose all your pieces to win. Who can take must take. The king is a piece like any other, pawns "
                "become kings, too, and there is no castling. When a player cannot move, the side with fewer pieces "
                "wins.",
            ),
        ),
        "giveaway": RuleSet(
            "Giveaway",
            ("As Suicide, but castling is allowed, and a player who cannot move has won.",),
        ),
        "kingofthehill": RuleSet(
            "King of the Hill",
            ("A king that reaches one of the four squares in the middle wins, and so does checkmate.",),
        ),
        "racingkings": RuleSet(
            "Racing Kings",
            (
                "Both armies start side by side. The first king on the last row wins; nobody may give check. When "
                "White gets there first, Black has one more move to follow and draw.",
            ),
        ),
        "horde": RuleSet(
            "Horde",
            ("White has 36 pawns and no king. Black wins by taking all of White's pieces, White by checkmate.",),
        ),
    },
    shown="e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6 c3 Bg4",
    moves=(
        "A move goes from a square to a square. Castling is the king's move to the square where it ends, e1 to g1 "
        "or c1; under fischerandom it is the king's move to the square of its own rook. Taking en passant is the "
        "pawn's move to the empty square. The rook that jumps and the pawn that goes are told as changes of the board.",
        'A pawn that reaches the last row names what it becomes: "queen", "rook", "bishop" or "knight", under suicide '
        'and giveaway also "king"; one that names nothing becomes a queen. No other move names a piece.',
        "Under crazyhouse a piece in hand is placed: no square to come from, an empty square, and the piece without "
        'its side: "knight". On the board it is called with its side: "white knight".',
    ),
    notation=(
        'SAN, as PGN has it: "e4", "Nf3", "exd5", "O-O", "a8=Q", "N@f3" for a placement; "+" for check, "#" for a move '
        'that wins. Coordinates are understood, too: "e2e4", "a7a8q". Letter case counts where "b" may be the file or '
        'the bishop: "bxc6" is a pawn\'s move, "Bxc6" the bishop\'s.',
    ),
    ends=(
        End("checkmate", "The side to move is in check and has no legal move: the other one has won.", MATE),
        End("stalemate", "The side to move has no legal move and is not in check: a draw.", (*MATE, "racingkings")),
        End("insufficient material", "The pieces that are left cannot give mate: a draw."),
        End("dead position", "Walls of pawns part the sides, so that neither can win: a draw.", WALLED),
        End("fivefold repetition", "A position has come up for the fifth time: a draw."),
        End("seventy-five moves", "75 moves of each side without a capture or a pawn's move: a draw.", COUNTED),
        End(
            "threefold repetition",
            "A position has come up for the third time: a draw, when a player claims it.",
            reason=Reason.CLAIM,
        ),
        End(
            "fifty moves",
            "50 moves of each side without a capture or a pawn's move: a draw, when a player claims it.",
            COUNTED,
            Reason.CLAIM,
        ),
        End("king exploded", "A capture has taken a king with it: the other side has won.", ("atomic",)),
        End("king of the hill", "A king stands on d4, d5, e4 or e5: its side has won.", ("kingofthehill",)),
        End("three checks", "A side has given its third check, and has won.", ("3check",)),
        End("king on the eighth rank", "A king stands on the last row: its side has won.", ("racingkings",)),
        End("both kings on the eighth rank", "Black followed White to the last row at once: a draw.", ("racingkings",)),
        End("horde destroyed", "White has no piece left: Black has won.", ("horde",)),
        End("all pieces lost", "A side has no piece left, and has won.", ("suicide", "giveaway")),
        End("no move left", "The side to move has no legal move, and has won.", ("giveaway",)),
        End(
            "stalemate with fewer pieces",
            "The side to move has no legal move: the side with fewer pieces has won.",
            ("suicide",),
        ),
        End(
            "stalemate with equal pieces",
            "The side to move has no legal move, and both have as many pieces: a draw.",
            ("suicide",),
        ),
    ),
)
