"""The addresses that cost most are known, of however many, by what they did in the last minute."""

from __future__ import annotations

import pytest

from gateway.admission import address_costs
from gateway.admission.address_costs import BROKEN, MINUTE_S, SAYINGS, AddressCosts, Cost

START = 1000.0
HEAVY = "192.0.2.1"


@pytest.fixture
def costs() -> AddressCosts:
    made = AddressCosts()
    made.forget(START)
    return made


def test_each_kind_of_cost_is_counted_and_the_dearest_is_first(costs: AddressCosts) -> None:
    for _ in range(3):
        costs.opened("192.0.2.3")
    costs.heard("192.0.2.2", 25)
    costs.heard("192.0.2.2", 4)
    costs.stored("192.0.2.4", 256 * 28)
    for limit in (SAYINGS, BROKEN, SAYINGS):
        costs.refused("192.0.2.5", limit)
    assert costs.busiest(9, START + 1) == [
        Cost("192.0.2.3", 3, 0, 0, {}),
        Cost("192.0.2.2", 0, 29, 0, {}),
        Cost("192.0.2.4", 0, 0, 7168, {}),
        Cost("192.0.2.5", 0, 0, 0, {"protocol broken": 1, "sayings_per_second": 2}),
    ]
    assert [cost.address for cost in costs.busiest(2, START + 1)] == ["192.0.2.3", "192.0.2.2"]


def test_addresses_of_one_network_of_ipv6_are_one(costs: AddressCosts) -> None:
    for host in ("2001:db8::1", "2001:db8::2:1", "::ffff:192.0.2.1", "192.0.2.1"):
        costs.heard(host, 1)
    assert {cost.address: cost.commands for cost in costs.busiest(9, START)} == {"2001:db8::/64": 2, "192.0.2.1": 2}


def test_a_minute_that_is_over_counts_by_how_much_of_it_is_in_the_last_one(costs: AddressCosts) -> None:
    costs.heard(HEAVY, 80)
    costs.refused(HEAVY, BROKEN)
    costs.forget(START + MINUTE_S - 1)
    assert costs.busiest(1, START + MINUTE_S - 1)[0].commands == 80
    costs.forget(START + MINUTE_S)
    costs.heard(HEAVY, 5)
    assert costs.busiest(1, START + 1.25 * MINUTE_S) == [Cost(HEAVY, 0, 65, 0, {"protocol broken": 1})]
    assert costs.busiest(1, START + 1.75 * MINUTE_S) == [Cost(HEAVY, 0, 25, 0, {})]
    costs.forget(START + 2 * MINUTE_S)
    assert costs.busiest(1, START + 2 * MINUTE_S) == [Cost(HEAVY, 0, 5, 0, {})]
    costs.forget(START + 4 * MINUTE_S)
    assert costs.busiest(1, START + 4 * MINUTE_S) == []


def test_a_flood_of_addresses_takes_no_more_room_and_pushes_no_heavy_one_out(
    costs: AddressCosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_costs, "MOST", 10)
    for number in range(1000):
        if number % 10 == 0:
            costs.heard(HEAVY, 1)
        costs.heard(f"198.51.{number // 250}.{number % 250}", 1)
        assert len(costs._now) <= 20
    assert costs.busiest(1, START)[0] == Cost(HEAVY, 0, 100, 0, {})
    costs.forget(START + MINUTE_S)
    assert len(costs._before) == 10
