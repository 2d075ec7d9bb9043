"""Bogaprot, the protocol of GGZ's board games, as an extended dialect of numbered messages.

dialect.py    the class: what a peer asks, what it is told
messages.py   the declaration of the messages; clients use it, too
profiles.py   how clients of the document and GGZ's historic clients are told the board
words.py      words for proposals that the document has no message for
extensions.py clocks, chat and reasons as words
"""
