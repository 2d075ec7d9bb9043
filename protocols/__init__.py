"""Wire dialects: bytes to and from one vocabulary.

A dialect is a class of one module here. It turns the bytes of a peer into commands (what the peer asks) and
events (what happened at a table) into bytes. It does no I/O, keeps no time and knows no rules of any game.
"""
