"""Chess and its relatives on python-chess.

rules.py      the game, as the server sees it
position.py   one position with what rules of repetition need; legal.py which moves are legal
start.py where a game begins; end.py how it ends
fen.py        positions as text; notation.py moves as text; refusal.py why a move is none; pgn.py whole games as text
worth.py      how good a position is, for house bots without an engine
"""
