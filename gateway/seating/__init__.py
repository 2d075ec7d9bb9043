"""Finds each player a seat.

joining.py     by ticket, by address, by name, at a waiting table or a new one; spectators too
entering.py    names of those who have no seat
answers.py     says in words who is here, and which tables there are
rounds.py      draws rounds of engines that wait, and brings each pair to a table
registrar.py   registers tables for named players, stored before the answer
whispers.py    carries what is said to a name beyond the speaker's table
everybody.py   carries what is said to all who are here and listen
"""
