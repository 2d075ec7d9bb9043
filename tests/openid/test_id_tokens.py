"""Signatures of ID tokens: which keys of a set are used, and which algorithms."""

from __future__ import annotations

import time
import warnings
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from gateway.openid.id_tokens import ALGORITHMS, BadToken, UnknownKey, check, claims_of

RSA = RSAKey.generate_key(2048, {"kid": "a"})
EC = ECKey.generate_key("P-256", {"kid": "b"})
ED = OKPKey.generate_key("Ed25519", {"kid": "c"})
SECRET = OctKey.import_key("a secret of some length, of 40 characters", {"kid": "d"})
CLAIMS = {"sub": "17"}
ODD: list[Any] = [
    {"kty": "AKP", "kid": "x"},
    {"kty": "EC", "crv": "P-1", "kid": "y", "x": "AA", "y": "AA"},
    {"kty": "RSA", "kid": "z", "n": "", "e": "AQAB"},
    {"kty": "OKP", "crv": "Ed25519", "kid": "w", "x": "AA"},
    "no key",
    None,
    {},
]
"""Members of a set that are no use: others are found beside them."""


def public(*keys: Any) -> dict[str, Any]:
    return {"keys": [*ODD, *(key.as_dict(private=False) for key in keys)]}


def signed(key: Any, algorithm: str, **header: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        registry = JWSRegistry(algorithms=[algorithm], strict_check_header=False)
        return jwt.encode({"alg": algorithm, "kid": key.kid} | header, CLAIMS, key, [algorithm], registry)


@pytest.mark.parametrize(("key", "algorithm"), [(RSA, "RS256"), (RSA, "PS512"), (EC, "ES256"), (ED, "Ed25519")])
def test_a_signature_by_one_of_the_keys_holds(key: Any, algorithm: str) -> None:
    assert algorithm in ALGORITHMS
    assert claims_of(signed(key, algorithm, x5t="odd", odd="header"), public(RSA, EC, ED)) == CLAIMS


@pytest.mark.parametrize(
    ("token", "keys"),
    [
        (signed(SECRET, "HS256"), public(RSA)),
        (signed(SECRET, "HS256"), {"keys": [SECRET.as_dict()]}),
        (signed(RSA, "RS256")[:-8] + "AAAAAAAA", public(RSA)),
        (signed(RSA, "RS256"), {"keys": [RSA.as_dict(private=False, use="enc")]}),
        (signed(RSA, "RS256"), {"keys": "none"}),
        (signed(RSA, "RS256"), {}),
        (signed(RSA, "RS256", kid="b"), public(RSA, EC)),
        ("", public(RSA)),
        ("a.b.c", public(RSA)),
        ("ö.ö.ö", public(RSA)),
        ("....", public(RSA)),
        ("e30.e30.", public(RSA)),
        ("eyJhbGciOiJub25lIn0.e30.", public(RSA)),
    ],
)
def test_no_other_does(token: str, keys: dict[str, Any]) -> None:
    with pytest.raises(BadToken):
        claims_of(token, keys)


def test_a_key_that_is_not_there_is_said_apart() -> None:
    with pytest.raises(UnknownKey):
        claims_of(signed(ED, "Ed25519"), public(RSA, EC))


def test_times_are_numbers() -> None:
    now = time.time()
    good = {"iss": "i", "aud": ["c"], "azp": "c", "nonce": "n", "sub": "17", "iat": int(now), "exp": now + 9.5}
    assert check(good, "i", "c", "n", now) == "17"
    for name in ("iat", "exp"):
        for odd in (True, "1", None, [now]):
            with pytest.raises(BadToken, match=f"has no {name}"):
                check(good | {name: odd}, "i", "c", "n", now)
    others: list[dict[str, Any]] = [{"nonce": 7}, {"aud": 7}, {"aud": []}, {"sub": "a\nb"}, {"azp": ""}]
    for other in others:
        with pytest.raises(BadToken):
            check(good | other, "i", "c", "n", now)
