"""Measuring a server under load, beside a bare relay of the same pattern in the same run: ``boardgate bench``.

    scripts.py   what the clients play: seeded random games of checkers, as bytes
    pairs.py     many pairs of clients in strict alternation, driven by one epoll loop
    relay.py     the yardstick: a bare trio relay, one line in, told to both
    process.py   servers under test as processes of their own, on a core of their own
    measure.py   the measurements: throughput, latency at a given rate, memory of idle connections
    report.py    the table people read

Speed is never tested, for machines are noisy: it is measured, and ratios within one run are stated.
"""
