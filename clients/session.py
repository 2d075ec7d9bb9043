"""A Bogaprot client's conversation: server bytes into the client state, the player's wishes into bytes. No I/O.

    session = Session(Wish("ludo", name="alice"), Mirror(registry.game("ludo")))
    send(session.opening())
    session.receive_data(data)                    # the mirror has changed
    send(session.play(session.mirror.legal_moves()[0]))

Source: the Bogaprot document, its spec profile; the words that the document does not have are this house's.
"""

from __future__ import annotations

import re
from typing import Final

from clients.client_state import ClientState
from clients.joining import Wish
from clients.offers import DECLINED
from protocols.bogaprot import messages as say
from protocols.bogaprot.extensions import SAY
from protocols.bogaprot.messages import BOGAPROT, seats_of
from protocols.core.errors import BoardgateError, RemoteProtocolError
from protocols.core.model import PASS, Move
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message

DIALECT: Final = "bogaprot"
"""The dialect it speaks."""

_UNKNOWN_OPTION = re.compile(r"\w+ has no option '(\w+)'")
"""The refusal by which every server so far names an unknown option of a handshake."""

MOST_SEATS = 64
"""Seats a server may speak of; more than any game has."""


class TurnedAway(BoardgateError):
    """The server refused the handshake; the text is its own sentence."""


class TryLater(TurnedAway):
    """The server takes nobody just now: it may take this client in a while."""


class PasswordNeeded(TurnedAway):
    """The name is an account's, and the client wants exactly that name."""


class SeatTaken(BoardgateError):
    """Another client has taken the seat with its ticket. A client that does not stay away would fight with it."""


class Session:
    """One seat's conversation, over as many connections as it takes; each begins with ``opening``."""

    def __init__(self, wish: Wish, client_state: ClientState) -> None:
        self.wish = wish
        self.client_state = client_state
        self.welcome = False
        """True if the server has accepted the handshake of this connection."""
        self.asks_again = False
        """True if the server has refused it for an option it does not know: ``opening`` is to be sent again."""
        self._wire = Wire(codec(BOGAPROT), "client")

    def opening(self) -> bytes:
        """The first bytes of a new connection."""
        self._wire = Wire(codec(BOGAPROT), "client")
        self.welcome = self.asks_again = self.client_state.displaced = False
        return self._wire.build("REQ_HANDSHAKE", self.wish.engine(), BOGAPROT.version)

    def receive_data(self, data: bytes) -> None:
        """Fold what the server sent into the mirror; b"": it closed.

        TurnedAway: it wants no such client. RemoteProtocolError: what it sends is not Bogaprot. What came before
        either is folded in.
        """
        for message in self._wire.receive_data(data):
            self._fold(message)
        self.client_state.settle()
        if self._wire.error:
            raise RemoteProtocolError(self._wire.error)

    def play(self, move: Move) -> bytes:
        """Ask for a move, a placement or a pass; the board changes when the server echoes it.

        A movement has no room for a piece on this wire: what is promoted to is a word before it.
        """
        self.client_state.pending = move
        if move == PASS:
            return self._word("pass")
        source, target = (-1 if at is None else at for at in (move.source, move.target))
        if move.source is None:
            return self._wire.build("MSG_MOVE", source, target, move.piece)
        chosen = self._word(f"promote {move.piece}") if move.piece else b""
        return chosen + self._wire.build("MSG_MOVE", source, target)

    def resign(self) -> bytes:
        """Give the game up."""
        return self._word("resign")

    def propose(self, word: str) -> bytes:
        """Propose "draw", "takeback 2", "adjourn", "resume" or "rematch", or agree to it."""
        self.client_state.offers.sent(word)
        return self._word(word)

    def give_time(self, seconds: int) -> bytes:
        """Give the other side so many more seconds."""
        return self._word(f"moretime {seconds}")

    def say(self, text: str) -> bytes:
        """Tell the other players something."""
        return self._word(f"{SAY}{text}")

    def decline(self) -> bytes:
        """Refuse what the other side has proposed."""
        self.client_state.offers.sent(DECLINED)
        return self._word("decline")

    def _word(self, text: str) -> bytes:
        return self._wire.build("MSG_MOVE", -1, -1, text)

    def _refused(self, why: str) -> None:
        """Ask again without an option that an older server does not know, or give up."""
        unknown = _UNKNOWN_OPTION.fullmatch(why)
        simpler = None if unknown is None else self.wish.without(unknown[1])
        if simpler is None:
            raise (TryLater if why == say.TRY_LATER else TurnedAway)(why)
        self.wish, self.asks_again = simpler, True

    def _fold(self, message: Message) -> None:
        name, values = message
        client_state = self.client_state
        match name, list(values):
            case "RSP_HANDSHAKE", [0, *_]:
                self.welcome = True
            case "RSP_HANDSHAKE", [say.PASSWORD_NEEDED, *text]:
                raise PasswordNeeded(str(text[0]) if text else "the account's password is needed")
            case "RSP_HANDSHAKE", [int(), *text]:
                self._refused(str(text[0]) if text else "the server refuses the handshake")
            case "MSG_SEAT", [int(seat)]:
                client_state.seated(_seat(seat))
            case "MSG_PLAYERS", [int(), *_]:
                client_state.listed(tuple(seats_of(message)))
            case "MSG_START", []:
                client_state.started()
            case "REQ_MOVE", [int(seat)]:
                client_state.asked(_seat(seat))
            case "RSP_MOVE", [say.SEAT_TAKEN, *_]:
                client_state.displace()
            case "RSP_MOVE", [int(status), *text]:
                client_state.answered(status, str(text[0]) if text else "")
            case "MSG_MOVE", [int(source), int(target), *piece]:
                client_state.moved(_move(source, target, str(piece[0]) if piece else ""))
            case "MSG_DICE", [int(value)]:
                client_state.rolled(value)
            case "MSG_GAMEOVER", [int(winner)]:
                client_state.ended(winner if winner >= 0 else None)
            case _:
                raise RemoteProtocolError(f"{name} {values!r} makes no sense to a client")


def _move(source: int, target: int, piece: str) -> Move:
    return Move(source if source >= 0 else None, target if target >= 0 else None, piece)


def _seat(number: int) -> int:
    if not 0 <= number < MOST_SEATS:
        raise RemoteProtocolError(f"there is no seat {number}")
    return number
