"""The system gives up a connection whose server is gone without a word."""

from __future__ import annotations

import socket

import pytest
import trio

from clients.dial import SILENCE_S, notice_silence


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="a system that can be told so")
async def test_the_system_gives_up_what_confirms_nothing_for_the_stated_time() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener, await trio.open_tcp_stream(*listener.socket.getsockname()) as stream:
        notice_silence(stream)
        asked = [
            stream.getsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_KEEP{name}"))
            for name in ("IDLE", "INTVL", "CNT")
        ]
        idle_s, interval_s, probes = asked
        assert stream.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert idle_s + interval_s * probes == SILENCE_S
        assert stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000 * SILENCE_S
