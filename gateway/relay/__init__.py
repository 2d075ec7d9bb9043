"""The relay: two peers that cannot reach each other meet at this server, and their bytes go through it.

    wire.py        lines of the relay port before bytes are copied: reading and writing them
    rendezvous.py  rooms: pairs of callers, by code, until a deadline; pure state, no I/O
    relay.py       the service: opens rooms, sweeps them, keeps what runs
    caller.py      one connection to the relay port: its lines, and what the room makes of them
    ports.py       one-time ports: the first two programs that dial one are joined
    splice.py      two sockets joined: bytes forwarded verbatim, with back-pressure and half-closes
    ends.py        one of the two: read into a buffer that all share, sent on at once
    passing.py     callers whose room another node of the server has: called there, and let in there
    visitor.py     one accepted socket and the place it takes
    secured.py     a visitor, and an end, that speaks TLS
    listen.py      listeners of the relay port, and handshakes of TLS
    recording.py   a pair's bytes as a wire log
    counters.py    what has happened, as plain numbers

A room is opened by its code (POST /api/relays). Programs that know nothing of it dial the room's one-time port; helpers
meet by the code at the relay port, and go direct if they can. No connection costs a task once hands are shaken: one
selector finds the sockets that are ready (gateway.net.readiness) and one sweep a second finds what is late. The server
dials other nodes of its own only, and says nothing before the peer has spoken. The helpers' end and their encryption
are in clients.relay.
"""
