"""The bot and board API of lichess.org, as lines of JSON: its requests, their answers, and what its streams tell.

dialect.py   a connection: requests one after another, and the answer to each
events.py    a program without a seat: challenges, which are offers and seeks of others
wanted.py    the game that a challenge, a seek or a game with a house bot is
play.py      a seat: a game's stream, moves and all else that is asked in it
seen.py      a game as its program knows it
objects.py   the API's objects: players, clocks, rule sets, results
wire.py      lines to requests, and objects to lines

HTTP itself, with its paths and streams, is gateway/web/lichess.py's.
"""
