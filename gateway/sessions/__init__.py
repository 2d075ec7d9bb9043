"""Serves clients: sockets, connections, and what visitors see before they have a table.

listener.py    opens listening sockets and accepts
peer.py        one TCP socket: receive, send without blocking, send the rest
tls_peer.py    the same with TLS
mailbox.py     a peer without a socket: messages are put in
connection.py  one client: bytes to commands to its table, notifications to bytes
sending.py     what waits for its peer, and the writer task
onlookers.py   the tables that it looks on at beside its own
participant.py  the side of it that its table sees: where it is
states.py      the states of a connection, and what may happen in each
transfer.py    a connection that has only begun goes to another worker
collaborators.py  what all connections share
visitors.py    tells connections without a table which seeks stand
wire_log.py    writes a connection's conversation as a transcript
"""
