"""Every transcript still says what the dialects do, however the bytes arrive, and each dialect has all it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway import registry
from tests.transcripts.replay import COVERS, by, covered, files, parse, replay, spoken, write

PUBLIC = sorted(name for name, dialect in registry.dialects().items() if dialect.public or dialect.websocket)


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", files(), ids=name)
def test_a_transcript_is_what_the_dialect_does_today(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert write(spoken(path), text) == text, "python -m tests.transcripts update, and read the diff"


@pytest.mark.parametrize("path", files(), ids=name)
@pytest.mark.parametrize("size", [1, 3], ids=["byte by byte", "in threes"])
def test_it_does_not_matter_how_the_bytes_arrive(path: Path, size: int) -> None:
    dialect = spoken(path)
    script = parse(dialect, path.read_text(encoding="utf-8"))
    for reply, expected in zip(replay(dialect, script, by(size)), replay(dialect, script), strict=True):
        assert reply == expected


@pytest.mark.parametrize("dialect", PUBLIC)
def test_a_dialect_shows_all_that_its_transcripts_must_show(dialect: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in files(dialect)]
    shown = set().union(*(covered(text) for text in texts))
    lacking = set().union(*(covered(text, "lacks") for text in texts))
    assert shown | lacking == COVERS
    assert not shown & lacking


@pytest.mark.parametrize("dialect", PUBLIC)
def test_what_a_dialect_lacks_is_given_a_reason(dialect: str) -> None:
    lines = [line for path in files(dialect) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line.startswith("# lacks:") and " - " not in line] == []
