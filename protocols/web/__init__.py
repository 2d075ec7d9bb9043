"""The browser's protocol: JSON objects in the text frames of a WebSocket, the gateway's side.

dialect.py   the class and its states
messages.py  what a page says, and the commands that come of it
told.py      what a page is told
events.py    events of the record as JSON, framed once for all connections
beside.py    a table that is watched aside
legal.py     legal moves as JSON
frames.py    RFC 6455 after the handshake; frame_text.py frames as readable lines, and back
"""
