"""The matrix: every two dialects, at every game that both can play, over TCP at a running server.

    client.py     what a client does, whatever it speaks; clients/NAME.py has the one of each dialect
    boards.py     a client's board, kept by the game's rules from what this client was told
    wires.py      the sockets of one cell, which one loop reads: what is waited for is heard, or nobody is heard
    lines.py      the games that are played, of tests/playthroughs: moves of every kind
    game.py       one table, from the seats to the result, and the comparison of all boards and records
    cell.py       one pair: whole games, refusals, takebacks, draws, returns, a rematch, resignations, a flag
    document.py   docs/matrix.md, which ``python -m tests.matrix`` writes from what the cells find out

game.py and cell.py know no dialect, and a client knows no cell. A dialect or a game is in the matrix by its entry
point; a dialect needs a client class beside it, and a game a playthrough. What a dialect has no word for stands in its
client's ``lacks``, with the reason. The cells of a game share one server; their tables are registered, and each player
has a ticket, but for clients that can carry none. test_planted.py shows that faults of a return are found.
"""
