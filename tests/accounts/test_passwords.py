"""Passwords are stored as hashes, and a wrong password does not fit."""

from __future__ import annotations

import pytest

from gateway.accounts import logins
from gateway.accounts.logins import LONGEST, SHORTEST, fits, hashed
from protocols.core.errors import Refused


def test_the_password_fits_and_another_does_not() -> None:
    kept = hashed("correct horse")
    assert fits(kept, "correct horse")
    assert not fits(kept, "correct horse ")


def test_what_is_stored_is_argon2id_and_differs_each_time() -> None:
    """RFC 9106: 3 passes, 64 MiB, 4 lanes."""
    first, second = hashed("correct horse"), hashed("correct horse")
    assert first.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert first != second
    assert "correct" not in first


@pytest.mark.parametrize("length", [0, SHORTEST - 1, LONGEST + 1])
def test_a_password_has_a_length_that_makes_sense(length: int) -> None:
    with pytest.raises(Refused, match=f"not {length}"):
        hashed("x" * length)


def test_nothing_fits_nobodys_hash() -> None:
    assert not fits(None, "nobody has this password")


def test_what_is_no_hash_fits_nothing() -> None:
    assert not fits("plain", "plain")


def test_a_longer_text_is_not_cut_to_the_password() -> None:
    kept = hashed("x" * LONGEST)
    assert fits(kept, "x" * LONGEST)
    assert not fits(kept, "x" * (LONGEST + 1))


def test_an_unknown_name_costs_a_whole_check(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    verify = logins._hasher.verify

    class Counting:
        hash = logins._hasher.hash

        def verify(self, kept: str, password: str) -> bool:
            checked.append(kept.rpartition("$")[0].rpartition("$")[0])
            return verify(kept, password)

    monkeypatch.setattr(logins, "_hasher", Counting())
    fits(None, "x")
    fits(hashed("correct horse"), "x")
    assert checked == ["$argon2id$v=19$m=65536,t=3,p=4"] * 2
