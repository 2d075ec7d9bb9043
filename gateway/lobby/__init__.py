"""Players who wait and tables with room: pure state plus methods, no I/O.

lobby.py    open tables, tickets, lost seats by address: which table a Join comes to
party.py    who looks for a game, and whether two of them may play
matching.py matchmaking: moves players to other tables, so that players who can play each other meet
table_index.py  open tables by what the parties there look for: a search costs the same in any crowd
rounds.py   pairs engines that play game after game, by rating
notices.py  the notice board: which seeks stand; table_words.py: what is played and proposed, in words
rating.py   rated games are between accounts and house bots
join_options.py   what a peer asked for, as settings and house rules
here.py     who is here without having to sit
names.py    names in use; spelling.py the letters of names, and names that look alike
word_filter.py    words that nobody is to say here, or be called
banned.py   which networks and names are banned; table_quotas.py how many tables an address has opened
registration.py  registered tables: their seats, and the pairs that have a game
"""
