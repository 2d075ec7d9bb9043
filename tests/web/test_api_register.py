"""POST /api/tables: what is registered, by whom, and how everything else is refused."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from gateway.config import Limits
from gateway.lobby.lobby import Destination
from gateway.store.acts import ActLog
from gateway.store.bans import Ban
from protocols.core.model import SeatKind, TimeControl, TimeKind
from tests.hall import alternate, config
from tests.web.club import PASSWORD, TOKEN, basic, club

HOST = f"Bearer {TOKEN}"


async def test_a_table_is_registered_and_its_tickets_take_its_seats(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.register("ann", "bob")
        assert answer.status == 201
        assert f"location: /api/tables/{answer.body['id']}" in answer.head
        guests = [here.hall.dial() for _ in range(2)]
        for seat, guest in enumerate(guests):
            assert await guest.joins(f"tic_tac_toe#{answer.body['tickets'][seat]}") == seat
        await alternate(guests, 4)


async def test_what_the_host_registers_is_noted_and_what_others_register_is_not(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table = (await here.register("ann", "bot", auth=HOST)).body["id"]
        assert (await here.register("ann", "bob", auth=HOST)).status == 201
        assert (await here.register("ann", "bob", auth=HOST)).error == (409, "name_taken")
        assert (await here.register("carl", "dora")).status == 201
        assert (await here.register("carl", "eve", auth=here.has_account("carl"))).status == 201
    with closing(ActLog(f"sqlite:///{tmp_path / 'record.db'}")) as log:
        first, second = log.acts("table")
    assert (first.act, first.by, first.object) == (
        "table.registered",
        "host token from 127.0.0.1",
        f"table {table}",
    )
    assert first.detail == '{"game":"tic_tac_toe","players":"ann, bot"}'
    assert second.detail == '{"game":"tic_tac_toe","players":"ann, bob"}'


async def test_every_kind_of_seat_and_setting_can_be_asked_for(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.register("ann", "open", "bot", game="Ludo", time="600+5x30", variant="ggzboard")
        state = here.hall.state(answer.body["id"])
        assert [seat.kind for seat in state.seats] == [SeatKind.RESERVED, SeatKind.OPEN, SeatKind.BOT]
        assert [bool(ticket) for ticket in answer.body["tickets"]] == [True, False, False]
        assert state.settings.variant == "ggzboard"
        assert state.settings.time == TimeControl(TimeKind.BYOYOMI, 600.0, period_s=30.0, periods=5)


async def test_options_of_a_rule_set_may_be_texts_or_numbers(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.register("ann", "bob", game="go", options={"komi": 6.5, "size": 9})
        assert dict(here.hall.state(answer.body["id"]).settings.options)["komi"] == "6.5"


async def test_a_rule_set_of_go_may_be_asked_for_by_its_name_or_its_parts(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        named = await here.register("ann", "bob", game="go", variant="aga", options={"handicap": 4})
        parts = {"handicap": 4, "ko": "situational", "compensation": "less-one"}
        other = await here.register("carl", "dora", game="go", variant="area", options=parts)
        assert here.hall.state(named.body["id"]).settings == here.hall.state(other.body["id"]).settings
        wrong = await here.register("eve", "fay", game="go", variant="aga", options={"ko": "simple"})
        assert wrong.error == (400, "bad_option")


async def test_a_second_unfinished_game_of_a_pair_is_a_conflict(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.register("ann", "bob")
        again = await here.register("bob", "ann")
        assert again.error == (409, "name_taken")
        assert again.body["message"] == "a game between bob and ann is registered already"


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        ({"game": "tic_tac_toe"}, (400, "bad_request"), "Object missing required field `seats`"),
        ({"game": 5, "seats": []}, (400, "bad_request"), "Expected `str`, got `int` - at `$.game`"),
        ({"game": "tic_tac_toe", "seats": [5, 5]}, (400, "bad_request"), "got `int` - at `$.seats[0]`"),
        ({"game": "tic_tac_toe", "seats": ["open", "open"], "x": 1}, (400, "bad_request"), "unknown field `x`"),
        ({"game": "tic_tac_toe", "seats": ["anna", "open"]}, (400, "bad_option"), "not 'anna'"),
        ({"game": "tic_tac_toe", "seats": [{"name": "Bot"}, "open"]}, (400, "bad_option"), "can be called 'Bot'"),
        ({"game": "tic_tac_toe", "seats": ["open"]}, (400, "bad_option"), "cannot seat 1"),
        ({"game": "tic_tac_toe", "seats": ["bot", "bot"]}, (400, "bad_option"), "somebody has to play"),
        ({"game": "tic_tac_toe", "seats": ["open", "open"], "time": "x"}, (400, "bad_option"), "no time control"),
        ({"game": "tic_tac_toe", "seats": ["open", "open"], "variant": "x"}, (400, "bad_option"), "no rule set 'x'"),
        ({"game": "tic_tac_toe", "seats": ["open", "open"], "options": {"a": 1}}, (400, "bad_option"), "option 'a'"),
        ({"game": "mahjong", "seats": ["open", "open"]}, (404, "unknown_game"), "no game 'mahjong'"),
        (
            b'{"game": "chess", "seats": ["open", "open"], "game": "go"}',
            (400, "bad_request"),
            "the key 'game' stands twice in one object",
        ),
        (
            b'{"game": "chess", "seats": [{"name": "anna", "name": "eve"}, "open"]}',
            (400, "bad_request"),
            "the key 'name' stands twice",
        ),
        (b"{", (400, "bad_request"), "truncated"),
        (b"\xff", (400, "bad_request"), ""),
        (b"[" * 10_000, (400, "bad_request"), ""),
        (b" " * 20_000, (413, "too_long"), "at most 16384 bytes"),
    ],
)
async def test_what_makes_no_sense_is_refused_with_its_reason(
    tmp_path: Path, body: object, error: tuple[int, str], said: str
) -> None:
    async with club(tmp_path) as here:
        answer = await here.ask("/api/tables", body)
        assert answer.error == error
        assert said in answer.body["message"]
        assert here.hall.server.tables == {}


async def test_a_page_of_another_site_cannot_register_without_asking(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.ask("/api/tables", b"{}", kind="text/plain")
        assert answer.error == (415, "no_json")


@pytest.mark.parametrize("secret", ["Bearer guessed", "Ticket 0123456789012345678901234567890"])
async def test_whoever_guesses_secrets_waits_longer_and_longer(tmp_path: Path, secret: str) -> None:
    async with club(tmp_path) as here:
        for _ in range(Limits().unknown_tickets + 1):
            assert (await here.ask("/api/tables/1/ticket", b"", auth=secret)).error == (401, "unauthorized")
        answers = [await here.ask("/api/tables/1/ticket", b"", auth=secret) for _ in range(6)]  # waits of 1, 2, 4 ... s
        assert (429, "too_fast") in [answer.error for answer in answers]
        assert (await here.register("ann", "bob", auth=HOST)).error == (429, "too_fast")
        assert (await here.register("ann", "bob")).status == 201


async def test_a_banned_account_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        account = here.has_account("eve")
        assert (await here.register("eve", "bob", auth=account)).status == 201
        here.hall.server.bans.add(Ban("name", "Eve", "cheating"), "root")
        await here.hall.server.ban_enforcer.learn()
        refused = await here.register("eve", "carl", auth=account)
        assert (refused.error, refused.body["message"]) == ((403, "banned"), "you are banned here: cheating")


async def test_a_host_alone_registers_where_it_is_set_so(tmp_path: Path) -> None:
    async with club(tmp_path, who="admin") as here:
        account = here.has_account("ann")
        assert (await here.register("ann", "bob")).error == (401, "unauthorized")
        assert (await here.register("ann", "bob", auth=account)).error == (403, "forbidden")
        assert (await here.register("ann", "bob", auth=HOST)).status == 201


async def test_accounts_register_where_it_is_set_so(tmp_path: Path) -> None:
    async with club(tmp_path, who="accounts") as here:
        account = here.has_account("ann")
        refused = await here.register("ann", "bob")
        assert refused.error == (401, "unauthorized")
        assert 'www-authenticate: basic realm="boardgate"' in refused.head
        assert (await here.register("ann", "bob", auth=account)).status == 201


async def test_a_page_is_not_asked_for_a_password_by_a_dialog_of_its_browser(tmp_path: Path) -> None:
    """A browser shows one where an answer asks a page's script for Basic."""
    async with club(tmp_path, who="accounts") as here:
        wrong = await here.ask("/api/seat", auth="Ticket not-a-ticket-of-this-server")
        body = {"game": "tic_tac_toe", "seats": ["open", "open"]}
        stranger = await here.ask("/api/tables", body, headers=["Origin: http://here"])
        for refused in (wrong, stranger):
            assert refused.error == (401, "unauthorized")
            assert 'www-authenticate: bearer realm="boardgate"' in refused.head
            assert "basic" not in refused.head


async def test_the_name_of_an_account_is_registered_by_its_owner(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann = here.has_account("Ann")
        assert (await here.register("ann", "bob")).error == (401, "unauthorized")
        answer = await here.register("ann", "bob", auth=ann)
        assert all(answer.body["tickets"])


async def test_a_guest_gets_another_name_than_an_accounts_and_hears_of_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("ann")
        assert here.hall.server.lobby.names.choose("ann") == "ann-2"


@pytest.mark.parametrize(
    "auth",
    [
        "Bearer wrong",
        basic("ann", "wrong horse"),
        basic("nobody", PASSWORD),
        "Basic !",
        "Basic YW5u",
        "Ticket short",
        "Ticket 0123456789012345678901234567890",
        "Digest x",
    ],
)
async def test_who_presents_something_unknown_is_no_guest(tmp_path: Path, auth: str) -> None:
    async with club(tmp_path) as here:
        here.has_account("ann")
        answer = await here.register("carl", "bob", auth=auth)
        assert (answer.status, dict(here.hall.server.tables)) == (401, {})


async def test_a_rated_game_is_between_accounts(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann = here.has_account("ann")
        here.has_account("bob")
        for seat in ("carl", "open"):
            answer = await here.register("ann", seat, rated=True, auth=ann)
            assert answer.error == (400, "bad_option")
            assert "a rated game is between accounts" in answer.body["message"]
        answer = await here.register("ann", "bob", rated=True, auth=ann)
        assert here.hall.state(answer.body["id"]).settings.rated
        assert [bool(ticket) for ticket in answer.body["tickets"]] == [True, False]


async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with club(tmp_path, config(tables=1)) as here:
        await here.register("ann", "bob")
        assert (await here.register("carl", "dora")).error == (503, "overload")


async def test_a_guests_address_has_a_bound(tmp_path: Path) -> None:
    async with club(tmp_path, tables_per_address=1) as here:
        await here.register("ann", "bob")
        assert (await here.register("carl", "dora")).error == (429, "too_fast")
        assert (await here.register("carl", "dora", auth=HOST)).status == 201


async def test_the_owner_of_an_account_fetches_the_ticket_that_another_did_not_get(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann, bob = here.has_account("ann"), here.has_account("Bob")
        made = (await here.register("ann", "bob", auth=ann)).body
        assert made["tickets"][1] == ""
        fetched = (await here.ask(f"/api/tables/{made['id']}/ticket", b"", auth=bob)).body
        assert fetched["seat"] == 1
        assert await here.hall.dial().joins(f"tic_tac_toe#{fetched['ticket']}") == 1


async def test_a_new_ticket_ends_the_old_one_and_leaves_who_sits_there(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann = here.has_account("ann")
        made = (await here.register("ann", "bob", auth=ann)).body
        guests = [here.hall.dial() for _ in range(2)]
        for guest, ticket in zip(guests, made["tickets"], strict=True):
            await guest.joins(f"tic_tac_toe#{ticket}")
        fetched = (await here.ask(f"/api/tables/{made['id']}/ticket", b"", auth=ann)).body
        await alternate(guests, 4, 0)
        lobby = here.hall.server.lobby
        assert lobby.by_ticket(made["tickets"][0]) is None
        assert lobby.by_ticket(fetched["ticket"]) == Destination(made["id"], 0)
        again = here.hall.dial()
        assert await again.joins(f"tic_tac_toe#{fetched['ticket']}") == 0
        assert await again.puts(1) == (0,)


async def test_a_new_ticket_is_stored(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann = here.has_account("ann")
        made = (await here.register("ann", "bob", auth=ann)).body
        fetched = (await here.ask(f"/api/tables/{made['id']}/ticket", b"", auth=ann)).body
    async with club(tmp_path) as here:
        assert here.hall.server.lobby.by_ticket(fetched["ticket"]) == Destination(made["id"], 0)
        assert here.hall.server.lobby.by_ticket(made["tickets"][0]) is None


async def test_nobody_gets_a_ticket_for_a_seat_of_another_name(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        eve = here.has_account("eve")
        made = (await here.register("ann", "bob")).body
        path = f"/api/tables/{made['id']}/ticket"
        assert (await here.ask(path, b"", auth=eve)).error == (400, "not_seated")
        assert (await here.ask("/api/tables/99/ticket", b"", auth=eve)).error == (400, "not_seated")
        assert (await here.ask(path, b"")).error == (401, "unauthorized")
        assert (await here.ask(path, b"", auth=HOST)).error == (403, "forbidden")
