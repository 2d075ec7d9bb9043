"""The readable line of bytes that are no message of a dialect, or not a whole one: ``hex 00 ff``.

Not here: what is such bytes (Dialect.wire_to_text says it for each).
"""

from __future__ import annotations

from typing import Final

HEX: Final = "hex"


def show(data: bytes) -> str:
    """One line for any bytes."""
    return f"{HEX} {data.hex(' ')}"


def read(line: str) -> bytes | None:
    """The bytes that ``show`` shows so; None where the line is none of its. ValueError: it is one, of no bytes."""
    word, _, digits = line.partition(" ")
    if word != HEX:
        return None
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise ValueError(f"not bytes of two hexadecimal digits each: {line!r}") from None
