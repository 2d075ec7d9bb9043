"""The mail address that a person types is read, or is refused."""

from __future__ import annotations

import pytest

from gateway.accounts.mail import new_code, read_mail_address
from gateway.accounts.tokens import digest
from protocols.core.errors import Refused


@pytest.mark.parametrize(
    "typed",
    [
        *("", "ann", "@", "ann@", "@y.example", "ann@y", "ann@y.", "ann@-y.example", "ann b@y.example"),
        *("ann@y.example, bob@y.example", "ann@y.example\r\nBcc: bob@y.example", "ann@y.example\nx", "a@b@y.example"),
        *("Ann <ann@y.example>", '"ann"@y.example', "änn@y.example", "ann@ÿ.example", "ann@[127.0.0.1]"),
        *("a" * 65 + "@y.example", "a@" + "y." * 130 + "de", "ann@" + "y" * 64 + ".example"),
    ],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="no mail address"):
        read_mail_address(typed)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (" Ann@Y.Example ", "ann@y.example"),
        ("a.b+chess@mail.y.example", "a.b+chess@mail.y.example"),
        ("o'hara@xn--bcher-kva.example", "o'hara@xn--bcher-kva.example"),
    ],
)
def test_an_address_is_kept_in_lower_case(typed: str, read: str) -> None:
    assert read_mail_address(typed) == read


def test_the_stored_form_of_a_code_is_found_by_the_code_alone() -> None:
    (one, stored), (other, _) = new_code(), new_code()
    assert digest(one) == stored
    assert digest(other) != stored
    assert len(one) >= 32
