"""Reads the host's list of words from its file, at the start and whenever that is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import structlog

from gateway.config import BadSetting, Config
from gateway.lobby.word_filter import BadWords, WordFilter

_log = structlog.get_logger()

MOST_BYTES: Final = 1_048_576
"""Bytes of a file: far more than the words that a list may have."""


class WordFile:
    """The words of the file that ``server.words_file`` names; none where it is "". BadSetting: it is no list."""

    def __init__(self, config: Config) -> None:
        self.filter = WordFilter()
        self._learn(config.server.words_file)

    def reread(self, config: Config) -> None:
        """Know the words that the file of these settings has now; where it is no list, those before stay."""
        try:
            self._learn(config.server.words_file)
        except BadSetting as error:
            _log.warning("the list of words was not read anew", error=str(error))

    def _learn(self, path: str) -> None:
        try:
            self.filter.learn(_text(path).splitlines() if path else ())
        except (OSError, ValueError) as error:
            raise BadSetting(f"[server] words_file {path}: {error}") from None


def _text(path: str) -> str:
    with Path(path).open(encoding="utf-8") as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise BadWords(f"more than {MOST_BYTES} characters")
    return text
