"""The Chess Engine Communication Protocol (XBoard's), the engine's side, for adapters that play engine.

    gui_lines.py      the messages of a chess GUI: one class each, and how their lines are read
    engine_lines.py   writes the lines of an engine

No dialect: no listener speaks it. Source: the protocol document version 2 that is shipped with XBoard ("engine-intf").
"""
