"""Chess in text, shared by several dialects: moves, results, time controls, positions.

    messages.py   the messages that CECP and the peer-to-peer protocol share
    text.py       coordinate moves, time controls in seconds, results with their reasons
    fen.py        comparison of positions written as FEN

Rules are a game's (gateway/games/chess). This package imports protocols.core only.
"""
