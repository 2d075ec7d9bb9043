"""The host's list of words is read from a file, and again when that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gateway.config import BadSetting, Config, Server
from gateway.ops import word_file
from gateway.ops.word_file import WordFile


def named(path: Path) -> Config:
    return Config(server=Server(words_file=str(path)))


def test_a_file_is_read_at_the_start_and_anew(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("twit\n# nothing\n")
    words = WordFile(named(path))
    masked = words.filter.masked
    assert masked("you twit, gosh") == "you ****, gosh"
    path.write_text("gosh\nblast*\n")
    words.reread(named(path))
    assert len(words.filter) == 2
    assert masked("you twit, gosh") == "you twit, ****"


def test_a_file_that_is_wrong_now_leaves_the_words_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("twit\n")
    words = WordFile(named(path))
    path.write_text("two words\n")
    with capture_logs() as logged:
        words.reread(named(path))
        path.write_bytes(b"\xff\xfe")
        words.reread(named(path))
        path.unlink()
        words.reread(named(path))
    first, second, third = (line["error"] for line in logged)
    assert first == f"[server] words_file {path}: line 1: 'two words' is not one word of letters and digits"
    assert "utf-8" in second
    assert "No such file" in third
    assert words.filter.masked("twit") == "****"


def test_a_file_that_is_wrong_at_the_start_ends_it(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="No such file"):
        WordFile(named(tmp_path / "none"))


def test_a_file_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_file, "MOST_BYTES", 4)
    path = tmp_path / "words"
    path.write_text("twit\n")
    with pytest.raises(BadSetting, match="more than 4 characters"):
        WordFile(named(path))


def test_no_file_is_no_word(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("twit\n")
    words = WordFile(named(path))
    words.reread(Config())
    assert (len(words.filter), words.filter.masked("twit")) == (0, "twit")
