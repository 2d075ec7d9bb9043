"""Credentials of a client: BOARDGATE_PASSWORD, or a token that ``boardgate login`` has stored for a server's host.

The file is ``boardgate/tokens.json`` in XDG_CONFIG_HOME (~/.config), readable by its owner alone. A token that was got
over HTTPS is sent over TLS only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

PASSWORD: Final = "BOARDGATE_PASSWORD"
"""The environment's variable with the password of the account that ``--name`` names."""


@dataclass(frozen=True, slots=True)
class Credential:
    """An account's name and its password or token; both "" for a guest without a name."""

    name: str = ""
    secret: str = field(default="", repr=False)


def tokens_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(home) if home else Path.home() / ".config") / "boardgate" / "tokens.json"


def credential(name: str, host: str, *, tls: bool) -> Credential:
    """The credential for ``host`` and ``name``, "" for the account that is logged in there."""
    if name and os.environ.get(PASSWORD):
        return Credential(name, os.environ[PASSWORD])
    kept = _read(tokens_file()).get(host.lower())
    if kept is None or (kept.get("tls") and not tls) or name.casefold() not in ("", str(kept["account"]).casefold()):
        return Credential(name)
    return Credential(str(kept["account"]), str(kept["token"]))


def stored(host: str) -> Credential | None:
    """The account and the token that are kept for a host."""
    kept = _read(tokens_file()).get(host.lower())
    return None if kept is None else Credential(str(kept["account"]), str(kept["token"]))


def store(host: str, found: Credential, *, tls: bool) -> Path:
    """Keep a token for a host in place of the one before. OSError."""
    entry = {"account": found.name, "token": found.secret, "tls": tls}
    return _write(tokens_file(), {**_read(tokens_file()), host.lower(): entry})


def forget(host: str) -> None:
    """Keep no token for a host. OSError."""
    tokens = _read(tokens_file())
    if tokens.pop(host.lower(), None) is not None:
        _write(tokens_file(), tokens)


def _read(file: Path) -> dict[str, dict[str, Any]]:
    """Nothing where the file is not there, or is not ours."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    whole = found if isinstance(found, dict) else {}
    return {host: kept for host, kept in whole.items() if isinstance(kept, dict) and {"account", "token"} <= set(kept)}


def _write(file: Path, tokens: Mapping[str, object]) -> Path:
    """Replace the whole file at once: an interrupted write leaves the old one."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = file.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as written:
        json.dump(tokens, written, indent=1)
    new.replace(file)
    return file
