"""Memory is given back once after each burst of connections, never in the middle of one."""

from __future__ import annotations

from gateway.ops.memory_release import BURST, CALM_S, MemoryRelease


class Asked:
    """Counts how often memory was given back."""

    def __init__(self) -> None:
        self.times = 0
        self.memory_release = MemoryRelease(self._give)

    def _give(self) -> None:
        self.times += 1

    def looks(self, *insides: int, at: float = 0.0) -> int:
        """One look a second; how often memory was given back until then."""
        for second, inside in enumerate(insides):
            self.memory_release.look(at + second, inside)
        return self.times


def test_memory_is_given_back_once_when_a_burst_is_over() -> None:
    asked = Asked()
    assert asked.looks(0, 4 * BURST, 0) == 0, "it may go on"
    assert asked.looks(0, at=CALM_S + 2.0) == 1
    assert asked.looks(*[0] * 100, at=CALM_S + 3.0) == 1
    assert asked.looks(4 * BURST, 0, at=200.0) == 1
    assert asked.looks(0, at=201.0 + CALM_S) == 2


def test_nothing_is_given_back_while_most_of_them_are_here() -> None:
    asked = Asked()
    assert asked.looks(4 * BURST, *[2 * BURST + 1] * 60) == 0
    assert asked.looks(2 * BURST, at=61.0) == 1


def test_a_few_that_come_and_go_are_no_burst() -> None:
    asked = Asked()
    assert asked.looks(*[BURST - 1, 0] * 100) == 0
