"""The kernel of a table, pure: no I/O, no time of its own, no chance of its own.

    state.py      what a table is at one moment
    decide.py     decide(state, seat, command, now) -> events, or Refused; and what happens when a deadline passes
    evolve.py     evolve(state, event) -> state; never refuses
    agreement.py  the one agreement rule: a proposal takes effect when every seat has made a matching one
    turn_flow.py     what follows a changed position: dice, the end, or the next turn and its clock
    clock.py      time controls: none, absolute, Fischer, moves per period, per move, Canadian, byo-yomi
    dice.py       dice that can be verified

The owner of a table (a task of the server) decides, stores, evolves, tells: in that order.
"""
