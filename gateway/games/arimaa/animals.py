"""The animals of Arimaa as figures (figures.py): heads of five of them and a camel, each on a plate of its side's form.

A hole in an animal, such as an eye, runs against the clock, and its outline with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway.games.look import Part, circle

ROUND, SQUARE = "round", "square"

_TILE: Final = "M12 5.8h21a6 6 0 0 1 6 6v21a6 6 0 0 1-6 6h-21a6 6 0 0 1-6-6v-21a6 6 0 0 1 6-6z"

_PLATES: Final[Mapping[str, tuple[Part, ...]]] = {
    ROUND: ((circle(17.5, y=24.3), "shade"), (circle(17.5), "body"), (circle(17.5), "sheen")),
    SQUARE: (
        ("M12 7.6h21a6 6 0 0 1 6 6v21a6 6 0 0 1-6 6h-21a6 6 0 0 1-6-6v-21a6 6 0 0 1 6-6z", "shade"),
        (_TILE, "body"),
        (_TILE, "sheen"),
    ),
}

_ELEPHANT: Final = (
    "M14.6 11.5Q6.4 9.6 6.8 18.6Q7.4 27.6 13.6 27.6Q15.2 24 14.4 20zM30.4 11.5Q38.6 9.6 38.2 18.6Q37.6 27.6 31.4 27.6"
    "Q29.8 24 30.6 20zM16.4 11.6Q22.5 7 28.6 11.6Q31 18 28.6 24.6Q27 27.4 26.6 31Q26.6 34.6 29.2 34.2Q30.8 33.6 30.4 31"
    "L32.8 30.4Q34 37.2 28.2 37.6Q22.6 37.4 21.2 32Q19.6 27 16.4 24.6Q14 18 16.4 11.6z"
    + circle(1.5, 18.9, 18.4)
    + circle(1.5, 26.1, 18.4)
)
_CAMEL: Final = (
    "M7.6 16Q8 13 10.8 12.6L13.2 11L14.2 12.8Q16 14 15.7 17.2Q15.2 22.6 17.4 23.6Q19.8 23 21 19Q22.6 12.4 25.8 12.4"
    "Q29 12.4 30.2 19Q31.2 21.6 33.4 22.4Q36.2 23.8 35.8 28.2L34.8 28.2Q34.6 26.6 34 26.2L33.6 34.6L30.8 34.6L30.2 29"
    "Q25.4 30.4 20.8 28.8L20.4 36.4L17.4 36.4L16.8 28.2Q11.8 26.2 12 19L11.6 17.6Q8.2 18.6 7.6 16z"
    + circle(0.8, 11.8, 14.8)
)
_HORSE: Final = (
    "M24 6.8Q27 8.6 27.6 11Q36.5 15.5 36 30Q34 35 30 37.4L17.5 37Q18 31.5 22.5 27Q23.8 25.2 23.2 23Q20.5 24.5 18 24.6"
    "Q16.5 27.6 13.5 28.4Q9.8 28.4 8.8 25.4Q8.6 23.4 10.4 21.4Q13 18 14.8 14.4Q17.5 11 22 10.2Q22.4 8 24 6.8z"
    "M28.4 14.6Q31 21.5 31.6 31Q33.6 20.5 28.4 14.6z" + circle(1.5, 19.3, 16.6) + circle(0.9, 11.8, 24.8)
)
_DOG: Final = (
    "M13.6 9.6Q7.6 12 7.4 20Q7.4 26.6 10.6 28Q14.4 26.5 14.5 19Q14.8 13 13.6 9.6zM31.4 9.6Q37.4 12 37.6 20"
    "Q37.6 26.6 34.4 28Q30.6 26.5 30.5 19Q30.2 13 31.4 9.6zM16 10.6Q22.5 8 29 10.6Q29 14 29 19.5Q29.4 24 30.2 27.5"
    "Q30.6 36.6 22.5 37Q14.4 36.6 14.8 27.5Q15.6 24 16 19.5z"
    "M19.4 27Q20 30.2 22.5 30.2Q25 30.2 25.6 27Q22.5 25.4 19.4 27z" + circle(1.6, 19.2, 19.4) + circle(1.6, 25.8, 19.4)
)
_CAT: Final = (
    "M11 9.6L17.5 15Q22.5 13.2 27.5 15L34 9.6Q36 19 34.5 25Q32.5 34.4 22.5 35Q12.5 34.4 10.5 25Q9 19 11 9.6z"
    "M20.4 27L22.5 29.6L24.6 27z" + circle(2, 17.3, 22.4) + circle(2, 27.7, 22.4)
)
_WHISKERS: Final = "M12.6 28.4l-5.6-.8M13.4 30.8l-5 1.8M32.4 28.4l5.6-.8M31.6 30.8l5 1.8"
_RABBIT: Final = (
    "M16.5 6.6Q20.6 8 21.2 17.6Q22.5 17.2 23.8 17.6Q24.4 8 28.5 6.6Q32 10.6 28.6 19.6Q33 23.5 31.8 29Q30 36.5 22.5 37"
    "Q15 36.5 13.2 29Q12 23.5 16.4 19.6Q13 10.6 16.5 6.6zM21 29.6L22.5 31.6L24 29.6z"
    + circle(1.6, 18.6, 25.6)
    + circle(1.6, 26.4, 25.6)
)

_ANIMALS: Final[Mapping[str, tuple[Part, ...]]] = {
    "elephant": ((_ELEPHANT, "fill"),),
    "camel": ((_CAMEL, "fill"),),
    "horse": ((_HORSE, "fill"),),
    "dog": ((_DOG, "fill"),),
    "cat": ((_CAT, "fill"), (_WHISKERS, "line")),
    "rabbit": ((_RABBIT, "fill"),),
}

ANIMALS: Final[Mapping[str, tuple[Part, ...]]] = {
    f"{plate} {animal}": (*below, *parts) for plate, below in _PLATES.items() for animal, parts in _ANIMALS.items()
}
"""By the form of the plate and the animal: "round elephant"."""
