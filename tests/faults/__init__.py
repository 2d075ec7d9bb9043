"""A real server, and clients that behave badly, or a database that fails: nobody else must notice, nothing be lost.

guests.py      clients over real sockets, and a table that plays on throughout
databases.py   servers whose database fails, and disks that can be filled
test_*.py      one kind of fault, limit or promise each
"""
