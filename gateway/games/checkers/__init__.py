"""Checkers: rules.py the game in its rule sets, board.py the tables of squares and hops."""
