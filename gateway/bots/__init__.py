"""House players: they choose a legal move for any registered game, in processes of their own.

    chooser.py  choose(game, position, level, budget_s, now, rng): which way of thinking fits the game, and how long
    budget.py   how long a thought may take, and what a position is worth at its end
    search.py   alpha-beta for two seats that take turns of one move, or few
    turns.py    a beam over whole turns, for games whose turns are several moves long
    odds.py     one move and the roll after it, for dice and for more than two seats
    frames.py   what a pool and its workers say to each other
    worker.py   ``python -m gateway.bots.worker``: the process that thinks
    pool.py     BotPool: the trio side, which starts, replaces and ends workers

Not here: when a seat is given to a house bot (the table's and the lobby's business), and programs that play by a
protocol of their own. Everything but pool.py and worker.py is pure: time comes in as ``now``, chance as ``rng``.
"""
