"""trio's streams over TCP, encrypted or not, as one type. Not here: certificates, and what is said."""

from __future__ import annotations

from typing import TypeAlias

import trio

Secured: TypeAlias = trio.SSLStream[trio.SocketStream]
Stream: TypeAlias = trio.SocketStream | Secured


def tcp(stream: Stream) -> trio.SocketStream:
    """What carries the stream, and has the socket."""
    return stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
