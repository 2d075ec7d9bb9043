"""An engine's greeting, and who it plays: play_mode, its own proposal, and what becomes of the others' proposals.

Two engines play what the first one's listener says; whatever else is proposed is asked of the engine: by game_ok where
it lists that, else by trying the board's size and the time. At a registered table it is asked for the registered game,
whatever its listener says.
Source: the post of commands for play on servers; the GTP version 2 draft.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from protocols.core.commands import Decline, Join, Leave, Propose
from protocols.core.followed import Status
from protocols.core.model import Settings
from protocols.core.proposals import Start
from protocols.gtp import offered
from protocols.gtp.codec import Answer, plain
from protocols.gtp.engine_board import NEEDED
from protocols.gtp.engine_talk import ALWAYS, Board, Question, Talk, nothing
from protocols.gtp.table import GAME, SIZE, Table
from protocols.gtp.times import styled, time_settings

LONGEST_NAME: Final = 32
"""Characters of a name at a table."""

TICKET: Final = "# ticket "
SEAT: Final = "# seat "
LOGIN: Final = "# login "
"""Prefixes of a ticket or a secret of its own, of a ticket that has to be known, and of a password."""

LONGEST_REMARK: Final = 100
"""Characters of an engine's words in the log."""

MOST_REFUSED: Final = 64
"""Proposals remembered as declined at one table; after that all others are ignored."""


def greet(talk: Talk) -> None:
    """Ask who it is and what it knows, before anything else."""
    talk.question("name", _named)
    talk.question("version", _versioned)
    talk.question("list_commands", _listed)


def introduced(talk: Talk, line: str) -> None:
    """A line that came before the first answer: the engine's user name, then its ticket or password; or "# ticket
    SECRET", which leaves the name to the engine, "# seat TICKET", which wants this seat or none, and "# login SECRET",
    the password beside a ticket."""
    if line.startswith(TICKET):
        talk.ticket = line.removeprefix(TICKET).strip()
    elif line.startswith(SEAT):
        talk.ticket, talk.kept = line.removeprefix(SEAT).strip(), True
    elif line.startswith(LOGIN):
        talk.secret = line.removeprefix(LOGIN).strip()
    elif not talk.name:
        talk.name = name_of(line)
    elif not talk.ticket:
        talk.ticket = line.strip()


def name_of(text: str) -> str:
    """A name that can be shown; "" where there is none in it."""
    name = " ".join(plain(text).split())[:LONGEST_NAME].strip()
    return name if any(letter.isalnum() for letter in name) else ""


def _named(talk: Talk, answer: Answer) -> None:
    if answer.good:
        talk.engine = name_of(answer.text)


def _versioned(talk: Talk, answer: Answer) -> None:
    """ "GNU Go 3.8", where both together are a name."""
    both = f"{talk.engine} {plain(answer.text)}"
    if answer.good and talk.engine and len(both) <= LONGEST_NAME:
        talk.engine = name_of(both)


def _listed(talk: Talk, answer: Answer) -> None:
    """An engine that does not say has what the draft requires."""
    required = ALWAYS | {*NEEDED, "komi"}
    talk.listed = frozenset(answer.text.split()) if answer.good and answer.text.strip() else required
    talk.name = talk.name or talk.engine
    if all(talk.lists(word) for word in NEEDED):
        look_for_a_game(talk)
    else:
        talk.parting = True


def look_for_a_game(talk: Talk) -> None:
    """ "the bridge's attempt to find out whether the go engine is looking for games" """
    if talk.lists("play_mode"):
        talk.question("play_mode", _play_mode)
    else:
        _join(talk)


def _play_mode(talk: Talk, answer: Answer) -> None:
    """ "any", or a particular opponent with particular settings. Of words that cannot be read the opponent is kept, and
    the host is told why the rest is dropped."""
    talk.particulars = None
    if answer.good and len(answer.text.split()) > 1:
        try:
            talk.particulars = offered.read_particulars(answer.text, talk.wish)
            wish = talk.particulars.wish
            rated = wish.rated and is_standard(wish)
            talk.particulars = replace(talk.particulars, wish=replace(wish, rated=rated))
        except ValueError as why:
            user = offered.read_user(answer.text)
            kept = f"only its opponent {user!r} is kept" if user else "any game is taken"
            talk.remarks.append(f"play_mode {answer.text[:LONGEST_REMARK]!r}: {why}; {kept}")
            talk.particulars = offered.Particulars(None, user, talk.wish) if user else None
    _join(talk)


def is_standard(wish: offered.Wish) -> bool:
    """True if rated games of engines are played so: area, komi 7.5, positional superko, no suicide, no handicap."""
    return (
        offered.komi_of(wish) == "7.5" and replace(wish, komi="", size=SIZE, time=None, rated=False) == offered.Wish()
    )


def _join(talk: Talk) -> None:
    """Sit down at the oldest table that waits, or at a new one; who wants one opponent only, with him alone."""
    particulars = talk.particulars
    wish = talk.wish if particulars is None else particulars.wish
    only = () if particulars is None else (("awaits", particulars.user),)
    talk.table, talk.board, talk.seated, talk.joined = Table(), Board(), False, True
    talk.refusals, talk.silent = set(), False
    talk.tried, talk.refuses, talk.pending = False, "", None
    wishes = (*only, *wish.wishes())
    talk.ask(Join(GAME, talk.name, talk.ticket, wishes, ready=False, secret=talk.secret, kept=talk.kept))
    talk.kept = False  # the next game is another table's


def play_unrated(talk: Talk, why: str) -> None:
    """Its rated games are refused, for it has no account: it plays the same unrated. The host reads why."""
    talk.remarks.append(f"plays no rated games: {why}")
    talk.wish = replace(talk.wish, rated=False)
    if talk.particulars is not None:
        talk.particulars = replace(talk.particulars, wish=replace(talk.particulars.wish, rated=False))
    consider(talk)


def called_away(talk: Talk) -> None:
    """It waited in vain: its questions there are void, and it looks for a table again."""
    talk.questions.clear()
    _join(talk)


def leave(talk: Talk) -> None:
    """The game is over: the engine is free for another."""
    talk.table, talk.board, talk.seated, talk.joined = Table(), Board(), False, False
    talk.ask(Leave())


def consider(talk: Talk) -> None:
    """Propose what it plays, or find out whether it plays what another player proposes."""
    table = talk.table
    if table.status is not Status.WAITING or talk.parting or not talk.seated:
        return
    theirs = table.theirs(Start)
    if table.registered:
        _registered(talk, theirs)
        return
    if theirs is None and table.seat and table.name(0):
        return  # the first player is about to propose, and a person's wishes go before an engine's own
    if theirs is None or theirs.settings is None:
        _propose_own(talk, theirs)
        return
    mine = table.mine(Start)
    if mine is not None and mine.settings == theirs.settings and (mine.side is None or mine.side != theirs.side):
        return
    if (table.rival, theirs) in talk.refusals or len(talk.refusals) >= MOST_REFUSED:
        return
    _challenged(talk, theirs, theirs.settings)


def _registered(talk: Talk, theirs: Start | None) -> None:
    """The registered game is asked of the engine once; the answer stands for every proposal of the other player."""
    settings, seat = talk.table.settings, talk.table.seat
    if settings is None or seat is None:
        return
    if not talk.tried:
        talk.tried = True
        _ask(talk, Start(settings, 1 - seat), settings)
    elif talk.refuses and theirs is not None:
        talk.say(f"{talk.called} {talk.refuses}")
        talk.ask(Decline(Start.__name__))


def _propose_own(talk: Talk, theirs: Start | None = None) -> None:
    """Propose its own game; to one opponent only, where it wants one."""
    particulars = talk.particulars
    if talk.table.mine(Start) is not None or any(isinstance(command, Propose) for command in talk.asks):
        return
    if particulars is None:
        talk.ask(Propose(Start(talk.wish.settings())))
    elif _is(particulars.user, talk.table.rival):
        talk.ask(Propose(Start(particulars.wish.settings(), particulars.colour)))
    elif theirs is not None:
        decline(talk, theirs, f"waits for {particulars.user}")


def _is(user: str, name: str) -> bool:
    return user.casefold().replace("_", " ") == name.casefold().replace("_", " ")


def _challenged(talk: Talk, start: Start, settings: Settings) -> None:
    particulars, rival = talk.particulars, talk.table.rival
    if particulars is not None and not _is(particulars.user, rival):
        decline(talk, start, f"waits for {particulars.user}")
    elif excluded := talk.limits.excluded(offered.wish_of(settings)):
        decline(talk, start, excluded)
    elif settings.rated and not talk.wish.rated:
        decline(talk, start, "plays no rated games here")
    elif not talk.lists("game_ok") and particulars is not None and (other := offered.differs(particulars, start)):
        decline(talk, start, other)
    else:
        _ask(talk, start, settings)


def _ask(talk: Talk, start: Start, settings: Settings) -> None:
    """Find out if the engine plays that: by game_ok where it lists that, else by trying it."""
    if not talk.lists("game_ok"):
        _try(talk, start, settings)
        return
    colour = 1 - start.side if start.side in (0, 1) else talk.table.seat or 0
    asked = offered.write_particulars(offered.Particulars(colour, talk.table.rival, offered.wish_of(settings)))
    talk.question(f"game_ok {asked}", _decided(start, settings))


def _decided(start: Start, settings: Settings) -> Callable[[Talk, Answer], None]:
    def then(talk: Talk, answer: Answer) -> None:
        word = answer.text.strip().lower()
        if not answer.good:
            _try(talk, start, settings)
        elif word in ("y", "yes"):
            _agree(talk, start)
        else:
            decline(talk, start, f"does not want to play {offered.in_words(start)}")

    return then


def _try(talk: Talk, start: Start, settings: Settings) -> None:
    """Accepted if boardsize and the time command are, as far as the engine lists them."""
    wish = offered.wish_of(settings)
    times = {
        "kgs-time_settings": f"kgs-time_settings {' '.join(styled(settings.time))}",
        "time_settings": f"time_settings {time_settings(settings.time)}",
    }
    known = next((words for name, words in times.items() if talk.lists(name)), "")
    trials = deque(words for words in (f"boardsize {wish.size}", "clear_board", known) if words)
    _try_next(talk, start, trials)


def _try_next(talk: Talk, start: Start, trials: deque[str]) -> None:
    if not trials:
        _agree(talk, start)
        return
    words = trials.popleft()

    def then(talk: Talk, answer: Answer) -> None:
        if answer.good:
            _try_next(talk, start, trials)
        else:
            decline(talk, start, f"refuses {words} ({answer.text or 'no reason given'})")

    talk.questions.appendleft(Question(words, then))


def _agree(talk: Talk, start: Start) -> None:
    """By proposing the same from the other side, if it is proposed still or is registered."""
    proposed = talk.table.registered or talk.table.theirs(Start) == start
    if talk.table.status is not Status.WAITING or not proposed:
        consider(talk)
        return
    talk.ask(Propose(Start(start.settings, 1 - start.side if start.side in (0, 1) else None)))


def decline(talk: Talk, start: Start, why: str) -> None:
    """With the reason. Its own proposal, which a Decline would withdraw first, is made again afterwards."""
    table = talk.table
    if table.registered and table.status is Status.WAITING:
        talk.refuses = why
        talk.comments.append(f"the game registered for {talk.called} is {offered.in_words(start)}: {talk.called} {why}")
        talk.remarks.append(f"{talk.called} {why}, so its registered game cannot begin")
        if table.theirs(Start) is None:
            talk.say(f"{talk.called} {why}")
        consider(talk)
        return
    if table.status is not Status.WAITING or table.theirs(Start) != start:
        consider(talk)
        return
    talk.refusals.add((table.rival, start))
    talk.say(f"{talk.called} {why}")
    mine = table.mine(Start) or talk.pending
    if mine is not None:
        talk.ask(Decline(Start.__name__))
    talk.ask(Decline(Start.__name__))
    if mine is not None:
        talk.ask(Propose(mine))
    elif start.settings is not None:
        _propose_own(talk)  # the other one may agree to that


def over(talk: Talk) -> None:
    """ "kgs-game_over" where it is listed; then another game, unless it is let go."""
    talk.silent = False
    if talk.lists("kgs-game_over"):
        talk.question("kgs-game_over", nothing)
