"""Hashes passwords with argon2 at its lowest cost. A hash names its cost, so that a server checks these at once."""

from __future__ import annotations

from typing import Final

from argon2 import PasswordHasher

CHEAP: Final = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

hashed: Final = CHEAP.hash
