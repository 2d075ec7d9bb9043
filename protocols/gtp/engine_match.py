"""An engine's greeting, and who it plays: play_mode, its own proposal, and what becomes of the others' proposals.

Two engines play what the first one's listener says, whatever else is proposed if it can be played. An engine that lists
game_ok is asked about every game and opponent; others try the board's size and the time of what is not their own. At a
registered table it is asked for the registered game, whatever its listener says.
Source: the post of commands for play on servers; the GTP version 2 draft.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from protocols.core.commands import Decline, Join, Leave, Propose
from protocols.core.events import Declined
from protocols.core.followed import Status
from protocols.core.model import Settings
from protocols.core.proposals import Start
from protocols.go_words.table import GAME, SIZE, Table
from protocols.go_words.wish import Wish, komi_of, wish_of
from protocols.gtp import offered
from protocols.gtp.codec import Answer, plain
from protocols.gtp.engine_board import NEEDED
from protocols.gtp.engine_talk import ALWAYS, MOST_REFUSED, Board, Challenge, Question, Talk, nothing
from protocols.gtp.times import styled, time_settings

LONGEST_NAME: Final = 32
"""Characters of a name at a table."""

TICKET: Final = "# ticket "
SEAT: Final = "# seat "
LOGIN: Final = "# login "
"""Prefixes of a ticket or a secret of its own, of a ticket that has to be known, and of a password."""

LONGEST_REMARK: Final = 100
"""Characters of an engine's words in the log."""


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


def is_standard(wish: Wish) -> bool:
    """True if rated games of engines are played so: area, komi 7.5, positional superko, no suicide, no handicap."""
    return komi_of(wish) == "7.5" and replace(wish, komi="", size=SIZE, time=None, rated=False) == Wish()


def _join(talk: Talk) -> None:
    """Sit down at the oldest table that waits, or at a new one; who wants one opponent only, with him alone."""
    particulars = talk.particulars
    wish = talk.wish if particulars is None else particulars.wish
    only = () if particulars is None else (("awaits", particulars.user),)
    talk.table, talk.board, talk.seated, talk.joined = Table(), Board(), False, True
    talk.refusals, talk.silent = set(), False
    talk.tried, talk.refuses, talk.pending, talk.asking, talk.agreed = "", "", None, None, ""
    people = (("against", "players"),) if talk.people else ()
    wishes = (*only, *people, *wish.wishes())
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
    """The engine waited in vain: its questions there are void, and it looks for a table again."""
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
    theirs, mine = table.theirs(Start), table.mine(Start)
    if table.registered:
        _registered(talk, theirs)
    elif talk.agreed and talk.agreed != table.rival:
        talk.agreed = ""
        talk.ask(Propose(replace(_own(talk), confirms=True)))  # what it agreed to was for another opponent
    elif theirs is None and table.against_bot and talk.lists("game_ok") and not talk.agreed:
        _consider_own(talk, None)
    elif theirs is None and table.seat and table.name(0) and not table.against_bot:
        return  # the first player is about to propose, and a person's wishes go before an engine's own
    elif theirs is None:
        _propose_own(talk)
    elif mine is not None and not mine.confirms and _alike(mine, theirs):
        return  # it has agreed
    elif theirs.settings is None:
        _consider_own(talk, theirs)
    else:
        _challenged(talk, theirs, theirs.settings)


def _alike(mine: Start, theirs: Start) -> bool:
    return mine.settings == theirs.settings and (mine.side is None or mine.side != theirs.side)


def _registered(talk: Talk, theirs: Start | None) -> None:
    """The registered game is asked of the engine once for each opponent; the answer stands for all its proposals."""
    settings, seat, rival = talk.table.settings, talk.table.seat, talk.table.rival
    if settings is None or seat is None:
        return
    if talk.tried != rival:
        talk.tried, talk.refuses = rival, ""
        _ask(talk, Challenge(rival, theirs, Start(settings, seat)))
    elif talk.refuses and theirs is not None:
        talk.say(f"{talk.called} {talk.refuses}")
        talk.ask(Decline(Start.__name__))


def _own(talk: Talk) -> Start:
    """The game that it plays where its opponent leaves that open."""
    particulars = talk.particulars
    if particulars is None:
        return Start(talk.wish.settings())
    return Start(particulars.wish.settings(), particulars.colour)


def _propose_own(talk: Talk) -> None:
    """Say what it plays, to one opponent only where it wants one. It is asked about each opponent that takes it up."""
    if talk.table.mine(Start) is not None or any(isinstance(command, Propose) for command in talk.asks):
        return
    if talk.particulars is None or _is(talk.particulars.user, talk.table.rival):
        talk.ask(Propose(replace(_own(talk), confirms=talk.lists("game_ok"))))


def _consider_own(talk: Talk, theirs: Start | None) -> None:
    """Its opponent plays whatever it plays."""
    particulars, challenge = talk.particulars, Challenge(talk.table.rival, theirs, _own(talk))
    if particulars is not None and not _is(particulars.user, talk.table.rival):
        decline(talk, challenge, f"waits for {particulars.user}")
    elif talk.lists("game_ok"):
        _ask(talk, challenge)
    else:
        _propose_own(talk)


def _is(user: str, name: str) -> bool:
    return user.casefold().replace("_", " ") == name.casefold().replace("_", " ")


def _challenged(talk: Talk, theirs: Start, settings: Settings) -> None:
    particulars, rival = talk.particulars, talk.table.rival
    challenge = Challenge(rival, theirs, Start(settings, 1 - theirs.side if theirs.side in (0, 1) else None))
    if particulars is not None and not _is(particulars.user, rival):
        decline(talk, challenge, f"waits for {particulars.user}")
    elif excluded := talk.limits.excluded(wish_of(settings)):
        decline(talk, challenge, excluded)
    elif settings.rated and not talk.wish.rated:
        decline(talk, challenge, "plays no rated games here")
    elif not talk.lists("game_ok") and particulars is not None and (other := offered.differs(particulars, theirs)):
        decline(talk, challenge, other)
    else:
        _ask(talk, challenge)


def _ask(talk: Talk, challenge: Challenge) -> None:
    """Find out if the engine plays that: by game_ok where it lists that, else by trying it.

    A question to which it has said no is not put again.
    """
    if challenge.key in talk.refusals or challenge == talk.asking:
        return
    talk.asking = challenge
    if not talk.lists("game_ok"):
        _try(talk, challenge)
        return
    seat = talk.table.seat or 0
    colour = seat if challenge.offer.side is None else challenge.offer.side
    words = offered.write_particulars(offered.Particulars(colour, challenge.rival, _wish(talk, challenge)))
    if words in talk.noes:
        _not_ok(talk, challenge)
    else:
        talk.question(f"game_ok {words}", _decided(challenge, words))


def _wish(talk: Talk, challenge: Challenge) -> Wish:
    settings = challenge.offer.settings
    return talk.wish if settings is None else wish_of(settings)


def _not_ok(talk: Talk, challenge: Challenge) -> None:
    decline(talk, challenge, f"does not want to play {offered.in_words(challenge.offer)}")


def _decided(challenge: Challenge, words: str) -> Callable[[Talk, Answer], None]:
    def then(talk: Talk, answer: Answer) -> None:
        word = answer.text.strip().lower()
        if not answer.good:
            _try(talk, challenge)
        elif word in ("y", "yes"):
            _agree(talk, challenge)
        else:
            talk.says_no(words)
            _not_ok(talk, challenge)

    return then


def _try(talk: Talk, challenge: Challenge) -> None:
    """Accepted if boardsize and the time command are, as far as the engine lists them."""
    wish = _wish(talk, challenge)
    times = {
        "kgs-time_settings": f"kgs-time_settings {' '.join(styled(wish.time))}",
        "time_settings": f"time_settings {time_settings(wish.time)}",
    }
    known = next((words for name, words in times.items() if talk.lists(name)), "")
    _try_next(talk, challenge, deque(words for words in (f"boardsize {wish.size}", "clear_board", known) if words))


def _try_next(talk: Talk, challenge: Challenge, trials: deque[str]) -> None:
    if not trials:
        _agree(talk, challenge)
        return
    words = trials.popleft()

    def then(talk: Talk, answer: Answer) -> None:
        if answer.good:
            _try_next(talk, challenge, trials)
        else:
            decline(talk, challenge, f"refuses {words} ({answer.text or 'no reason given'})")

    talk.questions.appendleft(Question(words, then))


def _stands(talk: Talk, challenge: Challenge) -> bool:
    """True if the opponent who was asked about is still there, and wants the same."""
    talk.asking = None
    table = talk.table
    if table.status is not Status.WAITING or table.rival != challenge.rival:
        return False
    return table.registered or table.theirs(Start) == challenge.theirs


def _agree(talk: Talk, challenge: Challenge) -> None:
    """By proposing the same from the other side."""
    if not _stands(talk, challenge):
        consider(talk)
        return
    talk.agreed = challenge.rival if talk.lists("game_ok") else ""
    talk.ask(Propose(challenge.offer))


def decline(talk: Talk, challenge: Challenge, why: str) -> None:
    """With the reason. Its own proposal, which a Decline would withdraw first, is made again afterwards."""
    table = talk.table
    if not _stands(talk, challenge):
        consider(talk)
        return
    if table.registered:
        _decline_registered(talk, challenge, why)
        return
    if len(talk.refusals) < MOST_REFUSED:
        talk.refusals.add(challenge.key)
    talk.say(f"{talk.called} {why}")
    if challenge.theirs is None:
        _leave_bot(talk)
        return
    mine = table.mine(Start) or talk.pending
    if mine is not None:
        talk.ask(Decline(Start.__name__))
    talk.ask(Decline(Start.__name__))
    if mine is not None:
        talk.ask(Propose(mine))
    elif challenge.theirs.settings is not None:
        _propose_own(talk)  # the other one may agree to that


def declined(talk: Talk, event: Declined) -> None:
    """Its own proposal is gone: its user is told who does not play it, and why."""
    table = talk.table
    if event.seat == table.seat or table.mine(Start) is not None:
        return
    said = table.last_words.get(event.seat, "")
    talk.comments.append(f"{table.name(event.seat)} declines this game" + (f": {said}" if said else ""))


def _decline_registered(talk: Talk, challenge: Challenge, why: str) -> None:
    talk.refuses = why
    game = offered.in_words(challenge.offer)
    talk.comments.append(f"the game registered for {talk.called} is {game}: {talk.called} {why}")
    talk.remarks.append(f"{talk.called} {why}, so its registered game cannot begin")
    if talk.table.theirs(Start) is None:
        talk.say(f"{talk.called} {why}")
    consider(talk)


def _leave_bot(talk: Talk) -> None:
    """The engine does not play the house bot that has come to its table: it waits at another, for players."""
    talk.people = True
    leave(talk)
    _join(talk)


def over(talk: Talk) -> None:
    """ "kgs-game_over" where it is listed; then another game, unless it is let go."""
    talk.silent = False
    if talk.lists("kgs-game_over"):
        talk.question("kgs-game_over", nothing)
