"""A running server's JSON API for the commands that ask one: requests and credentials.

Source: docs/registration.md.
"""

from __future__ import annotations

import base64
import json
import socket
import ssl
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

import click

from gateway.accounts.tokens import is_token
from gateway.cli.credentials import credential
from gateway.cli.options import read_password, trusted, with_tls_ca
from gateway.net.calling import START_ONE, context, why_not
from protocols.core.errors import BoardgateError

T = TypeVar("T")

USUAL: Final = "http://127.0.0.1:8080"
"""The default address of a server on this machine."""

PATIENCE_S: Final = 20.0
"""Seconds for an answer: a busy server needs one."""


class Unanswered(BoardgateError):
    """The server cannot be reached, refuses, or is none of ours."""


class Unknown(Unanswered):
    """The server does not know the password, token or ticket of the request."""


class NoTable(BoardgateError):
    """The server has nothing at this path: it knows no such table."""


class Remote:
    """The API below ``url``; ``auth`` is what goes with every request as Authorization, "" nothing."""

    def __init__(self, url: str, auth: str = "") -> None:
        """Unanswered: that is no address of a server."""
        self.url = (url if "//" in url else f"http://{url}").rstrip("/")
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).hostname:
            raise Unanswered(f"{url}: write http://HOST:PORT or https://HOST")
        self._auth = auth
        self._trust = context(trusted()) if self.url.startswith("https:") else None

    def get(self, path: str, **query: str | int) -> Any:
        return json.loads(self.text(path, **query))

    def text(self, path: str, **query: str | int) -> str:
        asked = urlencode({name: value for name, value in query.items() if value != ""})
        return self._ask(f"{path}?{asked}" if asked else path)

    def post(self, path: str, body: object) -> Any:
        return json.loads(self._ask(path, json.dumps(body).encode()))

    def delete(self, path: str) -> None:
        self._ask(path, method="DELETE")

    def _ask(self, path: str, body: bytes | None = None, method: str | None = None) -> str:
        request = Request(f"{self.url}{path}", body, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self._auth:
            request.add_unredirected_header("Authorization", self._auth)
        try:
            with urlopen(request, timeout=PATIENCE_S, context=self._trust) as answer:
                return str(answer.read().decode())
        except HTTPError as error:
            with error:
                raise _refused(self.url, error) from None
        except (URLError, OSError, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise Unanswered(_unanswered(self.url, reason)) from None


def _unanswered(url: str, reason: object) -> str:
    if isinstance(reason, ssl.SSLError):
        return f"{url}: {why_not(reason)}"
    if isinstance(reason, ConnectionRefusedError | socket.gaierror):
        return f"no server answers at {url} ({START_ONE})"
    return f"{url}: {reason}"


def _refused(url: str, error: HTTPError) -> BoardgateError:
    try:
        said = json.loads(error.read(65_536))["message"]
    except (ValueError, KeyError, TypeError):
        return Unanswered(f"{url} answers {error.code} {error.reason}: is it a Boardgate?")
    if error.code == HTTPStatus.UNAUTHORIZED:
        return Unknown(str(said))
    return NoTable(said) if error.code == HTTPStatus.NOT_FOUND else Unanswered(str(said))


def with_server(function: Callable[..., T]) -> Callable[..., T]:
    """Adds --server and --tls-ca: ``function`` gets its URL as ``server``, "" for the database of the settings."""
    text = "Ask this running server instead of the database."
    return click.option("--server", default="", metavar="URL", help=text)(with_tls_ca(function))


def host_token(token: str, token_file: Path | None) -> str:
    """Authorization with the host's token, which a file may hold in its first line; "" without one."""
    if token_file is not None:
        token = token_file.read_text(encoding="utf-8").partition("\n")[0].strip()
    return f"Bearer {token}" if token else ""


def account_at(server: str, name: str) -> str:
    """Authorization of an account at a server: its stored token, BOARDGATE_PASSWORD, or the password that is typed.

    ``name`` "" is the account that is logged in there; the result is "" where none is.
    """
    host, tls = server_address(server)
    found = credential(name, host, tls=tls)
    if is_token(found.secret):
        return f"Bearer {found.secret}"
    return basic(name, found.secret or read_password(f"password of {name}")) if name else ""


def basic(name: str, password: str) -> str:
    """Authorization of HTTP with a name and a password."""
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def server_address(server: str) -> tuple[str, bool]:
    """The host of a server's URL, and whether it is encrypted. Unanswered: it is no such address."""
    parts = urlsplit(Remote(server).url)
    return parts.hostname or "", parts.scheme == "https"
