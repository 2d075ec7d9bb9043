"""The database's password from a file, so that neither the settings nor the environment holds it.

Not here: what else a database's URL says. Source: RFC 3986, section 3.2.1, for userinfo.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gateway.config.errors import BadSetting

_WITH_USER: Final = re.compile(r"(?P<scheme>[a-z0-9+]+://)(?P<user>[^:@/?#]+)(?P<place>@.*)", re.ASCII | re.DOTALL)


def with_password(url: str, file: str) -> str:
    """The URL of a database with the first line of ``file`` as its user's password.

    BadSetting: the file cannot be read or is empty, or the URL has no user, or a password already. No text shows it.
    """
    found = _WITH_USER.fullmatch(url)
    if found is None:
        raise BadSetting(
            "[server] database_password_file: database must name a user and no password, as in "
            "postgresql+psycopg://user@host/name"
        )
    return f"{found['scheme']}{found['user']}:{quote(_first_line(file), safe='')}{found['place']}"


def _first_line(file: str) -> str:
    where = f"[server] database_password_file {file}"
    try:
        password = Path(file).read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{where}: {error}") from None
    if not password:
        raise BadSetting(f"{where}: its first line is empty")
    return password
