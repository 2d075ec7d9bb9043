"""Seals a message for one browser: its push service carries it and cannot read it.

Sources: RFC 8291 (Message Encryption for Web Push), RFC 8188 (aes128gcm).
"""

from __future__ import annotations

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

AUTH_BYTES: Final = 16
"""A browser's secret."""

POINT_BYTES: Final = 65
"""A public key on P-256, uncompressed."""

SALT_BYTES: Final = 16

RECORD: Final = 4096
"""The size of a record; a message is one, the last, which push services need not take longer (RFC 8030, 7.2)."""

LONGEST: Final = 3000
"""Bytes of a message before it is sealed."""

_LAST: Final = b"\x02"
"""Stands behind the text of the last record."""


def sealed(text: bytes, key: bytes, auth: bytes) -> bytes:
    """The body for a browser with this public key and secret. ValueError: the key is no point, or the text too long."""
    return _sealed(text, key, auth, os.urandom(SALT_BYTES), ec.generate_private_key(ec.SECP256R1()))


def _sealed(text: bytes, key: bytes, auth: bytes, salt: bytes, own: ec.EllipticCurvePrivateKey) -> bytes:
    if len(text) > LONGEST:
        raise ValueError(f"{len(text)} bytes are too long a message; at most {LONGEST}")
    theirs = read_point(key)
    ours = point(own.public_key())
    shared = own.exchange(ec.ECDH(), theirs)
    secret = _derived(shared, auth, b"WebPush: info\0" + key + ours, 32)
    cipher = AESGCM(_derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + cipher.encrypt(nonce, text + _LAST, None)


def read_point(key: bytes) -> ec.EllipticCurvePublicKey:
    """The public key that these bytes are. ValueError: they are none."""
    if len(key) != POINT_BYTES:
        raise ValueError(f"a key has {POINT_BYTES} bytes, not {len(key)}")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as browsers and servers exchange it."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
