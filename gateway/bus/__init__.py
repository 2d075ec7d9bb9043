"""The bus carries bytes between the nodes of one cluster. It knows nothing of games, tables or what messages say.

    bus = open_bus("postgres", database_url, me)
    await nursery.start(bus.run, heard)           # heard(sender, message), called inside trio
    bus.send(2, b'{"a":1}')                       # to one node
    bus.publish(b'{"b":2}')                       # to all others

A message arrives once, or never and without a word; those of one sender arrive in the order they were sent in.

opening.py       open_bus: which bus a setting means
bus.py           what every bus promises, and its counters
broker_bus.py    a bus over a broker: gathers messages, reconnects, notices silence
envelope.py      several messages in one notification, and the order of notifications
postgres_bus.py  a session of PostgreSQL with LISTEN and NOTIFY
nats_bus.py      a session of a NATS server
nats_wire.py     the NATS client protocol as bytes in, frames out
"""
