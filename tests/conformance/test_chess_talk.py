"""Talk beyond the table: by name from a visitor to any player and back, and from observers to players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Guest, MiniatureGuest, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer
from tests.web_client import WebClient

WEB: Final = 3
SECRET: Final = "the-own-secret-of-an-adapter"
HEARD: Final = tuple(f"{listener},observers_speak=yes" for listener in LISTENERS)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    many = "1000"
    with fast(
        tmp_path_factory.mktemp("talk"),
        *LISTENERS,
        "http",
        LIMITS_CONNECTIONS_PER_ADDRESS=many,
        LIMITS_SAYINGS_BURST=many,
    ) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def observer(here: Room, whom: Guest) -> MiniatureGuest:
    olga = here.miniature("Olga")
    olga.say(f"tell gateway observe {whom.name}")
    olga.hears("tell gateway table ")
    return olga


def test_a_visitor_speaks_to_a_player_who_answers(here: Room) -> None:
    """ "This command is the *only* one that will work in every situation, without exception." """
    pia, mia = here.mixed()
    carol = here.miniature("Carol")
    carol.say(f"tell {mia.name} good luck")
    assert mia.until("tell Carol", "tell carol") == f"tell {carol.name} good luck"
    mia.say(f"tell {carol.name} thank you")
    assert carol.until(f"tell {mia.name}") == f"tell {mia.name} thank you"
    carol.say(f"TELL {pia.name.upper()} and you?")
    assert pia.until(f"text {carol.name}") == f"text {carol.name}: and you?"
    assert [line for line in mia.told() if "and you?" in line] == []
    assert carol.told() == []


def test_who_gives_no_name_gets_one_by_which_it_is_answered(here: Room) -> None:
    """By the draft's own word, as the first thing that is said."""
    sara, _ = here.two_miniatures()
    tom = here.telnet()
    tom.until("welcome ")
    tom.say(f"tell {sara.name} hi")
    name = tom.until("tell gateway you are here as guest-").split()[-1]
    assert sara.until("tell guest-") == f"tell {name} hi"
    sara.say(f"tell {name} who are you?")
    assert tom.until(f"tell {sara.name}") == f"tell {sara.name} who are you?"
    tom.say(f"tell {sara.name} nobody")
    assert sara.until("tell guest-") == f"tell {name} nobody"


def test_a_visitor_does_not_pass_for_a_player(here: Room) -> None:
    sara, tom = here.two_miniatures()
    mallory = here.telnet()
    mallory.say(f"tell gateway name {tom.name}")
    called = f"{tom.name}-2"
    assert mallory.until("tell gateway ").endswith(f"{tom.name} is somebody else's name here: you are here as {called}")
    mallory.until("tell gateway you sit down as")
    mallory.say(f"tell {sara.name} I resign")
    assert sara.until(f"tell {tom.name}") == f"tell {called} I resign"
    mallory.say("tell gateway name gateway", f"tell {sara.name} you have lost")
    assert mallory.until("error name-taken") == "error name-taken gateway is what the server is called"
    assert sara.until(f"tell {tom.name}") == f"tell {called} you have lost"


def test_a_name_stays_its_visitors_when_that_sits_down(here: Room) -> None:
    carol, dan = here.miniature("Carol"), here.miniature("Dan")
    carol.say(f"tell {dan.name} hi")
    dan.until(f"tell {carol.name} hi")
    carol.seek("5 0 u w")
    dan.say(f"play {carol.name}")
    assert f"{carol.name} (White) - {dan.name} (Black)" in dan.until("tell gateway game 1:")


def test_players_of_two_tables_and_an_observer_speak_to_each_other(here: Room) -> None:
    sara, tom = here.two_miniatures()
    pia, mia = here.mixed()
    olga = observer(here, pia)
    sara.say(f"tell {mia.name} how do you stand?")
    assert mia.until(f"tell {sara.name}").endswith(" how do you stand?")
    olga.say(f"tell {tom.name} look at this")
    assert tom.until(f"tell {olga.name}").endswith(" look at this")
    tom.say(f"tell {olga.name} I see")
    assert olga.until(f"tell {tom.name}").endswith(" I see")
    assert [line for guest in (sara, pia) for line in guest.told() if "look" in line or "I see" in line] == []


def test_a_program_with_words_for_talk_hears_it_and_others_cannot(here: Room) -> None:
    ann, bob = (SpecClient(here.running.ports[BOGAPROT]) for _ in range(2))
    assert ann.handshake("chess?name=ann-talks&chat=yes&time=300&against=players") == ("RSP_HANDSHAKE", 0)
    assert bob.handshake("chess?name=bob-does-not&time=300&against=players") == ("RSP_HANDSHAKE", 0)
    carol = here.miniature("Carol")
    carol.say("tell bob-does-not hi")
    assert carol.until("error ").startswith("error not-now bob-does-not plays with a program that has no words for")
    carol.say("tell ann-talks hi")
    while (told := ann.until("MSG_MOVE"))[-1] != f"said -1 {carol.name}: hi":
        assert "said" not in str(told[-1])
    ann.close()
    bob.close()


def test_a_page_hears_a_visitor_and_answers_as_one(here: Room) -> None:
    page = WebClient(here.running.ports[WEB])
    page.hello()
    page.say("join", game="tic_tac_toe", name="Wanda", against="players")
    page.until("seated")
    carol = here.miniature("Carol")
    carol.say("tell wanda hi")
    told = page.until("Said")
    assert "seq" not in told
    assert told["body"] == {"seat": None, "to": "Wanda", "text": "hi", "name": carol.name}
    visitor = WebClient(here.running.ports[WEB])
    visitor.hello()
    visitor.say("say", to=carol.name, text="from a page", name="Vera")
    assert carol.until("tell Vera") == "tell Vera from a page"
    carol.say("tell vera hello")
    assert visitor.until("Said")["body"]["name"] == carol.name
    for client in (page, visitor):
        client.close()


def test_who_is_away_is_named_and_hears_nothing_later(here: Room) -> None:
    sara, tom = here.two_miniatures()
    sara.vanish()
    tom.until(f"tell gateway {sara.name} has lost the connection")
    carol = here.miniature("Carol")
    carol.say(f"tell {sara.name} hi")
    assert carol.until("error ") == f"error not-now {sara.name} is away"
    again = here.miniature("Sara")
    again.say(f"tell gateway seat {sara.ticket}")
    again.until("tell gateway")
    assert [line for line in again.told() if "hi" in line.split()] == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("tell nobody-is-this hi", "error not-now nobody called 'nobody-is-this' is here"),
        ("tell bot-1 hi", "error not-now bot-1 is a house bot and does not talk"),
        (f"tell bob {'x' * 401}", "error syntax say 1 to 400 characters, not 401"),
        ("tell #obs hi", "error not-seated nobody hears '#obs': you have no seat yet"),
    ],
)
def test_what_nobody_hears_is_one_error(here: Room, line: str, error: str) -> None:
    carol = here.miniature("Carol")
    carol.say(line)
    assert carol.until("error ") == error
    carol.say(f"tell {carol.name} hi")
    assert carol.until("error ") == f"error not-now {carol.name} is what you are called yourself"


def test_observers_speak_to_no_player_of_their_table_where_it_does_not_let_them(here: Room) -> None:
    pia, _ = here.mixed()
    olga = observer(here, pia)
    olga.say(f"tell {pia.name} castle!")
    assert olga.until("error ") == "error observer who looks on talks to #obs"
    page = WebClient(here.running.ports[WEB])
    page.hello()
    page.say("watch", whom=pia.name)
    page.until("seated")
    for to in ("all", "players", pia.name):
        page.say("say", to=to, text="castle!")
        assert page.until("rejected")["text"] == "you look on; observers talk to observers only"
    page.close()
    assert [line for line in pia.told() if "castle" in line] == []


def test_observers_speak_to_players_where_the_table_lets_them(tmp_path: Path) -> None:
    """A table keeps its rules: after a restart it lets them still, though its listener does not any more."""
    with fast(tmp_path, *HEARD, "http") as first, room(first) as here:
        ports = dict(enumerate(first.ports))
        mia, pia = here.miniature("Mia"), here.p2p("Pia", SECRET)
        mia.seek("5 0 u b")
        pia.say("text hello")
        pia.until("go")
        pia.go("level 0 300 0", "move e2e4")
        pia.enter()
        mia.hears("tell gateway game 1:", "move e2-e4")
        speak(here, pia, mia)
        first.kill()

    with fast(tmp_path, *LISTENERS, "http", ports=ports) as second, room(second) as here:
        adapter, person = here.p2p("Pia", SECRET), here.miniature("Mia")
        adapter.say("text here I am")
        person.say(f"tell gateway seat {mia.ticket}")
        person.until(f"tell {pia.name} here I am")
        adapter.name, person.name = pia.name, mia.name
        speak(here, adapter, person)


def speak(here: Room, pia: Guest, mia: Guest) -> None:
    """An observer in Miniature and one at a page say something to both players, and are answered."""
    olga, page = observer(here, mia), WebClient(here.running.ports[WEB])
    page.hello()
    page.say("watch", whom=mia.name, name="Wim")
    page.until("seated")
    olga.say(f"tell {pia.name} castle!", "tell #obs they hear us")
    assert pia.until(f"text {olga.name}") == f"text {olga.name}: castle!"
    assert mia.until(f"tell {olga.name}") == f"tell {olga.name} castle!"
    assert page.until("Said")["body"] == {"seat": None, "to": "observers", "text": "they hear us", "name": olga.name}
    for to in ("all", "players"):
        page.say("say", to=to, text=f"hello {to}")
        assert page.until("Said")["body"] == {"seat": None, "to": to, "text": f"hello {to}", "name": "Wim"}
        assert pia.until("text Wim") == f"text Wim: hello {to}"
        assert mia.until("tell Wim") == f"tell Wim hello {to}"
    assert [line for line in olga.told() if "Wim" in line] == ["tell Wim hello all"]
    mia.say("tell Wim hello Wim", "tell #obs hello observers")
    assert page.until("Said")["body"]["text"] == "hello Wim"
    assert olga.until("tell #obs ") == f"tell #obs {mia.name}: hello observers"
    page.close()
