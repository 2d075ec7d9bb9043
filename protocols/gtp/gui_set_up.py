"""A GUI's set-up before its first move: board, komi, handicap, time, rules; and leaving a game by that.

Set up before a game, all of it is what its user wishes; nothing is proposed before the first play or genmove. In a
running game the same words change nothing and are refused unless they say what is so already: only boardsize and
clear_board leave it, and the seat is kept for the table's grace, in which another connection can come back to it; then
the game is lost. Source: the GTP version 2 draft; kgsGtp's description.
"""

from __future__ import annotations

from dataclasses import replace

from protocols.core.commands import Propose
from protocols.core.followed import Status
from protocols.core.model import TimeControl
from protocols.core.numbers import whole
from protocols.core.proposals import Score
from protocols.go_words.rule_sets import alike, rule_set, spelled
from protocols.go_words.vertices import fixed_handicap, read_vertex, write_vertices
from protocols.go_words.wish import Wish, komi_of, read_komi, read_size, wish_of
from protocols.gtp.gui_talk import Fails, Talk, Words
from protocols.gtp.offered import MOST_HANDICAP
from protocols.gtp.times import read_styled, read_time_settings


def boardsize(talk: Talk, words: Words) -> str:
    size = read_size(words[0] if words else "")
    _new_board(talk)
    talk.wish = replace(talk.wish, size=size, handicap=0, placement="fixed", stones=())
    return ""


def clear_board(talk: Talk, words: Words) -> str:
    _new_board(talk)
    talk.wish = replace(talk.wish, handicap=0, placement="fixed", stones=())
    return ""


def _new_board(talk: Talk) -> None:
    """Leave the game of this table. A GUI that has just come back, and knows no move of it yet, stays.
    After two passes it is over for this user: what the opponent takes for dead is agreed to before."""
    if talk.looking or talk.table.status is Status.OVER:
        talk.leave(lost=False)
    elif talk.table.begun and (talk.known or talk.proposed is not None):
        theirs = talk.table.theirs(Score)
        if talk.table.status is Status.SETTLING and theirs is not None:
            talk.ask(Propose(Score(theirs.dead)))
        talk.leave(lost=True)


def komi(talk: Talk, words: Words) -> str:
    wished = read_komi(words[0] if words else "")
    if talk.table.begun and talk.known:
        played = _played(talk)
        if float(komi_of(played)) != float(wished):
            raise Fails(f"komi is {komi_of(played)} in this game")
        return ""
    talk.wish = replace(talk.wish, komi=wished)
    return ""


def rules(talk: Talk, words: Words) -> str:
    """kgs-rules: chinese, japanese, aga, new_zealand, and the others that settings have."""
    wished = rule_set(words[0] if words else "", {})
    if talk.table.begun and talk.known:
        played, stones = talk.rules_played
        if not alike(played, wished, stones):
            raise Fails(f"the rules of this game are {spelled(played, stones)}")
        return ""
    talk.wish, talk.named = replace(talk.wish, rules=wished), True
    return ""


def time_settings(talk: Talk, words: Words) -> str:
    talk.styled = False
    return _time(talk, read_time_settings(words))


def styled_time_settings(talk: Talk, words: Words) -> str:
    """kgs-time_settings."""
    talk.styled = True
    return _time(talk, read_styled(words))


def _time(talk: Talk, time: TimeControl | None) -> str:
    """In a game the table's clock goes on as it was agreed; the GUI's own does not count."""
    if not talk.table.begun:
        talk.wish = replace(talk.wish, time=time)
    return ""


def fixed(talk: Talk, words: Words) -> str:
    """fixed_handicap and place_free_handicap: the engine's choice are the fixed points, as the draft allows."""
    size = talk.wish.size
    _before_the_game(talk)
    try:
        points = fixed_handicap(_count(words), size)
    except ValueError as wrong:
        raise Fails(f"invalid number of stones: {wrong}") from None
    talk.wish = replace(talk.wish, handicap=len(points), placement="fixed", stones=())
    return write_vertices(points, size)


def free(talk: Talk, words: Words) -> str:
    """set_free_handicap: the stones that the user has placed."""
    size = talk.wish.size
    _before_the_game(talk)
    try:
        points = [read_vertex(word, size) for word in words]
    except ValueError as wrong:
        raise Fails(f"bad vertex list: {wrong}") from None
    stones = tuple(sorted(point for point in points if point is not None))
    if len(set(stones)) != len(words) or not 2 <= len(stones) <= MOST_HANDICAP:
        raise Fails(f"bad vertex list: 2 to {MOST_HANDICAP} different points")
    talk.wish = replace(talk.wish, handicap=len(stones), placement="free", stones=stones)
    return ""


def _before_the_game(talk: Talk) -> None:
    """Handicap stones are placed once, on an empty board."""
    if talk.known or talk.table.moves or talk.wish.handicap:
        raise Fails("board not empty")


def _count(words: Words) -> int:
    count = whole(words[0], 2) if words else None
    if count is None:
        raise Fails("syntax error: a number of stones")
    return count


def _played(talk: Talk) -> Wish:
    settings = talk.table.settings
    return talk.wish if settings is None else wish_of(settings)
