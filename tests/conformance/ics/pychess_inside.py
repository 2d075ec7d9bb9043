"""PyChess as it is installed, with somebody at its widgets: runs its program, looks at what it shows and presses it.

    python3 pychess_inside.py PROGRAM --ics-host HOST --ics-port PORT

Each line of the input is a list in JSON: a function of ``DO`` and its arguments. Each line of the output that begins
with ANSWER is what it returned. All of them run in PyChess's own loop. Clicks on the board are the caller's, by mouse.
"""

import json
import os
import runpy
import sys
import threading
from collections.abc import Callable
from typing import Any

import gi  # type: ignore[import-not-found]

ANSWER = "answer: "
FREE = os.fdopen(os.dup(1), "w")
"""The output that PyChess does not write to."""


def _games() -> list[Any]:
    from pychess.perspectives import perspective_manager  # type: ignore[import-not-found]

    return list(perspective_manager.get_perspective("games").gamewidgets)


def _lounge() -> Any:
    from pychess.ic import ICLogon  # type: ignore[import-not-found]

    return ICLogon.dialog and ICLogon.dialog.lounge


def started() -> bool:
    """Whether its windows are there."""
    return getattr(sys.modules.get("pychess.ic.ICLogon"), "dialog", None) is not None


def connect(name: str, password: str) -> None:
    """Fill in the window of the server that the menu opens, and press its button."""
    from pychess.ic import ICLogon

    ICLogon.run()
    shown = ICLogon.dialog.widgets
    shown["logOnAsGuest"].set_active(not password)
    shown["nameEntry"].set_text(name)
    shown["passEntry"].set_text(password)
    shown["connectButton"].clicked()


def connected() -> str | None:
    """The name that it has been given, once it shows its lounge."""
    lounge = _lounge()
    return str(lounge.connection.getUsername()) if lounge else None


def seeks() -> list[list[Any]]:
    """The rows of its list of seeks and challenges: who, rated or not, kind, clock, and whether its graph has it."""
    rows = _lounge().widgets["seektreeview"].get_model()
    spots = _spots()
    return [[row[0].player.name, row[5], row[6], row[7], row[0].index in spots] for row in rows]


def _spots() -> dict[int, Any]:
    (graph,) = _lounge().widgets["graphDock"].get_children()
    return dict(graph.spots)


def _choose(view: str, whose: Callable[[Any], str], name: str) -> None:
    rows = _lounge().widgets[view]
    found = next(row for row in rows.get_model() if whose(row[0]) == name)
    rows.set_cursor(found.path, rows.get_column(1), False)
    rows.get_selection().select_path(found.path)


def take(maker: str) -> bool:
    """Choose a seek or challenge in the list, and press the button below; false where the button is grey."""
    _choose("seektreeview", lambda seek: seek.player.name, maker)
    return _pressed("acceptButton")


def _pressed(button: str) -> bool:
    found = _lounge().widgets[button]
    if ready := bool(found.get_sensitive()):
        found.clicked()
    return ready


def listed() -> list[list[Any]]:
    """The rows of its list of games: White and Black."""
    return [[row[0].wplayer.name, row[0].bplayer.name] for row in _lounge().widgets["gametreeview"].get_model()]


def observers() -> list[str]:
    """The names that the panel of talk of its newest board shows above the words."""
    from pychess.widgets.ChatView import ChatView  # type: ignore[import-not-found]

    (talk,) = (panel for panel in _games()[-1].panels if isinstance(panel, ChatView))
    text = talk.obsView.get_buffer()
    return str(text.get_text(text.get_start_iter(), text.get_end_iter(), False)).split()


def observe(white: str) -> bool:
    """Choose a game in the list, and press the button below; false where the button is grey."""
    _choose("gametreeview", lambda game: game.wplayer.name, white)
    return _pressed("observeButton")


def says(line: str) -> None:
    """Type a line into the console of the lounge."""
    _lounge().connection.client.run_command(line)


def games() -> list[dict[str, Any]]:
    """Its boards, the newest last."""
    return [
        {
            "number": one.gamemodel.ficsgame.gameno,
            "names": [player.ichandle for player in one.gamemodel.players],
            "fen": one.gamemodel.boards[-1].asFen(),
            "moves": len(one.gamemodel.moves),
            "status": one.gamemodel.status,
            "reason": one.gamemodel.reason,
            "shown": [message.content.get_text() for message in _messages(one)],
            "mine": _mine(one),
        }
        for one in _games()
    ]


def _mine(one: Any) -> bool:
    """Whether one's own move is awaited on a board that shows the position and takes clicks."""
    from pychess.Utils.const import LOCAL, RUNNING  # type: ignore[import-not-found]

    model, view = one.gamemodel, one.board.view
    waits = model.status == RUNNING and model.curplayer.__type__ == LOCAL and view.shown == model.ply
    free = not type(one.board.currentState).__name__.startswith("Locked")
    return bool(waits and free and view.get_mapped())


def _messages(one: Any) -> list[Any]:
    return [message for message in one.infobar.get_children() if hasattr(message, "content")]


def where(square: str) -> list[int]:
    """The pixel of the screen in the middle of a square of the newest board."""
    from pychess.Utils.Cord import Cord  # type: ignore[import-not-found]

    view = _games()[-1].board.view
    x, y, side = view.cord2RectRelative(Cord(square))
    _, left, top = view.get_window().get_origin()
    return [int(left + x + side / 2), int(top + y + side / 2)]


def chooses(item: str) -> bool:
    """Choose an entry of the menu Actions; false where it is grey."""
    from pychess.widgets import gamewidget  # type: ignore[import-not-found]

    entry = gamewidget.getWidgets()[item]
    entry.activate()
    return bool(entry.get_sensitive())


def presses(label: str) -> None:
    """Press a button of the newest message above the newest board."""
    message = _messages(_games()[-1])[-1]
    next(button for button in message.buttons if button.text == label)._button.clicked()


_ALL = (started, connect, connected, seeks, take, listed, observers, observe, says, games, where, chooses, presses)
DO = {each.__name__: each for each in _ALL}


def _hear() -> None:
    def obey(line: str) -> bool:
        try:
            name, *rest = json.loads(line)
            answer = {"is": DO[name](*rest)}
        except Exception as fault:
            answer = {"fault": repr(fault)}
        FREE.write(f"{ANSWER}{json.dumps(answer)}\n")
        FREE.flush()
        return False

    for line in sys.stdin:
        GLib.idle_add(obey, line)


if __name__ == "__main__":
    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib  # type: ignore[import-not-found]

    sys.argv = sys.argv[1:]
    threading.Thread(target=_hear, daemon=True).start()
    runpy.run_path(sys.argv[0], run_name="__main__")
