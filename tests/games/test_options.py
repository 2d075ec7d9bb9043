"""Options that a game declares: what is read, what is refused, and what settings keep."""

from __future__ import annotations

import pytest

from gateway import registry
from gateway.games.options import RESERVED, Choice, Number, check_names, chosen, read
from protocols.core.errors import Refused, Why

SIZE = Number(name="size", title="Board", text="of squares", usual="8", least=4, most=12, step=2, shown="{0}x{0}")
SHARE = Number(name="share", title="Share", text="of the stake", least=-1, most=1, step=0.1)
TEMPO = Number(name="tempo", title="Tempo", text="of the drum", step=0, rules=("fast",))
GATE = Choice(name="gate", title="Gate", text="where", words=(("n", "north"), ("s", "south")), usual="n")
ALL = (SIZE, SHARE, TEMPO, GATE)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (SIZE, "6", "6"),
        (SIZE, " 6.0 ", "6"),
        (SIZE, "10X10", "10"),
        (SHARE, "0.30", "0.3"),
        (SHARE, "-1", "-1"),
        (TEMPO, "1e2", "100"),
        (TEMPO, "-7.125", "-7.125"),
        (GATE, " S ", "s"),
    ],
)
def test_a_value_is_kept_in_one_spelling(option: Number | Choice, text: str, value: str) -> None:
    assert option.read(text) == value


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        (SIZE, "5", "a number in steps of 2 from 4 to 12, not '5'"),
        (SIZE, "14", "a number in steps of 2 from 4 to 12, not '14'"),
        (SIZE, "6x8", "a number in steps of 2 from 4 to 12, not '6x8'"),
        (SIZE, "", "a number in steps of 2 from 4 to 12, not ''"),
        (SHARE, "0.35", "a number in steps of 0.1 from -1 to 1, not '0.35'"),
        (TEMPO, "nan", "a number, not 'nan'"),
        (TEMPO, "9" * 99, "a number, not '99999999999999999999'"),
        (GATE, "west", "n or s, not 'west'"),
    ],
)
def test_what_is_no_value_is_shown_with_what_there_is(option: Number | Choice, text: str, said: str) -> None:
    with pytest.raises(ValueError, match="not") as caught:
        option.read(text)
    assert str(caught.value) == said


def test_settings_keep_what_is_not_usual_sorted() -> None:
    asked = {"size": "8x8", "share": "0.5", "gate": "S", "tempo": ""}
    assert chosen(ALL, asked, "drums", "fast") == (("gate", "s"), ("share", "0.5"))
    assert read(ALL, asked, "drums") == {"gate": "s", "share": "0.5", "size": "8"}


@pytest.mark.parametrize(
    ("asked", "option", "text"),
    [
        ({"colour": "red", "size": "8"}, "colour", "drums has no option 'colour'"),
        ({"size": "9"}, "size", "size is a number in steps of 2 from 4 to 12, not '9'"),
        ({"tempo": "9"}, "tempo", "'tempo' is an option of fast, not of slow"),
    ],
)
def test_a_refusal_names_the_option(asked: dict[str, str], option: str, text: str) -> None:
    with pytest.raises(Refused) as caught:
        chosen(ALL, asked, "drums", "slow")
    assert (caught.value.why, caught.value.option, caught.value.text) == (Why.BAD_OPTION, option, text)


def test_a_short_list_is_offered_and_a_long_one_is_written() -> None:
    assert SIZE.offered(5) == (("4", "4x4"), ("6", "6x6"), ("8", "8x8"), ("10", "10x10"), ("12", "12x12"))
    assert SIZE.offered(4) == TEMPO.offered(9) == ()
    assert len(SHARE.offered(21)) == 21
    assert GATE.offered(1) == GATE.words


@pytest.mark.parametrize("name", ["side", "Size", "2nd", "a b", ""])
def test_a_name_that_means_something_else_is_no_options(name: str) -> None:
    with pytest.raises(ValueError, match="no option can be called"):
        check_names((Number(name=name, title="", text=""),))


def test_two_options_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="'size'"):
        check_names((SIZE, SIZE))


@pytest.mark.parametrize("name", registry.games())
def test_every_option_of_ours_reads_what_it_offers_and_what_is_usual(name: str) -> None:
    game = registry.games()[name]
    for option in game.options:
        values = [value for value, _ in option.offered(1000)] + ([option.usual] if option.usual else [])
        assert [option.read(value) for value in values] == values
        assert option.title
        assert option.text
        assert option.name not in RESERVED
        assert set(option.rules) <= {variant.name for variant in game.variants}
