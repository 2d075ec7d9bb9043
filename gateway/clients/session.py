"""A Bogaprot client's conversation: server bytes into the mirror, the player's wishes into bytes. No I/O, no waiting.

    session = Session(Wish("ludo", name="alice"), Mirror(registry.game("ludo")))
    send(session.opening())
    session.receive_data(data)                    # the mirror has changed
    send(session.play(session.mirror.legal_moves()[0]))

Not here: connecting and reconnecting (connection.py, bot_client.py). Source: the Bogaprot document, its spec profile;
the words that the document does not have are this house's.
"""

from __future__ import annotations

from gateway.clients.joining import Wish
from gateway.clients.mirror import Mirror
from gateway.clients.offers import DECLINED
from protocols import bogaprot_messages as say
from protocols.bogaprot_messages import BOGAPROT, seats_of
from protocols.bogaprot_talk import SAY
from protocols.core.errors import BoardgateError, RemoteProtocolError
from protocols.core.model import PASS, Move
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message

MOST_SEATS = 64
"""Seats a server may speak of; more than any game has."""


class TurnedAway(BoardgateError):
    """The server refused the handshake; the text is its own sentence."""


class PasswordNeeded(TurnedAway):
    """The name is an account's, and the client wants exactly that name."""


class SeatTaken(BoardgateError):
    """Another client has taken the seat with its ticket. A client that does not stay away would fight with it."""


class Session:
    """One seat's conversation, over as many connections as it takes; each begins with ``opening``."""

    def __init__(self, wish: Wish, mirror: Mirror) -> None:
        self.wish = wish
        self.mirror = mirror
        self.welcome = False
        """Whether the server has accepted the handshake of this connection."""
        self._wire = Wire(codec(BOGAPROT), "client")

    def opening(self) -> bytes:
        """What a new connection sends first."""
        self._wire = Wire(codec(BOGAPROT), "client")
        self.welcome = self.mirror.displaced = False
        return self._wire.build("REQ_HANDSHAKE", self.wish.engine(), BOGAPROT.version)

    def receive_data(self, data: bytes) -> None:
        """Fold what the server sent into the mirror; b"": it closed.

        TurnedAway: it wants no such client. RemoteProtocolError: what it sends is not Bogaprot. What came before
        either is folded in.
        """
        for message in self._wire.receive_data(data):
            self._fold(message)
        self.mirror.settle()
        if self._wire.error:
            raise RemoteProtocolError(self._wire.error)

    def play(self, move: Move) -> bytes:
        """Ask for a move, a placement or a pass; the board changes when the server echoes it.

        A movement has no room for a piece on this wire: what is promoted to is a word before it.
        """
        self.mirror.pending = move
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
        self.mirror.offers.sent(word)
        return self._word(word)

    def say(self, text: str) -> bytes:
        """Tell the other players something."""
        return self._word(f"{SAY}{text}")

    def decline(self) -> bytes:
        """Refuse what the other side has proposed."""
        self.mirror.offers.sent(DECLINED)
        return self._word("decline")

    def _word(self, text: str) -> bytes:
        return self._wire.build("MSG_MOVE", -1, -1, text)

    def _fold(self, message: Message) -> None:
        name, values = message
        mirror = self.mirror
        match name, list(values):
            case "RSP_HANDSHAKE", [0, *_]:
                self.welcome = True
            case "RSP_HANDSHAKE", [say.PASSWORD_NEEDED, *text]:
                raise PasswordNeeded(str(text[0]) if text else "the account's password is needed")
            case "RSP_HANDSHAKE", [int(), *text]:
                raise TurnedAway(str(text[0]) if text else "the server refuses the handshake")
            case "MSG_SEAT", [int(seat)]:
                mirror.seated(_seat(seat))
            case "MSG_PLAYERS", [int(), *_]:
                mirror.listed(tuple(seats_of(message)))
            case "MSG_START", []:
                mirror.started()
            case "REQ_MOVE", [int(seat)]:
                mirror.asked(_seat(seat))
            case "RSP_MOVE", [say.SEAT_TAKEN, *_]:
                mirror.displace()
            case "RSP_MOVE", [int(status), *text]:
                mirror.answered(status, str(text[0]) if text else "")
            case "MSG_MOVE", [int(source), int(target), *piece]:
                mirror.moved(_move(source, target, str(piece[0]) if piece else ""))
            case "MSG_DICE", [int(value)]:
                mirror.rolled(value)
            case "MSG_GAMEOVER", [int(winner)]:
                mirror.ended(winner if winner >= 0 else None)
            case _:
                raise RemoteProtocolError(f"{name} {values!r} makes no sense to a client")


def _move(source: int, target: int, piece: str) -> Move:
    return Move(source if source >= 0 else None, target if target >= 0 else None, piece)


def _seat(number: int) -> int:
    if not 0 <= number < MOST_SEATS:
        raise RemoteProtocolError(f"there is no seat {number}")
    return number
