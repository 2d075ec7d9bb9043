"""A real server, and clients that behave badly; everybody else must not notice.

guests.py      clients over real sockets, and a table that plays on throughout
test_*.py      one kind of fault, limit or promise each
"""
