"""Words that the host wants nobody to say: whole, by their beginnings, however they are spelled."""

from __future__ import annotations

import pytest

from gateway.lobby import word_filter
from gateway.lobby.names import Names
from gateway.lobby.word_filter import BadWords, WordFilter
from protocols.core.errors import Refused, Why

LIST = """
# what a host may find rude
twit        # and what follows is a remark
blast*
Дурак
idiot
"""


def filter_of(text: str = LIST) -> WordFilter:
    made = WordFilter()
    made.learn(text.splitlines())
    return made


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("you twit!", "you ****!"),
        ("TWIT, Twit and tw1t", "****, **** and ****"),
        ("twït twi\u0308t", "**** *****"),
        ("you twits have twitched", "you twits have twitched"),
        ("blast, blasted, BLASTING", "*****, *******, ********"),
        ("a counterblast", "a counterblast"),
        ("дурак ДУРАК durak", "***** ***** durak"),
        ("тwit twіt ｔｗｉｔ", "**** **** ****"),
        ("IDIOT 1D|OT idl0t", "***** ***** *****"),
        ("my_twit-twit.twit", "my_****-****.****"),
        ("tvvit", "*****"),
        ("t w i t", "t w i t"),
        ("", ""),
    ],
)
def test_a_word_is_starred_letter_by_letter_however_it_is_spelled(said: str, seen: str) -> None:
    assert filter_of().masked(said) == seen


def test_what_has_no_such_word_is_the_same_text_and_so_is_everything_without_a_list() -> None:
    text = "a good game, thank you"
    assert filter_of().masked(text) is text
    assert WordFilter().masked("you twit") == "you twit"
    assert len(WordFilter()) == 0


def test_marks_that_are_vowels_make_another_word() -> None:
    assert filter_of("कल").masked("कल काल") == "** काल"


def test_a_new_list_takes_the_place_of_the_old_one_and_a_wrong_one_does_not() -> None:
    words = filter_of()
    assert len(words) == 4
    words.learn(["gosh"])
    assert (words.masked("gosh, you twit"), len(words)) == ("****, you twit", 1)
    with pytest.raises(BadWords) as wrong:
        words.learn(["twit", "", "two words"])
    assert str(wrong.value) == "line 3: 'two words' is not one word of letters and digits"
    assert words.masked("gosh, you twit") == "****, you twit"


@pytest.mark.parametrize("line", ["*", "a*b", "f-word", "x" * 65, "good **"])
def test_a_line_is_one_word(line: str) -> None:
    with pytest.raises(BadWords):
        filter_of(line)


def test_a_list_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_filter, "MOST_WORDS", 2)
    filter_of("one\ntwo")
    with pytest.raises(BadWords) as wrong:
        filter_of("one\ntwo\nthree")
    assert str(wrong.value) == "more than 2 words"


@pytest.mark.parametrize("name", ["twit", "Big Twit", "x_TWIT_x", "twit99", "7blasted", "idi0t", "Blaster"])
def test_a_guest_is_not_called_so(name: str) -> None:
    with pytest.raises(Refused) as refused:
        Names(filter_of()).choose(name)
    assert refused.value.why is Why.BAD_OPTION
    assert refused.value.text == "a word of this name is not used here; choose another name"


def test_an_account_that_has_the_name_already_keeps_it() -> None:
    assert Names(filter_of()).choose("twit", account="Twit") == "Twit"
    assert Names(filter_of()).choose("twitcher") == "twitcher"
    assert Names().choose("twit") == "twit"
