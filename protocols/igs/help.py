"""Texts of help, for people at a terminal."""

from __future__ import annotations

from typing import Final

GENERAL: Final = (
    "To play:      match NAME B 9 10 5  ask for a game: your colour, size, minutes, minutes of byo-yomi",
    "              match bot B 9 10 0   play against the computer",
    "              the same words with colours exchanged accept; or accept, decline NAME, withdraw NAME",
    "At the board: D4, pass, resign     undo asks for your last move back, noundo refuses; adjourn, load",
    "At the end:   D4 names dead stones, undo restores them all, done agrees, resume plays on",
    "To look on:   games, observe N     moves N, kibitz N TEXT, unobserve N",
    "To talk:      tell NAME TEXT       say TEXT to your opponent",
    "Who is here:  who, stats NAME      quit ends.",
)
