"""What everything that serves TCP needs, whatever is spoken there. Not here: players, tables, relayed pairs, HTTP.

sockets.py    listening sockets, accepting, and how an accepted socket is set up
readiness.py  which sockets can be read or written, and who is called then
allowance.py  how fast one may ask; backoff.py who fails waits longer and longer; addresses.py what counts as one place
share.py      turns for what strangers make dear: handshakes of TLS, and HTTP
tls.py        a listener's certificate and key, read anew when asked; tls_end.py TLS as bytes in, bytes out
streams.py    trio's streams with and without TLS
line_file.py  a text file that grows line by line, and a disk that may be full
"""
