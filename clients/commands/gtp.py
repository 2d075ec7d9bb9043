"""``boardgate gtp``: looks like a Go engine to a GUI, and is the opponent at the other end of a connection."""

from __future__ import annotations

from contextlib import nullcontext

import click

from gateway.cli.options import trusted, with_tls_ca

GUI_PORT = 5021
ENGINE_PORT = 5020
"""Default ports of ``boardgate serve`` for Go GUIs, and for engines."""

STDIN, STDOUT = 0, 1

EPILOG = """
\b
boardgate gtp                                   the engine command to enter in GoGui, Sabaki, q5Go
boardgate gtp games.example.org --name alice    the same, at a server elsewhere
boardgate gtp tls://games.example.org           the same, encrypted, where the server has a certificate
gogui-twogtp -black "gnugo --mode gtp" -white "boardgate gtp" -size 9 -auto
\b
boardgate gtp games.example.org --command "gnugo --mode gtp"
                                                put an engine on the server
socat EXEC:"gnugo --mode gtp" EXEC:"boardgate gtp --engine games.example.org"
                                                the same by hand; socat wants a port as HOST\\:PORT
\b
A game begins with the first move: 'play b D4' or 'genmove w' makes you Black, 'play w D4' or 'genmove b' White.
Board size, komi, handicap and time are what was set up before that. After two passes final_status_list dead shows
what the opponent takes for dead, final_score agrees to it, boardgate-dead D4 E5 says what else is, and a further
move plays on. kgs-chat game me TEXT talks; boardgate-tables lists games, and boardgate-observe TABLE looks on at one.
"""


@click.command(epilog=EPILOG)
@click.argument("server", metavar="[[tls://]HOST[:PORT]]", default="")
@click.option(
    "--name", default="", help="What the opponent sees (usually guest-1 or so); an account's needs its password."
)
@click.option("--ticket", default="", help="Take the seat this ticket is for; without one, a secret is made up.")
@with_tls_ca
@click.option("--engine", is_flag=True, help="An engine is on standard input and output, not a GUI.")
@click.option("--command", default="", metavar="COMMAND", help="Start this engine and join it, as --engine does.")
def gtp(server: str, name: str, ticket: str, engine: bool, command: str) -> None:
    """Play Go in a GUI that runs GTP engines, or put an engine on a server.

    Start it from the GUI, as an engine. HOST is a server (127.0.0.1 unless you say otherwise); the port is 5021, for
    engines 5020. A lost connection is taken up again by itself, and the game goes on where it was.

    Your account: boardgate login stores a token for a host, which is used there. Or give --name, and the password in
    BOARDGATE_PASSWORD. A GUI's user may type the command boardgate-login NAME PASSWORD instead.

    With --engine, standard input and output are an engine's: it answers, the server asks. It ends when the server says
    quit, or when the engine ends.
    """
    name, ticket = " ".join(name.split()), ticket.strip()
    engine = engine or bool(command)
    try:
        from clients.joining import address

        where = address(server, ENGINE_PORT if engine else GUI_PORT, trusted())
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="HOST") from error

    import trio

    from clients.gtp_engine import EnginePipe, on_pipes
    from clients.gtp_pipe import GuiPipe
    from gateway.cli.credentials import credential
    from gateway.net.calling import because

    found = credential(name, where.host, tls=where.tls)
    if not engine:
        trio.run(GuiPipe(where, found.name, ticket, found.secret).run)
        return
    with on_pipes(_program(command)) if command else nullcontext((STDIN, STDOUT)) as (hears, says):
        try:
            trio.run(EnginePipe(where, found.name, ticket, hears, says, found.secret).run)
        except OSError as error:
            raise click.ClickException(f"cannot reach a Boardgate server at {where}{because(error)}") from error


def _program(command: str) -> tuple[str, ...]:
    """The engine's command as a shell would split it, its program found."""
    from gateway.bots.engines import command_words
    from gateway.config import BadSetting

    try:
        return command_words(command, "--command:")
    except BadSetting as error:
        raise click.UsageError(str(error)) from error
