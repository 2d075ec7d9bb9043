"""Hnefatafl in four rule sets.

rules.py      the game, and what each rule set says
position.py   moves, captures, enclosures, and the end of the game
board.py      tables of squares and paths
worth.py      what a position is worth to a bot
"""
