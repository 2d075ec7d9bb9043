"""Seeds of random conversations: hundreds in an ordinary run, millions in a night, or the one that has failed.

Each night has seeds of its own. BOARDGATE_SEED=N runs that one alone, wherever it was found.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Final

import pytest

from tests.laws.playouts import NIGHTLY

ONE: Final = os.environ.get("BOARDGATE_SEED")
DAY_S: Final = 86_400
PATIENCE_S: Final = 20.0
"""Seconds of this process alone, however busy the machine is; a conversation takes a hundredth of one."""


def in_parts(usually: int, by_night: int, parts: int = 4, parts_by_night: int = 200) -> pytest.MarkDecorator:
    """Parametrizes a test with ``seeds``, ranges of them: a test that ends now and then shows that a night goes on."""
    count, parts = (by_night, parts_by_night) if NIGHTLY else (usually, parts)
    first = int(time.time() / DAY_S) * by_night if NIGHTLY else 0
    each = count // parts
    ranges = [range(first + part * each, first + (part + 1) * each) for part in range(parts)]
    if ONE is not None:
        ranges = [range(int(ONE), int(ONE) + 1)]
    return pytest.mark.parametrize("seeds", [pytest.param(some, id=f"part{at}") for at, some in enumerate(ranges)])


def each(seeds: Iterable[int], converse: Callable[[int], None]) -> None:
    """Hold these conversations; a failure, or one that does not end, says how to repeat it."""
    before = signal.signal(signal.SIGVTALRM, _endless)
    try:
        for seed in seeds:
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S)
            try:
                converse(seed)
            except BaseException as error:
                file = os.environ["PYTEST_CURRENT_TEST"].partition("::")[0]
                error.add_note(f"to repeat it: BOARDGATE_SEED={seed} .venv/bin/python -m pytest {file}")
                raise
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _endless(number: int, frame: FrameType | None) -> None:
    pytest.fail(f"a conversation goes on after {PATIENCE_S} seconds of this process")
