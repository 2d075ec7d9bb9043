"""Checks ID tokens: the signature by joserfc, and what OpenID Connect Core 1.0 demands of the claims (3.1.3.7)."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519")
"""Algorithms of signatures that are taken: of two keys each, so that "none" and a shared secret are not among them."""

SKEW_S: Final = 120.0
"""Seconds by which the provider's clock may differ."""

OLDEST_S: Final = 600.0
"""Seconds since a token was made: it was asked for a moment ago."""

LONGEST_SUBJECT: Final = 255
"""Characters of a subject (OpenID Connect Core 1.0, 2)."""


class BadToken(Exception):
    """The token is not to be believed; the text says why, and has nothing of the token."""


class UnknownKey(BadToken):
    """The token is signed with a key that is not among these: the provider may have new ones."""


def claims_of(token: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    """The claims of a token that one of these keys, a JWK set, has signed. BadToken; UnknownKey."""
    from joserfc import jws, jwt  # some hundredths of a second of import, for servers with a provider
    from joserfc.errors import InvalidKeyIdError, JoseError
    from joserfc.jwk import KeySet

    registry = jws.JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
    try:
        known = KeySet([*_usable(keys.get("keys"))])
        return dict(jwt.decode(token, known, algorithms=ALGORITHMS, registry=registry).claims)
    except InvalidKeyIdError:
        raise UnknownKey("it is signed with an unknown key") from None
    except JoseError as error:
        raise BadToken(f"its signature does not hold ({error.error or type(error).__name__})") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadToken(f"it cannot be read ({type(error).__name__})") from None


def _usable(keys: object) -> Iterator[Any]:
    """The keys for signatures that this joserfc can use: providers publish others beside them."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry

    for key in keys if isinstance(keys, list) else ():
        if isinstance(key, dict) and key.get("use", "sig") == "sig" and key.get("kty") != "oct":
            with suppress(JoseError, UnsupportedAlgorithm, AttributeError, KeyError, TypeError, ValueError):
                yield JWKRegistry.import_key(key)


def check(claims: Mapping[str, Any], issuer: str, client: str, nonce: str, now: float) -> str:
    """The subject of these claims, at ``now`` in Unix time. BadToken: they are not for us, not of now, or not asked."""
    if claims.get("iss") != issuer:
        raise BadToken("another issuer has made it")
    _check_audience(claims, client)
    made, ends = _number(claims, "iat"), _number(claims, "exp")
    if ends <= now - SKEW_S:
        raise BadToken("it has expired: do the clocks differ?")
    if made > now + SKEW_S:
        raise BadToken("it was made in the future: do the clocks differ?")
    if made < now - OLDEST_S - SKEW_S:
        raise BadToken("it was made too long ago: do the clocks differ?")
    said = claims.get("nonce")
    if not isinstance(said, str) or not hmac.compare_digest(said.encode(), nonce.encode()):
        raise BadToken("it was made for another login")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
        raise BadToken("it names nobody")
    return subject


def _check_audience(claims: Mapping[str, Any], client: str) -> None:
    named = claims.get("aud")
    audience = [named] if isinstance(named, str) else named
    if not isinstance(audience, list) or client not in audience:
        raise BadToken("it is for another client")
    party = claims.get("azp")
    if (len(audience) > 1 or party is not None) and party != client:
        raise BadToken("it was given to another client")


def _number(claims: Mapping[str, Any], name: str) -> float:
    found = claims.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise BadToken(f"it has no {name}")
    return float(found)
