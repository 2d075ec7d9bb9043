"""A mail server on 127.0.0.1 that keeps what it is given (aiosmtpd), in a thread of its own; and one that is silent."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword

SENDER = "club@x.example"
PATIENCE_S = 20.0

PAGES = "https://club.x.example"


@dataclass
class MailRoom:
    """``letters`` are those that were taken; ``recipient`` and ``taken`` the answers to come, then those of success.

    ``users`` are the passwords of those who may log in. ``encrypted`` says of each letter whether it came by TLS.
    """

    port: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)
    recipient: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    users: dict[bytes, bytes] = field(default_factory=dict)
    listener: socket.socket | None = None
    _arrived: SimpleQueue[EmailMessage] = field(default_factory=SimpleQueue)

    def next(self) -> EmailMessage:
        """The next letter to arrive that this was not asked for yet. Empty: none comes within twenty seconds."""
        return self._arrived.get(timeout=PATIENCE_S)

    def accept(self) -> tuple[socket.socket, object]:
        """The next connection to a server that is silent."""
        assert self.listener is not None
        return self.listener.accept()

    def settings(self, **more: Any) -> dict[str, Any]:
        """The settings of [mail] for a server that sends here."""
        here = {"host": "127.0.0.1", "port": self.port, "security": "none", "sender": SENDER, "pages": PAGES}
        return here | more

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Envelope, address: str, options: Any) -> str:
        if self.recipient:
            return self.recipient.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Envelope) -> str:
        if self.taken:
            return self.taken.pop(0)
        content = envelope.original_content or b""
        assert all(len(line) <= 998 and line.isascii() for line in content.split(b"\r\n"))
        letter = message_from_bytes(content, policy=default)
        assert isinstance(letter, EmailMessage)
        assert [letter["To"].addresses[0].addr_spec] == envelope.rcpt_tos
        assert envelope.mail_from == SENDER
        self.letters.append(letter)
        self.encrypted.append(session.ssl is not None)
        self._arrived.put(letter)
        return "250 OK"

    def authenticated(self, server: SMTP, session: Any, envelope: Envelope, kind: str, who: Any) -> AuthResult:
        good = isinstance(who, LoginPassword) and self.users.get(who.login) == who.password
        return AuthResult(success=good, handled=False)


@contextmanager
def mail_room(tls: ssl.SSLContext | None = None, *, first_byte: bool = False, **options: Any) -> Iterator[MailRoom]:
    """``tls`` is for STARTTLS, or from the ``first_byte``. ``options`` are those of aiosmtpd's SMTP."""
    room = MailRoom()
    begun, loop = Event(), asyncio.new_event_loop()
    over = asyncio.Event()
    sessions: list[SMTP] = []

    def session() -> SMTP:
        context = None if first_byte else tls
        sessions.append(
            SMTP(room, hostname="mail.x.example", tls_context=context, authenticator=room.authenticated, **options)
        )
        return sessions[-1]

    async def serve() -> None:
        server = await loop.create_server(session, "127.0.0.1", 0, ssl=tls if first_byte else None)
        room.port = server.sockets[0].getsockname()[1]
        begun.set()
        await over.wait()
        server.close()
        for each in sessions:
            if each.transport is not None:
                each.transport.close()
        await server.wait_closed()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = Thread(target=run, name="mail room")
    thread.start()
    try:
        assert begun.wait(10)
        yield room
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


@contextmanager
def silent_room() -> Iterator[MailRoom]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield MailRoom(listener.getsockname()[1], listener=listener)


def text_of(letter: EmailMessage) -> str:
    """The letter's words, its lines joined again."""
    return " ".join(str(letter.get_content()).split())


def link_in(letter: EmailMessage) -> str:
    """The one link to the pages in a letter, without their address."""
    (link,) = re.findall(re.escape(PAGES) + r"(/\S+#\S+)", text_of(letter))
    return str(link)
