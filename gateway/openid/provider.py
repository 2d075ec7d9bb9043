"""The OpenID Connect provider of the settings: sends browsers there, and learns from their way back who they are.

Authorization code with PKCE (RFC 7636), state and nonce; the code is exchanged by this server, with its secret.
"""

from __future__ import annotations

import base64
import hmac
import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote_plus, urlencode

import msgspec
import trio

from gateway.config import BadSetting, Config
from gateway.config.values import first_line
from gateway.net.asking import BadAddress, NoAnswer
from gateway.openid.discovery import Discovery, read_object
from gateway.openid.fetching import Fetch, Fetcher, check_address
from gateway.openid.id_tokens import BadToken, UnknownKey, check, claims_of
from gateway.openid.sealing import Seal

RANDOM_BYTES: Final = 32
"""Random bytes of a state, a nonce, and a verifier of PKCE."""

SHORTEST_SECRET: Final = 16
"""Characters of a client's secret: seals are closed with it."""

AT_ONCE: Final = 16
"""Logins that are finished at once; more wait their turn."""

CALLBACK: Final = "/openid/callback"
"""The path of the page where the provider sends browsers back."""

LONGEST_CODE: Final = 2000


class Attempt(msgspec.Struct, frozen=True):
    """A login that was begun at this browser. ``next`` is where it leads; ``account`` the one to be linked, else ""."""

    state: str
    nonce: str
    verifier: str
    next: str = ""
    account: str = ""


class Known(msgspec.Struct, frozen=True):
    """A person whom the provider has named. ``called`` is what it calls that person, "" nothing."""

    subject: str
    called: str = ""
    next: str = ""


class NotTaken(Exception):
    """The provider takes the code of a login not, or not any more; the text has its word for that."""


class Provider:
    """One provider. ``back`` is the whole address of CALLBACK here."""

    def __init__(
        self,
        issuer: str,
        client: str,
        secret: str,
        name: str,
        scopes: str,
        back: str,
        fetch: Fetch | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.issuer = issuer
        self.name = name
        self.attempts = Seal(secret, "attempt")
        self.known = Seal(secret, "known")
        self._client = client
        self._secret = secret
        self._scopes = scopes
        self.back = back
        self._fetch = fetch or Fetcher()
        self._clock = clock
        self._discovery = Discovery(issuer, self._fetch)
        self._turns = trio.CapacityLimiter(AT_ONCE)

    async def try_out(self) -> None:
        """Read configuration and keys, as the first login does. NoAnswer."""
        await self._discovery.keys()

    async def begin(self, to: str = "", account: str = "", *, anew: bool = False) -> tuple[str, Attempt]:
        """The address to send a browser to, and what it keeps for us meanwhile. ``anew``: the provider asks who it is,
        though it may know. NoAnswer."""
        endpoints = await self._discovery.endpoints()
        state, nonce, verifier = (secrets.token_urlsafe(RANDOM_BYTES) for _ in range(3))
        challenge = base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {"response_type": "code", "client_id": self._client, "redirect_uri": self.back, "scope": self._scopes}
        asked |= {"state": state, "nonce": nonce, "code_challenge": challenge, "code_challenge_method": "S256"}
        asked |= {"prompt": "login"} if anew else {}
        mark = "&" if "?" in endpoints.authorization else "?"
        return f"{endpoints.authorization}{mark}{urlencode(asked)}", Attempt(state, nonce, verifier, to, account)

    def is_of(self, attempt: Attempt, state: str, issuer: str) -> bool:
        """True if this state, and issuer where the provider says it (RFC 9207), are those of the attempt."""
        return hmac.compare_digest(attempt.state.encode(), state.encode()) and issuer in ("", self.issuer)

    async def finish(self, attempt: Attempt, code: str) -> Known:
        """The person who has come back with this code. NoAnswer; NotTaken; BadToken."""
        async with self._turns:
            answer = await self._exchanged(attempt, code)
            token = answer.get("id_token")
            if not isinstance(token, str):
                raise BadToken("there is none in the answer")
            claims = await self._claims(token)
            subject = check(claims, self.issuer, self._client, attempt.nonce, self._clock())
            called = claims.get("preferred_username") or await self._called(answer.get("access_token"), subject)
        return Known(subject, called if isinstance(called, str) else "", attempt.next)

    async def _exchanged(self, attempt: Attempt, code: str) -> dict[str, Any]:
        endpoints = await self._discovery.endpoints()
        form = {"grant_type": "authorization_code", "code": code[:LONGEST_CODE], "redirect_uri": self.back}
        form |= {"code_verifier": attempt.verifier}
        headers = {}
        pair = f"{quote_plus(self._client)}:{quote_plus(self._secret)}"
        plain = pair == f"{self._client}:{self._secret}"  # not every provider undoes the quoting of RFC 6749, 2.3.1
        if endpoints.basic and (plain or not endpoints.post):
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": self._client, "client_secret": self._secret}
        reply = await self._asks(endpoints.token, headers, urlencode(form).encode())
        if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise NoAnswer(f"the token endpoint: status {reply.status}")
        answer = read_object(reply.body, "the answer of the token endpoint")
        if reply.status != HTTPStatus.OK:
            raise NotTaken(word_of(answer.get("error")))
        return answer

    async def _claims(self, token: str) -> dict[str, Any]:
        """The claims of a token that is signed. Keys are read once more for one that is unknown."""
        keys = await self._discovery.keys()
        try:
            return claims_of(token, keys)
        except UnknownKey:
            newer = await self._discovery.keys(before=keys)
            if newer is keys:
                raise
            return claims_of(token, newer)

    async def _called(self, token: object, subject: str) -> str:
        """The name of a person, where the provider tells it apart from the token; "" where that fails."""
        endpoints = await self._discovery.endpoints()
        if not endpoints.userinfo or not isinstance(token, str) or not token.isprintable() or not token.isascii():
            return ""
        try:
            reply = await self._asks(endpoints.userinfo, {"Authorization": f"Bearer {token}"})
            found = read_object(reply.body, "the person")
        except NoAnswer:
            return ""
        called = found.get("preferred_username")
        return called if found.get("sub") == subject and isinstance(called, str) else ""

    async def _asks(self, address: str, headers: dict[str, str], form: bytes | None = None) -> Any:
        try:
            return await self._fetch(address, headers, form)
        except BadAddress as error:
            raise NoAnswer(str(error)) from None


def word_of(error: object) -> str:
    """A word of the provider for an error, fit for a log: "invalid_grant"."""
    text = str(error)[:40]
    return text if isinstance(error, str) and text.replace("_", "").isalnum() and text.isascii() else "no word for it"


def provider_of(config: Config, pages: str) -> Provider | None:
    """The provider of the settings; None: they name none. ``pages`` is the address of this server's pages.

    BadSetting: what is wrong in [openid].
    """
    rules = config.openid
    if not rules.issuer:
        return None
    pages = rules.pages.rstrip("/") or pages
    try:
        check_address(rules.issuer)
        check_address(pages)
    except BadAddress as error:
        words = str(error) if pages else "name where browsers come back to: openid.pages, or server.public_host"
        raise BadSetting(f"[openid] {words}") from None
    if not rules.client_id or not rules.client_secret_file:
        raise BadSetting("[openid] issuer needs client_id and client_secret_file, which the provider gives you")
    secret = first_line(rules.client_secret_file, "[openid] client_secret_file")
    if len(secret) < SHORTEST_SECRET:
        raise BadSetting(f"[openid] the client's secret has {len(secret)} characters; at least {SHORTEST_SECRET}")
    if "openid" not in rules.scopes.split():
        raise BadSetting(f'[openid] scopes = "{rules.scopes}" lacks the word openid')
    return Provider(rules.issuer, rules.client_id, secret, rules.name, rules.scopes, pages + CALLBACK)
