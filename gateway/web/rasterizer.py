"""A program that reads a picture as SVG from standard input and writes it as PNG to standard output.

It is a process of its own, for resvg holds Python's lock while it draws: in a thread of the server every move would
wait for it. It knows no fonts, so that a picture is the same on every machine, and reads no other file. It imports
nothing of the server, for loading takes as long as drawing.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from resvg_py import svg_to_bytes

NICENESS: Final = 10
"""That of house bots: players come first."""


def main() -> None:
    os.nice(NICENESS)
    picture = svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), skip_system_fonts=True)
    sys.stdout.buffer.write(picture)


if __name__ == "__main__":
    main()
