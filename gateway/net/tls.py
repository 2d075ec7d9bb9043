"""Reads a listener's certificate and key, at the start and anew when asked; a server's end of TLS, bytes in, bytes out.

Connections that begin get what was read last; those that run keep what they began with. Clients check certificates in
gateway.net.calling.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog

from gateway.config import BadSetting, Listen

CERT: Final = "tls_cert"
KEY: Final = "tls_key"

TLS_OPTIONS: Final = {
    CERT: "TLS: the file of the certificate and those between it and its authority, PEM; SIGHUP reads it anew",
    KEY: "TLS: the file of that certificate's key, PEM, without a passphrase; SIGHUP reads it anew",
}
"""Options of listeners: name to one line of help."""

SOON_DAYS: Final = 14
"""Days before its end at which a certificate is warned of: a renewal that works has happened by then."""

_log = structlog.get_logger()


class Dated:
    """A certificate file. ``ends`` is when the certificate does, in Unix time; ``listener`` says whose it is."""

    def __init__(self, cert: Path, listener: str) -> None:
        """BadSetting: what is wrong with the file, with the name of the listener."""
        self.listener = listener
        self._cert = cert
        self._take()

    def reload(self) -> bool:
        """Read the files anew; False, and everything as it was, when they are no good. The log has it either way."""
        try:
            self._take()
        except BadSetting as error:
            _log.error("the old certificate is kept", error=str(error))
            return False
        _log.info("certificate", listener=self.listener, file=str(self._cert), until=_day(self.ends))
        return True

    def _take(self) -> None:
        self.ends = self._end()

    def _end(self) -> float:
        from cryptography import x509  # a twentieth of a second of import, for servers with TLS

        try:
            found = x509.load_pem_x509_certificate(self._cert.read_bytes())
        except (ValueError, OSError) as error:
            raise BadSetting(f"listener {self.listener}: {CERT} {self._cert}: {error}") from None
        ends = found.not_valid_after_utc.timestamp()
        if ends < datetime.now(UTC).timestamp() + SOON_DAYS * 86400:
            _log.warning("certificate ends soon", listener=self.listener, file=str(self._cert), until=_day(ends))
        return ends


class Certificate(Dated):
    """A listener's certificate with its key; ``context`` is for connections that begin now."""

    def __init__(self, cert: Path, key: Path, listener: str) -> None:
        """BadSetting: what is wrong with the files, with the name of the listener."""
        self._key = key
        super().__init__(cert, listener)

    def _take(self) -> None:
        """Into a context of its own: one half of a pair that does not fit must not get into the one in use."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        for name, file in ((CERT, self._cert), (KEY, self._key)):
            try:
                file.read_bytes()
            except OSError as error:
                raise BadSetting(f"listener {self.listener}: {name} {file}: {error.strerror or error}") from None
        try:
            context.load_cert_chain(self._cert, self._key, password=self._no_passphrase)
        except ssl.SSLError as error:
            raise BadSetting(f"listener {self.listener}: {self._wrong(error)}") from None
        self.context, self.ends = context, self._end()

    def _no_passphrase(self) -> str:
        raise BadSetting(f"listener {self.listener}: {KEY} {self._key} has a passphrase: nobody is there to type it")

    def _wrong(self, error: ssl.SSLError) -> str:
        if error.reason == "KEY_VALUES_MISMATCH":
            return f"{KEY} {self._key} is not the key of {CERT} {self._cert}"
        return f"{CERT} {self._cert} and {KEY} {self._key} are not a certificate and its key in PEM"


def certificate(listen: Listen) -> Certificate | None:
    """The certificate in a listener's options; None for plain TCP. BadSetting: one of two, or bad files."""
    given = {name: listen.options[name] for name in TLS_OPTIONS if name in listen.options}
    if not given:
        return None
    if missing := sorted(TLS_OPTIONS.keys() - given.keys()):
        raise BadSetting(f"listener {listen}: {missing[0]} is missing; a certificate and its key belong together")
    return Certificate(Path(given[CERT]), Path(given[KEY]), f"{listen.dialect}={listen.address}")


def without_tls(options: Mapping[str, str]) -> dict[str, str]:
    """The other options of a listener."""
    return {name: text for name, text in options.items() if name not in TLS_OPTIONS}


PROXY: Final = "proxy"
"""The name of a proxy's certificate among those of listeners."""


def of_proxy(file: str) -> list[Dated]:
    """The certificate of a proxy that ends TLS before this server; none for "". BadSetting: the file is no good."""
    return [Dated(Path(file), PROXY)] if file else []


def reload_all(certificates: Iterable[Dated]) -> int:
    """Read all of them anew; how many are no good, and stay as they were."""
    return sum(not each.reload() for each in certificates)


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


RECORD: Final = 16_384
"""Bytes of a TLS record at most, as its sender counts them (RFC 8446, 5.1)."""

LONGEST_RECORD: Final = RECORD + 2048 + 5
"""The same on the wire: TLS 1.2 lets encryption add so many (RFC 5246, 6.2.3), and there is a head."""


class TlsEnd:
    """``ended``: the other end says no more; ``broken``: it no longer speaks TLS, and does not read ours.

    ``tls`` and ``out`` are for callers that encrypt and decrypt themselves; operations leave their bytes in ``out``.
    """

    __slots__ = ("_in", "broken", "ended", "out", "shaken", "tls")

    def __init__(self, context: ssl.SSLContext) -> None:
        self._in, self.out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._in, self.out, server_side=True)
        self.shaken = self.ended = self.broken = False

    def take_in(self, data: bytes | memoryview) -> None:
        """Take in received bytes; b"" is the end."""
        if data:
            self._in.write(data)
        else:
            self._in.write_eof()

    def shake(self) -> bool:
        """Go on with the handshake; True when it is over. OSError: there will be none; ssl.SSLError has the reason."""
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            if self._in.eof:
                raise OSError("closed during the handshake") from None
        else:
            self.shaken = True
        return self.shaken

    def open_into(self, room: memoryview) -> int:
        """Decrypt all that is complete; the number of bytes. ``room`` is for more than was taken in last, and
        LONGEST_RECORD, so that nothing stays inside, where no selector would see it."""
        count = 0
        try:
            while not self.ended and count < len(room):
                found: Any = self.tls.read(len(room) - count, room[count:])  # with a buffer it is a number
                self.ended = not found
                count += found
        except ssl.SSLWantReadError:
            pass
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            self.ended = True
        except ssl.SSLError:
            self.ended = self.broken = True
        return count

    def sealed(self, data: bytes | memoryview) -> bytes:
        """All of it encrypted, behind the bytes that wait in ``out``. ssl.SSLError: this end has closed, or is broken.

        By records: the buffers of TLS keep the size of the largest piece that went through them.
        """
        if len(data) <= RECORD:
            self.tls.write(data)
            return self.out.read()
        return b"".join([self.sealed(data[at : at + RECORD]) for at in range(0, len(data), RECORD)])

    def farewell(self) -> bytes:
        """close_notify: this end says no more, and may go on reading. b"" where that was said, or makes no sense."""
        with contextlib.suppress(
            ssl.SSLError
        ):  # it also looks whether the other end has said so, and mostly it has not
            self.tls.unwrap()
        return self.out.read()
