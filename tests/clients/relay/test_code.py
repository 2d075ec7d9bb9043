"""A relay code is read back as it was made, and a typing error is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.relay.code import ALPHABET, SECRET_LENGTH, Code, NotACode, new_code, read_code

CODES = st.builds(
    Code,
    st.text("23456789bcdfghjkmnpqrstvwxz", min_size=6, max_size=8),
    st.text(ALPHABET, min_size=SECRET_LENGTH, max_size=SECRET_LENGTH),
)


@given(CODES)
def test_a_code_is_read_as_it_was_made(code: Code) -> None:
    assert read_code(str(code)) == code


def test_a_code_is_the_room_and_the_secret_in_groups_of_six() -> None:
    shown = str(Code("k7fq9x", "h2m4t7w9qz3c5r8vbdfg23"))
    assert shown.startswith("k7fq9x-h2m4t7-w9qz3c-5r8vbd-fg23")
    assert [len(group) for group in shown.split("-")] == [6, 6, 6, 6, 6]


def test_capitals_blanks_and_other_groups_do_not_matter() -> None:
    code = new_code("k7fq9x")
    room, *groups = str(code).upper().split("-")
    assert read_code(f"  {room}-{' '.join(groups)}\n") == code
    assert read_code(f"{room}-{''.join(groups)}") == code


@given(CODES, st.data())
def test_any_one_wrong_symbol_is_found(code: Code, data: st.DataObject) -> None:
    text = str(code)
    at = data.draw(st.sampled_from([at for at, symbol in enumerate(text) if symbol != "-"]))
    wrong = data.draw(st.sampled_from([symbol for symbol in ALPHABET if symbol != text[at]]))
    with pytest.raises(NotACode, match="typing error"):
        read_code(text[:at] + wrong + text[at + 1 :])


@given(CODES, st.data())
def test_two_neighbours_exchanged_are_found(code: Code, data: st.DataObject) -> None:
    symbols = str(code).partition("-")[2].replace("-", "")
    pairs = [at for at in range(len(symbols) - 1) if symbols[at] != symbols[at + 1]]
    if not pairs:
        return
    at = data.draw(st.sampled_from(pairs))
    exchanged = symbols[:at] + symbols[at + 1] + symbols[at] + symbols[at + 2 :]
    with pytest.raises(NotACode, match="typing error"):
        read_code(f"{code.room}-{exchanged}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no relay code"),
        ("k7fq9x", "the public half of a code only"),
        ("k7fq9x-", "the public half of a code only"),
        ("k7fq9x-h2m4t7-w9qz", "not whole: 10 symbols after the first dash, not 24"),
        ("k7fq9x-h2m4t7-w9qz3c-5r8v0o-h2m4t7", "a code has no '0', 'o'"),
        ("https://games.example.org", "is no relay code"),
    ],
)
def test_what_is_no_code_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(NotACode, match=said):
        read_code(text)


def test_every_code_is_new_and_its_repr_has_no_secret() -> None:
    codes = [new_code("k7fq9x") for _ in range(100)]
    assert len({code.secret for code in codes}) == 100
    assert codes[0].secret not in repr(codes[0])
