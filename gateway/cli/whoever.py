"""Who runs a command. Not here: what is noted of it (gateway.store.acts)."""

from __future__ import annotations

import getpass


def whoever() -> str:
    """Whose account on this machine runs the command."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "somebody"
