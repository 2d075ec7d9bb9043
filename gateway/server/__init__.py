"""The running server: trio, and the only I/O of players.

    house.py       everything that runs: lobby, record, tables, connections; start and stop
    about.py       which connection and table a line of the log is about
    disk.py        whether there is room for more
    drain.py       no new tables before a restart
    retention.py   deleting finished games that are old
    resting.py     unfinished tables without a task: claimed at the start, woken by players and deadlines
    listen.py      sockets that accept, and who is let in
    peer.py        one TCP socket: receive, send without blocking, send the rest
    tls_peer.py    the same with TLS, as directly
    mailbox.py     a peer that is no socket: messages are put in
    connection.py  one client: bytes to commands to its table, what it is told to bytes
    threshold.py   who may come in over it, asked before anything is made; limits.py counting connections
    tickets.py     which seat a ticket stands for, and how often one may try
    sayings.py     how much is said at a table, by whom
    barred.py      who is banned is hung up on, refused or sent away
    sweep.py       who is overdue is hung up on
    ownership.py   whether another server on the same database has claimed its tables
    given_back.py  memory that a burst of connections took, given back to the system
    metrics.py     what has happened, as plain numbers
    table_task.py  one table: decide, store, evolve, tell
    registrar.py   tables that are registered, stored before anybody is answered
    reissue.py     a new ticket for the owner of a registered name
    calling.py     who waits is called to another table
    visitors.py    connections without a table are told which seeks stand
    at_once.py     a move served while its table's task sleeps
    requests.py    what a table's task can be asked
    ledger.py      one table's page in the record
    inbox.py       what waits for a table: a bounded queue with one reader
    cursors.py     who watches a table from which seat
    scribe.py      awaiting the record's writer; holding what cannot be stored just now
    pause.py       a table that waits for the record
    wire_log.py    a connection's conversation as a transcript

One task owns one thing: a connection its socket, a table its state. A connection asks its table through the table's
bounded inbox; a table tells a connection directly, by a send that does not block. Where nobody has to wait, no task is
woken: what a socket brings is served by whoever found it, and a move at a table that sleeps without its task.
"""
