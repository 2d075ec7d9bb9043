"""The pure parts of the dialect ics: sealed lines, names in letters, the words of a game, moves, kinds and ends."""

from __future__ import annotations

import random
import re

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.core.commands import Inquire
from protocols.core.desk import read_number
from protocols.core.events import CHANNEL, Said
from protocols.core.model import Outcome, Reason, Settings, TimeControl, TimeKind
from protocols.core.notifications import Answered, ListedOffer, Named, Notice, Noticed, Notification, Points
from protocols.core.proposals import Start
from protocols.ics import timeseal, writing
from protocols.ics.desk import USUAL, VARIABLES, Desk, in_block
from protocols.ics.dialect import _SHORT, _WORDS, Ics
from protocols.ics.help import _TOPICS
from protocols.ics.lists import Lists
from protocols.ics.lobby import Lobby
from protocols.ics.names import LONGEST, SHORTEST, Names, letters_of
from protocols.ics.reading import Wanted, is_move, read_time, read_wanted
from tests.transcripts.replay import drained

FIVE = TimeControl(TimeKind.ABSOLUTE, 300.0)


def settings(
    time: TimeControl | None = FIVE, variant: str = "normal", start: str = "", rated: bool = False
) -> Settings:
    return Settings("chess", variant, 8, 8, 2, time, start, rated)


# sealed lines


def test_a_sealed_line_is_what_the_key_and_the_exchanged_bytes_make_of_it() -> None:
    """ "last byte is 0x80|offset; each byte before it is (plain|0x80) xor key[(i+offset) mod 50], minus 32; [...] swap
    in each whole block of 12 the positions 0<->11, 2<->9, 4<->7." """
    plain = bytearray(b"seek 5 0\x18777\x1900000000000")[:24]
    assert len(plain) == 24
    for at in (0, 12):
        block = plain[at : at + 12]
        for one, other in ((0, 11), (2, 9), (4, 7)):
            block[one], block[other] = block[other], block[one]
        plain[at : at + 12] = block
    key = b"Timestamp (FICS) v1.0 - programmed by Henrik Gram."
    line = bytes(((byte | 0x80) ^ key[(at + 33) % 50]) - 32 for at, byte in enumerate(plain)) + bytes((0x80 | 33,))
    assert timeseal.opened(line) == b"seek 5 0"
    assert timeseal.sealed(b"seek 5 0", 777, 33) == line


@given(
    st.binary(max_size=80).filter(lambda text: not set(text) & {0x18, *range(0x80, 0x100)}),
    st.integers(0, 10**12),
    st.integers(0, 49),
)
def test_what_was_sealed_is_opened_and_has_no_byte_that_ends_a_line(text: bytes, ms: int, offset: int) -> None:
    """ "Result: command, 0x18, decimal milliseconds, 0x19, filler." """
    line = timeseal.sealed(text, ms, offset)
    assert timeseal.opened(line) == text
    assert not set(line) & {0x0A, 0x0D, 0x00, 0xFF}


@given(st.binary(max_size=60).filter(lambda line: not line or line[-1] < 0x80))
def test_a_line_of_plain_text_is_not_sealed(line: bytes) -> None:
    """ "one port can serve both, for a sealed line shows by its high bits." """
    assert timeseal.opened(line) is None


@pytest.mark.parametrize("hello", ["TIMESTAMP|user|Linux|", "TIMESEAL2|openseal|openseal|"])
@given(data=st.data())
def test_sealed_lines_may_be_split_anywhere(hello: str, data: st.DataObject) -> None:
    """ "First line: `TIMESTAMP|user|system|` (PyChess) or `TIMESEAL2|...|...|` (eboard), never a command." """
    offsets = data.draw(st.lists(st.integers(0, 49), min_size=2, max_size=2))
    first, second = (timeseal.sealed(line, 5, at) for line, at in zip((hello.encode(), b"alice"), offsets, strict=True))
    wire = first + b"\n" + second + b"\r\n"
    cuts = sorted(data.draw(st.sets(st.integers(1, len(wire) - 1), max_size=6)))
    peer = Ics()
    peer.connected()
    asked = []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        peer.hold(wire[begin:end])
        asked += peer.resume()
    assert [getattr(command, "name", "") for command in asked] == ["alice"]
    assert drained(peer).endswith(b"login: ")


# names


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("alice", "alice"),
        ("alice-2", "aliceC"),
        ("guest", "guest"),
        ("guest-2", "GuestAAAC"),
        ("guest-27", "GuestAABB"),
        ("Zoë", "Zoe[a-z]{4}"),
        ("alice_2", "alice[a-z]{4}"),
        ("abcdefghijklmnopqrst", "abcdefghijklm[a-z]{4}"),
    ],
)
def test_a_name_is_shown_in_letters_only(name: str, letters: str) -> None:
    """ "Ours such as `alice-2`, `guest-2` need a letters-only alias per session [...]. Guests: `Guest` + 4
    letters." """
    assert re.fullmatch(letters, letters_of(name))


@pytest.mark.parametrize("name", ["сосо", "x", "77", "GuestAAAC", "-", ""])
def test_a_name_of_too_few_letters_or_that_looks_like_a_guests_is_a_player(name: str) -> None:
    """ "accepted back": no account may be taken for a guest."""
    assert re.fullmatch("Player[a-z]{4}", letters_of(name))
    assert letters_of(name) != name


@given(st.lists(st.text(min_size=1, max_size=32), max_size=30, unique_by=str.casefold))
def test_two_names_are_never_shown_by_the_same_letters_and_each_is_meant_by_its_own(names: list[str]) -> None:
    """ "Names: letters only, 3-17 (PyChess's patterns take `[A-Za-z]+`, icsdrone cuts at 17)." """
    known = Names()
    shown = {name: known.shown(name) for name in names}
    assert all(re.fullmatch("[A-Za-z]+", letters) for letters in shown.values())
    assert all(SHORTEST <= len(letters) <= LONGEST for letters in shown.values())
    assert len({letters.casefold() for letters in shown.values()}) == len(shown)
    assert {name: known.meant(letters.upper()) for name, letters in shown.items()} == {name: name for name in shown}
    assert {name: known.shown(name) for name in shown} == shown


def test_the_letters_of_a_name_do_not_depend_on_whom_a_connection_has_met_before() -> None:
    """ "shown everywhere and accepted back": an account's words are the same tomorrow, on another connection."""
    names = [
        "alice-2",
        "alice_2",
        "Alice.2",
        "alice 2",
        "Alicé",
        "álice-2",
        "сосо",
        "соса",
        "2x",
        "3x",
        "abcdefghijklmnopqr-1",
    ]
    first, second = Names(), Names()
    shown = {name: first.shown(name) for name in names}
    assert {name: second.shown(name) for name in reversed(names)} == shown


@given(
    st.lists(st.sampled_from(["alice", "alice-2", "alicec", "Alicé", "AliceCXY", "guestaaac", "guest-2", "Güestaaac"]))
)
def test_names_that_come_to_the_same_letters_get_more(names: list[str]) -> None:
    """ "shown everywhere and accepted back": those that differ in what is no letter, too."""
    known = Names()
    assert [known.meant(known.shown(name)) for name in names] == names


def test_one_name_in_other_letter_case_is_the_same_name() -> None:
    """ "accepted back": nobody else can have a name that differs in letter case only."""
    known = Names()
    assert (known.shown("Alice-2"), known.shown("alice-2")) == ("AliceC", "aliceC")
    assert known.meant("alicec").casefold() == "alice-2"


def test_letters_that_were_never_shown_mean_themselves_or_a_guest() -> None:
    """ "Guests: `Guest` + 4 letters": they stand for a number, so that anybody may be told them."""
    assert Names().meant("bob") == "bob"
    assert Names().meant("guestaaac") == "guest-2"
    assert Names().shown("") == ""


# the words of a game


@pytest.mark.parametrize(
    ("words", "time", "variant", "side", "rated", "confirms", "ratings"),
    [
        ("", (TimeKind.FISCHER, 120.0, 12.0), "normal", None, False, False, ""),
        ("5 0", (TimeKind.ABSOLUTE, 300.0, 0.0), "normal", None, False, False, ""),
        ("5", (TimeKind.ABSOLUTE, 300.0, 0.0), "normal", None, False, False, ""),
        ("5 0 u w", (TimeKind.ABSOLUTE, 300.0, 0.0), "normal", 0, False, False, ""),
        ("3 2 rated black", (TimeKind.FISCHER, 180.0, 2.0), "normal", 1, True, False, ""),
        ("r b 1400-1600 15 10", (TimeKind.FISCHER, 900.0, 10.0), "normal", 1, True, False, "1400-1600"),
        ("0 3", (TimeKind.FISCHER, 10.0, 3.0), "normal", None, False, False, ""),
        ("0 0 untimed", None, "normal", None, False, False, ""),
        ("5 0 wild fr m", (TimeKind.ABSOLUTE, 300.0, 0.0), "fischerandom", None, False, True, ""),
        ("5 0 Crazyhouse Unrated manual", (TimeKind.ABSOLUTE, 300.0, 0.0), "crazyhouse", None, False, True, ""),
        ("2 1 blitz a f suicide", (TimeKind.FISCHER, 120.0, 1.0), "suicide", None, False, False, ""),
        ("10 0 atomic white", (TimeKind.ABSOLUTE, 600.0, 0.0), "atomic", 0, False, False, ""),
    ],
)
def test_the_words_of_seek_and_match_are_read(
    words: str,
    time: tuple[TimeKind, float, float] | None,
    variant: str,
    side: int | None,
    rated: bool,
    confirms: bool,
    ratings: str,
) -> None:
    """ "`seek 5 0 u w`, words r/u/rated/unrated, w/b, m, f, a kind, `low-high`; defaults from variables." """
    found = read_wanted(words)
    control = None if time is None else TimeControl(time[0], time[1], time[2])
    assert found.start.settings == settings(control, variant, rated=rated)
    assert (found.start.side, found.start.confirms, found.ratings) == (side, confirms, ratings)


def test_what_a_game_is_when_nothing_is_said_comes_of_variables() -> None:
    """ "defaults from variables": `set time 3`, `set inc 1`."""
    assert read_wanted("u", (3, 1)) == Wanted(read_wanted("3 1").start)


@pytest.mark.parametrize("words", ["1 2 3", "5 0 bughouse", "1000 0", "5 1000", "five", "5 0 wild/4", "12345-1"])
def test_words_of_no_game_are_refused_by_name(words: str) -> None:
    """ "Not: bughouse, simuls, tournaments." """
    with pytest.raises(ValueError, match=r"\w+ .*\w"):
        read_wanted(words)


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("", 0), ("x7", 0), ("-1", 0), ("²", 0), ("1234567890", 0)])
def test_a_number_of_a_list_has_digits_only(text: str, number: int) -> None:
    """ "`play N`", "`accept INDEX`": what is no number may be a name."""
    assert read_number(text) == number


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_clock_is_written_in_the_words_that_ask_for_it(minutes: int, seconds: int) -> None:
    """ "Times: whole minutes + seconds." """
    time = read_time(minutes, seconds)
    shown = writing.clock(settings(time))
    assert shown == (minutes, seconds)


# moves


@given(st.integers(0, 2**32), st.booleans())
def test_every_legal_move_is_one_by_each_of_its_words(seed: int, drops: bool) -> None:
    """ "Moves from clients: `e2e4` (all), `e7e8=q`, `N@f3`, SAN when typed. Castling: XBoard `o-o`/`o-o-o`." """
    board: chess.Board = chess.variant.CrazyhouseBoard() if drops else chess.Board()
    chance = random.Random(seed)
    for _ in range(chance.randrange(80)):
        if not (legal := list(board.legal_moves)):
            break
        board.push(chance.choice(legal))
    for move in board.legal_moves:
        san, plain = board.san(move), move.uci()
        words = {plain, plain[:4] + "=" + plain[4:] if move.promotion else plain}
        words |= {f"P{san}"} if san[0] == "@" else {san, san.rstrip("+#"), san.replace("O", "o")}
        assert [word for word in words if not is_move(word)] == []


@pytest.mark.parametrize(
    "word",
    [
        *(
            "e2e4",
            "e2-e4",
            "e7e8q",
            "e7e8=Q",
            "exd8=N+",
            "e8=Q#",
            "Nf3",
            "Nbd2",
            "N1d2",
            "Qh4xe1",
            "R1a3",
            "bxc3",
            "b4",
        ),
        *(
            "O-O",
            "O-O-O",
            "o-o",
            "o-o-o",
            "0-0",
            "0-0-0",
            "OO",
            "N@f3",
            "P@e4",
            "n@f3",
            "e4!",
            "Nf3??",
            "exd6ep",
            "bc3",
        ),
    ],
)
def test_these_are_moves(word: str) -> None:
    """ "SAN when typed": as people type it."""
    assert is_move(word)


@pytest.mark.parametrize(
    "word", [*_WORDS, *_SHORT, "b", "a", "o", "oooo", "e9", "i4", "N", "Kf", "B7", "", "5", "e4e", "@e4", "x"]
)
def test_no_command_is_a_move(word: str) -> None:
    """ "`xyz: Command not found.`" is for what is neither."""
    assert not is_move(word)


def test_every_command_has_its_help_and_no_help_is_of_none() -> None:
    """ "help": each command that is taken is explained."""
    assert set(_WORDS) - set(_TOPICS) <= {"exit", "help", "date", "unobserve", "unseek"}
    assert set(_TOPICS) <= set(_WORDS)


@pytest.mark.parametrize(
    ("word", "code"),
    [
        *(("accept", 11), ("date", 32), ("decline", 33), ("draw", 34), ("finger", 37), ("games", 43), ("help", 50)),
        *(("iset", 56), ("match", 73), ("moves", 77), ("observe", 80), ("quit", 97), ("resign", 103), ("set", 109)),
        *(("showlist", 111), ("who", 146), ("seek", 155), ("unseek", 156), ("sought", 157), ("play", 158)),
        *(("+channel", 12), ("shout", 110), ("tell", 132), ("allobservers", 14), ("follow", 41), ("journal", 60)),
    ],
)
def test_an_answer_in_a_block_has_the_code_of_its_command(word: str, code: int) -> None:
    """ "Codes used: move 1, accept 11, date 32, [...] bad command 512. Wrong code: answer ignored." The numbers are
    those of PyChess 1.0.3."""
    assert _WORDS[word].code == code


# kinds, ratings, ends


@pytest.mark.parametrize(
    ("time", "kind"),
    [
        (None, "untimed"),
        (TimeControl(TimeKind.ABSOLUTE, 179.0), "lightning"),
        (TimeControl(TimeKind.ABSOLUTE, 180.0), "blitz"),
        (TimeControl(TimeKind.FISCHER, 120.0, 12.0), "blitz"),
        (TimeControl(TimeKind.FISCHER, 60.0, 3.0), "blitz"),
        (TimeControl(TimeKind.FISCHER, 60.0, 2.0), "lightning"),
        (TimeControl(TimeKind.ABSOLUTE, 900.0), "standard"),
        (TimeControl(TimeKind.FISCHER, 300.0, 15.0), "standard"),
    ],
)
def test_plain_chess_is_named_by_its_time(time: TimeControl | None, kind: str) -> None:
    """ "Kinds: lightning, blitz, standard, untimed, nonstandard." """
    assert writing.kind(settings(time)) == kind


@pytest.mark.parametrize(
    ("variant", "start", "kind"),
    [
        ("fischerandom", "", "wild/fr"),
        ("crazyhouse", "", "crazyhouse"),
        ("suicide", "", "suicide"),
        ("atomic", "", "atomic"),
        ("normal", "7k/8/8/8/8/8/8/K7 w - - 0 1", "nonstandard"),
    ],
)
def test_relatives_of_chess_are_named_by_their_rules(variant: str, start: str, kind: str) -> None:
    """ "Kinds: [...] `wild/fr`, crazyhouse, suicide, atomic, losers." """
    assert writing.kind(settings(variant=variant, start=start)) == kind


def test_only_games_that_have_a_word_here_are_told_of() -> None:
    assert writing.carries(settings(variant="crazyhouse"))
    assert not writing.carries(settings(variant="horde"))
    assert not writing.carries(Settings("go", "area", 9, 9, 2))


@pytest.mark.parametrize(
    ("rating", "account", "shown"),
    [(Points(1523), True, "1523"), (Points(1500, True), True, "1500P"), (None, False, "++++"), (None, True, "----")],
)
def test_a_rating_stands_beside_each_name(rating: Points | None, account: bool, shown: str) -> None:
    """ "Ratings: number, `++++` guest, `----` none, maybe with P or E behind." """
    assert writing.points(rating, account=account) == shown


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome(0, Reason.RESIGNATION), "bob resigns} 1-0"),
        (Outcome(1, Reason.RESIGNATION), "amy resigns} 0-1"),
        (Outcome(0, Reason.RULES, "checkmate"), "bob checkmated} 1-0"),
        (Outcome(1, Reason.TIME), "amy forfeits on time} 0-1"),
        (Outcome(0, Reason.ABANDONMENT), "bob forfeits by disconnection} 1-0"),
        (Outcome(None, Reason.AGREEMENT), "Game drawn by mutual agreement} 1/2-1/2"),
        (Outcome(None, Reason.RULES, "stalemate"), "Game drawn by stalemate} 1/2-1/2"),
        (Outcome(None, Reason.RULES, "threefold repetition"), "Game drawn by repetition} 1/2-1/2"),
        (Outcome(None, Reason.RULES, "fifty moves"), "Game drawn by the 50 move rule} 1/2-1/2"),
        (
            Outcome(None, Reason.RULES, "insufficient material"),
            "Game drawn because neither player has mating material} 1/2-1/2",
        ),
        (Outcome(None, Reason.VOID), "Game aborted by mutual agreement} *"),
    ],
)
def test_an_end_is_told_in_words_that_clients_read(outcome: Outcome, words: str) -> None:
    """ "Texts read by PyChess: `X resigns`, `X checkmated`, `X forfeits on time`, `X forfeits by disconnection`, `Game
    drawn by mutual agreement`/`repetition`/`stalemate`/`the 50 move rule`, [...]." """
    assert writing.end(outcome, "amy", "bob") == words


def test_what_comes_by_itself_while_a_line_is_answered_stands_behind_its_block() -> None:
    """In the block of a command whose answer PyChess 1.0.3 reads by itself, it looks for nothing else.

    Nor does it stand in the block of the line after, which may wait already.
    """
    five = settings(FIVE)
    offered = (ListedOffer(4, "amy", five, to="guest-1"),)
    come: list[tuple[Notification, list[str]]] = [
        (Said(None, "guest-1", "hello", "amy"), ["amy tells you: hello"]),
        (Said(None, CHANNEL, "a game?", "amy"), ["amy shouts: a game?"]),
        (
            Noticed(posted=(Notice("amy", "chess", Start(five, 0)),)),
            ['amy (++++) seeking 5 0 unrated blitz [white] ("play 1000001" to respond)'],
        ),
        (
            Answered((), "offers", offers=offered),
            [
                "Challenge: amy (++++) GuestAAAB (++++) unrated blitz 5 0.",
                'You can "accept" or "decline", or propose different parameters.',
            ],
        ),
    ]
    for message, words in come:
        peer = Ics()
        peer.connected()
        peer.receive_data(b"guest\n\n")
        peer.send(Named("guest-1", ""))
        peer.resume()
        peer.receive_data(b"iset block 1\n")
        drained(peer)
        assert peer.receive_data(b"7 date\n8 date\n") == [Inquire("time")]
        peer.send(message)
        assert drained(peer) == b""
        for _ in range(2):
            peer.send(Answered(("noon",), "time"))
            peer.resume()
        seven, eight = (f"\x15{number}\x1632\x16Server time    - noon\x17" for number in (7, 8))
        told = drained(peer).decode()
        assert told == "\n\r".join([seven, "fics% ", *words, f"fics% {eight}", "fics% "])


def test_a_game_that_begins_with_an_answer_stands_behind_its_block() -> None:
    """PyChess 1.0.3 looks for a game's heading in no block of `match`."""
    assert in_block(["Yes.", "Creating: a"], "7", 73) == "\x157\x1673\x16Yes.\x17\n\rfics% \n\rCreating: a\n\r"
    assert in_block(["Yes."], "8", 73) == "\x158\x1673\x16Yes.\x17\n\r"


def test_a_client_cannot_fill_the_server_with_variables_or_names() -> None:
    """A thousand of each are typed; a hundred variables are kept, and no name that nobody has is remembered."""
    desk = Desk(name="amy")
    lobby, lists = Lobby(desk, Lists(desk)), Lists(desk)
    refused = 0
    for number in range(1000):
        try:
            lobby.set(f"v{number} 1")
        except ValueError:
            refused += 1
        lobby.iset("".join("abcdefghij"[int(digit)] for digit in f"{number:03}") + " 1")
        for asked in (lists.history, lists.finger):
            asked(f"nobody{number}")
            assert desk.finish is not None
            desk.finish()
    assert (len(desk.variables), len(desk.interface), refused) == (VARIABLES, VARIABLES, 1000 - VARIABLES + len(USUAL))
    assert desk.names._shown == {}
    assert desk.lines[-1] == "nobody999 is not logged in."
