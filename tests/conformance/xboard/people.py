"""Two people before two XBoards, each on a screen of their own, at one table of a running server.

with two_people(tmp_path) as (alice, bob, record):
    begin(alice, bob)
    ...
    record()["outcome"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.xboard.programs import adapter, virtual_screen, xboard
from tests.conformance.xboard.window import MACHINE_WHITE, Person

FIVE_MINUTES: Final = ("-tc", "5")

Two = tuple[Person, Person, Callable[[], dict[str, Any]]]
"""Alice, Bob, and what the server says of their table."""


@contextmanager
def two_people(
    tmp_path: Path, alice: Sequence[str] = FIVE_MINUTES, bob: Sequence[str] = FIVE_MINUTES, registered: str = ""
) -> Iterator[Two]:
    """Each with these options of XBoard, at an open table or at one that is ``registered`` for them with this time."""
    with (
        fast(tmp_path / "server", "chess-p2p", "http") as running,
        virtual_screen() as left,
        virtual_screen() as right,
    ):
        address, host = f"127.0.0.1:{running.ports[0]}", Host(running.ports[1])
        table, tickets = host.registers("chess", "alice", "bob", time=registered) if registered else (1, [])
        seats = [["--ticket", ticket] for ticket in tickets] or [["--name", "alice"], ["--name", "bob"]]
        with (
            xboard(left, tmp_path / "alice", *alice, first=adapter(address, *seats[0])) as one,
            xboard(right, tmp_path / "bob", *bob, first=adapter(address, *seats[1])) as other,
        ):
            yield Person(left, one), Person(right, other), lambda: host.table(table)


def begin(alice: Person, bob: Person) -> None:
    """Alice has White; one move of each is made."""
    alice.sees('feature myname="bob"')
    bob.sees('feature myname="alice"')
    bob.press(MACHINE_WHITE)
    bob.hears("go")
    alice.sees("telluser")
    alice.moves("e2e4")
    bob.sees("move e2e4")
    bob.moves("e7e5")
    alice.sees("move e7e5")
