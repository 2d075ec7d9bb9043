"""Programs at the user's end: a terminal board and a bot, over Bogaprot; pipes for chess and Go GUIs.

    keys, mouse -> selection -> session -> bytes ----> server
    screen  <- scene, panel <- client state <- session <- bytes

joining.py      the request for a seat: game, wishes, ticket, address
session.py      the conversation: bytes to the client's state, wishes to bytes; no I/O
client_state.py       the picture of the table; news.py the log's lines; offers.py the players' proposals
countdown.py    the clocks between two messages about them
position_tracker.py    the rules position behind the board; history.py the positions so far; rebuild.py finds one again
selection.py    the move that the player is about to make
shapes.py       pieces as block characters, chessmen.py those of chess; a game declares its look (gateway/games/look.py)
drawing.py      a board as rows of text
panel.py        the side panel's texts
board_view.py   textual widgets: board and clocks; screens.py the small windows, player_app.py the app and its keys,
                player.tcss its style
dial.py         connects, with TLS or without, in trio; backoff.py pauses between attempts
connection.py   asyncio, for textual lives there: connect, keep, reconnect
watching.py     a table that is watched by HTTP, for the same app; table_list.py the list to choose from
terminal.py     one session of the app, connected
bot_client.py   trio, as everything else: the bot, with the same session and state

gtp_pipe.py     trio: a Go GUI on standard input and output; gtp_engine.py an engine; gtp_link.py their connection

registered.py   clients for games registered for two names, by dialect; gamesman/ is one

Everything above board_view.py is pure. textual is imported by ``boardgate play`` alone, when it
runs. A new game needs nothing here: it declares its look itself (``Game.look``), or is drawn with a plain one.
"""
