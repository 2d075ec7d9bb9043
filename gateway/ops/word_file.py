"""Reads the host's list of words from its file, at the start and whenever that is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gateway.config import BadSetting
from gateway.lobby.word_filter import BadWords, WordFilter

MOST_BYTES: Final = 1_048_576
"""Bytes of a file: far more than the words that a list may have."""


class WordFile:
    """The words of the file at ``path``; none where it is "". BadSetting: it cannot be read, or makes no sense."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.filter = WordFilter()
        self.reread()

    def reread(self) -> int:
        """Know the words that the file has now; how many they are. BadSetting: those before stay."""
        if not self._path:
            return 0
        where = f"[server] words_file {self._path}"
        try:
            with Path(self._path).open(encoding="utf-8") as file:
                text = file.read(MOST_BYTES + 1)
            if len(text) > MOST_BYTES:
                raise BadWords(f"more than {MOST_BYTES} characters")
            self.filter.learn(text.splitlines())
        except (OSError, ValueError) as error:
            raise BadSetting(f"{where}: {error}") from None
        return len(self.filter)
