"""Takes comments, indentation, line ends and blanks out of scripts and style sheets before they are served.

Only what is plain to see goes: comments that begin a line, blanks beside signs, and line ends behind them. A line with
a regular expression, a comment behind code or one template literal in another stays as it is; a template literal that
runs over several lines would lose its indentation, and tests/web/test_pages_lean.py finds one.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

SUFFIXES: Final = (".js", ".css")

_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*\n?|//[^\n]*\n)", re.MULTILINE)
_INDENT: Final = re.compile(r"^[ \t]+|^\n", re.MULTILINE)

_LITERAL: Final = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`[^`]*`)')


class _Kind(NamedTuple):
    """``blanks`` stand around signs and mean nothing; behind the signs in ``ends`` neither does the end of a line.

    A line with ``unclear`` may have a comment, or a regular expression.
    """

    blanks: re.Pattern[str]
    ends: tuple[str, ...]
    unclear: str


_ENDS: Final = ("{", ";", ",", "(", "[", "=", "&", "|", "?", ":")
_SIGNS: Final = r" ?(=>|[!=]==|[=(){}\[\];,<>?:&|*!]|(?<= )[+-](?= [^+-])) ?"
_SCRIPT: Final = _Kind(re.compile(_SIGNS), _ENDS, "/")
_SHEET: Final = _Kind(re.compile(r" *([{};,>]|(?<=\w):(?= )) *"), ("}", *_ENDS), "/*")


def lean(source: str) -> str:
    """The same script or style sheet without comments that begin a line, indentation and empty lines."""
    return _INDENT.sub("", _COMMENT.sub("", source))


def tight(source: str, suffix: str) -> str:
    """A lean one without blanks and line ends that mean nothing."""
    kind = _SHEET if suffix == ".css" else _SCRIPT
    return "".join(_tight(line, kind) for line in source.splitlines()).replace(";}", "}")


def _tight(line: str, kind: _Kind) -> str:
    """A line without the blanks that mean nothing, and without its end behind a sign."""
    parts = _LITERAL.split(line)
    nested = any(part.count("${") != part.count("}") for part in parts[1::2] if part.startswith("`"))
    if nested or kind.unclear in "".join(parts[::2]):
        return f"{line}\n"
    parts[::2] = [kind.blanks.sub(r"\1", part) for part in parts[::2]]
    found = "".join(parts)
    return found if found.endswith(kind.ends) else f"{found}\n"
