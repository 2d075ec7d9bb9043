"""Random histories of several nodes: a hundred and sixty in each run, a million in a night, each by its seed."""

from __future__ import annotations

import pytest

from tests import seeds as seeds_of
from tests.cluster.random_histories import holds, holds_killed


@pytest.mark.nightly_too
@seeds_of.in_parts(80, 250_000)
def test_what_was_told_while_nodes_were_killed_is_in_the_record(seeds: range) -> None:
    """Nodes die and start: clients are told what is in the record, once and in order; what they ask is served once."""
    seeds_of.each(seeds, holds_killed)


@pytest.mark.nightly_too
@seeds_of.in_parts(80, 750_000)
def test_whatever_fails_what_was_told_is_in_the_record(seeds: range) -> None:
    """The same where the bus and the database fail, too."""
    seeds_of.each(seeds, holds)
