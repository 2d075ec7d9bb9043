"""What users run at their end: a terminal board and a bot, over Bogaprot; pipes for chess and Go GUIs.

    keys, mouse -> selection -> session -> bytes ----> server
    screen  <- scene, panel <- mirror <- session <- bytes

joining.py      what is asked for: game, wishes, ticket, address
session.py      the conversation: bytes to the mirror, wishes to bytes; no I/O
mirror.py       the picture of the table; news.py the log's lines; offers.py what players propose to each other
countdown.py    what the clocks show between two words about them
settling.py     which stones are marked as dead when play has stopped
reckoning.py    the rules position behind the board; trail.py the positions so far; rebuild.py finds one again
selection.py    what the player is about to do; useful_keys.py which keys make sense for it
shapes.py       pieces as block characters, chessmen.py those of chess; a game declares its look (gateway/games/look.py)
drawing.py      a board as rows of text; crossings.py the lines of one whose pieces stand on crossings
panel.py        the side panel's texts
board_view.py   the textual widgets: board, clock_view.py the clocks, screens.py the small windows, player_app.py the
                app, player.tcss its style
secure.py       whose certificates are trusted, and why one is not; dial.py connects, with TLS or without, in trio;
                silence.py who is gone without a word
connection.py   asyncio, for textual lives there: connect, keep, take up again
watching.py     a table that is looked on at, by HTTP, for the same app; table_list.py the list to choose from
terminal.py     one session of the app, connected
bot_client.py   trio, as everything else: the bot, with the same session and mirror

gtp_pipe.py     trio: a Go GUI or engine on standard input and output; gtp_link.py its connection,
                gtp_memory.py what a new one is told

gamesman.py     the standard library: a GAMESMAN player for anybody's program; gamesman_board.py one with a plain board

Everything but the last six lines and the widgets is pure. textual is imported by ``boardgate play`` alone, when it
runs. A new game needs nothing here: it declares its look itself (``Game.look``), or is drawn with a plain one.
"""
