"""Ratings from results, as pure functions: formulas, pools, and the fold of results in the order of their ordinals.

glicko2.py   games of two: Glicko-2 after each game, its deviation aged by the time that has passed
placing.py   tables of three and more: Plackett-Luce
pools.py     the pool of a result, its players, and the head start of a handicap
book.py      the fold: a result in, a step for each of its seats out; what counts, and what not
known.py     the ratings that stand beside names, in memory

Nothing here reads a clock, a database or chance: the same results give the same floats, bit by bit, in batches of any
size. gateway/store/ratings.py keeps what comes of it, docs/ratings.md explains it to players and hosts.
"""
