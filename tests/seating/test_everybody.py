"""Words to everybody reach who listens, at tables and without one; at a rate, and not over a block."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from gateway.ops.server import GameServer
from gateway.seating.everybody import ALL_BURST, BURST
from gateway.sessions.listener import EntryPoint
from protocols.core.dialect import Dialect
from protocols.ics.dialect import Ics
from protocols.miniature.dialect import Miniature
from tests.hall import Hall, config, hall
from tests.onlooking import Message, Page, page, playing
from tests.store.accounts_memory import MemoryAccounts
from tests.web.club import HASH, PASSWORD

SWITCHED_OFF = "nobody speaks to everybody here: the host has switched that off"


async def listener(here: Hall, name: str = "", address: str = "192.0.2.7") -> Page:
    """A page that listens, without a table; under a name if it has one."""
    found = await page(here, address, everybody=True)
    if name:
        await found.says("enter", name=name)
        await found.until("named")
    return found


async def logged_in(here: Hall, name: str, address: str = "192.0.2.7") -> Page:
    found = await listener(here, address=address)
    await found.says("login", name=name, secret=PASSWORD)
    await found.until("logged_in")
    return found


def accounts(*names: str) -> MemoryAccounts:
    made = MemoryAccounts()
    for name in names:
        made.add(name, HASH, "test")
    return made


class Telnet:
    """A guest of a dialect of lines."""

    def __init__(self, here: Hall, address: str, kind: type[Dialect] = Ics) -> None:
        self.stream = here.dial(address, EntryPoint(kind, {}, here.server.house_rules)).stream
        self._text = ""

    async def says(self, *lines: str) -> None:
        await self.stream.send_all("".join(f"{line}\n" for line in lines).encode())

    async def until(self, words: str) -> str:
        """What was told until then, these words too."""
        while words not in self._text:
            came = await self.stream.receive_some(4096)
            assert came, f"closed before {words!r}: {self._text}"
            self._text += came.decode("latin-1")
        told, _, self._text = self._text.partition(words)
        return told + words


async def at_telnet(here: Hall, name: str, address: str) -> Telnet:
    found = Telnet(here, address)
    await found.says(name, "")
    await found.until(f"session as {name}(U)")
    return found


async def heard(listener: Page) -> tuple[str, str]:
    """Who has said what to everybody."""
    event: Message = await listener.until("Said")
    words = event["body"]
    assert (words["to"], words["seat"]) == ("everybody", None)
    assert "seq" not in event, "it is in no record"
    return words["name"], words["text"]


async def refusal(speaker: Page) -> tuple[str, str]:
    told = await speaker.until("rejected")
    return told["why"], told["text"]


def last_events(server: GameServer) -> list[int]:
    return [table.seq for table in server.tables.values()]


async def test_players_visitors_and_the_speaker_hear_it_if_they_listen(autojump_clock: MockClock) -> None:
    """A player is called as at its table, whatever name its program gives; nothing of it is stored."""
    async with hall() as here:
        silent, carol, dan = await page(here), await listener(here, "Carol"), await listener(here)
        _, players = await playing(here)
        eve = await listener(here, "Eve")
        await eve.says("join", game="chess", name="Eve")
        await eve.until("seated")
        before = last_events(here.server)
        await carol.says("say", to="everybody", text="good\tmorning")
        for one in (carol, dan, eve):
            assert await heard(one) == ("Carol", "good morning")
        await eve.says("say", to="everybody", text="hello Carol", name="Carol")
        for one in (carol, dan, eve):
            assert await heard(one) == ("Eve", "hello Carol")
        await dan.says("say", to="everybody", text="hello both")
        for one in (carol, dan, eve):
            assert (await heard(one))[1] == "hello both"
        assert last_events(here.server) == before
        for one in (silent, *players):
            await one.says("ping", n=1)
            await one.until("pong")
            assert not [message for message in one.heard if message.get("kind") == "Said"]


async def test_who_does_not_listen_does_not_speak(autojump_clock: MockClock) -> None:
    async with hall() as here:
        silent, dan = await page(here), await listener(here)
        await silent.says("say", to="everybody", text="buy this")
        assert await refusal(silent) == (
            "not now",
            "you do not listen to what is said to everybody, so you do not speak there",
        )
        await dan.says("say", to="everybody", text="")
        assert (await refusal(dan))[0] == "syntax"


async def test_a_host_switches_it_off(autojump_clock: MockClock) -> None:
    async with hall(config(everybody_per_minute=0.0)) as here:
        carol = await listener(here, "Carol")
        await carol.says("say", to="everybody", text="hi")
        assert await refusal(carol) == ("not now", SWITCHED_OFF)


async def test_an_address_says_a_line_in_ten_seconds(autojump_clock: MockClock) -> None:
    async with hall() as here:
        carol, dan = await listener(here, "Carol", "192.0.2.7"), await listener(here, "Dan", "192.0.2.8")
        for count in range(BURST + 1):
            await carol.says("say", to="everybody", text=f"line {count}")
        assert await refusal(carol) == ("too fast", "you say too much to everybody; try again in 10 s")
        again = await listener(here, "Carla", "192.0.2.7")
        await again.says("say", to="everybody", text="the same person")
        assert (await refusal(again))[0] == "too fast"
        await dan.says("say", to="everybody", text="another one")
        assert [await heard(dan) for _ in range(BURST + 1)] == [
            *(("Carol", f"line {count}") for count in range(BURST)),
            ("Dan", "another one"),
        ]


async def test_an_account_is_held_to_the_rate_wherever_it_speaks(autojump_clock: MockClock) -> None:
    async with hall(accounts=accounts("Anna")) as here:
        pages = [await logged_in(here, "Anna", f"192.0.2.{number + 1}") for number in range(BURST + 1)]
        for anna in pages[:BURST]:
            await anna.says("say", to="everybody", text="hi")
            assert await heard(anna) == ("Anna", "hi")
        await pages[-1].says("say", to="everybody", text="hi")
        assert (await refusal(pages[-1]))[0] == "too fast"


async def test_many_speakers_together_are_held_to_a_rate_too(autojump_clock: MockClock) -> None:
    async with hall() as here:
        for number in range(ALL_BURST + 1):
            one = await listener(here, address=f"192.0.2.{number + 1}")
            await one.says("say", to="everybody", text="hi")
            if number < ALL_BURST:
                assert (await heard(one))[1] == "hi"
        assert await refusal(one) == ("too fast", "many speak to everybody just now; try again in a moment")


@pytest.mark.parametrize(("by", "whom"), [("Anna", "Bert"), ("Bert", "Anna")])
async def test_words_of_an_account_are_not_for_whom_a_block_keeps_apart(
    autojump_clock: MockClock, by: str, whom: str
) -> None:
    async with hall(accounts=accounts("Anna", "Bert", "Carl")) as here:
        await here.server.learn_names()
        anna, bert, carl = [await logged_in(here, name) for name in ("Anna", "Bert", "Carl")]
        await here.server.circle.tie("blocks", by, whom)
        await anna.says("say", to="everybody", text="hi")
        assert [await heard(one) for one in (anna, carl)] == [("Anna", "hi")] * 2
        await carl.says("say", to="everybody", text="hello")
        assert [await heard(one) for one in (anna, bert, carl)] == [("Carl", "hello")] * 3


async def test_words_to_a_name_are_a_players_by_the_name_of_its_seat(autojump_clock: MockClock) -> None:
    """Whatever name its program gives with the words."""
    async with hall() as here:
        carol, dan = await listener(here, "Carol"), await listener(here, "Dan")
        await dan.says("join", game="chess", name="Dan")
        await dan.until("seated")
        await dan.says("say", to="Carol", text="I resign", name="Sara")
        assert (await carol.until("Said"))["body"]["name"] == "Dan"


async def test_shouts_of_ics_are_said_to_everybody(autojump_clock: MockClock) -> None:
    """They are heard at the board too, and by nobody who wants none."""
    async with hall() as here:
        carol = await listener(here, "Carol", "192.0.2.1")
        dora, erna = await at_telnet(here, "Dora", "192.0.2.2"), await at_telnet(here, "Erna", "192.0.2.3")
        await dora.says("shout a game?")
        assert await heard(carol) == ("Dora", "a game?")
        for one in (dora, erna):
            await one.until("Dora shouts: a game?")
        await dora.says("match Erna 5 0 white")
        await erna.until("Challenge: ")
        await erna.says("accept")
        for one in (dora, erna):
            await one.until("Creating: ")
        await erna.says("set shout 0", "+channel 1")
        await erna.until("added to your channel list.")
        await carol.says("say", to="everybody", text="good luck")
        await dora.until("Carol shouts: good luck")
        await erna.until("Carol(1): good luck")
        await erna.says("tell 1 thank you")
        assert await heard(carol) == ("Carol", "good luck")
        assert await heard(carol) == ("Erna", "thank you")
        await erna.until("Erna(1): thank you")
        await erna.says("-channel 1")
        await erna.until("removed from your channel list.")
        await carol.says("say", to="everybody", text="and now?")
        await dora.until("Carol shouts: and now?")
        await erna.says("date")
        assert "and now" not in await erna.until("Server time")


async def test_a_channel_of_miniature_reaches_everybody_who_listens(autojump_clock: MockClock) -> None:
    """The draft: 'tell [nick|#channel] msg'."""
    async with hall() as here:
        carol = await listener(here, "Carol")
        amy, ben = (Telnet(here, address, Miniature) for address in ("192.0.2.8", "192.0.2.9"))
        await amy.says("tell gateway name amy", "tell #all good morning")
        assert await heard(carol) == ("amy", "good morning")
        await amy.until("tell #all amy: good morning")
        await ben.says("tell gateway listen", "tell gateway name ben")
        await ben.until("you sit down as ben")
        await carol.says("say", to="everybody", text="a game, anybody?")
        for telnet in (amy, ben):
            await telnet.until("tell #all Carol: a game, anybody?")
        await ben.says("tell gateway listen no")
        await ben.until("nothing of what is said")
        await amy.says("tell #all here I am")
        await amy.until("amy: here I am")
        await ben.says("tell gateway who")
        assert "here I am" not in await ben.until("Carol")
