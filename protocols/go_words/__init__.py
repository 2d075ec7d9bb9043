"""Go in words: what the dialects for Go and the game itself share.

rule_sets.py   rule sets by name, and the parts that each is a set of
vertices.py    points and colours: "D4", "b"
table.py       what a connection knows of its table, and results as Go writes them
wish.py        a game as its settings and a listener's options say it
"""
