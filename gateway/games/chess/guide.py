"""The rules of chess and its relatives in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import Guide, RuleSet

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
)
