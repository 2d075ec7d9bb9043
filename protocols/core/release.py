"""The version of Boardgate, which is said here and nowhere else.

pyproject.toml, the pages, the protocols and the images read it, by ``gateway.release`` where the build counts, too.
The metadata of an installed package are no source: those of an editable install say what was true when it was made.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "1.0.0"
"""Semantic versioning; docs/promises.md says what each of the numbers promises."""
