"""Browsers play through nginx: WebSockets over TLS, as docs/compose.md brings them up."""

from __future__ import annotations

import ssl

import pytest

from tests.deploy.compose import handbook
from tests.deploy.compose.composition import HTTPS, WEB, Composition
from tests.web_client import NotUpgraded, WebClient

E2, E4 = 52, 36
"""Squares are numbered from the top left, a8."""


def browser(composition: Composition, origin: str = WEB) -> WebClient:
    """A page of ``origin``, connected by the web's port."""
    context = ssl.create_default_context(cadata=composition.inside("proxy", "cat", "/run/secrets/tls/fullchain.pem"))
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # the first start's certificate is nobody else's
    context.check_hostname = False  # the name leads there in the engine's network only
    with composition.engine.network():
        return WebClient(HTTPS, headers={"Host": handbook.HOST, "Origin": origin}, context=context)


def test_two_browsers_play_through_the_proxy(composition: Composition) -> None:
    white, black = browser(composition), browser(composition)
    for page in (white, black):
        page.hello()
        page.say("join", game="chess")
        page.until("seated")
    white.until("moves")
    assert (E2, E4, "") in white.moves()
    white.play(E2, E4)
    for page in (white, black):
        moved = page.until("MoveMade")
        assert moved["notation"] == "e4"
    assert black.until("moves")["ply"] == 1
    white.close()
    black.close()


def test_a_page_of_another_site_gets_no_connection(composition: Composition) -> None:
    with pytest.raises(NotUpgraded, match="403"):
        browser(composition, "https://evil.example.net")
