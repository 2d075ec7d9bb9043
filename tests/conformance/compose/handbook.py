"""The first page of the host's handbook, read by a program: tests do what it tells people to do, word for word.

Not here: what comes of it. The page is docs/compose.md, "In five minutes".
"""

from __future__ import annotations

import re
from typing import Final

from tests.conformance.compose.engine import ROOT

PAGE: Final = ROOT / "docs" / "compose.md"
CHOICE: Final = re.compile(r"([A-Z_]+)=(\S+)")


def _lines() -> list[str]:
    """What stands in the blocks of the section."""
    section = PAGE.read_text(encoding="utf-8").partition("## In five minutes\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^ *```\n(.*?)^ *```$", section, re.DOTALL | re.MULTILINE)
    return [line.strip() for block in blocks for line in block.splitlines()]


CHOSEN: Final = {found[1]: found[2] for line in _lines() if (found := CHOICE.fullmatch(line))}
"""The lines of .env that a host changes."""

COMMANDS: Final = [line.split() for line in _lines() if line.startswith("docker-compose ")]
"""What a host types: to start, to look."""
