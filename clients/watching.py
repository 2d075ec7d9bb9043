"""A spectator's client: follows the events of a table over the JSON API and folds them into a player's client state.

    events by HTTP -> state by the rules -> words of Bogaprot, as an observer hears them -> session -> mirror

The cursor of the API makes a lost connection harmless: the next answer has the missed events. A record holds no turns
of games without clocks; they follow from the position and are added here.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

from clients import offers
from clients.backoff import Backoff
from clients.client_state import ClientState
from clients.connection import FIRST_PAUSE_S, LONGEST_PAUSE_S
from clients.joining import Address, Wish
from clients.news import Tone
from clients.session import Session
from gateway import registry
from gateway.store import codec
from gateway.table.evolve import evolve, replay
from gateway.table.state import State, Status
from protocols.bogaprot.dialect import Bogaprot
from protocols.core import events as ev
from protocols.core.errors import BoardgateError
from protocols.core.notifications import Seated
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Score, Takeback

T = TypeVar("T")

Fetch = Callable[[str], Any]
"""Asks the API for a path: its JSON. Gone: there is no such thing. BoardgateError: it cannot be had now."""

WAIT_S: Final = 15
"""Seconds an answer may wait for an event: less than a client waits for an answer."""


class Gone(BoardgateError):
    """The server has no such table, or it is private."""


class Watching:
    """One table under observation; the app uses it as a player's Connection. ``open`` makes ``session``."""

    def __init__(self, fetch: Fetch, table: int, address: Address, *, first_pause_s: float = FIRST_PAUSE_S) -> None:
        self.address = address
        self.up = False
        self.changed: Callable[[], None] = lambda: None
        self.session: Session
        self._fetch = fetch
        self._table = table
        self._first_pause_s = first_pause_s
        self._after = 0
        self._idle = False
        """True if the server does not serve the table now and has no further events of it."""
        self._dialect = Bogaprot()
        self._state: State

    async def open(self) -> None:
        """Fetch what has happened so far. Gone, Refused (its game is not installed here), BoardgateError."""
        events = await self._further(0)
        if not events or not isinstance(events[0], ev.TableOpened):
            raise BoardgateError(f"the server tells of table {self._table} what this client does not understand")
        game = registry.game_of_record(events[0].settings.game)
        self._state = replay(self._table, game, b"", events[:1])
        self.session = Session(Wish(game.name, clocks=True, talk=True), ClientState(game, events[0].settings.variant))
        self.session.client_state.agreed(events[0].settings)
        self._dialect.receive_data(self.session.opening())
        self._dialect.send(Seated(self._table, None, (events[0],)))
        self._fold(events[1:])
        while more := await self._further(0):
            self._fold(more)
        self.up = True

    async def keep(self) -> None:
        """Follow the table until it closes, over as many requests as it takes. Gone: it was deleted meanwhile."""
        backoff = Backoff(self._first_pause_s)
        while not (self._idle and self._state.status in (Status.OVER, Status.CLOSED)):
            try:
                events = await self._further(WAIT_S)
            except Gone:
                raise
            except BoardgateError:
                self._lost()
                await asyncio.sleep(backoff.next_s(LONGEST_PAUSE_S))
            else:
                if not self.up or events:
                    self._back()
                    self._fold(events)
                    self.changed()
                if self._idle:
                    await asyncio.sleep(backoff.next_s(LONGEST_PAUSE_S))  # after a restart the table is not served yet
                else:
                    backoff.reset()
        self.session.client_state.tell(Tone.GAME, "The table is closed. q: back")
        self.changed()

    def send(self, data: bytes) -> None:
        """Does nothing: a spectator has no requests."""

    def take_back(self) -> None:
        """Does nothing: a spectator has no seat."""

    async def close(self) -> None:
        """Ends the observation; no connection is open between two requests."""
        self.up = False

    async def _further(self, wait_s: int) -> list[ev.Event]:
        """The events since the last answer; waits up to ``wait_s`` seconds for one."""
        path = f"/api/tables/{self._table}/events?after={self._after}&wait={wait_s}"
        answer = await in_thread(lambda: self._fetch(path))
        try:
            shown = [event for event in answer["events"] if "body" in event]  # the rest was said to others
            events = [codec.decode(event["kind"], json.dumps(event["body"])) for event in shown]
            self._after, self._idle = int(answer["next"]), bool(answer["closed"]) and not answer["events"]
        except (ValueError, KeyError, TypeError) as error:
            raise BoardgateError(
                f"the server tells of table {self._table} what this client does not understand"
            ) from error
        return events

    def _lost(self) -> None:
        if self.up:
            self.up = False
            self.session.client_state.tell(Tone.REFUSAL, "The connection is lost.")
            self.changed()

    def _back(self) -> None:
        if not self.up:
            self.up = True
            self.session.client_state.tell(Tone.GAME, "Connected again.")

    def _fold(self, events: list[ev.Event]) -> None:
        for event in events:
            self._tell(event)
            self._state = state = evolve(self._state, event)
            turn = _untold_turn(state)
            if turn is not None:
                self._tell(turn)
                self._state = evolve(state, turn)
        self._hear()

    def _tell(self, event: ev.Event) -> None:
        """Pass an event on as the dialect words it for observers; name the player where the words would not."""
        client_state, state = self.session.client_state, self._state
        match event:
            case ev.GameStarted(settings=settings):
                self._hear()
                client_state.agreed(settings)
                self._dialect.send(event)
            case ev.Proposed(seat=seat, proposal=proposal):
                if (said := _proposed(proposal)) is not None:
                    self._say(f"{state.seats[seat].name} {said}.")
                if isinstance(proposal, Score):
                    client_state.settling.said(" ".join(["dead", *map(str, proposal.dead)]))
            case ev.Declined(seat=seat):
                self._say(f"{state.seats[seat].name} declines.")
            case ev.MovesTakenBack(plies=plies):
                self._say(f"{offers.moves(plies).capitalize()} taken back.")
                self._dialect.send(event)
            case ev.SeatLeft(seat=seat) if state.status is Status.OVER:
                self._say(f"{state.seats[seat].name} has left.")  # the panel keeps the names of the players
            case ev.Agreed():
                pass
            case _:
                self._dialect.send(event)

    def _say(self, text: str) -> None:
        """A line of the log, after what was told before it."""
        self._hear()
        self.session.client_state.tell(Tone.GAME, text)

    def _hear(self) -> None:
        while data := self._dialect.data_to_send():
            self.session.receive_data(data)


def _proposed(proposal: Proposal) -> str | None:
    """A proposal as a predicate of its player; None for proposals that precede a game."""
    match proposal:
        case Draw():
            return "offers a draw"
        case Takeback(plies=plies):
            return f"asks to take {offers.moves(plies)} back"
        case Adjourn():
            return "proposes to adjourn"
        case Abort():
            return "asks to abort the game"
        case Resume():
            return "is ready to go on"
        case Rematch():
            return "proposes another game"
        case Score(dead=dead):
            return f"says: {offers.stones(len(dead))}"
    return None


def _untold_turn(state: State) -> ev.TurnStarted | None:
    """The turn that begins now, where no clock runs: such a turn is not in the record."""
    if state.status is not Status.PLAYING or state.turn is not None or state.settings.time is not None:
        return None
    turn = state.game.to_move(state.position)
    return ev.TurnStarted(turn) if isinstance(turn, int) else None


async def in_thread(work: Callable[[], T]) -> T:
    """The result of ``work``, run in a daemon thread: the program can end without waiting for it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BoardgateError | None) -> None:
        if not done.cancelled():
            done.set_exception(error) if error else done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BoardgateError as refused:
            error = refused
        except (OSError, ValueError) as failed:
            error = BoardgateError(str(failed))
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await done
