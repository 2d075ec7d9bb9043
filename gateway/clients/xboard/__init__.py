"""``boardgate xboard``: what a chess GUI takes for an engine, which plays through a server or with another of its kind.

    GUI lines  -> cecp -> adapter -> chess_p2p -> peer
    GUI lines  <- cecp <- adapter <- chess_p2p <- peer

adapter.py      both conversations in one state; peer.py, screen.py what is known of either end, and its lines
game.py         the game; board.py the one that the GUI shows; clocks.py its clock
propose.py      a game begins; play.py is played; offers.py takebacks, draws, interruptions; ends.py ends
coming_back.py  back into a game that is on
shell.py        standard input and output, calls and callers; link.py one connection, friend.py one that goes
                through a relay; everything else is pure
"""
