"""The host's list of words is read from a file, and again when that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.config import BadSetting
from gateway.ops import word_file
from gateway.ops.word_file import WordFile


def test_a_file_is_read_at_the_start_and_anew(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("twit\n# nothing\n")
    words = WordFile(str(path))
    masked = words.filter.masked
    assert masked("you twit, gosh") == "you ****, gosh"
    path.write_text("gosh\nblast*\n")
    assert words.reread() == 2
    assert masked("you twit, gosh") == "you twit, ****"


def test_a_file_that_is_wrong_now_leaves_the_words_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("twit\n")
    words = WordFile(str(path))
    path.write_text("two words\n")
    with pytest.raises(BadSetting) as wrong:
        words.reread()
    assert str(wrong.value) == f"[server] words_file {path}: line 1: 'two words' is not one word of letters and digits"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadSetting):
        words.reread()
    path.unlink()
    with pytest.raises(BadSetting, match="No such file"):
        words.reread()
    assert words.filter.masked("twit") == "****"


def test_a_file_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_file, "MOST_BYTES", 4)
    path = tmp_path / "words"
    path.write_text("twit\n")
    with pytest.raises(BadSetting, match="more than 4 characters"):
        WordFile(str(path))


def test_no_file_is_no_word() -> None:
    words = WordFile("")
    assert (words.reread(), len(words.filter)) == (0, 0)
