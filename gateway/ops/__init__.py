"""Operates the server process: builds the parts, runs them, stops them, and looks after the machine.

    server.py          builds every part and hands each its collaborators; starts and stops
    drain.py           no new tables before a restart
    retention.py       deletes old finished games
    disk.py            checks free disk space
    looking.py         looks into the database now and then, for the figures
    ownership.py       notices that another server on the same database has claimed tables
    word_file.py       reads the words that the host wants nobody to say
    memory_release.py  returns memory to the system after a burst of connections
    sweep.py           closes connections whose deadline has passed

server.py is the only file that knows the whole server.
"""
