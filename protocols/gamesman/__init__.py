"""GAMESMAN's P2P module: requests of a header each, answered when the answer is known.

dialect.py   the class: which requests are accepted, what follows from events
wire.py      headers to requests and answers to headers
http.py      requests of HTTP to messages, and back; what is remembered of games that have ended
answers.py   one answer for each request, repeated where a request is repeated; the steps of an asked turn
seen.py      the table as the player knows it
"""
