"""Ludo: rules.py the game in its rule sets, board.py the squares of the board."""
