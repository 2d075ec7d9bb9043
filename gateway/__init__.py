"""Boardgate's server: tables where clients of any dialect play each other.

Data flows one way: bytes, command, decide, store, evolve, tell, bytes.

    games/     pure rules over immutable positions
    table/     the kernel, pure: decide, evolve, the agreement rule, clocks, dice
    store/     the record: SQLAlchemy Core, one writer, appends that may conflict
    lobby/     players, open tables, names, tickets
    server/    trio: the only I/O of players
    bots/      house players
    web/       HTTP
    clients/   what users run at their end
    cli/       commands; the only place that wires things together
"""
