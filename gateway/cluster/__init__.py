"""Joins the nodes of one database: which node owns a table, and how clients of one node play at tables of another.

Each server process on PostgreSQL is a node. ``membership`` keeps its lease, ``takeover`` claims tables that no living
node owns. A client stays at the node that it connected to: ``branches`` stand there for tables of other nodes,
``outposts`` at a table's node for clients of other nodes. ``gossip`` tells every node's lobby of every table, and
players who look for an opponent are seated at the node that has the role "lobby". Messages travel by ``links`` over a
bus that may lose them; what was told is in the record, so what was lost is read there, and ``recall`` looks there for
tables that were not heard of. What one node asks of another is a call (``calls``). What comes from no client at a
table, such as requests over HTTP and the host's acts, is asked by ``away`` and served by ``errands``; ``bells`` wake
readers of the record, ``posts`` pass on requests of dialects over HTTP, and looks at wires. ``whispering`` carries
words to one client of another node. docs/nodes.md explains it to hosts. A server that has its database alone has
``alone`` in place of a node.
"""
