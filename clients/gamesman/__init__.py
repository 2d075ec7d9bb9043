"""GAMESMAN at a player's end, by HTTP.

player.py    the standard library: a player for your own program, one file to copy
board.py     a plain board on standard input and output
command.py   the command line's client, and a bot that chooses the moves
"""

from clients.gamesman.player import Ignored, Player, Problem, Resigned

__all__ = ["Ignored", "Player", "Problem", "Resigned"]
