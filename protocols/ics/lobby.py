"""Seeks and challenges: made, shown, taken, declined, withdrawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire, Join, Offer, Propose, Take, Withdraw
from protocols.core.desk import read_number
from protocols.core.model import Settings
from protocols.core.proposals import Start
from protocols.ics import writing
from protocols.ics.desk import INTERFACE, VARIABLES, Desk
from protocols.ics.lists import Lists
from protocols.ics.reading import GAME, USUAL, Wanted, read_time, read_wanted

MINUTES: Final = 60
"""A challenge or a seek stands so long, unless its maker goes."""

BOT: Final = re.compile(r"bot|[a-z]+:[0-9]{1,2}", re.IGNORECASE)
"""A house bot, and how well it plays."""


@dataclass(frozen=True, slots=True)
class Ad:
    """A game that somebody offers: ``to`` is "" for everybody. ``waits``: its maker sits at a table already."""

    number: int
    by: str
    settings: Settings
    to: str = ""
    side: int | None = None
    rating: ntf.Points | None = None
    bot: bool = False
    account: bool = False
    waits: bool = False


class Lobby:
    def __init__(self, desk: Desk, lists: Lists) -> None:
        self._desk = desk
        self._ads: dict[int, Ad] = {}
        self._seeks: dict[int, Ad] = {}
        self._listed: Sequence[ntf.ListedOffer] = ()
        """The offers as the last look has found them, and ``_carried`` of them."""
        self._carried = 0
        self._lists = lists
        self._listing = False
        """True while a list has been asked for, in which everything will stand that is new."""
        self.called: ntf.Called | None = None
        self.last: tuple[str, Settings, int | None] | None = None
        """The opponent of the last game, what was played, and the seat of the peer."""

    # what stands

    @property
    def polls(self) -> bool:
        """True if the peer wants to hear of every seek."""
        return self._desk.has("seekinfo") or self._desk.is_on("seek")

    def look(self) -> list[Command]:
        """Ask which offers stand by now, where the peer wants to hear of them or some are its own, or for it alone."""
        mine = any(ad.to or ad.by == self._desk.name for ad in self._ads.values())
        return [Inquire("offers")] if self.polls or mine else []

    def offers(self, listed: Sequence[ntf.ListedOffer]) -> None:
        """The offers that stand now: what has come and gone is told."""
        if listed == self._listed and len(self._ads) == self._carried:  # most looks find what the last one has found
            self._listing = False
            return
        found = {made.number: _ad(made) for made in listed if writing.carries(made.settings)}
        self._listed, self._carried = listed, len(found)
        before, self._ads = self._ads, found
        for number in before.keys() - found.keys():
            self._gone(before[number])
        for number, ad in found.items():
            self._desk.rate(ad.by, ad.rating, account=ad.account)
            if number not in before and (ad.to or not self._listing):
                self._come(ad)
        self._listing = False

    def noticed(self, message: ntf.Noticed) -> None:
        """Players have come to wait at tables, or wait no more."""
        for notice in message.removed:
            for number, ad in list(self._seeks.items()):
                if ad.by == notice.name and ad.settings == notice.start.settings:
                    del self._seeks[number]
                    self._gone(ad)
        for notice in message.posted:
            settings = notice.start.settings
            if settings is None or not writing.carries(settings) or notice.start.confirms:
                continue
            ad = Ad(self._desk.number(), notice.name, settings, "", notice.start.side, waits=True)
            self._seeks[ad.number] = ad
            self._come(ad)

    def _come(self, ad: Ad) -> None:
        desk = self._desk
        mine = ad.by == desk.name
        if ad.to:
            if not mine:
                self._challenged(ad)
            elif desk.has("pendinfo"):
                desk.come(f"<pt> {ad.number} w={desk.alias(ad.to)} t=match p={self._challenge(ad)}")
        elif desk.has("seekinfo"):
            if not mine or desk.has("showownseek"):
                desk.come(self._sought(ad, "<sn>" if mine else "<s>"))
        elif desk.is_on("seek") and not mine:
            colour = "" if ad.side is None else f" [{('white', 'black')[ad.side]}]"
            desk.come(
                f"{desk.alias(ad.by)} ({desk.points(ad.by)}) seeking {self._words(ad.settings)}{colour} "
                f'("play {ad.number}" to respond)'
            )

    def _gone(self, ad: Ad) -> None:
        desk = self._desk
        if ad.to:
            if desk.has("pendinfo"):
                desk.come(f"<pr> {ad.number}")
            if self.called is None or self.called.table != ad.number:
                other = desk.alias(ad.to if ad.by == desk.name else ad.by)
                how = "declines the match offer" if ad.by == desk.name else "withdraws the match offer"
                desk.come(f"{other} {how}.")
        elif desk.has("seekinfo") and desk.has("seekremove"):
            desk.come(f"<sr> {ad.number}")

    def _challenged(self, ad: Ad) -> None:
        desk = self._desk
        if desk.has("pendinfo"):
            desk.come(f"<pf> {ad.number} w={desk.alias(ad.by)} t=match p={self._challenge(ad)}")
        desk.come(f"Challenge: {self._challenge(ad)}.")
        desk.come('You can "accept" or "decline", or propose different parameters.')

    def _challenge(self, ad: Ad) -> str:
        desk = self._desk
        maker = f"{desk.alias(ad.by)} ({desk.points(ad.by)})"
        colour = "" if ad.side is None else f" [{('white', 'black')[ad.side]}]"
        return f"{maker}{colour} {desk.alias(ad.to)} ({desk.points(ad.to)}) {writing.challenge_words(ad.settings)}"

    def _words(self, settings: Settings) -> str:
        minutes, seconds = writing.clock(settings)
        return f"{minutes} {seconds} {writing.rated(settings)} {writing.kind(settings)}"

    def _sought(self, ad: Ad, word: str) -> str:
        desk, (minutes, seconds) = self._desk, writing.clock(ad.settings)
        shown = desk.alias(ad.by)
        rating = desk.ratings.get(ad.by)
        points = "0P" if rating is None else f"{rating.rating}{'P' if rating.provisional else ' '}"
        titles = 0x2 if ad.bot else 0x1 if desk.points(ad.by) == writing.GUESTS else 0x0
        colour = "?" if ad.side is None else "WB"[ad.side]
        return (
            f"{word} {ad.number} w={shown} ti={titles:02x} rt={points} t={minutes} i={seconds} "
            f"r={writing.rated(ad.settings)[0]} tp={writing.kind(ad.settings)} c={colour} rr=0-9999 a=t f=f"
        )

    def _public(self) -> list[Ad]:
        return [ad for ad in (*self._ads.values(), *self._seeks.values()) if not ad.to]

    @property
    def challenges(self) -> list[Ad]:
        """Offers made to the peer, the newest last."""
        return [ad for ad in self._ads.values() if ad.to and ad.by != self._desk.name]

    # what is asked

    def seek(self, rest: str) -> list[Command]:
        """Offer a game to everybody; or take one that stands and is the same, which the server does."""
        wanted = self._wanted(rest)
        before, desk = set(self._ads), self._desk
        self.called = None

        def posted() -> None:
            mine = [ad for ad in self._ads.values() if ad.by == desk.name and not ad.to and ad.number not in before]
            if self.called is not None:
                desk.say(f"Your seek matches one already posted by {desk.alias(_maker(self.called))}.")
            elif mine:
                desk.say(f"Your seek has been posted with index {mine[-1].number}.")

        desk.finish = posted
        return [Offer(wanted.start, minutes=MINUTES, name=desk.name, ratings=wanted.ratings), Inquire("offers")]

    def _wanted(self, rest: str) -> Wanted:
        desk = self._desk
        usual = read_number(desk.variables.get("time", "")), read_number(desk.variables.get("inc", ""))
        return read_wanted(rest, usual if any(usual) else USUAL)

    def match(self, rest: str) -> list[Command]:
        """Challenge a player, go on with a game that was adjourned, or begin one against a house bot."""
        to, _, game = rest.partition(" ")
        desk = self._desk
        if not to:
            raise ValueError("whom? match NAME 5 0 unrated white")
        name, wanted = desk.meant(to), self._wanted(game)

        def begun() -> list[Command]:
            if BOT.fullmatch(to):
                join = Join(GAME, desk.name, wishes=(("against", to),), ready=False, settings=wanted.start.settings)
                return [join, Propose(wanted.start)]
            return self._challenge_to(name, wanted.start)

        def looked() -> None:
            waits = self._adjourned(name)
            desk.asks += begun() if waits is None else self.resume(waits)

        if not desk.account:
            return begun()
        desk.finish = looked
        return [Inquire("kept", desk.name)]

    def _challenge_to(self, name: str, start: Start) -> list[Command]:
        desk, settings = self._desk, start.settings
        self.called = None

        def sent() -> None:
            if self.called is None and settings is not None:
                side = "" if start.side is None else f"[{('white', 'black')[start.side]}] "
                names = f"{desk.alias(desk.name)} ({desk.points(desk.name)}) {side}{desk.alias(name)}"
                desk.say(f"Issuing: {names} ({desk.points(name)}) {writing.match_words(settings)}.")

        desk.finish = sent
        return [Offer(Start(settings, start.side), name, MINUTES, desk.name), Inquire("offers")]

    def _adjourned(self, name: str) -> ntf.ListedTable | None:
        """The game with this player that waits to be gone on with."""
        folded = name.casefold()
        return next((one for one in self._lists.kept if folded in (each.casefold() for each in one.names)), None)

    def resume(self, table: ntf.ListedTable) -> list[Command]:
        """Sit down at the own seat of a game that waits."""
        return [Join(GAME, table=table.table)]

    def seat(self, rest: str) -> list[Command]:
        """Take the seat that a ticket stands for."""
        if not rest or " " in rest:
            raise ValueError("which seat? seat TICKET")
        return [Join(GAME, self._desk.name, rest, kept=True)]

    def rematch(self, rest: str) -> list[Command]:
        """The last game again, with sides exchanged."""
        if self.last is None:
            raise ValueError("You have no last opponent.")
        name, settings, seat = self.last
        return self._challenge_to(name, Start(settings, None if seat is None else 1 - seat))

    def play(self, rest: str) -> list[Command]:
        """Take a seek by its number, or by its maker's name."""
        number, name = read_number(rest), self._desk.meant(rest).casefold()
        if not rest:
            raise ValueError("which? play N, or play NAME")

        def sought() -> Ad | None:
            return next((ad for ad in self._public() if ad.number == number or ad.by.casefold() == name), None)

        def looked() -> None:
            if (ad := sought()) is None:
                self._desk.say("That seek is not available.")
            else:
                self._desk.asks += self._take(ad)

        if (found := sought()) is not None:
            return self._take(found)
        self._desk.finish = looked
        return [Inquire("offers")]

    def _take(self, ad: Ad) -> list[Command]:
        if not ad.waits:
            return self._taken(ad.number)
        side = None if ad.side is None else 1 - ad.side
        wishes = (("opponent", ad.by),)
        join = Join(GAME, self._desk.name, wishes=wishes, ready=False, settings=ad.settings, side=side)
        return [join, Propose(Start(ad.settings, side))]

    def _taken(self, number: int) -> list[Command]:
        self.called = None
        return [Take(number, name=self._desk.name)]

    def accept(self, rest: str) -> list[Command] | None:
        """Take a challenge: the newest, or that of a name or number. None: there is none of these."""
        if (ad := self._picked(rest)) is None:
            return None
        self._desk.opens(f"You accept the match offer from {self._desk.alias(ad.by)}.")
        return self._take(ad)

    def decline(self, rest: str) -> list[Command] | None:
        if (ad := self._picked(rest)) is None:
            return None
        self._desk.say(f"You decline the match offer from {self._desk.alias(ad.by)}.")
        self._ads.pop(ad.number)
        if self._desk.has("pendinfo"):
            self._desk.say(f"<pr> {ad.number}")
        return [Withdraw(ad.number)]

    def _picked(self, rest: str) -> Ad | None:
        number, name = read_number(rest), self._desk.meant(rest).casefold()
        fitting = [ad for ad in self.challenges if not rest or ad.number == number or ad.by.casefold() == name]
        return fitting[-1] if fitting else None

    def unseek(self, rest: str) -> list[Command]:
        """Withdraw the own seeks, or one by its number."""
        number = read_number(rest)
        mine = [ad for ad in self._ads.values() if ad.by == self._desk.name and not ad.to]
        picked = [ad for ad in mine if not number or ad.number == number]
        if not picked:
            raise ValueError("You have no such seek.")
        self._desk.say("Your seeks have been removed." if not number else f"Your seek {number} has been removed.")
        return self._without(picked)

    def withdraw(self, rest: str) -> list[Command] | None:
        """Withdraw the challenges that the peer has made; None: there are none."""
        number, name = read_number(rest), self._desk.meant(rest).casefold()
        mine = [ad for ad in self._ads.values() if ad.by == self._desk.name and ad.to]
        picked = [ad for ad in mine if not rest or ad.number == number or ad.to.casefold() == name]
        if not picked:
            return None
        for ad in picked:
            self._desk.say(f"You withdraw the match offer to {self._desk.alias(ad.to)}.")
        return self._without(picked)

    def _without(self, ads: Sequence[Ad]) -> list[Command]:
        for ad in ads:
            self._ads.pop(ad.number, None)
            if ad.to and self._desk.has("pendinfo"):
                self._desk.say(f"<pr> {ad.number}")
            if not ad.to and self._desk.has("seekinfo") and self._desk.has("seekremove"):
                self._desk.say(f"<sr> {ad.number}")
        return [Withdraw(ad.number) for ad in ads]

    def sought(self, rest: str) -> list[Command]:
        def listed() -> None:
            desk, ads = self._desk, self._public()
            for ad in ads:
                minutes, seconds = writing.clock(ad.settings)
                colour = "" if ad.side is None else f"[{('white', 'black')[ad.side]}]"
                shown = desk.alias(ad.by) + ("(C)" if ad.bot else "")
                desk.say(
                    f"{ad.number:3} {desk.points(ad.by):>4} {shown:<17} {minutes:3} {seconds:3} "
                    f"{writing.rated(ad.settings):<7} {writing.kind(ad.settings):<12} {colour:<7} 0-9999"
                )
            desk.say(f"{len(ads)} ad{'' if len(ads) == 1 else 's'} displayed.")

        self._desk.finish, self._listing = listed, not self._desk.has("seekinfo")
        return [Inquire("offers")]

    def pending(self, rest: str) -> list[Command]:
        """The challenges that stand, both ways."""

        def listed() -> None:
            desk = self._desk
            for ad in self._ads.values():
                if ad.to:
                    desk.say(f"{ad.number:3}: {self._challenge(ad)}")
            if not any(ad.to for ad in self._ads.values()):
                desk.say("There are no offers pending from or to other players.")

        self._desk.finish = listed
        return [Inquire("offers")]

    # variables

    def set(self, rest: str) -> list[Command]:
        name, _, value = rest.partition(" ")
        if not name:
            raise ValueError("set what? set seek 1")
        if name in ("time", "inc"):
            read_time(read_number(value), 0)
        variables, short = self._desk.variables, name.lower()[:20]
        if short not in variables and len(variables) >= VARIABLES:
            raise ValueError("You have too many variables.")
        variables[short] = value.strip()[:80]
        self._desk.say(f"{name[:20]} set to {value.strip()[:80]}.")
        return [Inquire("offers")] if name.lower() == "seek" and self._desk.is_on("seek") else []

    def iset(self, rest: str) -> list[Command]:
        name, _, value = rest.lower().partition(" ")
        desk = self._desk
        on = value.strip() in ("", "1", "on", "yes", "true")
        known = name in desk.interface or len(desk.interface) < VARIABLES
        if name in INTERFACE or (known and re.fullmatch("[a-z]{1,20}", name)):
            desk.interface[name] = on
        desk.say(f"{name[:20]} {'set' if on else 'unset'}.")
        if name == "seekinfo" and on:
            self._ads = {number: ad for number, ad in self._ads.items() if ad.to}
            desk.say("<sc>", *(self._sought(ad, "<s>") for ad in self._seeks.values()))
            return [Inquire("offers")]
        return []

    # what the server tells

    def call(self, message: ntf.Called) -> None:
        """A game comes of an offer: the peer goes to its table."""
        self.called = message
        ad, desk = self._ads.get(message.table), self._desk
        if ad is not None and ad.to and ad.by == desk.name:
            desk.say(f"{desk.alias(ad.to)} accepts the match offer.")
        desk.tells_ticket(message.join.ticket)
        desk.later += [message.join, Propose(message.start)]

    def answered(self, message: ntf.Answered) -> None:
        """The offers that stand have come, or word that they have changed."""
        if message.offers is None:
            self._desk.asks.append(Inquire("offers"))
        else:
            self.offers(message.offers)


def _maker(called: ntf.Called) -> str:
    """The maker of an offer that was the same as the peer's own."""
    return called.text.removesuffix(" plays that")


def _ad(made: ntf.ListedOffer) -> Ad:
    return Ad(made.number, made.by, made.settings, made.to, made.side, made.rating, made.bot, made.account)
