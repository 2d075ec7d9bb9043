"""Shared parts of everything that serves TCP: selector, listening sockets, TLS, address keys.

sockets.py       listening sockets, accepting, and how an accepted socket is set up
readiness.py     one selector for all sockets, which calls their readers
addresses.py     the address or network that limits and bans count as one
tls.py           a listener's certificate and key, read anew when asked; a server's end of TLS as bytes in, bytes out
proxied.py       parses the PROXY protocol's header
proxy_reader.py  reads it off new connections of trusted proxies
socket_channel.py  passes sockets between the workers of one machine
asking.py        one request over HTTP to another server, and its answer
calling.py       whose certificates a client trusts, and in words why no server answers
line_file.py     a text file that grows line by line, and a disk that may be full
"""
