"""Texts of help: what is said without a topic, and of each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

GENERAL: Final = (
    "To play:      seek 5 0            offer a game of five minutes to everybody",
    "              sought, play N      see who offers one, and take it",
    "              match NAME 5 0      challenge somebody; they type accept or decline",
    "              match bot 5 0       play against the computer",
    "At the board: e4, Nf3, e2e4, o-o  move; draw, resign, abort, adjourn, takeback 2",
    "To look on:   games, observe N    kibitz TEXT to all who see the game, unobserve",
    "To talk:      tell NAME TEXT, say TEXT to your opponent, shout TEXT to everybody",
    "Who is here:  who, finger NAME",
    "Names are shown in letters only; take them as they stand here.  help COMMAND says more, quit ends.",
)

_TOPICS: Final[Mapping[str, str]] = {
    "+channel": "+channel 1: be in the only channel.  It has what is shouted, for those who set shout 0.",
    "-channel": "-channel 1: leave it.",
    "abort": "abort: end the game without a result.  Your opponent has to agree, unless you have not moved yet.",
    "accept": "accept, accept NAME, accept N: take the newest challenge, or agree to what your opponent proposes.",
    "adjourn": "adjourn: interrupt the game, if your opponent agrees.  match NAME goes on with it.",
    "allobservers": "allobservers N, allobservers NAME: who looks on at a game.",
    "decline": "decline, decline NAME, decline N: refuse the newest challenge, or what your opponent proposes.",
    "draw": "draw: offer a draw, or agree to one; claim it where the position has come three times, or after 50 moves.",
    "finger": "finger NAME: is somebody here, and what is their rating?",
    "flag": "flag: not needed.  A flag falls by this server's clock.",
    "follow": "follow NAME: look on at each game of a player from now on.  follow alone ends it.",
    "games": "games: the games that are played now.",
    "history": "history, history NAME: the last ten games of an account.",
    "iset": "iset NAME 1: variables for programs: block, ms, seekinfo, seekremove, showownseek, pendinfo.",
    "journal": "journal: empty.  Games are kept on the page of an account.",
    "kibitz": "kibitz TEXT: say something to all who see the game, its players too where they may be spoken to.",
    "match": "match NAME 5 0 rated white: challenge somebody.  Kinds: crazyhouse, suicide, atomic, wild fr (Chess960).",
    "moretime": "moretime N: give your opponent N seconds.",
    "moves": "moves, moves N, moves NAME: the moves of a game.",
    "observe": "observe N, observe NAME: look on at a game.  unobserve ends it.",
    "pending": "pending: the challenges that stand, yours and those made to you.",
    "play": "play N, play NAME: take a seek.",
    "quit": "quit: go.  A game that you play is given up; who loses the connection keeps the seat for a while.",
    "refresh": "refresh: the board once more.",
    "rematch": "rematch: the same game again with sides exchanged.",
    "resign": "resign: give the game up.",
    "say": "say TEXT: to your opponent.",
    "seat": "seat TICKET: take the seat that a ticket or an invitation stands for, or come back to your own.",
    "seek": "seek 5 0 rated white: offer a game to everybody.  unseek takes it back.",
    "set": "set NAME VALUE: set seek 0 hears of no seeks, set gin 1 of games of others, set pin 1 of people who come.",
    "shout": "shout TEXT: say something to everybody who listens, at any table.  set shout 0 hears no shouts.",
    "showlist": "showlist: lists are not kept here.  Who logs in on the web page follows and blocks players there.",
    "sought": "sought: the games that are offered.",
    "stored": "stored: your adjourned games.  match NAME goes on with one.",
    "style": "style 12: positions in one line, for programs.  style 1: a drawn board.",
    "takeback": "takeback N: ask to take back N half-moves, or agree to it.",
    "tell": "tell NAME TEXT: say something to somebody who is here.",
    "variables": "variables: what is set.",
    "whisper": "whisper TEXT: say something to those who look on.",
    "who": "who: the players who are here.  ^ plays, : takes no challenges, . is idle; (U) guest, (C) computer.",
    "withdraw": "withdraw: take back what you have offered.",
}


def help_on(topic: str, words: Sequence[str]) -> list[str]:
    """The words on a command; the commands that there are where it is none."""
    found = next((text for name, text in _TOPICS.items() if name.startswith(topic.lower())), None)
    if found is not None:
        return [found]
    return [f"There is no help on {topic[:30]!r}.  Commands:", *_columns(words)]


def _columns(words: Sequence[str]) -> list[str]:
    return ["  ".join(f"{word:<11}" for word in words[at : at + 6]).rstrip() for at in range(0, len(words), 6)]
