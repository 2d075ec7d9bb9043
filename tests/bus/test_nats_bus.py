"""The NATS client: conversations with a scripted server in memory, and logins at a real one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from gateway.bus.broker_bus import BrokerBus, LineLost
from gateway.bus.envelope import Post
from gateway.bus.nats_bus import NatsLine, Server, nats_bus, open_line, read_url
from tests import peers
from tests.bus.brokers import Nats, until
from tests.certificates import Authority

INFO = b'INFO {"server_id":"S","max_payload":1048576}\r\n'
SUBSCRIBED = b"SUB boardgate.c.1 1\r\nSUB boardgate.c.all 2\r\nPING\r\n"


class Script:
    """The server's end of a conversation."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream

    async def says(self, *parts: bytes) -> None:
        """Each part is read by itself."""
        for part in parts:
            await self._stream.send_all(part)
            await wait_all_tasks_blocked()

    async def hears(self, end: bytes) -> bytes:
        """What has come when it ends like this."""
        got = b""
        with trio.fail_after(5):
            while not got.endswith(end):
                part = await self._stream.receive_some()
                assert part, got
                got += part
        return got

    async def hangs_up(self) -> None:
        await self._stream.aclose()


async def opened(
    *greeting: bytes, url: str = "nats://localhost", signs: Sequence[bytes] = (b"PONG\r\n",)
) -> tuple[NatsLine, Script, bytes]:
    """A session after this greeting and these answers to the login, the server's end, and the login."""
    ours, theirs = memory_stream_pair()
    script, made, login = Script(theirs), [], b""

    async def begin() -> None:
        made.append(await open_line(ours, read_url(url), "boardgate.c", 1, "boardgate/1"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(begin)
        await script.says(*greeting)
        login = await script.hears(SUBSCRIBED)
        await script.says(*signs)
    return made[0], script, login


@asynccontextmanager
async def refused(why: str) -> AsyncIterator[None]:
    """A session that is lost inside the block, with this reason."""
    with pytest.RaisesGroup(pytest.RaisesExc(LineLost, match=why), flatten_subgroups=True, allow_unwrapped=True):
        yield


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nats://localhost", {}),
        ("nats://pia:a%40b@localhost", {"user": "pia", "pass": "a@b"}),
        ("nats://s3cret@localhost", {"auth_token": "s3cret"}),
    ],
)
async def test_a_login_says_who_it_is_and_subscribes_to_its_subjects(url: str, said: dict[str, str]) -> None:
    _, _, login = await opened(INFO, url=url)
    connect, _, rest = login.partition(b"\r\n")
    assert rest == SUBSCRIBED
    words = json.loads(connect.removeprefix(b"CONNECT "))
    assert {name: words[name] for name in ("user", "pass", "auth_token") if name in words} == said
    assert words["name"] == "boardgate/1"
    assert words["echo"] is words["verbose"] is words["tls_required"] is False


async def test_messages_are_read_whole_wherever_they_are_split() -> None:
    line, script, _ = await opened(INFO[:9], INFO[9:])
    heard: list[bytes] = []
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            while len(heard) < 2:
                heard.extend(await line.receive())

        nursery.start_soon(listen)
        await script.says(b"MSG boardgate.c.1 1 7\r\n2 1", b"\nab", b"c\r", b"\nMSG boardgate.c.all 2 5\r\n2 2\nd\r\n")
    assert heard == [b"2 1\nabc", b"2 2\nd"]


async def test_messages_that_came_before_the_session_stood_are_not_lost() -> None:
    line, _, _ = await opened(
        INFO, signs=(b"MSG boardgate.c.1 1 5\r\n2 1\na\r\nPONG\r\nMSG boardgate.c.1 1 3\r\n2 2\r\n",)
    )
    with trio.fail_after(5):
        assert await line.receive() == [b"2 1\na", b"2 2"]


async def test_a_ping_is_answered() -> None:
    line, script, _ = await opened(INFO)
    await script.says(b"+OK\r\nPING\r\n")
    assert await line.receive() == []
    assert await script.hears(b"PONG\r\n") == b"PONG\r\n"
    await line.ping()
    assert await script.hears(b"PING\r\n") == b"PING\r\n"


async def test_envelopes_are_published_to_a_node_or_to_all() -> None:
    line, script, _ = await opened(INFO)
    await line.send([Post(2, b"1 1\na", 1), Post(None, b"1 2\nb", 1)])
    assert await script.hears(b"b\r\n") == b"PUB boardgate.c.2 5\r\n1 1\na\r\nPUB boardgate.c.all 5\r\n1 2\nb\r\n"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"-ERR 'Stale Connection'\r\n", "the server says: Stale Connection"),
        (b"PONG\r\nSORRY\r\n", "the server breaks its protocol: unknown: b'SORRY'"),
        (b"MSG boardgate.c.1 1 2\r\nabc\r\n", "the server breaks its protocol"),
    ],
)
async def test_what_a_server_does_wrong_ends_the_session(said: bytes, why: str) -> None:
    line, script, _ = await opened(INFO)
    await script.says(said)
    async with refused(why):
        await line.receive()


async def test_a_server_that_hangs_up_ends_the_session() -> None:
    line, script, _ = await opened(INFO)
    await script.hangs_up()
    async with refused("the server has closed the connection"):
        await line.receive()
    async with refused("closed"):
        await line.send([Post(2, b"1 1\na", 1)])


async def test_a_refused_login_is_no_session() -> None:
    async with refused("the server says: Authorization Violation"):
        await opened(INFO, signs=(b"-ERR 'Authorization Violation'\r\n",))


@pytest.mark.parametrize(
    ("greeting", "url", "why"),
    [
        (b"PING\r\n", "nats://localhost", "says INFO first"),
        (INFO + b"PING\r\n", "nats://localhost", "says INFO first, and nothing else"),
        (b'INFO {"max_payload":1024}\r\n', "nats://localhost", "max_payload is 1024; 7900 are needed"),
        (b'INFO {"tls_required":true}\r\n', "nats://localhost", "write tls://"),
        (INFO + b"+OK", "tls://localhost", "between INFO and TLS"),
    ],
)
async def test_a_greeting_that_leads_nowhere_ends_the_connection(greeting: bytes, url: str, why: str) -> None:
    async with refused(why):
        await opened(greeting, url=url)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("nats://bus.example", Server("bus.example", 4222, False, None, None, None)),
        ("tls://bus.example:5222/", Server("bus.example", 5222, True, None, None, None)),
        ("nats://[::1]:5222", Server("::1", 5222, False, None, None, None)),
        ("nats://pia:a%3Ab@bus.example", Server("bus.example", 4222, False, "pia", "a:b", None)),
        ("nats://s3cret@bus.example", Server("bus.example", 4222, False, None, None, "s3cret")),
    ],
)
def test_a_url_says_where_the_server_is_and_who_we_are(url: str, server: Server) -> None:
    assert read_url(url) == server


@pytest.mark.parametrize(
    "url", ["http://bus.example", "nats://", "nats://u:s3cret@", "nats://h/cluster", "nats://h:x", "nats://h?a=1", ""]
)
def test_a_url_that_is_none_is_refused_without_showing_its_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"nats://HOST:4222|[Pp]ort") as refusal:
        read_url(url)
    assert "s3cret" not in str(refusal.value)


@pytest.mark.parametrize("name", ["", "a.b", "a b", "*", ">", "é"])
def test_the_name_of_a_cluster_is_one_word_of_a_subject(name: str) -> None:
    with pytest.raises(ValueError, match="the name of a cluster has letters"):
        nats_bus("nats://localhost", name, 1, "boardgate/1", Random(1))


async def reached(url: str) -> bool:
    """Whether a bus connects there; False if its first attempts fail."""
    bus: BrokerBus = nats_bus(url, "c", 1, "boardgate/1", Random(1))
    with trio.move_on_after(1.0):
        async with trio.open_nursery() as nursery:
            await nursery.start(bus.run, lambda _sender, _message: None)
            await until(lambda: bus.connected)
            nursery.cancel_scope.cancel()
        return True
    return False


@peers.needed
@pytest.mark.parametrize(
    ("options", "good", "bad"),
    [
        (("--user", "pia", "--pass", "s3cret"), "pia:s3cret@", "pia:wrong@"),
        (("--auth", "s3cret"), "s3cret@", ""),
    ],
)
async def test_a_server_lets_in_who_has_its_password_or_token(options: Sequence[str], good: str, bad: str) -> None:
    server = Nats(*options)
    try:
        assert await reached(f"nats://{good}127.0.0.1:{server.port}")
        assert not await reached(f"nats://{bad}127.0.0.1:{server.port}")
    finally:
        server.close()


@peers.needed
async def test_over_tls_a_server_is_checked_and_messages_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = Authority(tmp_path)
    club.issues("localhost")
    server = Nats("--tls", "--tlscert", str(club.cert), "--tlskey", str(club.key))
    url = f"tls://localhost:{server.port}"
    try:
        assert not await reached(url), "the system does not know its authority"
        monkeypatch.setenv("SSL_CERT_FILE", str(club.file))
        assert not await reached(url.replace("tls", "nats"))
        one, two = (nats_bus(url, "c", me, f"boardgate/{me}", Random(me)) for me in (1, 2))
        heard: list[bytes] = []
        async with trio.open_nursery() as nursery:
            await nursery.start(one.run, lambda _sender, _message: None)
            await nursery.start(two.run, lambda _sender, message: heard.append(message))
            for _ in range(100):
                one.send(2, b"x" * 7_000)
            await until(lambda: len(heard) == 100)
            nursery.cancel_scope.cancel()
    finally:
        server.close()
