"""The host's secret for the API: read once from the settings, compared without telling by time how much of it fits."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Final

from gateway.config import BadSetting
from gateway.config.model import Registering

SHORTEST: Final = 22
"""Characters: 128 random bits in base64."""


class AdminToken:
    """``fits`` a secret or not; without one in the settings nothing fits."""

    def __init__(self, settings: Registering) -> None:
        """BadSetting: the file cannot be read, or the secret is too short to be one."""
        secret = settings.admin_token or _first_line(settings.admin_token_file)
        if (settings.admin_token or settings.admin_token_file) and len(secret) < SHORTEST:
            raise BadSetting(f"[registration] the admin token has {len(secret)} characters; at least {SHORTEST}")
        if settings.who == "admin" and not secret:
            raise BadSetting('[registration] who = "admin" needs admin_token_file or admin_token')
        self._secret = secret.encode()

    def fits(self, text: str) -> bool:
        return bool(self._secret) and hmac.compare_digest(self._secret, text.encode())


def _first_line(file: str) -> str:
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"[registration] admin_token_file {file}: {error}") from None
