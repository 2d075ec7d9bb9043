"""Addresses of one home have one address key."""

from __future__ import annotations

import pytest

from gateway.net.addresses import address_key, plain


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::1", "::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("", ""),
        ("a-socket-of-a-test", "a-socket-of-a-test"),
    ],
)
def test_an_address_is_a_key_and_a_home_of_ipv6_is_one(host: str, key: str) -> None:
    assert address_key(host) == key


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("::ffff:1", "::ffff:1"),
        ("", ""),
    ],
)
def test_an_ipv4_address_that_is_written_as_ipv6_is_shown_as_one_of_ipv4(host: str, shown: str) -> None:
    assert plain(host) == shown
