"""PyChess's own network classes, without its window: run by Debian's Python, which has them.

    python3 pychess_window.py HOST PORT NAME PASSWORD

Each line of the input is a command that PyChess sends; each line of the output is an event that its managers tell, as
JSON: what it is, and of which numbers and names. It seals its lines, as its windows do, and has two connections.
"""

import asyncio
import json
import sys

from gi.repository import GLib  # type: ignore[import-not-found]
from pychess.ic.FICSConnection import FICSHelperConnection, FICSMainConnection  # type: ignore[import-not-found]


def tell(kind: str, *what: object) -> None:
    print(json.dumps([kind, *what]), flush=True)


def listen(connection: "FICSMainConnection") -> None:
    """Tell what the managers say."""
    seeks, boards, offers, talk = connection.glm, connection.bm, connection.om, connection.cm
    seeks.connect("addSeek", lambda _, seek: tell("seek", seek.index, seek.player.name, seek.minutes, seek.inc))
    seeks.connect("removeSeek", lambda _, index: tell("unseek", index))
    boards.connect("playGameCreated", lambda _, game: tell("game", game.gameno, game.wplayer.name, game.bplayer.name))
    boards.connect("obsGameCreated", lambda _, game: tell("observing", game.gameno))
    boards.connect("curGameEnded", lambda _, game: tell("over", game.gameno, game.result, game.reason))
    boards.connect("obsGameEnded", lambda _, game: tell("seen over", game.gameno, game.result, game.reason))
    offers.connect("onChallengeAdd", lambda _, made: tell("challenge", made.index, made.player.name, made.minutes))
    offers.connect("onChallengeRemove", lambda _, index: tell("no challenge", index))
    offers.connect("onOfferAdd", lambda _, made: tell("offer", made.index, made.type))
    offers.connect("onOfferRemove", lambda _, made: tell("no offer", made.index))
    talk.connect("channelMessage", lambda _, name, _admin, _mine, where, text: tell("talk", name, where, text))
    talk.connect("channelAdd", lambda _, number: tell("channel", number))
    connection.games.connect("FICSGameCreated", lambda _, games: tell("listed", *(game.gameno for game in games)))
    connection.players.connect("FICSPlayerEntered", lambda _, found: tell("players", *(one.name for one in found)))


async def idle() -> None:
    """The call that its manager of talk leaves to GLib's loop, which its window runs."""
    while True:
        while GLib.MainContext.default().iteration(False):
            pass
        await asyncio.sleep(0.05)


async def main() -> None:
    host, port, name, password = sys.argv[1:]
    connection = FICSMainConnection(host, (int(port),), True, name, password)
    helper = FICSHelperConnection(connection, host, (int(port),), True, "guest", "")

    def connected(_: object) -> None:
        tell("connected", connection.username)
        listen(connection)

    connection.connect("connected", connected)
    connection.connect("disconnected", lambda _: tell("disconnected"))
    connection.connect("error", lambda _, error: tell("error", str(error)))
    helper.connect("connected", lambda _: tell("helper", helper.username))
    running = [
        asyncio.ensure_future(connection.start()),
        asyncio.ensure_future(helper.start()),
        asyncio.ensure_future(idle()),
    ]
    lines = asyncio.get_running_loop()
    while line := await lines.run_in_executor(None, sys.stdin.readline):
        connection.client.run_command(line.rstrip("\n"))
    for one in running:
        one.cancel()


if __name__ == "__main__":
    asyncio.run(main())
