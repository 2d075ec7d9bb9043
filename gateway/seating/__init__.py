"""Finds each player a seat.

joining.py     by ticket, by address, by name, at a waiting table or a new one; spectators too
registrar.py   registers tables for named players, stored before the answer
whispers.py    carries what is said to a name beyond the speaker's table
"""
