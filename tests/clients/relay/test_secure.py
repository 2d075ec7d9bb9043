"""Helpers call the relay with TLS: they trust valid certificates, report others, and send nothing in the clear."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clients.joining import Address
from clients.relay.code import new_code
from tests.certificates import Authority
from tests.clients.relay.relay_server import LOOPBACK, line_to, relay_server
from tests.clients.relay.two import Helper, exchange, running

SAID = (b"a move\n" * 20_000, b"another\n" * 20_000)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    found = Authority(tmp_path_factory.mktemp("club"))
    found.issues("localhost")
    return found


@pytest.mark.parametrize(
    ("direct", "words"), [(False, "connected through the relay at tls://localhost:"), (True, "connected directly to ")]
)
async def test_all_is_carried_both_ways_and_the_user_is_told_how(club: Authority, direct: bool, words: str) -> None:
    async with relay_server(club=club) as here:
        code = new_code(here.room())
        helpers = Helper(code, here.address, direct=direct), Helper(code, here.address, direct=direct)
        async with running(*helpers):
            assert await exchange(*helpers, SAID) == (SAID[1], SAID[0])
            for helper in helpers:
                await helper.ends()
                assert helper.told[-1].startswith(words)


async def test_who_listens_on_the_way_does_not_even_see_the_room(club: Authority) -> None:
    async with relay_server(club=club) as here, line_to(replace(here.address, host=LOOPBACK)) as (line, address):
        code = new_code(here.room())
        helpers = [Helper(code, replace(here.address, port=address.port)) for _ in range(2)]
        async with running(*helpers):
            await exchange(helpers[0], helpers[1], SAID)
    assert len(line.seen) > len(SAID[0]) + len(SAID[1])
    assert not any(words in line.seen for words in (b"BOARDGATE", code.room.encode(), b"PEER", b"JOIN"))


async def test_a_lost_connection_is_made_again_with_tls(club: Authority) -> None:
    async with relay_server(club=club) as here, line_to(replace(here.address, host=LOOPBACK)) as (line, address):
        code = new_code(here.room())
        helpers = [Helper(code, replace(here.address, port=address.port)) for _ in range(2)]
        async with running(*helpers) as nursery:
            for helper in helpers:
                await helper.is_told("connected through the relay")
            nursery.start_soon(helpers[0].says, SAID[0])
            nursery.start_soon(helpers[1].says, SAID[1])
            await helpers[1].program.receive_some(1)
            line.cut()
            assert await helpers[0].hears_all() == SAID[1]
            assert await helpers[1].hears_all() == SAID[0][1:]
            for helper in helpers:
                await helper.is_told("connected through the relay", 2)


async def _refused(server: Address) -> str:
    helper = Helper(new_code("k7fq9xbc"), server)
    async with running(helper):
        return await helper.fails()


async def test_a_relay_with_another_name_or_another_authority_is_not_trusted(club: Authority) -> None:
    async with relay_server(club=club) as here:
        elsewhere = replace(here.address, host=LOOPBACK)
        said = f"no relay at {elsewhere}: the certificate is not trusted: IP address mismatch"
        assert (await _refused(elsewhere)).startswith(said)
        unknown = replace(here.address, ca="")
        said = f"no relay at {unknown}: the certificate is not trusted: unable to get local issuer certificate"
        assert await _refused(unknown) == said


async def test_a_relay_without_tls_is_called_what_it_is(club: Authority) -> None:
    async with relay_server() as here:
        called = replace(here.address, tls=True, ca=str(club.file))
        assert await _refused(called) == f"no relay at {called}: what answers there does not speak TLS"


async def test_who_forgets_tls_is_not_let_in(club: Authority) -> None:
    async with relay_server(club=club) as here:
        assert await _refused(Address(LOOPBACK, here.address.port)) == "the relay has closed the connection"
