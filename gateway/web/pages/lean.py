"""Takes comments and indentation out of scripts and style sheets before they are served: a quarter of their weight.

Only comments that begin a line go, so no string needs to be understood; a template literal that runs over several lines
would lose its indentation, and tests/web/test_pages_lean.py finds one.
"""

from __future__ import annotations

import re
from typing import Final

SUFFIXES: Final = (".js", ".css")

_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*\n?|//[^\n]*\n)", re.MULTILINE)
_INDENT: Final = re.compile(r"^[ \t]+|^\n", re.MULTILINE)


def lean(source: str) -> str:
    """The same script or style sheet without comments that begin a line, indentation and empty lines."""
    return _INDENT.sub("", _COMMENT.sub("", source))
