"""``boardgate xboard``: an engine to a chess GUI, which plays through a server or with another of its kind.

    GUI lines  -> cecp -> adapter -> chess_p2p -> peer
    GUI lines  <- cecp <- adapter <- chess_p2p <- peer

adapter.py  both conversations in one state; peer.py, screen.py the known state of either end, and its lines
game.py     the game and its end; board.py the one that the GUI shows; clocks.py its clock
play.py     a game begins, is played, is taken up again; offers.py takebacks, draws, interruptions
shell.py    standard input and output, calls and callers; link.py one connection; everything else is pure
"""
