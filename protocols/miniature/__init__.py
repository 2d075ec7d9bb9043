"""Miniature's P2P protocol: lines of words for chess, after a draft that no released client spoke.

dialect.py   the class and its states
visit.py     what a connection asks before it has a table; asking.py what it asks at one
sitting.py   what a connection is told at a table; table.py what it knows of the table
wire.py      lines and their parts; words.py the words for people
"""
