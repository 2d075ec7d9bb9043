"""Go in words: what the dialects for Go and the game itself share.

rule_sets.py   rule sets by name, and the parts that each is a set of
"""
