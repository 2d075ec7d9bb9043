"""The first page of the host's handbook, read by a program: tests do what it tells people to do, word for word.

The page is docs/compose.md; its first section, "In five minutes", are numbered steps.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Final

from tests.deploy.compose.engine import ROOT

PAGE: Final = (ROOT / "docs" / "compose.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """What stands under a title."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def blocks(text: str) -> list[str]:
    """What is to be written or typed, in its order."""
    return [dedent(block) for block in re.findall(r"^ *```\w*\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)]


def words(pattern: str, text: str = PAGE) -> tuple[str, ...]:
    """What a sentence says in these places; a line of the page may end anywhere in it."""
    found = re.search(pattern.replace(" ", r"\s+"), text)
    assert found is not None, pattern
    return found.groups()


STEPS: Final = re.split(r"^\d\. ", section("In five minutes"), flags=re.MULTILINE)[1:]
SAMPLE, CHOICES = blocks(STEPS[0])
"""What to type for a .env, and lines of it."""

(START,) = blocks(STEPS[1])
ASK, READY = words(r"`(curl [^`]+)` answers `([^`]+)`", STEPS[1])
FOR_CERTBOT, CERTIFY = blocks(STEPS[2])
"""A line of .env, and what to type after it."""

(BY_HAND,) = words(r"`([^`]+)` does it by hand", STEPS[2])
(CRON,) = blocks(STEPS[3])
NEW_VERSION, BACK, BY_ONESELF = blocks(section("New versions"))
BUILD, NO_BUILD = BY_ONESELF.splitlines()
ACCOUNTS, BACKUP, UPGRADE, BACK_AGAIN, RESTORE, OWNER, WATCH, ALARM = blocks(section("A host's walk"))
ENGINE, FOR_IPV6, NETWORK_ANEW, *_ = blocks(section("IPv6"))
"""The engine's settings, lines of .env, and what to type then."""

NODES: Final = (ROOT / "docs" / "nodes.md").read_text(encoding="utf-8")
FILES_OF_IPV6: Final = re.findall(r"^ *COMPOSE_FILE=(.*ipv6.*)$", FOR_IPV6 + NODES, re.MULTILINE)
"""For one gateway, and for three."""

NEW_PASSWORD, *_ = blocks(section("Secrets"))
COPY, REREAD, OVERRIDE, LISTENER = blocks(section("What can be chosen"))
(READABLE,) = words(r"`(chmod [^`]+)`")
HOST: Final = dict(line.split("=") for line in CHOICES.splitlines())["PUBLIC_HOST"]
