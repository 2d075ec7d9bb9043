"""Runs tables: decide, store, evolve, tell, in that order.

seams.py        what a table and a connection need of each other
directory.py    the running tables by number
runner.py       one table's task
fast_path.py    serves a move while the table's task sleeps
step.py         plans one step: what is stored, told and reported
requests.py     what a table can be asked
inbox.py        a bounded queue with one reader
journal.py      one table's events in the record
move_times.py   times a move's stages; a line about one that was slow
subscribers.py  the clients that a table tells
spectators.py   how spectators come in and talk
bots.py         house bots: when they think, about which position
lag_credit.py   bounds the network delay that is credited
pause.py        a table that waits for the database
recovery.py     resting tables: claimed at the start, woken by players and deadlines
numbering.py    numbers for new tables
elsewhere.py    what tables ask of other nodes
rematching.py   calls waiting players to another table where their opponent is
"""
