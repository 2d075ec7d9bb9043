"""Dice are fair, reproducible, and verifiable with the standard library alone."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

from gateway.table import dice


def test_a_roll_can_be_recomputed_from_its_description() -> None:
    secret = bytes(32)
    words = hmac.new(secret, b"roll 7", hashlib.sha256).digest()
    assert int.from_bytes(words[:4], "big") < 2**32 - 2**32 % 6, "the first word decides here"
    assert dice.roll(secret, 7, 6) == int.from_bytes(words[:4], "big") % 6 + 1


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert dice.commitment(b"secret") == hashlib.sha256(b"secret").hexdigest()


def test_each_game_of_a_table_has_a_secret_of_its_own() -> None:
    table = bytes(range(32))
    assert dice.game_secret(table, 1) == hmac.new(table, b"game 1", hashlib.sha256).digest()
    assert len({dice.game_secret(table, number) for number in range(100)}) == 100


def test_rolls_are_spread_evenly() -> None:
    """Chi-square of 60,000 rolls of a fixed secret against a fair die: below 20.5 in 99.9 % of fair samples."""
    counts = Counter(dice.roll(b"a fixed secret", number, 6) for number in range(1, 60_001))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5


def test_a_word_at_the_uneven_end_is_passed_over() -> None:
    """Dice of 2^31 + 1 sides pass over nearly half of all words, so that many rolls need the second word or later."""
    sides = 2**31 + 1
    assert all(1 <= dice.roll(b"s", number, sides) <= sides for number in range(200))
    firsts = [int.from_bytes(hmac.digest(b"s", b"roll %d" % number, "sha256")[:4], "big") for number in range(200)]
    assert any(word >= sides for word in firsts)
