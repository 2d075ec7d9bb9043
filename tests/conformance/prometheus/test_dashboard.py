"""deploy/grafana-dashboard.json keeps to what Grafana documents of a dashboard's JSON.

Not here: Grafana itself, which Debian does not have; what the queries give (test_scraping.py).
Source: Grafana's "Dashboard JSON model", its dashboard schema, and its pages on variables and on provisioning.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, Final

import pytest

from tests.conformance.prometheus.dashboard import dashboard, queries, variable

COLUMNS: Final = 24
"""A dashboard's width."""

OBJECTS_AS_SOURCES: Final = 36
"""The schema of Grafana 9, the first whose data sources are objects everywhere."""

SOURCE: Final = {"type": "prometheus", "uid": "${source}"}

UNITS: Final = (
    (r"_seconds_bucket|_timestamp_seconds", "s"),
    (r"cpu_seconds", "percentunit"),
    (r"memory_bytes", "bytes"),
    (r"rate\(\w+_bytes_total", "Bps"),
    (r"rate\(\w+_total", "ops"),
    (r"", "none"),
)
"""Grafana's names for units, by what is asked for; the first that fits. A panel of several has none."""

Panel = dict[str, Any]
PANELS: Final[list[Panel]] = dashboard()["panels"]

each_panel = pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel["title"]))


def test_it_belongs_to_no_grafana_and_has_a_name_in_each() -> None:
    found = dashboard()
    assert found["id"] is None
    assert 8 <= len(found["uid"]) <= 40
    assert found["schemaVersion"] >= OBJECTS_AS_SOURCES


def test_its_data_source_is_chosen_in_it_and_not_only_when_it_is_imported() -> None:
    """ "__inputs" are filled in when somebody imports by hand, and not in files that Grafana is provisioned with."""
    chosen = variable("source")
    assert (chosen["type"], chosen["query"]) == ("datasource", "prometheus")
    assert "__inputs" not in dashboard()
    sources = [panel["datasource"] for panel in PANELS] + [variable("instance")["datasource"]]
    assert sources == [SOURCE] * (len(PANELS) + 1)


def test_all_servers_are_those_that_it_lists() -> None:
    """ "The Custom all value option on the variable must be blank": ".*" would be every process that is watched."""
    servers = variable("instance")
    assert (servers["includeAll"], servers["multi"], servers.get("allValue")) == (True, True, None)
    assert servers["query"]["query"] == servers["definition"]
    for query in queries():
        assert query.expression.count('{instance=~"$instance"') == len(re.findall(r"\{", query.expression)), str(query)


def test_panels_have_ids_and_titles_of_their_own() -> None:
    for key in ("id", "title"):
        assert len({panel[key] for panel in PANELS}) == len(PANELS) > 10


def test_no_two_panels_lie_over_each_other_and_none_hangs_out() -> None:
    places = [panel["gridPos"] for panel in PANELS]
    assert [place for place in places if place["x"] < 0 or place["x"] + place["w"] > COLUMNS] == []
    covered = [
        {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])} for at in places
    ]
    assert [one & other for one, other in combinations(covered, 2) if one & other] == []


@each_panel
def test_a_panel_names_the_unit_of_what_it_draws(panel: Panel) -> None:
    asked = [target["expr"] for target in panel["targets"]]
    units = {next(unit for what, unit in UNITS if re.search(what, expression)) for expression in asked}
    assert panel["fieldConfig"]["defaults"]["unit"] == (units.pop() if len(units) == 1 else "none")


@each_panel
def test_what_a_panel_draws_can_be_told_apart(panel: Panel) -> None:
    legends = [target["legendFormat"] for target in panel["targets"]]
    assert len(set(legends)) == len({target["refId"] for target in panel["targets"]}) == len(legends)
    for target in panel["targets"]:
        by = {label for labels in re.findall(r"by \(([^)]*)\)", target["expr"]) for label in labels.split(", ")}
        assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) == by - {"le"}
    assert panel["type"] == ("timeseries" if any(legends) else "stat")
    assert panel["type"] == "timeseries" or "reduceOptions" in panel["options"]


def test_rates_are_taken_over_what_grafana_reckons_from_how_often_prometheus_looks() -> None:
    spans = {span for query in queries() for span in re.findall(r"rate\([^[]*\[([^]]*)\]", query.expression)}
    assert spans == {"$__rate_interval"}
