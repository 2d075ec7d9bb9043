"""Wire dialects: bytes to and from one vocabulary.

A dialect is one class, in a module of its own or, with several files, in ``dialect.py`` of a folder. It turns the bytes
of a peer into commands (what the peer asks) and events (what happened at a table) into bytes. It does no I/O, keeps no
time and knows no rules of any game. Dialects do not import each other. They share ``core``, the vocabulary,
``chess_words``, chess in text, and ``go_words``, Go in text. ``cecp`` is what chess GUIs and engines say to each
other: adapters use it, no listener.
"""
