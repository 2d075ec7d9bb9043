"""Which subcommands there are: name, one line of help, and where the click.Command is. Nothing is imported early."""

from __future__ import annotations

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """``target`` is module:attribute; ``text`` is shown by ``boardgate --help`` without importing it."""

    target: str
    text: str


COMMANDS: Final = {
    "Run a server": {
        "serve": Entry("gateway.cli.serve:serve", "Start the server."),
        "migrate": Entry("gateway.cli.migrate:migrate", "Bring the database to this version."),
        "prune": Entry("gateway.cli.prune:prune", "Delete finished games that are old."),
        "bench": Entry("gateway.cli.bench:bench", "Measure this machine."),
        "account": Entry("gateway.cli.account:account", "Register names for people."),
        "ban": Entry("gateway.cli.ban:ban", "Keep networks and names out."),
        "log": Entry("gateway.cli.acts:log", "Show who did what with the host's rights."),
        "settings": Entry("gateway.cli.settings:settings", "Print a boardgate.toml with every setting explained."),
    },
    "Look at its games": {
        "register": Entry("gateway.cli.register:register", "Register a table for certain players."),
        "tables": Entry("gateway.cli.tables:tables", "List tables."),
        "show": Entry("gateway.cli.show:show", "Show one table: seats, board and moves."),
        "export": Entry("gateway.cli.export:export", "Write a table's record to standard output."),
        "verify": Entry("gateway.cli.verify:verify", "Prove that a record is whole and its dice are honest."),
    },
    "Play": {
        "games": Entry("gateway.cli.games:games", "List the games and their rule sets."),
        "play": Entry("gateway.cli.play:play", "Play a game in this terminal."),
        "watch": Entry("gateway.cli.watch:watch", "Look on at a game in this terminal."),
        "bot": Entry("gateway.cli.bot:bot", "Let a program play at your end."),
        "xboard": Entry("gateway.cli.xboard:xboard", "Play in a chess GUI that runs engines."),
        "gtp": Entry("gateway.cli.gtp:gtp", "Play in a Go GUI, or put an engine on a server."),
        "login": Entry("gateway.cli.login:login", "Log in at a server, for the commands above."),
        "logout": Entry("gateway.cli.login:logout", "End that login."),
        "relay": Entry("gateway.cli.relay:relay", "Join two programs that cannot reach each other."),
    },
    "Look at the wire": {
        "decode": Entry("gateway.cli.decode:decode", "Turn captured bytes into readable text, and back."),
    },
}
