"""The chess peer-to-peer protocol (H.G. Muller), the gateway's side and what either end of a connection needs.

Both ends:      messages.py one class a word; wire.py lines to messages and back; gui.py the state copy of a GUI;
                variants.py which games it can show
The gateway's:  dialect.py the connection and its modes; talk.py what it remembers; table.py what it knows of its table;
                start.py, play.py, offers.py what the peer asks; told.py what it is told; words.py how that is put

Not here: what chess GUIs say to engines (protocols.cecp), and the adapter between the two (gateway.clients.xboard).
"""
