"""A push service on 127.0.0.1 with one browser: checks who sends, opens what is sealed, answers as it is told.

Opens by RFC 8188 and RFC 8291 and checks by RFC 8292, with code of its own.
"""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hmac import digest as hmac
from typing import Any

import h11
import trio
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256

from gateway.push.encrypted import point
from gateway.push.vapid import base64url

AUTH = b"sixteen secret b"


def unpadded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Service:
    """``told`` are the messages of its browser, with the headers of each; ``answers`` those to come, then 201.

    Its clock is ``ahead_s`` before this machine's.
    """

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    port: int = 0
    scheme: str = "http"
    ahead_s: float = 0.0
    told: list[Any] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def subscription(self, number: int = 1) -> dict[str, str]:
        """The subscription as a browser tells the server."""
        key = base64url(point(self.key.public_key()))
        return {"endpoint": f"{self.origin}/send/{number}", "key": key, "auth": base64url(AUTH)}

    def checked(self, authorization: str) -> dict[str, Any]:
        """The claims of whoever sends. AssertionError: they are not signed with the key that they show."""
        scheme, _, rest = authorization.partition(" ")
        shown = dict(part.strip().split("=", 1) for part in rest.split(","))
        head, claims, signature = shown["t"].split(".")
        assert scheme == "vapid"
        assert json.loads(unpadded(head)) == {"typ": "JWT", "alg": "ES256"}
        raw = unpadded(signature)
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(shown["k"]))
        made = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key.verify(made, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
        found: dict[str, Any] = json.loads(unpadded(claims))
        assert found["aud"] == self.origin
        assert 0 < found["exp"] - time.time() - self.ahead_s < 86_400
        return found | {"k": shown["k"]}

    def opened(self, body: bytes) -> bytes:
        return opened(body, self.key, AUTH)

    async def serve(self, stream: trio.abc.Stream) -> None:
        connection = h11.Connection(h11.SERVER)
        head, body = None, b""
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(bytes(await stream.receive_some()))
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            else:
                break
        assert head is not None
        assert head.method == b"POST"
        headers = {name.decode(): value.decode() for name, value in head.headers}
        assert headers["content-encoding"] == "aes128gcm"
        self.checked(headers["authorization"])
        self.headers.append(headers)
        self.told.append(json.loads(self.opened(body)))
        status, more = self.answers.pop(0) if self.answers else (201, {})
        lines = "".join(f"{name}: {value}\r\n" for name, value in more.items())
        await stream.send_all(f"HTTP/1.1 {status} Told\r\n{lines}Content-Length: 0\r\n\r\n".encode())
        await stream.aclose()


def opened(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """The text of a sealed message."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    theirs, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= size
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    info = b"WebPush: info\0" + point(key.public_key()) + theirs + b"\1"
    agreed = hmac(salt, hmac(hmac(auth, shared, "sha256"), info, "sha256"), "sha256")
    cipher = AESGCM(hmac(agreed, b"Content-Encoding: aes128gcm\0\1", "sha256")[:16])
    text = cipher.decrypt(hmac(agreed, b"Content-Encoding: nonce\0\1", "sha256")[:12], sealed, None)
    assert text.rstrip(b"\0")[-1:] == b"\2"
    return text.rstrip(b"\0")[:-1]


@asynccontextmanager
async def push_service() -> AsyncIterator[Service]:
    service = Service()
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, service.serve, 0)
        service.port = listeners[0].socket.getsockname()[1]
        yield service
        nursery.cancel_scope.cancel()
