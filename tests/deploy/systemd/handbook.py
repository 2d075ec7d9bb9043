"""What hosts are told to type and to write for a service of systemd, read by a program: tests do it word for word.

The pages are the first lines of the unit, and its section in docs/operating.md.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent.parent
UNIT: Final = (ROOT / "deploy" / "boardgate.service").read_text(encoding="utf-8")
PAGE: Final = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def commented(text: str) -> list[str]:
    """Lines that are comments to be typed, or to be made lines of the unit."""
    return re.findall(r"^#   (.*)$", text, re.MULTILINE)


INSTALL, CONFIGURE, ENABLE = commented(UNIT.partition("[Unit]")[0])
"""The first lines of the unit: in the folder of this tree, with a boardgate.toml of the host's."""

CHOICES: Final = commented(UNIT.partition("[Unit]")[2])
"""Lines that a host may add to it."""

SECTION: Final = PAGE.partition("## As a service of systemd\n")[2].partition("\n## ")[0]
SETTINGS, COMMANDS, RENEW, PASSWORD = re.findall(r"^```\w*\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)
"""A boardgate.toml to begin with, other commands, certbot's hook, and lines for the unit."""

(DRAIN,) = re.findall(r"`(systemctl kill [^`]+)`", SECTION)
(MAKE_GROUP,) = re.findall(r"`(groupadd [^`]+)`", SECTION)
(GROUP,) = re.findall(r"`(SupplementaryGroups=[^`]+)`", SECTION)
EXPORT: Final = COMMANDS.splitlines()[0]

BACKUPS: Final = PAGE.partition("## Backups\n")[2].partition("\n## ")[0]
CRON, RESTORE = re.findall(r"^```\w*\n(.*?)^```$", BACKUPS, re.DOTALL | re.MULTILINE)
"""A line of cron.d, and the way back of a FILE."""
BACKUP: Final = CRON.split(maxsplit=6)[6]
"""The line for cron."""
