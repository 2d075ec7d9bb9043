"""``boardgate relay CODE``: joins a program here to a program at a friend's, though both stand behind routers.

    program <-> ends <-> link <-> TLS <-> a direct connection, or the relay <-> TLS <-> link <-> ends <-> program

code.py         what two friends tell each other: the room at the server, and a secret that the server never gets
certificate.py  the secret as a certificate: TLS in which both ends prove that they have the same code
meet.py         the conversation with the server: the other side and its addresses, directly or through the relay
direct.py       attempts at a direct connection, all from one local port
frames.py       what stands inside TLS; link.py the byte stream that survives its connections, without I/O
transport.py    from a meeting to one encrypted connection; tunnel.py a link kept alive over one after another
joint.py        between the link and a program; ends.py what that is: a command, an address, a port, standard input
                and output

The server's side is gateway.relay. Nothing here knows a game or a dialect.
"""
