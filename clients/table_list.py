"""The list of a server's tables, refreshed while it is shown: a textual app whose result is the chosen table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from clients.watching import Fetch, in_thread
from gateway import registry
from protocols.core.errors import BoardgateError

EVERY_S: Final = 3.0
"""Seconds between two looks at the server."""

MOST: Final = 100
"""Tables of each state that are listed, the newest."""

STATES: Final = {"playing": "", "open": "waits for players"}
"""The listed states of tables, and the remark for each."""


def tables_of(fetch: Fetch, game: str) -> list[dict[str, Any]]:
    """The running and the open tables of ``game`` ("": of all games). BoardgateError: no answer."""
    found: list[dict[str, Any]] = []
    for state in STATES:
        asked = f"/api/tables?state={state}&limit={MOST}" + (f"&game={game}" if game else "")
        found += fetch(asked)["tables"]
    return found


def row(table: dict[str, Any]) -> Content:
    """One line: number, game and rule set, players, remarks."""
    names = " – ".join(seat["name"] or "…" for seat in table["seats"])
    remarks = [STATES.get(table["state"], table["state"])]
    if table.get("time") not in (None, "none"):
        remarks.append(str(table["time"]))
    return Content.assemble(
        (f"{table['id']:>6}  ", "dim"),
        (f"{registry.title(table['game'])} · {table['variant']}"[:30].ljust(32), "bold"),
        f"{names}  ",
        (", ".join(remark for remark in remarks if remark), "dim"),
    )


class TableList(App[int]):
    """Shows ``listed`` and asks ``look`` for it again and again.

    The result is the number of the table that was chosen, None when the list is left.
    """

    CSS = "#head { padding: 0 1; text-style: bold; } OptionList { height: 1fr; border: none; }"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "look on", priority=True),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
        Binding("q,escape", "leave", "quit"),
    ]

    def __init__(self, look: Callable[[], list[dict[str, Any]]], listed: list[dict[str, Any]], head: str) -> None:
        super().__init__()
        self._look = look
        self._listed = listed
        self._head = head

    def compose(self) -> ComposeResult:
        yield Static(self._head, id="head")
        yield OptionList(*self._options())
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.run_worker(self._renew())

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                self._listed = await in_thread(self._look)
            except BoardgateError as error:
                self.query_one("#head", Static).update(Content(f"{self._head}: {error}"))
            else:
                self.query_one("#head", Static).update(Content(self._head))
                self._show()

    def _options(self) -> list[Option]:
        if not self._listed:
            return [Option(Content.styled("Nobody plays at the moment.", "dim"), disabled=True)]
        return [Option(row(table), id=str(table["id"])) for table in self._listed]

    def _show(self) -> None:
        """Show the current list; a highlighted table stays highlighted while it is listed."""
        shown = self.query_one(OptionList)
        chosen = shown.highlighted_option.id if shown.highlighted_option else None
        options = self._options()
        shown.clear_options().add_options(options)
        known = [option.id for option in options]
        shown.highlighted = known.index(chosen) if chosen in known else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.exit(int(event.option.id))

    def action_choose(self) -> None:
        self.query_one(OptionList).action_select()

    def action_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()

    def action_leave(self) -> None:
        self.exit()
