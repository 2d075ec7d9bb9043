"""A bot at the client's end, in trio: sits down, plays, reports a line, and sits down again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import trio

from clients.backoff import Backoff
from clients.client_state import ClientState, Phase
from clients.connection import (
    CHUNK,
    CONNECT_S,
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    WELCOME_S,
    Unreachable,
    unreachable,
)
from clients.dial import dial, hang_up
from clients.engine_player import EngineFailed, EnginePlayer
from clients.joining import Address, Wish, new_ticket
from clients.news import Tone
from clients.session import SeatTaken, Session, TryLater
from gateway.bots.chooser import choose
from gateway.bots.conversation import Resigned, Unsuited
from gateway.games.base import Game
from gateway.net.sockets import Stream
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import Move

MOST_REFUSALS = 5
"""Moves refused in a row after which a bot resigns: its rules and the server's differ then."""


@dataclass(frozen=True, slots=True)
class Host:
    """One bot's game, server, level (gateway.bots.chooser), and the receiver of a line per game.

    ``engine`` chooses its moves; None: it does so itself.
    """

    game: Game[Any]
    wish: Wish
    address: Address
    level: int
    report: Callable[[str], None]
    engine: EnginePlayer | None = None


async def play_games(host: Host, games: int) -> None:
    """Play ``games`` games one after another, without end for 0. A lost connection is taken up again.

    EngineFailed: its engine is of no use. Unreachable: no server answers at first. TurnedAway: it refuses the bot.
    Refused: the rule set does not exist. SeatTaken: another client has the seat.
    """
    try:
        await _play_games(host, games)
    finally:
        if host.engine is not None:
            await host.engine.close()


async def _play_games(host: Host, games: int) -> None:
    played = 0
    ticket = host.wish.ticket
    while not games or played < games:
        wish = replace(host.wish, ticket=ticket or new_ticket(), kept=bool(ticket))
        session = Session(wish, ClientState(host.game, wish.variant, options=dict(wish.options)))
        await _play(host, session, played, patient=played > 0)
        played, ticket = played + 1, ""
        host.report(f"game {played}: {result(session.client_state)}")


def result(client_state: ClientState) -> str:
    """The result of a finished game in one line: "yellow against bob: won"."""
    seat = client_state.seat or 0
    others = ", ".join(client_state.who(other.index) for other in client_state.players if other.index != seat)
    ended = "drawn" if client_state.winner is None else "won" if client_state.winner == seat else "lost"
    return f"{client_state.side(seat)} against {others}: {ended}"


async def _play(host: Host, session: Session, number: int, *, patient: bool) -> None:
    """Game ``number``, over as many connections as it takes. ``patient``: a server that takes nobody is waited for."""
    backoff = Backoff(FIRST_PAUSE_S)
    while True:
        try:
            async with await _connected(host.address) as stream:
                if await _converse(host, session, number, stream):
                    await hang_up(stream)
                    return
        except (Unreachable, TryLater):
            if not patient:
                raise
        else:
            patient = True
            host.report("the connection is lost, trying again")
        await trio.sleep(backoff.next_s(LONGEST_PAUSE_S))


async def _connected(address: Address) -> Stream:
    try:
        return await dial(address, CONNECT_S)
    except OSError as error:
        raise unreachable(address, error) from error


async def _converse(host: Host, session: Session, number: int, stream: Stream) -> bool:
    """Play on this connection; False when it was lost before the game was over."""
    refused, settling, told = 0, False, False
    deadline_s = WELCOME_S
    try:
        await stream.send_all(session.opening())
        while session.client_state.phase is not Phase.OVER:
            with trio.fail_after(deadline_s):
                data = await stream.receive_some(CHUNK)
            if not data:
                return False
            session.receive_data(bytes(data))
            if session.asks_again:
                await stream.send_all(session.opening())
            if not told and (unlike := _unlike(session)):
                told = True
                host.report(unlike)
            if session.client_state.displaced:
                raise SeatTaken("another client has taken the seat: this bot stays away")
            if session.welcome:
                deadline_s = float("inf")
            refused = _refusals(session.client_state, refused)
            if session.client_state.settling.going_on and not settling:
                await stream.send_all(await _dead(host, session, number))
            settling = session.client_state.settling.going_on
            if session.client_state.offers.theirs:
                await stream.send_all(_answer(session))
            if session.client_state.my_turn:
                await stream.send_all(await _move(host, session, number, refused))
    except (trio.BrokenResourceError, trio.TooSlowError):
        return False
    except RemoteProtocolError as error:
        host.report(f"the server sent what is no Bogaprot: {error}")
        return False
    return True


def _unlike(session: Session) -> str:
    """A complaint where the server has given another name than was asked for; "" where it has not, or not yet."""
    wanted, seat = session.wish.name, session.client_state.seat
    given = next((held.name for held in session.client_state.players if held.index == seat), wanted)
    if not wanted or given.casefold() == wanted.casefold():
        return ""
    return f"you are {given}: {wanted} is an account's name, or somebody else's here (boardgate login logs in)"


def _answer(session: Session) -> bytes:
    """Agree to any proposal but a draw, as house bots do."""
    proposed = session.client_state.offers.theirs
    session.client_state.offers.theirs = ""
    return session.decline() if proposed == "draw" else session.propose(proposed)


def _refusals(client_state: ClientState, before: int) -> int:
    """Number of moves in a row that were refused, by the news since the last look."""
    count = before
    while client_state.news:
        line = client_state.news.popleft()
        count = count + 1 if line.tone is Tone.REFUSAL else 0 if line.tone is Tone.MOVE else count
    return count


async def _dead(host: Host, session: Session, number: int) -> bytes:
    """This bot's proposal of dead stones, where play has stopped."""
    settling = session.client_state.settling
    if host.engine is not None and session.client_state.position is not None:
        for square in await host.engine.dead(host.game, session.client_state, number):
            if square not in settling.marked:
                settling.turn(square)
    return session.propose(settling.word())


async def _move(host: Host, session: Session, number: int, refused: int) -> bytes:
    """The next move as bytes; a resignation where this bot cannot know what is legal."""
    client_state = session.client_state
    moves = client_state.legal_moves()
    if not moves or refused >= MOST_REFUSALS:
        host.report("resigning: the server's rules and this bot's differ")
        return session.resign()
    if refused:
        return session.play(random.choice(moves))
    if host.engine is not None:
        return await _engines_move(host, host.engine, session, number)
    chosen = await trio.to_thread.run_sync(_chosen, host, client_state.position, abandon_on_cancel=True)
    return session.play(chosen)


async def _engines_move(host: Host, engine: EnginePlayer, session: Session, number: int) -> bytes:
    """The engine's move, or its resignation. EngineFailed: there is none."""
    try:
        return session.play(await engine.choose(host.game, session.client_state, number))
    except Resigned:
        return session.resign()
    except Unsuited as why:
        raise EngineFailed(f"{why}: choose other rules with --variant") from None


def _chosen(host: Host, position: Any) -> Move:
    return choose(host.game, position, host.level, None, time.monotonic, random.Random())
