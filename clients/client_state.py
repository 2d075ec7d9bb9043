"""Client state: folds the server's messages into a picture of seats, board, turn and dice.

The server judges moves; where it contradicts the rules known here, the server is right. Pure.

The conversation is Bogaprot's: REQ_MOVE names the seat to move, the MSG_MOVE after it is that seat's move, and the
MSG_MOVEs after that one are its consequences (captures, crownings, promotions). Between MSG_START and the first
REQ_MOVE, placements and removals rebuild the board of a game that is already going on. A MSG_MOVE without a square is a
pass, or a word (offers.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clients import offers
from clients.countdown import ToldClock
from clients.news import News, Tone, arrivals, ending
from clients.offers import Offers, OfferState, Settling
from clients.position_tracker import PositionTracker, or_none
from gateway.games.base import Game
from gateway.games.look import Look
from gateway.games.parts import Placement
from protocols.bogaprot.extensions import read_clock, read_over, read_said
from protocols.bogaprot.words import read_written
from protocols.core.model import PASS, Clock, Move, Reason, Seat, SeatKind, Settings

UNKNOWN_SIZE = (8, 8)
"""Columns and rows of a board of unknown size: Bogaprot has no word for it."""

LONGEST_NEWS = 500
"""Lines kept for a screen that has not fetched them."""

STOPPED = (
    "Play has stopped. Mark dead stones (Enter on a stone marks its whole string), then s proposes them; y agrees to "
    "what the other side has marked; o plays on."
)


class Phase(StrEnum):
    """A table's phase, as a client sees it."""

    JOINING = "joining"
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Roll:
    """The last roll of the dice, and for whom it was; None while that is unknown."""

    seat: int | None
    value: int


class _Stage(StrEnum):
    REBUILDING = "rebuilding"  # after MSG_START: placements and removals tell the board
    ASKED = "asked"  # after REQ_MOVE: the next movement is a move
    TOLD = "told"  # after a move: placements and removals are its consequences


class ClientState:
    """The picture. Its attributes are for reading; the methods are the server's messages, by name."""

    def __init__(
        self,
        game: Game[Any] | None,
        variant: str = "",
        size: tuple[int, int] | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """``game`` is None where its rules are not installed here; ``size`` (columns, rows) is used only then.

        ``options`` are the game's own that were asked of the server, which does not repeat them on this wire.
        Refused (BAD_OPTION) when the game has no such rule set, or no such option.
        """
        self.game = game
        self.variant = variant
        self._options = dict(options or {})
        self.settings: Settings | None = self._settings(0) if game else None
        self.width, self.height = size or UNKNOWN_SIZE
        if self.settings:
            self.width, self.height = self.settings.width, self.settings.height
        self.phase = Phase.JOINING
        self.seat: int | None = None
        self.players: tuple[Seat, ...] = ()
        self.board: dict[int, str] = {}
        self.first_board: dict[int, str] = {}
        self.turn: int | None = None
        self.roll: Roll | None = None
        self.last: tuple[int, ...] = ()
        self.pending: Move | None = None
        self.winner: int | None = None
        self.why = ""
        """Why the game ended, in a few words; "" while it goes on, or where that is not known."""
        self.void = False
        """True if it ended without a result."""
        self.passed: int | None = None
        """The seat that cannot move and is passed over, while the turn lasts that another has instead."""
        self.clock: ToldClock | None = None
        """The clocks by the server's last word about them; None without a clock, or where none is told."""
        self.adjourned = False
        self.displaced = False
        """True if another client has taken this seat with its ticket, and this one stays away."""
        self.offers = Offers()
        self.news: deque[News] = deque(maxlen=LONGEST_NEWS)
        self._rules = PositionTracker(game, self.settings)
        self.settling = Settling(self._rules)
        self._stage = _Stage.REBUILDING
        self._taking = 0
        self._behind = False
        self._over: tuple[Reason, str] | None = None

    def agreed(self, settings: Settings) -> None:
        """Take over the settings of the next game from another source than our own request."""
        self.settings, self.variant = settings, settings.variant
        self.width, self.height = settings.width, settings.height
        self._options = dict(settings.options) | ({"start": settings.start} if settings.start else {})
        self._rules = PositionTracker(self.game, settings)
        self.settling = Settling(self._rules)

    # what a screen asks

    @property
    def my_turn(self) -> bool:
        """True if a move of ours is awaited and none is on its way."""
        return self.phase is Phase.PLAYING and self.turn is not None and self.turn == self.seat and self.pending is None

    @property
    def position(self) -> Any | None:
        """The rules position; None where it is not known."""
        return self._rules.position

    def legal_moves(self) -> list[Move]:
        """Our legal moves now; empty when it is not our turn or the position is not known."""
        return self._rules.legal_moves() if self.my_turn else []

    @property
    def look(self) -> Look:
        """The game's look; a plain one where its rules are not installed here."""
        return self.game.look(self.settings) if self.game and self.settings else Look()

    @property
    def decisive(self) -> tuple[int, ...]:
        """The squares that show why the game ended; none while it goes on, or where the position is not known."""
        if self.phase is not Phase.OVER or self.game is None or self.position is None:
            return ()
        return self.game.decisive(self.position)

    def usual_setup(self) -> list[Move]:
        """The placements of ours that are left, as they are usually made; none where nothing is to be placed."""
        if not self.my_turn or self.position is None or not isinstance(self.game, Placement):
            return []
        return self.game.usual_setup(self.position)

    def meant(self, square: int, piece: str) -> int:
        """The square where a ``piece`` placed on ``square`` goes: there, unless the rules take it elsewhere."""
        return self._rules.meant(square, piece) if piece else square

    @property
    def checked(self) -> int | None:
        """The square of the king that the last move has given check to, by its notation; None where there is none."""
        last = self._rules.history.last
        if last is None or last.mover is None or not last.notation.endswith(("+", "#")):
            return None
        king = f"{self.side(1 - last.mover)} king"
        return next((at for at, piece in self.board.items() if piece == king), None)

    def claim_word(self) -> str:
        """The word that claims the end which the rules allow the player to move to claim; "" where there is none."""
        known = self.my_turn and self.game is not None and self.position is not None
        claim = self.game.claim(self.position) if known and self.game is not None else None
        if claim is None or claim.winner not in (None, self.seat):
            return ""
        return "draw" if claim.winner is None else "claim"

    def plies_back(self) -> int:
        """Number of moves since our own last turn began, as a takeback asks for them."""
        known = self._rules.history.own_plies(self.seat) if self.seat is not None else 0
        return known or (2 if self.turn == self.seat else 1)

    def side(self, seat: int) -> str:
        """This seat's name on the board: "yellow"; its number from 1 where the rules are not known."""
        sides = self.game.called(self.settings) if self.game and self.settings else ()
        return sides[seat] if seat < len(sides) else f"seat {seat + 1}"

    def who(self, seat: int) -> str:
        """The name in this seat, or what the seat is called."""
        name = self.players[seat].name if seat < len(self.players) else ""
        return name or self.side(seat)

    def tell(self, tone: Tone, text: str) -> None:
        """Add a line to the news."""
        self.news.append(News(tone, text))

    def lost(self) -> None:
        """The connection is gone: no move is asked for until the server tells the table anew."""
        self.turn = self.pending = None

    def displace(self) -> None:
        """Another client has the seat now."""
        self.lost()
        self.displaced = True
        self.tell(Tone.REFUSAL, "Another client has taken your seat; b takes it back.")

    # the server's messages

    def seated(self, seat: int) -> None:
        """MSG_SEAT; it comes again when seats are exchanged before a game."""
        if self.seat not in (None, seat):
            self.tell(Tone.GAME, f"Seats are exchanged: you play {self.side(seat)}.")
        self.seat = seat
        if self.phase is Phase.JOINING:
            self.phase = Phase.WAITING

    def listed(self, players: tuple[Seat, ...]) -> None:
        """MSG_PLAYERS: tells who came, went, was lost or came back since the last one."""
        before, self.players = self.players, players
        if self.game and self.settings and len(players) != self.settings.seats:
            self.settings = self._rules.settings = or_none(lambda: self._settings(len(players))) or self.settings
        for text in arrivals(before, players, self.side, self.seat):
            self.tell(Tone.PEOPLE, text)

    def started(self) -> None:
        """MSG_START: the start position stands until the server says otherwise."""
        again = self.phase is Phase.PLAYING
        self.phase, self._stage = Phase.PLAYING, _Stage.REBUILDING
        self.turn = self.pending = self.roll = self.winner = self.passed = self._over = None
        self.why, self.void = "", False
        self.last, self.adjourned, self._taking = (), False, 0
        self.clock = self.clock if again else None
        self.offers.clear()
        self.settling.close()
        self.board = self._rules.begin(again)
        self.first_board = dict(self.board)
        self.tell(Tone.GAME, "The game goes on." if again else "The game begins.")

    def asked(self, seat: int) -> None:
        """REQ_MOVE: a turn begins, or goes on, or a refused move is asked for again."""
        self._settle_move()
        self.offers.passed()
        self.settling.close()
        moved = self._stage is _Stage.TOLD
        self._stage, self.turn, self.pending = _Stage.ASKED, seat, None
        if self.adjourned:
            self.adjourned = False
            self.offers.clear()
            self.tell(Tone.GAME, "The game goes on.")
        if self._taking:
            self._take_back()
        if self.roll and self.roll.seat is None:
            self.roll = Roll(seat, self.roll.value)
        self._fit()
        self._pass_over(told=moved)

    def settle(self) -> None:
        """To be called when the messages of one piece of wire are folded in: corrections of the board among them may
        have left the rules position behind."""
        if self._behind and self._stage is _Stage.ASKED:
            self._fit()

    def answered(self, status: int, text: str) -> None:
        """RSP_MOVE: a refusal is told in the server's own words."""
        self.offers.answered(not status)
        if status:
            self.pending = None
            self.tell(Tone.REFUSAL, text or f"refused with status {status}")

    def rolled(self, value: int) -> None:
        """MSG_DICE."""
        self._settle_move()
        seat = self._rules.rolled(value)
        self.roll = Roll(seat, value)
        self.tell(Tone.MOVE, f"{self.who(seat)} rolls {value}" if seat is not None else f"rolled {value}")

    def moved(self, move: Move) -> None:
        """MSG_MOVE: a move, a consequence of one, a part of a rebuilt board, or a word. A text shows nothing."""
        if move.source is move.target is None and not (move.piece in ("", "pass") or read_written(move.piece)):
            self._said(move.piece)
            return
        self.offers.passed()
        moved = Move(None, None) if move.source is None and move.target is None else move
        plain = moved.source is not None and moved.target is not None
        told_only = not plain and moved != PASS
        if told_only and self._stage is _Stage.REBUILDING:
            self._place(moved)
            self._rules.forget()
        elif told_only and self._stage is _Stage.TOLD and (self._shows(moved) or self._decides(moved)):
            return
        elif not (told_only and self._taking) and (readings := self._rules.readings(moved, self.pending)):
            self._commit(moved, readings)
        elif not told_only or (self._stage is _Stage.ASKED and self.position is None and not self._taking):
            self._commit(moved, [])
        else:  # a correction: moves were taken back, or a seat has given up
            self._place(moved)
            self._behind = True

    def ended(self, winner: int | None) -> None:
        """MSG_GAMEOVER; None is a draw."""
        self._settle_move()
        self.offers.clear()
        self.settling.close()
        self.phase, self.winner, self.adjourned = Phase.OVER, winner, False
        self.turn = self.pending = None
        reason, detail = self._over or self._by_rules()
        self.void = reason is Reason.VOID
        self.why = ending(reason, detail, self._loser(winner))
        if winner is None:
            said = "The game is void" if self.void else "The game is drawn"
        else:
            said = "You win" if winner == self.seat else f"{self.who(winner)} wins"
        self.tell(Tone.GAME, f"{said}: {self.why}." if self.why else f"{said}{'!' if winner == self.seat else '.'}")

    # how they are folded

    def _by_rules(self) -> tuple[Reason, str]:
        """Why the game is over by the rules; without words where the position is not known or goes on."""
        position = self.position
        outcome = self.game.outcome(position) if self.game and position is not None else None
        return (outcome.reason, outcome.detail) if outcome else (Reason.RULES, "")

    def _loser(self, winner: int | None) -> str:
        """The loser's name, "" for ourselves, "the others" for several."""
        others = [seat.index for seat in self.players if seat.index != winner]
        if self.seat in others and len(others) == 1:
            return ""
        return self.who(others[0]) if len(others) == 1 else "the others"

    def _fit(self) -> None:
        """Find the rules position of the board as it was told, with ``turn`` to move."""
        if self.turn is not None:
            self._rules.fit(self.board, self.turn)
            if not self.last:
                self._mark_last()
        self._behind = False

    def _pass_over(self, *, told: bool) -> None:
        """A seat that is passed over has nothing to do: it is told once, ``told`` after a move."""
        self.passed = self._rules.passed_over()
        if told and self.passed is not None and self.turn is not None:
            stuck = (
                "You have no move and are"
                if self.passed == self.seat
                else f"{self.who(self.passed)} has no move and is"
            )
            again = "you move" if self.turn == self.seat else f"{self.who(self.turn)} moves"
            self.tell(Tone.GAME, f"{stuck} passed over: {again} again.")

    def _mark_last(self) -> None:
        last = self._rules.history.last
        self.last = last.squares if last else ()

    def _said(self, word: str) -> None:
        """A word: what a player proposes, or what has come of it."""
        if word == "resign":
            self.tell(Tone.GAME, "A player resigns.")
        elif word == offers.DECLINED:
            self.tell(Tone.GAME, self.offers.declined())
        elif word == offers.ADJOURNED:
            self._adjourn("The game is adjourned: it waits." + ("" if self.seat is None else " a: ready to go on"))
        elif word == offers.SETTLING:
            self._stop()
        elif word == "resume" and self.settling.going_on:
            self._play_on(self.offers.heard(word))
        elif word == "resume" and self._stage is _Stage.REBUILDING:
            # no move is asked for at a table we have come back to: coming back has said it for us
            self._adjourn("The game is adjourned. It goes on when the other side is ready, too.")
        elif offers.is_proposal(word):
            self._proposed(word)
        elif (clock := read_clock(word)) is not None:
            self._timed(clock)
        elif (over := read_over(word)) is not None:
            self._over = over
        elif (said := read_said(word)) is not None:
            self.offers.passed()
            speaker, text = said
            self.tell(Tone.CHAT, f"{'server' if speaker is None else self.who(speaker)}: {text}")
        else:
            self.tell(Tone.GAME, word)

    def _timed(self, clock: Clock) -> None:
        """Coming back we are told the clocks of the turn's beginning: if we know them we have counted since then."""
        late = self._stage is _Stage.REBUILDING and clock.running is not None
        if not (late and self.clock is not None and self.clock.clock == clock):
            self.clock = ToldClock(clock, late)

    def _stop(self) -> None:
        """Play has stopped, and the players settle what stands."""
        self._settle_move()
        self._stage, self.turn, self.pending, self.adjourned = _Stage.ASKED, None, None, False
        self._rules.stop(self.board)
        self.settling.begin()
        self.tell(Tone.GAME, STOPPED if self.seat is not None else "Play has stopped: the players settle what is dead.")

    def _play_on(self, standing: OfferState) -> None:
        """One side's wish is enough; the server asks for a move next."""
        self.offers.clear()
        self.settling.close()
        self._rules.play_on()
        self.tell(Tone.GAME, "You play on." if standing is OfferState.OURS else "The other side plays on.")

    def _adjourn(self, text: str) -> None:
        self.adjourned = True
        self.settling.close()
        self.turn = self.pending = None
        self.offers.clear()
        self.tell(Tone.GAME, text)

    def _proposed(self, word: str) -> None:
        standing = self.offers.heard(word)
        self.tell(Tone.GAME, offers.line(word, standing))
        others = [seat.kind for seat in self.players if seat.index != self.seat]
        # house bots agree to a takeback and to dead stones without a word
        agreed = standing is OfferState.AGREED or (bool(others) and all(kind is SeatKind.BOT for kind in others))
        if agreed:
            self._taking = offers.plies_of(word)
        if self.settling.going_on and offers.dead_of(word) is not None:
            self.settling.said(word)
            if agreed and (worth := self.settling.worth()):
                self.tell(Tone.GAME, f"That makes it {worth}.")

    def _take_back(self) -> None:
        """The moves are off the board already; the position is the one that stood there before them."""
        self.tell(Tone.GAME, f"{offers.moves(self._taking).capitalize()} taken back.")
        self._rules.back(self._taking)
        self._mark_last()
        self._taking = 0
        self.offers.clear()

    def _commit(self, move: Move, readings: list[Move]) -> None:
        """A move was made; without ``readings`` only its squares are known."""
        mover = self.turn if self.turn is not None else self._rules.to_move()
        if move != PASS:
            self.last = tuple(at for at in (move.source, move.target) if at is not None)
        self._stage, self.turn, self.pending, self._taking = _Stage.TOLD, None, None, 0
        self._answer_offers(mover)
        if not readings:
            self._place(move)
            self._rules.lose()
            self._tell_move(mover, self._spelled(move))
            return
        made = self._rules.play(readings, mover, self.last)
        self.board = self._rules.board()
        if not self._rules.in_doubt:
            self._tell_move(mover, made.notation)

    def _answer_offers(self, mover: int | None) -> None:
        """The wire does not say who proposes: of more than two, anybody but us may have moved on."""
        if mover == self.seat or len(self.players) <= 2:
            self.offers.moved(ours=mover == self.seat)
        else:
            self.offers.clear()

    def _decides(self, told: Move) -> bool:
        """True if this placement says which of several moves was made; the board is that move's then."""
        if not self._rules.decides(told.target, told.piece):
            return False
        self.board = self._rules.board()
        return True

    def _settle_move(self) -> None:
        """All consequences of a move were told: the move is known now."""
        made = self._rules.decided()
        if made is not None:
            self._tell_move(made.mover, made.notation)

    def _tell_move(self, mover: int | None, notation: str) -> None:
        self.tell(Tone.MOVE, (f"{self.who(mover)}: " if mover is not None else "") + notation)

    def _place(self, move: Move) -> None:
        piece = move.piece
        if move.source is not None:
            piece = self.board.pop(move.source, piece)
        if move.target is not None and piece:
            self.board[move.target] = piece

    def _shows(self, move: Move) -> bool:
        """True if the board already looks as this placement or removal will make it."""
        if move.source is not None:
            return move.source not in self.board
        return move.target is not None and self.board.get(move.target) == move.piece

    def _settings(self, seats: int) -> Settings:
        assert self.game is not None
        own = dict(self._options)
        return self.game.settings(self.variant, seats, own.pop("start", ""), own)

    def _spelled(self, move: Move) -> str:
        if move == PASS:
            return "pass"
        names = [
            self.look.name(at, self.width, self.height)
            for at in (move.source, move.target)
            if at is not None and at < self.width * self.height
        ]
        return " ".join([move.piece, "-".join(names)]).strip() + ("" if move.target is not None else " taken off")
