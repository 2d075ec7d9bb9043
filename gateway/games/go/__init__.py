"""Go on square boards from 5x5 to 25x25, by rules of our own.

rules.py     the game, as the server sees it
choices.py   what a table may choose: board, komi, handicap, ko, suicide
grid.py      a board's geometry as bits; what a stone captures; where fixed handicap stones stand
position.py  one position with what rules of repetition need; the next one, or why a move is none
scoring.py   area and territory of a finished position
settling.py  different claims of what is dead: which counts, and what a house bot says
text.py      positions and points as text; sgf.py whole games as text
worth.py     how good a position is and what is worth trying, for house bots without an engine
"""
