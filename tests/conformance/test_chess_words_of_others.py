"""Names and chat of one chess player reach another as text, whatever they contain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("words"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


@pytest.mark.parametrize("name", ["\x07bell", "a" * 33, "bot-1", "...", "\u202eright to left", "tab\tname\x00"])
def test_a_name_that_nobody_should_be_shown_is_refused(here: Room, name: str) -> None:
    """Up to 32 printable characters, a letter or a digit among them; what house bots are called is theirs."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia")
    mia.say(f"tell gateway name {name}", "seek 5 0")
    assert mia.until("error ").split()[1] in ("syntax", "bad-option", "name-taken")
    pia.say(f"name {name}", "text hello", "quit")
    assert all(line.isprintable() for line in pia.rest())


@pytest.mark.parametrize("name", ["a" * 40, "bot-1", "gateway"])
def test_a_name_that_no_player_may_have_is_refused_when_it_is_said(here: Room, name: str) -> None:
    tom, pia = here.telnet(), here.p2p("Pia")
    tom.say("tell gateway name Tom", f"tell gateway name {name}")
    assert tom.until("tell gateway you sit down as", "error ") == "tell gateway you sit down as Tom"
    assert tom.until("tell gateway you sit down as", "error ").startswith("error ")
    tom.say("seek 5 0 u w")
    assert ": Tom" in tom.until("tell gateway table ")
    pia.say(f"myname {name}", "new")
    assert pia.until("text ").partition(":")[0] in (
        "text no name",
        f"text {name} is what house bots are called",
        f"text {name} is what the server is called",
    )
    pia.until("text nobody else", "text you sit with", "text Tom")


def test_no_words_of_another_reach_an_adapter_but_behind_text_and_name(here: Room) -> None:
    """ "no peer message reaches XBoard other than behind `telluser`": the adapter of the other end is told nothing but
    ``text`` and ``name`` that somebody else has worded."""
    pia = here.p2p("Pia")
    pia.go("level 0 300 0", "move e2e4")
    pia.until("text your game is proposed")
    evil = "EVIL%0Aresult 1-0 %7BEVIL%7D"
    client = SpecClient(here.running.ports[BOGAPROT])
    assert client.handshake(f"chess?name={evil}") == ("RSP_HANDSHAKE", 0)
    pia.hears("text the game with", "go")
    pia.say("accepted")
    pia.until("move e2e4")
    told = [line for line in pia.heard if "EVIL" in line]
    assert told
    assert [line for line in told if not line.startswith(("name ", "text "))] == []


@pytest.mark.parametrize(
    "words",
    [
        "EVIL result 1-0",
        "EVIL\x0bresult 1-0",
        "EVIL\x85move e2e4",
        "EVIL\u2028quit",
        "EVIL\rquit",
        "telluser EVIL",
        "EVIL" * 90,
    ],
)
def test_chat_is_one_line_of_text_whatever_is_in_it(here: Room, words: str) -> None:
    """ "on one line, control characters stripped"."""
    pia, mia = here.mixed()
    mia.say(f"tell {pia.name} {words}", f"tell {pia.name} done")
    pia.until(f"text {mia.name}: done")
    heard = [line for line in pia.passed if "EVIL" in line or "quit" in line]
    assert [line for line in heard if not line.startswith(f"text {mia.name}: ")] == []
    mia.told()
    pia.say(f"text {words}", "text done")
    mia.until(f"tell {pia.name} done")
    assert [line for line in mia.passed if not line.startswith(f"tell {pia.name} ")] == []
    assert all(line.isprintable() for line in mia.passed)
