"""A message is sealed as RFC 8291 says, and requests are signed as RFC 8292 says."""

from __future__ import annotations

import time
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from gateway.push import encrypted
from gateway.push.encrypted import LONGEST, point, sealed
from gateway.push.vapid import LASTS_S, Vapid, base64url, from_base64url
from tests.push.service import AUTH, Service, opened, unpadded

# RFC 8291, appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
BROWSERS = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SHARED = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(unpadded(text), "big"), ec.SECP256R1())


def test_the_example_of_the_document_is_sealed_as_it_stands_there() -> None:
    made = encrypted._sealed(TEXT, unpadded(BROWSERS), unpadded(SHARED), unpadded(SALT), key(OWN))
    assert base64url(made) == BODY
    assert opened(unpadded(BODY), key(BROWSER), unpadded(SHARED)) == TEXT


@pytest.mark.parametrize("length", [0, 1, 100, LONGEST])
def test_a_browser_opens_what_is_sealed_for_it(length: int) -> None:
    browser = ec.generate_private_key(ec.SECP256R1())
    text = bytes(range(256)) * (length // 256) + b"x" * (length % 256)
    body = sealed(text, point(browser.public_key()), AUTH)
    assert opened(body, browser, AUTH) == text
    assert body != sealed(text, point(browser.public_key()), AUTH)
    assert len(body) < 4096


@pytest.mark.parametrize("wrong", [b"", b"\4" + bytes(64), b"\2" + bytes(32), point(key(OWN).public_key())[:-1] + b"x"])
def test_a_key_that_is_none_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        sealed(b"", wrong, AUTH)


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="3001 bytes"):
        sealed(b"x" * (LONGEST + 1), unpadded(BROWSERS), AUTH)


def test_a_request_is_signed_for_its_service() -> None:
    service = Service(port=4711)
    vapid = Vapid(sha256(b"a key").digest(), "mailto:host@example.org")
    now = time.time()
    claims = service.checked(vapid.authorization(service.origin, now))
    assert claims == {
        "aud": service.origin,
        "exp": int(now) + LASTS_S,
        "sub": "mailto:host@example.org",
        "k": vapid.public,
    }
    with pytest.raises(AssertionError):
        Service(port=4712).checked(vapid.authorization(service.origin, now))


@pytest.mark.parametrize("text", ["", "AA", "AA==", "_-8"])
def test_base64url_is_read_with_and_without_padding(text: str) -> None:
    assert base64url(from_base64url(text)) == text.rstrip("=")
    with pytest.raises(ValueError, match=r"."):
        from_base64url("ä")
