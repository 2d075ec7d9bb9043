"""Boards in chromium: a person chooses moves by mouse, touch and keys, in every way that the games need."""

from __future__ import annotations

import pytest

from tests import peers
from tests.browser.board_page import Scene, shown
from tests.browser.visitors import ON_A_PHONE, Visitors, too_wide, violations

pytestmark = peers.needed

CHESS = Scene("chess")
FOUR_PLIES = ("e4", "e5", "Nf3", "Nc6")
PROMOTING = Scene("chess", start="1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
POCKETS = Scene("chess", "crazyhouse", ("e4", "d5", "exd5", "Qxd5"))


def test_the_servers_drawing_is_adopted_and_not_drawn_again(people: Visitors) -> None:
    page = shown(people, CHESS.after(*FOUR_PLIES))
    assert page.page.locator("svg.board-picture").count() == 1
    assert page.pieces() == page.expected_pieces()


def test_a_page_without_drawing_draws_the_same(people: Visitors) -> None:
    scene = CHESS.after(*FOUR_PLIES)
    picture = "document.querySelector('.board-picture > .pieces').innerHTML"
    assert shown(people, scene, drawn_before=False).page.evaluate(picture).replace(' class=""', "") == shown(
        people, scene
    ).page.evaluate(picture)


def test_a_move_by_two_clicks(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.click("e2")
    assert page.cell("e4").get_attribute("aria-label") == "e4, empty, possible"
    assert page.cell("e2").get_attribute("aria-selected") == "true"
    page.click("e4")
    assert page.chosen() == [page.move("e2", "e4")]


def test_a_move_by_dragging(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.drag("g1", "f3")
    assert page.chosen() == [page.move("g1", "f3")]


def test_a_piece_dragged_to_where_it_cannot_go_is_put_back(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.drag("g1", "g4")
    assert page.chosen() == []
    assert page.page.locator(".lifted").count() == 0
    assert page.cell("g1").get_attribute("aria-selected") is None


def test_a_move_by_touch(people: Visitors) -> None:
    page = shown(people, CHESS, **ON_A_PHONE)
    page.tap("d2", "d4")
    assert page.chosen() == [page.move("d2", "d4")]


def test_a_move_by_keys(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.keys(
        "Tab", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"
    )
    assert page.said()[-1] == "b2 chosen, 2 moves: b3, b4" or page.said()[-1] == "b2 chosen, 2 moves: b4, b3"
    page.keys("ArrowUp", "ArrowUp", "Enter")
    assert page.chosen() == [page.move("b2", "b4")]


def test_keys_go_to_the_ends_of_row_and_board_and_escape_takes_back(people: Visitors) -> None:
    page = shown(people, CHESS)
    focused = "document.activeElement.getAttribute('aria-label')"
    for key, name in (("Control+End", "h1"), ("Home", "a1"), ("PageUp", "a8"), ("End", "h8"), ("Control+Home", "a8")):
        if key == "Control+End":
            page.page.evaluate("window.board.focus()")
        page.keys(key)
        assert page.page.evaluate(focused).startswith(f"{name},"), key
    page.keys("n")
    assert page.page.evaluate(focused) == "a2, white pawn, can move"
    page.keys("Enter", "Escape")
    assert page.cell("a2").get_attribute("aria-selected") is None


def test_the_board_has_one_tab_stop(people: Visitors) -> None:
    page = shown(people, CHESS)
    assert page.page.locator('.grid [tabindex="0"]').count() == 1
    page.click("e2")
    assert page.page.locator('.grid [tabindex="0"]').get_attribute("data-square") == str(page.scene.square("e2"))


def test_from_the_other_side_arrows_go_where_they_point(people: Visitors) -> None:
    page = shown(people, CHESS.after("e4"), seat=1)
    page.click("e7")
    page.keys("ArrowUp", "ArrowUp", "Enter")
    assert page.chosen() == [page.move("e7", "e5")]
    assert page.middle("a8")[0] > page.middle("h8")[0]


def test_another_own_piece_is_chosen_instead(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.click("e2", "d2", "d4")
    assert page.chosen() == [page.move("d2", "d4")]


def test_a_square_without_a_move_is_said(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.click("e5")
    assert page.chosen() == []
    assert page.said() == ["e5: no move there"]


def test_a_chosen_move_is_painted_at_once_and_taken_off_by_a_refusal(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.click("e2", "e4")
    assert page.page.locator(".foreseen .piece").get_attribute("data-at") == str(page.scene.square("e4"))
    assert page.page.locator(".piece.faded").count() == 1
    page.click("d2", "d4")
    assert len(page.chosen()) == 1, "one move at a time"
    page.page.evaluate("window.board.refuse()")
    assert page.page.locator(".foreseen, .faded").count() == 0
    page.click("d2", "d4")
    assert len(page.chosen()) == 2


def test_an_event_of_the_move_makes_it_firm(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.click("e2", "e4")
    page.show(CHESS.after("e4"))
    assert page.page.locator(".foreseen, .faded").count() == 0
    assert page.pieces() == page.expected_pieces()


def test_a_pawn_becomes_what_is_chosen_in_a_menu(people: Visitors) -> None:
    page = shown(people, PROMOTING)
    page.click("a7", "b8")
    page.page.get_by_role("button", name="rook").click()
    assert page.chosen() == [page.move("a7", "b8", "rook")]


def test_the_menu_of_a_promotion_is_left_by_escape_and_walked_by_arrows(people: Visitors) -> None:
    page = shown(people, PROMOTING)
    page.click("a7", "a8")
    page.keys("Escape")
    assert page.chosen() == []
    assert page.page.get_by_role("dialog").count() == 0
    page.click("a8")
    page.keys("ArrowRight", "Enter")
    assert page.chosen()[0]["piece"] == PROMOTING.legal()[-1]["as"][1]


def test_a_piece_in_hand_is_placed_by_tap_and_tap(people: Visitors) -> None:
    page = shown(people, POCKETS)
    page.page.get_by_role("button", name="1 pawn, place one").click()
    page.click("e4")
    assert page.chosen() == [page.move("", "e4", "pawn")]


def test_a_piece_in_hand_is_dragged_to_its_square(people: Visitors) -> None:
    page = shown(people, POCKETS)
    box = page.page.get_by_role("button", name="1 pawn, place one").bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + 15, box["y"] + 15)
    page.page.mouse.down()
    page.page.mouse.move(*page.middle("d4"), steps=5)
    page.page.mouse.up()
    assert page.chosen() == [page.move("", "d4", "pawn")]


@pytest.mark.parametrize("width", [320, 390])
def test_a_hand_of_six_sorts_is_one_row_on_a_phone(people: Visitors, width: int) -> None:
    page = shown(people, Scene("arimaa"), **{**ON_A_PHONE, "viewport": {"width": width, "height": 640}}).page
    for hand in page.locator(".hand").all():
        boxes = [box for held in hand.locator(".held").all() if (box := held.bounding_box())]
        assert len(boxes) == 6
        assert len({box["y"] for box in boxes}) == 1
        assert min(min(box["width"], box["height"]) for box in boxes) >= 40
    assert too_wide(page) == []
    assert violations(page) == []


def test_the_other_sides_hand_cannot_be_chosen(people: Visitors) -> None:
    page = shown(people, POCKETS)
    assert page.page.locator(".hand button").count() == 1
    assert page.page.locator(".hand span.held").count() == 1


def test_pieces_to_be_set_up_are_asked_for_at_the_square(people: Visitors) -> None:
    page = shown(people, Scene("arimaa"))
    page.click("e1")
    page.page.get_by_role("button", name="elephant", exact=True).click()
    assert page.chosen() == [page.move("", "e1", "elephant")]


def test_a_stone_is_one_tap(people: Visitors) -> None:
    page = shown(people, Scene("go", options={"size": "9"}))
    page.click("E5")
    assert page.chosen() == [page.move("", "E5", "black")]


def test_connect_four_takes_the_column_whichever_square_is_clicked(people: Visitors) -> None:
    page = shown(people, Scene("connect_four", line=("d", "d")))
    page.click("d6")
    assert page.chosen() == [page.move("", "d3", "red")]


def test_a_die_leaves_one_move_a_piece_and_one_tap_makes_it(people: Visitors) -> None:
    page = shown(people, Scene("ludo", line=("roll 6",)))
    first = page.scene.legal()[0]
    page.page.locator(f'[data-square="{first["from"]}"]').click()
    assert page.chosen() == [{"from": first["from"], "to": first["to"][0], "piece": ""}]


def test_a_piece_that_must_go_on_is_chosen_already(people: Visitors) -> None:
    jumps = Scene("checkers", start=".b....../..w...../......../....w.../......../......../......../w....... 0")
    page = shown(people, jumps)
    page.click("1", "10")
    scene = jumps.after("1x10")
    page.show(scene)
    page.offer(scene.legal())
    page.click("19")
    assert page.chosen() == [page.move("1", "10"), page.move("10", "19")]


def test_a_piece_that_cannot_move_shows_those_that_must(people: Visitors) -> None:
    forced = Scene("checkers", start=".b...b../..w...../......../....w.../......../......../......../w....... 0")
    page = shown(people, forced)
    page.click("3")
    must = page.page.locator(".cell.must")
    assert must.evaluate_all("cells => cells.map(cell => +cell.dataset.square)") == [page.scene.square("1")]
    assert page.said()[-1] == "3: no move there. Can move: 1"
    page.click("1")
    assert must.count() == 0
    assert page.cell("1").get_attribute("aria-selected") == "true"


def test_where_most_pieces_can_move_a_press_of_another_shows_none(people: Visitors) -> None:
    page = shown(people, Scene("chess"))
    page.click("a1")
    assert page.page.locator(".cell.must").count() == 0
    assert page.said()[-1] == "a1: no move there"


def test_stones_are_marked_one_by_one_while_a_score_is_settled(people: Visitors) -> None:
    page = shown(people, Scene("go", options={"size": "9"}, line=("E5", "C3")), offered=False)
    page.offer([], mode="mark")
    page.click("C3", "A1")
    assert page.chosen() == [page.move("", "C3")]
    page.page.evaluate("at => window.board.show({board: [...window.board.board], dead: [at]})", page.scene.square("C3"))
    assert page.page.locator(".piece.dead").count() == 1
    assert "marked dead" in (page.cell("C3").get_attribute("aria-label") or "")


def test_a_stone_is_seen_under_the_mouse_where_it_may_be_placed(people: Visitors) -> None:
    scene = Scene("go", options={"size": "9"}, line=("E5",))
    page = shown(people, scene, seat=1)
    ghost = page.page.locator(".ghost .piece")
    page.cell("C3").hover()
    assert ghost.get_attribute("data-at") == str(scene.square("C3"))
    assert ghost.locator("use").get_attribute("fill") == scene.look.pieces["white"].fill
    page.cell("E5").hover()
    assert ghost.count() == 0
    page.cell("C3").hover()
    page.offer(None)
    assert ghost.count() == 0


def test_an_observer_chooses_nothing(people: Visitors) -> None:
    page = shown(people, CHESS, seat=None)
    page.click("e2", "e4")
    assert page.chosen() == []


@pytest.mark.parametrize(("kept", "moves"), [(True, 1), (False, 0)])
def test_a_move_is_prepared_and_made_when_it_is_legal(people: Visitors, kept: bool, moves: int) -> None:
    page = shown(people, CHESS.after("e4"), seat=0, offered=False)
    page.click("g1", "f3")
    assert page.page.locator(".premove").count() == 2
    assert page.said()[-1] == "Prepared: g1 to f3"
    if not kept:
        page.keys("Escape")
        assert page.page.locator(".premove").count() == 0
    scene = CHESS.after("e4", "e5")
    page.show(scene)
    page.offer(scene.legal())
    assert page.chosen() == [page.move("g1", "f3")] * moves


def test_a_prepared_move_that_is_not_legal_is_said_and_forgotten(people: Visitors) -> None:
    page = shown(people, CHESS.after("e4"), seat=0, offered=False)
    page.click("e4", "e5")
    scene = CHESS.after("e4", "e5")
    page.show(scene)
    page.offer(scene.legal())
    assert page.chosen() == []
    assert page.said()[-1] == "The prepared move e4 to e5 is not possible"


def test_nothing_is_prepared_when_the_game_is_over(people: Visitors) -> None:
    page = shown(people, CHESS.after("e4"), seat=0, offered=False)
    page.offer(None, premove=False)
    page.click("g1", "f3")
    assert page.page.locator(".premove").count() == 0


def test_every_move_is_confirmed_by_who_wants_it_so(people: Visitors) -> None:
    page = shown(people, CHESS)
    page.page.evaluate("document.documentElement.dataset.confirm = 'on'")
    page.click("e2", "e4")
    page.page.get_by_role("button", name="Cancel").click()
    assert page.chosen() == []
    page.click("e4")
    page.page.get_by_role("button", name="Play e2 to e4").click()
    assert page.chosen() == [page.move("e2", "e4")]


def test_a_move_of_the_opponent_slides_unless_motion_is_reduced(people: Visitors) -> None:
    for reduced, sliding in (("no-preference", 1), ("reduce", 0)):
        page = shown(people, CHESS, reduced_motion=reduced)
        assert page.show(CHESS.after("e4"), animate=True) == sliding
        assert page.pieces() == page.expected_pieces()


def test_the_board_is_told_in_words(people: Visitors) -> None:
    page = shown(people, Scene("chess", start="4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1"))
    page.page.evaluate("window.board.focus()")
    page.keys("d")
    assert page.said() == ["black king e8. white king e1. white pawn a2, e2."]


def test_check_is_said_in_the_squares_name(people: Visitors) -> None:
    page = shown(people, CHESS.after("f3", "e5", "g4", "Qh4#"))
    assert page.cell("e1").get_attribute("aria-label") == "e1, white king, in check"


@pytest.mark.parametrize("width", [320, 1280])
def test_the_board_fits_its_window(people: Visitors, width: int) -> None:
    for scene in (CHESS, Scene("connect_four"), Scene("go")):
        page = shown(people, scene, viewport={"width": width, "height": 640})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        box = page.page.locator("svg.board-picture").bounding_box()
        assert box is not None
        assert box["height"] <= 640 - 100


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["chess", "go", "ludo", "arimaa", "connect_four", "checkers", "open"])
def test_axe_finds_nothing(people: Visitors, game: str, scheme: str) -> None:
    page = shown(people, Scene(game, line=("roll 6",) if game == "ludo" else ()), color_scheme=scheme)
    assert violations(page.page) == []
