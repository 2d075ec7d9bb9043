"""The parts of the documents that are made from the program: ``python -m tests.documents`` writes them anew.

A part stands between two comments, ``<!-- made: NAME -->`` and ``<!-- made: end -->``. Not here: the comparison
(test_documents.py), and everything that people write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from gateway import registry
from gateway.config import DEFAULT_LISTENERS, describe, describe_engine_bot
from gateway.relay.listen import OPTIONS as RELAY_OPTIONS
from gateway.relay.listen import RELAY
from gateway.server.listen import COMMON_OPTIONS
from gateway.web.forwarded import OPTIONS as HTTP_OPTIONS

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- made: end -->)", re.DOTALL)


def settings() -> Iterable[str]:
    """Every setting."""
    section = ""
    for row in describe():
        if row.section != section:
            section = row.section
            yield from ("", f"### [{section}]", "", "| key | default | |", "|---|---|---|")
        yield f"| `{row.key}` | `{row.default}` | {row.reason} |"
    yield ""


def engines() -> Iterable[str]:
    """Every key of [[bot]]."""
    yield from ("", "| key | default | |", "|---|---|---|")
    yield from (f"| `{row.key}` | `{row.default}` | {row.reason} |" for row in describe_engine_bot())
    yield ""


def listeners() -> Iterable[str]:
    """The default listeners, as ``--listen`` takes them."""
    yield from ("", "```", *(str(listen) for listen in DEFAULT_LISTENERS), "```", "")


def options() -> Iterable[str]:
    """The options of listeners."""
    yield from ("", "| listener | option | |", "|---|---|---|")
    yield from (f"| every dialect | `{name}` | {text} |" for name, text in COMMON_OPTIONS.items())
    for dialect, found in registry.dialects().items():
        own = {name: text for name, text in found.options.items() if found.public and name not in COMMON_OPTIONS}
        yield from (f"| {dialect} | `{name}` | {text} |" for name, text in own.items())
    yield from (f"| http | `{name}` | {text} |" for name, text in HTTP_OPTIONS.items())
    yield from (f"| {RELAY} | `{name}` | {text} |" for name, text in RELAY_OPTIONS.items())
    yield ""


def games() -> Iterable[str]:
    """The installed games and their rule sets."""
    yield from ("", "| game | rule sets, the default one first | seats |", "|---|---|---|")
    for name, game in registry.games().items():
        sets = ", ".join(f"`{variant.name}` {variant.width}x{variant.height}" for variant in game.variants)
        seats = sorted({count for variant in game.variants for count in variant.seats})
        yield f"| `{name}` | {sets} | {', '.join(str(count) for count in seats)} |"
    yield ""


PARTS: dict[str, Callable[[], Iterable[str]]] = {
    "settings": settings,
    "engines": engines,
    "listeners": listeners,
    "options": options,
    "games": games,
}


def renewed(text: str) -> str:
    """The document with every made part as the program would make it now. KeyError for a part there is not."""
    return PART.sub(lambda found: found[1] + "\n".join([*PARTS[found[2]](), found[3]]), text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(renewed(document.read_text(encoding="utf-8")), encoding="utf-8")
