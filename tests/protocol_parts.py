"""The parts of the protocols' pages that are made from the dialects' own tables: messages, states, closed lists.

A function of a state table has no words for a reader of its page; those stand here, by the function, and one that has
none fails with a KeyError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from gateway import registry
from protocols.bogaprot import dialect as bogaprot
from protocols.bogaprot.messages import _SENTENCES
from protocols.chess_p2p import dialect as chess_p2p
from protocols.chess_p2p import play, start
from protocols.chess_p2p.messages import OURS
from protocols.chess_p2p.talk import Mode
from protocols.chess_p2p.wire import WORDS
from protocols.core.errors import Why
from protocols.core.model import Reason, SeatKind
from protocols.gtp import gui as gtp_gui
from protocols.miniature import dialect as miniature
from protocols.miniature.table import State as Miniature
from tests.coverage import SPECS, cell, rules
from tests.web_parts import PARTS as WEB

ENDS: Final = "the connection ends"
NOTHING: Final = "nothing"

_BOGAPROT: Final[Mapping[object, str]] = {
    bogaprot.Bogaprot._ask: "`RSP_HANDSHAKE`; 0: you are at a table",
    bogaprot.Bogaprot._ask_again: f'`RSP_HANDSHAKE 1 "{bogaprot.ALREADY_SEATED}"`; the seat is still yours',
    bogaprot.Bogaprot._no_handshake: f'`RSP_HANDSHAKE 1 "{bogaprot.NO_HANDSHAKE_HERE}"`',
    bogaprot.Bogaprot._too_early: f'`RSP_MOVE 1 "{bogaprot.TOO_EARLY}"`',
    bogaprot.Bogaprot._play: "`RSP_MOVE`, then what comes of it",
}

_CHESS_P2P: Final[Mapping[object, str]] = {
    start.copy: "noted",
    start.renew: "noted; your `go` is void",
    start.set_up: "noted; your `go` is void if this changes the game",
    start.go: "proposes your game",
    start.agree: "the game begins",
    start.go_on: "`accepted`, or the game as it stands",
    start.accepted: "you play",
    start.resume: "asks to go on",
    start.idle: NOTHING,
    start.nothing_offered: "`text`: there is nothing to accept",
    play.moved: "the echo of theirs, or your move",
    play.undone: "noted; the second agrees to `remove`",
    play.removed: "asks for a takeback of two",
    play.renewed: "`text`: the game is not over",
    play.resulted: "a resignation, a flag, an offer or a claim",
    play.resign: "you give up",
    play.said: "to your opponent; or an answer to an offer",
    play.propose: "asks for it, or agrees",
    play.accept: "agrees to the last offer",
    play.decline: "refuses the last offer",
    chess_p2p._unreadable: "`text` that shows the form",
}


def bogaprot_states() -> Iterable[str]:
    """Each message in each state, on both kinds of ports."""
    yield from ("", "| port | you are | `REQ_HANDSHAKE` | `MSG_MOVE` | any other message |", "|---|---|---|---|---|")
    for port, table in (("5700", bogaprot._SPEC), ("with `game=`", bogaprot._LEGACY)):
        for state, called in (
            (bogaprot.State.WAITING, "not seated"),
            (bogaprot.State.ASKED, "waiting for the answer to your handshake"),
            (bogaprot.State.SEATED, "at a table"),
        ):
            answers = {name: _BOGAPROT[answer] for name, answer in table[state].items()}
            if state is bogaprot.State.ASKED:
                answers = dict.fromkeys(("REQ_HANDSHAKE", "MSG_MOVE"), "waits for that answer")
            if port != "5700" and state is bogaprot.State.WAITING:
                continue  # connecting is asking there
            said = [answers.get(name, ENDS) for name in ("REQ_HANDSHAKE", "MSG_MOVE")]
            yield f"| {port} | {called} | {' | '.join(said)} | {ENDS} |"
    yield ""


def bogaprot_sentences() -> Iterable[str]:
    """The document's sentences, by the cause that has them here."""
    yield from ("", "| cause | sentence |", "|---|---|")
    yield from (f"| {why} | `{sentence}` |" for why, sentence in _SENTENCES.items())
    yield f"| {Why.NO_SUCH_PIECE} | `piece of type '...' is not available for placement` |"
    yield ""


def seat_types() -> Iterable[str]:
    """The types of seats."""
    words = {
        SeatKind.NONE: "never sent",
        SeatKind.OPEN: "nobody yet; has no name",
        SeatKind.BOT: "a house bot",
        SeatKind.PLAYER: "a player",
        SeatKind.RESERVED: "kept for a player who is away, or registered and not here yet",
        SeatKind.ABANDONED: "its player did not come back",
    }
    yield from ("", "| type | GGZ's name | |", "|---|---|---|")
    yield from (f"| {int(kind)} | {kind.name} | {words[kind]} |" for kind in SeatKind)
    yield ""


def reasons() -> Iterable[str]:
    """Why a game ended."""
    words = {
        Reason.RULES: "the position decided; the words behind it say how",
        Reason.RESIGNATION: "a player gave up",
        Reason.AGREEMENT: "the players agreed",
        Reason.TIME: "a flag fell",
        Reason.ABANDONMENT: "a player left, and did not come back",
        Reason.FORFEIT: "a program broke its protocol, or the host's limits",
        Reason.CLAIM: "a player claimed what the rules give",
        Reason.VOID: "no result: the table was ended",
    }
    yield from ("", "| reason | the game ended because |", "|---|---|")
    yield from (f"| `{reason}` | {words[reason]} |" for reason in Reason)
    yield ""


def causes(joint: str = " ") -> Iterable[str]:
    """Every cause of a refusal; ``joint`` stands between its words."""
    names = ", ".join(f"`{str(why).replace(' ', joint)}`" for why in Why)
    yield from ("", *_wrapped(names), "")


def _wrapped(text: str, width: int = 118) -> list[str]:
    lines = [""]
    for word in text.split(", "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += f"{word}, "
    lines[-1] = lines[-1].removesuffix(", ")
    return [line.rstrip() for line in lines]


def chess_p2p_words() -> Iterable[str]:
    """Every word, as it is written, and whether it is the document's."""
    forms = {
        "": "",
        r"([A-Za-z0-9_.-]{1,40})": "1 to 40 letters, digits, `_`, `.`, `-`",
        r"(\S{1,40})": "1 to 40 characters without a blank",
        r"(\S{1,200})": "1 to 200 characters without a blank",
        r"(.+)": "the rest of the line, not empty",
        r"(.*)": "the rest of the line",
        r"(\d{1,4})": "1 to 4 digits",
        r"(-?\d{1,9})": "a whole number of at most 9 digits",
        WORDS[6].arguments: "one of four, and perhaps a comment in braces",
        WORDS[10].arguments: "a whole number, then two of at most 8 digits and 6 decimals",
    }
    yield from ("", "| word | what stands behind it | whose |", "|---|---|---|")
    for word in WORDS:
        yield f"| `{word.shown}` | {forms[word.arguments]} | {'ours' if word.kind in OURS else 'the document'} |"
    yield ""


def chess_p2p_states() -> Iterable[str]:
    """Each word in each mode that is at a table; those that mean the same in every mode by themselves."""
    modes = {
        Mode.SETUP: "setup",
        Mode.PROPOSED: "setup, your `go` stands",
        Mode.OFFERED: "setup, theirs stands",
        Mode.ENTERING: "entering",
        Mode.PLAYING: "playing",
        Mode.ADJOURNED: "adjourned",
    }
    rows: dict[tuple[str, ...], list[str]] = {}
    for word in WORDS:
        if word.word not in ("quit", "ping"):  # these are heard before any state
            cells = tuple(_CHESS_P2P[chess_p2p._STATES[mode][word.kind]] for mode in modes)  # type: ignore[index]
            rows.setdefault(cells, []).append(f"`{word.word}`")
    yield from ("", f"| word | {' | '.join(modes.values())} |", "|---" * (len(modes) + 1) + "|")
    yield from (f"| {', '.join(names)} | {' | '.join(cells)} |" for cells, names in rows.items() if len(set(cells)) > 1)
    yield from ("", "| word | in every state |", "|---|---|", "| `ping` | `pong`, before all that waits |")
    yield from (f"| {', '.join(names)} | {cells[0]} |" for cells, names in rows.items() if len(set(cells)) == 1)
    yield ""


def miniature_states() -> Iterable[str]:
    """Each command in each state: whether it is one there."""
    states = {
        Miniature.LOBBY: "no seat",
        Miniature.ASKED: "being seated",
        Miniature.OPEN: "before the game",
        Miniature.PLAYING: "playing",
        Miniature.ADJOURNED: "adjourned",
        Miniature.OVER: "over",
        Miniature.WATCHING: "looking on",
    }
    yield from ("", f"| command | {' | '.join(states.values())} |", "|---" * (len(states) + 1) + "|")
    for prefix, table in (("", miniature._COMMANDS), ("tell gateway ", miniature._TOPICS)):
        rows: dict[tuple[str, ...], list[str]] = {}
        for name, answers in table.items():
            cells = tuple(_miniature_cell(state, answers) for state in states)
            rows.setdefault(cells, []).append(f"`{prefix}{name}`")
        for cells, names in rows.items():
            yield f"| {', '.join(names)} | {' | '.join(cells)} |"
    yield ""


def _miniature_cell(state: Miniature, answers: Mapping[Miniature, Any]) -> str:
    if state not in answers:
        return "`observer`" if state is Miniature.WATCHING else "`not-now`"
    return NOTHING if answers[state] is miniature.Miniature._nothing else "yes"


def options(name: str) -> Iterable[str]:
    """The options of a dialect's listener."""
    yield from ("", "| option | |", "|---|---|")
    yield from (f"| `{option}` | {text} |" for option, text in registry.dialects()[name].options.items())
    yield ""


def gtp_gui_commands() -> Iterable[str]:
    """Every command that a Go GUI may send."""
    yield from ("", *_wrapped(", ".join(f"`{name}`" for name in gtp_gui._COMMANDS)), "")


def deviations(spec: Path) -> Iterable[str]:
    """The rules of a document that are served otherwise than they stand."""
    yield from ("", "| the document says | here, and why |", "|---|---|")
    yield from (f"| {cell(rule.text)} | {rule.deviation} |" for rule in rules(spec) if rule.deviation)
    yield ""


PARTS: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "bogaprot_states": bogaprot_states,
    "bogaprot_sentences": bogaprot_sentences,
    "seat_types": seat_types,
    "reasons": reasons,
    "causes": causes,
    "causes_in_miniature": partial(causes, "-"),
    "chess_p2p_words": chess_p2p_words,
    "chess_p2p_states": chess_p2p_states,
    "miniature_states": miniature_states,
    "gtp_gui_commands": gtp_gui_commands,
    **{f"deviations_of_{spec.stem.replace('-', '_')}": partial(deviations, spec) for spec in SPECS},
    **WEB,
    **{f"{name.replace('-', '_')}_options": partial(options, name) for name in registry.dialects()},
}
