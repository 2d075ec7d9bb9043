"""Rated games are between accounts in every dialect that can ask for one, and each says so in its own words."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests.cli.playing import record
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Room, room
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import Engine
from tests.conformance.gtp.records import newest
from tests.conformance.gtp.test_people import both_pass, until_dead
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer
from tests.web_client import WebClient

HTTP, ENGINES, GUIS = 3, 4, 5
WHY = "a rated game is between accounts, and {name} has none: play unrated, or log in"
MADE = "; accounts are made on the page /login"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("rated")
    record(data)
    for name in ("anna", "bert"):
        command = ["account", "add", name, "--password-stdin", "--data", str(data)]
        added = CliRunner().invoke(main, command, input="correct horse\n")
        assert added.exit_code == 0, added.output
    listeners = (*LISTENERS, "http", "gtp-engine,size=9,rated=yes", "gtp-gui,rated=yes")
    with fast(data, *listeners) as found:
        yield found
    assert "Traceback" not in found.log.read_text()


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


@pytest.mark.parametrize("line", ["seek 5 0 r w", "seek 5 0 rated any", "seek 5 0 r w manual"])
def test_a_miniature_guest_who_seeks_a_rated_game_is_told_why_not_and_seeks_it_unrated(here: Room, line: str) -> None:
    """ "seek 5 0 r w" is the draft's first example."""
    sara = here.miniature("Sara")
    sara.say(line)
    assert sara.until("error ") == (
        "error no-account "
        + WHY.format(name=sara.name)
        + " by tell gateway leave, then tell gateway login NAME PASSWORD"
        + MADE
    )
    side, manual = "a" if "any" in line else "w", line[12:] if "manual" in line else ""
    assert sara.until("tell gateway it is") == f"tell gateway it is sought unrated now: seek 5 0 u {side}{manual}"
    sara.say("tell gateway tables")
    assert f"{sara.name} {'seeks' if manual else 'proposes'} Chess normal, 5:00, unrated" in sara.until(
        "tell gateway table "
    )


def test_a_bogaprot_guest_who_wishes_for_a_rated_game_is_refused_and_may_ask_again(here: Room) -> None:
    client = SpecClient(here.running.ports[BOGAPROT])
    answer = client.handshake("chess?name=Bo&rated=yes")
    assert answer == (
        "RSP_HANDSHAKE",
        1,
        WHY.format(name="Bo") + " by a handshake with name=NAME&secret=PASSWORD" + MADE,
    )
    assert client.handshake("chess?name=Bo&rated=maybe") == ("RSP_HANDSHAKE", 1, "rated 'maybe': yes or no")
    assert client.handshake("chess?name=Bo&rated=no") == ("RSP_HANDSHAKE", 0)
    client.close()


def test_a_miniature_guest_does_as_it_is_told_and_seeks_a_rated_game(here: Room) -> None:
    sara = here.miniature("Sara")
    sara.say("seek 5 0 r w")
    sara.until("error no-account")
    sara.say("tell gateway leave", "tell gateway login anna correct horse")
    sara.until("tell gateway you are anna")
    sara.say("seek 5 0 r w")
    sara.until("tell gateway your ticket")
    sara.say("tell gateway tables")
    assert "anna proposes Chess normal, 5:00, rated" in sara.until("tell gateway table ")


def test_a_page_of_a_guest_is_told_where_accounts_are_made(here: Room) -> None:
    page = WebClient(here.running.ports[HTTP])
    page.hello()
    page.say("join", game="chess", name="Wim", options={"rated": "yes"})
    refused = page.until("rejected")
    assert (refused["why"], refused["text"]) == ("no account", WHY.format(name="Wim") + MADE)


def test_a_gui_of_a_guest_on_a_rated_port_is_told_why_not(here: Room) -> None:
    gui = OnPort(here.running.ports[GUIS], "gus")
    gui.sets("boardsize 9", "clear_board")
    assert gui.asks("play b C3") == "? " + WHY.format(name="gus") + " by boardgate-login NAME PASSWORD" + MADE
    gui.close()


def test_engines_of_guests_on_a_rated_port_play_each_other_unrated(here: Room) -> None:
    replies = {"genmove": ["C3", "resign"]}
    with Engine(here.running.ports[ENGINES], replies) as one, Engine(here.running.ports[ENGINES], replies) as other:
        one.wait_until_asked("genmove")
        other.wait_until_asked("genmove")
        host = Host(here.running.ports[HTTP])
        status, answer = host.ask("/api/tables?game=go")
        assert (status, answer["tables"][0]["rated"]) == (200, False)
        assert answer["tables"][0]["seats"][0]["name"].startswith("Thinker")


def test_two_accounts_play_a_rated_game_over_different_wires(here: Room) -> None:
    """Their tickets stand for seats that are registered for their names."""
    anna, bert = account(here.running, "anna"), account(here.running, "bert")
    table, tickets = anna.registers("chess", "anna", "bert", time="300", rated=True)
    status, fetched = bert.ask(f"/api/tables/{table}/ticket", {})
    assert (status, fetched["seat"]) == (200, 1)
    mia = here.miniature("Mia")
    mia.say(f"tell gateway seat {tickets[0]}", "play")
    client = SpecClient(here.running.ports[BOGAPROT])
    assert client.handshake(f"chess#{fetched['ticket']}") == ("RSP_HANDSHAKE", 0)
    assert mia.until("tell gateway game 1:").endswith("anna (White) - bert (Black): chess, 5:00, rated; you are White")
    client.close()


def test_of_a_second_disagreement_about_dead_stones_in_a_rated_game_the_engine_s_list_counts(here: Room) -> None:
    """ "a second disagreement: the engine's list in rated games, the human's in unrated; both lists are kept in the
    record" """
    anna, bert = account(here.running, "anna"), account(here.running, "bert")
    options = {"size": "5", "komi": "0.5"}
    table, (ticket, _) = anna.registers("go", "anna", "bert", rated=True, options=options)
    _, fetched = bert.ask(f"/api/tables/{table}/ticket", {})
    replies = {"genmove": ["B2", "pass"], "final_status_list": "C3"}
    first = f"bert\n{fetched['ticket']}\n"
    with Engine(here.running.ports[ENGINES], replies, first=first) as engine:
        gui = OnPort(here.running.ports[GUIS], "anna", ticket)
        gui.sets("boardsize 5", "clear_board", "komi 0.5")
        gui.sends("play b C3", "genmove w")
        told: list[str] = []
        while "= B2" not in told or not any(line.startswith("# this game is rated") for line in told):
            told.append(gui.answer())  # what the game may change is a comment, before or after
        both_pass(gui)
        engine.wait_until_asked("final_status_list")
        until_dead(gui, "C3")
        assert gui.asks("boardgate-dead B2").endswith(" plays on")
        both_pass(gui)
        assert gui.asks("boardgate-dead B2") == "= W+25.5"
        record = newest(here.running.data)
        assert record.sgf.count("White claims: C3 dead.") == record.sgf.count("Black claims: B2 dead.") == 2
        assert "Settled: C3 dead." in record.proves_its_result().comment
        gui.close()


def account(running: RunningServer, name: str) -> Host:
    """The API as the owner of this account asks it."""
    given = base64.b64encode(f"{name}:correct horse".encode()).decode()
    return Host(running.ports[HTTP], {"Authorization": f"Basic {given}"})
