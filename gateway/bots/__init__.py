"""House players: they choose a legal move for any registered game, in processes of their own.

The server's own search:

    chooser.py  choose(game, position, level, budget_s, now, rng): which way of thinking fits the game, and how long
    budget.py   how long a thought may take, and what a position is worth at its end
    search.py   alpha-beta for two seats that take turns of one move, or few
    beam_search.py    a beam over whole turns, for games whose turns are several moves long
    expectimax.py     one move and the roll after it, for dice and for more than two seats
    frames.py   what a pool and its workers say to each other
    worker.py   ``python -m gateway.bots.worker``: the process that thinks
    pool.py     BotPool: the trio side, which starts, replaces and ends workers

For some games a separate program plays, an engine that is installed or in the settings:

    engines.py       which engine plays what, and whether it can be started
    conversation.py  the shape of every engine's protocol: lines in, lines out
    uci.py, cecp.py  UCI and CECP, for chess
    gtp.py           GTP, for Go
    launch.py        what a process does before it becomes an engine
    program.py       Program: one process in lines
    engine_process.py    EngineProcess: one process for the games that hold it, started again after it has died
    engine_pool.py   EnginePool: the processes of one engine, one for each game; which game has which
    players.py       HousePlayers: an engine where a game has one, else the pool; what the server asks

Everything but pool.py, worker.py and what runs processes is pure: time comes in as ``now``, chance as ``rng``.
"""
