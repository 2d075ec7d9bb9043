"""The host's mail server: what the settings say of it, and one message given to it by SMTP.

Sources: RFC 5321; RFC 3207 for STARTTLS; RFC 6409 for port 587. No error that comes out of here shows an address: what
a server answers may repeat it.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from typing import Final
from urllib.parse import urlsplit

import structlog

from gateway.config import BadSetting, Config
from gateway.config.values import first_line
from gateway.net.addresses import is_loopback

_log = structlog.get_logger()

SILENT_S: Final = 15.0
"""Seconds that the mail server may be silent."""

WIRE: Final = SMTP.clone(max_line_length=998, cte_type="7bit")
"""How a message is sent: no header is folded, for the folded address of a page is none (RFC 5322, 2.1.1)."""

PERMANENT: Final = 500
"""Replies from here on say that the same message is never taken (RFC 5321, 4.2.1)."""

NO_MAILBOX: Final = b"5.1."
"""The beginning of an answer that says that the address is none (RFC 3463, 3.2)."""

HERE: Final = "localhost"


class NotNow(Exception):
    """The mail server could not be reached, or takes no message now; the text says why."""


class NotTaken(Exception):
    """The mail server takes this message never. ``no_mailbox``: because nobody has that address."""

    def __init__(self, code: int, *, no_mailbox: bool = False) -> None:
        super().__init__(f"reply {code}")
        self.no_mailbox = no_mailbox


@dataclass(frozen=True, slots=True)
class MailServer:
    """``sender`` is where messages come from, ``pages`` where their links lead. ``security`` as in the settings.

    Everything here blocks.
    """

    host: str
    port: int
    security: str
    user: str
    password: str = field(repr=False)
    sender: str
    pages: str
    trust: ssl.SSLContext | None = field(default=None, repr=False)

    def deliver(self, message: EmailMessage) -> None:
        """Give the server a message with one recipient. NotNow; NotTaken."""
        with self._open() as server:
            try:
                server.sendmail(self.sender, [message["To"].addresses[0].addr_spec], message.as_bytes(policy=WIRE))
            except smtplib.SMTPRecipientsRefused as error:
                ((code, text),) = error.recipients.values()
                _refuse(code, text)
            except smtplib.SMTPDataError as error:
                _refuse(error.smtp_code, b"")

    def try_out(self) -> None:
        """Log in and hang up. NotNow."""
        with self._open():
            pass

    @contextmanager
    def _open(self) -> Iterator[smtplib.SMTP]:
        try:
            server = self._connected(urlsplit(self.pages).hostname or HERE)
            with closing(server):
                if self.security == "starttls":
                    server.starttls(context=self._context())
                if self.user:
                    server.login(self.user, self.password)
                yield server
                with suppress(smtplib.SMTPException, OSError):  # what was taken is taken
                    server.quit()
        except smtplib.SMTPResponseException as error:
            raise NotNow(f"{self.host}: {type(error).__name__}, reply {error.smtp_code}") from None
        except (smtplib.SMTPNotSupportedError, smtplib.SMTPServerDisconnected) as error:
            raise NotNow(f"{self.host}: {error}") from None
        except smtplib.SMTPException as error:
            raise NotNow(f"{self.host}: {type(error).__name__}") from None
        except OSError as error:
            raise NotNow(f"{self.host}: {error}") from None

    def _connected(self, name: str) -> smtplib.SMTP:
        if self.security == "tls":
            return smtplib.SMTP_SSL(self.host, self.port, name, timeout=SILENT_S, context=self._context())
        return smtplib.SMTP(self.host, self.port, name, timeout=SILENT_S)

    def _context(self) -> ssl.SSLContext:
        return self.trust or ssl.create_default_context()


def _refuse(code: int, text: bytes) -> None:
    if code < PERMANENT:
        raise NotNow(f"reply {code}") from None
    raise NotTaken(code, no_mailbox=text.startswith(NO_MAILBOX)) from None


def mail_server(config: Config) -> MailServer | None:
    """The mail server of the settings, None: they have none. BadSetting; the password's file is read."""
    mail = config.mail
    if not mail.host:
        return None
    if not is_address(mail.sender):
        raise BadSetting(f"[mail] sender: {mail.sender!r} is no mail address, such as boardgate@example.org")
    if mail.user and not mail.password_file:
        raise BadSetting("[mail] user needs password_file")
    if mail.user and mail.security == "none" and not (mail.host == HERE or is_loopback(mail.host)):
        raise BadSetting(f'[mail] security = "none" would show the password of {mail.user} on the way to {mail.host}')
    password = first_line(mail.password_file, "[mail] password_file") if mail.user else ""
    if mail.user and not password:
        raise BadSetting(f"[mail] password_file {mail.password_file}: its first line is empty")
    pages = _pages(mail.pages, config.server.public_host)
    return MailServer(mail.host, mail.port, mail.security, mail.user, password, mail.sender, pages)


def with_password_anew(before: MailServer, config: Config) -> MailServer:
    """The same, with the password that its file has now; as before where that cannot be read."""
    try:
        return mail_server(config) or before
    except BadSetting as error:
        _log.warning("the password of the mail server was not read anew", error=str(error))
        return before


def _pages(written: str, public_host: str) -> str:
    if not written and public_host == HERE:
        raise BadSetting("[mail] links in messages lead nowhere: set server.public_host, or pages")
    pages = written.rstrip("/") or f"https://{public_host}"
    if not _is_origin(pages):
        raise BadSetting(f"[mail] pages: {pages!r} is no address of a server, such as https://games.example.org")
    return pages


def _is_origin(text: str) -> bool:
    """True for a scheme, a host and perhaps a port, and nothing else."""
    try:
        parts = urlsplit(text)
        named = bool(parts.hostname) and parts.username is None and parts.port != 0
    except ValueError:
        return False
    plain = text.isascii() and text.isprintable() and " " not in text
    return named and plain and text in (f"https://{parts.netloc}", f"http://{parts.netloc}")


def is_address(text: str) -> bool:
    """True for a mail address that a message can be sent from or to."""
    name, at, domain = text.rpartition("@")
    return bool(name and at and domain) and text.isascii() and text.isprintable() and not set(text) & set(' <>,;:"')
