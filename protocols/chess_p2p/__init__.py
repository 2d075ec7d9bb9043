"""H.G. Muller's chess peer-to-peer protocol, the gateway's end: it plays the opponent's adapter.

dialect.py   the states of a connection
wire.py      lines and what they say, the same at both ends; messages.py one class for each
gui.py       the state of a chess GUI
table.py     the table as kept for one client; talk.py the conversation
start.py     the start of a game, play.py the other words of a client
told.py      what a client hears; words.py in which words
"""
