"""Random conversations that fail, or do not end, say how to repeat them (seeds.py)."""

from __future__ import annotations

import pytest

from tests import seeds


def converse(seed: int) -> None:
    assert seed < 2 or seed > 5
    while seed > 5:
        pass


@pytest.mark.parametrize("range_of_seeds", [range(4), range(6, 9)])
def test_a_conversation_that_fails_or_does_not_end_says_how_to_repeat_it(
    range_of_seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "PATIENCE_S", 0.05)
    monkeypatch.setattr(converse, "__module__", "tests.cluster.random_histories")  # where no test is
    with pytest.raises(BaseException, match=r"2 < 2|goes on") as failed:
        seeds.each(range_of_seeds, converse)
    first = max(range_of_seeds.start, 2)
    assert failed.value.__notes__ == [
        f"to repeat it: BOARDGATE_SEED={first} .venv/bin/python -m pytest tests/test_seeds.py"
    ]
