"""The adapter between a chess GUI and a peer: their messages in, lines for both out. No I/O, time comes as an argument.

    adapter = Adapter(Self("alice", ticket, "games.example.org"), now)
    adapter.link_up(now, answering=False)
    adapter.gui_line("usermove e2e4", now)
    adapter.peer_says(p2p.Go(), now)
    for line in adapter.to_gui(now): ...
    for message in adapter.to_peer(): ...

    GUI lines -> adapter -> play   (the game: offered, agreed, played, ended) -> peer    (the other end's copy)
                         -> screen (the GUI)         offers, board            -> screen

Sources: the CECP document, H.G. Muller's text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clients.xboard.game import BLACK, WHITE, Game, normal, same, to_move
from clients.xboard.peer import OURS_BY, Level, Peer
from clients.xboard.play import Phase, Play, adopt, tell_state
from clients.xboard.screen import Screen, message
from protocols.cecp import engine_lines
from protocols.cecp import gui_lines as gui
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.words import LOGIN, SEAT, SEATED
from protocols.core.notifications import DISPLACED

LEAVE_S: Final = 0.6
"""Seconds a GUI's last result may wait for its answer after quit: a GUI allows its engine one second or so."""

SEAT_TAKEN: Final = "Another client has taken your seat"

ABORTED: Final = "Engine aborts game"
"""XBoard's comment on a game that ended because its engine set up a position."""


@dataclass(frozen=True, slots=True)
class Self:
    """This end: the user's name, the secret of the seat, where the other end is, as the user wrote it, and the
    password or a token of the account ``name``, which is said to servers only. ``kept``: a server is asked for the seat
    of the ticket or none; else an unknown ticket becomes a new seat's."""

    name: str
    ticket: str
    host: str
    secret: str = field(default="", repr=False)
    kept: bool = False


class Adapter:
    """One GUI's game after game, over as many connections as it takes.

    ``over`` is True when the GUI wants us to exit, ``peer_left`` when the peer has ended the connection on purpose;
    ``call`` is a host to connect to that the user has asked for.
    """

    def __init__(self, own: Self, now: float) -> None:
        self.over = self.peer_left = False
        self.call: str | None = None
        self.screen = Screen(own.host or OURS_BY, own.host, now)
        self.peer = Peer()
        self.play = Play(self.screen, self.peer)
        self._own = own
        self._name = own.name
        self._host, self._ticket = own.host, own.ticket
        self._aborting = self._displaced = False
        self._reserved = False
        """True if the peer has to say who it is before it is told anything."""
        self._kept = own.kept
        """True if a server is asked for the seat of the ticket: until it has given one, or a game is on."""
        self._leave_by: float | None = None

    def gui_line(self, line: str, now: float) -> None:
        """The GUI sent this line."""
        self.play.now = now
        heard = message(line)
        if not self.screen.understood(heard, now):
            _GUI[type(heard)](self, heard)

    def peer_says(self, heard: p2p.Message, now: float) -> None:
        """The peer sent this."""
        self.play.now = now
        self.peer.fold(heard)
        match heard:
            case p2p.Name(name):
                self.screen.opponent(name)
            case p2p.Text(text) if text == DISPLACED:
                self._displace()
            case p2p.Text(text):
                self._kept = self._kept and not text.startswith(SEATED)
                self.screen.tell(text if self.peer.is_server or not self.peer.name else f"{self.peer.name}: {text}")
            case p2p.Hallo(text):
                self.play.clocks.deciding = self.peer.is_server
                self.screen.tell(text)
                self._greeted()
            case p2p.Time(left):
                self.play.clocks.user_has(left, now)
            case p2p.OTim(left):
                self.play.clocks.opponent_has(left)
                self.screen.tell(self.play.clocks.after_takeback(self.peer.called))
            case p2p.Quit():
                self._peer_quit()
            case p2p.Ticket(secret):
                self._ticket = secret
            case p2p.New():
                self.screen.opponent("")  # a GUI is there, with a player before it
                self.play.heard(heard)
            case p2p.Unknown(line) | p2p.Malformed(line):
                self.screen.note(f"the peer said: {line}")
            case _:
                self.play.heard(heard)
        self._leave()

    def link_up(self, now: float, *, answering: bool) -> None:
        """A connection is there; ``answering``: the other end called us."""
        play, peer = self.play, self.peer
        play.now = now
        peer.forget()
        self._kept = self._kept and not (play.playing or play.interrupted)
        peer.connected, play.echo, self.peer_left, self._displaced = True, None, False, False
        self.screen.ready()
        self.screen.forget_texts()
        self._reserved = bool(self._own.secret or self._kept) and not answering  # until its Hallo: is it a server?
        if not self._reserved:
            self._introduce(answering=answering)

    def _greeted(self) -> None:
        """The other end has said who it is: a server is told the password before anything else."""
        if not self._reserved:
            return
        self._reserved = False
        if self.peer.is_server and self._own.secret:
            self.peer.send(p2p.Text(f'{LOGIN} "{self._own.name}" {self._own.secret}'))
        self._introduce(answering=False)

    def _introduce(self, *, answering: bool) -> None:
        play, peer = self.play, self.peer
        peer.send(p2p.Hallo(f"{OURS_BY}: your opponent is here.") if answering else p2p.Ticket(self._ticket))
        self._say_name()
        if self._kept and peer.is_server:
            peer.send(p2p.Text(f"{SEAT} {self._ticket}"))
        if answering:
            self.screen.opponent("")
        if play.playing or play.interrupted:
            tell_state(play)
            return
        peer.send_state(play.board.game, play.level)
        if play.phase is Phase.OFFERED:
            peer.send(p2p.Go())

    def link_down(self, now: float, words: str) -> None:
        """The connection is lost, or refused; ``words`` go to the user."""
        self.play.now = now
        self.play.sync_by = None
        self.peer.connected = False
        self.peer.lines.clear()
        self.screen.ready()
        self.screen.tell(words)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self.screen.tick(now)
        self.play.tick(now)
        self._leave()

    def deadline(self) -> float | None:
        """The next time at which ``tick`` has something to do; None: never by itself."""
        times = (self.screen.deadline(), self.play.deadline(), self._leave_by)
        return min((time for time in times if time is not None), default=None)

    def to_gui(self, now: float) -> list[str]:
        """The lines for the GUI; they are handed out once."""
        self._set_clocks(now)
        self.screen.flush(now)
        lines, self.screen.lines = self.screen.lines, []
        return lines

    def _set_clocks(self, now: float) -> None:
        """Behind the move or the position that has changed them in the GUI."""
        board = self.play.board
        user = 1 - board.opponent
        found = self.play.clocks.to_set(now, users_turn=to_move(board.game) == user)
        if found is not None:
            self.screen.clocks(*(found if user == WHITE else reversed(found)))

    def to_peer(self) -> list[p2p.Message]:
        """The messages for the peer; they are handed out once.

        None before the peer has said who it is, where that matters: the GUI's whole state is told afterwards.
        """
        lines, self.peer.lines = self.peer.lines, []
        return [] if self._reserved else lines

    def _new(self, heard: gui.New) -> None:
        self.screen.computer = False
        self._reset(Game())
        self.play.board.engine = BLACK
        self.peer.send(p2p.New())

    def _variant(self, heard: gui.Variant) -> None:
        self._reset(Game(heard.name))
        self.peer.send(p2p.Variant(heard.name))

    def _set_board(self, heard: gui.SetBoard) -> None:
        self._reset(Game(self.play.board.shown.variant, heard.fen))
        self.peer.send(p2p.SetBoard(heard.fen))

    def _reset(self, game: Game) -> None:
        self.play.finish(going=self.peer.going and self.play.phase is Phase.SETUP)
        self.play.clocks.forget()
        self.play.offers.drop()
        board = self.play.board
        board.shown = board.game = game
        board.closed = False

    def _force(self, heard: gui.Force) -> None:
        if not self._aborting:
            self.play.board.engine = None
        self._aborting = False

    def _go(self, heard: gui.Go) -> None:
        board = self.play.board
        board.engine = to_move(board.shown)
        if self.play.playing:
            board.go_on()
        elif not board.closed:
            self.play.start()

    def _play_other(self, heard: gui.PlayOther) -> None:
        self.play.board.engine = 1 - to_move(self.play.board.shown)

    def _user_move(self, heard: gui.UserMove) -> None:
        move = normal(self.play.board.shown, heard.move)
        if move is None:
            self.screen.say(engine_lines.illegal(heard.move))
        elif self.play.playing:
            self.play.moved_in_game(move)
        else:
            self.play.moved_in_setup(move)

    def _level(self, heard: gui.Level | gui.MoveTime) -> None:
        level: Level
        if isinstance(heard, gui.MoveTime):
            level = (-1, heard.seconds, 0.0)
        else:
            level = (heard.mps, heard.tc, heard.inc)
        if level != self.play.level:
            self.play.level = level
            self.peer.send(p2p.Level(*level))

    def _gui_user_clock(self, heard: gui.OTim) -> None:
        play = self.play
        if play.playing:
            users_turn = to_move(play.board.game) != play.board.opponent
            self.screen.tell(play.clocks.compared(heard.left, play.now, users_turn=users_turn))
        self.peer.send(heard)

    def _result(self, heard: gui.Result) -> None:
        self._aborting = heard.comment == ABORTED  # the force that follows belongs to the game before
        if not self._aborting:
            self.play.gui_ended(heard.result, heard.comment)

    def _undo(self, heard: gui.Undo) -> None:
        play, board = self.play, self.play.board
        board.shown, board.closed = board.shown.back(1), False
        if not play.playing and not play.offers.given_back:
            board.game = board.game.back(1)
            self.peer.send(p2p.Undo())

    def _remove(self, heard: gui.Remove) -> None:
        play, board = self.play, self.play.board
        straight = board.straight
        board.shown = board.shown.back(2)
        if play.playing and straight:
            play.offers.ask_takeback()
        elif not play.playing:
            board.game = board.game.back(2)
            self.peer.send(p2p.Undo(), p2p.Undo())

    def _user_name(self, heard: gui.Name) -> None:
        if not self._own.name and heard.name != self._name:
            self._name = heard.name
            self._say_name()

    def _say_name(self) -> None:
        if self._name:
            self.peer.send(p2p.MyName(self._name), p2p.Name(self._name))

    def _option(self, heard: gui.Option) -> None:
        offers = self.play.offers
        match heard.name:
            case "Host":
                self._host = heard.value
            case "Connect":
                self.call = self._host
            case "Send line" if not self.peer.connected:
                self.screen.tell("Not connected: nobody has read that.")
            case "Send line":
                self.peer.send(p2p.Text(heard.value))
            case "Accept" if not offers.open and self.play.phase is Phase.SETUP and self.peer.going:
                adopt(self.play)
            case button:
                offers.pressed(button)

    def _quit(self, heard: gui.Quit) -> None:
        self._leave_by = self.play.now + LEAVE_S
        self._leave()

    def _leave(self) -> None:
        """Exit, unless the peer has still to answer the result of the last game."""
        waiting = self.peer.connected and self.play.interrupted
        if self._leave_by is None or self.over or (waiting and self.play.now < self._leave_by):
            return
        self.peer.send(p2p.Quit())
        self.over, self._leave_by = True, None

    def _displace(self) -> None:
        """Another client has the seat. A user may take it back, and the game is still there then; a program may not."""
        self._displaced = True
        if self.screen.computer:
            self.screen.say(engine_lines.tell_error(SEAT_TAKEN))
            self.over = True
        else:
            self.screen.tell(f"{SEAT_TAKEN}. Connect, in Engine > Engine #1 Settings, takes it back.")

    def _peer_quit(self) -> None:
        if self._displaced:
            self.peer_left = True
            return
        playing, self.peer_left = self.play.playing, True
        self.play.finish()
        self.play.clocks.forget()
        self.screen.tell(f"{self.peer.called} has left{', the game is not finished' if playing else ''}.")
        if playing and not same(self.play.board.shown, Game()):
            self.play.show_unfinished()


_GUI: Final[Mapping[type, Callable[[Adapter, Any], None]]] = {
    gui.New: Adapter._new,
    gui.Variant: Adapter._variant,
    gui.SetBoard: Adapter._set_board,
    gui.Force: Adapter._force,
    gui.Go: Adapter._go,
    gui.PlayOther: Adapter._play_other,
    gui.UserMove: Adapter._user_move,
    gui.Level: Adapter._level,
    gui.MoveTime: Adapter._level,
    gui.Time: lambda adapter, heard: adapter.peer.send(heard),
    gui.OTim: Adapter._gui_user_clock,
    gui.Draw: lambda adapter, heard: adapter.play.offers.offer_draw(),
    gui.Result: Adapter._result,
    gui.Undo: Adapter._undo,
    gui.Remove: Adapter._remove,
    gui.Name: Adapter._user_name,
    gui.Option: Adapter._option,
    gui.Reply: lambda adapter, heard: adapter.play.offers.answered(heard.tag, heard.text),
    gui.Quit: Adapter._quit,
}
