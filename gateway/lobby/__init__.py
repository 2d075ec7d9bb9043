"""Who is here and where there is room: pure state plus methods, no I/O.

lobby.py    open tables, tickets, lost seats by address: which table a Join comes to
party.py    who looks for a game, and whether two of them may play
matching.py who moves to another table, so that those who can play each other meet
notices.py  the notice board: which seeks stand; table_words.py: what is played and proposed, in words
rating.py   rated games are between accounts
wishes.py   what a peer asked for, as settings and house rules
names.py    who is called what; spelling.py which letters names have, and which look alike
banned.py   which networks and names are banned; openers.py how many tables an address has opened
registration.py  registered tables: who is to sit where, and which two have a game
"""
