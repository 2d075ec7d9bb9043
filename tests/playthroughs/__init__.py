"""Playthroughs: one text file per game and rule set with every observable of a game, regenerated and compared.

Source of the idea: OpenSpiel's playthrough files.

A file is called ``<game>.txt`` or ``<game>_<what>.txt``. Kept, because a person or ``create`` wrote them, are::

    # a remark                 stays before the input it stands before
    @ game=ludo                what is played: game, variant, seats, start, and ``option KEY`` for a rule set's own
    @ full=20                  so many states are shown in full, then every 50th and the last; the others on one line
    @ cut=WHY                  why the file ends before the game does; without it the game must be over
    play e3-d4                 the seat to move plays what the game writes so
    roll 6                     the due roll shows this
    withdraw 2                 the seat gives up, the others play on
    score a1 b1                where play has stopped: the outcome with these squares' strings dead ("nothing": none)
    resume                     where play has stopped: it goes on

Regenerated is everything else: after the settings and after every input the state::

    state 3                    counts inputs
    turn: 0 black              the seat and what it is called; "over"; "settling"; "chance, seat 1 rolls 1..6"
        .b.b                   the diagram, indented
    text: .b.b/... 0           the position as one line
    legal: 7                   the number of legal moves, then all of them in notation, indented
        a3-b4, c3-b4, ...
    outcome: Outcome(...)      only when the game is over

    state 21: 0 black, 7 legal                    the short form of the same

and after ``play`` the move (``move: Move(40, 33)``) and what it changes (``changes: a3 empty, b4 black man``).

    python -m tests.playthroughs create GAME [--variant V] [--seats N] [--option K=V] [--start TEXT] [--moves "a, b"]
                                             [--seed S] [--plies N] [--greedy] [--sample] [--full K]
                                             [--name STEM]
    python -m tests.playthroughs update [FILES]
"""
