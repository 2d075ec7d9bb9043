"""The commands of the programs at the user's end, one file each; watch.py and bot.py take options of play.py.

``boardgate`` finds COMMANDS by the entry-point group boardgate.commands.
"""

from __future__ import annotations

from typing import Final

from gateway.cli.group import Entry

COMMANDS: Final = {
    "Play": {
        "play": Entry("clients.commands.play:play", "Play a game in this terminal."),
        "watch": Entry("clients.commands.watch:watch", "Look on at a game in this terminal."),
        "bot": Entry("clients.commands.bot:bot", "Let a program play at your end."),
        "xboard": Entry("clients.commands.xboard:xboard", "Play in a chess GUI that runs engines."),
        "gtp": Entry("clients.commands.gtp:gtp", "Play in a Go GUI, or put an engine on a server."),
        "login": Entry("clients.commands.login:login", "Log in at a server, for the commands above."),
        "logout": Entry("clients.commands.login:logout", "End that login."),
        "relay": Entry("clients.commands.relay:relay", "Join two programs that cannot reach each other."),
    },
}
