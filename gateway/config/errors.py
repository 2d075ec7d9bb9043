"""What can be wrong with a setting."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from protocols.core.errors import BoardgateError


class BadSetting(BoardgateError):
    """A setting that does not exist or makes no sense. The text names where it stands, the key and the value."""


def unknown(where: str, key: str, known: Iterable[str]) -> BadSetting:
    """The refusal of a key nobody knows, with the nearest one that exists, or all of them when none is near."""
    names = list(known)
    near = get_close_matches(key, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
    return BadSetting(f"{where}: there is no setting {key}; {hint}")
