"""The pages of tables without a script: board, seats, moves and result; private tables; names that are no markup."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gateway import registry
from gateway.web.pages.seat import qr_code
from gateway.web.pages.seats import SeatShown
from gateway.web.pages.shown_table import TurnShown, page_data, rounds
from tests.hall import alternate
from tests.web.browsing import Element, asked, checked, links
from tests.web.club import club


def part(page: Element, identity: str) -> Element:
    return next(element for element in page.all() if element.attributes.get("id") == identity)


def of_class(page: Element, name: str) -> list[Element]:
    return [element for element in page.all() if name in element.attributes.get("class", "").split()]


async def test_a_running_game_is_drawn(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann, bob = here.hall.dial("ann"), here.hall.dial("bob")
        await ann.joins("tic_tac_toe")
        await bob.joins("tic_tac_toe")
        await alternate([ann, bob], 4, 0, 8)
        page = checked(await asked(here.port, "/table/1"))
        assert part(page, "status").words() == "O to move"
        assert [link.attributes["href"] for link in part(page, "moves").all("a")] == ["#1", "#2", "#3"]
        assert [link.words() for link in part(page, "moves").all("a")] == ["b2", "a3", "c1"]
        picture = next(element for element in part(page, "board").all("svg"))
        assert picture.attributes["aria-label"] == "Tic-Tac-Toe board. O to move"
        assert len(of_class(page, "seat")) == 2
        data = json.loads(part(page, "page-data").text)
        assert (data["page"], data["table"], data["live"], data["events"]) == ("table", 1, True, [])


async def test_seats_stand_where_the_script_puts_them(tmp_path: Path) -> None:
    """So the board stays where it is when the script begins. Ludo's names stand at the corners of their yards: green
    and red are below.
    """
    async with club(tmp_path) as here:
        await here.register("a", "b", "c", "d", game="ludo")
        await here.register("a", "b")
        for table, near, far in ((1, ["3", "2"], ["0", "1"]), (2, ["0"], ["1"])):
            page = checked(await asked(here.port, f"/table/{table}"))
            for name, seats in (("near", near), ("far", far)):
                assert [seat.attributes["data-seat"] for seat in of_class(part(page, name), "seat")] == seats


async def test_seats_are_told_to_scripts_as_the_page_shows_them(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann, bob = here.hall.dial("ann"), here.hall.dial("bob")
        await ann.joins("tic_tac_toe?name=ann&time=600")
        await bob.joins("tic_tac_toe?name=bob&time=600")
        page = checked(await asked(here.port, "/table/1"))
        data = json.loads(part(page, "page-data").text)
        told = (await here.ask("/table/1/seats")).body
        assert [(seat["name"], seat["program"]) for seat in told] == [("ann", "bogaprot"), ("bob", "bogaprot")]
        assert [seat["name"] for seat in data["seats"]] == ["ann", "bob"]
        assert all(re.fullmatch("10:00|9:..", clock.words()) for clock in of_class(page, "clock"))
        await bob.leaves()
        await here.hall.until(lambda: here.hall.state(1).until[1] > 0)
        away = (await here.ask("/table/1/seats")).body[1]
        assert (away["kind"], "program" in away, away["kept_s"] > 0) == ("away", False, True)


async def test_seats_of_a_private_table_are_told_to_those_who_may_see_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tickets = (await here.register("open", "open", private=True)).body["tickets"]
        assert (await here.ask("/table/1/seats")).error == (404, "no_such_table")
        assert len((await here.ask("/table/1/seats", auth=f"Ticket {tickets[0]}")).body) == 2


async def test_a_score_is_told_by_any_claim_once_play_has_stopped(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, guests = 1, [here.hall.dial() for _ in range(2)]
        for guest in guests:
            await guest.joins("go?size=5")
        ann, bob = guests
        assert (await here.ask(f"/table/{table}/points")).error == (409, "not_now")
        await alternate([ann, bob], 12, 24, 13, -1, -1)
        alive = (await here.ask(f"/table/{table}/points")).body
        assert alive == {
            "text": "Black 2, White 8.5: White leads by 6.5",
            "lands": [[], []],
            "made_of": alive["made_of"],
        }
        found = (await here.ask(f"/table/{table}/points?squares=24")).body
        assert found["text"] == "Black 25, White 7.5: Black leads by 17.5"
        assert found["lands"][0] == [at for at in range(25) if at not in (12, 13)]
        assert (await here.ask(f"/table/{table}/points?squares=3")).error == (400, "illegal")
        for wrong in ("x", "24,,x", "-1"):
            assert (await here.ask(f"/table/{table}/points?squares={wrong}")).error == (400, "bad_request")


async def test_the_template_of_a_seat_shows_every_field_that_is_for_people(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        _, _, template = (await asked(here.port, "/play/chess")).text.partition('<template id="seat-template">')
        shown = set(re.findall(r"\{(\w+)\}", template.partition("</template>")[0]))
        assert shown == set(SeatShown.__struct_fields__) - {"kept_s", "turn", "right"}


async def test_a_finished_game_has_its_result_and_all_its_events(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann, bob = here.hall.dial("ann"), here.hall.dial("bob")
        await ann.joins("tic_tac_toe")
        await bob.joins("tic_tac_toe")
        await alternate([ann, bob], 4, 0, 3, 1, 5)
        await ann.leaves()
        await bob.leaves()
        await here.hall.until(lambda: 1 not in here.hall.server.tables)
        page = checked(await asked(here.port, "/table/1"))
        assert part(page, "status").words() == "guest-1 won, three in a row"
        assert part(page, "ending").attributes["class"] == "ending over"
        ways = {link.words(): link.attributes["href"] for link in part(page, "ending").all("a")}
        assert ways == {
            "Share": "/table/1/share",
            "Same again with others": "/play/tic_tac_toe?variant=standard&time=none&seats=2",
            "Back to the games": "/",
            "ndjson": "/api/tables/1/export?format=ndjson",
            "Proof": "/table/1/proof",
            "Bytes": "/table/1/bytes",
        }
        decided = [shape for shape in part(page, "board").all("rect") if "won bright" in shape.attributes["class"]]
        assert len(decided) == 3
        assert (await here.ask("/api/tables/1")).body["decisive"] == [3, 4, 5]
        data = json.loads(part(page, "page-data").text)
        assert data["live"] is False
        moves = [event for event in data["events"] if event["kind"] == "MoveMade"]
        assert [move["notation"] for move in moves] == ["b2", "a3", "a2", "b3", "c2"]
        assert [move["body"]["changes"] for move in moves][:2] == [[[4, "x"]], [[0, "o"]]]
        assert [event["seq"] for event in data["events"]] == list(range(1, len(data["events"]) + 1))


@pytest.mark.parametrize("game", ["chess", "go", "reversi"])
async def test_the_seat_of_a_game_that_is_counted_is_told(tmp_path: Path, game: str) -> None:
    async with club(tmp_path) as here:
        ticket = (await here.register("open", "open", game=game, private=True)).body["tickets"][0]
        told = (await here.ask("/api/seat", auth=f"Ticket {ticket}")).body
        assert len(told["position"]["tally"]) == 2


async def test_who_holds_no_seat_is_shown_no_private_table_and_no_difference_to_none(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.register("open", "open", private=True)
        ticket = answer.body["tickets"][0]
        private = await asked(here.port, "/table/1")
        none = await asked(here.port, "/table/2")
        assert (private.status, none.status) == (404, 404)
        assert private.text.replace("table 1", "table 2").replace('"table":1', '"table":2') == none.text
        checked(private)
        shown = await asked(here.port, "/table/1", authorization=f"Ticket {ticket}")
        assert shown.status == 200


async def test_a_name_is_text_wherever_it_stands(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        hostile = "<b onclick=x>&'</script>"
        answer = await here.register(hostile[:32], "bob")
        assert answer.status == 201
        page = checked(await asked(here.port, "/table/1"))
        assert hostile in page.words()
        assert "</script>" not in part(page, "page-data").text


def test_data_in_a_page_ends_no_script() -> None:
    text = str(page_data(name="</script><!--<script>", line="\u2028"))
    assert "<" not in text
    assert ">" not in text
    assert json.loads(text) == {"name": "</script><!--<script>", "line": "\u2028"}


async def test_a_seat_is_described_to_the_holder_of_its_ticket_only(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tickets = (await here.register("ann", "open", private=True, time="300+3")).body["tickets"]
        told = (await here.ask("/api/seat", auth=f"Ticket {tickets[1]}")).body
        assert (told["table"], told["seat"], told["side"], told["private"], told["timed"]) == (1, 1, "o", True, True)
        assert told["names"] == ["ann", ""]
        assert told["settings"] == "5 min + 3 s"
        assert (await here.ask("/api/seat")).error == (401, "unauthorized")
        assert (await here.ask("/api/seat", auth="Ticket " + "x" * 24)).error == (401, "unauthorized")
        look = await here.ask(f"/api/looks/{told['look']}")
        assert look.body["sides"] == ["x", "o"]


@pytest.mark.parametrize("game", sorted(registry.games()))
async def test_an_invitation_to_every_game_is_described(tmp_path: Path, game: str) -> None:
    async with club(tmp_path) as here:
        tickets = (await here.register("ann", "open", game=game, private=True)).body["tickets"]
        told = await here.ask("/api/seat", auth=f"Ticket {tickets[1]}")
        assert (told.status, told.body["game"]) == (200, game)
        assert isinstance(told.body["position"]["tally"], list)


async def test_a_page_that_asks_for_a_game_says_what_is_asked_for(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/play/chess?variant=crazyhouse&time=300%2B3&against=bot%3A3&side=black"))
        assert part(page, "settings-line").words() == "Crazyhouse · 5 min + 3 s"
        wish = json.loads(part(page, "page-data").text)["wish"]
        assert wish == {
            "game": "chess",
            "variant": "crazyhouse",
            "time": "300+3",
            "seats": 2,
            "against": "bot:3",
            "side": 1,
            "start": "",
            "options": {},
            "watched": False,
            "observers_speak": False,
        }
        go = checked(await asked(here.port, "/play/go?size=9&komi=6.5&opponent=ann"))
        wish = json.loads(part(go, "page-data").text)["wish"]
        assert wish["options"] == {"size": "9", "komi": "6.5", "opponent": "ann"}
        aga = checked(await asked(here.port, "/play/go?variant=aga&handicap=4"))
        wish = json.loads(part(aga, "page-data").text)["wish"]
        assert wish["variant"] == "area"
        assert wish["options"] == {"handicap": "4", "ko": "situational", "compensation": "less-one"}
        words = part(aga, "settings-line").words()
        assert words == "points for handicap N - 1 · handicap 4 stones · ko situational · no clock"


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/play/halma", 404, "no such game"),
        ("/play/chess?variant=halma", 400, "has no rule set"),
        ("/play/chess?time=soon", 400, "no time control"),
        ("/play/ludo?seats=9", 400, "cannot seat 9"),
        ("/play/chess?komi=7", 400, "has no option"),
        ("/play/open?against=bot", 400, "does not know the rules"),
    ],
)
async def test_a_game_that_is_not_there_is_a_page_that_says_so(
    tmp_path: Path, path: str, status: int, said: str
) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, path)
        assert answer.status == status
        assert said in checked(answer).words()


async def test_a_qr_code_is_drawn_for_texts_that_fit(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.ask("/api/qr", {"text": "http://localhost/seat#abc"})
        assert answer.body == qr_code("http://localhost/seat#abc")
        assert (await here.ask("/api/qr", {"text": ""})).error == (400, "bad_request")
        assert (await here.ask("/api/qr", {"text": "x" * 401})).error == (400, "bad_request")
        assert (await here.ask("/api/qr", {"text": "x"}, kind="text/plain")).error == (415, "no_json")


def test_the_three_finders_of_a_qr_code_stand_in_its_corners() -> None:
    """A text of 25 characters fits version 2, 25 modules a side; a finder's upper edge is seven dark modules."""
    code = qr_code("http://localhost/seat#abc")
    assert code["size"] == 25 + 8
    assert code["path"].startswith("M4 4h7v1H4z")
    assert "M22 4h7v1H22z" in code["path"]
    assert "M4 28h7v1H4z" in code["path"]


def test_moves_are_listed_by_rounds() -> None:
    assert rounds([(0, "a"), (1, "b"), (0, "c")]) == [
        [TurnShown(0, ((1, "a"),)), TurnShown(1, ((2, "b"),))],
        [TurnShown(0, ((3, "c"),))],
    ]
    assert rounds([(1, "a"), (1, "b"), (0, "c")]) == [
        [TurnShown(1, ((1, "a"), (2, "b")))],
        [TurnShown(0, ((3, "c"),))],
    ]
    assert rounds([]) == []


async def test_the_page_that_takes_a_seat_is_there_and_names_no_ticket(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/seat"))
        assert part(page, "seat-ticket").name == "input"
        assert json.loads(part(page, "page-data").text)["page"] == "seat"


async def test_a_table_page_weighs_at_most_58_kb_with_all_that_it_loads(tmp_path: Path) -> None:
    """Chess has the most figures. The limit is that of tests/browser/test_pages.py, compressed as browsers get it."""
    async with club(tmp_path) as here:
        answer = await asked(here.port, "/play/chess", accept_encoding="gzip")
        loaded = [path for path in links(checked(answer)) if path.startswith("/static/")]
        weights = {path: (await asked(here.port, path, accept_encoding="gzip")).size for path in loaded}
        assert any(path.endswith("js/table.js") for path in weights)
        assert answer.size + sum(weights.values()) <= 58 * 1024, (answer.size, weights)
