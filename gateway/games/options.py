"""Options: what the players of a game may choose for a table, beside its rule set, seats and time.

A game declares them (``Game.options``). Everything else is made of that: ``Game.settings`` checks what is asked for,
pages draw a field for each, the API and the documents list them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from protocols.core.errors import Refused, Why
from protocols.core.numbers import plain_number, read_number

MOST_SHOWN: Final = 20
"""Letters of a wrong value that its refusal repeats."""

RESERVED: Final = frozenset(
    ("variant", "seats", "time", "start", "rated", "side", "against", "opponent", "awaits", "bot", "watched")
) | {"observers_speak", "name", "kept", "secret", "exact", "clocks", "chat", "reasons"}
"""Words of handshakes and pages, which no option has for its name."""

NAME: Final = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number: ``least`` and ``most`` are its bounds, None without one; ``step`` 0.0 allows any between them.

    ``name`` is its word on the wires (a small letter, then small letters, digits, underscores), ``title`` its name for
    people, ``text`` says in a few words what it is. ``usual`` is what leaving it out means; "" where that depends on
    other choices, and the text says how. ``shown`` is the form in which people write the number, which is understood as
    well. ``rules`` are the rule sets that have the option, () for all.
    """

    kind: ClassVar = "number"

    name: str
    title: str
    text: str
    usual: str = ""
    least: float | None = None
    most: float | None = None
    step: float = 1.0
    shown: str = "{0}"
    rules: tuple[str, ...] = ()

    def read(self, text: str) -> str:
        """The number in the one way it is written. ValueError says what it should be."""
        try:
            number = read_number(self._plain(text.strip().lower()))
        except ValueError:
            raise ValueError(self._wrong(text)) from None
        too_far = (self.least is not None and number < self.least) or (self.most is not None and number > self.most)
        if too_far or (self.step and not round((number - (self.least or 0.0)) / self.step, 6).is_integer()):
            raise ValueError(self._wrong(text))
        return plain_number(number)

    @property
    def values(self) -> str:
        """All that can be chosen, in words: "a whole number from 5 to 25"."""
        number = {0.0: "a number", 1.0: "a whole number"}.get(self.step, f"a number in steps of {self.step:g}")
        if self.least is None or self.most is None:
            bounds = [f" from {self.least:g}"] if self.least is not None else []
            return number + "".join(bounds + ([f" up to {self.most:g}"] if self.most is not None else []))
        return f"{number} from {self.least:g} to {self.most:g}"

    def written(self, value: str) -> str:
        """A value as people write it: "13x13"."""
        return self.shown.format(value)

    def offered(self, most: int) -> tuple[tuple[str, str], ...]:
        """Every value and how people write it; () where there are more than so many."""
        if self.least is None or self.most is None or not self.step:
            return ()
        count = int((self.most - self.least) / self.step) + 1
        numbers = (plain_number(self.least + at * self.step) for at in range(count if count <= most else 0))
        return tuple((number, self.written(number)) for number in numbers)

    def _plain(self, text: str) -> str:
        """The number without the words that stand around it where people write it."""
        found = re.search(r"-?\d+(?:\.\d+)?", text, re.ASCII)
        return found[0] if found is not None and text == self.written(found[0]).lower() else text

    def _wrong(self, text: str) -> str:
        return f"{self.values}, not {text[:MOST_SHOWN]!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of some words: ``words`` are pairs of the word on the wires and what people call it.

    The other fields are those of ``Number``.
    """

    kind: ClassVar = "choice"

    name: str
    title: str
    text: str
    words: tuple[tuple[str, str], ...]
    usual: str = ""
    rules: tuple[str, ...] = ()

    def read(self, text: str) -> str:
        """The word. ValueError says what there is."""
        word = text.strip().lower()
        if word not in dict(self.words):
            raise ValueError(f"{self.values}, not {text[:MOST_SHOWN]!r}")
        return word

    @property
    def values(self) -> str:
        """All that can be chosen, in words: "fixed or free"."""
        *others, last = (word for word, _ in self.words)
        return f"{', '.join(others)} or {last}" if others else last

    def written(self, value: str) -> str:
        """A value as people call it."""
        return dict(self.words).get(value, value)

    def offered(self, most: int) -> tuple[tuple[str, str], ...]:
        """Every word and what people call it, however many there are."""
        return self.words


Option: TypeAlias = Number | Choice


def read(declared: Sequence[Option], asked: Mapping[str, str], game: str, rules: str = "") -> dict[str, str]:
    """The values that are ``asked`` for, as the options write them. Refused (BAD_OPTION) names the first that is wrong.

    An empty value says nothing. ``rules`` is the rule set it is for; "" does not look at that.
    """
    known = {option.name: option for option in declared}
    found = {}
    for name in sorted(asked):
        option = known.get(name)
        if option is None:
            raise Refused(Why.BAD_OPTION, f"{game} has no option {name!r}", option=name)
        if rules and option.rules and rules not in option.rules:
            under = ", ".join(option.rules)
            raise Refused(Why.BAD_OPTION, f"{name!r} is an option of {under}, not of {rules}", option=name)
        try:
            if asked[name].strip():
                found[name] = option.read(asked[name])
        except ValueError as error:
            raise Refused(Why.BAD_OPTION, f"{name} is {error}", option=name) from None
    return found


def chosen(declared: Sequence[Option], asked: Mapping[str, str], game: str, rules: str) -> tuple[tuple[str, str], ...]:
    """The options as settings hold them: sorted, without what is usual. Refused (BAD_OPTION) as of ``read``."""
    usual = {option.name: option.usual for option in declared}
    return tuple((name, value) for name, value in read(declared, asked, game, rules).items() if value != usual[name])


def check_names(declared: Sequence[Option]) -> None:
    """ValueError: an option has a name that no option can have, or two have the same."""
    names = [option.name for option in declared]
    for name in names:
        if not NAME.fullmatch(name) or name in RESERVED or names.count(name) > 1:
            raise ValueError(f"no option can be called {name!r} here")
