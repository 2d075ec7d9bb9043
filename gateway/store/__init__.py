"""The record: what happened at every table, stored before it is told, and never changed.

    records.py  plain rows, and what a server needs of a log
    schema.py   the tables; migrations/ brings a database to them
    codec.py    events to JSON and back, and the chain of digests
    engine.py   connections, SQLite's pragmas and the lock on its file
    batch.py    one transaction's statements
    writer.py   the one thread that writes: group commit, and what it means when the database fails
    log.py      append and read, in a database
    nodes.py    members of a cluster, owners of tables, roles
    pruning.py  deleting what is over and old
    accounts.py  registered names
    bans.py     networks and names that are kept out, and who changed that
    acts.py     who did what with a host's rights
    copying.py  a whole database into an empty one, compared
    views.py    read-only queries for people

Arrow: imports the vocabulary and SQLAlchemy's Core, no game and no table.
"""
