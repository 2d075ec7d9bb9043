"""The pure parts of the dialect igs: names, the words of a match, columns of lists, scores, split input."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.core.commands import Inquire, Join, Offer, Propose, Withdraw
from protocols.core.desk import read_number
from protocols.core.events import Said
from protocols.core.model import Clock, Outcome, Reading, Reason, Settings, TimeControl, TimeKind
from protocols.core.notifications import Answered, ListedOffer, ListedPerson, ListedTable, Named, Notice, Noticed
from protocols.core.proposals import Start
from protocols.go_words.rule_sets import NAMED
from protocols.go_words.wish import Wish
from protocols.igs import words
from protocols.igs.desk import Desk, said
from protocols.igs.dialect import Igs
from protocols.igs.lists import Lists
from protocols.igs.lobby import Lobby
from protocols.igs.names import LONGEST, Names, spelt
from protocols.igs.play import Play
from protocols.igs.reading import read_match, read_nmatch, read_switch, read_time
from protocols.igs.score import points, string
from tests.transcripts.replay import drained

USUAL = Wish(rules=NAMED["japanese"])
PERIODS = (TimeKind.PER_MOVE, TimeKind.CANADIAN, TimeKind.BYOYOMI)
TEN_FIVE = TimeControl(TimeKind.CANADIAN, 600.0, moves=25, period_s=300.0)


def settings(size: int = 9, time: TimeControl | None = TEN_FIVE, handicap: int = 0) -> Settings:
    return Wish(size, rules=NAMED["japanese"], time=time, handicap=handicap).settings()


# names


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("alice", "alice"),
        ("guest-12", "guest12"),
        ("Zoë", "Zoe[a-z2-7]{4}"),
        ("elevenlong1", "eleven[a-z2-7]{4}"),
        ("elevenlong-1", "eleven[a-z2-7]{4}"),
        ("two words", "twowor[a-z2-7]{4}"),
        ("сосо", "p[a-z2-7]{4}"),
    ],
)
def test_a_name_is_shown_in_ten_letters_and_digits(name: str, word: str) -> None:
    """ "Names: at most 10 characters, letters and digits (qGo's list matches nothing else)." """
    assert re.fullmatch(word, spelt(name))


def test_the_word_for_a_name_does_not_depend_on_whom_a_connection_has_met_before() -> None:
    """ "Longer ones need an alias a connection": an account's is the same on each."""
    names = ["elevenlong1", "elevenlong2", "elevenlong-1", "two words", "two_words", "Zoë", "сосо", "соса", "guest-12"]
    first, second = Names(), Names()
    shown = {name: first.shown(name) for name in names}
    assert {name: second.shown(name) for name in reversed(names)} == shown


@given(st.lists(st.text(min_size=1, max_size=32), max_size=30, unique_by=str.casefold))
def test_no_two_names_are_shown_by_one_word_and_each_is_meant_by_its_own(names: list[str]) -> None:
    """ "Longer ones need an alias a connection." """
    known = Names()
    shown = {name: known.shown(name) for name in names}
    assert all(re.fullmatch(f"[A-Za-z0-9]{{1,{LONGEST}}}", word) for word in shown.values())
    assert len({word.casefold() for word in shown.values()}) == len(shown)
    assert {name: known.meant(word.upper()) for name, word in shown.items()} == {name: name for name in shown}
    assert {name: known.shown(name) for name in shown} == shown


def test_a_client_is_shown_its_own_name_as_it_has_typed_it() -> None:
    """qGo and CGoban look for it in what they are told; others see the name that the server has given."""
    peer = Igs()
    peer.connected()
    peer.receive_data(b"guest\n")
    peer.send(Named("guest-1", ""))
    peer.resume()
    assert b"you are guest1 here" in drained(peer)
    names = peer._desk.names
    assert [names.shown(name) for name in ("guest-1", "guest", "guest-2")] == ["guest", "guest2", "guest21"]
    assert [names.meant(word) for word in ("guest", "guest1", "guest2")] == ["guest-1", "guest-1", "guest"]
    taken, long = Names(), Names()
    assert taken.shown("Guest") == "Guest"
    taken.knows_itself("guest-1", "guest")
    assert taken.shown("guest-1") == "guest1"
    long.knows_itself("elevenlong1", "elevenlong1")
    assert long.shown("elevenlong1") == spelt("elevenlong1")


def test_a_guest_that_was_never_shown_is_meant_by_its_number() -> None:
    assert Names().meant("Guest12") == "guest-12"
    assert Names().meant("nobody") == "nobody"


# matches


def test_a_match_names_the_sender_s_colour_and_canadian_byo_yomi_of_twenty_five_stones() -> None:
    """ "match NAME B|W SIZE MIN BYOMIN [...] Colour is the sender's. Byo-yomi is Canadian, 25 stones." """
    match = read_match("botb W 9 10 5", USUAL)
    assert (match.to, match.start.side, match.start.settings) == ("botb", 1, settings())
    assert read_match("botb B 9 10 0", USUAL).start.settings == settings(time=TimeControl(TimeKind.ABSOLUTE, 600.0))
    assert read_match("botb B 9 0 0", USUAL).start.settings == settings(time=None)


def test_an_nmatch_names_handicap_and_seconds() -> None:
    """ "nmatch NAME B|W|N HCP SIZE SECS BYOSECS STONES 0 0 0": IGS's newer one."""
    match = read_nmatch("botb N 2 9 600 300 25 0 0 0", USUAL)
    assert (match.to, match.start.side, match.start.settings) == ("botb", None, settings(handicap=2))


@pytest.mark.parametrize(
    "text", ["x B 4 10 5", "x B 26 10 5", "x B nine", "x B 9 10 5 1", "x B 9 1000 5", "x purple 9"]
)
def test_no_match_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"match|size|clock"):
        read_match(text, USUAL)


@pytest.mark.parametrize("text", ["x B 0 9", "x Q 0 9 600 300 25", "x B 3 6 600 300 25", "x B 0 9 600 300 9999"])
def test_no_nmatch_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"nmatch|handicap|clock"):
        read_nmatch(text, USUAL)


TIMES = st.one_of(
    st.none(),
    st.builds(lambda m: TimeControl(TimeKind.ABSOLUTE, m * 60.0), st.integers(1, 999)),
    st.builds(
        lambda m, b: TimeControl(TimeKind.CANADIAN, m * 60.0, moves=25, period_s=b * 60.0),
        st.integers(0, 999),
        st.integers(1, 999),
    ),
    st.builds(
        lambda m, s, n: TimeControl(TimeKind.CANADIAN, float(m), moves=n, period_s=float(s)),
        st.integers(0, 50_000),
        st.integers(1, 50_000),
        st.integers(1, 1000),
    ),
)


@given(st.integers(5, 25), TIMES, st.sampled_from([0, 1]))
def test_the_words_that_an_offer_is_told_in_ask_for_the_same_game(
    size: int, time: TimeControl | None, side: int
) -> None:
    """ "All three answered with the words in brackets." """
    wanted = settings(size, time)
    word, _, rest = words.match_words(wanted, "botb", side).partition(" ")
    read = (read_match if word == "match" else read_nmatch)(rest, USUAL)
    assert (read.to, read.start.side, read.start.settings) == ("botb", side, wanted)


@given(st.sampled_from(list(TimeKind)), st.integers(1, 5000), st.integers(1, 5000), st.integers(1, 30))
def test_a_clock_that_has_no_words_here_is_told_in_some_that_take_it(
    kind: TimeKind, main: int, period: int, n: int
) -> None:
    wanted = settings(9, TimeControl(kind, float(main), 3.0, n, float(period) if kind in PERIODS else 0.0, n))
    word, _, rest = words.match_words(wanted, "botb", 1).partition(" ")
    read = (read_match if word == "match" else read_nmatch)(rest, USUAL)
    assert read.start.settings is not None
    assert words.same(wanted, read.start.settings)
    assert (read.to, read.start.settings.width) == ("botb", 9)


@pytest.mark.parametrize(("text", "found"), [("12", 12), ("0", 0), ("-3", 0), ("x", 0), ("", 0), ("1" * 10, 0)])
def test_numbers_of_lists(text: str, found: int) -> None:
    assert read_number(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("client on", True), ("client true", True), ("client 1", True), ("client 0", False), ("client", True)],
)
def test_switches_as_all_three_clients_say_them(text: str, found: bool) -> None:
    """ "toggle client on: qGo; CGoban "toggle client 1"; Ruby "set client true"." """
    assert read_switch(text, now=False) == ("client", found)
    with pytest.raises(ValueError, match="which"):
        read_switch("7 on", now=False)


def test_a_time_without_a_period_is_absolute() -> None:
    """ "match with byo-yomi 0 is absolute." """
    assert read_time(60, 0, 25) == TimeControl(TimeKind.ABSOLUTE, 60.0)
    assert read_time(0, 0, 25) is None


# lists


def test_rows_of_lists_have_the_columns_that_programs_count() -> None:
    """ "42 userlist: fixed columns; qGo refuses a row one blank short." The rows beside are IGS's own, by its list."""
    guest = words.user_row(ListedPerson("guest-15"), "guest15", 0)
    igs = "   guest15                  --        NR    0/   0  -   -   10s    Q- default "
    for column in (slice(0, 10), slice(28, 30), slice(37, 40), slice(41, 46), slice(46, 50), slice(67, 80)):
        assert len(guest[column].strip()) == len(igs[column].strip()), column
    assert [at for at, letter in enumerate(guest) if letter == "/"] == [igs.index("/")]
    assert len(guest) == len(igs)
    cell = " Q  --  268 Albatross3  1s     9k* "
    assert len(words.who_cell(ListedPerson("x"), "x", 0)) == len(cell)
    assert words.who_cell(ListedPerson("x", challenges=False), "x", 268)[:9] == "  X --  268"[:9]


def test_a_row_of_games_tells_stones_and_prisoners_as_moves() -> None:
    """ "7 [1]  white [ NR*] vs.  black [ NR*] ( mv size H komi BY FR) (obs)"."""
    board = "/".join(["XO......."] + ["." * 9] * 8)
    one = ListedTable(1, settings(), True, ("alice", "bob"), (None, None), f"{board} 0 1-0")
    igs = "[255]          YK [ 7d*] vs.         SOJ [ 7d*] ( 56   19  0  5.5  4  I) ( 18)"
    row = words.game_row(one, "bob", "alice")
    assert len(row) == len(igs)
    assert row == "[  1]         bob [ NR ] vs.       alice [ NR ] (  3    9  0  6.5  5 FI) (  0)"


@pytest.mark.parametrize(
    ("time", "reading", "used", "told"),
    [
        (None, Reading(0.0), 0.0, (0, -1)),
        (TEN_FIVE, Reading(600.0, 300.0, 0, 25), 10.0, (590, -1)),
        (TEN_FIVE, Reading(0.0, 200.5, 0, 7), 0.0, (200, 7)),
        (TEN_FIVE, Reading(5.0, 300.0, 0, 25), 15.0, (290, 25)),
        (TimeControl(TimeKind.BYOYOMI, 60.0, period_s=30.0, periods=5), Reading(0.0, 30.0, 5), 1.0, (29, 1)),
    ],
)
def test_seconds_and_stones_of_a_clock(
    time: TimeControl | None, reading: Reading, used: float, told: tuple[int, int]
) -> None:
    """ "(caps secs stones): stones -1 in main time"."""
    clock = None if time is None else Clock((reading, reading), 0, 100.0)
    assert words.left(settings(9, time), clock, 0, 100.0 + used) == told


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome(0, Reason.RESIGNATION), "White resigns."),
        (Outcome(1, Reason.TIME), "Black forfeits on time."),
        (Outcome(0, Reason.ABANDONMENT), "White forfeits on time."),
        (Outcome(1, Reason.FORFEIT), "Black forfeits on time."),
        (Outcome(None, Reason.VOID), "no result."),
        (Outcome(None, Reason.RULES, "0"), "Jigo."),
    ],
)
def test_ends_in_words(outcome: Outcome, said: str) -> None:
    """ "{Game 1: alice vs botb : White resigns.}" """
    assert words.end(outcome) == said


def test_what_is_told_to_one_player_is_no_kibitz_though_both_are_at_one_board() -> None:
    """ "24 *bob*: hi"; CGoban says what is typed below its board twice, by tell and by kibitz."""
    desk = Desk()
    said(desk, Said(None, "bob", "hi", "alice"), 1, ("alice", "bob"))
    said(desk, Said(0, "all", "hi", "alice"), 1, ("alice", "bob"))
    assert desk.lines == ["24 *alice*: hi", "11 Kibitz alice [NR]: Game bob vs alice [1]", "11    hi"]


# scores


@given(st.data())
def test_strings_are_of_one_colour_and_no_point_is_both_sides(data: st.DataObject) -> None:
    area = data.draw(st.booleans())
    stones = data.draw(st.dictionaries(st.integers(0, 24), st.sampled_from(["black", "white"]), max_size=25))
    for square, piece in stones.items():
        found = string(square, stones, 5)
        assert square in found
        assert {stones[each] for each in found} == {piece}
        assert all(string(each, stones, 5) == found for each in found)
    black = points(stones, 5, (), 0, area=area)
    swapped = {square: "white" if piece == "black" else "black" for square, piece in stones.items()}
    white = points(swapped, 5, (), 0, area=area)
    empty = 25 - len(stones)
    assert 0 <= black + white <= (25 if area else empty)


def test_dead_stones_count_for_who_has_surrounded_them() -> None:
    """ "20 white (W:O): 26.5 to black (B:#): 24.0": prisoners and dead stones are Black's points in territory."""
    board = {**dict.fromkeys(range(2, 25, 5), "black"), **dict.fromkeys(range(3, 25, 5), "white"), 0: "white"}
    assert points(board, 5, (0,), 3, area=False) == 10 + 1 + 3
    assert points(board, 5, (0,), 3, area=True) == 10 + 5
    assert points(board, 5, (), 0, area=False) == 0
    assert points(board, 5, (0,), 2, area=False, own="white") == 5 + 2
    assert points(board, 5, (0,), 2, area=True, own="white") == 5 + 5


# bytes


@given(data=st.data())
def test_input_may_be_split_anywhere_and_the_prompt_of_the_login_is_one_piece(data: st.DataObject) -> None:
    """ "qGo reads the login in chunks: "Login:" and "Password:" must come in one piece each." """
    wire = b"\r\nsomebody\r\n"
    cuts = sorted(data.draw(st.sets(st.integers(1, len(wire) - 1), max_size=6)))
    peer = Igs()
    peer.connected()
    banner = peer.data_to_send()
    assert banner.endswith(b"\r\n\r\nLogin: ")
    asked = []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        peer.hold(wire[begin:end])
        asked += peer.resume()
    assert [getattr(command, "name", "") for command in asked] == ["somebody"]


@given(st.lists(st.sampled_from([b"ayt\r\n", b"nonsense\n", b"toggle quiet 0\n", b"\n", b"E5\n"]), max_size=6))
def test_every_line_has_its_prompt_behind_it_and_lines_have_codes_for_programs_only(lines: list[bytes]) -> None:
    """ "After any command comes `1 N`." """
    for client in (False, True):
        peer = Igs()
        peer.connected()
        peer.receive_data(b"guest\n")
        peer.send(Named("guest-1", ""))
        peer.resume()
        if client:
            peer.receive_data(b"set client true\n")
        drained(peer)
        peer.receive_data(b"".join(lines))
        told = drained(peer).decode()
        assert told.count("1 5\r\n" if client else "#> ") == len(lines)
        assert all(re.match(r"[0-9]+ ", line) for line in told.splitlines()) is client or not lines


def test_a_client_cannot_fill_the_server_with_switches_or_names() -> None:
    """A thousand of each are typed; forty switches are kept, and no name that nobody has is remembered."""
    desk = Desk(name="amy")
    lists = Lists(desk, Play(desk))
    for number in range(1000):
        lists.switch("".join("abcdefghij"[int(digit)] for digit in f"{number:03}") + " on")
        lists.stats(f"nobody{number}")
        assert desk.finish is not None
        desk.finish()
    assert len(desk.switches) == 40
    assert desk.names._shown == {}
    assert desk.lines[-1] == '5 No user named "nobody999" is logged in.'


def test_somebody_who_comes_to_wait_while_a_match_is_asked_for_is_met() -> None:
    """The list of offers comes behind word of the seat: who waits there could not answer a request."""
    desk = Desk(name="amy")
    lobby = Lobby(desk, Lists(desk, Play(desk)))
    (asked, looked) = lobby.match("Olga W 9 10 0")
    assert isinstance(asked, Offer)
    settings = asked.start.settings
    assert settings is not None
    assert (asked.start.side, looked) == (1, Inquire("offers"))
    lobby.noticed(Noticed(posted=(Notice("Olga", "go", Start(settings, 0)),)))
    assert desk.asks == []
    lobby.answered(Answered((), "offers", offers=(ListedOffer(4, "amy", settings, to="Olga", side=1),)))
    assert [type(command) for command in desk.asks] == [Withdraw, Join, Propose]
    assert desk.asks[1] == Join("go", "amy", wishes=(("opponent", "Olga"),), ready=False, settings=settings, side=1)


def test_who_says_nothing_after_a_login_is_told_one_more_line_once() -> None:
    """ "One further line before it says toggle client on": qGo reads the login's own lines all at once, and waits."""
    for typed, told in ((b"", [True, False]), (b"ayt\r\n", [False, False])):
        peer = Igs()
        peer.connected()
        peer.keep_alive()
        peer.receive_data(b"mia\r\n")
        peer.send(Named("mia", ""))
        peer.resume()
        peer.receive_data(typed)
        drained(peer)
        heard = []
        for _ in told:
            peer.keep_alive()
            heard.append(b'Type "help" to read what can be said here.\r\n#> ' in drained(peer))
        assert heard == told
