"""Arimaa: rules.py the game, steps.py the steps of a turn, text.py positions as text."""
