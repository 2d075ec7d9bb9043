"""Names that look alike are one name, and invisible characters are refused."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.lobby.names import Names, check
from gateway.lobby.spelling import LOOKS, MARKS, fault, keys, tidy
from protocols.core.errors import Refused, Why


@pytest.mark.parametrize(
    "name",
    [
        "O'Brien (2+1)",
        "José",
        "Łukasz",
        "Þórður",
        "Nguyễn Văn",
        "Əli",
        "Иван Ёлкин",
        "Σωκράτης",
        "田中ひろし",
        "スーパー",
        "김철수 2",
        "שרה",
        "علي",
        "अर्जुन",
        "สมชาย",
    ],
)
def test_names_of_many_languages_are_names(name: str) -> None:
    assert check(name) == name


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("\u0430lice", "letters of one script only, not CYRILLIC and LATIN"),
        ("Ωmega", "letters of one script only, not GREEK and LATIN"),
        ("田中Taro", "letters of one script only, not EAST ASIAN and LATIN"),
        ("alice\u202e", "printable characters"),
        ("al\u200bice", "printable characters"),
        ("al\u00adice", "printable characters"),
        ("al\u2066ice", "printable characters"),
        ("alice\U000e0061", "printable characters"),
        ("alice\ufe0f", "U+FE0F does not belong into a name here"),
        ("al\u034fice", "U+034F does not belong into a name here"),
        ("a\u3164b", "U+1160 does not belong into a name here"),
        ("a\u2800b", "U+2800 does not belong into a name here"),
        ("o\u0338ut", "U+0338 does not belong into a name here"),
        ("ann\u0251", "U+0251 does not belong into a name here"),
        ("b\u01c0ue", "U+01C0 does not belong into a name here"),
        ("ᎪᏞᏟ", "U+13AA does not belong into a name here"),
        ("al‐ice", "U+2010 does not belong into a name here"),
        ("٥٥ علي", "U+0665 does not belong into a name here"),
        ("\u0301alice", "U+0301 does not belong into a name here"),
        ("a" + "\u0331" * (MARKS + 1), "U+0331 does not belong into a name here"),
    ],
)
def test_what_hides_or_pretends_something_is_refused_and_named(wanted: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        check(wanted)
    assert refused.value.why is Why.BAD_OPTION
    assert said in refused.value.text


@pytest.mark.parametrize("written", ["ａｌｉｃｅ", "𝒶𝓁𝒾𝒸ℯ", "ⓐlice", "alice\u00a0", "\u3000alice"])
def test_ornamental_letters_and_blanks_become_plain_ones(written: str) -> None:
    assert check(written) == "alice"


def test_one_name_is_one_name_however_its_accents_are_put_together() -> None:
    assert check("Jose\u0301") == check("Jos\u00e9") == "Jos\u00e9"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("coco", "\u0441\u043e\u0441\u043e"),
        ("COBA", "СОВА"),
        ("Ana", "Апа"),
        ("alice", "aIice"),
        ("ALlCE", "AL1CE"),
        ("bob", "b0b"),
        ("tom", "torn"),
        ("william", "vvilliam"),
        ("Straße", "STRASSE"),
        ("ıris", "iris"),
        ("カ", "力"),
    ],
)
def test_names_that_look_alike_are_one(name: str, other: str) -> None:
    assert not keys(name).isdisjoint(keys(other))
    held = Names()
    held.hold(name)
    assert held.choose(other) == f"{check(other)}-2"


@pytest.mark.parametrize(
    ("name", "other"), [("Ali", "All"), ("anna", "änna"), ("Иван", "Ivan"), ("guest-1", "guest-11")]
)
def test_names_that_do_not_look_alike_are_two(name: str, other: str) -> None:
    assert keys(name).isdisjoint(keys(other))


def test_an_account_owns_what_looks_like_its_name() -> None:
    names = Names()
    names.own(["coco"])
    assert names.owned("\u0441\u043e\u0441\u043e")
    assert names.owned("ｃｏｃｏ")
    assert names.choose("C0CO") == "C0CO-2"


@pytest.mark.parametrize("wanted", ["bot-1", "BOT-12", "b0t-1", "bot-l", "bot-I0"])
def test_nobody_looks_like_a_house_bot(wanted: str) -> None:
    with pytest.raises(Refused, match="what house bots are called"):
        check(wanted)


@pytest.mark.parametrize("wanted", ["gateway", "Gateway", "gatevvay", "GATEWAY", "Boardgate", "b0ardgate", "The House"])
def test_nobody_looks_like_the_server(wanted: str) -> None:
    with pytest.raises(Refused, match="what the server is called"):
        check(wanted)


@given(st.text(max_size=20))
def test_what_is_checked_is_plain_and_stays_as_it_is(wanted: str) -> None:
    try:
        name = check(wanted)
    except Refused:
        return
    assert check(name) == tidy(name) == name
    assert {unicodedata.category(char) for char in name}.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"})
    assert fault(name) == ""


def test_a_look_is_not_taken_for_yet_another() -> None:
    assert {chr(letter) for letter in LOOKS}.isdisjoint("".join(str(look) for look in LOOKS.values()))
