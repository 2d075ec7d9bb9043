"""Reads a provider's configuration and keys when they are needed, and keeps them (OpenID Connect Discovery 1.0).

One reads at a time. What failed is not tried again for some seconds, so that a provider that is away is not stormed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import trio

from gateway.net.asking import BadAddress, NoAnswer
from gateway.openid.fetching import Fetch, check_address

KEPT_S: Final = 3600.0
"""Seconds until configuration and keys are read anew."""

AGAIN_S: Final = 30.0
"""Seconds until keys are read anew because a token names one that is unknown: strangers bring no such tokens, yet."""

FAILED_S: Final = 5.0
"""Seconds after a failure in which nobody asks again."""

WELL_KNOWN: Final = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class Endpoints:
    """A provider's addresses; ``basic``, ``post``: its token endpoint takes the secret in a header,
    in the form. ``userinfo`` may be ""."""

    authorization: str
    token: str
    keys: str
    userinfo: str = ""
    basic: bool = True
    post: bool = False


def read_object(body: bytes, of: str) -> dict[str, Any]:
    """An answer that is an object of JSON. NoAnswer: it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise NoAnswer(f"{of} is no object of JSON")
    return found


def endpoints_of(found: Mapping[str, Any], issuer: str) -> Endpoints:
    """The addresses of a configuration. NoAnswer: it is another issuer's, or lacks one."""
    if found.get("issuer") != issuer:
        raise NoAnswer(f"the configuration is of the issuer {str(found.get('issuer'))[:200]!r}")
    addresses = []
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"):
        address = found.get(name, "" if name == "userinfo_endpoint" else None)
        try:
            if address:
                check_address(address)
        except (BadAddress, TypeError) as error:
            raise NoAnswer(f"the configuration's {name}: {error}") from None
        if address is None:
            raise NoAnswer(f"the configuration has no {name}")
        addresses.append(str(address))
    ways = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    basic, post = (isinstance(ways, list) and f"client_secret_{way}" in ways for way in ("basic", "post"))
    if not (basic or post):
        raise NoAnswer("the token endpoint takes no client secret")
    authorization, token, keys, userinfo = addresses
    return Endpoints(authorization, token, keys, userinfo, basic, post)


class Discovery:
    """The provider ``issuer``, as far as it is known here."""

    def __init__(self, issuer: str, fetch: Fetch) -> None:
        self._issuer = issuer
        self._fetch = fetch
        self._turn = trio.Lock()
        self._endpoints: Endpoints | None = None
        self._keys: dict[str, Any] = {}
        self._read_at = self._keys_at = self._failed_at = -KEPT_S
        self._failure = ""

    async def endpoints(self) -> Endpoints:
        """NoAnswer."""
        async with self._turn:
            return await self._known()

    async def keys(self, before: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The JWK set; another one than ``before``, if that was not read within AGAIN_S. NoAnswer."""
        async with self._turn:
            endpoints, now = await self._known(), trio.current_time()
            stale = before is self._keys and now - self._keys_at >= AGAIN_S
            if not self._keys or stale or now - self._keys_at >= KEPT_S:
                self._keys = await self._read(endpoints.keys, "the set of keys")
                self._keys_at = trio.current_time()
            return self._keys

    async def _known(self) -> Endpoints:
        now = trio.current_time()
        if self._endpoints is None or now - self._read_at >= KEPT_S:
            found = await self._read(self._issuer.rstrip("/") + WELL_KNOWN, "the configuration")
            self._endpoints = endpoints_of(found, self._issuer)
            self._read_at = trio.current_time()
        return self._endpoints

    async def _read(self, address: str, of: str) -> dict[str, Any]:
        if trio.current_time() - self._failed_at < FAILED_S:
            raise NoAnswer(self._failure)
        try:
            reply = await self._fetch(address)
            if reply.status != HTTPStatus.OK:
                raise NoAnswer(f"{of}: status {reply.status}")
            return read_object(reply.body, of)
        except (NoAnswer, BadAddress) as error:
            self._failed_at, self._failure = trio.current_time(), str(error)
            raise NoAnswer(self._failure) from None
