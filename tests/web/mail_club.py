"""A server whose mail goes to a mail server of the test; the test begins the rounds of the loop between them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gateway.accounts.forgotten import mailed_link
from gateway.accounts.mail import new_code
from gateway.config.model import Mail
from gateway.push.by_mail import ByMail
from gateway.push.sender import Sender
from gateway.push.smtp import mail_server
from gateway.store.former import PublicViews
from gateway.store.mail import Letter, Letters
from tests.hall import config
from tests.push.mail_room import MailRoom, link_in, mail_room
from tests.web.club import PASSWORD, Club, club
from tests.web.person import Person

ANN = "ann@y.example"


async def always() -> bool:
    return True


@dataclass
class MailClub:
    club: Club
    room: MailRoom
    letters: Letters
    sender: Sender[Letter]

    @property
    def person(self) -> Person:
        """Another browser."""
        return Person(self.club.port)

    async def later(self, seconds: float = 0.0) -> list[Any]:
        """The letters that arrive in a round that is so much later."""
        before = len(self.room.letters)
        await self.sender.round(time.time() + seconds)
        return self.room.letters[before:]

    async def has_address(self, person: Person, address: str = ANN) -> None:
        """Give the account that is logged in this address, and confirm it."""
        given = await person.send("/account/mail", address=address, current=PASSWORD)
        assert given.headers["location"] == "/account?done=mail", given.text
        (letter,) = await self.later()
        confirmed = await self.person.send("/mail", code=link_in(letter))
        assert confirmed.headers["location"] == "/login?done=confirmed"


@asynccontextmanager
async def mail_club(
    folder: Path, room: MailRoom | None = None, per_hour: int = 10, **registration: Any
) -> AsyncIterator[MailClub]:
    """``room`` is a mail server other than the usual one."""
    with mail_room() as usual:
        mine = usual if room is None else room
        settings = replace(config(), mail=Mail(**mine.settings()))
        server = mail_server(settings)
        assert server is not None
        async with club(folder, settings, **registration) as here:
            hosts = here.hall.server.config.registration.host_accounts.split()
            link = partial(mailed_link, here.hall.server.accounts, hosts)
            url = here.hall.server.config.database_url
            assert here.kept is not None
            with closing(Letters(url)) as letters, closing(PublicViews(url)) as views:
                way = ByMail(letters, here.kept.notices, views, server, "Club", link, new_code, per_hour)
                yield MailClub(here, mine, letters, Sender(way, always))
