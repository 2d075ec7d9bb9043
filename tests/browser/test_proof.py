"""The page of a proof finds a genuine record whole, and whatever was changed in it; its SHA-256 is hashlib's."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from gateway.store import codec
from gateway.store.views import Views, ndjson_lines
from gateway.table import dice
from protocols.core.events import SeatsTurned
from protocols.core.proposals import Draw, Rematch
from tests import peers
from tests.browser.visitors import NARROW, PATIENCE_S, Visitors, screenshot, violations
from tests.conformance.brains import settings
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import Table
from tests.running import RunningServer
from tests.store.games import TABLE, Played, forged, seq_of

pytestmark = peers.needed

LISTENERS = ("http", "bogaprot")

Lines = list[dict[str, Any]]

LUDO = 1
"""The table of the game that ``record`` plays."""


@pytest.fixture(scope="module")
def record(running: RunningServer) -> list[str]:
    """The lines of a whole game of Ludo, as the page gets them."""
    players = [SpecPlayer(running.ports[1], settings("ludo", "maedn", 2), "ludo?seats=2", seed=n) for n in (1, 2)]
    Table(*players).finish()
    views = Views(f"sqlite:///{running.data / 'boardgate.db'}")
    deadline = time.monotonic() + 20
    with closing(views):
        while "TableClosed" not in (lines := list(ndjson_lines(LUDO, views.rows(LUDO))))[-1]:
            assert time.monotonic() < deadline, "the table does not close"
            time.sleep(0.05)
        return lines


def concluded(page: Page, how: str) -> str:
    """The result, once it is there: "good" or "bad"."""
    expect(page.locator(f"#verdict.{how}")).to_be_visible(timeout=PATIENCE_S * 1000)
    return page.locator("#verdict").inner_text()


def parts(step: Locator) -> Locator:
    """Opens a step of a proof; what was hashed, once it is there: the texts of its parts."""
    step.locator("summary").click()
    shown = step.locator("dd")
    shown.last.wait_for()
    return shown


def rolls(record: list[str]) -> int:
    return sum('"kind":"DiceRolled"' in line for line in record)


def test_a_genuine_game_is_proven_with_every_die(people: Visitors, record: list[str]) -> None:
    page = people.arrives(f"/table/{LUDO}/proof")
    said = concluded(page, "good")
    assert f"The record is whole: {len(record)} events in one chain." in said
    assert f"Last digest {json.loads(record[-1])['digest']}." in said
    assert f"{rolls(record)} of {rolls(record)} rolls of the dice are what was committed to before the game." in said
    assert page.locator("#events > li").count() == len(record)
    assert page.locator("#dice > tr").count() == rolls(record)


def test_each_step_shows_what_was_hashed(people: Visitors, record: list[str]) -> None:
    page = people.arrives(f"/table/{LUDO}/proof")
    concluded(page, "good")
    shown = parts(page.locator("#events > li").nth(1)).all_inner_texts()
    first, second = json.loads(record[0]), json.loads(record[1])
    body = record[1].partition('"body":')[2][:-1]
    assert (shown[0], shown[2], shown[3]) == (first["digest"], second["kind"], body)
    assert shown[4] == shown[5] == second["digest"]
    whole = bytes.fromhex(shown[0]) + bytes.fromhex(shown[1]) + f"{shown[2]}\0{shown[3]}".encode()
    assert hashlib.sha256(whole).hexdigest() == second["digest"]
    row = page.locator("#dice > tr").first.locator("td").all_inner_texts()
    secret = next(json.loads(line)["body"]["secret"] for line in record if '"GameEnded"' in line)
    assert (row[0], row[2], row[5]) == ("1", '"roll 1"', str(dice.roll(bytes.fromhex(secret), 1, 6)))


def chained(lines: Lines) -> list[str]:
    """The lines with digests that fit them: what a liar with the whole database could write."""
    previous, written = codec.GENESIS, []
    for line in lines:
        at = datetime.fromisoformat(line["at"]).timestamp()
        body = json.dumps(line["body"], separators=(",", ":"), ensure_ascii=False)
        previous = codec.link(previous, line["table"], line["seq"], at, line["kind"], body)
        line["digest"] = previous.hex()
        written.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False))
    return written


def of_kind(lines: Lines, kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["kind"] == kind)


def changed_move(lines: Lines) -> list[str]:
    of_kind(lines, "MoveMade")["body"]["ply"] += 1
    return [json.dumps(line, separators=(",", ":")) for line in lines]


def left_out(lines: Lines) -> list[str]:
    return [json.dumps(line, separators=(",", ":")) for line in lines if line["seq"] != 5]


def of_another_table(lines: Lines) -> list[str]:
    return chained([{**line, "table": 9} for line in lines])


def loaded_die(lines: Lines) -> list[str]:
    body = of_kind(lines, "DiceRolled")["body"]
    body["value"] = body["value"] % 6 + 1
    return chained(lines)


def other_secret(lines: Lines) -> list[str]:
    of_kind(lines, "GameEnded")["body"]["secret"] = "00" * 32
    return chained(lines)


def no_secret(lines: Lines) -> list[str]:
    of_kind(lines, "GameEnded")["body"]["secret"] = ""
    return chained(lines)


def no_record(lines: Lines) -> list[str]:
    return ["{"]


CHAIN, DICE = "not what was written when the events happened", "not rolled from the secret"


@pytest.mark.parametrize(
    ("lie", "why", "means"),
    [
        (changed_move, "its digest does not fit its content and the events before it", CHAIN),
        (left_out, "Event 6 is wrong: event 6 stands where 5 is due", CHAIN),
        (of_another_table, "Event 1 is wrong: it belongs to table 9", CHAIN),
        (loaded_die, "the secret gives", DICE),
        (other_secret, "it reveals another secret than the game began with", DICE),
        (no_secret, "the game has ended without revealing the secret of its dice", DICE),
        (no_record, "Event 1 is wrong: it cannot be read", CHAIN),
    ],
)
def test_a_changed_record_is_found_out(
    people: Visitors, record: list[str], lie: Callable[[Lines], list[str]], why: str, means: str
) -> None:
    told = lie([json.loads(line) for line in record])

    def answer(route: Route) -> None:
        route.fulfill(body="".join(f"{line}\n" for line in told), content_type="application/x-ndjson")

    context = people.context()
    context.route("**/export", answer)
    page = context.new_page()
    page.goto(f"{people.origin}/table/{LUDO}/proof")
    said = concluded(page, "bad")
    assert why in said
    assert means in said
    assert (CHAIN if means is DICE else DICE) not in said


def test_a_file_that_was_exported_is_checked(people: Visitors, record: list[str], tmp_path: Path) -> None:
    exported = tmp_path / "table-1.ndjson"
    page = people.arrives(f"/table/{LUDO}/proof")
    concluded(page, "good")
    exported.write_text("".join(f"{line}\n" for line in changed_move([json.loads(line) for line in record])))
    page.locator("#file").set_input_files(exported)
    assert CHAIN in concluded(page, "bad")
    exported.write_text("".join(f"{line}\n" for line in record))
    page.locator("#file").set_input_files(exported)
    assert "The record is whole" in concluded(page, "good")


def test_what_players_say_to_each_other_breaks_no_proof(people: Visitors, record: list[str]) -> None:
    """A player says something to the players alone: another browser proves the chain around it."""
    player = people.arrives(f"/table/{LUDO}/proof")
    concluded(player, "good")
    table = player.evaluate(
        """() => new Promise((done) => {
          const socket = new WebSocket(location.origin.replace("http", "ws") + "/ws");
          const say = (message) => socket.send(JSON.stringify(message));
          let table = 0;
          socket.onopen = () => { say({type: "hello", v: 1}); say({type: "join", game: "tic_tac_toe"}); };
          socket.onmessage = ({data}) => {
            const told = JSON.parse(data);
            if (told.type === "seated") {
              table = told.table;
              say({type: "say", to: "players", text: "between us"});
              say({type: "say", to: "all", text: "hello"});
            }
            if (told.type === "event" && told.kind === "Said" && told.body.to === "all") done(table);
          };
        })"""
    )
    page = people.arrives(f"/table/{table}/proof")
    said = concluded(page, "good")
    assert "1 line that players said to each other is not shown to you; the events behind cover them." in said
    hidden = page.locator("#events > li").filter(has_text="not shown to you")
    assert "said to others" in " ".join(parts(hidden).all_inner_texts())
    assert "between us" not in page.content()


def test_a_deleted_account_breaks_no_proof(people: Visitors, record: list[str], tmp_path: Path) -> None:
    """Its name is shown no more, so that the digest of the event cannot be computed: it is taken as given, and told."""
    page = people.arrives("/login")
    page.locator("#register-name").fill("Penelope")
    for field in ("#register-password", "#register-again"):
        page.locator(field).fill("correct horse battery")
    page.get_by_role("button", name="Make the account").click()
    page.goto(f"{people.origin}/play/tic_tac_toe")
    page.wait_for_url("**/table/*")
    proof = f"{page.url}/proof".removeprefix(people.origin)
    page.goto(f"{people.origin}/account")
    page.get_by_text("What happens, and the form").click()
    page.locator("#delete-current").fill("correct horse battery")
    page.get_by_role("button", name="Delete my account").click()
    expect(page.locator("h1")).to_have_text("Your account is deleted")
    page = people.arrives(proof)
    said = concluded(page, "good")
    assert "1 event names a former player in place of a deleted account; the events behind cover it." in said
    shown = " ".join(parts(page.locator("#events > li").nth(1)).all_inner_texts())
    assert "that of a deleted account, so the digest is taken as it stands" in shown
    assert "not computed" in shown
    assert "Penelope" not in page.content()
    lines = page.request.get(
        people.origin + proof.replace("/table/", "/api/tables/").replace("/proof", "/export")
    ).text()
    forged = lines.replace("former player", "Eve")
    assert forged != lines
    exported = tmp_path / "forged.ndjson"
    exported.write_text(forged)
    page.locator("#file").set_input_files(exported)
    assert CHAIN in concluded(page, "bad")


def test_a_table_that_is_not_there_has_nothing_to_check(people: Visitors) -> None:
    people.allow("404")
    page = people.arrives("/table/999/proof")
    assert "there is no table 999" in concluded(page, "bad")


def test_without_scripts_the_formulas_and_the_record_are_there(people: Visitors, record: list[str]) -> None:
    page = people.arrives(f"/table/{LUDO}/proof", java_script_enabled=False)
    text = page.locator("main").inner_text()
    for said in ("SHA-256", "HMAC-SHA256(secret", f"boardgate verify {LUDO}", "check_record.py"):
        assert said in text
    assert page.locator("#verdict").is_hidden()
    answer = page.request.get(
        people.origin + str(page.get_by_role("link", name="Export the record").get_attribute("href"))
    )
    assert answer.text().splitlines() == record


def test_anybody_can_use_it(people: Visitors, record: list[str]) -> None:
    page = people.arrives(f"/table/{LUDO}/proof", color_scheme="light")
    concluded(page, "good")
    page.locator("#events summary").first.click()
    screenshot(page, "proof-light", whole=False)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    screenshot(page, "proof-dark", whole=False)
    assert violations(page) == []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    screenshot(page, "proof-dark-narrow", whole=False)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


MODULE = """async (path) => {
  const {sha256, hmac, hex, unhex} = await import(path);
  return %s.map(([key, message]) => [sha256(unhex(message)), hmac(unhex(key), unhex(message))].map(hex));
}"""


def test_sha256_is_what_hashlib_computes(people: Visitors, record: list[str]) -> None:
    page = people.arrives(f"/table/{LUDO}/proof")
    concluded(page, "good")
    draw = random.Random(256)
    lengths = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, *(draw.randrange(2000) for _ in range(60))]
    made = [(draw.randbytes(draw.choice([0, 16, 32, 64, 65, 200])), draw.randbytes(length)) for length in lengths]
    source = page.locator("script[type=module]").first.get_attribute("src")
    assert source is not None
    asked = json.dumps([(key.hex(), message.hex()) for key, message in made])
    found = page.evaluate(MODULE % asked, source.replace("proof_page.js", "sha256.js"))
    assert found == [
        [hashlib.sha256(message).hexdigest(), hmac.digest(key, message, "sha256").hex()] for key, message in made
    ]


def test_dice_are_what_the_server_rolls(people: Visitors, record: list[str]) -> None:
    page = people.arrives(f"/table/{LUDO}/proof")
    concluded(page, "good")
    source = page.locator("script[type=module]").first.get_attribute("src")
    assert source is not None
    secret = random.Random(6).randbytes(32)
    found = page.evaluate(
        """async ([path, digits]) => {
          const {rolled} = await import(path), {unhex} = await import(path.replace("proof.js", "sha256.js"));
          return [...Array(300).keys()].map((number) => rolled(unhex(digits), number + 1).fair);
        }""",
        [source.replace("proof_page.js", "proof.js"), secret.hex()],
    )
    assert found == [dice.roll(secret, number, 6) for number in range(1, 301)]


def test_a_draw_of_seats_is_shown_and_a_false_one_is_found_out(people: Visitors, record: list[str]) -> None:
    """Of a record from a file: four have drawn to move three on."""
    table = Played("ludo", seats=4)
    for proposal in (Draw(), Rematch(), Draw()):
        table.agree(proposal)
    drawn = seq_of(table.events, SeatsTurned)
    page = people.arrives(f"/table/{LUDO}/proof")
    concluded(page, "good")
    for by, kind in ((3, "good"), (2, "bad")):
        lines = list(ndjson_lines(TABLE, forged(table.events, drawn, by=by)))
        page.locator("input[type=file]").set_input_files(
            {"name": f"by-{by}.ndjson", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()}
        )
        row = re.compile(rf'^seats{drawn}"seats"[0-9a-f]{{8}}\d+ mod 4 = 3{by}')
        expect(page.locator("#dice tr").filter(has_text="seats")).to_have_text(row)
        concluded(page, kind)
    expect(page.locator("main")).to_contain_text(f"Event {drawn} is wrong: the seats turned by 2; the secret gives 3.")
