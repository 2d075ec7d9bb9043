"""Hosts see and steer the servers of one PostgreSQL: by the API, and on a page of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio

from gateway.store.accounts import SqlAccounts
from gateway.store.acts import ActLog
from tests import peers
from tests.running import RunningServer, server
from tests.store.conftest import hosted, postgresql
from tests.web.browsing import Answer, Element, asked, checked
from tests.web.club import HASH, PASSWORD, TOKEN, Club, club
from tests.web.conforming import conforms
from tests.web.person import Person
from tests.web.test_lines import opens
from tests.web.test_yours import addresses, asks, part

__all__ = ["postgresql"]

HOST = f"Bearer {TOKEN}"
PATIENCE_S = 20.0
HOST_PARTS = ["Now", "Tables", "Connections", "Accounts", "Nodes", "Addresses", "Bans", "Reports", "Settings", "Log"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two servers on one database; ``ports`` are those of their pages."""

    url: str
    ports: tuple[int, int]

    async def ask(self, path: str, method: str = "GET", auth: str = HOST, of: int = 0) -> Answer:
        """A request to the API of one of them; its answer is what the document says."""
        answer = await asked(self.ports[of], path, method, **({"authorization": auth} if auth else {}))
        conforms(method, path, answer.status, json.loads(answer.text))
        return answer

    async def nodes(self, of: int = 0) -> dict[str, Any]:
        """By name."""
        return {node["name"]: node for node in json.loads((await self.ask("/api/nodes", of=of)).text)["nodes"]}

    def acts(self) -> list[tuple[str, str, str]]:
        with closing(ActLog(self.url)) as log:
            return [(act.act, act.object, act.by) for act in log.acts("drain")]

    async def drains(self, of: int) -> None:
        """Wait until that server is not ready."""
        with trio.fail_after(PATIENCE_S):
            while (await asked(self.ports[of], "/readyz")).status == 200:  # noqa: ASYNC110  # another process
                await trio.sleep(0.1)


@contextmanager
def serving(url: str, data: Path, node: str) -> Iterator[RunningServer]:
    settings = {"SERVER_DATABASE": url, "CLUSTER_NODE": node, "REGISTRATION_ADMIN_TOKEN": TOKEN}
    with server(data, "http", **settings, BOTS_WORKERS="0") as running:  # type: ignore[arg-type]  # words, not ports
        yield running


@pytest.fixture(scope="module")
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """For all tests of the file: both serve again at the end of each."""
    one_s, two_s = (tmp_path_factory.mktemp(name) for name in ("one", "two"))
    with hosted(request) as url, serving(url, one_s, "gate-1") as one, serving(url, two_s, "gate/2") as two:
        yield Pair(url, (one.ports[0], two.ports[0]))


@peers.needed
async def test_the_api_shows_all_nodes_at_each_of_them_and_drains_any_of_them(pair: Pair) -> None:
    before = len(pair.acts())
    for of in (0, 1):
        found = await pair.nodes(of)
        assert [(node["state"], node["tables"]) for node in found.values()] == [("serving", 0)] * 2
        assert sorted(found) == ["gate-1", "gate/2"]
        assert [found[name]["lobby"] for name in sorted(found)] == [True, False]
        assert all(0 < node["lease_s"] <= 3 for node in found.values())
    drained = await pair.ask("/api/nodes/gate/2/drain", "POST")
    assert drained.status == 200
    states = {node["name"]: node["state"] for node in json.loads(drained.text)["nodes"]}
    assert states == {"gate-1": "serving", "gate/2": "draining"}
    await pair.drains(1)
    assert (await asked(pair.ports[0], "/readyz")).status == 200
    assert (await pair.ask("/api/nodes/gate/2/drain", "DELETE", of=1)).status == 200
    assert {node["state"] for node in (await pair.nodes()).values()} == {"serving"}
    by = "host token from 127.0.0.1"
    assert pair.acts()[before:] == [("drain.begun", "node gate/2", by), ("drain.ended", "node gate/2", by)]


@peers.needed
async def test_the_api_of_nodes_is_for_the_host_alone(pair: Pair) -> None:
    before = pair.acts()
    for path, method in (("/api/nodes", "GET"), ("/api/nodes/gate/2/drain", "POST")):
        for auth in ("", "Bearer guessed-and-not-the-host-s"):
            assert (await pair.ask(path, method, auth)).status == 401
    refused = await pair.ask("/api/nodes/gate-9/drain", "POST")
    assert (refused.status, json.loads(refused.text)["error"]) == (404, "no_such_node")
    assert {node["state"] for node in (await pair.nodes()).values()} == {"serving"}
    assert pair.acts() == before


def nodes_of(page: Element) -> list[str]:
    """The words about each node."""
    return [row.words() for row in page.all("li") if row.attributes.get("class") == "title"]


@peers.needed
async def test_the_hosts_page_shows_the_nodes_and_its_buttons_steer_them(pair: Pair) -> None:
    before = len(pair.acts())
    stranger, host = Person(pair.ports[0]), Person(pair.ports[0])
    assert "gate/2" not in checked(await stranger.get("/host/nodes")).words()
    assert (await stranger.send("/host/node", name="gate/2", on="yes")).status == 403
    assert (await host.send("/host/sign-in", token=TOKEN)).status == 303
    page = checked(await host.get("/host/nodes"))
    (parts,) = (nav for nav in page.all("nav") if nav.attributes.get("aria-label") == "Host")
    assert [link.text for link in parts.all("a")] == HOST_PARTS
    assert "2 servers share the database" in page.words()
    rows = nodes_of(page)
    assert "gate-1" in rows[0]
    assert "gate/2" in rows[1]
    assert ["this one" in row for row in rows] == ["seats newcomers" in row for row in rows] == [True, False]
    assert "It can talk to the others." in page.words()
    drained = checked(await host.sends("/host/node", name="gate/2", on="yes"))
    assert "The node drains" in drained.words()
    assert "draining" in nodes_of(drained)[1]
    assert "Serve again" in drained.words()
    served = checked(await host.sends("/host/node", name="gate/2", on="no"))
    assert "The node serves again." in served.words()
    assert "draining" not in nodes_of(served)[1]
    assert (await host.send("/host/node", name="gate-9", on="yes")).status == 400
    by = "host token from 127.0.0.1"
    assert pair.acts()[before:] == [("drain.begun", "node gate/2", by), ("drain.ended", "node gate/2", by)]


@peers.needed
async def test_a_hosts_act_on_an_account_at_one_node_ends_its_browsers_at_the_other(pair: Pair) -> None:
    """And another account goes on there."""
    with closing(SqlAccounts(pair.url)) as accounts:
        for name in ("olga", "otto"):
            accounts.add(name, HASH, "test")
    host, olga, otto = (Person(pair.ports[of]) for of in (0, 1, 1))
    for person, name in ((olga, "olga"), (otto, "otto")):
        assert (await person.send("/login", name=name, password=PASSWORD)).status == 303
    assert (await host.send("/host/sign-in", token=TOKEN)).status == 303
    assert "Log all browsers out" in checked(await host.get("/host/accounts/olga")).words()
    assert (await host.send("/host/reset", name="olga")).status == 200
    assert "Log in" in checked(await olga.get("/people")).words()
    assert "otto" in checked(await otto.get("/people")).words()
    assert (await olga.send("/login", name="olga", password=PASSWORD)).status == 403


async def test_a_server_on_sqlite_has_no_nodes(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask("/api/nodes", auth=HOST)).body == {"nodes": []}
        assert (await here.ask("/api/nodes/gate-1/drain", auth=HOST, method="POST")).error == (404, "no_such_node")
        assert (await here.ask("/api/nodes", auth=here.has_account("anna"))).error == (403, "forbidden")
        host = Person(here.port)
        await host.send("/host/sign-in", token=TOKEN)
        assert "Nodes" not in [link.text for link in checked(await host.get("/host")).all("a")]
        assert (await host.get("/host/nodes")).status == 404
        assert (await host.send("/host/node", name="gate-1", on="yes")).status == 404


@peers.needed
async def test_your_games_at_another_node_are_found_at_each_of_them(pair: Pair) -> None:
    """By ticket and by account, with the position and the clocks of that moment; a node that was asked sees moves."""
    anna, far = Person(pair.ports[1]), pair.ports[1]
    assert (await anna.send("/register", name="anna", password=TOKEN, again=TOKEN)).status == 303
    here = Club(None, pair.ports[0], None)  # type: ignore[arg-type]  # of it nothing but the port is used
    made = (await here.register("anna", "bert", auth=HOST, private=True, time="300+5")).body
    ann, bob = [await opens(here) for _ in made["tickets"]]
    for page, ticket in zip((ann, bob), made["tickets"], strict=True):
        await page.say("join", game="tic_tac_toe", ticket=ticket, ready=True)
    await ann.until("moves")
    for move, words in ((None, "anna's move"), (4, "Your move")):
        if move is not None:
            await ann.say("play", move=[None, move, ""])
            await bob.until("MoveMade")
        (card,) = (await asks(far, [made["id"], made["tickets"][1]]))["boards"]
        assert (card["standing"], card["board"]) == (words, [] if move is None else [[4, "x"]])
        assert card["clock"]["running"] == (0 if move is None else 1)
        assert 290 < card["clock"]["left"][card["clock"]["running"]] <= 306
    own = part(await anna.get("/"))
    assert addresses(own) == [f"/table/{made['id']}#play"]
    assert "bert's move" in own.words()
    assert addresses(part(await Person(far).get("/"))) == []
    await ann.say("resign")
    await bob.until("GameEnded")
    told = await asks(far, [made["id"], made["tickets"][1]])
    assert ([line["result"] for line in told["past"]], told["order"]) == (["Won"], [])
    assert addresses(part(await anna.get("/"))) == [f"/table/{made['id']}"]
