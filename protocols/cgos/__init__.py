"""CGOS, the protocol of the Computer Go Server: engines' clients log in, and play game after game.

dialect.py   the dialect: who it is, what it is asked, what its table tells it
viewer.py    a viewer's lists and games
game.py      a table, as a connection knows it
words.py     the lines that the server says, and the listener's options

Source: the public server and clients of CGOS, whose only document they are.
"""
